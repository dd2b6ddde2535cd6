//! Rewards: the results that iterations of a Monte Carlo search back up.

use crate::{draw, ChanceModel};
use contender_game::rules::{Game, Player, Rng, Turn};
use std::marker::PhantomData;

/// An evaluator for the leaves of a Monte Carlo search over states `S` and moves `M`, with moves in turn or at the same
/// time. The evaluator returns the rewards of both players, each from its own view, and the moves worth trying. The
/// implementor chooses the unit of rewards; the constants of exploration formulas depend on it.
pub trait LeafEvaluator<S, M> {
    /// Returns the rewards of a finished game. If wins count, use [`win_rewards`].
    fn finished(&mut self, state: &S) -> [f32; 2];

    /// Returns the maximum reward, which is 1 for [`win_rewards`]. A player that has proven this reward does not search
    /// further. By default the maximum is unknown, which is correct for all kinds of rewards.
    fn highest(&self) -> f32 {
        f32::INFINITY
    }

    /// Returns the estimated rewards of a state in which the game is not over, for example by a random game or an
    /// evaluation.
    ///
    /// The state is a copy that is thrown away, so a random game may be played in it.
    fn estimate(&mut self, state: &mut S, rng: &mut Rng) -> [f32; 2];

    /// Appends the moves of `player` that are worth considering. If the method appends no move, which is the default,
    /// all legal moves are considered. A search with proofs proves results only for these moves. A game with too many
    /// moves to list must propose some.
    fn candidates(&mut self, state: &S, player: Player, moves: &mut Vec<M>) {
        let _ = (state, player, moves);
    }

    /// Appends a number for each of these moves of `player` that shows how promising it is before it is tried: prior
    /// probabilities for [`Puct`](super::Puct), or a score in the unit of the reward for the bias of
    /// [`Uct`](super::Uct). By default, all numbers are 0.
    fn priors(&mut self, state: &S, player: Player, moves: &[M], priors: &mut Vec<f32>) {
        let _ = (state, player);
        priors.extend(moves.iter().map(|_| 0.0));
    }
}

/// Returns 1 for the player with more points and 0 for the other, or one half for both if the points are equal.
#[must_use]
pub fn win_rewards([zero, one]: [i32; 2]) -> [f32; 2] {
    match zero.cmp(&one) {
        std::cmp::Ordering::Less => [0.0, 1.0],
        std::cmp::Ordering::Equal => [0.5, 0.5],
        std::cmp::Ordering::Greater => [1.0, 0.0],
    }
}

/// Estimates a state by one uniformly random game from it to the end, without any knowledge.
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
