//! Guides with tactics for two games of this workspace.

use contender_game::rules::{Game, Player, Turn, mix};
use contender_search::{Heuristics, Tactics};
use contender_spaghetti as spaghetti;
use contender_uttt as uttt;

/// An evaluation of Ultimate Tic-Tac-Toe: boards won, marks in the centre board, and lines of two boards.
#[derive(Clone, Copy, Default)]
pub struct Uttt;

/// The value of a won game of Ultimate Tic-Tac-Toe, minus the number of its moves.
const UTTT_WON: i32 = 100_000;

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Heuristics<uttt::State> for Uttt {
    fn evaluate(&mut self, state: &uttt::State) -> i32 {
        let worth = |player: Player| {
            let (own, other) = (state.won(player), state.won(player.other()));
            let open = LINES.iter().filter(|&&line| line & other == 0);
            let lines: u32 = open.map(|line| [0, 40, 150, 0][(line & own).count_ones() as usize]).sum();
            100 * own.count_ones() + lines + 5 * state.marks(player, 4).count_ones()
        };
        worth(Player::Zero) as i32 - worth(Player::One) as i32
    }

    fn finished(&mut self, state: &uttt::State) -> i32 {
        state.value().signum() * (UTTT_WON - state.plies() as i32)
    }

    fn key(&self, state: &uttt::State) -> Option<u64> {
        Some(state.key())
    }

    fn slots(&self) -> usize {
        81
    }

    fn slot(&self, _: &uttt::State, mv: uttt::Move) -> usize {
        mv.index()
    }

    fn score(&mut self, _: &uttt::State, _: uttt::Move) -> i32 {
        0
    }
}

impl Tactics<uttt::State> for Uttt {
    /// Returns whether a move wins a small board.
    fn is_noisy(&self, state: &uttt::State, mv: uttt::Move) -> bool {
        let Turn::Player(player) = state.turn() else { return false };
        let (board, cell) = (mv.index() / 9, mv.index() % 9);
        let marks = state.marks(player, board) | 1 << cell;
        LINES.iter().any(|&line| line & 1 << cell != 0 && marks & line == line)
    }

    fn reply_slots(&self) -> usize {
        81
    }

    fn reply_slot(&self, _: &uttt::State, mv: uttt::Move) -> usize {
        mv.index()
    }

    fn decisive(&self) -> i32 {
        UTTT_WON - 1_000
    }
}

/// An evaluation of Spaghetti by its scores.
#[derive(Clone, Copy, Default)]
pub struct Spaghetti;

impl Heuristics<spaghetti::State> for Spaghetti {
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
        state.gain(mv)
    }
}

impl Tactics<spaghetti::State> for Spaghetti {
    fn reply_slots(&self) -> usize {
        256
    }

    fn reply_slot(&self, _: &spaghetti::State, mv: spaghetti::Move) -> usize {
        4 * mv.cell().index() + mv.tile() as usize
    }
}
