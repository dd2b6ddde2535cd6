//! The interface of a bot, which chooses the moves of one player.

use crate::{
    contest::{Analysis, Clock},
    rules::{Game, Player, Rng},
};

/// A program that plays a game with states `S` and moves `M`. One instance plays one game.
///
/// With a given seed and node budget, a bot must be deterministic.
///
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::contest::{Bot, Clock, Limits};
/// use contender_game::rules::Player;
///
/// /// Leaves the opponent a multiple of four if possible.
/// struct Expert;
///
/// impl Bot<Nim, u8> for Expert {
///     fn choose(&mut self, state: &Nim, _player: Player, _clock: &Clock) -> u8 {
///         (state.matches % 4).max(1)
///     }
/// }
///
/// let state = Nim { matches: 6, mover: Player::One };
/// assert_eq!(Expert.choose(&state, Player::One, &Clock::new(Limits::NONE)), 2);
/// ```
pub trait Bot<S, M>: Send {
    /// Chooses a legal move for `player`, whose turn it is in `state`. The parts of `state` that `player` cannot know
    /// are arbitrary.
    fn choose(&mut self, state: &S, player: Player, clock: &Clock) -> M;

    /// Observes the opponent's move `mv`. `state` is the position before this move, with `player.other()` to move.
    /// `player` is the bot's own seat. This function is called once for each of the opponent's moves, before the next
    /// [`choose`](Bot::choose), but not for the bot's own moves. A game whose judge sends the whole position every turn
    /// does not have to call this function.
    fn observe(&mut self, state: &S, player: Player, mv: &M) {
        let _ = (state, player, mv);
    }

    /// Chooses a move like [`choose`](Bot::choose) and returns the analysis behind it. The default analysis contains
    /// only the move, so bots that search should override this function.
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

/// A bot that plays the best move of an analysis. The closure runs the search. It also owns all data that the bot keeps
/// between turns.
///
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::contest::{Analysis, Bot, Clock, Limits, SearchBot};
/// use contender_game::rules::Player;
///
/// let mut turns = 0;
/// let mut bot = SearchBot(move |state: &Nim, _: Player, _: &Clock| {
///     turns += 1;
///     Analysis { counts: vec![("nodes", turns)], ..Analysis::of_move(state.matches.min(3)) }
/// });
/// let state = Nim { matches: 2, mover: Player::Zero };
/// assert_eq!(bot.choose(&state, Player::Zero, &Clock::new(Limits::NONE)), 2);
/// ```
pub struct SearchBot<F>(pub F);

impl<S, M: Clone, F: FnMut(&S, Player, &Clock) -> Analysis<M> + Send> Bot<S, M> for SearchBot<F> {
    fn choose(&mut self, state: &S, player: Player, clock: &Clock) -> M {
        self.analyse(state, player, clock).moves[0].mv.clone()
    }

    fn analyse(&mut self, state: &S, player: Player, clock: &Clock) -> Analysis<M> {
        (self.0)(state, player, clock)
    }
}

/// A bot that plays uniformly random legal moves.
///
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::contest::{Bot, Clock, Limits, RandomBot};
/// use contender_game::rules::Player;
///
/// let state = Nim { matches: 2, mover: Player::Zero };
/// let mv = RandomBot::new(1).choose(&state, Player::Zero, &Clock::new(Limits::NONE));
/// assert!(mv == 1 || mv == 2);
/// ```
#[derive(Clone, Debug)]
pub struct RandomBot {
    rng: Rng,
}

impl RandomBot {
    /// Creates the bot with this seed.
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
