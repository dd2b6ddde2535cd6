//! The parts of a match's page: the verdict, the figures, the charts and the games.

use super::Params;
use super::log::{MatchLog, PlayedGame};
use crate::chart::{Chart, PlotLine};
use crate::failures;
use crate::jobs::Report;
use crate::listed::{self, Failure, ListedGame};
use crate::machine::Relief;
use crate::page::command;
use crate::text::{count, grouped, query, quoted, signed, time_left};
use contender_arena::Results;
use contender_catalogue::find;
use contender_referee::RankedBy;
use contender_stats::{Decision, Interval, MIN_PAIRS};
use maud::{Markup, html};
use std::cmp::Ordering;

/// The names of the five possible results of a pair, from A's point of view.
const PAIRS: [(&str, &str); 5] =
    [("0", "lost both"), ("½", "lost and drew"), ("1", "equal"), ("1½", "won and drew"), ("2", "won both")];

/// Number of latest games to list.
const SHOWN: usize = 20;

/// Returns the value of [`MatchLog::estimate`] between equally strong bots.
fn even(log: &MatchLog) -> f64 {
    match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => 0.0,
        RankedBy::Wins => 50.0,
    }
}

/// Returns the parts of the page. `may_repeat` means that the reader may play the same match again.
pub fn parts(
    which: &Params,
    log: &MatchLog,
    report: Option<Report>,
    is_known: bool,
    may_repeat: bool,
) -> Markup {
    let is_running = report.as_ref().is_some_and(|report| report.is_running);
    let Results { wins, losses, .. } = log.results;
    let has_lost = |name: &String| match &log.names {
        Some([a, _]) if a == name => losses > 0,
        _ => wins > 0,
    };
    let games_at_once = report.as_ref().and_then(|report| report.games_at_once);
    let context = failures::Context {
        games: log.count,
        failed: log.failed,
        games_at_once,
        link: &|number| format!("/replay?{}", query(&[("file", &which.file), ("game", &number.to_string())])),
        remedy: remedy(which, may_repeat, games_at_once),
    };
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
            @if log.failed > 0 { (failures::notice(&log.failing, &context)) }
            div.controls {
                @if is_running && is_known {
                    form action="/match/stop" method="post" {
                        input type="hidden" name="file" value=(which.file);
                        input type="hidden" name="games" value=(which.games);
                        input type="hidden" name="sprt" value=(which.sprt);
                        button.danger type="submit" { "Stop" }
                    }
                }
                a.button href=(format!("/log?{}", query(&[("file", &which.file)]))) { "All games" }
                // Only bundled games can be reviewed, and a game that failed shows no mistakes.
                @for name in log.names.iter().flatten().filter(|name| find(&log.game).is_some() && has_lost(name) && !log.is_broken()) {
                    a.button href=(format!("/review?{}", query(&[("file", &which.file), ("player", name)]))) { "Why does " (name) " lose?" }
                }
            }
            @if let Some(report) = report.filter(|report| !report.said.is_empty()) {
                details #said open[!is_running && log.count == 0] { summary { "Output of the match" } pre tabindex="0" { (report.said) } }
            }
        }
        section #pictures aria-label="Charts" {
            @if let Some([a, _]) = log.names.as_ref().filter(|_| log.course.count() > 0 && !log.is_broken()) { (charts(log, a)) }
        }
        section #games aria-labelledby="list" {
            // If all games failed, this list would repeat the notice.
            @if log.failed == 0 || log.failed < log.count {
                h2 #list { "Latest games" }
                @if log.latest.is_empty() { p { "No game is over yet." } } @else { (list(which, log)) }
            }
        }
        @if let Some([a, b]) = log.names.as_ref().filter(|_| find(&log.game).is_some() && !log.is_broken()) {
            section #command aria-label="Command" {
                (command(&format!("review {} --player {}", quoted(&which.file), quoted(if losses > 0 { a } else { b }))))
            }
        }
    }
}

/// Returns the buttons that play the match again so that the bots have more time.
fn remedy(which: &Params, may_repeat: bool, games_at_once: Option<u16>) -> Markup {
    html! {
        @if may_repeat {
            form.controls action="/match/again" method="post" {
                input type="hidden" name="file" value=(which.file);
                input type="hidden" name="games" value=(which.games);
                input type="hidden" name="sprt" value=(which.sprt);
                "Play again with"
                (Relief::buttons(true, games_at_once))
            }
        }
    }
}

