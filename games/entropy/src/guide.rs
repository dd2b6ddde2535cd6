//! The game's guide for generic searches: keys, slots, the order of moves, and an evaluation by the score alone.

use crate::{Cell, Move, State};
use contender_game::rules::{mix, Game, Turn};
use contender_search::{Bounds, Heuristics};

/// Number of units of a value per point.
pub const POINT: i32 = 1000;

/// The score in thousandths of a point, limited by a cap.
///
/// The cap is an upper bound for all values, and the current score is a lower bound. Chance nodes prune with these
/// bounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreGuide {
    /// The score, in points, above which all states have the same value.
    pub cap: i32,
}

impl ScoreGuide {
    /// A guide whose cap is above the score of any board, so the cap has no effect.
    pub const UNCAPPED: ScoreGuide = ScoreGuide { cap: 100_000 };

    /// Returns the guide for a search of `state`, with a cap 20 points above its score.
    #[must_use]
    pub fn of(state: &State) -> ScoreGuide {
        ScoreGuide { cap: state.score() + 20 }
    }
}

impl Heuristics<State> for ScoreGuide {
    fn evaluate(&mut self, state: &State) -> i32 {
        POINT * state.score().min(self.cap)
    }

    fn finished(&mut self, state: &State) -> i32 {
        self.evaluate(state)
    }

    /// Returns bounds from the current score up, because no placement removes points and Order may pass.
    fn bounds(&self, state: &State, _: u32) -> Bounds {
        Bounds::new(POINT * state.score().min(self.cap), POINT * self.cap)
    }

    fn key(&self, state: &State) -> Option<u64> {
        Some(key(state))
    }

    fn slots(&self) -> usize {
        SLOTS
    }

    fn slot(&self, _: &State, mv: Move) -> usize {
        slot(mv)
    }

    fn score(&mut self, state: &State, mv: Move) -> i32 {
        promise(state, mv)
    }
}

/// Returns a hash of the board, the turn, and the drawn chip. The board, the turn and the drawn chip determine the
/// contents of the bag.
pub(crate) fn key(state: &State) -> u64 {
    let turn = match state.turn() {
        Turn::Player(player) => 1 + player as u64,
        Turn::Chance | Turn::Over => 0,
    };
    board_key(state, turn << 8 | u64::from(state.drawn().unwrap_or(0)))
}

/// Returns a hash of the board and another word.
pub(crate) fn board_key(state: &State, word: u64) -> u64 {
    let [a, b, c, d, e, f, g] = *state.rows() else { unreachable!("a board has seven rows") };
    // A row has 21 bits.
    let three = |a, b, c| u64::from(a) << 42 | u64::from(b) << 21 | u64::from(c);
    mix(&[word << 21 | u64::from(g), three(a, b, c), three(d, e, f)])
}

/// Number of slots for the history heuristic.
pub(crate) const SLOTS: usize = 49 * 49;

/// Returns the slot for a move.
pub(crate) fn slot(mv: Move) -> usize {
    let number = |cell: Cell| 7 * cell.row() + cell.column();
    match mv {
        Move::Place(cell) => number(cell),
        Move::Slide { from, to } => number(from) * 49 + number(to),
        Move::Pass => 0,
    }
}

/// Returns a move's immediate gain for the player who moves, in thousandths of a point.
pub(crate) fn promise(state: &State, mv: Move) -> i32 {
    let gain = POINT * (state.score_after(mv) - state.score());
    if state.drawn().is_some() {
        -gain
    } else {
        gain
    }
}
