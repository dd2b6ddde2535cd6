//! Games in which a bot failed. All pages count them in the same way and with the same words: a bot that fails loses
//! the game, and if half of the games failed, the results say nothing about strength.

use crate::text::{all_games, count, grouped, last_lines, round_time, short_time};
use crate::traceback::reported;
use contender_play::{Ending, Seat};
use maud::{Markup, html};
use std::collections::VecDeque;
use std::time::Duration;

/// Maximum number of lines of a failed bot's standard error output to keep.
pub const MAX_LINES: usize = 12;
/// Maximum numbers of failing bots to keep and to name.
const MAX_KEPT: usize = 30;
const MAX_NAMED: usize = 5;
/// Maximum number of late answers to keep per failing bot: the latest ones.
const MAX_LATE: usize = 200;
/// The share of late answers for which a suggested time is enough. The rest are outliers.
const TYPICAL: f64 = 0.9;
/// Time limits below this time may be too short for a bot even if the machine is idle.
const SHORT_LIMIT: Duration = Duration::from_millis(50);

/// Returns whether at least half of the games failed.
pub fn are_most(failed: u64, games: u64) -> bool {
    failed > 0 && 2 * failed >= games
}

/// Formats how many of the games failed: `all 4 games failed` or `3 of 60 games failed`.
pub fn words(failed: u64, games: u64) -> String {
    if failed >= games {
        return format!("{} failed", all_games(failed));
    }
    format!("{} of {} failed", grouped(failed), count(games, "game", "games"))
}

/// Returns the number of failed games as a chip, with a link to them if there is one. Without failures, it is empty.
pub fn chip(failed: u64, games: u64, link: Option<&str>) -> Markup {
    let title = "A bot that fails loses the game";
    html! {
        @if failed > 0 {
            @match link {
                Some(link) => a.chip.bad href=(link) title=(title) { (words(failed, games)) },
                None => span.chip.bad title=(title) { (words(failed, games)) },
            }
        }
    }
}

/// Returns the numbers of failed games and of games that a bot lost on time on a busy machine as chips. The late games
/// are among the failed ones, but they do not count. If there is a link, it leads to the games.
pub fn chips([failed, late]: [u64; 2], games: u64, link: Option<&str>) -> Markup {
    let title = "The machine was busy. Late games do not count.";
    let words = match late >= games {
        true => format!("{} late", all_games(late)),
        false => format!("{} of {} late", grouped(late), count(games, "game", "games")),
    };
    html! {
        (chip(failed.saturating_sub(late), games, link))
        @if late > 0 {
            @if failed > late { " " }
            @match link {
                Some(link) => a.chip.warn href=(link) title=(title) { (words) },
                None => span.chip.warn title=(title) { (words) },
            }
        }
    }
}

/// Returns these numbers as chips for a list that has the number of all games in another column.
pub fn short_chips([failed, late]: [u64; 2], games: u64) -> Markup {
    let others = failed.saturating_sub(late);
    html! {
        @if others > 0 {
            span.chip.bad title="A bot that fails loses the game" { @if others >= games { (words(others, games)) } @else { (grouped(others)) " failed" } }
        }
        @if late > 0 {
            @if others > 0 { " " }
            span.chip.warn title="The machine was busy. Late games do not count." { @if late >= games { (all_games(late)) " late" } @else { (grouped(late)) " late" } }
        }
    }
}

/// A bot that failed in a certain way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failing {
    pub bot: String,
    /// The name of the ending.
    kind: &'static str,
    /// Number of games in which it failed in this way.
    pub games: u64,
    /// The number of the first of these games.
    first: usize,
    /// A description of the first failure, without its details.
    ending: String,
    /// The end of its standard error output in this game.
    pub stderr: String,
    /// Whether it lost on time.
    pub is_late: bool,
    /// Its late answers. Games without an answer are missing.
    late: VecDeque<LateAnswer>,
}

