//! The games that a program has registered for training.

use crate::RecipeError;
use std::sync::{Mutex, PoisonError};

/// A map from the names of registered games to their functions for one kind of training.
pub struct Registry<T> {
    games: Mutex<Vec<(&'static str, T)>>,
    /// The kind of evaluation that is trained, for messages.
    training: &'static str,
    /// The name of the function with which a program registers a game.
    register: &'static str,
}

impl<T: Copy> Registry<T> {
    /// Creates a registry without games.
    pub const fn new(training: &'static str, register: &'static str) -> Registry<T> {
        Registry { games: Mutex::new(Vec::new()), training, register }
    }

    /// Adds a game.
    pub fn push(&self, game: &'static str, training: T) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).push((game, training));
    }

    /// Returns the functions of a registered game.
    ///
    /// # Errors
    /// Returns an error that lists the registered games if this game is not registered.
    pub fn find(&self, name: &str) -> Result<T, RecipeError> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.iter().find(|(game, _)| *game == name).map(|&(_, training)| training).ok_or_else(|| {
            RecipeError::NotLearned {
                game: name.to_string(),
                training: self.training,
                available: games.iter().map(|&(game, _)| game).collect(),
                register: self.register,
            }
        })
    }
}
