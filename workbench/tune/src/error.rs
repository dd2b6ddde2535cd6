//! The errors of tuning runs.

use contender_foreign::ForeignError;
use contender_play::EntrantError;
use contender_referee::SetupError;

/// The reason why a tuning run cannot start or resume.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// A key in the recipe has an invalid value or contradicts another key.
    #[error("{0}")]
    Recipe(String),
    /// The bot lacks a parameter that the recipe names.
    #[error("{0}")]
    Bot(String),
    /// The range of a parameter is invalid or does not match the bot's setting.
    #[error("parameter `{name}`: {reason}")]
    Parameter {
        /// The parameter's name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// An invalid bot.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// The external referee cannot be used.
    #[error(transparent)]
    Referee(#[from] ForeignError),
    /// The games cannot be set up as the recipe requires.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// All of the first pairs ended with the same result.
    #[error(
        "all of the first {pairs} pairs ended with the same result, so there is nothing to learn\nhint: \
         either the parameters have no effect, or the games have no randomness, which you can add with \
         `rules` or `openings`"
    )]
    NothingToLearn {
        /// Number of pairs that were played.
        pairs: u64,
    },
    /// The number of games in the recipe is too low for the precision.
    #[error(
        "a precision of {precision} {unit} needs {needed} games, but the recipe has only {games}, which \
         reach a precision of {reached:.1} (a pair's standard deviation is {noise:.1})"
    )]
    TooFewGames {
        /// Number of games in the recipe.
        games: u64,
        /// The recipe's precision.
        precision: f64,
        /// The unit of the precision.
        unit: &'static str,
        /// Number of games that the precision needs.
        needed: u64,
        /// The standard deviation of a pair's signal.
        noise: f64,
        /// The precision that the recipe's games reach.
        reached: f64,
    },
    /// SPSA is selected for a parameter with more than two words.
    #[error(
        "SPSA needs numbers, but `{0}` has several words without an order: choose two of them with `words`, or use \
         `method = \"surface\"`"
    )]
    WordsForSpsa(String),
    /// The bot fails too often. The text contains the number of failures, the settings that cause them, and the first
    /// failure.
    #[error("{0}")]
    Failing(String),
    /// The results do not match the requested pairs.
    #[error("{0}")]
    Results(String),
}
