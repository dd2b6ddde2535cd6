//! The common part of the bots that search a tree and keep the tree from turn to turn.

use crate::{Move, State};
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::{Game, Player},
};
use contender_search::{Follow, SearchLimits, TreeCache};

/// The centre of the centre board. The strongest authors of the arena consider it the only good first move.
pub(crate) const CENTRE: Move = Move::new(4, 4);

/// The search of a [`TreeBot`], and its decisions between searches.
pub trait TreeSearch: Send {
    /// The type of the tree, which is kept between turns.
    type Tree: Follow<State> + Send;

    /// Returns the limits of the current turn.
    fn limits(&self, clock: &Clock) -> SearchLimits;

    /// Searches `state`, in which a player must act, with the tree of this state.
    fn search(&mut self, tree: &mut Self::Tree, state: &State, limits: &SearchLimits) -> Analysis<Move>;

    /// Returns whether the tree of this turn is kept for the next turn.
    fn keeps(&self, clock: &Clock) -> bool;

    /// Returns a fixed first move of a game, or `None` if the bot should search for it.
    fn first_move(&self) -> Option<Move>;

    /// Returns whether the bot uses the time of a fixed first move to search for its replies to the opponent's answers.
    fn expects_answers(&self) -> bool {
        true
    }

    /// Prepares the first search of a turn. Called only before turns that are played, not before analyses.
    fn prepare(&mut self, tree: &mut Self::Tree, clock: &Clock) {
        let _ = (tree, clock);
    }
}

/// A bot that searches a tree and keeps it from turn to turn. The bot is deterministic if its seed and a number of
/// iterations are given.
pub struct TreeBot<S: TreeSearch> {
    search: S,
    tree: TreeCache<State, S::Tree>,
}

impl<S: TreeSearch> TreeBot<S> {
    pub(crate) fn with(search: S, tree: S::Tree) -> TreeBot<S> {
        TreeBot { search, tree: TreeCache::new(tree) }
    }

    /// Searches a state in which a player must act.
    pub fn search(&mut self, state: &State, clock: &Clock) -> Analysis<Move> {
        let limits = self.search.limits(clock);
        let found = self.search.search(self.tree.of(state), state, &limits);
        if !self.search.keeps(clock) {
            self.tree.reset();
        }
        found
    }
}

impl<S: TreeSearch> Bot<State, Move> for TreeBot<S> {
    /// # Panics
    /// Panics if the game is over.
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
        self.search.prepare(self.tree.of(state), clock);
        if let Some(first) = self.search.first_move().filter(|_| *state == State::default()) {
            if self.search.expects_answers() && self.search.keeps(clock) {
                let mut next = *state;
                next.play(first);
                self.search(&next, clock);
            }
            return first;
        }
        let mv = self.search(state, clock).moves[0].mv;
        self.tree.play(state, mv);
        mv
    }

    fn observe(&mut self, state: &State, _player: Player, mv: &Move) {
        self.tree.play(state, *mv);
    }

    fn analyse(&mut self, state: &State, _player: Player, clock: &Clock) -> Analysis<Move> {
        self.search(state, clock)
    }
}
