//! Games in which a bot failed. All pages count them in the same way and with the same words: a bot that fails loses
//! the game, and if half of the games failed, the results say nothing about strength.

pub mod late;
mod notice;

pub use notice::{Context, notice, output};

use crate::text::{all_games, count, grouped, last_lines};
use contender_play::{Ending, Record, Seat};
use late::{LateAnswer, LateAnswers};
use maud::{Markup, html};
use std::time::Duration;

/// Maximum number of lines of a failed bot's standard error output to keep.
pub const MAX_LINES: usize = 12;
/// Maximum numbers of failing bots to keep and to name.
const MAX_KEPT: usize = 30;
const MAX_NAMED: usize = 5;
/// The kind of failure of a bot that answered too late, whatever the reason.
const SLOW: &str = "late";

/// Returns whether at least half of the games failed.
pub fn are_most(failed: u64, games: u64) -> bool {
    failed > 0 && 2 * failed >= games
}

/// Formats a number of the games: `all 4 games` or `3 of 60 games`.
fn share(part: u64, games: u64) -> String {
    match part >= games {
        true => all_games(part),
        false => format!("{} of {}", grouped(part), count(games, "game", "games")),
    }
}

/// Formats how many of the games failed: `all 4 games failed` or `3 of 60 games failed`.
pub fn words(failed: u64, games: u64) -> String {
    share(failed, games) + " failed"
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
    let words = share(late, games) + " late";
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

/// Returns the words for games that count and that a bot lost by a failure. These games are also won or lost ones.
pub fn remark(failed: u64, counted: u64) -> String {
    let games = if failed >= counted {
        all_games(failed)
    } else {
        format!("{} of the {} games", grouped(failed), grouped(counted))
    };
    format!("A failure decided {games} that count{}", if counted == 1 { "s" } else { "" })
}

/// Returns these numbers of games of a match as chips: games that count and that a bot lost by a failure, and games
/// that do not count.
pub fn short_chips([failed, uncounted]: [u64; 2]) -> Markup {
    html! {
        @if failed > 0 { span.chip.bad title="A bot that fails loses the game" { (grouped(failed)) " failed" } }
        @if failed > 0 && uncounted > 0 { " " }
        @if uncounted > 0 { span.chip.warn title="A bot was late because the machine was busy, in this game or in its partner" { (grouped(uncounted)) " not counted" } }
    }
}

/// Returns the name of the way in which a bot failed, as addresses contain it, or `None` if it did not fail. A late
/// answer has the same name on an idle and on a busy machine.
pub fn kind(ending: &Ending) -> Option<&'static str> {
    let is_late =
        ending.name() == "overloaded" || matches!(ending, Ending::Timeout { overrun_ms: Some(_), .. });
    ending.is_failure().then(|| if is_late { SLOW } else { ending.name() })
}

/// The failures in the games of a file.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Number of all games.
    pub games: u64,
    /// Number of games with a failure.
    pub failed: u64,
    /// Number of games with a late answer, among the failed ones.
    late: u64,
    /// Number of games that a bot lost on time because the machine was busy, among the late ones.
    busy: u64,
    /// Number of times that games were repeated because a bot was late on a busy machine, and the maximum number of
    /// times for one game.
    pub repeats: u64,
    pub max_repeats: u64,
    /// The bots that failed, each with its first failure of each kind.
    pub failing: Vec<Failing>,
}

impl Tally {
    /// Adds a game. `limit` is the exact time limit per move, if it is known.
    pub fn add(&mut self, record: &Record, number: usize, limit: Option<Duration>) {
        let kinds = || record.seats.iter().filter_map(|seat| kind(&seat.ending));
        self.games += 1;
        self.failed += u64::from(kinds().next().is_some());
        self.late += u64::from(kinds().any(|kind| kind == SLOW));
        self.busy += u64::from(record.is_overloaded());
        self.repeats += u64::from(record.rematches);
        self.max_repeats = self.max_repeats.max(u64::from(record.rematches));
        for seat in &record.seats {
            Failing::add(&mut self.failing, seat, number, limit);
        }
    }

    /// Returns whether enough games failed that the results say nothing about strength.
    pub fn is_broken(&self) -> bool {
        are_most(self.failed, self.games)
    }

    /// Returns whether a bot answered too late in a game.
    pub fn has_slow(&self) -> bool {
        self.late > 0
    }

    /// Returns whether late answers are the reason of most failures.
    pub fn is_mainly_slow(&self) -> bool {
        self.late > 0 && 2 * self.late >= self.failed
    }

    /// Returns the late games in which the machine was busy in words, if there are any.
    fn busy_words(&self) -> Option<String> {
        Some(match self.busy {
            0 => return None,
            2 if self.late == 2 => "both late games".to_string(),
            busy if busy < self.late => format!("{} of the {} late games", grouped(busy), grouped(self.late)),
            1 => "the late game".to_string(),
            busy => format!("all {} late games", grouped(busy)),
        })
    }

