//! The parts of a match's page: the verdict, the figures, the charts and the games.

use super::Params;
use super::log::{MatchLog, PlayedGame};
use crate::chart::{Chart, PlotLine};
use crate::jobs::Report;
use crate::page::command;
use crate::text::{count, query, quoted, time_left};
use contender_arena::Results;
use contender_catalogue::find;
use contender_referee::RankedBy;
use contender_stats::{Decision, MIN_PAIRS};
use maud::{Markup, html};
use std::cmp::Ordering;

/// The names of the five possible results of a pair, from A's point of view.
const PAIRS: [(&str, &str); 5] =
    [("0", "lost both"), ("½", "lost and drew"), ("1", "equal"), ("1½", "won and drew"), ("2", "won both")];

pub fn parts(which: &Params, log: &MatchLog, report: Option<Report>, is_known: bool) -> Markup {
    let is_running = report.as_ref().is_some_and(|report| report.is_running);
    html! {
        section #state aria-label="State" {
            h1 {
                @match &log.names {
                    Some([a, b]) => { (a) " against " (b) },
                    None => { (which.file) },
                }
            }
            p.verdict role="status" { (verdict(log)) }
            @if log.is_broken() { (failing(log)) }
            (chips(which, log, is_running))
            p.controls {
                a.button href=(format!("/log?{}", query(&[("file", &which.file)]))) { "All games" }
                // Only bundled games can be reviewed.
                @for name in log.names.iter().flatten().filter(|_| find(&log.game).is_some()) {
                    a.button href=(format!("/review?{}", query(&[("file", &which.file), ("player", name)]))) { "Why does " (name) " lose?" }
                }
            }
            @if is_running && is_known {
                form.controls action="/match/stop" method="post" {
                    input type="hidden" name="file" value=(which.file);
                    input type="hidden" name="games" value=(which.games);
                    input type="hidden" name="sprt" value=(which.sprt);
                    button.danger type="submit" { "Stop" }
                }
            }
            @if let Some(report) = report.filter(|report| !report.said.is_empty()) {
                details #said open[!is_running] { summary { "Output of the match" } pre tabindex="0" { (report.said) } }
            }
        }
        section #pictures aria-label="Charts" { @if log.course.count() > 0 && !log.is_broken() { (charts(log)) } }
        section #games aria-labelledby="list" {
            @if log.failed > 0 {
                h2 { @if log.failed > log.failures.len() as u64 { "The first " (log.failures.len()) " games with a failure" } @else { "Games with a failure" } }
                (list(which, log.failures.iter()))
            }
            h2 #list { "Latest games" }
            @if log.latest.is_empty() { p { "No game is over yet." } } @else { (list(which, log.latest.iter())) }
        }
        @if let Some([a, _]) = log.names.as_ref().filter(|_| find(&log.game).is_some()) {
            section #command aria-label="Command" {
                (command(&format!("review {} --player {}", quoted(&which.file), quoted(a))))
            }
        }
    }
}

/// Returns the reasons why most games say nothing about strength: each bot that fails, with its error text.
fn failing(log: &MatchLog) -> Markup {
    html! {
        div.notice #failing role="alert" {
            @for of in &log.failing {
                p { strong { (of.bot) } " failed in " (of.games) " of " (count(log.count, "game", "games")) ": " (of.ending) "." }
                @if !of.stderr.is_empty() { pre tabindex="0" { (of.stderr) } }
            }
            @if log.failing.iter().any(|of| of.is_late) {
                p { "If other programs keep this machine busy, bots answer late. Then play fewer games at once, or allow more time." }
            } @else {
                p { "Repair the bot first, or try its command in a terminal in the project's folder." }
            }
        }
    }
}

/// Returns an interval as text: `[-12, +30]`.
fn range(low: f64, high: f64, digits: usize) -> String {
    format!("[{low:+.digits$}, {high:+.digits$}]")
}

