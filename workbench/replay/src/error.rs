//! Errors for recorded games that cannot be replayed.

use contender_play::{Record, RecordError};

/// The reason why a recorded game cannot be replayed or reviewed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A malformed or illegal game in a file. The message contains its place in the file and the reason.
    #[error("{0}")]
    Malformed(String),
    /// A game whose moves Contender does not know, because another referee played it.
    #[error("{reason}")]
    WithoutMoves {
        /// The game's place in the file, the reason, and a hint.
        reason: String,
        /// The rest of the game.
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
        /// The number of the move, from 1.
        turn: usize,
        /// The move, unless it is already shown elsewhere.
        text: Option<String>,
        /// The reason why the move is illegal.
        reason: String,
    },
    /// A game that cannot be reviewed.
    #[error("game {game}{}{error}", if matches!(**error, ReplayError::Turn { .. }) { ", " } else { ": " })]
    Game {
        /// The number of the game, from 1.
        game: usize,
        /// The error in this game.
        error: Box<ReplayError>,
    },
    /// A game that does not belong to the reviewed contest.
    #[error("this is a game of {found}, not of {wanted}")]
    OtherGame {
        /// The game of the record.
        found: String,
        /// The reviewed game.
        wanted: &'static str,
    },
    /// A seed that leads to another setup than the recorded one, so that the replayed positions would be wrong.
    #[error("its seed gives a setup that differs from the recorded one")]
    OtherSetup,
}

impl ReplayError {
    /// Wraps an error with the number of its game, counted from 0.
    pub(crate) fn in_game(self, game: usize) -> ReplayError {
        ReplayError::Game { game: game + 1, error: Box::new(self) }
    }
}
