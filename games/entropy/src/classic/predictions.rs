//! The parameters of ChanceProbCut: how well shallow searches predict deep ones.
//!
//! Fitted on positions of the bot's own games, some moves of them random, in which Chaos is to place a drawn chip, by `cargo run
//! --release -p contender-entropy --example predictions`. In all of them the best line has a slope of 1 and an offset of 0 within its
//! error (the evaluation is learned so that it agrees with deeper searches), so only the standard deviation of the error is kept.

use crate::evaluation::POINT;
use crate::State;
use contender_search::ProbCut;

/// Predictions by the depth that is predicted, as [`LinearGuide::predict`](crate::evaluation::LinearGuide::predict) takes them.
pub type Predictions = [Option<ProbCut>; 8];

/// The first stage: so many chips on the board.
const FIRST: u32 = 3;
/// Chips in a stage.
const STAGE: u32 = 6;

/// For each depth the shallower one that predicts it, and the error's standard deviation at each stage, in points.
const ERRORS: [(usize, u32, [f64; 7]); 4] = [
    (2, 1, [0.6, 0.7, 0.9, 1.2, 1.3, 1.3, 0.9]),
    (3, 1, [0.5, 0.7, 1.1, 1.2, 1.3, 1.2, 1.1]),
    (4, 2, [0.6, 0.6, 0.7, 0.8, 0.7, 0.8, 0.6]),
    (5, 3, [0.6, 0.6, 0.7, 0.8, 0.7, 0.8, 0.6]),
];

/// The predictions in the neighbourhood of a state.
pub fn predictions(state: &State) -> Predictions {
    let stage = (state.placed().saturating_sub(FIRST) / STAGE).min(6) as usize;
    let mut predictions = [None; 8];
    for (deep, depth, sigmas) in ERRORS {
        let sigma = sigmas[stage] * f64::from(POINT);
        predictions[deep] = Some(ProbCut { depth, slope: 1.0, offset: 0.0, sigma });
    }
    predictions
}
