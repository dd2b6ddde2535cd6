//! Features of positions for training a linear evaluation that has separate weights for every turn.

use crate::evaluation::{decision, inputs, LinearGuide, TurnWeights, Weights, INPUTS, POINT, TURNS};
use crate::guide::key;
use crate::{GreedyBot, Move, State};
use contender_game::{contest::Bot, rules::Player, settings::Shipped};
use contender_search::{Heuristics, WithChance};
use contender_value::{Features, Unit};

/// Number of weights per turn: the constant and one weight per input.
const OF_TURN: usize = 1 + INPUTS;

fn weights_of(numbers: &[f32]) -> Weights {
    let mut weights = Weights::ZERO;
    for (turn, numbers) in weights.turns.iter_mut().zip(numbers.chunks_exact(OF_TURN)) {
        *turn = TurnWeights { bias: numbers[0], inputs: [0.0; INPUTS] };
        turn.inputs.copy_from_slice(&numbers[1..]);
    }
    weights
}

impl Features for State {
    type ChanceModel = WithChance;
    const COUNT: usize = INPUTS;
    const STAGES: usize = TURNS;
    const UNIT: Unit = Unit::Points(POINT);
    const CHANCE_TEACHES: bool = true;

    /// Adds the inputs of the evaluation as features of Order; Chaos has no features.
    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        if player == Player::Zero {
            for (input, count) in inputs(self).into_iter().enumerate() {
                (0..count).for_each(|_| add(input));
            }
        }
    }

    fn stage(&self) -> usize {
        decision(self).unwrap_or(TURNS - 1)
    }

    fn points_so_far(&self) -> i32 {
        self.score()
    }

    /// Returns whether the position can be a training example. A position with a drawn chip can't, because a drawn chip
    /// does not change the evaluation.
    fn teaches(&self) -> bool {
        self.drawn().is_none()
    }

    fn key(&self) -> Option<u64> {
        Some(key(self))
    }

    fn guide(numbers: &[f32]) -> Box<dyn Heuristics<State>> {
        Box::new(LinearGuide::new(weights_of(numbers)))
    }

    fn read_weights(bytes: &[u8]) -> Result<Vec<f32>, String> {
        let turns = Weights::read(bytes)?.turns;
        Ok(turns.iter().flat_map(|turn| [&[turn.bias], &turn.inputs[..]].concat()).collect())
    }

    fn write_weights(numbers: &[f32]) -> Vec<u8> {
        weights_of(numbers).to_string().into_bytes()
    }

    fn rival(_seed: u64) -> (&'static str, Box<dyn Bot<State, Move>>) {
        ("greedy", Box::new(GreedyBot::new()))
    }
}
