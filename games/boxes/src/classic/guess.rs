//! The guess of the opponent's colour: the colour whose evaluation the opponent's moves have raised most.

use super::evaluation::{Board, Weights};
use crate::shape::Shape;
use crate::{Colour, Placement, State, COLOURS};

/// The amount by which the opponent's moves have raised each colour's evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Guess {
    gains: [i64; COLOURS],
    moves: u32,
}

impl Guess {
    /// Observes a move of the opponent. `state` is the state before the move.
    ///
    /// # Panics
    /// Panics if there is no tile to place.
    pub fn observe(&mut self, state: &State, placement: Placement) {
        *self = self.after(evaluation_gains(Weights::WRITE_UP, state)(placement));
    }

    /// Returns the guess after one more move, which raises the evaluations by `gains`.
    #[must_use]
    pub(crate) fn after(&self, gains: [i64; COLOURS]) -> Guess {
        let mut after = Guess { moves: self.moves + 1, ..*self };
        for (all, gain) in after.gains.iter_mut().zip(gains) {
            *all += gain;
        }
        after
    }

    /// Returns the guessed colour of an opponent who does not have the colour `own`, or `None` before the opponent's
    /// first move. If several colours are equally likely, returns the lowest one.
    #[must_use]
    pub fn colour(&self, own: Colour) -> Option<Colour> {
        let others = (0..COLOURS as Colour).filter(|&colour| colour != own && self.moves > 0);
        others.rev().max_by_key(|&colour| self.gains[usize::from(colour)])
    }
}

/// Returns by how much a placement of the tile raises the evaluation of each colour.
///
/// # Panics
/// Panics if there is no tile to place.
pub(crate) fn evaluation_gains<'a>(
    weights: &'a Weights,
    state: &State,
) -> impl Fn(Placement) -> [i64; COLOURS] + 'a {
    let tile = state.tile().expect("there is a tile to place");
    let before = Shape::of(state);
    let of = |colour: Colour| (Board::new(weights, state.cells_of(colour), &before), tile.position(colour));
    let boards = [0, 1, 2, 3, 4, 5].map(of);
    move |placement| {
        let after = before.with(placement);
        let gain = |(board, position): &(Board, usize)| {
            i64::from(board.after(weights, placement, &before, &after)[*position] - board.value())
        };
        [0, 1, 2, 3, 4, 5].map(|colour: usize| gain(&boards[colour]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic::evaluation::evaluate;
    use contender_game::rules::{Chance, Game, Rng, Turn};

    #[test]
    fn gains_are_those_of_whole_evaluations() {
        let mut rng = Rng::new(1);
        for _ in 0..5 {
            let mut state = State::random(&mut rng);
            while state.turn() != Turn::Over {
                state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                let placement = state.random_move(&mut rng, &mut Vec::new());
                let gains = evaluation_gains(Weights::WRITE_UP, &state)(placement);
                let before = state.clone();
                state.play(placement);
                for (colour, gain) in (0..).zip(gains) {
                    let worth = |state: &State| evaluate(Weights::WRITE_UP, state, colour);
                    assert_eq!(gain, i64::from(worth(&state) - worth(&before)));
                }
            }
        }
    }
}