/// Returns the result of the match as one sentence, from A's view.
fn verdict(log: &MatchLog) -> String {
    let Some([a, b]) = log.names.as_ref().filter(|_| log.count > 0) else {
        return "No games yet".to_string();
    };
    if log.is_broken() {
        return format!("No verdict: {}", failures::words(log.failed, log.count));
    }
    let Some((value, interval)) = log.estimate() else { return "No pair is complete yet".to_string() };
    let Some(interval) = interval else { return "A result needs at least two pairs".to_string() };
    let Interval { low, high } = interval;
    let Results { wins, draws, losses } = log.score.results;
    let amount = match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => {
            let [value, low, high] = [value, low, high].map(|value| signed(value, 2));
            format!("{value} points per game (95% interval {low} to {high})")
        }
        RankedBy::Wins => elo(log).map_or_else(
            || format!("{} of {} games won", grouped(wins), grouped(wins + draws + losses)),
            lead_text,
        ),
    };
    let even = even(log);
    if low > even {
        format!("{a} is stronger than {b}: {amount}")
    } else if high < even {
        format!("{a} is weaker than {b}: {amount}")
    } else if (value - even).abs() < 1e-9 {
        "No difference so far: the results are even".to_string()
    } else {
        let place = if value > even { "leads" } else { "is behind" };
        format!("Undecided: {a} {place} with {amount}, which may be due to chance")
    }
}

/// Returns A's lead in Elo, and the ends of its 95% interval. `None` if the lead is infinite.
fn elo(log: &MatchLog) -> Option<[f64; 3]> {
    let elo = log.score.pentanomial.elo(0.95).filter(|elo| elo.elo.is_finite())?;
    let ends = elo.interval.map_or([f64::NEG_INFINITY, f64::INFINITY], |of| [of.low, of.high]);
    Some([elo.elo, ends[0], ends[1]])
}

/// Formats a lead in Elo with its interval.
fn lead_text([lead, low, high]: [f64; 3]) -> String {
    let end = |value: f64| match value {
        _ if value.is_finite() => signed(value, 0),
        _ if value > 0.0 => "∞".to_string(),
        _ => "-∞".to_string(),
    };
    format!("{} Elo (95% interval {} to {})", signed(lead, 0), end(low), end(high))
}

