//! The interface of an evaluation.

use super::Prediction;
use crate::State;

/// A function that evaluates states in which the game is not over.
pub trait Value: Clone + Send {
    /// Parameters that show how well shallow searches predict deep searches with this evaluation.
    const PREDICTIONS: &'static [Prediction];

    /// Returns the expected final score of a state at decision `turn`, in thousandths of a point.
    fn value(&mut self, turn: usize, state: &State) -> i32;
}
