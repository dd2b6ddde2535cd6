//! Hosts, which play games: the built-in referee, an external referee, or other machines. Code that schedules games
//! uses only this interface.

use crate::{Entrant, Fixture, Job, Machine, Record, share_out};
use serde::{Deserialize, Serialize};
use std::ops::{ControlFlow, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The reason why a game has no result, through no fault of the bots.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum GameError {
    /// The game was stopped from outside.
    #[error("the game was stopped")]
    Stopped,
    /// The machine temporarily lacks a resource. A retry may succeed.
    #[error("{0}")]
    Busy(String),
    /// The referee, its rules or its command caused the problem.
    #[error("{reason}{}", again(repeat.as_deref()))]
    Void {
        /// The reason, for the user.
        reason: String,
        /// A command that reproduces the problem.
        repeat: Option<String>,
        /// Whether retrying is pointless.
        is_final: bool,
    },
    /// A judge or referee of the workbench panicked.
    #[error("{0}; this is a bug")]
    Bug(String),
}

fn again(repeat: Option<&str>) -> String {
    repeat.map_or(String::new(), |repeat| format!("; again: {repeat}"))
}

impl GameError {
    /// Creates the error for a game that cannot be played, however often it is retried.
    #[must_use]
    pub fn void(reason: impl Into<String>) -> GameError {
        GameError::Void { reason: reason.into(), repeat: None, is_final: true }
    }
}

/// The criterion by which the contest decides which of two bots is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RankedBy {
    /// Points: the mean pair difference decides, because the contest adds up points.
    #[default]
    Points,
    /// Wins: the mean score of the pairs decides, because the contest counts wins.
    Wins,
    /// Ranks: two bots play in the same seat against the same opponents, and the mean difference between their
    /// normalised ranks decides (1 for first place, 0 for last place).
    Rank,
}

/// The conditions of games, for reports. Limits are in seconds; `None` means no limit.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedUnder {
    /// Time limit for the first answer in a game, if it differs from `turn_seconds`.
    pub first_turn_seconds: Option<f64>,
    /// Time limit per answer.
    pub turn_seconds: Option<f64>,
    /// Time limit for all answers of a game together.
    pub game_seconds: Option<f64>,
    /// The tolerance for late answers.
    pub margin_seconds: f64,
    /// Maximum number of nodes or iterations per move of a bundled bot.
    pub nodes: Option<u64>,
    /// For each bot, whether the time limits apply. By default, they do not apply to bundled bots with a node budget.
    pub timed: Vec<bool>,
    /// The rule variants as `key=value,key=value`.
    pub rules: String,
    /// Whether games continue after a failure, if the contest's rules allow this.
    pub play_on: bool,
    /// Number of games at a time.
    pub jobs: usize,
}

/// A referee, program or cluster that can play games.
pub trait Host: Sync {
    /// Returns the name of the game in records and reports.
    fn game(&self) -> &str;

    /// Returns the range of possible numbers of bots in a game.
    fn seats(&self) -> RangeInclusive<usize>;

    /// Returns the name of a seat.
    fn seat_name(&self, seat: usize) -> String {
        format!("seat {seat}")
    }

    /// Returns the criterion that decides which of two bots is better.
    fn ranked_by(&self) -> RankedBy;

    /// Returns whether points show more than the order of the bots.
    fn has_points(&self) -> bool;

    /// Returns the conditions under which games between these bots are played.
    fn conditions(&self, bots: &[&Entrant]) -> PlayedUnder;

    /// Returns a text that describes everything that affects games, except the bots and the seeds. Hosts with the same
    /// text play the same games. Logs contain a hash of this text.
    fn identity(&self) -> String;

    /// Returns the total CPU time that bots have used between games.
    fn idle_cpu(&self) -> Duration {
        Duration::ZERO
    }

    /// Converts a random number to a seed that is valid for the host's games.
    fn seed(&self, random: u64) -> u64 {
        random
    }

    /// Returns notes about the played games. Each note is a sentence without a full stop.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Converts a game to a job for another machine.
    ///
    /// # Errors
    /// Returns an error if the host's games can only be played on this machine.
    fn job(&self, _fixture: &Fixture) -> Result<Job, GameError> {
        let game = self.game();
        Err(GameError::void(format!(
            "games of {game} can only be played on this machine\nhint: run the command without `--on`"
        )))
    }

    /// Plays a game for another machine, which will parse the answer with [`Host::read_answer`]. The closure `machine`
    /// describes this machine and is called after the game.
    ///
    /// # Errors
    /// Returns an error if the game has no result.
    fn answer(
        &self,
        fixture: &Fixture,
        machine: &dyn Fn() -> Machine,
        stop: &AtomicBool,
    ) -> Result<String, GameError> {
        let record = self.play(fixture, stop)?;
        Ok(Record { machine: Some(machine()), ..record }.to_json())
    }

    /// Parses the answer from another machine that played a game for this host.
    ///
    /// # Errors
    /// Returns an error if the game has no result, or if the answer belongs to a different game.
    fn read_answer(&self, fixture: &Fixture, answer: &str) -> Result<Record, GameError> {
        match Record::from_json(answer) {
            Ok(record) if record.seed == fixture.seed => Ok(record),
            Ok(_) => Err(GameError::void("a worker sent the result of a different game")),
            Err(error) => Err(GameError::void(format!("a worker sent an invalid result: {error}"))),
        }
    }

    /// Plays one game. Another thread can set `stop` to end the game early.
    ///
    /// # Errors
    /// Returns an error if the game has no result.
    fn play(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<Record, GameError>;

    /// Plays the games 0 to `games - 1` on `threads` threads (at least 1), and passes each result to `collect`, as
    /// [`share_out`] does. Skips games for which `fixture` returns `None`, and omits games that are interrupted by
    /// `stop`.
    fn play_all(
        &self,
        threads: usize,
        games: u64,
        fixture: &(dyn Fn(u64) -> Option<Fixture> + Sync),
        stop: &AtomicBool,
        collect: &mut dyn FnMut(u64, Result<Record, GameError>) -> ControlFlow<()>,
    ) {
        play_on_threads(self, threads, games, fixture, stop, collect);
    }
}

/// Plays games like [`Host::play_all`], on threads of this process.
pub fn play_on_threads(
    host: &(impl Host + ?Sized),
    threads: usize,
    games: u64,
    fixture: &(dyn Fn(u64) -> Option<Fixture> + Sync),
    stop: &AtomicBool,
    collect: &mut dyn FnMut(u64, Result<Record, GameError>) -> ControlFlow<()>,
) {
    let play = |index: u64| match play_safely(host, &fixture(index)?, stop) {
        Err(GameError::Stopped) => None,
        result => Some(result),
    };
    share_out(threads, games, stop, play, collect);
}

/// Plays a game and converts a panic to an error, so that the results of earlier games are not lost.
///
/// # Errors
/// Returns an error if the game has no result.
pub fn play_safely(
    host: &(impl Host + ?Sized),
    fixture: &Fixture,
    stop: &AtomicBool,
) -> Result<Record, GameError> {
    catch_unwind(AssertUnwindSafe(|| host.play(fixture, stop)))
        .unwrap_or_else(|_| Err(GameError::Bug("the referee panicked".to_string())))
}
