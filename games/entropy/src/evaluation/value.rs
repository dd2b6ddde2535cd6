//! What an evaluation is.

use super::Prediction;
use crate::State;

/// A function that says what a state is worth before the game is over.
pub trait Value: Clone + Send {
    /// How well shallow searches predict deep ones.
    const PREDICTIONS: &'static [Prediction];

    /// The score that a state at decision `turn` should lead to, in thousandths of a point.
    fn value(&mut self, turn: usize, state: &State) -> i32;
}