/// Returns the result of the match as one sentence.
fn verdict(log: &MatchLog) -> String {
    let Some([a, b]) = &log.names else { return "No games yet.".to_string() };
    if log.is_broken() {
        return match log.failed == log.count {
            true => format!("No verdict: {} failed", all(log.count)),
            false => format!("No verdict: {} of {} games failed", log.failed, log.count),
        };
    }
    let Some((value, interval)) = log.estimate() else { return "No pair is complete yet.".to_string() };
    let Some(interval) = interval else { return "At least two pairs are needed for a result.".to_string() };
    let Results { wins, draws, losses } = log.score.results;
    let (middle, lead) = match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => (0.0, None),
        RankedBy::Wins => (50.0, elo(log)),
    };
    // The amount from the view of the better bot.
    let amount = |of_a: bool| {
        let sign = if of_a { 1.0 } else { -1.0 };
        let [low, high] = if of_a { [interval.low, interval.high] } else { [-interval.high, -interval.low] };
        match log.score.ranked_by {
            RankedBy::Points | RankedBy::Rank => {
                format!("{:+.2} points per game {}", sign * value, range(low, high, 2))
            }
            RankedBy::Wins => lead.map_or_else(
                || format!("{} of {} games won", if of_a { wins } else { losses }, wins + draws + losses),
                |lead| lead_text(lead.map(|end| sign * end), of_a),
            ),
        }
    };
    let (better, worse, of_a) = if value >= middle { (a, b, true) } else { (b, a, false) };
    if interval.low > middle || interval.high < middle {
        format!("{better} is stronger than {worse}: {}", amount(of_a))
    } else if (value - middle).abs() < 1e-9 {
        "No difference so far: the results are even".to_string()
    } else {
        format!("Undecided: {better} leads ({}), but this may be due to chance", amount(of_a))
    }
}

/// Returns a number of games as the subject of a sentence.
fn all(games: u64) -> String {
    if games == 1 { "the only game".to_string() } else { format!("all {games} games") }
}

/// Returns A's lead in Elo, and the ends of its 95% interval. `None` if the lead is infinite.
fn elo(log: &MatchLog) -> Option<[f64; 3]> {
    let elo = log.score.pentanomial.elo(0.95).filter(|elo| elo.elo.is_finite())?;
    let ends = elo.interval.map_or([f64::NEG_INFINITY, f64::INFINITY], |of| [of.low, of.high]);
    Some([elo.elo, ends[0], ends[1]])
}

/// Formats a lead in Elo with its interval. The ends of B's lead are those of A's lead in reverse.
fn lead_text([lead, one, other]: [f64; 3], of_a: bool) -> String {
    let end = |value: f64| match value {
        _ if value.is_finite() => format!("{value:+.0}"),
        _ if value > 0.0 => "∞".to_string(),
        _ => "-∞".to_string(),
    };
    let [low, high] = if of_a { [one, other] } else { [other, one] };
    format!("{lead:+.0} Elo [{}, {}]", end(low), end(high))
}

/// Returns the number of games, the results and the state of the test as chips.
fn chips(which: &Params, log: &MatchLog, is_running: bool) -> Markup {
    let Results { wins, draws, losses } = log.results;
    let planned: Option<u64> = which.games.parse().ok().filter(|planned| *planned > 0);
    let is_by_wins = matches!(log.score.ranked_by, RankedBy::Wins);
    let is_decided = log.test().is_some_and(|(test, ratio, _)| {
        matches!(test.decide(ratio, log.score.pairs()), Decision::AcceptH0 | Decision::AcceptH1)
    });
    let (rate, left) = log.pace(planned).filter(|_| is_running).unzip();
    html! {
        p.chips {
            span.chip {
                (count(log.count, "game", "games"))
                // A match that its test has ended is complete, whatever the planned number was.
                @if let Some(planned) = planned.filter(|planned| *planned > log.count && is_running) { " of " (planned) }
            }
            @if log.results.games() > 0 {
                span { (log.names.as_ref().map_or("", |[a, _]| a)) ":" }
                span.chip.win { (wins) " won" } span.chip { (draws) " drawn" } span.chip.loss { (losses) " lost" }
            }
            @if log.failed > 0 { span.chip.bad { (count(log.failed, "failure", "failures")) } }
            @if let Some((test, ratio, bounds)) = log.test() {
                @let [low, high] = test.hypotheses();
                @let hypotheses = format!("SPRT [{low}, {high}]");
                @match test.decide(ratio, log.score.pairs()) {
                    Decision::PlayOn if log.score.pairs() < MIN_PAIRS => span.chip { (hypotheses) " needs " (MIN_PAIRS) " pairs" },
                    Decision::PlayOn => span.chip { (hypotheses) " not decided: LLR " (format!("{ratio:.2} of {:.2}", bounds.high)) },
                    Decision::AcceptH0 => span.chip.bad { (hypotheses) " failed" },
                    Decision::AcceptH1 => span.chip.good { (hypotheses) " passed" },
                }
            }
            @if let Some(los) = log.score.pentanomial.elo(0.95).and_then(|elo| elo.los).filter(|_| is_by_wins && !log.is_broken()) {
                span.chip title="Probability that the first bot is the stronger one" { "likelihood of superiority " (percent(los)) }
            }
            @if is_running { span.chip.good { "Running" } } @else if let Some(planned) = planned {
                @if log.count >= planned || is_decided { span.chip { "Finished" } }
                @else { span.chip.warn { "Stopped after " (log.count) " of " (count(planned, "game", "games")) } }
            }
            @if let Some(rate) = rate { span.chip { (format!("{rate:.1} games/s")) } }
            @if let Some(left) = left.flatten() { span.chip { (time_left(left)) " left at most" } }
        }
        @if let Some(planned) = planned.filter(|_| is_running) { (bar(log.count as f64 / planned as f64)) }
    }
}

