//! A guide for generic searches of Spaghetti that uses only the score. It serves to measure and test searches; no bot
//! uses it.

use contender_game::rules::{Game, Player, Turn, mix};
use contender_search::Heuristics;
use contender_spaghetti as spaghetti;

/// The difference between the scores in Spaghetti.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpaghettiScore;

impl Heuristics<spaghetti::State> for SpaghettiScore {
    fn evaluate(&mut self, state: &spaghetti::State) -> i32 {
        state.value()
    }

    fn key(&self, state: &spaghetti::State) -> Option<u64> {
        let [blue, red] = state.scores();
        let tiles = spaghetti::Cell::all().map(|cell| state.tile(cell).map_or(0, |tile| 1 + tile as u64));
        let board = tiles.fold([0; 2], |[a, b], tile| [a << 2 | b >> 62, b << 2 | tile]);
        let turn = state.turn() == Turn::Player(Player::Zero);
        Some(mix(&[board[0], board[1], (blue << 16 ^ red) as u64 ^ u64::from(turn) << 63]))
    }

    fn slots(&self) -> usize {
        256
    }

    fn slot(&self, _: &spaghetti::State, mv: spaghetti::Move) -> usize {
        4 * mv.cell().index() + mv.tile() as usize
    }

    fn score(&mut self, state: &spaghetti::State, mv: spaghetti::Move) -> i32 {
        1000 * state.gain(mv)
    }
}
