//! Games in which a bot failed. All pages count them in the same way and with the same words: a bot that fails loses
//! the game, and if half of the games failed, the results say nothing about strength.

use crate::text::{all_games, count, grouped, last_lines};
use contender_play::Seat;
use maud::{Markup, html};

/// Maximum number of lines of a failed bot's standard error output to keep.
const MAX_LINES: usize = 12;
/// Maximum number of failing bots to keep.
const MAX_BOTS: usize = 30;

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

/// A bot that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failing {
    pub bot: String,
    /// Number of games in which it failed.
    pub games: u64,
    /// A description of the first failure.
    pub ending: String,
    /// The end of its standard error output in this game.
    pub stderr: String,
    /// Whether it lost on time.
    pub is_late: bool,
}

impl Failing {
    /// Adds a bot's failure to the bots that failed.
    pub fn add(all: &mut Vec<Failing>, seat: &Seat) {
        if let Some(known) = all.iter_mut().find(|known| known.bot == seat.bot) {
            known.games += 1;
        } else if all.len() < MAX_BOTS {
            all.push(Failing {
                bot: seat.bot.clone(),
                games: 1,
                ending: seat.ending.to_string(),
                stderr: last_lines(&seat.stderr, MAX_LINES),
                is_late: seat.is_late(),
            });
        }
    }
}

/// Returns the reasons why most games say nothing about strength: each bot that fails, with its error text. `remedy`
/// contains the buttons that play the games again with more time.
pub fn notice(all: &[Failing], games: u64, remedy: &Markup) -> Markup {
    html! {
        div.notice #failing role="alert" {
            @for of in all {
                p {
                    strong { (of.bot) } " failed in "
                    @if of.games == games { (all_games(of.games)) } @else { (grouped(of.games)) " of " (count(games, "game", "games")) }
                    // One colon is enough.
                    ": " (of.ending.strip_prefix("disconnects: ").unwrap_or(&of.ending)) "."
                }
                @if !of.stderr.is_empty() { pre tabindex="0" { (of.stderr) } }
            }
            @if all.iter().any(|of| of.is_late) {
                p { "If other programs keep this machine busy, bots answer late. Then play fewer games at once, or allow more time per move." }
                (remedy)
            } @else {
                p { "Repair the bot first, or try its command in a terminal in the project's folder." }
            }
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
}
