//! The parameters of ChanceProbCut: how well shallow searches predict deep ones.
//!
//! Fitted on positions of the bot's own games, some moves of them random, in which Chaos is to place a drawn chip, by `cargo run
//! --release -p contender-entropy --example predictions`. With two sets of weights the lines of least squares have slopes between 0.9
//! and 1.05 and pass near the middle of the diagonal, because the evaluation is learned so that it agrees with deeper searches; so
//! slopes are 1 here. Depth 5 is taken to be predicted as well as depth 4.

use crate::evaluation::POINT;
use crate::State;
use contender_search::ProbCut;

/// Predictions by the depth that is predicted, as [`LinearGuide::predict`](crate::evaluation::LinearGuide::predict) takes them.
pub type Predictions = [Option<ProbCut>; 8];

/// The first stage: so many chips on the board.
const FIRST: u32 = 3;
/// Chips in a stage.
const STAGE: u32 = 6;

/// For each depth the shallower one that predicts it, the offset, and the error's standard deviation at each stage, in points.
const ERRORS: [(usize, u32, f64, [f64; 7]); 4] = [
    (2, 1, 0.4, [1.4, 1.1, 1.0, 1.2, 1.3, 1.1, 1.2]),
    (3, 1, 0.1, [1.5, 0.9, 0.9, 1.0, 1.1, 1.1, 1.2]),
    (4, 2, 0.0, [0.9, 0.7, 0.6, 0.7, 0.8, 1.0, 1.1]),
    (5, 3, 0.0, [0.9, 0.7, 0.6, 0.7, 0.8, 1.0, 1.1]),
];

/// The predictions in the neighbourhood of a state.
pub fn predictions(state: &State) -> Predictions {
    let stage = (state.placed().saturating_sub(FIRST) / STAGE).min(6) as usize;
    let mut predictions = [None; 8];
    for (deep, depth, offset, sigmas) in ERRORS {
        let units = |points: f64| points * f64::from(POINT);
        predictions[deep] =
            Some(ProbCut { depth, slope: 1.0, offset: units(offset), sigma: units(sigmas[stage]) });
    }
    predictions
}
