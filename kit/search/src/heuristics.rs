//! Knowledge about a game that helps a search and that is not part of the rules.

use crate::Bounds;
use contender_game::rules::Game;

/// The evaluation of states, from player 0's point of view, and other knowledge for a depth-first search. Only
/// [`evaluate`](Heuristics::evaluate) is required; the other functions have defaults that add no knowledge.
///
/// Values are integers between `-LIMIT` and [`LIMIT`](crate::LIMIT); the implementation chooses the unit (see
/// [`crate::value`]). The functions take `&mut self` so that an evaluation can use a cache or working space, but the
/// value of a state must not depend on the contents.
///
/// ```
/// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::Player;
/// use contender_search::{minimax, Heuristics};
///
/// struct Guide;
///
/// impl Heuristics<Nim> for Guide {
///     /// The player to move loses if a multiple of four matches is left.
///     fn evaluate(&mut self, state: &Nim) -> i32 {
///         let own = if state.matches % 4 == 0 { -1 } else { 1 };
///         own * state.mover.sign()
///     }
///
///     fn key(&self, state: &Nim) -> Option<u64> {
///         Some(contender_game::rules::mix(&[state.matches.into(), state.mover as u64]))
///     }
/// }
///
/// assert_eq!(minimax(&Nim { matches: 21, mover: Player::One }, 2, &mut Guide), -1);
/// ```
pub trait Heuristics<G: Game> {
    /// Evaluates a state at the end of the search's horizon. It may be a player's turn or chance's turn.
    fn evaluate(&mut self, state: &G) -> i32;

    /// Returns the value of a finished game, in the unit of [`evaluate`](Heuristics::evaluate).
    fn finished(&mut self, state: &G) -> i32 {
        state.value()
    }

    /// Returns bounds for the value that a search to `depth` finds for `state`. If it is chance's turn, the bounds must
    /// hold for each outcome.
    ///
    /// Pruning at chance nodes uses these bounds, so tight bounds help. The bounds of all possible values prune little.
    /// Useful bounds are a value that a player can be sure of (for example the current value, if the player can pass),
    /// or the limits to which the evaluation is clamped.
    fn bounds(&self, state: &G, depth: u32) -> Bounds {
        let _ = (state, depth);
        Bounds::VALUES
    }

    /// Returns a hash of everything that can affect the rest of the game: the player to move, the position, the history
    /// that the rules need, and the remaining random outcomes. If there is no key, the search does not use a
    /// transposition table.
    fn key(&self, state: &G) -> Option<u64> {
        let _ = state;
        None
    }

    /// Returns the number of counters per player for the history heuristic; 0 disables the heuristic.
    fn slots(&self) -> usize {
        0
    }

    /// Returns the index of a move's counter, below [`slots`](Heuristics::slots). Similar moves in different states
    /// share a counter.
    fn slot(&self, state: &G, mv: G::Move) -> usize {
        let _ = (state, mv);
        0
    }

    /// Rates how promising a move looks for its player. Moves with higher scores are searched earlier; moves with equal
    /// scores are ordered by the history heuristic.
    fn score(&mut self, state: &G, mv: G::Move) -> i32 {
        let _ = (state, mv);
        0
    }

    /// Receives the bounds that a search to `depth` has found for the value of `state`, unless the table already
    /// contained them. An evaluation can use this function to learn from the nodes of searches. The bounds are as
    /// reliable as the search's techniques ([`SearchConfig`]).
    ///
    /// [`SearchConfig`]: crate::SearchConfig
    fn found(&mut self, state: &G, depth: u32, bounds: Bounds) {
        let _ = (state, depth, bounds);
    }

    /// Returns a predictor that estimates the result of a search to `depth` below the chance node `state` from a
    /// shallower search, or `None`.
    fn prob_cut(&self, state: &G, depth: u32) -> Option<ProbCut> {
        let _ = (state, depth);
        None
    }

    /// Receives the state at distance `ply` from the root, if [`follow`](Heuristics::follow) was not called for the
    /// move that leads to it.
    fn begin(&mut self, ply: usize, state: &G) {
        let _ = (ply, state);
    }

    /// Receives the move `mv`, which leads from `before`, the state at distance `ply - 1` from the root, to `after` at
    /// distance `ply`. An evaluation can keep a stack of partial sums with one entry per distance, and compute entry
    /// `ply` from the previous entry. No call is needed to undo a move, because the next call for the same distance
    /// overwrites the entry.
    fn follow(&mut self, ply: usize, before: &G, mv: G::Move, after: &G) {
        let _ = (ply, before, mv, after);
    }

    /// Returns the value of the state at distance `ply` from the root, which is the state of the latest call for this
    /// distance. The value must equal [`evaluate`](Heuristics::evaluate) if it is inside `window`. If it is outside,
    /// any value on the same side of the window is allowed, so an evaluation can stop as soon as it knows the side.
    fn evaluate_at(&mut self, ply: usize, state: &G, window: Bounds) -> i32 {
        let _ = (ply, window);
        self.evaluate(state)
    }
}

/// A linear prediction of a deep search's value from the value of a shallow search: `slope * shallow + offset`, with a
/// normally distributed error.
///
/// Fit the prediction by regression on many states. Values are in the evaluation's unit.
///
/// ```
/// use contender_search::ProbCut;
///
/// let predictor = ProbCut { depth: 1, slope: 1.1, offset: 3.0, sigma: 20.0 };
/// assert_eq!((predictor.slope * 100.0 + predictor.offset).round(), 113.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCut {
    /// The depth of the shallow search, less than the depth of the deep search.
    pub depth: u32,
    /// The positive factor for the shallow value.
    pub slope: f64,
    /// The number added after scaling.
    pub offset: f64,
    /// The standard deviation of the prediction's error.
    pub sigma: f64,
}

/// The simplest heuristics, which use the game's current value for every state.
///
/// ```
/// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::Player;
/// use contender_search::{minimax, Points};
///
/// assert_eq!(minimax(&Nim { matches: 3, mover: Player::One }, 1, &mut Points), -1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Points;

impl<G: Game> Heuristics<G> for Points {
    fn evaluate(&mut self, state: &G) -> i32 {
        state.value()
    }
}