    /// Returns whether the machine was busy in most of the late games, so that the time limit is not the cause. A very
    /// short limit is a cause of its own.
    pub fn is_mainly_busy(&self) -> bool {
        let is_short = || LateAnswers::of_all(&self.failing).has_very_short_limit();
        self.busy > 0 && 4 * self.busy >= 3 * self.late && !is_short()
    }

    /// Returns the cause of the late games as a sentence, if it is known: the machine or the time limit.
    pub fn cause(&self) -> Option<String> {
        let limit = LateAnswers::of_all(&self.failing).short_limit();
        let limit = limit.map(|limit| format!("A limit of {limit} is too short for these bots."));
        let Some(games) = self.busy_words() else { return limit };
        Some(match limit {
            _ if self.is_mainly_busy() && self.busy < self.late => {
                format!("The machine was busy in {games}, so the time limit is not the main cause.")
            }
            _ if self.is_mainly_busy() => format!("The machine was busy in {games}."),
            limit => format!("The machine was busy in {games}. {}", limit.unwrap_or_default()),
        })
    }

    /// Returns the late games and their cause in one or two sentences, if there are late games.
    pub fn lateness(&self) -> Option<String> {
        let words = format!("{}. {}", self.late_words(), self.cause().unwrap_or_default());
        let words = words.strip_prefix("bots").map_or(words.clone(), |rest| format!("Bots{rest}"));
        self.has_slow().then_some(words)
    }

    /// Returns the bots that were late with the number of games: `bots were late in 5 of 9 games`.
    fn late_words(&self) -> String {
        let mut slow = self.failing.iter().filter(|of| of.is_slow());
        let bots = match (slow.next(), slow.next()) {
            (Some(one), None) => format!("{} was", one.bot),
            _ => "bots were".to_string(),
        };
        format!("{bots} late in {}", share(self.late, self.games))
    }

    /// Returns the failures in one sentence: `bots were late in 5 of 9 games`, or the most frequent failure.
    pub fn words(&self) -> String {
        let Some(main) = self.failing.iter().max_by_key(|of| of.games) else {
            return words(self.failed, self.games);
        };
        if !self.is_mainly_slow() {
            return format!("{} failed in {}", main.bot, share(main.games, self.games));
        }
        self.late_words()
    }

    /// Returns the failures in a few words for a list: those of [`Tally::words`], or how the bot failed.
    pub fn short_words(&self) -> String {
        match self.failing.iter().max_by_key(|of| of.games) {
            Some(main) if !self.is_mainly_slow() => {
                format!("{} {} in {}", main.bot, main.ending, share(main.games, self.games))
            }
            _ => self.words(),
        }
    }
}

/// A bot that failed in a certain way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failing {
    pub bot: String,
    /// The way in which it failed; see [`kind`].
    pub kind: &'static str,
    /// Number of games in which it failed in this way.
    pub games: u64,
    /// The number of the game to show: the one with the latest answer, or the first one.
    shown: usize,
    /// A description of the first failure, without its details.
    ending: String,
    /// The end of its standard error output in this game.
    pub stderr: String,
    /// Whether it lost on time.
    pub is_late: bool,
    /// Its late answers. Games without an answer are missing.
    pub late: LateAnswers,
}

impl Failing {
    /// Returns whether the bot answered, but too late.
    pub fn is_slow(&self) -> bool {
        self.kind == SLOW
    }

    /// Adds a bot's failure to the bots that failed. `number` is the number of the game, and `limit` the exact time
    /// limit per move, if it is known.
    fn add(all: &mut Vec<Failing>, seat: &Seat, number: usize, limit: Option<Duration>) {
        let Some(kind) = kind(&seat.ending) else { return };
        let at = all.iter().position(|known| known.bot == seat.bot && known.kind == kind);
        let Some(at) = at.or_else(|| (all.len() < MAX_KEPT).then_some(all.len())) else { return };
        if at == all.len() {
            all.push(Failing {
                bot: seat.bot.clone(),
                kind,
                games: 0,
                shown: number,
                ending: short(&seat.ending.to_string()).to_string(),
                stderr: last_lines(&seat.stderr, MAX_LINES),
                is_late: seat.is_late(),
                late: LateAnswers::default(),
            });
        }
        all[at].games += 1;
        if let Some(answer) = LateAnswer::of(seat, limit) {
            if all[at].late.latest().is_none_or(|latest| answer.overrun() > latest) {
                all[at].shown = number;
            }
            all[at].late.add(answer);
        }
    }
}

