//! Games in which a bot failed. All pages count them in the same way and with the same words: a bot that fails loses
//! the game, and if half of the games failed, the results say nothing about strength.

use crate::text::{all_games, count, grouped, last_lines};
use contender_play::{Ending, Seat};
use maud::{Markup, html};
use std::collections::VecDeque;

/// Maximum number of lines of a failed bot's standard error output to keep.
pub const MAX_LINES: usize = 12;
/// Maximum numbers of failing bots to keep and to name.
const MAX_KEPT: usize = 30;
const MAX_NAMED: usize = 5;
/// Maximum number of late answers to keep per failing bot: the latest ones.
const MAX_LATE: usize = 200;
/// The share of late answers for which a suggested time is enough. The rest are outliers.
const TYPICAL: f64 = 0.9;
/// Time limits below this number of milliseconds may be too short for a bot even if the machine is idle.
const SHORT_LIMIT: u64 = 50;

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
    /// The limits of its late answers in milliseconds, and by how much each answer exceeded its limit. Bots that never
    /// answered are missing.
    overruns: VecDeque<[u64; 2]>,
}

impl Failing {
    /// Returns how late the answers were, if it is known.
    fn delay(&self) -> Option<String> {
        let all = || self.overruns.iter().copied();
        let [limit, usual] = typical(all())?;
        let [of, most] = all().max_by(by_ratio)?;
        Some(match () {
            () if self.games == 1 => format!("{most} ms over the limit of {limit} ms"),
            () if of == limit && most > usual => {
                format!("mostly at most {usual} ms, the slowest {most} ms over the limit of {limit} ms")
            }
            () => format!("at most {most} ms over the limit of {of} ms"),
        })
    }

    /// Returns the time limits of the late answers and by how much each answer exceeded its limit, in milliseconds.
    pub fn overruns(&self) -> impl Iterator<Item = [u64; 2]> {
        self.overruns.iter().copied()
    }

    /// Returns whether the bot lost on time because of the machine's delays.
    pub fn is_overloaded(&self) -> bool {
        self.kind == "overloaded"
    }

    /// Returns whether the bot answered, but too late.
    pub fn is_slow(&self) -> bool {
        self.is_late && (self.is_overloaded() || !self.overruns.is_empty())
    }

    /// Adds a bot's failure to the bots that failed. `number` is the number of the game.
    pub fn add(all: &mut Vec<Failing>, seat: &Seat, number: usize) {
        let kind = seat.ending.name();
        if let Some(known) = all.iter_mut().find(|known| known.bot == seat.bot && known.kind == kind) {
            known.games += 1;
            known.overruns.extend(overrun(&seat.ending));
            known.overruns.drain(..known.overruns.len().saturating_sub(MAX_LATE));
        } else if all.len() < MAX_KEPT {
            all.push(Failing {
                bot: seat.bot.clone(),
                kind,
                games: 1,
                first: number,
                ending: short(&seat.ending.to_string()).to_string(),
                stderr: last_lines(&seat.stderr, MAX_LINES),
                is_late: seat.is_late(),
                overruns: overrun(&seat.ending).into_iter().collect(),
            });
        }
    }
}

/// Compares late answers by the delay as a share of the time limit.
fn by_ratio(one: &[u64; 2], other: &[u64; 2]) -> std::cmp::Ordering {
    let ratio = |of: &[u64; 2]| of[1] as f64 / of[0].max(1) as f64;
    ratio(one).total_cmp(&ratio(other))
}

/// Returns the late answer that only a few outliers exceed: the 90th percentile by share of the time limit, rounded
/// down.
pub fn typical(overruns: impl Iterator<Item = [u64; 2]>) -> Option<[u64; 2]> {
    let mut all: Vec<[u64; 2]> = overruns.collect();
    all.sort_by(by_ratio);
    all.get((TYPICAL * all.len().saturating_sub(1) as f64) as usize).copied()
}

/// Returns the time limit that an answer exceeded and by how much, in milliseconds.
fn overrun(ending: &Ending) -> Option<[u64; 2]> {
    match ending {
        Ending::Timeout { limit_ms, overrun_ms } | Ending::Overloaded { limit_ms, overrun_ms, .. } => {
            Some([*limit_ms, (*overrun_ms)?])
        }
        _ => None,
    }
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
/// games`.
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
    (2 * late >= failed).then_some(words)
}

/// Returns the failures in a few words: the bots that were late, or the most frequent failure.
pub fn main_words(all: &[Failing]) -> Option<String> {
    let main = all.iter().max_by_key(|of| of.games)?;
    Some(match &slow_bots(all)[..] {
        [(first, most), (second, number), ..] if main.is_slow() => {
            format!("{first} ({}) and {second} ({}) lose on time", grouped(*most), grouped(*number))
        }
        _ if main.is_slow() => format!("{} loses on time", main.bot),
        _ => format!("{} {}", main.bot, main.ending),
    })
}

