//! Knowledge about a game beyond its rules, for a search.

use crate::Bounds;
use contender_game::rules::Game;

/// Values of states from player 0's view, and other knowledge that a depth-first search can use. Only
/// [`evaluate`](Heuristics::evaluate) is required; the defaults of all other methods add no knowledge.
///
/// Values are integers between `-LIMIT` and [`LIMIT`](crate::LIMIT); the implementor chooses the unit, see
/// [`crate::value`]. Methods take `&mut self` so that an evaluation can keep a cache or working space; the value of a
/// state must not depend on it.
pub trait Heuristics<G: Game> {
    /// Returns the value of a state that the search does not look beyond. It may be a player's turn or chance's.
    fn evaluate(&mut self, state: &G) -> i32;

    /// Returns the value of a finished game, in the unit of [`evaluate`](Heuristics::evaluate).
    fn finished(&mut self, state: &G) -> i32 {
        state.value()
    }

    /// Bounds of the value that a search of `depth` finds for `state`, and if chance acts there, for each outcome.
    ///
    /// Chance nodes prune by them, so the tighter the better: bounds of all values there are prune little. What a
    /// player can have for certain is such a bound (the value as it stands, if the player can pass), and so is a clamp
    /// of the evaluation.
    fn bounds(&self, state: &G, depth: u32) -> Bounds {
        let _ = (state, depth);
        Bounds::VALUES
    }

    /// Returns a hash of everything that can matter later: the turn, the position, the memory of the rules, the
    /// remaining chance. Without it there is no transposition table.
    fn key(&self, state: &G) -> Option<u64> {
        let _ = state;
        None
    }

    /// Returns the number of counters of the history heuristic for each player; 0 for none.
    fn slots(&self) -> usize {
        0
    }

    /// Returns the counter of a move, below [`slots`](Heuristics::slots); moves that mean the same in different states
    /// share one.
    fn slot(&self, state: &G, mv: G::Move) -> usize {
        let _ = (state, mv);
        0
    }

    /// Returns how promising a move looks to its player; moves with higher scores are searched earlier. Moves with
    /// equal scores are ordered by their history.
    fn score(&mut self, state: &G, mv: G::Move) -> i32 {
        let _ = (state, mv);
        0
    }

    /// Hears what a search of `depth` has found out about the value of `state`, each time it has looked below it and
    /// was not answered by the table: for learning from the nodes of searches. Bounds hold as far as the search is
    /// sound ([`SearchConfig`]).
    ///
    /// [`SearchConfig`]: crate::SearchConfig
    fn found(&mut self, state: &G, depth: u32, bounds: Bounds) {
        let _ = (state, depth, bounds);
    }

    /// Returns a predictor of a search of `depth` below the chance node `state` from a shallower one; `None` if there
    /// is none.
    fn prob_cut(&self, state: &G, depth: u32) -> Option<ProbCut> {
        let _ = (state, depth);
        None
    }

    /// Hears that the state at distance `ply` from the root is this one, reached in a way that
    /// [`follow`](Heuristics::follow) was not told.
    fn begin(&mut self, ply: usize, state: &G) {
        let _ = (ply, state);
    }

    /// Hears that `mv` leads from `before`, the state at distance `ply - 1` from the root, to `after` at distance
    /// `ply`. An evaluation keeps a stack of what it sums up, one entry for each distance, and derives entry `ply` from
    /// the one before. Undoing a move needs no call: the next one at this distance overwrites the entry.
    fn follow(&mut self, ply: usize, before: &G, mv: G::Move, after: &G) {
        let _ = (ply, before, mv, after);
    }

    /// Returns the value of the state at distance `ply` from the root, the one that was told last for this distance. It
    /// must equal [`evaluate`](Heuristics::evaluate), except that a value outside `window` may be replaced by any other
    /// value on its side: an evaluation can stop as soon as it knows the side.
    fn evaluate_at(&mut self, ply: usize, state: &G, window: Bounds) -> i32 {
        let _ = (ply, window);
        self.evaluate(state)
    }
}

/// A linear prediction of a deep search's value from a shallow one's: `slope * shallow + offset`, with a normal error.
///
/// Fitted by regression on many states. Values are in the evaluation's unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCut {
    /// The depth of the shallow search, less than that of the deep one.
    pub depth: u32,
    /// Positive.
    pub slope: f64,
    /// Added after scaling.
    pub offset: f64,
    /// The standard deviation of the prediction's error.
    pub sigma: f64,
}

/// Takes the game's own value as the value of every state, and knows nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Points;

impl<G: Game> Heuristics<G> for Points {
    fn evaluate(&mut self, state: &G) -> i32 {
        state.value()
    }
}
