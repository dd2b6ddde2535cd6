//! Rules as types: a value is a state, the trait says what can happen in it.

use crate::rules::{Player, Rng, Turn};
use std::fmt::Debug;

/// The bound for games that name none: far more turns than games take that have an end.
pub(crate) const MAX_TURNS: usize = 1000;

/// A game of two players who act one after the other, without or (see [`Chance`]) with luck.
///
/// The type is the rules, a value is a state, and `clone` is how a search copies one: keep it small and flat.
pub trait Game: Clone {
    /// One decision of one player.
    type Move: Copy + PartialEq + Debug + Send;

    /// The maximum number of turns, each a player's decision. A longer game is endless: judges break it off as a draw,
    /// and trainings stop. A game that should end otherwise counts its turns and ends by its rules.
    const MAX_TURNS: usize = MAX_TURNS;

    /// Returns whose turn it is.
    fn turn(&self) -> Turn;

    /// Appends every legal move of the player to act, each once, in a fixed order; nothing when it is not a player's
    /// turn.
    ///
    /// Appending lets a search keep one vector as the stack of all its nodes, so that no node allocates.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Counts the legal moves. `scratch` is working space, which is left unchanged.
    ///
    /// The default lists them; a game overrides it if it can count without listing.
    fn move_count(&self, scratch: &mut Vec<Self::Move>) -> usize {
        let before = scratch.len();
        self.moves(scratch);
        let count = scratch.len() - before;
        scratch.truncate(before);
        count
    }

    /// Plays a legal move of the player to act. An illegal move may panic or leave a senseless state, never undefined
    /// behaviour.
    fn play(&mut self, mv: Self::Move);

    /// Returns the contest points of both players as things stand; final once the game is over.
    fn points(&self) -> [i32; 2];

    /// Returns the value for zero-sum searches, which player 0 maximises and player 1 minimises: by default the
    /// difference of the points.
    fn value(&self) -> i32 {
        let [zero, one] = self.points();
        zero - one
    }

    /// Returns a uniformly random legal move. `scratch` is working space whose contents are lost.
    ///
    /// The default lists all moves and picks one; a game overrides it if rollouts can do better.
    ///
    /// # Panics
    /// If there is no legal move.
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> Self::Move {
        scratch.clear();
        self.moves(scratch);
        *rng.choose(scratch)
    }
}

/// A game with chance nodes of known probabilities.
pub trait Chance: Game {
    /// Outcomes of chance.
    type Outcome: Copy + PartialEq + Debug;

    /// Appends every possible outcome with its weight, a positive integer; the probability of an outcome is its weight
    /// over the sum of the weights, so probabilities are exact. Appends nothing when it is not chance's turn.
    fn outcomes(&self, outcomes: &mut Vec<(Self::Outcome, u32)>);

    /// Applies one of the outcomes.
    fn resolve(&mut self, outcome: Self::Outcome);

    /// Draws an outcome with its probability. `scratch` is working space whose contents are lost.
    ///
    /// # Panics
    /// If it is not chance's turn.
    fn random_outcome(&self, rng: &mut Rng, scratch: &mut Vec<(Self::Outcome, u32)>) -> Self::Outcome {
        scratch.clear();
        self.outcomes(scratch);
        let total: u32 = scratch.iter().map(|&(_, weight)| weight).sum();
        let mut rest = rng.below(total);
        for &(outcome, weight) in scratch.iter() {
            if rest < weight {
                return outcome;
            }
            rest -= weight;
        }
        unreachable!("the draw is below the sum of the weights")
    }
}

/// A game in which a player does not know the whole state (cards, secret colours).
pub trait Hidden: Game {
    /// Replaces everything `viewer` cannot know by a random sample, with the probabilities that the public course of
    /// the game leaves, so that the state is one `viewer` cannot tell from the true one.
    fn resample(&mut self, viewer: Player, rng: &mut Rng);
}