/// Returns the shortest time limit that was exceeded, if it is so short that it may be too short for a bot.
fn short_limit(all: &[Failing]) -> Option<u64> {
    all.iter().flat_map(Failing::overruns).map(|[limit, _]| limit).min().filter(|limit| *limit < SHORT_LIMIT)
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
    html! {
        div.notice #failing role="alert" {
            @for of in all.iter().take(MAX_NAMED) {
                p {
                    strong { (of.bot) } (if of.is_overloaded() { " was late in " } else { " failed in " })
                    a href=((context.list)(if of.is_overloaded() { "late" } else { "failed" })) { @if of.games == context.games { (all_games(of.games)) } @else { (grouped(of.games)) " of " (count(context.games, "game", "games")) } }
                    @if !of.is_overloaded() { ": " (of.ending) } @else if short.is_none() { " because the machine was busy" }
                    @if let Some(delay) = of.delay() { " (" (delay) ")" }
                    ". "
                    a.button.small href=((context.link)(of.first)) { "Show the position" }
                }
                (output(&of.stderr, all.len() == 1))
            }
            p.legend {
                @if let Some([most, number]) = context.repeats { "Each late game is repeated up to " (count(most, "time", "times")) ": " (count(number, "repeat", "repeats")) @if context.is_running { " so far" } ". " }
                @if context.overloaded > 0 && context.overloaded == context.games { "Late games do not count. " }
                @else if context.overloaded > 0 { (count(context.overloaded, "late game does", "late games do")) " not count, and neither " (if context.overloaded == 1 { "does its partner" } else { "do their partners" }) " with the same seed. " }
                @if !is_broken && context.failed > context.overloaded { "A failed game counts as lost. " }
                @if is_late {
                    @if let Some(limit) = short { "A limit of " (limit) " ms is too short for these bots, or the machine was busy: " } @else { "A busy machine makes bots late: " }
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
            @if is_late { (context.remedy) }
        }
    }
}

/// Returns the last line of a bot's error output, which names the reason, and the other lines on demand. If
/// `is_open`, returns all lines.
pub fn output(stderr: &str, is_open: bool) -> Markup {
    let last = stderr.lines().last().unwrap_or_default();
    html! {
        @if is_open || last == stderr {
            @if !last.is_empty() { pre tabindex="0" { (stderr) } }
        } @else {
            details { summary { code { (last) } } pre tabindex="0" { (stderr) } }
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
        let mut all = Vec::new();
        Failing::add(&mut all, &late(None), 1);
        assert_eq!((all[0].delay(), typical(all[0].overruns())), (None, None));
        for (number, overrun) in [(2, 5), (3, 5)] {
            Failing::add(&mut all, &late(Some(overrun)), number);
        }
        assert_eq!(all[0].delay().unwrap(), "at most 5 ms over the limit of 3 ms");
        Failing::add(&mut all, &late(Some(900)), 4);
        assert_eq!(typical(all[0].overruns()), Some([3, 5]));
        assert_eq!(all[0].delay().unwrap(), "mostly at most 5 ms, the slowest 900 ms over the limit of 3 ms");
        let ten = (1..=10).map(|overrun| [100, overrun]);
        assert_eq!(typical(ten), Some([100, 9]));
        assert_eq!(typical([[100, 7]].into_iter()), Some([100, 7]));
        for number in 0..2 * MAX_LATE {
            Failing::add(&mut all, &late(Some(1)), number);
        }
        assert_eq!(all[0].overruns().count(), MAX_LATE);
    }

    /// The bots that were late are named with the numbers of games, the one with the most games first.
    #[test]
    fn late_bots_are_named() {
        let mut all = Vec::new();
        let mut late = |bot: &str, ending: Ending| {
            let seat = Seat { bot: bot.to_string(), ending, ..Seat::default() };
            Failing::add(&mut all, &seat, 1);
            all.clone()
        };
        let busy =
            |limit_ms| Ending::Overloaded { limit_ms, overrun_ms: Some(9), delay_ms: 24, stolen_ms: 0 };
        let of = |all: &[Failing], games| {
            let failed = all.iter().map(|of| of.games).sum();
            (slow_words(all, failed, games).unwrap(), main_words(all).unwrap())
        };
        let one = late("a", busy(20));
        assert_eq!(of(&one, 1), ("a was late in the only game".into(), "a loses on time".into()));
        let both = [late("b", busy(20)), late("b", Ending::Timeout { limit_ms: 20, overrun_ms: Some(1) })];
        assert_eq!(
            of(&both[1], 3),
            ("b was late in 2 and a in 1 of 3 games".into(), "b (2) and a (1) lose on time".into())
        );
        assert_eq!(short_limit(&both[1]), Some(20));
        let mut all = Vec::new();
        let crash = Seat {
            bot: "c".to_string(),
            ending: Ending::Timeout { limit_ms: 100, overrun_ms: None },
            ..Seat::default()
        };
        Failing::add(&mut all, &crash, 1);
        assert_eq!(slow_words(&all, 1, 1), None, "a bot that never answered needs no time");
        assert_eq!(main_words(&all).unwrap(), "c loses on time");
        let mut all = Vec::new();
        Failing::add(&mut all, &Seat { bot: "d".to_string(), ending: busy(100), ..Seat::default() }, 1);
        assert_eq!(short_limit(&all), None);
        Failing::add(&mut all, &Seat { bot: "d".to_string(), ending: busy(1), ..Seat::default() }, 2);
        assert_eq!(short_limit(&all), Some(1), "the limit of a first move is longer");
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
