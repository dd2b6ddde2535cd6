//! The interface of an evaluation.

use super::Prediction;
use crate::State;

/// A function that evaluates a state before the game is over.
pub trait Value: Clone + Send {
    /// How well shallow searches predict deep searches with this evaluation.
    const PREDICTIONS: &'static [Prediction];

    /// Returns the expected final score of a state at decision `turn`, in thousandths of a point.
    fn value(&mut self, turn: usize, state: &State) -> i32;
}