/// Returns the number of games, the results and the state of the test as chips.
fn chips(which: &Params, log: &MatchLog, is_running: bool) -> Markup {
    let planned: Option<u64> = which.games.parse().ok().filter(|planned| *planned > 0);
    let is_by_wins = matches!(log.score.ranked_by, RankedBy::Wins);
    let is_decided = log.test().is_some_and(|(test, ratio, _)| {
        matches!(test.decide(ratio, log.score.pairs()), Decision::AcceptH0 | Decision::AcceptH1)
    });
    let (rate, left) = log.pace(planned).filter(|_| is_running).unzip();
    html! {
        p.chips {
            @if is_running { span.chip.good { "Running" } } @else if let Some(planned) = planned {
                @if log.count >= planned || is_decided { span.chip { "Finished" } }
                @else { span.chip.warn { "Stopped after " (grouped(log.count)) " of " (count(planned, "game", "games")) } }
            }
            span.chip {
                (count(log.count, "game", "games"))
                // A match that its test has ended is complete, whatever the planned number was.
                @if let Some(planned) = planned.filter(|planned| *planned > log.count && is_running) { " of " (grouped(planned)) }
            }
            @if let Some([a, _]) = log.names.as_ref().filter(|_| log.results.games() > 0 && !log.is_broken()) {
                @let Results { wins, draws, losses } = log.results;
                span { (a) ":" }
                span.chip.win { (grouped(wins)) " won" } span.chip { (grouped(draws)) " drawn" } span.chip.loss { (grouped(losses)) " lost" }
                @if let Some(los) = log.score.pentanomial.elo(0.95).and_then(|elo| elo.los).filter(|_| is_by_wins) {
                    span.chip title=(format!("Probability that {a} is the stronger bot")) { "likelihood of superiority " (percent(los)) }
                }
            }
            @let failed = format!("/log?{}", query(&[("file", &which.file), ("result", "failed")]));
            (failures::chip(log.failed, log.count, Some(&failed)))
            @if let Some((test, ratio, bounds)) = log.test() {
                @let [low, high] = test.hypotheses();
                @let hypotheses = format!("SPRT [{low}, {high}] of {}", log.names.as_ref().map_or("A", |[a, _]| a));
                @match test.decide(ratio, log.score.pairs()) {
                    Decision::PlayOn if log.score.pairs() < MIN_PAIRS => span.chip { (hypotheses) " needs " (MIN_PAIRS) " pairs" },
                    Decision::PlayOn => span.chip { (hypotheses) " undecided: LLR " (signed(ratio, 2)) " of " (format!("{:.2}", bounds.high)) },
                    Decision::AcceptH0 => span.chip.bad { (hypotheses) " failed" },
                    Decision::AcceptH1 => span.chip.good { (hypotheses) " passed" },
                }
            }
            @if let Some(rate) = rate { span.chip { (format!("{rate:.1} games/s")) } }
            @if let Some(left) = left.flatten() { span.chip { "at most " (time_left(left)) " left" } }
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

/// Draws the charts from the view of A, whose name is given.
fn charts(log: &MatchLog, name: &str) -> Markup {
    let (title, up) = match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => {
            (format!("Lead of {name}, with its 95% interval"), "points per game")
        }
        RankedBy::Wins => (format!("Win rate of {name}, with its 95% interval"), "% of the games"),
    };
    let title = &title;
    let moments = || log.course.items();
    let estimates = PlotLine {
        name: "estimate".to_string(),
        look: 0,
        points: moments().map(|moment| [moment.estimate.games as f64, moment.estimate.value]).collect(),
        band: moments()
            .filter_map(|moment| {
                let Interval { low, high } = moment.estimate.interval?;
                Some([moment.estimate.games as f64, low, high])
            })
            .collect(),
        ..PlotLine::default()
    };
    let ratios = PlotLine {
        name: "LLR".to_string(),
        look: 5,
        points: moments()
            .filter_map(|moment| Some([(moment.estimate.games / 2) as f64, moment.ratio?]))
            .collect(),
        ..PlotLine::default()
    };
    html! {
        div.charts {
            (pentanomial(name, log.score.pentanomial.counts))
            (Chart { title, across: "games", up, lines: &[estimates], levels: &[("even", even(log))] }.draw())
            @if let (Some((_, _, bounds)), true) = (log.test(), ratios.points.len() > 1) {
                (Chart { title: "Log-likelihood ratio between its bounds", across: "pairs of games", up: "LLR", lines: &[ratios], levels: &[("pass", bounds.high), ("fail", bounds.low)] }.draw())
            }
            (seats(log, name))
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
                        span { (grouped(number)) }
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

/// Draws the results of A in each seat.
fn seats(log: &MatchLog, name: &str) -> Markup {
    let seats = find(&log.game).map_or(["first", "second"], |contest| contest.info().seats);
    html! {
        figure.chart {
            figcaption { "Results of " (name) " by seat" }
            @for (seat, results) in seats.into_iter().zip(log.by_seat) {
                @let Results { wins, draws, losses } = results;
                @let total = results.games().max(1) as f64;
                @let [won, drawn, lost] = [wins, draws, losses].map(|number| 100.0 * number as f64 / total);
                p.seat-row { span { "as " (seat) } span.number { (grouped(wins)) " won, " (grouped(draws)) " drawn, " (grouped(losses)) " lost" } }
                svg.shares viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
                    rect.win width=(format!("{won:.1}")) height="10" {}
                    rect x=(format!("{won:.1}")) width=(format!("{drawn:.1}")) height="10" {}
                    rect.loss x=(format!("{:.1}", won + drawn)) width=(format!("{lost:.1}")) height="10" {}
                }
            }
        }
    }
}

/// Returns the latest games with A's results, unless most games failed.
fn list(which: &Params, log: &MatchLog) -> Markup {
    // A game that failed says nothing about strength.
    let a = log.names.as_ref().map(|[a, _]| a.as_str()).filter(|_| !log.is_broken());
    let listed = |game: &PlayedGame| {
        let number = game.number.to_string();
        ListedGame {
            address: Some(format!("/replay?{}", query(&[("file", &which.file), ("game", &number)]))),
            number,
            players: game.players.clone(),
            winner: game.winner,
            // The log has A's lead, and a list compares ranks, of which the lower one is better.
            result: game.result.map(Ordering::reverse).filter(|_| a.is_some()),
            points: game.scores.clone(),
            note: if game.moves > 0 { game.moves.to_string() } else { String::new() },
            failures: game.failures.iter().map(|(player, ending)| Failure::of(player, ending, "")).collect(),
        }
    };
    let games: Vec<ListedGame> = log.latest.iter().take(SHOWN).map(listed).collect();
    let names: Vec<&str> = games.iter().flat_map(|game| &game.players).map(String::as_str).collect();
    listed::table(&games, a, &names, "Moves")
}
