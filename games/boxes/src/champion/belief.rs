//! The evidence about a player's secret colour that the player's moves give.
//!
//! In the model, the probability of a placement grows exponentially with the placement's gain for the player's colour.
//! Sometimes a player makes a random move. Bayes' rule would multiply these probabilities. But the moves of one plan
//! are not independent of each other, so only the square roots of the probabilities are multiplied. In addition, the
//! total gain of a colour counts, because it is the best evidence over a whole game. The constants are those that best
//! predict the colours of the ten best players in a test competition.

use super::board::Board;
use super::placements::{Gains, Placements};
use super::worth::POINT;
use crate::shape::Shape;
use crate::{Colour, Placement, State, COLOURS};

/// Increase of the logarithm of a placement's probability per point of gain.
const SHARPNESS: f64 = 4.0;

/// The exponent applied to a placement's probability.
const POWER: f64 = 0.5;

/// Increase of the logarithm of a colour's likelihood per point that a placement gains for this colour.
const GAIN: f64 = 1.6;

/// Probability with which a player makes a random move.
const ANYTHING: f64 = 0.03;

/// The probability of each colour, given a player's moves.
#[derive(Clone, Debug)]
pub struct Belief {
    /// The logarithm of each colour's likelihood.
    likelihoods: [f64; COLOURS],
}

/// A move and the gains of all moves that were possible in its place.
pub(super) struct Reply {
    /// For each colour, the gain of each possible placement in points.
    pub points: [Vec<f64>; COLOURS],
    /// The index of the chosen placement.
    pub chosen: usize,
}

impl Reply {
    /// Creates the reply for the move `placement` in `state`, which contains the tile to place.
    ///
    /// # Panics
    /// Panics if there is no tile to place, or if the placement is illegal.
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
    /// Observes a move. `state` is the state before the move, and contains the tile to place.
    ///
    /// # Panics
    /// Panics if there is no tile to place, or if the placement is illegal.
    pub fn observe(&mut self, state: &State, placement: Placement) {
        self.hear(&Reply::new(state, placement));
    }

    /// Observes a move whose gains are already known.
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

    /// Returns the probability of a colour after one more move. `evidence` is the move's contribution to the logarithm
    /// of each colour's likelihood.
    pub(super) fn probability_after(&self, colour: usize, mut evidence: [f64; COLOURS]) -> f64 {
        for (evidence, likelihood) in evidence.iter_mut().zip(self.likelihoods) {
            *evidence += likelihood;
        }
        normalised(evidence)[colour]
    }
}

/// Converts logarithms of likelihoods into probabilities.
pub(super) fn normalised<const N: usize>(likelihoods: [f64; N]) -> [f64; N] {
    let most = likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = likelihoods.map(|likelihood| (likelihood - most).exp());
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// Returns the contribution of each placement to the logarithm of a colour's likelihood. `gains` are the placements'
/// gains for the colour, in points.
pub fn evidence(gains: &[f64]) -> Vec<f64> {
    let most = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let meant = |gain: f64| (SHARPNESS * (gain - most)).exp();
    let total: f64 = gains.iter().map(|&gain| meant(gain)).sum();
    let probability = |gain: f64| (1.0 - ANYTHING) * meant(gain) / total + ANYTHING / gains.len() as f64;
    gains.iter().map(|&gain| POWER * probability(gain).ln() + GAIN * gain).collect()
}
