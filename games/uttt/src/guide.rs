//! What a generic search must know of the game, by the boards won alone.

use crate::{Move, State};
use contender_game::{mix, Game, Player};
use contender_search::{Evaluate, Guide};

/// A hundred for each small board won, one for each centre mark; a finished game counts 10,000.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoardsGuide;

impl Evaluate<State> for BoardsGuide {
    fn evaluate(&mut self, state: &State) -> i32 {
        let [zero, one] = Player::BOTH.map(|player| state.won(player).count_ones() as i32);
        let centre = |player| (state.marks(player, 4).count_ones()) as i32;
        100 * (zero - one) + centre(Player::Zero) - centre(Player::One)
    }

    fn finished(&mut self, state: &State) -> i32 {
        10_000 * state.value()
    }
}

impl Guide<State> for BoardsGuide {
    fn key(&self, state: &State) -> Option<u64> {
        let words = [0, 3, 6].map(|first| {
            (first..first + 3).fold(0, |word, board| {
                let [zero, one] = Player::BOTH.map(|player| u64::from(state.marks(player, board)));
                word << 18 | zero << 9 | one
            })
        });
        let turn = u64::from(state.allowed()) << 1 | state.mover() as u64;
        Some(mix(&[words[0], words[1], words[2], turn]))
    }

    fn slots(&self) -> usize {
        81
    }

    fn slot(&self, _: &State, mv: Move) -> usize {
        mv.index()
    }
}
