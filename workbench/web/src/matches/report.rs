//! The parts of a match's page: the verdict, the figures, the charts and the games.

use super::list::shares;
use super::log::{MatchLog, PlayedGame};
use super::start::NewMatch;
use super::{Params, actions, verdict};
use crate::chart::{Chart, PlotLine, bar};
use crate::failures;
use crate::jobs::Report;
use crate::listed::{self, ListedGame};
use crate::page::command;
use crate::pairs::even;
use crate::text::{
    coded, count, decimal, games_rate, grouped, plain, query, quoted, short_time, signed, time_at_most,
    why_lost,
};
use contender_arena::Results;
use contender_catalogue::find;
use contender_play::RankedBy;
use contender_stats::{Decision, Interval, MIN_PAIRS};
use maud::{Markup, PreEscaped, html};
use std::cmp::Ordering;
use std::time::{Duration, SystemTime};

/// The names of the five possible results of a pair, from A's point of view.
const PAIRS: [(&str, &str); 5] =
    [("0", "lost both"), ("½", "lost and drew"), ("1", "equal"), ("1½", "won and drew"), ("2", "won both")];

/// Number of latest games to list.
const SHOWN: usize = 20;
/// Minimum number of games, and minimum time since the start of a match, from which a speed is computed.
const MIN_GAMES: u64 = 4;
const MIN_TIME: Duration = Duration::from_secs(5);

/// Returns the parts of the page. `origin` contains the bots and settings of the match, as far as the server knows
/// them.
/// `played` is the time of the latest game, and `board` its end, as long as the match is running.
pub fn parts(
    which: &Params,
    log: &MatchLog,
    report: Option<Report>,
    is_known: bool,
    origin: Option<&NewMatch>,
    played: Option<SystemTime>,
    board: Option<&str>,
) -> Markup {
    let is_running = report.as_ref().is_some_and(|report| report.is_running);
    let Results { wins, losses, .. } = log.pairs.score.results;
    let has_lost = |name: &String| match &log.names {
        Some([a, _]) if a == name => losses > 0,
        _ => wins > 0,
    };
    let games_at_once = report.as_ref().and_then(|report| report.games_at_once);
    let context = failures::Context {
        games_at_once,
        list: &|bot, kind| {
            format!("/log?{}", query(&[("file", &which.file), ("bot", bot), ("failure", kind)]))
        },
        rule: if log.pairs.score.pairs() > 0 || log.pairs.uncounted() > 0 {
            log.pairs.rule()
        } else {
            String::new()
        },
        repeats: repeats(log, origin),
        is_running,
        link: &|number| format!("/replay?{}", query(&[("file", &which.file), ("game", &number.to_string())])),
        remedy: actions::remedy(which, log, origin.filter(|_| is_known), games_at_once, is_running),
    };
    html! {
        section #state aria-label="State" {
            h1 {
                @match &log.names {
                    Some([a, b]) => { (a) " against " (b) },
                    None => { (which.file) },
                }
                " " (standing(which, log, is_running))
            }
            @if let Some(report) = report.as_ref().filter(|report| !report.is_running && log.count == 0) {
                (actions::failed_start(which, report, is_known && origin.is_some()))
            } @else {
                p.verdict role="status" { (verdict::sentence(log, is_running)) }
                (chips(which, log, report.as_ref(), origin.map_or(0, |origin| origin.before)))
                (actions::settings(origin, played.filter(|_| !is_running)))
                @if !is_running { (actions::sequential_tests(which, log, origin)) }
            }
            @if let Some(reason) = report.as_ref().filter(|_| !is_running && log.count > 0 && !which.is_complete(log)).and_then(|report| report.reason()) {
                p.notice role="alert" { strong { "The match ended early. " } (coded(&reason)) }
            }
            @if log.failures.failed > 0 { (failures::notice(&log.failures, &context)) }
            div.controls {
                @if is_running && is_known {
                    form action="/match/stop" method="post" {
                        (actions::fields(which))
                        button.danger type="submit" { "Stop" }
                    }
                }
                @if !is_running && log.count > 0 { (actions::continuing(which, log, is_known, origin)) }
                @if log.count > 0 { a.button href=(format!("/log?{}", query(&[("file", &which.file)]))) { "All games" } }
                // Only bundled games can be reviewed, and a game that failed shows no mistakes.
                @for name in log.names.iter().flatten().filter(|name| find(&log.game).is_some() && has_lost(name) && (!log.is_broken() || log.pairs.are_reviewable())) {
                    a.button href=(format!("/review?{}", query(&[("file", &which.file), ("player", name)]))) { (why_lost(name)) }
                }
            }
            @if let Some(report) = report.filter(|report| !report.said.is_empty() && log.count > 0) {
                details #said { summary { "Output of the match" } pre tabindex="0" { (report.said) } }
            }
        }
        section #pictures aria-label="Charts" {
            @if let Some(names) = log.names.as_ref().filter(|_| log.course.count() > 0 && !log.is_broken()) { (charts(log, names, is_running)) }
        }
        section #games aria-labelledby="list" {
            // If all games failed, this list would repeat the notice. Late games differ in their moves.
            @if is_running && log.count == 0 || log.failures.failed < log.count || log.failures.has_slow() {
                h2 #list { "Latest games" }
                @if log.latest.is_empty() { p { "No game is over yet." } } @else { div.latest { (list(which, log)) (ended(which, log, board)) } }
            }
        }
        // The section exists from the start, so that an update can fill it.
        section #command aria-label="Command" {
            @if let Some([a, b]) = log.names.as_ref().filter(|_| find(&log.game).is_some() && !log.is_broken()) {
                (command(&format!("review {} --player {}", quoted(&which.file), quoted(if losses > 0 { a } else { b }))))
            }
        }
    }
}