impl Failing {
    /// Returns how late the answers were, for each limit that they exceeded, if it is known. `rounded` is a limit that
    /// is only known rounded up.
    fn delay(&self, rounded: Option<Duration>) -> Option<String> {
        let mut limits: Vec<Duration> = self.late().map(|of| of.limit).collect();
        limits.sort();
        limits.dedup();
        let delays: Vec<String> =
            limits.into_iter().filter_map(|limit| self.delay_over(limit, rounded)).collect();
        (!delays.is_empty()).then(|| delays.join("; "))
    }

    fn delay_over(&self, limit: Duration, rounded: Option<Duration>) -> Option<String> {
        let late = || self.late().filter(|of| of.limit == limit);
        let [usual, most] = [typical(late())?, late().max_by(by_ratio)?];
        let [usual_time, time] = [usual, most].map(|of| short_time(of.overrun()));
        let limit = round_time(limit);
        Some(match late().count() {
            _ if rounded == Some(most.limit) => format!("the slowest after {}", short_time(most.time)),
            1 => format!("{time} over the limit of {limit}"),
            2 => format!("at most {time} over the limit of {limit}"),
            _ if most.overrun() > usual.overrun() => {
                format!("mostly at most {usual_time}, the slowest {time} over the limit of {limit}")
            }
            _ => format!("at most {time} over the limit of {limit}"),
        })
    }

    /// Returns the late answers.
    pub fn late(&self) -> impl Iterator<Item = LateAnswer> {
        self.late.iter().copied()
    }

    /// Returns whether the bot lost on time because of the machine's delays.
    pub fn is_overloaded(&self) -> bool {
        self.kind == "overloaded"
    }

    /// Returns whether the bot answered, but too late.
    pub fn is_slow(&self) -> bool {
        self.is_late && (self.is_overloaded() || !self.late.is_empty())
    }

    /// Adds a bot's failure to the bots that failed. `number` is the number of the game, and `limit` the exact time
    /// limit per move, if it is known.
    pub fn add(all: &mut Vec<Failing>, seat: &Seat, number: usize, limit: Option<Duration>) {
        let kind = seat.ending.name();
        if let Some(known) = all.iter_mut().find(|known| known.bot == seat.bot && known.kind == kind) {
            known.games += 1;
            known.late.extend(LateAnswer::of(seat, limit));
            known.late.drain(..known.late.len().saturating_sub(MAX_LATE));
        } else if all.len() < MAX_KEPT {
            all.push(Failing {
                bot: seat.bot.clone(),
                kind,
                games: 1,
                first: number,
                ending: short(&seat.ending.to_string()).to_string(),
                stderr: last_lines(&seat.stderr, MAX_LINES),
                is_late: seat.is_late(),
                late: LateAnswer::of(seat, limit).into_iter().collect(),
            });
        }
    }
}

/// An answer that came too late.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LateAnswer {
    /// The time limit. Logs contain it in whole milliseconds, rounded up.
    pub limit: Duration,
    /// The time of the answer.
    pub time: Duration,
    /// Whether the limit is known to be that of a first answer, which is longer than the one of other answers.
    pub is_first: bool,
}

impl LateAnswer {
    /// Returns the late answer that ended a game. `limit` is the exact time limit per move, if it is known.
    fn of(seat: &Seat, limit: Option<Duration>) -> Option<LateAnswer> {
        let (Ending::Timeout { limit_ms, overrun_ms } | Ending::Overloaded { limit_ms, overrun_ms, .. }) =
            &seat.ending
        else {
            return None;
        };
        let [logged, overrun] = [*limit_ms, (*overrun_ms)?].map(Duration::from_millis);
        let is_logged = |limit: &Duration| limit.as_micros().div_ceil(1000) == u128::from(*limit_ms);
        // A record with times has the exact time of the answer. The logged times are up to 1 ms longer.
        let is_answer = |time: &Duration| {
            *time <= logged + overrun && *time + Duration::from_millis(2) > logged + overrun
        };
        let is_first = limit.is_some_and(|limit| limit < logged && !is_logged(&limit));
        let limit = limit.filter(is_logged).unwrap_or(logged);
        let time = seat.times.last().copied().filter(is_answer).unwrap_or(logged + overrun);
        Some(LateAnswer { limit, time, is_first })
    }

