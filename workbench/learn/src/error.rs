//! The errors of recipes that cannot be trained.

/// The reason why a recipe cannot be trained.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// The program cannot train this kind of evaluation for the game.
    #[error(
        "no {training} of `{game}` in this program; available: {}\nhint: a custom game has it if its program is built \
         with `--features train` and calls `contender::{register}`",
        available.join(", ")
    )]
    NotLearned {
        /// The game of the recipe.
        game: String,
        /// The kind of evaluation that the recipe would train.
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
    /// A batch of games from another machine cannot be read.
    #[error("cannot read the batch of games: {0}")]
    Batch(String),
}

impl RecipeError {
    /// Creates the error for a key's value.
    pub(crate) fn value(key: impl Into<String>, expected: impl Into<String>) -> RecipeError {
        RecipeError::Value { key: key.into(), expected: expected.into() }
    }

    /// Returns the error for a key's value unless a condition holds.
    pub(crate) fn unless(holds: bool, key: &str, expected: &str) -> Result<(), RecipeError> {
        if holds { Ok(()) } else { Err(RecipeError::value(key, expected)) }
    }

    /// Returns this error with its key inside a section of the recipe.
    pub(crate) fn within(self, part: &str) -> RecipeError {
        match self {
            RecipeError::Value { key, expected } => {
                RecipeError::Value { key: format!("{part}.{key}"), expected }
            }
            other => other,
        }
    }
}
