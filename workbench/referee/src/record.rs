//! What is known of a game when it is over.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How a player's part in a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It played to the end.
    Normal,
    /// An answer that is not a legal move, with the judge's reason.
    Illegal(String),
}

/// One seat of a finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatReport {
    /// How its part ended.
    pub ending: Ending,
    /// How many questions it answered.
    pub answers: u32,
    /// Wall-clock time from question to answer, over all answers.
    pub wall: Duration,
    /// The slowest answer.
    pub slowest: Duration,
    /// CPU time of the process, if it is external and the system tells.
    pub cpu: Option<Duration>,
    /// The end of what an external bot wrote to standard error, at most [`Referee::stderr_tail`](crate::Referee) bytes.
    pub stderr: String,
}

/// One finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// The contest's name.
    pub game: String,
    /// The luck it was played with.
    pub seed: u64,
    /// Names of the entrants by seat.
    pub players: [String; 2],
    /// What was fixed before the first move.
    pub setup: Vec<String>,
    /// All moves in the judge's notation.
    pub moves: Vec<String>,
    /// Contest points by seat.
    pub points: [i32; 2],
    /// Seat by seat, how it went.
    pub seats: [SeatReport; 2],
    /// Whether the game was stopped from outside: its points count for nothing.
    pub interrupted: bool,
}
