//! What a generic search must know of the game, by the scores alone.

use crate::{Cell, Move, State};
use contender_game::{mix, Game, Player, Turn};
use contender_search::{Evaluate, Guide};

/// The difference of the scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScoreGuide;

impl Evaluate<State> for ScoreGuide {
    fn evaluate(&mut self, state: &State) -> i32 {
        state.value()
    }
}

impl Guide<State> for ScoreGuide {
    fn key(&self, state: &State) -> Option<u64> {
        let [blue, red] = state.scores();
        let tiles = Cell::all().map(|cell| state.tile(cell).map_or(0, |tile| 1 + tile as u64));
        let board = tiles.fold([0; 2], |[a, b], tile| [a << 2 | b >> 62, b << 2 | tile]);
        let turn = state.turn() == Turn::Player(Player::Zero);
        Some(mix(&[board[0], board[1], (blue << 16 ^ red) as u64 ^ u64::from(turn) << 63]))
    }

    fn slots(&self) -> usize {
        256
    }

    fn slot(&self, _: &State, mv: Move) -> usize {
        4 * mv.cell().index() + mv.tile() as usize
    }

    fn score(&mut self, state: &State, mv: Move) -> i32 {
        1000 * state.gain(mv)
    }
}
