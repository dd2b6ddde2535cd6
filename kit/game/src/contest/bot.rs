//! The interface of a bot to a game: it chooses moves.

use crate::{
    contest::{Analysis, Clock},
    rules::{Game, Player, Rng},
};

/// A program that plays a game with states `S` and moves `M`, one value per game.
///
/// A bot is deterministic given its seed and a node budget; the clock only wraps that.
pub trait Bot<S, M>: Send {
    /// Chooses a legal move for `player`, the player to act in `state`. Everything that `player` cannot know is
    /// arbitrary in `state`.
    fn choose(&mut self, state: &S, player: Player, clock: &Clock) -> M;

    /// Observes the opponent's move `mv`, which is legal in `state` and not played in it yet. `player` is the bot's own
    /// seat; in `state` the other player, `player.other()`, is to act. Every move of the opponent is observed once,
    /// before the next [`choose`](Bot::choose); the bot's own moves are not. A game whose judge sends the whole
    /// position each turn need not call it.
    fn observe(&mut self, state: &S, player: Player, mv: &M) {
        let _ = (state, player, mv);
    }

    /// Chooses like [`choose`](Bot::choose) and tells what it found out. Bots that search override it.
    fn analyse(&mut self, state: &S, player: Player, clock: &Clock) -> Analysis<M> {
        Analysis::of_move(self.choose(state, player, clock))
    }
}

impl<S, M, B: Bot<S, M> + ?Sized> Bot<S, M> for Box<B> {
    fn choose(&mut self, state: &S, player: Player, clock: &Clock) -> M {
        (**self).choose(state, player, clock)
    }

    fn observe(&mut self, state: &S, player: Player, mv: &M) {
        (**self).observe(state, player, mv);
    }

    fn analyse(&mut self, state: &S, player: Player, clock: &Clock) -> Analysis<M> {
        (**self).analyse(state, player, clock)
    }
}

/// A bot that plays the best move of what is found: a search, with what it keeps from turn to turn, as a closure.
pub struct SearchBot<F>(pub F);

impl<S, M: Clone, F: FnMut(&S, Player, &Clock) -> Analysis<M> + Send> Bot<S, M> for SearchBot<F> {
    fn choose(&mut self, state: &S, player: Player, clock: &Clock) -> M {
        self.analyse(state, player, clock).moves[0].mv.clone()
    }

    fn analyse(&mut self, state: &S, player: Player, clock: &Clock) -> Analysis<M> {
        (self.0)(state, player, clock)
    }
}

/// Plays uniformly random legal moves.
#[derive(Clone, Debug)]
pub struct RandomBot {
    rng: Rng,
}

impl RandomBot {
    /// Returns the bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> RandomBot {
        RandomBot { rng: Rng::new(seed) }
    }
}

impl<G: Game> Bot<G, G::Move> for RandomBot {
    fn choose(&mut self, state: &G, _player: Player, _clock: &Clock) -> G::Move {
        state.random_move(&mut self.rng, &mut Vec::new())
    }
}
