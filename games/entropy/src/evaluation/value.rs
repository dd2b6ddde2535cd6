//! The interface of an evaluation.

use super::Prediction;
use crate::State;

/// A function that says what a state is worth before the game is over.
pub trait Value: Clone + Send {
    /// The accuracy of shallow searches as predictors of deep ones.
    const PREDICTIONS: &'static [Prediction];

    /// Returns the score that a state at decision `turn` should lead to, in thousandths of a point.
    fn value(&mut self, turn: usize, state: &State) -> i32;
}
