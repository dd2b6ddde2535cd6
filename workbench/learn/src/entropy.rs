//! Entropy as learning sees it.

use crate::{Checkpoint, Length, Position, Recipe, Training, Weights};
use anyhow::Result;
use contender_entropy::evaluation::{self, INPUTS, TURNS, TurnWeights, decision, inputs};
use contender_entropy::{GreedyBot, Move, State};
use contender_game::{Game, Player, Turn};
use std::path::Path;

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
    let turns =
        weights.turns.iter().map(|turn| crate::weights::Turn { constant: turn.bias, weights: turn.inputs });
    Weights::new(turns.collect())
}

/// The training of a recipe in a folder: from its checkpoint there, or from its start if there is none or a new one is wanted.
///
/// # Errors
/// If the folder has a checkpoint that cannot be read or is of another recipe or seed.
pub fn training<'a>(
    recipe: Recipe,
    seed: u64,
    length: Length,
    folder: &Path,
    is_new: bool,
    yardstick: &'a mut GreedyBot,
) -> Result<Training<'a, State, INPUTS>> {
    let found = if is_new { None } else { Checkpoint::read::<State, INPUTS>(folder, &recipe, seed)? };
    Ok(Training {
        checkpoint: found.unwrap_or_else(|| Checkpoint::start::<State, INPUTS>(recipe, seed)),
        length,
        folder: folder.to_path_buf(),
        start: State::default(),
        yardstick: ("greedy", yardstick),
        write_weights: |weights| game_weights(weights).to_string(),
    })
}
