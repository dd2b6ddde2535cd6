//! A tree that is kept from turn to turn.

use contender_game::rules::Game;

/// A search whose tree can follow the game.
pub trait Follow<G: Game> {
    /// Forgets the tree.
    fn reset(&mut self);

    /// Keeps what the tree knows of the state after `mv`, of which the next search is.
    fn advance(&mut self, mv: G::Move);
}

/// A search together with the state of its tree, so that a bot need not track what the tree has followed: the bot
/// reports every move that it observes or makes, and can search any state.
#[derive(Clone, Debug)]
pub struct TreeCache<G, S> {
    search: S,
    root: Option<G>,
}

impl<G: Game + PartialEq, S: Follow<G>> TreeCache<G, S> {
    /// Creates a cache for a search with an empty tree.
    pub fn new(search: S) -> TreeCache<G, S> {
        TreeCache { search, root: None }
    }

    /// Returns the search, for a search of `state` and no other: its tree is what is known of that, or empty.
    pub fn of(&mut self, state: &G) -> &mut S {
        if self.root.as_ref() != Some(state) {
            self.search.reset();
            self.root = Some(state.clone());
        }
        &mut self.search
    }

    /// Follows `mv`, played in `state` by either player, if the tree is of that state.
    pub fn play(&mut self, state: &G, mv: G::Move) {
        match &mut self.root {
            Some(root) if root == state => {
                self.search.advance(mv);
                root.play(mv);
            }
            _ => self.root = None,
        }
    }

    /// Forgets the tree.
    pub fn reset(&mut self) {
        self.root = None;
        self.search.reset();
    }
}
