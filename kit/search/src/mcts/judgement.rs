//! Rewards: what the iterations of a Monte Carlo search bring back.

use crate::Luck;
use contender_game::{Game, Rng, Turn};
use std::marker::PhantomData;

/// Gives the states of a game their worth, for both players each from its own view. The unit is the implementor's; formulas that
/// explore take it into account through their constants.
pub trait Judgement<G: Game> {
    /// The rewards of a finished game.
    fn finished(&mut self, state: &G) -> [f32; 2] {
        win_rewards(state.points())
    }

    /// The highest reward there is, 1 where [`finished`](Judgement::finished) counts wins. A player who has proven that it gets
    /// this looks no further. By default none is known, which is right for rewards of every kind.
    fn highest(&self) -> f32 {
        f32::INFINITY
    }

    /// Estimated rewards for a state in which the game is not over: by a random game, or by an evaluation.
    ///
    /// The state is a copy that nobody needs any more, so a random game may be played in it.
    fn estimate(&mut self, state: &mut G, rng: &mut Rng) -> [f32; 2];

    /// Appends the moves of a player's node that are worth considering, at least one. All of them by default; a search with proofs
    /// proves nothing beyond them.
    fn candidates(&mut self, state: &G, moves: &mut Vec<G::Move>) {
        state.moves(moves);
    }

    /// Appends how promising each move of a player's node is before it has been tried, one number for each of `moves`: prior
    /// probabilities for [`Puct`](super::Puct), a score in the unit of the reward for the bias of [`Uct`](super::Uct). By default all are 0.
    fn priors(&mut self, state: &G, moves: &[G::Move], priors: &mut Vec<f32>) {
        let _ = state;
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
pub struct RandomGames<G: Game, L: Luck<G>> {
    moves: Vec<G::Move>,
    outcomes: Vec<(L::Outcome, u32)>,
    luck: PhantomData<L>,
}

impl<G: Game, L: Luck<G>> Default for RandomGames<G, L> {
    fn default() -> Self {
        RandomGames { moves: Vec::new(), outcomes: Vec::new(), luck: PhantomData }
    }
}

impl<G: Game, L: Luck<G>> Judgement<G> for RandomGames<G, L> {
    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut G, rng: &mut Rng) -> [f32; 2] {
        loop {
            match state.turn() {
                Turn::Over => return self.finished(state),
                Turn::Chance => {
                    let outcome = draw::<G, L>(state, rng, &mut self.outcomes).1;
                    L::resolve(state, outcome);
                }
                Turn::Player(_) => {
                    let mv = state.random_move(rng, &mut self.moves);
                    state.play(mv);
                }
            }
        }
    }
}

/// Draws an outcome of chance; gives its index in the list too.
pub(super) fn draw<G: Game, L: Luck<G>>(
    state: &G,
    rng: &mut Rng,
    outcomes: &mut Vec<(L::Outcome, u32)>,
) -> (usize, L::Outcome) {
    outcomes.clear();
    L::outcomes(state, outcomes);
    let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
    let mut rest = rng.below(total);
    for (at, &(outcome, weight)) in outcomes.iter().enumerate() {
        if rest < weight {
            return (at, outcome);
        }
        rest -= weight;
    }
    unreachable!("the draw is below the sum of the weights")
}
