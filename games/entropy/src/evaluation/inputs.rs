//! What the evaluation sees of a position.

use super::plain;
use crate::State;

/// How many inputs the evaluation has.
pub const INPUTS: usize = 14;

/// Their names, in order.
pub const NAMES: [&str; INPUTS] = [
    "potential4",
    "potential5",
    "potential6",
    "potential7",
    "largest_threat",
    "other_threats",
    "holes1",
    "holes2",
    "outer_ring",
    "second_ring",
    "distances",
    "imbalance",
    "mobility",
    "idle_mobility",
];

/// The inputs of a position, in the order of [`NAMES`]; all are counts or points, none is negative.
pub type Inputs = [i32; INPUTS];

/// The inputs of a state. They do not depend on whose turn it is, nor on which chip is drawn.
#[must_use]
pub fn inputs(state: &State) -> Inputs {
    plain::inputs(state)
}
