//! The parameters of ChanceProbCut: how well shallow searches with an evaluation predict deep searches.
//!
//! The parameters were fitted with `cargo run --release -p contender-entropy --example predictions`. The data are
//! positions before a draw, from games with the evaluation and some random moves. Least-squares fits have slopes near
//! 1, because evaluations are trained to agree with deeper searches. So all slopes are 1 here.

use super::POINT;
use crate::State;
use contender_search::ProbCut;

/// A prediction, from shallower searches, for searches of one depth below chance nodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// The predicted depth, 1 to 7.
    pub deep: u32,
    /// The depth of the predicting search; 0 means the evaluation alone.
    pub shallow: u32,
    /// The mean difference between the values of the deep search and of the shallow search, in points.
    pub offset: f64,
    /// For each stage of the game, the standard deviation of this difference, in points.
    pub sigmas: [f64; STAGES],
}

/// Upper bound for the depths of predicted searches.
pub const MAX_DEPTH: usize = 8;
/// Number of stages of a game.
pub const STAGES: usize = 7;

/// Number of chips on the board at the start of the first stage. Earlier positions also belong to this stage.
const FIRST: u32 = 3;
/// Number of chips per stage. The last stage continues to the end of the game.
const STAGE: u32 = 6;

impl Prediction {
    /// Returns the prediction for states near `state`.
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

/// The predictions for the linear evaluation. Depth 5 is assumed to be predicted as well as depth 4.
pub(super) const LINEAR: &[Prediction] = &[
    prediction(2, 1, -0.1, [0.3, 0.5, 0.6, 0.6, 0.7, 0.7, 0.7]),
    prediction(3, 1, 0.0, [0.4, 0.5, 0.6, 0.6, 0.7, 0.8, 0.8]),
    prediction(4, 2, 0.0, [0.3, 0.4, 0.5, 0.5, 0.5, 0.6, 0.6]),
    prediction(5, 3, 0.0, [0.3, 0.4, 0.5, 0.5, 0.5, 0.6, 0.6]),
];

/// A prediction, from shallower searches, for searches of one depth below chance nodes.
pub(super) const NETWORK: &[Prediction] = &[
    prediction(1, 0, -0.5, [0.3, 0.5, 0.9, 0.8, 0.6, 0.9, 1.2]),
    prediction(2, 0, -0.1, [0.3, 0.4, 0.6, 0.8, 0.7, 0.9, 0.9]),
    prediction(3, 1, 0.0, [0.3, 0.5, 0.6, 0.7, 0.6, 0.7, 0.8]),
    prediction(4, 2, 0.0, [0.3, 0.3, 0.6, 0.5, 0.4, 0.5, 0.7]),
    prediction(5, 3, 0.0, [0.3, 0.3, 0.6, 0.5, 0.4, 0.5, 0.7]),
    prediction(6, 4, 0.0, [0.3, 0.3, 0.6, 0.5, 0.4, 0.5, 0.7]),
];
