//! Tunings that cannot be begun or continued.

use contender_play::EntrantError;
use contender_referee::SetupError;

/// The reason why a tuning cannot be begun, or cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// A key of the recipe has an invalid value, or contradicts another key.
    #[error("{0}")]
    Recipe(String),
    /// The bot has nothing that can be tuned as the recipe says.
    #[error("{0}")]
    Bot(String),
    /// A parameter's range is invalid, or does not fit the bot's setting.
    #[error("parameter `{name}`: {reason}")]
    Parameter {
        /// Its name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A bot that cannot take part.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// Games that cannot be set up as the recipe says.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The first pairs all ended the same.
    #[error(
        "all of the first {pairs} pairs ended the same, so there is nothing to learn\nhint: the parameters may have \
         no effect, or the games no randomness; `rules` or `openings` add some"
    )]
    NothingToLearn {
        /// Their number.
        pairs: u64,
    },
    /// The recipe's games do not reach its precision.
    #[error(
        "{games} games are too few for a precision of {precision} {unit}: {needed} are needed (a pair's standard \
         deviation is {noise:.1}); {games} games reach {reached:.1}"
    )]
    TooFewGames {
        /// The recipe's games.
        games: u64,
        /// Its precision.
        precision: f64,
        /// The unit of the precision.
        unit: &'static str,
        /// The games that it takes.
        needed: u64,
        /// The standard deviation of a pair.
        noise: f64,
        /// The precision that the recipe's games reach.
        reached: f64,
    },
    /// SPSA was chosen for a parameter with several words.
    #[error(
        "SPSA needs numbers, but `{0}` has several words without an order: choose two of them with `words`, or use \
         `method = \"surface\"`"
    )]
    WordsForSpsa(String),
    /// The bot fails too often: the number of failures, their values, and the first one.
    #[error("{0}")]
    Failing(String),
    /// Results that are not those of the requested pairs.
    #[error("{0}")]
    Results(String),
}
