//! Recorded games that cannot be replayed.

use contender_play::RecordError;

/// The reason why a recorded game cannot be replayed or reviewed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A game of a file is malformed, or against the rules: its place in the file, and the reason.
    #[error("{0}")]
    Malformed(String),
    /// The game, a bot or an option that this program does not know, in the contest's words.
    #[error("{0}")]
    Unknown(String),
    /// The record and the rules contradict each other.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A move that the rules do not allow.
    #[error("turn {turn}{}: {reason}", .text.as_ref().map_or(String::new(), |text| format!(" `{text}`")))]
    Turn {
        /// Its number, from 1.
        turn: usize,
        /// The move, if it is not shown elsewhere.
        text: Option<String>,
        /// The reason.
        reason: String,
    },
    /// A game of several cannot be reviewed.
    #[error("game {game}{}{error}", if matches!(**error, ReplayError::Turn { .. }) { ", " } else { ": " })]
    Game {
        /// Its number, from 1.
        game: usize,
        /// The reason.
        error: Box<ReplayError>,
    },
    /// A game is not of the reviewed contest.
    #[error("it is a game of {found}, not of {wanted}")]
    OtherGame {
        /// The game of the record.
        found: String,
        /// The reviewed game.
        wanted: &'static str,
    },
    /// The seed does not give the recorded setup, so that positions would not be those that were played.
    #[error("its seed gives another setup than the recorded one")]
    OtherSetup,
}

impl ReplayError {
    /// Returns a problem of the game with this number, from 0.
    pub(crate) fn in_game(self, game: usize) -> ReplayError {
        ReplayError::Game { game: game + 1, error: Box::new(self) }
    }
}
