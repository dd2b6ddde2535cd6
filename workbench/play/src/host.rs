//! Hosts of games: our referee, another program, or other machines. Schedulers of games know only this interface.

use crate::{Entrant, Fixture, Job, Machine, Record, share_out};
use serde::{Deserialize, Serialize};
use std::ops::{ControlFlow, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The reason why a game has no result. No bot is to blame.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum GameError {
    /// The game was stopped from outside.
    #[error("the game was stopped")]
    Stopped,
    /// This machine is short of something for the moment; another try may succeed.
    #[error("{0}")]
    Busy(String),
    /// The referee, its rules or the way it is called is at fault.
    #[error("{reason}{}", again(repeat.as_deref()))]
    Void {
        /// The reason, for the user.
        reason: String,
        /// The command that shows it again.
        repeat: Option<String>,
        /// Whether a retry would be a waste of time.
        is_final: bool,
    },
    /// A panic of a judge or a referee of ours.
    #[error("{0}; this is a bug")]
    Bug(String),
}

fn again(repeat: Option<&str>) -> String {
    repeat.map_or(String::new(), |repeat| format!("; again: {repeat}"))
}

impl GameError {
    /// Returns a game that cannot be played, however often it is tried.
    #[must_use]
    pub fn void(reason: impl Into<String>) -> GameError {
        GameError::Void { reason: reason.into(), repeat: None, is_final: true }
    }
}

/// The criterion that decides which bot is better, as in the game's contest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RankedBy {
    /// The contest adds up points: the mean pair difference decides.
    #[default]
    Points,
    /// The contest counts wins: the mean score of the pairs decides.
    Wins,
    /// Two bots take turns in one seat against the same opponents: the mean difference of their normalised ranks
    /// decides, 1 for the first place and 0 for the last.
    Rank,
}

/// The conditions of games in reports: limits in seconds, `None` without a limit.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlayedUnder {
    /// For the first answer of a game, if that differs.
    pub first_turn_seconds: Option<f64>,
    /// For every answer.
    pub turn_seconds: Option<f64>,
    /// For all answers of a game together.
    pub game_seconds: Option<f64>,
    /// Tolerance of late answers.
    pub margin_seconds: f64,
    /// Nodes or iterations per move of bundled bots.
    pub nodes: Option<u64>,
    /// Whether the limits apply to each bot: bundled bots with a node budget have no clock by default.
    pub timed: Vec<bool>,
    /// Rule variants, `key=value,key=value`.
    pub rules: String,
    /// Whether games continue after a failure, as far as the contest's rules allow.
    pub play_on: bool,
    /// Number of games at a time.
    pub jobs: usize,
}

/// Somebody who plays games.
pub trait Host: Sync {
    /// Returns the name of the game in records and reports.
    fn game(&self) -> &str;

    /// Returns the possible numbers of bots in a game.
    fn seats(&self) -> RangeInclusive<usize>;

    /// Returns the name of a seat.
    fn seat_name(&self, seat: usize) -> String {
        format!("seat {seat}")
    }

    /// Returns the criterion that decides between two bots.
    fn ranked_by(&self) -> RankedBy;

    /// Returns whether the points of games mean more than the order of the bots.
    fn has_points(&self) -> bool;

    /// Returns the conditions under which these bots play.
    fn conditions(&self, bots: &[&Entrant]) -> PlayedUnder;

    /// Returns a text of all that decides a game besides its fixture: hosts with equal texts play equal games. Logs
    /// keep its hash.
    fn identity(&self) -> String;

    /// CPU time that bots which wait for their next game have used so far.
    fn idle_cpu(&self) -> Duration {
        Duration::ZERO
    }

    /// Returns a seed in the range that its games take, from a random number.
    fn seed(&self, random: u64) -> u64 {
        random
    }

    /// Returns notes about the games played so far, each a sentence without its full stop.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the game in a form that another machine can play.
    ///
    /// # Errors
    /// Games that have to stay on this machine.
    fn job(&self, _fixture: &Fixture) -> Result<Job, GameError> {
        let game = self.game();
        Err(GameError::void(format!(
            "games of {game} can only be played on this machine\nhint: leave out `--on`"
        )))
    }

    /// Plays a game for another machine, which reads the answer by [`Host::read_answer`]. `machine` tells of this one
    /// when the game is over.
    ///
    /// # Errors
    /// The reason why there is no result.
    fn answer(
        &self,
        fixture: &Fixture,
        machine: &dyn Fn() -> Machine,
        stop: &AtomicBool,
    ) -> Result<String, GameError> {
        let record = self.play(fixture, stop)?;
        Ok(Record { machine: Some(machine()), ..record }.to_json())
    }

    /// Reads the answer of another machine that has played a game of this host.
    ///
    /// # Errors
    /// The reason why there is no result, or an answer that belongs to another game.
    fn read_answer(&self, fixture: &Fixture, answer: &str) -> Result<Record, GameError> {
        match Record::from_json(answer) {
            Ok(record) if record.seed == fixture.seed => Ok(record),
            Ok(_) => Err(GameError::void("a worker sent the result of another game")),
            Err(error) => Err(GameError::void(format!("a worker sent an invalid game: {error}"))),
        }
    }

    /// Plays one game. `stop` ends it early from another thread.
    ///
    /// # Errors
    /// The reason why there is no result.
    fn play(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<Record, GameError>;

    /// Plays the games 0 to `games - 1` on `threads` threads, 0 taken as 1, and hands each result to `collect`, as
    /// [`share_out`] does. A game without a fixture is left out, and so is one that `stop` ends early.
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

/// Plays a game, and turns a panic into an error: it must not take down what has been played.
///
/// # Errors
/// The reason why there is no result.
pub fn play_safely(
    host: &(impl Host + ?Sized),
    fixture: &Fixture,
    stop: &AtomicBool,
) -> Result<Record, GameError> {
    catch_unwind(AssertUnwindSafe(|| host.play(fixture, stop)))
        .unwrap_or_else(|_| Err(GameError::Bug("the referee panicked".to_string())))
}