    /// Returns by how much the answer exceeded its limit.
    pub fn overrun(&self) -> Duration {
        self.time.saturating_sub(self.limit)
    }
}

/// Returns the limit that is only known rounded up, because an answer was late although it kept the rounded limit.
fn rounded_limit(all: &[Failing]) -> Option<Duration> {
    all.iter().flat_map(Failing::late).find(|of| of.time <= of.limit).map(|of| of.limit)
}

/// Compares late answers by the delay as a share of the time limit.
fn by_ratio(one: &LateAnswer, other: &LateAnswer) -> std::cmp::Ordering {
    let ratio = |of: &LateAnswer| of.time.as_secs_f64() / of.limit.as_secs_f64().max(1e-6);
    ratio(one).total_cmp(&ratio(other))
}

/// Returns the late answer that only a few outliers exceed: the 90th percentile by share of the time limit, rounded
/// down.
pub fn typical(late: impl Iterator<Item = LateAnswer>) -> Option<LateAnswer> {
    let mut all: Vec<LateAnswer> = late.collect();
    all.sort_by(by_ratio);
    all.get((TYPICAL * all.len().saturating_sub(1) as f64) as usize).copied()
}

/// Returns the bots whose answers came too late, each with the number of these games, the one with the most games
/// first.
fn slow_bots(all: &[Failing]) -> Vec<(&str, u64)> {
    let mut bots: Vec<(&str, u64)> = Vec::new();
    for of in all.iter().filter(|of| of.is_slow()) {
        match bots.iter_mut().find(|(bot, _)| *bot == of.bot) {
            Some((_, games)) => *games += of.games,
            None => bots.push((&of.bot, of.games)),
        }
    }
    bots.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    bots
}

/// Returns which bots answered too late, if they are the reason of most failures: `b was late in 4 and a in 1 of 5
/// games`. If only some of these games count, their numbers follow.
pub fn slow_words(all: &[Failing], failed: u64, games: u64) -> Option<String> {
    let bots = slow_bots(all);
    let late: u64 = bots.iter().map(|(_, games)| games).sum();
    let [(first, most), others @ ..] = &bots[..] else { return None };
    let words = match others {
        [] if *most >= games => format!("{first} was late in {}", all_games(games)),
        _ => {
            let others: Vec<String> =
                others.iter().map(|(bot, number)| format!(" and {bot} in {}", grouped(*number))).collect();
            let games = count(games, "game", "games");
            format!("{first} was late in {}{} of {games}", grouped(*most), others.concat())
        }
    };
    let uncounted: u64 = all.iter().filter(|of| of.is_overloaded()).map(|of| of.games).sum();
    let counts = match uncounted {
        0 => String::new(),
        _ if uncounted >= late => String::new(),
        _ => format!(" ({} lost on time, {} not counted)", grouped(late - uncounted), grouped(uncounted)),
    };
    (2 * late >= failed).then_some(words + &counts)
}

/// Returns which bots failed: `b failed in 4 and a in 1 of 5 games`.
pub fn failed_words(all: &[Failing], games: u64) -> String {
    let mut bots: Vec<(&str, u64)> = Vec::new();
    for of in all {
        match bots.iter_mut().find(|(bot, _)| *bot == of.bot) {
            Some((_, games)) => *games += of.games,
            None => bots.push((&of.bot, of.games)),
        }
    }
    bots.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    match &bots[..] {
        [(only, failed)] if *failed >= games => format!("{only} failed in {}", all_games(games)),
        [(first, failed), others @ ..] => {
            let others: Vec<String> =
                others.iter().map(|(bot, number)| format!(" and {bot} in {}", grouped(*number))).collect();
            let games = count(games, "game", "games");
            format!("{first} failed in {}{} of {games}", grouped(*failed), others.concat())
        }
        [] => "too many games failed".to_string(),
    }
}

