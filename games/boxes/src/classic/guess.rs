//! Which colour the opponent has: the one whose evaluation its moves have raised most.

use super::evaluation::evaluate;
use crate::{Colour, Placement, State, COLOURS};
use contender_game::Game;

/// By how much the opponent's moves have raised the evaluation of each colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Guess {
    gains: [i64; COLOURS],
    moves: u32,
}

impl Guess {
    /// Hears of a move of the opponent; `state` is the one before it.
    ///
    /// # Panics
    /// If there is no tile to place.
    pub fn observe(&mut self, state: &State, placement: Placement) {
        let mut after = state.clone();
        after.play(placement);
        for (colour, gain) in self.gains.iter_mut().enumerate() {
            let colour = colour as Colour;
            *gain += i64::from(evaluate(&after, colour) - evaluate(state, colour));
        }
        self.moves += 1;
    }

    /// The colour of an opponent who does not have `own`; `None` before its first move. The lowest of equally likely ones.
    #[must_use]
    pub fn colour(&self, own: Colour) -> Option<Colour> {
        let others = (0..COLOURS as Colour).filter(|&colour| colour != own && self.moves > 0);
        others.rev().max_by_key(|&colour| self.gains[usize::from(colour)])
    }
}
