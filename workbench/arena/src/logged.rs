//! The report of a match from its log alone, for a match that still runs or whose command is not at hand.

use crate::matches::MatchState;
use crate::plan::{Match, Seating, Slot};
use crate::report::{MatchEnd, MatchReport};
use contender_game::{contest::Contest, settings::Options};
use contender_play::{Entrant, Fixture, GameError, Host, PlayedUnder, Program, RankedBy, Record};
use contender_referee::ContestHost;
use contender_stats::SequentialTest;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

/// Maximum number of pairs, so that a wrong number in a log does not need much memory.
const MAX_PAIRS: u32 = 1_000_000;

/// The reason why a log does not show a match between two bots.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogReportError {
    /// The log is empty.
    #[error("the log contains no games yet")]
    NoGames,
    /// A record is not from a match.
    #[error("game {0} of the log is not from a match")]
    NoMatch(usize),
    /// The log contains games of several matches, as that of a tournament does.
    #[error("game {0} of the log is from a different match than game 1")]
    AnotherMatch(usize),
    /// A game has other bots than A and B.
    #[error("game {0} of the log is not between the two bots of game 1")]
    OtherBots(usize),
    /// Two records have the same place in the match.
    #[error("game {0} of the log has the same number in the match as an earlier game")]
    Duplicate(usize),
}

impl MatchReport {
    /// Creates the report of a match between two bots from the games in its log. `find` returns the contest with a
    /// name, or `None` for an external referee. A log contains neither the seed nor the limits nor the planned number
    /// of pairs, so the report omits the first two, and counts the pairs in the log as planned.
    ///
    /// # Errors
    /// Returns an error if the log contains no games, or if they are not from one match between two bots.
    pub fn from_log<'c>(
        find: impl Fn(&str) -> Option<&'c dyn Contest>,
        records: impl IntoIterator<Item = Record>,
        test: Option<SequentialTest>,
    ) -> Result<MatchReport, LogReportError> {
        let mut records = records.into_iter().zip(1..).peekable();
        let (first, _) = records.peek().ok_or(LogReportError::NoGames)?;
        let (plan, slot) = place(first).ok_or(LogReportError::NoMatch(1))?;
        let (plan, names) = (plan.to_string(), names(first, slot).ok_or(LogReportError::OtherBots(1))?);
        let contest = find(&first.game).map(ContestHost::new);
        let host = LogHost { game: first.game.clone(), rules: first.rules.clone(), contest };
        let bots = names.map(|name| Entrant { name, program: unknown() });
        let mut state = MatchState::of(Match {
            host: &host,
            bots: bots.each_ref(),
            seating: Seating::Exchange,
            pairs: MAX_PAIRS,
            jobs: 1,
            seed: 0,
            test,
        });
        let mut known = HashSet::new();
        for (record, number) in records {
            let (other, slot) = place(&record).ok_or(LogReportError::NoMatch(number))?;
            if other != plan {
                return Err(LogReportError::AnotherMatch(number));
            }
            let names = self::names(&record, slot).ok_or(LogReportError::OtherBots(number))?;
            if names.iter().zip(&bots).any(|(name, bot)| *name != bot.name) {
                return Err(LogReportError::OtherBots(number));
            }
            if !known.insert(slot.index()) {
                return Err(LogReportError::Duplicate(number));
            }
            state.take(slot, Ok(record), &mut |_, _| {});
        }
        let report = state.report();
        let end = match report.end {
            MatchEnd::Interrupted => MatchEnd::Complete,
            end => end,
        };
        Ok(MatchReport { seed: None, pairs_planned: report.pairs, end, ..report })
    }
}

/// Returns the fingerprint of a game's match, and the place of the game in the match.
fn place(record: &Record) -> Option<(&str, Slot)> {
    let place = record.in_match.as_ref()?;
    let index = place.game.checked_sub(1).filter(|index| *index < 2 * u64::from(MAX_PAIRS))?;
    Some((&place.plan, Slot::of(index)))
}

/// Returns the names of A and B in a game of two seats.
fn names(record: &Record, slot: Slot) -> Option<[String; 2]> {
    let [zero, one] = record.seats.as_slice() else { return None };
    let seats = [zero, one];
    Some([slot.game, 1 - slot.game].map(|seat| seats[seat].bot.clone()))
}

/// Returns a program for a bot of which only the name is known.
fn unknown() -> Program {
    Program::Bundled { bot: String::new(), options: Options::default() }
}

/// The host of games that have already been played.
struct LogHost<'a> {
    game: String,
    rules: String,
    contest: Option<ContestHost<'a>>,
}

impl Host for LogHost<'_> {
    fn game(&self) -> &str {
        &self.game
    }

    fn seats(&self) -> RangeInclusive<usize> {
        2..=2
    }

    fn seat_name(&self, seat: usize) -> String {
        self.contest.as_ref().map_or_else(|| format!("seat {seat}"), |host| host.seat_name(seat))
    }

    /// Returns the contest's criterion. With an external referee, only places count.
    fn ranked_by(&self) -> RankedBy {
        self.contest.as_ref().map_or(RankedBy::Wins, ContestHost::ranked_by)
    }

    fn has_points(&self) -> bool {
        self.contest.is_some()
    }

    fn conditions(&self, bots: &[&Entrant]) -> PlayedUnder {
        PlayedUnder {
            timed: vec![false; bots.len()],
            rules: self.rules.clone(),
            play_on: true,
            ..PlayedUnder::default()
        }
    }

    fn identity(&self) -> String {
        String::new()
    }

    fn play(&self, _fixture: &Fixture, _stop: &AtomicBool) -> Result<Record, GameError> {
        Err(GameError::void("the games of a log are not played again"))
    }
}