/// Returns how many games that count ended with a failure: `3 games lost on time`. Empty if there are none.
pub fn counted_words(all: &[Failing]) -> String {
    let counted = || all.iter().filter(|of| !of.is_overloaded());
    let [failed, late] =
        [counted().map(|of| of.games).sum(), counted().filter(|of| of.is_late).map(|of| of.games).sum()];
    match failed {
        0 => String::new(),
        _ if failed == late => count(late, "game", "games") + " lost on time",
        _ => count(failed, "game", "games") + " failed",
    }
}

/// Returns the failures in a few words: the bots that were late, or the most frequent failure.
pub fn main_words(all: &[Failing]) -> Option<String> {
    let main = all.iter().max_by_key(|of| of.games)?;
    Some(match &slow_bots(all)[..] {
        [(first, most), (second, number), ..] if main.is_slow() => {
            format!("{first} ({}) and {second} ({}) are late", grouped(*most), grouped(*number))
        }
        _ if main.is_slow() => format!("{} is late", main.bot),
        _ => format!("{} {}", main.bot, main.ending),
    })
}

/// Returns the shortest time limit that was exceeded in words, if it is so short that it may be too short for a bot,
/// and at least half of the late answers exceeded it.
fn short_limit(all: &[Failing]) -> Option<String> {
    let late = || all.iter().flat_map(Failing::late);
    let shortest = late().map(|of| of.limit).min()?;
    let are_most = 2 * late().filter(|of| of.limit == shortest).count() >= late().count();
    let bound = if rounded_limit(all) == Some(shortest) { "less than " } else { "" };
    (shortest < SHORT_LIMIT && are_most).then(|| format!("{bound}{}", round_time(shortest)))
}

/// Returns whether most late answers were first answers, which get no more time if there is more time per move.
fn are_first(all: &[Failing]) -> bool {
    let late = || all.iter().flat_map(Failing::late);
    2 * late().filter(|of| of.is_first).count() > late().count()
}

/// Returns the description of an ending without its details, which are in parentheses.
pub fn short(ending: &str) -> &str {
    let short = ending.split(" (").next().unwrap_or(ending);
    short.strip_prefix("disconnects: ").unwrap_or(short)
}

/// The games in which the bots of a notice failed, and how their page helps.
pub struct Context<'a> {
    /// Number of all games.
    pub games: u64,
    /// Number of failed games.
    pub failed: u64,
    /// Number of games that a bot lost on time because of the machine's delays.
    pub overloaded: u64,
    /// The number of games at once, if it is known.
    pub games_at_once: Option<u16>,
    /// Returns the address of a game.
    pub link: &'a dyn Fn(usize) -> String,
    /// Returns the address of the list of late games, or of the other failed games.
    pub list: &'a dyn Fn(&str) -> String,
    /// The maximum number of times that a late game is repeated, and the number of repeats so far, if there were any.
    pub repeats: Option<[u64; 2]>,
    /// Whether the games are still being played.
    pub is_running: bool,
    /// The buttons that play the games again with more time.
    pub remedy: Markup,
}

