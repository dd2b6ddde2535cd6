//! The optimistic search. It considers only Order's moves, as if no more chips came.

use crate::evaluation::POINT;
use crate::guide::{key, promise, slot, SLOTS};
use crate::{Move, State};
use contender_game::{
    contest::Analysis,
    rules::{mix, Game, Player, Turn},
};
use contender_search::{Heuristics, NoChance, Search, SearchConfig, SearchLimits};

/// The game of an optimistic search, in which Order makes all moves.
#[derive(Clone)]
pub struct Solo {
    state: State,
    /// The sum of the scores after all moves but the last.
    earlier: i32,
}

impl Solo {
    /// Creates the game from a state in which Order must move.
    #[must_use]
    pub fn new(state: &State) -> Solo {
        Solo { state: state.clone(), earlier: 0 }
    }
}

impl Game for Solo {
    type Move = Move;

    fn turn(&self) -> Turn {
        Turn::Player(Player::Zero)
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        self.state.moves(moves);
    }

    fn play(&mut self, mv: Move) {
        self.earlier += self.state.score();
        self.state.play(mv);
        self.state.pass_chaos();
    }

    fn points(&self) -> [i32; 2] {
        self.state.points()
    }
}

/// An evaluation for this search: the score after the last move, plus a small bonus for points that are scored earlier.
struct Eager {
    /// The bonus for a point that is scored one move earlier, in thousandths of a point.
    early: i32,
}

impl Heuristics<Solo> for Eager {
    fn evaluate(&mut self, solo: &Solo) -> i32 {
        POINT * solo.state.score() + self.early * solo.earlier
    }

    fn key(&self, solo: &Solo) -> Option<u64> {
        Some(mix(&[key(&solo.state), solo.earlier as u64]))
    }

    fn slots(&self) -> usize {
        SLOTS
    }

    fn slot(&self, _: &Solo, mv: Move) -> usize {
        slot(mv)
    }

    fn score(&mut self, solo: &Solo, mv: Move) -> i32 {
        promise(&solo.state, mv)
    }
}

/// A search for the maximum number of points that Order can make alone.
pub(super) struct Optimist {
    search: Search<Solo, Eager, NoChance>,
}

impl Optimist {
    /// Creates the search. `early` is the bonus, in points, for a point that is scored one move earlier.
    pub(super) fn new(early: f32) -> Optimist {
        let eager = Eager { early: (early * POINT as f32) as i32 };
        Optimist { search: Search::new(eager, SearchConfig { table_bytes: 4 << 20, ..SearchConfig::FULL }) }
    }

    /// Evaluates the moves of Order. In `state`, it must be Order's turn.
    pub(super) fn search(&mut self, state: &State, limits: &SearchLimits) -> Analysis<Move> {
        self.search.search(&Solo::new(state), limits)
    }
}
