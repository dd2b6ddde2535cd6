//! Errors for recorded games that cannot be replayed.

use contender_play::{Record, RecordError};

/// The reason why a recorded game cannot be replayed or reviewed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A malformed or illegal game in a file. The message contains its place in the file and the reason.
    #[error("{0}")]
    Malformed(String),
    /// A game whose moves Contender does not know because another referee played it.
    #[error("{reason}")]
    WithoutMoves {
        /// A message with the game's place in the file, the reason, and a hint.
        reason: String,
        /// The record of the game, which has no moves.
        record: Box<Record>,
    },
    /// An unknown game, bot or option, with the contest's message.
    #[error("{0}")]
    Unknown(String),
    /// The record and the rules contradict each other.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A move that the rules do not allow.
    #[error("turn {turn}{}: {reason}", .text.as_ref().map_or(String::new(), |text| format!(" `{text}`")))]
    Turn {
        /// The number of the move, counted from 1.
        turn: usize,
        /// The move, unless another message already shows it.
        text: Option<String>,
        /// The reason why the move is illegal.
        reason: String,
    },
    /// A game that cannot be reviewed.
    #[error("game {game}{}{error}", if matches!(**error, ReplayError::Turn { .. }) { ", " } else { ": " })]
    Game {
        /// The number of the game, counted from 1.
        game: usize,
        /// The error in this game.
        error: Box<ReplayError>,
    },
    /// A game of another contest than the reviewed one.
    #[error("this is a game of {found}, not of {wanted}")]
    OtherGame {
        /// The game in the record.
        found: String,
        /// The reviewed game.
        wanted: &'static str,
    },
    /// A seed that leads to a different setup than the recorded one, so the replayed positions would be wrong.
    #[error("its seed gives a setup that differs from the recorded one")]
    OtherSetup,
}

impl ReplayError {
    /// Adds the number of the game to an error. `game` is counted from 0.
    pub(crate) fn in_game(self, game: usize) -> ReplayError {
        ReplayError::Game { game: game + 1, error: Box::new(self) }
    }
}
