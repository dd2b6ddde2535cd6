//! The evaluation: the expected final score of a position if both sides play well.
//!
//! The evaluation is a linear function of a few numbers computed from the board ([`inputs`]), added to the current
//! score. Each of the 97 decisions of a game has its own weights ([`Weights`]). The inputs come from Matthijs Tijink's
//! program, second in CodeCup 2023; [`plain`] implements their definitions directly.

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

/// Converts a value to points.
#[must_use]
pub fn in_points(value: f64) -> f64 {
    value / f64::from(POINT)
}

/// Converts a player's value to the player's expected lead in the contest's points: Order gets 120 points and the
/// score of the board, and Chaos gets 280 points less the score.
#[must_use]
pub fn expected_lead(value: f64, player: Player) -> f64 {
    let even = if player == Player::Zero { 160.0 } else { -160.0 };
    2.0 * in_points(value) - even
}

/// Returns the number of the next decision, `0..97`: even numbers are placements of Chaos, odd numbers are moves of
/// Order. If a chip must be drawn, this is the number of the placement that follows. Returns `None` when the game is
/// over.
#[must_use]
pub fn decision(state: &State) -> Option<usize> {
    let placed = state.placed() as usize;
    match state.turn() {
        Turn::Chance | Turn::Player(Player::One) => Some(2 * placed),
        Turn::Player(Player::Zero) => Some(2 * placed - 1),
        Turn::Over => None,
    }
}

/// Returns the expected final score of the state, in thousandths of a point ([`POINT`]): the sum of the current score
/// and the linear part. If the game is over, returns the score itself.
#[must_use]
pub fn evaluate(state: &State, weights: &Weights) -> i32 {
    match decision(state) {
        None => POINT * state.score(),
        Some(turn) => weights.value(turn, state.score(), &inputs(state)),
    }
}
