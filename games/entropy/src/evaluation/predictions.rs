//! The parameters of ChanceProbCut: how well shallow searches with an evaluation predict deep ones.
//!
//! Fitted on positions of games with the evaluation, some moves of them random, before a chip is drawn, by
//! `cargo run --release -p contender-entropy --example predictions`. Lines of least squares have slopes near 1, because
//! evaluations are learned so that they agree with deeper searches; so slopes are 1 here.

use super::POINT;
use crate::State;
use contender_search::ProbCut;

/// A prediction of the searches of one depth below chance nodes from shallower ones.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// The depth that is predicted, 1 to 7.
    pub deep: u32,
    /// The depth of the search that predicts, 0 for the evaluation alone.
    pub shallow: u32,
    /// Mean excess of the deep search's values, in points.
    pub offset: f64,
    /// The standard deviation of the difference at each stage of the game, in points.
    pub sigmas: [f64; STAGES],
}

/// Predictions are of searches of depths below this.
pub const MAX_DEPTH: usize = 8;
/// Number of stages of a game.
pub const STAGES: usize = 7;

/// Number of chips on the board at the start of the first stage; earlier positions count to it.
const FIRST: u32 = 3;
/// Number of chips of a stage; the last one continues to the end.
const STAGE: u32 = 6;

impl Prediction {
    /// Returns the prediction in the neighbourhood of a state.
    #[must_use]
    pub fn near(&self, state: &State) -> ProbCut {
        let stage = (state.placed().saturating_sub(FIRST) / STAGE) as usize;
        let units = |points: f64| points * f64::from(POINT);
        ProbCut {
            depth: self.shallow,
            slope: 1.0,
            offset: units(self.offset),
            sigma: units(self.sigmas[stage.min(STAGES - 1)]),
        }
    }
}

const fn prediction(deep: u32, shallow: u32, offset: f64, sigmas: [f64; STAGES]) -> Prediction {
    Prediction { deep, shallow, offset, sigmas }
}

/// Those of the linear evaluation. Depth 5 is taken to be predicted as well as depth 4.
pub(super) const LINEAR: &[Prediction] = &[
    prediction(2, 1, -0.1, [0.3, 0.5, 0.6, 0.6, 0.7, 0.7, 0.7]),
    prediction(3, 1, 0.0, [0.4, 0.5, 0.6, 0.6, 0.7, 0.8, 0.8]),
    prediction(4, 2, 0.0, [0.3, 0.4, 0.5, 0.5, 0.5, 0.6, 0.6]),
    prediction(5, 3, 0.0, [0.3, 0.4, 0.5, 0.5, 0.5, 0.6, 0.6]),
];

/// Those of the network, whose values of a state alone predict searches of depth 2 as well as searches of depth 1 do.
/// Depths 5 and 6 are taken to be predicted as well as depth 4.
pub(super) const NETWORK: &[Prediction] = &[
    prediction(1, 0, -0.5, [0.3, 0.5, 0.9, 0.8, 0.6, 0.9, 1.2]),
    prediction(2, 0, -0.1, [0.3, 0.4, 0.6, 0.8, 0.7, 0.9, 0.9]),
    prediction(3, 1, 0.0, [0.3, 0.5, 0.6, 0.7, 0.6, 0.7, 0.8]),
    prediction(4, 2, 0.0, [0.3, 0.3, 0.6, 0.5, 0.4, 0.5, 0.7]),
    prediction(5, 3, 0.0, [0.3, 0.3, 0.6, 0.5, 0.4, 0.5, 0.7]),
    prediction(6, 4, 0.0, [0.3, 0.3, 0.6, 0.5, 0.4, 0.5, 0.7]),
];
