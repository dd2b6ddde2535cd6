//! A simple bot that every other bot should beat.

use crate::{Move, State};
use contender_game::{
    contest::{Bot, Clock},
    rules::{Game, Player},
};

/// A bot that looks one move ahead. Order plays the move with the highest score after it, and Chaos the move with the
/// lowest. If several moves are equally good, the bot plays the first in the order of
/// [`State::moves`](contender_game::rules::Game::moves), so Order passes when no slide gains points. The bot is
/// deterministic.
#[derive(Clone, Debug, Default)]
pub struct GreedyBot {
    moves: Vec<Move>,
}

impl GreedyBot {
    /// Creates the bot.
    #[must_use]
    pub fn new() -> GreedyBot {
        GreedyBot::default()
    }
}

impl Bot<State, Move> for GreedyBot {
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Move {
        self.moves.clear();
        state.moves(&mut self.moves);
        let worst = |mv: &&Move| -player.sign() * state.score_after(**mv);
        *self.moves.iter().min_by_key(worst).expect("a player to act has a move")
    }
}
