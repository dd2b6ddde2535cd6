//! The notice about bots that fail: which of them the league has paused, how they fail, and the buttons that help.

use super::{View, address};
use crate::failures::{MAX_LINES, output};
use crate::limits::amount;
use crate::machine::{Relief, longer};
use crate::text::{all_games, count, grouped, last_lines};
use contender_league::{BotState, FAILURES_IN_A_ROW, LeagueBot, LeagueGame, Standings};
use contender_play::{Record, ending_words};
use contender_referee::TimeSetting;
use maud::{Markup, html};

/// Minimum share of games in which a bot must fail to be named.
const MIN_FAILED: f64 = 0.05;
/// Maximum number of failing bots to name, apart from the paused ones.
const MAX_NAMED: usize = 5;
/// Number of latest games of a bot that show whether it was paused because of failures. A few of them may have ended
/// without a failure, because games that are played at the same time do not end in order.
const LATEST: usize = FAILURES_IN_A_ROW as usize + 4;

/// A bot and how often it failed.
struct FailingBot<'a> {
    name: &'a str,
    games: u64,
    failed: u64,
    /// The name of the latest failure.
    ending: &'a str,
    /// Whether it only lost on time on a busy machine.
    is_busy: bool,
    /// The latest game in which it failed.
    game: &'a LeagueGame,
}

impl FailingBot<'_> {
    fn share(&self) -> f64 {
        self.failed as f64 / self.games.max(1) as f64
    }

    /// Returns whether the bot lost on time.
    fn is_late(&self) -> bool {
        ["timeout", "overloaded"].contains(&self.ending)
    }
}

/// Returns the number of games in which a bot failed, and how many of them a bot lost on time on a busy machine.
pub fn counts(games: &[LeagueGame]) -> [u64; 2] {
    let late = |game: &&LeagueGame| game.seats.iter().any(|seat| seat.is_overloaded());
    [games.iter().filter(|game| game.has_failed()).count(), games.iter().filter(late).count()]
        .map(|count| count as u64)
}

/// Counts the failures in the latest games of a bot, at most `most` of them. Returns `None` if there are none.
fn latest<'a>(bot: &'a LeagueBot, games: &'a [LeagueGame], most: usize) -> Option<FailingBot<'a>> {
    let played = || games.iter().rev().filter_map(|game| Some((game, game.seat_of(bot.id)?))).take(most);
    let failed = || played().filter(|(_, seat)| seat.has_failed());
    let (game, seat) = failed().next()?;
    Some(FailingBot {
        name: &bot.name,
        games: played().count() as u64,
        failed: failed().count() as u64,
        ending: &seat.ending,
        is_busy: failed().all(|(_, seat)| seat.is_overloaded()),
        game,
    })
}

/// Returns the bots that a runner has paused because they failed in consecutive games, with their latest games.
fn paused<'a>(bots: &'a [LeagueBot], games: &'a [LeagueGame]) -> Vec<FailingBot<'a>> {
    let of = |bot: &'a LeagueBot| {
        let failing = latest(bot, games, LATEST).filter(|of| of.failed >= FAILURES_IN_A_ROW.into())?;
        (bot.state == BotState::Paused).then_some(failing)
    };
    bots.iter().filter_map(of).collect()
}

/// Returns the names of the bots that a runner has paused because of failures.
pub fn paused_names<'a>(bots: &'a [LeagueBot], games: &'a [LeagueGame]) -> Vec<&'a str> {
    paused(bots, games).into_iter().map(|of| of.name).collect()
}

/// The bots of a league that fail.
pub struct Failing<'a> {
    /// The bots that a runner has paused because of failures.
    paused: Vec<FailingBot<'a>>,
    /// The other bots that failed in at least [`MIN_FAILED`] of their games, the most frequent failures first.
    others: Vec<FailingBot<'a>>,
    /// Whether the notice names all bots that have failed.
    names_all: bool,
}

