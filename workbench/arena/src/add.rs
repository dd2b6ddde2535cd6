//! Games from earlier runs, which count when a match or a rotation resumes.

use contender_play::Record;

/// The reason why a recorded game cannot be added to a match or a rotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddError {
    /// The record is not from a match.
    #[error("not a game from a match")]
    NoMatch,
    /// The game belongs to a different match.
    #[error("a game from a different match (other bots, referee, seed or conditions)")]
    AnotherMatch,
    /// The number of the recorded game is higher than the number of games in the match.
    #[error("game {game}, but the match has only {games} games")]
    TooFewGames {
        /// The number of the recorded game, starting at 1.
        game: u64,
        /// The number of games in the match.
        games: u64,
    },
    /// The game has already been counted.
    #[error("a duplicate of game {game}")]
    Duplicate {
        /// The number of the game, starting at 1.
        game: u64,
    },
}

/// Returns the index of a recorded game in the match with this fingerprint and this number of games.
pub(crate) fn index(record: &Record, fingerprint: &str, games: u64) -> Result<u64, AddError> {
    let place = record.in_match.as_ref().ok_or(AddError::NoMatch)?;
    if place.plan != fingerprint {
        return Err(AddError::AnotherMatch);
    }
    let index = place.game.checked_sub(1).filter(|&index| index < games);
    index.ok_or(AddError::TooFewGames { game: place.game, games })
}
