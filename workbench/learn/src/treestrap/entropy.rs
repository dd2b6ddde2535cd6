//! Entropy as learning sees it.

use super::{Position, Weights, weights};
use contender_entropy::evaluation::{self, INPUTS, TURNS, TurnWeights, decision, inputs};
use contender_entropy::{GreedyBot, Move, State};
use contender_game::{Game, Player, Turn};

impl Position<INPUTS> for State {
    const TURNS: usize = TURNS;

    #[inline]
    fn turn_index(&self) -> usize {
        decision(self).expect("a finished game is not evaluated")
    }

    #[inline]
    fn inputs(&self) -> [f32; INPUTS] {
        inputs(self).map(|input| input as f32)
    }

    #[inline]
    fn promise(&self, mv: Move) -> i32 {
        match self.turn() {
            Turn::Player(Player::One) => -self.score_after(mv),
            _ => self.score_after(mv),
        }
    }
}

/// The weights as the game's bots take them.
///
/// # Panics
/// If there are not as many turns as the game has.
#[must_use]
pub fn game_weights(weights: &Weights<INPUTS>) -> evaluation::Weights {
    let turns = weights.turns().iter().map(|turn| TurnWeights { bias: turn.constant, inputs: turn.weights });
    let turns: Vec<TurnWeights> = turns.collect();
    evaluation::Weights { turns: turns.try_into().expect("weights for every turn") }
}

/// The game's weights as learning takes them.
#[must_use]
pub fn learned_weights(weights: &evaluation::Weights) -> Weights<INPUTS> {
    let turns = weights.turns.iter().map(|turn| weights::Turn { constant: turn.bias, weights: turn.inputs });
    Weights::new(turns.collect())
}

/// What trainings measure weights against: its name and a new one.
#[must_use]
pub fn yardstick() -> (&'static str, GreedyBot) {
    ("greedy", GreedyBot::new())
}
