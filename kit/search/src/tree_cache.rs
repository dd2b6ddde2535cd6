//! A search tree that is kept between turns.

use contender_game::rules::Game;

/// A search whose tree can follow the moves of the game.
pub trait Follow<G: Game> {
    /// Discards the tree.
    fn reset(&mut self);

    /// Keeps only the part of the tree below the state after `mv`. This state must be the next one to be searched.
    fn advance(&mut self, mv: G::Move);
}

/// A search together with the state at its root. The bot reports every move that it observes or makes, and can search
/// any state; the cache decides whether the tree can be reused.
///
/// ```
/// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::{Game, Player, Rng};
/// use contender_search::mcts::{Mcts, MctsConfig, RandomGames, Uct};
/// use contender_search::{NoChance, SearchLimits, TreeCache};
///
/// let search = Mcts::<Nim, NoChance, Uct>::new(MctsConfig::default(), Uct::new(1.0));
/// let mut cache = TreeCache::new(search);
/// let mut state = Nim { matches: 30, mover: Player::Zero };
/// for _ in 0..3 {
///     let mut games = RandomGames::<Nim, NoChance>::default();
///     let analysis = cache.of(&state).search(&state, &mut games, &SearchLimits::nodes(500), &mut Rng::new(1));
///     let mv = analysis.moves[0].mv;
///     cache.play(&state, mv);
///     state.play(mv);
/// }
/// ```
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

    /// Returns the search, prepared for `state`: its tree either belongs to this state or is empty.
    pub fn of(&mut self, state: &G) -> &mut S {
        if self.root.as_ref() != Some(state) {
            self.search.reset();
            self.root = Some(state.clone());
        }
        &mut self.search
    }

    /// Follows the move `mv` in the tree, if the tree belongs to `state`, the position before the move.
    pub fn play(&mut self, state: &G, mv: G::Move) {
        match &mut self.root {
            Some(root) if root == state => {
                self.search.advance(mv);
                root.play(mv);
            }
            _ => self.root = None,
        }
    }

    /// Discards the tree.
    pub fn reset(&mut self) {
        self.root = None;
        self.search.reset();
    }
}
