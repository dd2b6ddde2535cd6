//! The evaluation: the score that a position is worth if both sides play on well.
//!
//! It is a linear function of a few numbers that can be seen on the board ([`inputs`]), with weights of its own for
//! each of the 97 decisions of a game ([`Weights`]), on top of the points that are already there. The inputs are those
//! of Matthijs Tijink's program, second in CodeCup 2023; [`plain`] has their definitions word by word.

mod facts;
mod guide;
mod inputs;
mod linear;
mod maps;
pub mod net;
mod patterns;
pub mod plain;
mod predictions;
mod value;
mod weights;

pub use guide::{LinearGuide, ValueGuide};
pub use inputs::{inputs, Inputs, Observer, INPUTS, NAMES};
pub use linear::Linear;
pub use maps::maps;
pub use net::Net;
pub use patterns::PATTERNS;
pub use predictions::Prediction;
pub use value::Value;
pub use weights::{TurnWeights, Weights, TURNS};

pub use crate::guide::POINT;
use crate::State;
use contender_game::rules::{Game, Player, Turn};

/// Returns a value in points.
#[must_use]
pub fn in_points(value: f64) -> f64 {
    value / f64::from(POINT)
}

/// Returns the number of the next decision, `0..97`: even ones are Chaos's placements, odd ones Order's moves. A state
/// in which a chip must be drawn counts as the placement that follows. `None` when the game is over.
#[must_use]
pub fn decision(state: &State) -> Option<usize> {
    let placed = state.placed() as usize;
    match state.turn() {
        Turn::Chance | Turn::Player(Player::One) => Some(2 * placed),
        Turn::Player(Player::Zero) => Some(2 * placed - 1),
        Turn::Over => None,
    }
}

/// Returns the score that the state is expected to lead to, in thousandths of a point ([`POINT`]): the points that are
/// there and the linear part. The score itself when the game is over.
#[must_use]
pub fn evaluate(state: &State, weights: &Weights) -> i32 {
    match decision(state) {
        None => POINT * state.score(),
        Some(turn) => weights.value(turn, state.score(), &inputs(state)),
    }
}
