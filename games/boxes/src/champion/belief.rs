//! What the opponent's moves tell of its colour, by Bayes' rule.
//!
//! An opponent with a colour is taken to place a tile with a probability that grows exponentially with what the placement gains for
//! that colour; now and then it does anything.

use super::board::Board;
use super::placements::{Gains, Placements};
use super::worth::POINT;
use crate::shape::Shape;
use crate::{Colour, Placement, State, COLOURS};

/// How fast the probability of a placement grows with its gain: by a factor of e for so many points.
const SHARPNESS: f32 = 3.0;

/// How often the opponent does anything.
const ANYTHING: f64 = 0.03;

/// The probability of each colour, as far as the opponent's moves tell. The bot's own colour is left in.
#[derive(Clone, Debug)]
pub struct Belief {
    /// Logarithms of likelihoods.
    likelihoods: [f64; COLOURS],
}

impl Default for Belief {
    fn default() -> Belief {
        Belief { likelihoods: [0.0; COLOURS] }
    }
}

impl Belief {
    /// Hears of a move of the opponent; `state` is the one before it, with its tile.
    ///
    /// # Panics
    /// If there is no tile to place, or the placement is not legal.
    pub fn observe(&mut self, state: &State, placement: Placement) {
        let tile = state.tile().expect("the opponent had a tile to place");
        let shape = Shape::of(state);
        let mut placements = Placements::default();
        placements.find(&shape);
        let chosen = placements.list.iter().position(|&other| other == placement).expect("the move is legal");
        let mut gains: Vec<Gains> = Vec::new();
        for (colour, likelihood) in self.likelihoods.iter_mut().enumerate() {
            let colour = colour as Colour;
            placements.gains(&Board::new(state.cells_of(colour), &shape), &mut gains);
            let position = tile.position(colour);
            let exponent = |gains: &Gains| f64::from(SHARPNESS * gains[position] / POINT);
            let most = gains.iter().map(exponent).fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = gains.iter().map(|gains| (exponent(gains) - most).exp()).sum();
            let meant = (exponent(&gains[chosen]) - most).exp() / total;
            *likelihood += ((1.0 - ANYTHING) * meant + ANYTHING / gains.len() as f64).ln();
        }
    }

    /// The probability of each colour for an opponent who does not have `own`.
    #[must_use]
    pub fn probabilities(&self, own: Colour) -> [f64; COLOURS] {
        let mut weights = self.likelihoods;
        weights[usize::from(own)] = f64::NEG_INFINITY;
        let most = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = weights.map(|weight| (weight - most).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    }
}