/// Returns the notice about failures: each bot that failed, with the last line of its error output and a link to the
/// first of these games.
pub fn notice(all: &[Failing], context: &Context<'_>) -> Markup {
    let is_late = all.iter().any(|of| of.is_late);
    let short = short_limit(all);
    let is_broken = are_most(context.failed, context.games);
    let are_first = are_first(all);
    html! {
        div.notice #failing role="alert" {
            @for of in all.iter().take(MAX_NAMED) {
                p {
                    strong { (of.bot) } (if of.is_overloaded() { " was late in " } else if of.is_slow() { " lost on time in " } else { " failed in " })
                    a href=((context.list)(if of.is_overloaded() { "late" } else { "failed" })) { @if of.games == context.games { (all_games(of.games)) } @else { (grouped(of.games)) " of " (count(context.games, "game", "games")) } }
                    @if !of.is_overloaded() && !of.is_slow() { ": " (of.ending) }
                    @if of.is_overloaded() { ", not counted" @if short.is_none() { " because the machine was busy" } }
                    @if let Some(delay) = of.delay(rounded_limit(all)) { " (" (delay) ")" }
                    ". "
                    a.button.small href=((context.link)(of.first)) { "Show the position" }
                }
                (output(&of.stderr))
            }
            p.legend {
                @if let Some([most, number]) = context.repeats { "Each late game is repeated up to " (count(most, "time", "times")) ": " (count(number, "repeat", "repeats")) @if context.is_running { " so far" } ". " }
                @if context.overloaded > 0 && context.overloaded == context.games { "Late games do not count. " }
                @else if context.overloaded > 0 { (count(context.overloaded, "late game does", "late games do")) " not count, and neither " (if context.overloaded == 1 { "does its partner" } else { "do their partners" }) " with the same seed. " }
                @if context.failed > context.overloaded {
                    @if context.overloaded > 0 { "A late game counts as lost if the machine was not busy at that moment, and if the pair is complete. " }
                    @else if !is_broken { "A failed game counts as lost. " }
                }
                @if is_late && are_first {
                    "A first answer has a limit of its own, and a busy machine exceeds it: "
                    @if context.games_at_once == Some(1) { "end other programs." } @else { "play fewer games at once, or end other programs." }
                } @else if is_late {
                    @if let Some(limit) = short { "A limit of " (limit) " is too short for these bots, or the machine was busy: " } @else { "A busy machine makes bots late: " }
                    "allow more time per move"
                    @match context.games_at_once {
                        Some(1) => ".",
                        Some(_) => ", or play fewer games at once.",
                        None => ". If several games are played at once, play fewer.",
                    }
                } @else if is_broken {
                    "Repair the bot first, or try its command in a terminal in the project's folder."
                }
            }
            @if is_late && !are_first { (context.remedy) }
        }
    }
}

