//! Errors in recipes.

/// The reason why a recipe cannot be trained.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// The program cannot train this kind of evaluation for the game.
    #[error(
        "this program cannot train a {training} for `{game}`; available: {}\nhint: for a custom game, build \
         its program with `--features train` and let it call `contender::{register}`",
        available.join(", ")
    )]
    NotLearned {
        /// The game in the recipe.
        game: String,
        /// The kind of evaluation that the recipe trains.
        training: &'static str,
        /// The games for which the program can train this kind of evaluation.
        available: Vec<&'static str>,
        /// The function that registers a custom game.
        register: &'static str,
    },
    /// A key has a value outside its range.
    #[error("invalid `{key}`: expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// A description of its possible values.
        expected: String,
    },
    /// A part of the recipe is missing, unknown, or has no effect.
    #[error("{0}")]
    Part(String),
    /// A batch of games from another machine that cannot be read.
    #[error("cannot read the batch of games: {0}")]
    Batch(String),
}

impl RecipeError {
    /// Creates the error for a key's value.
    pub(crate) fn value(key: impl Into<String>, expected: impl Into<String>) -> RecipeError {
        RecipeError::Value { key: key.into(), expected: expected.into() }
    }

    /// Returns the error for a key's value if a condition does not hold.
    pub(crate) fn unless(holds: bool, key: &str, expected: &str) -> Result<(), RecipeError> {
        if holds { Ok(()) } else { Err(RecipeError::value(key, expected)) }
    }

    /// Returns this error with the name of the recipe's section added to its key.
    pub(crate) fn within(self, part: &str) -> RecipeError {
        match self {
            RecipeError::Value { key, expected } => {
                RecipeError::Value { key: format!("{part}.{key}"), expected }
            }
            other => other,
        }
    }
}
