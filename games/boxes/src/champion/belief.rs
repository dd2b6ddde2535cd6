//! Evidence of a player's moves about its colour.
//!
//! The model: a player with a colour places a tile with a probability that grows exponentially with the placement's
//! gain for that colour; now and then it plays any move. Bayes' rule would multiply these probabilities. But moves of
//! one plan are not independent, so only their roots are multiplied. In addition, the total gain of a colour counts:
//! over a whole game it is the surest sign. The constants are those that best predict the ten best players of a test
//! competition.

use super::board::Board;
use super::placements::{Gains, Placements};
use super::worth::POINT;
use crate::shape::Shape;
use crate::{Colour, Placement, State, COLOURS};

/// Increase of the logarithm of a placement's probability per point of gain.
const SHARPNESS: f64 = 4.0;

/// The power of a placement's probability that counts.
const POWER: f64 = 0.5;

/// Increase of the logarithm of a colour's likelihood per point that a placement gains for it.
const GAIN: f64 = 1.6;

/// Probability that a player plays any move.
const ANYTHING: f64 = 0.03;

/// The probability of each colour, as far as a player's moves tell.
#[derive(Clone, Debug)]
pub struct Belief {
    /// Logarithms of likelihoods.
    likelihoods: [f64; COLOURS],
}

/// A move together with all that were possible.
pub(super) struct Reply {
    /// The gain of each placement in points, by colour.
    pub points: [Vec<f64>; COLOURS],
    /// The place of the one that was chosen.
    pub chosen: usize,
}

impl Reply {
    /// Returns the move `placement` in `state`, which has its tile.
    ///
    /// # Panics
    /// If there is no tile to place, or the placement is not legal.
    pub fn new(state: &State, placement: Placement) -> Reply {
        let tile = state.tile().expect("the player had a tile to place");
        let shape = Shape::of(state);
        let mut placements = Placements::default();
        placements.find(&shape);
        let chosen = placements.list.iter().position(|&other| other == placement).expect("the move is legal");
        let mut gains: Vec<Gains> = Vec::new();
        let points = [0, 1, 2, 3, 4, 5].map(|colour: Colour| {
            placements.gains(&Board::new(state.cells_of(colour), &shape), &mut gains);
            gains.iter().map(|gains| f64::from(gains[tile.position(colour)] / POINT)).collect()
        });
        Reply { points, chosen }
    }
}

impl Default for Belief {
    fn default() -> Belief {
        Belief { likelihoods: [0.0; COLOURS] }
    }
}

impl Belief {
    /// Hears of a move; `state` is the one before it, with its tile.
    ///
    /// # Panics
    /// If there is no tile to place, or the placement is not legal.
    pub fn observe(&mut self, state: &State, placement: Placement) {
        self.hear(&Reply::new(state, placement));
    }

    /// Hears of a move.
    pub(super) fn hear(&mut self, reply: &Reply) {
        for (likelihood, points) in self.likelihoods.iter_mut().zip(&reply.points) {
            *likelihood += evidence(points)[reply.chosen];
        }
    }

    /// Returns the probability of each colour for a player who does not have `own`.
    #[must_use]
    pub fn probabilities(&self, own: Colour) -> [f64; COLOURS] {
        let mut likelihoods = self.likelihoods;
        likelihoods[usize::from(own)] = f64::NEG_INFINITY;
        normalised(likelihoods)
    }

    /// Returns the probability of a colour after one more move, by what that adds to the logarithm of each colour's
    /// likelihood.
    pub(super) fn probability_after(&self, colour: usize, mut evidence: [f64; COLOURS]) -> f64 {
        for (evidence, likelihood) in evidence.iter_mut().zip(self.likelihoods) {
            *evidence += likelihood;
        }
        normalised(evidence)[colour]
    }
}

/// Probabilities by logarithms of likelihoods.
pub(super) fn normalised<const N: usize>(likelihoods: [f64; N]) -> [f64; N] {
    let most = likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = likelihoods.map(|likelihood| (likelihood - most).exp());
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// Returns how much each placement would add to the logarithm of a colour's likelihood, from its gain for the colour in
/// points.
pub fn evidence(gains: &[f64]) -> Vec<f64> {
    let most = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let meant = |gain: f64| (SHARPNESS * (gain - most)).exp();
    let total: f64 = gains.iter().map(|&gain| meant(gain)).sum();
    let probability = |gain: f64| (1.0 - ANYTHING) * meant(gain) / total + ANYTHING / gains.len() as f64;
    gains.iter().map(|&gain| POWER * probability(gain).ln() + GAIN * gain).collect()
}
