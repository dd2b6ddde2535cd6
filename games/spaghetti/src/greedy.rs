//! A simple bot, which every other bot should beat.

use crate::{Move, State};
use contender_game::{
    contest::{Bot, Clock},
    rules::{Game, Player, Rng},
};

/// A bot that plays the move that is best for its own score. The bot chooses at random among equally good moves,
/// because otherwise all games from the same start would be equal. The bot is deterministic if its seed is given.
#[derive(Clone, Debug)]
pub struct GreedyBot {
    rng: Rng,
    moves: Vec<Move>,
}

impl GreedyBot {
    /// Creates the bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> GreedyBot {
        GreedyBot { rng: Rng::new(seed), moves: Vec::new() }
    }
}

impl Bot<State, Move> for GreedyBot {
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Move {
        let mut state = state.clone();
        let mut all = Vec::new();
        state.moves(&mut all);
        let mut best = i32::MIN;
        for mv in all {
            let memo = state.make(mv);
            let score = state.scores()[player];
            state.unmake(mv, memo);
            if score > best {
                best = score;
                self.moves.clear();
            }
            if score == best {
                self.moves.push(mv);
            }
        }
        *self.rng.choose(&self.moves)
    }
}
