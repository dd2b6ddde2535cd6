//! Common parts of the bots that search a tree and keep it from turn to turn.

use crate::{Move, State};
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::{Game, Player},
};
use contender_search::{Follow, SearchLimits, TreeCache};

/// The one good first move, by the strongest authors of the arena: the centre of the centre board.
pub(crate) const CENTRE: Move = Move::new(4, 4);

/// The search of a [`TreeBot`] and its actions between searches.
pub trait TreeSearch: Send {
    /// The tree that grows and is kept.
    type Tree: Follow<State> + Send;

    /// Returns the limits of the present turn.
    fn limits(&self, clock: &Clock) -> SearchLimits;

    /// Searches `state`, in which a player must act, in the state's tree.
    fn search(&mut self, tree: &mut Self::Tree, state: &State, limits: &SearchLimits) -> Analysis<Move>;

    /// Returns whether the tree of this turn is kept for the next one.
    fn keeps(&self, clock: &Clock) -> bool;

    /// Returns the first move of a game, if no search should find it.
    fn first_move(&self) -> Option<Move>;

    /// Returns whether the time of a given first move is spent on the answers to it.
    fn expects_answers(&self) -> bool {
        true
    }

    /// Called before the first search of a turn that is played, not analysed.
    fn prepare(&mut self, tree: &mut Self::Tree, clock: &Clock) {
        let _ = (tree, clock);
    }
}

/// A bot that searches and keeps its tree. Deterministic given its seed and a number of iterations.
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
