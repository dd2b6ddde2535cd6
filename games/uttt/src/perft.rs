//! Perft that counts the last move without listing or playing it.

use crate::rules::bits;
use crate::{Move, State};
use contender_game::Game;

/// The number of sequences of exactly `depth` legal moves; a game that ends earlier adds nothing. The same numbers as
/// [`contender_game::perft`], faster.
#[must_use]
pub fn perft(state: &State, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(state.count_moves()),
        _ => bits(state.allowed())
            .flat_map(|board| bits(state.empty(board)).map(move |cell| Move::new(board, cell)))
            .map(|mv| {
                let mut child = *state;
                child.play(mv);
                perft(&child, depth - 1)
            })
            .sum(),
    }
}
