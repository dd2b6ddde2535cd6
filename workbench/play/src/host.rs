//! Hosts of games: the built-in referee, another program, or other machines. Code that schedules games uses only this
//! interface.

use crate::{Entrant, Fixture, Job, Machine, Record, share_out};
use serde::{Deserialize, Serialize};
use std::ops::{ControlFlow, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The reason why a game has no result. No bot is to blame.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum GameError {
    /// The game was stopped from outside.
    #[error("the game was stopped")]
    Stopped,
    /// This machine is short of a resource at the moment. A retry may succeed.
    #[error("{0}")]
    Busy(String),
    /// The referee, its rules or its command is at fault.
    #[error("{reason}{}", again(repeat.as_deref()))]
    Void {
        /// The reason, for the user.
        reason: String,
        /// A command that reproduces the problem.
        repeat: Option<String>,
        /// Whether a retry would be a waste of time.
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
    /// Returns the error for a game that cannot be played, no matter how often it is retried.
    #[must_use]
    pub fn void(reason: impl Into<String>) -> GameError {
        GameError::Void { reason: reason.into(), repeat: None, is_final: true }
    }
}

/// The criterion that decides which of two bots is better, as in the game's contest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RankedBy {
    /// The contest adds up points, so the mean pair difference decides.
    #[default]
    Points,
    /// The contest counts wins, so the mean score of the pairs decides.
    Wins,
    /// Two bots take turns in one seat against the same opponents. The mean difference between their normalised ranks
    /// decides (1 for the first place, 0 for the last).
    Rank,
}

/// The conditions of games, for reports. Limits are in seconds, and `None` means that there is no limit.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedUnder {
    /// Limit for the first answer in a game, if it differs from `turn_seconds`.
    pub first_turn_seconds: Option<f64>,
    /// Limit for every answer.
    pub turn_seconds: Option<f64>,
    /// Limit for all answers in a game together.
    pub game_seconds: Option<f64>,
    /// Tolerance for late answers.
    pub margin_seconds: f64,
    /// Number of nodes or iterations per move of a bundled bot.
    pub nodes: Option<u64>,
    /// Whether the limits apply to each bot. By default, bundled bots with a node budget have no clock.
    pub timed: Vec<bool>,
    /// Rule variants as `key=value,key=value`.
    pub rules: String,
    /// Whether games continue after a failure, as far as the contest's rules allow.
    pub play_on: bool,
    /// Number of games at a time.
    pub jobs: usize,
}

/// A referee, program or cluster that can play games.
pub trait Host: Sync {
    /// Returns the game's name in records and reports.
    fn game(&self) -> &str;

    /// Returns the possible numbers of bots in a game.
    fn seats(&self) -> RangeInclusive<usize>;

    /// Returns the name of a seat.
    fn seat_name(&self, seat: usize) -> String {
        format!("seat {seat}")
    }

    /// Returns the criterion that decides which of two bots is better.
    fn ranked_by(&self) -> RankedBy;

    /// Returns whether the points contain more information than the order of the bots.
    fn has_points(&self) -> bool;

    /// Returns the conditions under which these bots play.
    fn conditions(&self, bots: &[&Entrant]) -> PlayedUnder;

    /// Returns a text that describes everything that affects a game, except the bots and seeds of its fixture: hosts
    /// with equal texts play equal games. Logs contain a hash of this text.
    fn identity(&self) -> String;

    /// Returns the total CPU time that bots have used while they waited for their next game.
    fn idle_cpu(&self) -> Duration {
        Duration::ZERO
    }

    /// Converts a random number into a seed that the host's games accept.
    fn seed(&self, random: u64) -> u64 {
        random
    }

    /// Returns notes about the games that were played, as sentences without a full stop.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the game in a form that another machine can play.
    ///
    /// # Errors
    /// Returns an error if the games can only be played on this machine.
    fn job(&self, _fixture: &Fixture) -> Result<Job, GameError> {
        let game = self.game();
        Err(GameError::void(format!(
            "games of {game} can only be played on this machine\nhint: leave out `--on`"
        )))
    }

    /// Plays a game for another machine, which reads the answer with [`Host::read_answer`]. `machine` describes this
    /// machine and is called after the game.
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

    /// Parses the answer of another machine that has played a game of this host.
    ///
    /// # Errors
    /// Returns an error if the game has no result, or if the answer belongs to another game.
    fn read_answer(&self, fixture: &Fixture, answer: &str) -> Result<Record, GameError> {
        match Record::from_json(answer) {
            Ok(record) if record.seed == fixture.seed => Ok(record),
            Ok(_) => Err(GameError::void("a worker sent the result of another game")),
            Err(error) => Err(GameError::void(format!("a worker sent an invalid game: {error}"))),
        }
    }

    /// Plays one game. Another thread can set `stop` to end the game early.
    ///
    /// # Errors
    /// Returns an error if the game has no result.
    fn play(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<Record, GameError>;

    /// Plays the games 0 to `games - 1` on `threads` threads (at least 1), and passes each result to `collect`, as
    /// [`share_out`] does. Skips games for which `fixture` returns `None`, and omits games that `stop` ends early.
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

/// Plays games as [`Host::play_all`] does, on threads of this process.
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

/// Plays a game and turns a panic into an error, so that the results of earlier games are not lost.
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
