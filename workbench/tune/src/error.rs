//! The errors of tuning runs.

use contender_foreign::ForeignError;
use contender_play::EntrantError;
use contender_referee::SetupError;

/// The reason why a tuning run cannot start or resume.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// A key of the recipe has an invalid value, or contradicts another key.
    #[error("{0}")]
    Recipe(String),
    /// The bot does not have all parameters of the recipe.
    #[error("{0}")]
    Bot(String),
    /// A parameter's range is invalid, or does not fit the bot's setting.
    #[error("parameter `{name}`: {reason}")]
    Parameter {
        /// The parameter's name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A bot that cannot take part.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// The external referee cannot be used.
    #[error(transparent)]
    Referee(#[from] ForeignError),
    /// The games cannot be set up as the recipe requires.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The first pairs all ended with the same result.
    #[error(
        "all of the first {pairs} pairs ended with the same result, so there is nothing to learn\nhint: the \
         parameters may have no effect, or the games may have no randomness, which `rules` or `openings` can add"
    )]
    NothingToLearn {
        /// Number of the pairs that were played.
        pairs: u64,
    },
    /// The recipe has too few games for its precision.
    #[error(
        "{games} games are too few for a precision of {precision} {unit}: {needed} are needed (a pair's standard \
         deviation is {noise:.1}); {games} games reach {reached:.1}"
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
    /// SPSA was chosen for a parameter with more than two words.
    #[error(
        "SPSA needs numbers, but `{0}` has several words without an order: choose two of them with `words`, or use \
         `method = \"surface\"`"
    )]
    WordsForSpsa(String),
    /// The bot fails too often; the text contains the number of failures, the settings at which the bot fails, and the
    /// first failure.
    #[error("{0}")]
    Failing(String),
    /// The results do not match the requested pairs.
    #[error("{0}")]
    Results(String),
}
