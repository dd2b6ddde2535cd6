//! A tree that is kept from turn to turn.

use contender_game::Game;

/// A search whose tree can follow the game.
pub trait Follow<G: Game> {
    /// Forgets the tree.
    fn reset(&mut self);

    /// Keeps what the tree knows of the state after `mv`, of which the next search is.
    fn advance(&mut self, mv: G::Move);
}

/// A search with the state that its tree is of, so that a bot need not know what the tree has followed: it tells every
/// move it hears of or makes, and searches whatever state it is asked about.
#[derive(Clone, Debug)]
pub struct TreeCache<G, S> {
    search: S,
    root: Option<G>,
}

impl<G: Game + PartialEq, S: Follow<G>> TreeCache<G, S> {
    /// Of a search with an empty tree.
    pub fn new(search: S) -> TreeCache<G, S> {
        TreeCache { search, root: None }
    }

    /// The search, for a search of `state` and no other: its tree is what is known of that, or empty.
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
