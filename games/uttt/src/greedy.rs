//! A bot with simple rules that does not look ahead.

use crate::tables::WINNING;
use crate::{Move, State};
use contender_game::{
    contest::{Bot, Clock},
    rules::{Game, Player, Rng},
};

/// A bot that wins the game if possible. Otherwise it wins a small board, or else blocks the opponent's line on a small
/// board, or else takes a centre cell, or else plays at random. Ties are broken at random, so the bot's games depend
/// only on the seed.
#[derive(Clone, Debug)]
pub struct GreedyBot {
    rng: Rng,
}

impl GreedyBot {
    /// Creates the bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> GreedyBot {
        GreedyBot { rng: Rng::new(seed) }
    }
}

/// Returns the bot's preference for a move: 4 for a move that wins the game, down to 0 for a move that has no
/// advantage.
fn urge(state: &State, player: Player, mv: Move) -> u32 {
    let completes =
        |player: Player| WINNING[usize::from(state.marks(player, mv.board()))] >> mv.cell() & 1 == 1;
    if completes(player) {
        3 + u32::from(WINNING[usize::from(state.won(player))] >> mv.board() & 1)
    } else if completes(player.other()) {
        2
    } else {
        u32::from(mv.cell() == 4)
    }
}

impl Bot<State, Move> for GreedyBot {
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Move {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let best = moves.iter().map(|&mv| urge(state, player, mv)).max().unwrap_or(0);
        moves.retain(|&mv| urge(state, player, mv) == best);
        *self.rng.choose(&moves)
    }
}
