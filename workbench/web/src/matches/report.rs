//! The parts of a match's page: the verdict, the figures, the charts and the games.

use super::Params;
use super::log::{MatchLog, PlayedGame};
use crate::chart::{Chart, Line};
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
        section #pictures aria-label="Charts" { @if log.course.count() > 0 { (charts(log)) } }
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

/// Returns an interval as text: `[-12, +30]`.
fn range(low: f64, high: f64, digits: usize) -> String {
    format!("[{low:+.digits$}, {high:+.digits$}]")
}

/// Returns the result of the match as one sentence.
fn verdict(log: &MatchLog) -> String {
    let Some([a, b]) = &log.names else { return "No games yet.".to_string() };
    let Some((value, interval)) = log.estimate() else { return "No pair is complete yet.".to_string() };
    let Some(interval) = interval else { return "At least two pairs are needed for a result.".to_string() };
    let (middle, amount) = match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => {
            (0.0, format!("{value:+.2} points per game {}", range(interval.low, interval.high, 2)))
        }
        RankedBy::Wins => (50.0, elo(log).unwrap_or_else(|| format!("{value:.1}% of the games"))),
    };
    if interval.low > middle {
        format!("{a} is stronger than {b}: {amount}")
    } else if interval.high < middle {
        format!("{b} is stronger than {a}: {amount} for {a}")
    } else {
        format!("No difference shown: {amount} for {a}")
    }
}

/// Returns A's lead in Elo with its 95% interval, and the likelihood of superiority. Infinite values are left out.
fn elo(log: &MatchLog) -> Option<String> {
    let elo = log.score.pentanomial.elo(0.95).filter(|elo| elo.elo.is_finite())?;
    let end = |value: f64| if value.is_finite() { format!("{value:+.0}") } else { "∞".to_string() };
    let interval = elo.interval.map(|of| format!(" [{}, {}]", end(of.low).replace('∞', "-∞"), end(of.high)));
    let los = elo.los.map(|los| format!(", LOS {:.1}%", 100.0 * los));
    Some(format!("{:+.0} Elo{}{}", elo.elo, interval.unwrap_or_default(), los.unwrap_or_default()))
}

/// Returns the number of games, the results and the state of the test as chips.
fn chips(which: &Params, log: &MatchLog, is_running: bool) -> Markup {
    let Results { wins, draws, losses } = log.results;
    let planned: Option<u64> = which.games.parse().ok().filter(|planned| *planned > 0);
    let (rate, left) = log.pace(planned).filter(|_| is_running).unzip();
    html! {
        p.chips {
            span.chip {
                (count(log.count, "game", "games"))
                // A match that its test has ended is complete, whatever the planned number was.
                @if let Some(planned) = planned.filter(|planned| *planned > log.count && is_running) { " of " (planned) }
            }
            @if log.results.games() > 0 {
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
            @if is_running { span.chip.good { "Running" } } @else if !which.games.is_empty() { span.chip { "Finished" } }
            @if let Some(rate) = rate { span.chip { (format!("{rate:.1} games/s")) } }
            @if let Some(left) = left.flatten() { span.chip { (time_left(left)) " left at most" } }
        }
        @if let Some(planned) = planned.filter(|_| is_running) { (bar(log.count as f64 / planned as f64)) }
    }
}

/// Draws a progress bar; `share` is from 0 to 1.
pub fn bar(share: f64) -> Markup {
    html! { svg.bar viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" { rect width=(format!("{:.1}", 100.0 * share.clamp(0.0, 1.0))) height="6" {} } }
}

fn charts(log: &MatchLog) -> Markup {
    let (title, digits) = match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => ("Lead in points per game, with its 95% interval", 2),
        RankedBy::Wins => ("Share of wins in percent, with its 95% interval", 1),
    };
    let moments = || log.course.items();
    let estimates = Line {
        name: "estimate".to_string(),
        colour: 0,
        points: moments().map(|moment| [moment.estimate.games as f64, moment.estimate.value]).collect(),
        band: moments()
            .filter_map(|moment| {
                let interval = moment.estimate.interval?;
                Some([moment.estimate.games as f64, interval.low, interval.high])
            })
            .collect(),
        ..Line::default()
    };
    let even = match log.score.ranked_by {
        RankedBy::Wins => 50.0,
        RankedBy::Points | RankedBy::Rank => 0.0,
    };
    let ratios = Line {
        name: "LLR".to_string(),
        colour: 5,
        points: moments()
            .filter_map(|moment| Some([(moment.estimate.games / 2) as f64, moment.ratio?]))
            .collect(),
        ..Line::default()
    };
    html! {
        div.charts data-digits=(digits) {
            (pentanomial(log.score.pentanomial.counts))
            (Chart { title, across: "games", lines: &[estimates], levels: &[("even", even)] }.draw())
            @if let (Some((_, _, bounds)), true) = (log.test(), ratios.points.len() > 1) {
                (Chart { title: "Log-likelihood ratio between its bounds", across: "pairs", lines: &[ratios], levels: &[("pass", bounds.high), ("fail", bounds.low)] }.draw())
            }
        }
    }
}

/// Draws how many pairs ended with each of the five possible results.
fn pentanomial(counts: [u64; 5]) -> Markup {
    let most = counts.into_iter().max().unwrap_or(0).max(1) as f64;
    let total: u64 = counts.iter().sum();
    html! {
        figure.chart {
            figcaption { (count(total, "pair", "pairs")) " by points" }
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
        }
    }
}

fn list<'a>(which: &Params, games: impl Iterator<Item = &'a PlayedGame>) -> Markup {
    html! {
        div.wide { table.list {
            thead { tr { th.number { "Game" } td {} th { "Players" } th.number { "Points" } th { "Failure" } } }
            tbody { @for game in games { tr data-key=(game.number) {
                @let number = game.number.to_string();
                @let address = format!("/replay?{}", query(&[("file", &which.file), ("game", &number)]));
                td.number { a href=(address) { (number) } }
                td { (result(game)) }
                td { (game.players.join(" – ")) }
                td.number { (game.scores) }
                td.failure { (game.failure) }
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