/// Returns the maximum number of times that a late game is repeated.
fn repeats(log: &MatchLog, origin: Option<&NewMatch>) -> Option<u64> {
    let planned = origin.filter(|origin| origin.is_ours);
    Some(planned.and_then(|origin| origin.rematch.trim().parse().ok()).unwrap_or(log.failures.max_repeats))
}

/// Returns a chip: the match is running, finished or stopped. It is empty for a log of unknown length.
fn standing(which: &Params, log: &MatchLog, is_running: bool) -> Markup {
    html! {
        @if is_running { span.chip.good { "Running" } } @else if let Some(planned) = which.planned() {
            @if which.is_complete(log) { span.chip { "Finished" } }
            @else { span.chip.warn { "Stopped after " (grouped(log.count)) " of " (count(planned, "game", "games")) } }
        }
    }
}

/// Returns the number of games, the results, the state of the test and the speed as chips. `before` is the number of
/// games before this run.
fn chips(which: &Params, log: &MatchLog, report: Option<&Report>, before: u64) -> Markup {
    let is_running = report.is_some_and(|report| report.is_running);
    let planned = which.planned().filter(|_| is_running);
    let since = report.and_then(|report| report.since).filter(|_| is_running);
    let pace = since.and_then(|since| Pace::of([before, log.count], since.elapsed(), planned));
    html! {
        p.chips {
            span.chip {
                (count(log.count, "game", "games"))
                @if let Some(planned) = planned.filter(|planned| *planned > log.count) { " of " (grouped(planned)) }
            }
            // The chips from the second one on add up to the number of games.
            @if let Some([a, b]) = log.names.as_ref().filter(|_| log.pairs.score.pairs() > 0) {
                @let Results { wins, draws, losses } = log.pairs.score.results;
                span.chip.win { (a) " won " (grouped(wins)) }
                @if draws > 0 { span.chip { (count(draws, "draw", "draws")) } }
                span.chip.loss { (b) " won " (grouped(losses)) }
            }
            @let [waiting, uncounted, failed] = [log.pairs.waiting(), log.pairs.uncounted(), log.pairs.failed];
            @let address = |result: &str| format!("/log?{}", query(&[("file", &which.file), ("result", result)]));
            @if waiting > 0 { span.chip title="A game counts as soon as its partner, with the same seed and swapped seats, is over" { (grouped(waiting)) " without partner" } }
            @if uncounted > 0 { a.chip.warn href=(address("uncounted")) title="A busy machine made a bot late in these games or in their partners, or other bots have played them" { (grouped(uncounted)) " not counted" } }
            @if let Some((test, ratio, bounds)) = log.test() {
                @let [low, high] = test.hypotheses();
                @let hypotheses = format!("SPRT [{}, {}] of {}", plain(low), plain(high), log.names.as_ref().map_or("A", |[a, _]| a));
                @let pairs = log.pairs.score.pairs();
                @match test.decide(ratio, pairs) {
                    Decision::PlayOn => {
                        span.chip { (hypotheses) ": LLR " (signed(ratio, 2)) ", decides at ±" (decimal(bounds.high, 2)) }
                        @if pairs < MIN_PAIRS { span.chip { "no decision before " (MIN_PAIRS) " pairs" } }
                    },
                    Decision::AcceptH0 => span.chip.bad { (hypotheses) " failed" },
                    Decision::AcceptH1 => span.chip.good { (hypotheses) " passed" },
                }
            }
            @for words in pace.into_iter().flat_map(Pace::words) { span.chip { (words) } }
            @if failed > 0 { a.remark href=(address("failed")) title="A bot that fails in a game that counts loses it" { (failures::remark(failed, log.pairs.counted())) } }
        }
        @if let Some(planned) = planned { (bar(log.count as f64 / planned as f64)) }
    }
}

