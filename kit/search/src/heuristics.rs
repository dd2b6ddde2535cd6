//! Knowledge about a game that its rules do not contain, for a search.

use crate::Bounds;
use contender_game::rules::Game;

/// Values of states from player 0's view, and other knowledge that a depth-first search can use. Only
/// [`evaluate`](Heuristics::evaluate) is required; the defaults of all other methods add no knowledge.
///
/// Values are integers between `-LIMIT` and [`LIMIT`](crate::LIMIT); the implementor chooses the unit, see
/// [`crate::value`]. Methods take `&mut self` so that an evaluation can keep a cache or working space; the value of a
/// state must not depend on it.
pub trait Heuristics<G: Game> {
    /// Returns the value of a state beyond which the search does not look. The state may be a player's turn or chance's
    /// turn.
    fn evaluate(&mut self, state: &G) -> i32;

    /// Returns the value of a finished game, in the unit of [`evaluate`](Heuristics::evaluate).
    fn finished(&mut self, state: &G) -> i32 {
        state.value()
    }

    /// Returns bounds of the value that a search of `depth` finds for `state`. If it is chance's turn, the bounds hold
    /// for each outcome.
    ///
    /// Chance nodes prune with these bounds, so tight bounds are better. The bounds of all possible values prune
    /// little. Examples are the value that a player can keep for certain (the current value, if the player can pass),
    /// and the limits to which the evaluation is clamped.
    fn bounds(&self, state: &G, depth: u32) -> Bounds {
        let _ = (state, depth);
        Bounds::VALUES
    }

    /// Returns a hash of everything that can matter later: the turn, the position, the history that the rules need, and
    /// the remaining chance. Without a key, there is no transposition table.
    fn key(&self, state: &G) -> Option<u64> {
        let _ = state;
        None
    }

    /// Returns the number of counters of the history heuristic for each player; 0 for none.
    fn slots(&self) -> usize {
        0
    }

    /// Returns the counter of a move, below [`slots`](Heuristics::slots); similar moves in different states share a
    /// counter.
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

    /// Receives the bounds that a search of `depth` has found for the value of `state`, unless the table already had
    /// the answer. An evaluation can use this method to learn from the nodes of searches. The bounds are as sound as
    /// the search's techniques ([`SearchConfig`]).
    ///
    /// [`SearchConfig`]: crate::SearchConfig
    fn found(&mut self, state: &G, depth: u32, bounds: Bounds) {
        let _ = (state, depth, bounds);
    }

    /// Returns a predictor for the result of a search of `depth` below the chance node `state`, from a shallower
    /// search. Returns `None` if there is no predictor.
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
    /// distance `ply`. An evaluation can keep a stack of partial sums, one entry for each distance, and derive entry
    /// `ply` from the entry before. Undoing a move needs no call, because the next call for this distance overwrites
    /// the entry.
    fn follow(&mut self, ply: usize, before: &G, mv: G::Move, after: &G) {
        let _ = (ply, before, mv, after);
    }

    /// Returns the value of the state at distance `ply` from the root, which is the state of the latest call for this
    /// distance. The value must equal [`evaluate`](Heuristics::evaluate). Only a value outside `window` may be replaced
    /// by any other value on its side of the window, so an evaluation can stop as soon as it knows the side.
    fn evaluate_at(&mut self, ply: usize, state: &G, window: Bounds) -> i32 {
        let _ = (ply, window);
        self.evaluate(state)
    }
}

/// A linear prediction of a deep search's value from a shallow one's: `slope * shallow + offset`, with a normal error.
///
/// The prediction is fitted by regression on many states. Values are in the evaluation's unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCut {
    /// The depth of the shallow search, less than the depth of the deep search.
    pub depth: u32,
    /// Positive.
    pub slope: f64,
    /// Added after scaling.
    pub offset: f64,
    /// The standard deviation of the prediction's error.
    pub sigma: f64,
}

/// Uses the game's own value for every state, and has no other knowledge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Points;

impl<G: Game> Heuristics<G> for Points {
    fn evaluate(&mut self, state: &G) -> i32 {
        state.value()
    }
}