/// Returns the description of an ending without its details, which are in parentheses.
pub fn short(ending: &str) -> &str {
    let short = ending.split(" (").next().unwrap_or(ending);
    short.strip_prefix("disconnects: ").unwrap_or(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUSY: Ending = Ending::Overloaded { limit_ms: 20, overrun_ms: Some(9), delay_ms: 24, stolen_ms: 0 };
    const SILENT: Ending = Ending::Timeout { limit_ms: 9, overrun_ms: None };

    fn tally(failures: &[(&str, Ending)], games: u64) -> Tally {
        let mut tally = Tally::default();
        for (number, (bot, ending)) in failures.iter().enumerate() {
            let seat = Seat { bot: (*bot).to_string(), ending: ending.clone(), ..Seat::default() };
            let record = Record { seats: vec![seat], rematches: 2, ..Record::default() };
            tally.add(&record, number + 1, None);
        }
        tally.games = games;
        tally
    }

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

    #[test]
    fn failed_bots_are_named_in_the_verdict() {
        let exit = || Ending::Exit { code: 1 };
        let one = [("a", exit())];
        assert_eq!(tally(&one, 1).words(), "a failed in the only game");
        assert_eq!(tally(&one, 9).words(), "a failed in 1 of 9 games");
        assert_eq!(tally(&one, 9).short_words(), "a exits early with status 1 in 1 of 9 games");
        let both = [("a", exit()), ("b", SILENT), ("b", SILENT)];
        assert_eq!(tally(&both, 9).words(), "b failed in 2 of 9 games");
        assert_eq!(tally(&both, 9).short_words(), "b loses on time in 2 of 9 games");
    }

    /// An answer is late on an idle machine as well as on a busy one, and both are one kind of failure.
    #[test]
    fn late_bots_are_named() {
        let one = [("b", BUSY), ("b", Ending::Timeout { limit_ms: 20, overrun_ms: Some(1) })];
        let all = tally(&one, 2);
        assert_eq!([all.words(), all.short_words()], ["b was late in both games"; 2]);
        assert_eq!((all.failing.len(), all.failing[0].games, all.failing[0].shown), (1, 2, 1));
        assert_eq!((all.repeats, all.max_repeats, all.busy), (4, 2, 1));
        let both = [one.as_slice(), &[("a", BUSY)]].concat();
        assert_eq!(tally(&both, 7).words(), "bots were late in 3 of 7 games");
        let busy = |failures: &[(&str, Ending)]| tally(failures, 9).busy_words();
        assert_eq!(busy(&both).unwrap(), "2 of the 3 late games");
        assert_eq!(
            (busy(&[("a", BUSY), ("a", BUSY)]).unwrap().as_str(), busy(&one[1..])),
            ("both late games", None)
        );
        // The machine or the limit is the cause, and not both.
        let slow = || ("b", Ending::Timeout { limit_ms: 20, overrun_ms: Some(1) });
        let mainly = tally(&[("b", BUSY), ("b", BUSY), ("b", BUSY), slow()], 9);
        let words = "b was late in 4 of 9 games. The machine was busy in 3 of the 4 late games, so the time limit is not \
                     the main cause.";
        assert_eq!(mainly.lateness().unwrap(), words);
        let slow = tally(&[("a", BUSY), slow(), slow()], 9).lateness().unwrap();
        assert!(
            slow.starts_with("Bots were late")
                && slow.ends_with("A limit of 20 ms is too short for these bots.")
        );
        // A very short limit is a cause on a busy machine, too. The game to show is the one with the latest answer.
        let short = |overrun_ms| Ending::Overloaded {
            limit_ms: 1,
            overrun_ms: Some(overrun_ms),
            delay_ms: 4,
            stolen_ms: 0,
        };
        let short = tally(&[("b", short(2)), ("b", short(9)), ("b", short(3))], 9);
        let words = short.cause().unwrap();
        assert_eq!(
            words,
            "The machine was busy in all 3 late games. A limit of 1 ms is too short for these bots."
        );
        assert!(!short.is_mainly_busy() && mainly.is_mainly_busy() && short.failing[0].shown == 2);
        let silent = tally(&[("c", SILENT)], 1);
        assert!(!silent.has_slow() && !silent.is_mainly_slow(), "a bot that never answered needs no time");
    }

    /// Late games on a busy machine do not count, so they are not red.
    #[test]
    fn late_games_have_their_own_chip() {
        let text = |numbers, games| chips(numbers, games, None).into_string();
        assert!(!text([2, 2], 9).contains("bad") && text([2, 2], 9).contains(">2 of 9 games late<"));
        let both = text([3, 1], 9);
        assert!(both.contains(">2 of 9 games failed<") && both.contains(">1 of 9 games late<"), "{both}");
        assert_eq!(text([0, 0], 9), "");
        let short = |numbers| short_chips(numbers).into_string();
        assert!(short([5, 3]).contains(">5 failed<") && short([5, 3]).contains(">3 not counted<"));
        assert!(!short([0, 3]).contains("failed"));
    }
}
