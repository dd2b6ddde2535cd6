//! Games in which a bot failed. All pages count them in the same way and with the same words: a bot that fails loses
//! the game, and if half of the games failed, the results say nothing about strength.

use crate::text::{all_games, count, grouped, last_lines};
use contender_play::{Ending, Seat};
use maud::{Markup, html};
use std::collections::VecDeque;

/// Maximum number of lines of a failed bot's standard error output to keep.
const MAX_LINES: usize = 12;
/// Maximum numbers of failing bots to keep and to name.
const MAX_KEPT: usize = 30;
const MAX_NAMED: usize = 5;
/// Maximum number of late answers to keep per failing bot: the latest ones.
const MAX_LATE: usize = 200;
/// The share of late answers for which a suggested time is enough. The rest are outliers.
const TYPICAL: f64 = 0.9;

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
    /// Returns the bot and its failure in a few words.
    pub fn words(&self) -> String {
        format!("{} {}", self.bot, self.ending)
    }

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
    fn is_overloaded(&self) -> bool {
        self.kind == "overloaded"
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
    /// The address of the list of failed games.
    pub list: String,
    /// The buttons that play the games again with more time.
    pub remedy: Markup,
}

/// Returns the notice about failures: each bot that failed, with the last line of its error output and a link to the
/// first of these games.
pub fn notice(all: &[Failing], context: &Context<'_>) -> Markup {
    let is_late = all.iter().any(|of| of.is_late);
    html! {
        div.notice #failing role="alert" {
            @for of in all.iter().take(MAX_NAMED) {
                p {
                    strong { (of.bot) } (if of.is_overloaded() { " was late in " } else { " failed in " })
                    a href=(context.list) { @if of.games == context.games { (all_games(of.games)) } @else { (grouped(of.games)) " of " (count(context.games, "game", "games")) } }
                    @if of.is_overloaded() { " because the machine was busy" } @else { ": " (of.ending) }
                    @if let Some(delay) = of.delay() { " (" (delay) ")" }
                    ". "
                    a.button.small href=((context.link)(of.first)) { "Show the position" }
                }
                (output(&of.stderr, all.len() == 1))
            }
            p.legend {
                @if context.overloaded > 0 && context.overloaded == context.games { "Late games do not count. " }
                @else if context.overloaded > 0 { (count(context.overloaded, "late game does", "late games do")) " not count, and neither " (if context.overloaded == 1 { "does its partner" } else { "do their partners" }) " with the same seed. " }
                @if !are_most(context.failed, context.games) && context.failed > context.overloaded { "A failed game counts as lost. " }
                @if is_late {
                    "A busy machine makes bots late: allow more time per move"
                    @if context.games_at_once == Some(1) { "." } @else { ", or play fewer games at once." }
                } @else if are_most(context.failed, context.games) {
                    "Repair the bot first, or try its command in a terminal in the project's folder."
                }
            }
            @if is_late { (context.remedy) }
        }
    }
}

/// Returns the last line of a bot's error output, which names the reason, and the other lines on demand. If
/// `is_open`, returns all lines.
fn output(stderr: &str, is_open: bool) -> Markup {
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

    /// Late games on a busy machine do not count, so they are not red.
    #[test]
    fn late_games_have_their_own_chip() {
        let text = |numbers, games| chips(numbers, games, None).into_string();
        assert!(!text([2, 2], 9).contains("bad") && text([2, 2], 9).contains(">2 of 9 games late<"));
        let both = text([3, 1], 9);
        assert!(both.contains(">2 of 9 games failed<") && both.contains(">1 of 9 games late<"), "{both}");
        assert_eq!(text([0, 0], 9), "");
    }
}