impl<'a> Failing<'a> {
    pub fn of(bots: &'a [LeagueBot], games: &'a [LeagueGame], standings: &'a Standings) -> Failing<'a> {
        let paused = paused(bots, games);
        let is_paused = |name: &str| paused.iter().any(|of| of.name == name);
        let failing = || standings.rows.iter().filter(|row| row.failures > 0 && !is_paused(&row.name));
        let often = failing().filter(|row| row.failures as f64 >= MIN_FAILED * row.games as f64);
        let mut others: Vec<FailingBot<'_>> = often
            .filter_map(|row| {
                let bot = bots.iter().find(|bot| bot.name == row.name)?;
                Some(FailingBot { games: row.games, failed: row.failures, ..latest(bot, games, usize::MAX)? })
            })
            .collect();
        others.sort_by(|one, other| other.share().total_cmp(&one.share()));
        let names_all = failing().count() == others.len() && others.len() <= MAX_NAMED;
        Failing { paused, others, names_all }
    }

    /// Returns whether the notice is empty.
    pub fn is_empty(&self) -> bool {
        self.paused.is_empty() && self.others.is_empty()
    }

    /// Returns whether a runner has paused bots.
    pub fn has_paused(&self) -> bool {
        !self.paused.is_empty()
    }

    /// Returns whether the notice names all bots that have failed.
    pub fn names_all(&self) -> bool {
        self.names_all
    }

    /// Returns the notice: the paused bots, and then the other bots.
    pub fn notice(&self, view: &View<'_>, standings: &Standings) -> Markup {
        let Failing { paused, others, .. } = self;
        let is_late = paused.iter().chain(others).any(FailingBot::is_late);
        html! {
            @if !self.is_empty() {
                div.notice role="alert" {
                    @if !paused.is_empty() { (paused_notice(view, paused)) }
                    @for of in others.iter().take(MAX_NAMED) { p {
                        strong { (of.name) } (if of.is_busy { " was late in " } else { " failed in " })
                        @if of.failed == of.games { (all_games(of.games)) } @else { (grouped(of.failed)) " of " (count(of.games, "game", "games")) }
                        @if of.is_busy { " because the machine was busy. " } @else { ". Latest failure: it " (past(ending_words(of.ending))) ". " }
                        (show(view, of))
                    } }
                    // A late bot has no error output that matters.
                    @if let Some(of) = paused.iter().chain(others).find(|of| !of.is_late()) { (output(&last_output(view, of).unwrap_or_default())) }
                    @if others.len() > MAX_NAMED { p { (count((others.len() - MAX_NAMED) as u64, "other bot fails", "other bots fail")) " less often." } }
                    @if view.is_known { (remedy(view, paused.len(), is_late)) }
                    p.legend {
                        @if standings.overloaded > 0 { "A game that a bot lost on time on a busy machine does not count for its strength. " }
                        @if standings.overloaded == 0 || paused.iter().chain(others).any(|of| of.ending != "overloaded") { "A failed game counts as lost." }
                    }
                }
            }
        }
    }
}

/// Returns the end of a bot's error output in its latest failed game, if the game has a record.
fn last_output(view: &View<'_>, of: &FailingBot<'_>) -> Option<String> {
    let game = view.store.game(of.game.id).ok()??;
    let record = Record::from_json(game.record.as_deref()?).ok()?;
    let seat = record.seats.iter().find(|seat| seat.ending.is_failure())?;
    Some(last_lines(&seat.stderr, MAX_LINES))
}

/// Returns the link to the games in which a bot failed.
fn show(view: &View<'_>, of: &FailingBot<'_>) -> Markup {
    html! { a href=(failed_games(view, of.name)) { "Show " @if of.failed == 1 { "this game" } @else { "these games" } } }
}

/// Returns the buttons that help if bots fail: one that resumes the `paused` bots, and, if bots are late, those that
/// continue the league so that the bots have more time. An external referee may not support a longer time.
fn remedy(view: &View<'_>, paused: usize, is_late: bool) -> Markup {
    let games_at_once = view.games_at_once();
    let time = TimeSetting::parse(&longer(view.league.settings.time)).ok();
    let time = view.league.contest().and_then(|contest| amount(contest, time));
    // Paused late bots would be late again with the same time.
    let has_longer = is_late && time.is_some();
    html! {
        @if paused > 0 || is_late {
            form.controls action="/league/relieve" method="post" {
                input type="hidden" name="dir" value=(view.dir);
                @if paused > 0 { button.primary[!has_longer] type="submit" formaction="/league/resume" { (if paused > 1 { "Resume all" } else { "Resume" }) } }
                @if is_late && (time.is_some() || games_at_once != Some(1)) {
                    span { (if paused > 0 { "or resume with" } else { "Continue with" }) }
                    (Relief::buttons(time.as_deref(), games_at_once, (paused > 0).then_some(Relief::Longer)))
                }
            }
        }
    }
}

/// Returns the description of an ending in the past tense.
fn past(words: &str) -> String {
    let words = words.strip_prefix("disconnects: ").unwrap_or(words);
    let past = |word| match word {
        "answers" => "answered",
        "cannot" => "could not",
        "closes" => "closed",
        "crashes" => "crashed",
        "does" => "did",
        "exits" => "exited",
        "fails" => "failed",
        "floods" => "flooded",
        "is" => "was",
        "keeps" => "kept",
        "loses" => "lost",
        "makes" => "made",
        "panics" => "panicked",
        "runs" => "ran",
        "stalls:" => "stalled:",
        other => other,
    };
    words.split(' ').map(past).collect::<Vec<_>>().join(" ")
}

/// Returns the address of the games in which a bot failed.
fn failed_games(view: &View<'_>, name: &str) -> String {
    address("/league/games", view.dir, &[("a", name), ("failed", "1")])
}

/// Returns the paused bots with their failures, and the most frequent kind of failure.
fn paused_notice(view: &View<'_>, paused: &[FailingBot<'_>]) -> Markup {
    let often = |ending: &str| paused.iter().filter(|of| of.ending == ending).count();
    let ending = paused.iter().map(|of| of.ending).max_by_key(|ending| often(ending)).unwrap_or_default();
    html! {
        p {
            @match paused {
                [only] => strong { (only.name) " is paused" },
                _ => strong { (count(paused.len() as u64, "bot is paused", "bots are paused")) },
            }
            ", because " (if paused.len() == 1 { "it" } else { "each" }) " failed in " (FAILURES_IN_A_ROW) " games in a row"
            @if often(ending) < paused.len() { ", mostly like this" } ": it " (past(ending_words(ending))) ". "
            @if let [only] = paused { (show(view, only)) }
        }
        @if paused.len() > 1 {
            p.chips {
                span { "Failures in the latest games:" }
                @for of in paused {
                    a.chip.bad href=(failed_games(view, of.name)) title=(ending_words(of.ending)) {
                        (of.name) " " (of.failed) " of " (of.games)
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_league::{GameState, SeatResult};

    #[test]
    fn a_failure_in_the_past_has_no_verb_of_the_present() {
        let said = ["timeout", "crash", "cannot-start", "illegal"].map(|ending| past(ending_words(ending)));
        assert_eq!(said, ["lost on time", "crashed", "could not start", "made an illegal move"]);
    }

    /// Only a paused bot that failed again and again was paused by a runner.
    #[test]
    fn bots_that_users_paused_are_not_named() {
        let seat = |bot: i64, ending: &str| SeatResult {
            bot,
            rank: 0,
            points: 0.0,
            ending: ending.to_string(),
            ms: None,
            slowest_ms: None,
        };
        let game = |id: i64, ending: &str| LeagueGame {
            id,
            pair: None,
            seats: vec![seat(1, ending), seat(2, "normal")],
            state: GameState::Done,
            finished: None,
            reason: None,
            record: None,
        };
        let bot = |id: i64, state: BotState| LeagueBot {
            id,
            name: format!("bot-{id}"),
            command: String::new(),
            state,
            source: None,
            changed: 0.0,
        };
        let endings =
            ["normal", "timeout", "timeout", "timeout", "timeout", "normal", "timeout", "overloaded"];
        let games: Vec<LeagueGame> = (1..).zip(endings).map(|(id, ending)| game(id, ending)).collect();
        let names = |state: BotState, count: usize| {
            let bots = [bot(1, state), bot(2, BotState::Paused)];
            paused_names(&bots, &games[..count]).len()
        };
        assert_eq!([7, 8].map(|count| names(BotState::Paused, count)), [0, 1]);
        assert_eq!([BotState::Active, BotState::Removed].map(|state| names(state, 8)), [0, 0]);
    }
}
