//! What the own moves tell the opponent of the own colour.
//!
//! Opponents differ in how they guess. Some weigh all moves, as [`Belief`] does. Others take the one colour whose
//! evaluation rose most, as [`Guess`] does and the write-up describes; for them it makes all the difference that
//! another colour stays a little ahead, and once the own one is far ahead there is nothing to hide.

use super::belief::Belief;
use crate::classic::Guess;
use crate::{Colour, Placement, State, COLOURS};

/// The own moves as the opponent sees them.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    belief: Belief,
    guess: Guess,
}

impl Shown {
    /// Hears of an own move; `state` is the one before it, with its tile.
    ///
    /// # Panics
    /// If there is no tile to place, or the placement is not legal.
    pub fn observe(&mut self, state: &State, placement: Placement) {
        self.belief.observe(state, placement);
        self.guess.observe(state, placement);
    }

    /// How likely the opponent is to take `own` for the own colour after one more move.
    ///
    /// Of a move it is told what it adds to the logarithm of each colour's likelihood, and by how much it raises the
    /// evaluations; of the opponent how likely it has each colour, which it does not guess, and that it guesses by
    /// evaluations.
    pub fn after(
        &self,
        own: usize,
        evidence: [f64; COLOURS],
        gains: [i64; COLOURS],
        others: &[f64; COLOURS],
        by_evaluation: f64,
    ) -> f64 {
        let guess = self.guess.after(gains);
        let is_right = |other: usize| guess.colour(other as Colour) == Some(own as Colour);
        let right: f64 = (0..COLOURS).filter(|&other| is_right(other)).map(|other| others[other]).sum();
        by_evaluation * right + (1.0 - by_evaluation) * self.belief.probability_after(own, evidence)
    }
}