/// The speed of a running match.
pub struct Pace {
    games_per_second: f64,
    left: Option<Duration>,
}

impl Pace {
    /// Computes the speed from the numbers of games before this run of the match and now. A few games or seconds give
    /// no speed.
    pub fn of([before, games]: [u64; 2], time: Duration, planned: Option<u64>) -> Option<Pace> {
        let played = games.saturating_sub(before);
        if played < MIN_GAMES || time < MIN_TIME {
            return None;
        }
        let games_per_second = played as f64 / time.as_secs_f64();
        let left = planned.map(|planned| planned.saturating_sub(games) as f64 / games_per_second);
        Some(Pace { games_per_second, left: left.and_then(|left| Duration::try_from_secs_f64(left).ok()) })
    }

    /// Returns the speed and the time left in words. The speed contains the time of repeated games.
    pub fn words(self) -> Vec<String> {
        let speed = games_rate(self.games_per_second);
        let left = self.left.map(|left| format!("about {} left", time_at_most(left)));
        std::iter::once(speed).chain(left).collect()
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

/// Draws the charts from the view of A.
fn charts(log: &MatchLog, names: &[String; 2], is_running: bool) -> Markup {
    let name = &names[0];
    let (title, up) = match log.pairs.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => {
            (format!("Lead of {name}, with its 95% interval"), "points per game")
        }
        RankedBy::Wins => (format!("Win rate of {name}, with its 95% interval"), "% of games"),
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
            (pentanomial(name, log.pairs.score.pentanomial.counts))
            (Chart { title, across: "games", up, lines: &[estimates], levels: &[("even", even(&log.pairs.score))] }.draw())
            @if let (Some((_, _, bounds)), true) = (log.test(), ratios.points.len() > 1) {
                (Chart { title: "Log-likelihood ratio between its bounds", across: "pairs of games", up: "LLR", lines: &[ratios], levels: &[("pass", bounds.high), ("fail", bounds.low)] }.draw())
            }
            (seats(log, names, is_running))
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

/// Draws the results of A in each seat, and lists the other figures of the games.
fn seats(log: &MatchLog, [a, b]: &[String; 2], is_running: bool) -> Markup {
    let seats = find(&log.game).map_or(["first", "second"], |contest| contest.info().seats);
    let superiority = log.pairs.score.pentanomial.elo(0.95).and_then(|elo| elo.los);
    // Its bounds hold for a number of games that was fixed before.
    let superiority = superiority.filter(|_| !is_running && log.pairs.score.ranked_by == RankedBy::Wins);
    html! {
        figure.chart {
            figcaption { "Results of " (a) " by seat" }
            @for (seat, results) in seats.into_iter().zip(log.pairs.by_seat) {
                @let Results { wins, draws, losses } = results;
                p.seat-row { span { "as " (seat) } span.number { (grouped(wins)) " won, " (grouped(draws)) " drawn, " (grouped(losses)) " lost" } }
                (shares([wins, draws, losses]))
            }
            dl.facts {
                @if let Some(superiority) = superiority {
                    dt { "Likelihood of superiority" } dd { (percent(superiority)) }
                }
                @if log.moves > 0 { dt { "Moves per game" } dd { (decimal(log.moves as f64 / log.count as f64, 1)) } }
                @for (name, times) in [a, b].into_iter().zip(&log.times) {
                    @if let Some(average) = times.average() {
                        dt { "Move time, " (name) } dd { (short_time(average)) ", max. " (short_time(times.slowest)) }
                    }
                }
            }
        }
    }
}

/// Returns the board at the end of the latest game. It leads to the game.
fn ended(which: &Params, log: &MatchLog, board: Option<&str>) -> Markup {
    html! {
        @if let Some((board, game)) = board.zip(log.latest.front()) {
            a.thumb #ended href=(format!("/replay?{}", query(&[("file", &which.file), ("game", &game.number.to_string())]))) {
                span.picture aria-hidden="true" { (PreEscaped(board)) }
                span.name { "Game " (game.number) ": " (with_seats(log, &game.players).join(" – ")) }
                span.legend { @match log.pairs.standing(game.number).words() { Some([_, words]) => (words), None => (game.scores) } }
            }
        }
    }
}

/// Returns the players with their seats. The board has the colours of the seats, and the list those of the bots.
fn with_seats(log: &MatchLog, players: &[String]) -> Vec<String> {
    let seats = find(&log.game).map_or(Vec::new(), |contest| contest.info().seats.to_vec());
    let seat = |at: usize| seats.get(at).map_or(String::new(), |seat| format!(" ({seat})"));
    players.iter().enumerate().map(|(at, name)| name.clone() + &seat(at)).collect()
}

/// Returns the latest games with A's results.
fn list(which: &Params, log: &MatchLog) -> Markup {
    let a = log.names.as_ref().map(|[a, _]| a.as_str());
    let listed = |game: &PlayedGame| {
        let number = game.number.to_string();
        ListedGame {
            address: Some(format!("/replay?{}", query(&[("file", &which.file), ("game", &number)]))),
            number,
            players: game.players.clone(),
            winner: game.winner,
            // The log has A's lead, and a list compares ranks, of which the lower one is better.
            result: game.result.map(Ordering::reverse),
            points: game.scores.clone(),
            standing: log.pairs.standing(game.number),
            note: if game.moves > 0 { game.moves.to_string() } else { String::new() },
            slowest: game.slowest,
            failures: game.failures.clone(),
        }
    };
    let games: Vec<ListedGame> = log.latest.iter().take(SHOWN).map(listed).collect();
    let names: Vec<&str> = games.iter().flat_map(|game| &game.players).map(String::as_str).collect();
    listed::table(&games, a, &names, "Moves")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A speed is shown only after some games and some seconds.
    #[test]
    fn a_speed_needs_games_and_time() {
        let words = |games, seconds: f64| {
            Pace::of([0, games], Duration::from_secs_f64(seconds), Some(100)).map(Pace::words)
        };
        assert_eq!([words(40, 0.2), words(2, 60.0)], [None, None]);
        assert_eq!(words(50, 10.0).unwrap(), ["5.0 games/s", "about 10 s left"]);
        assert_eq!(words(5, 120.0).unwrap(), ["2.5 games/min", "about 38 min left"]);
        assert_eq!(words(8, 10.0).unwrap()[0], "48.0 games/min");
        assert_eq!(words(90, 2000.0).unwrap()[1], "about 4 min left");
        // The games before a match was resumed took their time in another run.
        let resumed = |games| Pace::of([30, games], Duration::from_secs(20), Some(60)).map(Pace::words);
        assert_eq!(resumed(32), None);
        assert_eq!(resumed(36).unwrap(), ["18.0 games/min", "about 80 s left"]);
    }
}
