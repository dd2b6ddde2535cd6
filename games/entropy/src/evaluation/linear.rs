//! The linear evaluation, with the tables that make repeated calls fast.

use super::predictions::{Prediction, LINEAR};
use super::{Observer, Value, Weights};
use crate::State;

/// The linear evaluation, which has an [`Observer`] and [`Weights`].
#[derive(Clone)]
pub struct Linear {
    observer: Observer,
    weights: Weights,
}

impl From<Weights> for Linear {
    fn from(weights: Weights) -> Linear {
        Linear { observer: Observer::new(), weights }
    }
}

impl Value for Linear {
    const PREDICTIONS: &'static [Prediction] = LINEAR;

    fn value(&mut self, turn: usize, state: &State) -> i32 {
        let inputs = self.observer.inputs(state);
        self.weights.value(turn, state.score(), &inputs)
    }
}
