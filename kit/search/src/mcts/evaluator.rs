//! Rewards: what the iterations of a Monte Carlo search bring back.

use crate::{draw, ChanceModel};
use contender_game::rules::{Game, Player, Rng, Turn};
use std::marker::PhantomData;

/// Evaluates the leaves of a Monte Carlo search over states `S` and moves `M`, played in turn or at once: rewards for
/// both players, each from its own view, and the moves worth trying. The implementor chooses the unit of rewards;
/// exploration formulas take it into account through their constants.
pub trait LeafEvaluator<S, M> {
    /// Returns the rewards of a finished game; [`win_rewards`] if wins count.
    fn finished(&mut self, state: &S) -> [f32; 2];

    /// Returns the highest reward, 1 if [`finished`](LeafEvaluator::finished) counts wins. A player who has proven this
    /// reward looks no further. By default none is known, which is right for rewards of every kind.
    fn highest(&self) -> f32 {
        f32::INFINITY
    }

    /// Estimated rewards for a state in which the game is not over: by a random game, or by an evaluation.
    ///
    /// The state is a throw-away copy, so a random game may be played in it.
    fn estimate(&mut self, state: &mut S, rng: &mut Rng) -> [f32; 2];

    /// Appends the moves of `player` that are worth considering; if it appends none, which is the default, all legal
    /// moves are. A search with proofs proves nothing beyond them, and a game with too many moves to list must propose
    /// some.
    fn candidates(&mut self, state: &S, player: Player, moves: &mut Vec<M>) {
        let _ = (state, player, moves);
    }

    /// Appends how promising each of these moves of `player` is before it has been tried, one number for each: prior
    /// probabilities for [`Puct`](super::Puct), a score in the unit of the reward for the bias of [`Uct`](super::Uct).
    /// By default all are 0.
    fn priors(&mut self, state: &S, player: Player, moves: &[M], priors: &mut Vec<f32>) {
        let _ = (state, player);
        priors.extend(moves.iter().map(|_| 0.0));
    }
}

/// 1 for the player with more points, 0 for the other, one half each for equal points.
#[must_use]
pub fn win_rewards([zero, one]: [i32; 2]) -> [f32; 2] {
    match zero.cmp(&one) {
        std::cmp::Ordering::Less => [0.0, 1.0],
        std::cmp::Ordering::Equal => [0.5, 0.5],
        std::cmp::Ordering::Greater => [1.0, 0.0],
    }
}

/// Estimates states by one uniformly random game to the end, and knows nothing else.
#[derive(Clone)]
pub struct RandomGames<G: Game, L: ChanceModel<G>> {
    moves: Vec<G::Move>,
    outcomes: Vec<(L::Outcome, u32)>,
    luck: PhantomData<L>,
}

impl<G: Game, L: ChanceModel<G>> Default for RandomGames<G, L> {
    fn default() -> Self {
        RandomGames { moves: Vec::new(), outcomes: Vec::new(), luck: PhantomData }
    }
}

impl<G: Game, L: ChanceModel<G>> LeafEvaluator<G, G::Move> for RandomGames<G, L> {
    fn finished(&mut self, state: &G) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut G, rng: &mut Rng) -> [f32; 2] {
        let mut turns = 0;
        while turns < G::MAX_TURNS {
            match state.turn() {
                Turn::Over => return self.finished(state),
                Turn::Chance => {
                    let outcome = draw::<G, L>(state, rng, &mut self.outcomes).1;
                    L::resolve(state, outcome);
                }
                Turn::Player(_) => {
                    let mv = state.random_move(rng, &mut self.moves);
                    state.play(mv);
                    turns += 1;
                }
            }
        }
        // The judge breaks such a game off as a draw.
        [0.5; 2]
    }
}
