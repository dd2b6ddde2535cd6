//! Rules as types: a value is a state, and the trait defines what can happen in it.

use crate::rules::{Player, Rng, Turn};
use std::fmt::Debug;

/// The default limit of the number of turns. Games that can end take far fewer turns.
pub(crate) const MAX_TURNS: usize = 1000;

/// A game of two players who move one after the other, with chance (see [`Chance`]) or without.
///
/// The type contains the rules, and a value of the type is a state. Searches copy states with `clone`, so keep them
/// small and flat.
pub trait Game: Clone {
    /// One decision of one player.
    type Move: Copy + PartialEq + Debug + Send;

    /// The maximum number of turns. A turn is one decision of a player. A longer game counts as endless: judges end it
    /// as a draw, and training runs stop it. A game with a different limit must count its turns, and its own rules must
    /// end it.
    const MAX_TURNS: usize = MAX_TURNS;

    /// Returns whether it is a player's turn, it is chance's turn, or the game is over.
    fn turn(&self) -> Turn;

    /// Appends every legal move of the player to act, each once, in a fixed order. Appends nothing when no player
    /// must act.
    ///
    /// Appending lets a search keep the moves of all its nodes in one vector, so that no node allocates memory.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Counts the legal moves. `scratch` is working space; its contents are unchanged afterwards.
    ///
    /// The default lists the moves. A game can override this method to count the moves without a list.
    fn move_count(&self, scratch: &mut Vec<Self::Move>) -> usize {
        let before = scratch.len();
        self.moves(scratch);
        let count = scratch.len() - before;
        scratch.truncate(before);
        count
    }

    /// Plays a legal move of the player to act. An illegal move may panic or leave a meaningless state, but must not
    /// cause undefined behaviour.
    fn play(&mut self, mv: Self::Move);

    /// Returns the current contest points of both players. The points are final once the game is over.
    fn points(&self) -> [i32; 2];

    /// Returns the value for zero-sum searches, which player 0 maximises and player 1 minimises. The default is player
    /// 0's points minus player 1's points.
    fn value(&self) -> i32 {
        let [zero, one] = self.points();
        zero - one
    }

    /// Returns a uniformly random legal move. `scratch` is working space whose contents are lost.
    ///
    /// The default lists all moves and picks one. A game can override this method to draw a move faster.
    ///
    /// # Panics
    /// Panics if there is no legal move.
    fn random_move(&self, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> Self::Move {
        scratch.clear();
        self.moves(scratch);
        *rng.choose(scratch)
    }
}

/// A game with chance nodes of known probabilities.
pub trait Chance: Game {
    /// The type of the outcomes of chance.
    type Outcome: Copy + PartialEq + Debug;

    /// Appends every possible outcome with its weight, a positive integer. The probability of an outcome is its weight
    /// divided by the sum of the weights, so probabilities are exact. Appends nothing when it is not chance's turn.
    fn outcomes(&self, outcomes: &mut Vec<(Self::Outcome, u32)>);

    /// Applies one of the outcomes to the state.
    fn resolve(&mut self, outcome: Self::Outcome);

    /// Draws a random outcome by weight. `scratch` is working space whose contents are lost.
    ///
    /// # Panics
    /// Panics if it is not chance's turn.
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
    /// Replaces everything that `viewer` cannot know by a random sample. `viewer` must not be able to distinguish the
    /// new state from the true one. The probability of each state must follow from the public course of the game.
    fn resample(&mut self, viewer: Player, rng: &mut Rng);
}