/// Formats a probability that may be close to 0 or 1.
fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent > 99.9 => "over 99.9%".to_string(),
        percent if percent < 0.1 => "under 0.1%".to_string(),
        percent => format!("{percent:.1}%"),
    }
}

/// Draws a progress bar; `share` is from 0 to 1.
pub fn bar(share: f64) -> Markup {
    html! { svg.bar viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" { rect width=(format!("{:.1}", 100.0 * share.clamp(0.0, 1.0))) height="6" {} } }
}

fn charts(log: &MatchLog) -> Markup {
    let a = log.names.as_ref().map_or("", |[a, _]| a);
    let (title, up, digits) = match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => {
            (format!("Lead of {a}, with its 95% interval"), "points per game", 2)
        }
        RankedBy::Wins => (format!("Share of wins of {a}, with its 95% interval"), "% of the games", 1),
    };
    let title = &title;
    let moments = || log.course.items();
    let estimates = PlotLine {
        name: "estimate".to_string(),
        colour: 0,
        points: moments().map(|moment| [moment.estimate.games as f64, moment.estimate.value]).collect(),
        band: moments()
            .filter_map(|moment| {
                let interval = moment.estimate.interval?;
                Some([moment.estimate.games as f64, interval.low, interval.high])
            })
            .collect(),
        ..PlotLine::default()
    };
    let even = match log.score.ranked_by {
        RankedBy::Wins => 50.0,
        RankedBy::Points | RankedBy::Rank => 0.0,
    };
    let ratios = PlotLine {
        name: "LLR".to_string(),
        colour: 5,
        points: moments()
            .filter_map(|moment| Some([(moment.estimate.games / 2) as f64, moment.ratio?]))
            .collect(),
        ..PlotLine::default()
    };
    html! {
        div.charts data-digits=(digits) {
            (pentanomial(a, log.score.pentanomial.counts))
            (Chart { title, across: "games", up, lines: &[estimates], levels: &[("even", even)] }.draw())
            @if let (Some((_, _, bounds)), true) = (log.test(), ratios.points.len() > 1) {
                (Chart { title: "Log-likelihood ratio between its bounds", across: "pairs of games", up: "LLR", lines: &[ratios], levels: &[("pass", bounds.high), ("fail", bounds.low)] }.draw())
            }
        }
    }
}

/// Draws how many pairs ended with each of the five possible results.
fn pentanomial(bot: &str, counts: [u64; 5]) -> Markup {
    let most = counts.into_iter().max().unwrap_or(0).max(1) as f64;
    let total: u64 = counts.iter().sum();
    html! {
        figure.chart {
            figcaption { "Results of " (bot) " in " (count(total, "pair", "pairs")) " of games" }
            div.columns {
                @for ((points, words), number) in PAIRS.into_iter().zip(counts) {
                    div title=(words) {
                        span { (number) }
                        svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true" {
                            @let height = 100.0 * number as f64 / most;
                            rect width="10" y=(format!("{:.1}", 100.0 - height)) height=(format!("{height:.1}")) {}
                        }
                        span { (points) }
                    }
                }
            }
            p.axis { "points from both games of a pair" }
        }
    }
}

fn list<'a>(which: &Params, games: impl Iterator<Item = &'a PlayedGame>) -> Markup {
    let games: Vec<&PlayedGame> = games.collect();
    let has_failures = games.iter().any(|game| !game.failure.is_empty());
    html! {
        div.wide { table.list {
            thead { tr { th.number { "Game" } td {} th { "Players" } th.number { "Points" } @if has_failures { th { "Failure" } } } }
            tbody { @for game in games { tr data-key=(game.number) {
                @let number = game.number.to_string();
                @let address = format!("/replay?{}", query(&[("file", &which.file), ("game", &number)]));
                td.number { a href=(address) { (number) } }
                td { (result(game)) }
                td { a href=(address) { (game.players.join(" – ")) } }
                td.number { (game.scores) }
                @if has_failures { td.failure { (game.failure) } }
            } } }
        } }
    }
}

/// Returns A's result in a game as a chip.
fn result(game: &PlayedGame) -> Markup {
    match game.result {
        Some(Ordering::Greater) => html! { span.chip.win { "W" } },
        Some(Ordering::Equal) => html! { span.chip { "D" } },
        Some(Ordering::Less) => html! { span.chip.loss { "L" } },
        None => html! {},
    }
}