/// Returns the error that a bot reported with its place in the program, and the whole error output on demand.
pub fn output(stderr: &str) -> Markup {
    let [error, place] = reported(stderr);
    html! {
        @if !error.is_empty() {
            p.reported { strong { (error) } @if !place.is_empty() { " " span { (place) } } }
            @if error != stderr.trim() { details { summary { "Standard error" } pre tabindex="0" { (stderr) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_counted_in_words() {
        assert_eq!(
            [(4, 4), (1, 1), (3, 60)].map(|(failed, games)| words(failed, games)),
            ["all 4 games failed", "the only game failed", "3 of 60 games failed"]
        );
        assert_eq!(
            [(0, 0), (1, 2), (2, 5), (3, 5)].map(|(failed, games)| are_most(failed, games)),
            [false, true, false, true]
        );
    }

    /// The notice contains the delays, compared with the limit. A few outliers don't decide the suggested time.
    #[test]
    fn a_late_bot_has_its_delay() {
        let late = |overrun_ms| Seat {
            bot: "a".to_string(),
            ending: Ending::Timeout { limit_ms: 3, overrun_ms },
            ..Seat::default()
        };
        let answer = |limit, time| {
            let [limit, time] = [limit, time].map(Duration::from_millis);
            LateAnswer { limit, time, is_first: false }
        };
        let mut all = Vec::new();
        Failing::add(&mut all, &late(None), 1, None);
        assert_eq!((all[0].delay(rounded_limit(&all)), typical(all[0].late())), (None, None));
        for (number, overrun) in [(2, 5), (3, 5)] {
            Failing::add(&mut all, &late(Some(overrun)), number, None);
        }
        assert_eq!(all[0].delay(rounded_limit(&all)).unwrap(), "at most 5.0 ms over the limit of 3 ms");
        Failing::add(&mut all, &late(Some(900)), 4, None);
        assert_eq!(typical(all[0].late()), Some(answer(3, 8)));
        assert_eq!(
            all[0].delay(rounded_limit(&all)).unwrap(),
            "mostly at most 5.0 ms, the slowest 900 ms over the limit of 3 ms"
        );
        let ten = (101..=110).map(|time| answer(100, time));
        assert_eq!(typical(ten), Some(answer(100, 109)));
        assert_eq!(typical([answer(100, 107)].into_iter()), Some(answer(100, 107)));
        for number in 0..2 * MAX_LATE {
            Failing::add(&mut all, &late(Some(1)), number, None);
        }
        assert_eq!(all[0].late().count(), MAX_LATE);
    }

    /// A log rounds limits and delays up to whole milliseconds, and the exact times of the answers are next to them.
    #[test]
    fn delays_are_not_rounded_to_milliseconds() {
        let late = |limit_ms, overrun_ms, micros, exact: Option<u64>| {
            let seat = Seat {
                ending: Ending::Timeout { limit_ms, overrun_ms: Some(overrun_ms) },
                times: vec![Duration::from_micros(90), Duration::from_micros(micros)],
                ..Seat::default()
            };
            let mut all = Vec::new();
            Failing::add(&mut all, &seat, 1, exact.map(Duration::from_micros));
            (all[0].delay(rounded_limit(&all)).unwrap(), short_limit(&all).unwrap())
        };
        let of = |delay: &str, limit: &str| (delay.to_string(), limit.to_string());
        assert_eq!(late(1, 1, 630, Some(200)), of("0.43 ms over the limit of 0.2 ms", "0.2 ms"));
        assert_eq!(late(1, 1, 630, None), of("the slowest after 0.63 ms", "less than 1 ms"));
        assert_eq!(late(1, 5, 5300, None), of("4.3 ms over the limit of 1 ms", "1 ms"));
        // A first move has a limit of its own.
        assert_eq!(late(20, 5, 24_600, Some(200)), of("4.6 ms over the limit of 20 ms", "20 ms"));
    }

    /// Delays are compared with the limits that they exceeded. More time per move helps no first answer.
    #[test]
    fn first_answers_are_apart() {
        let late = |limit_ms, overrun_ms| Seat {
            ending: Ending::Timeout { limit_ms, overrun_ms: Some(overrun_ms) },
            ..Seat::default()
        };
        let mut all = Vec::new();
        for (limit, overrun) in [(20, 3), (1000, 650), (1000, 219)] {
            Failing::add(&mut all, &late(limit, overrun), 1, Some(Duration::from_millis(20)));
        }
        let words = "3.0 ms over the limit of 20 ms; at most 650 ms over the limit of 1 s";
        assert_eq!(all[0].delay(None).unwrap(), words);
        assert!(are_first(&all) && short_limit(&all).is_none());
        for _ in 0..2 {
            Failing::add(&mut all, &late(20, 3), 1, Some(Duration::from_millis(20)));
        }
        assert!(!are_first(&all) && short_limit(&all).is_some());
    }

    #[test]
    fn failed_bots_are_named_in_the_verdict() {
        let mut all = Vec::new();
        let mut fail = |bot: &str, ending: Ending| {
            Failing::add(&mut all, &Seat { bot: bot.to_string(), ending, ..Seat::default() }, 1, None);
            all.clone()
        };
        let first = fail("a", Ending::Exit { code: 1 });
        assert_eq!(
            [failed_words(&first, 1), failed_words(&first, 9)],
            ["a failed in the only game", "a failed in 1 of 9 games"]
        );
        assert_eq!(counted_words(&first), "1 game failed");
        fail("b", Ending::Timeout { limit_ms: 9, overrun_ms: None });
        let all = fail("b", Ending::Exit { code: 1 });
        assert_eq!(failed_words(&all, 9), "b failed in 2 and a in 1 of 9 games");
        let busy = Ending::Overloaded { limit_ms: 9, overrun_ms: None, delay_ms: 5, stolen_ms: 0 };
        let mut late = Vec::new();
        for ending in [Ending::Timeout { limit_ms: 9, overrun_ms: None }, busy] {
            Failing::add(&mut late, &Seat { ending, ..Seat::default() }, 1, None);
        }
        assert_eq!([counted_words(&late), counted_words(&late[1..])], ["1 game lost on time", ""]);
    }

    /// The bots that were late are named with the numbers of games, the one with the most games first.
    #[test]
    fn late_bots_are_named() {
        let mut all = Vec::new();
        let mut late = |bot: &str, ending: Ending| {
            let seat = Seat { bot: bot.to_string(), ending, ..Seat::default() };
            Failing::add(&mut all, &seat, 1, None);
            all.clone()
        };
        let busy =
            |limit_ms| Ending::Overloaded { limit_ms, overrun_ms: Some(9), delay_ms: 24, stolen_ms: 0 };
        let of = |all: &[Failing], games| {
            let failed = all.iter().map(|of| of.games).sum();
            (slow_words(all, failed, games).unwrap(), main_words(all).unwrap())
        };
        let one = late("a", busy(20));
        assert_eq!(of(&one, 1), ("a was late in the only game".into(), "a is late".into()));
        let both = [late("b", busy(20)), late("b", Ending::Timeout { limit_ms: 20, overrun_ms: Some(1) })];
        assert_eq!(
            of(&both[1], 3),
            (
                "b was late in 2 and a in 1 of 3 games (1 lost on time, 2 not counted)".into(),
                "b (2) and a (1) are late".into()
            )
        );
        assert_eq!(short_limit(&both[1]).unwrap(), "20 ms");
        let mut all = Vec::new();
        let crash = Seat {
            bot: "c".to_string(),
            ending: Ending::Timeout { limit_ms: 100, overrun_ms: None },
            ..Seat::default()
        };
        Failing::add(&mut all, &crash, 1, None);
        assert_eq!(slow_words(&all, 1, 1), None, "a bot that never answered needs no time");
        assert_eq!(main_words(&all).unwrap(), "c loses on time");
        let mut all = Vec::new();
        Failing::add(&mut all, &Seat { bot: "d".to_string(), ending: busy(100), ..Seat::default() }, 1, None);
        assert_eq!(short_limit(&all), None);
        Failing::add(&mut all, &Seat { bot: "d".to_string(), ending: busy(1), ..Seat::default() }, 2, None);
        assert_eq!(short_limit(&all).unwrap(), "1 ms", "the limit of a first move is longer");
    }

    /// Late games on a busy machine do not count, so they are not red.
    #[test]
    fn late_games_have_their_own_chip() {
        let text = |numbers, games| chips(numbers, games, None).into_string();
        assert!(!text([2, 2], 9).contains("bad") && text([2, 2], 9).contains(">2 of 9 games late<"));
        let both = text([3, 1], 9);
        assert!(both.contains(">2 of 9 games failed<") && both.contains(">1 of 9 games late<"), "{both}");
        assert_eq!(text([0, 0], 9), "");
        let short = |numbers, games| short_chips(numbers, games).into_string();
        assert!(short([5, 3], 5).contains(">2 failed<") && short([5, 3], 5).contains(">3 late<"));
        assert!(
            short([4, 0], 4).contains(">all 4 games failed<")
                && short([3, 3], 3).contains(">all 3 games late<")
        );
    }
}
