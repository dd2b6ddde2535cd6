//! Custom games that a program registers before it reads a recipe.

use std::sync::{Mutex, PoisonError};

/// Own games, each as a way of learning knows it.
pub struct Registry<T>(Mutex<Vec<T>>);

impl<T: Copy> Registry<T> {
    /// None.
    pub const fn new() -> Registry<T> {
        Registry(Mutex::new(Vec::new()))
    }

    /// Adds one.
    pub fn push(&self, game: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(game);
    }

    /// All so far.
    pub fn all(&self) -> Vec<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
