//! How much better the opponent could have placed: a measure of its skill that luck does not disturb.
//!
//! A placement's regret is the value of the position after it less that after the best placement of the same chip, as a search sees
//! them. It is 0 for the best one and positive for any other.

use crate::evaluation::{Value, ValueGuide, POINT};
use crate::{Move, State};
use contender_game::Game;
use contender_search::{Allowance, Config, Fair, Search, TableDepth};

/// Sound techniques only, and values of exactly the depth that is asked for.
pub(super) const CONFIG: Config = Config {
    table_bytes: 1 << 20,
    table_depth: TableDepth::Same,
    history: false,
    evaluate_from: 2,
    ..Config::FULL
};

/// The regret of several placements.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Regret {
    /// Their sum, in points.
    pub total: f32,
    /// How many placements were judged.
    pub moves: u32,
}

impl Regret {
    /// Counts one more placement.
    pub fn add(&mut self, regret: f32) {
        self.total += regret;
        self.moves += 1;
    }
}

/// The regret, in points, of Chaos's placement `mv` in `state`; `None` if the allowance is too small to say.
pub fn regret<V: Value>(
    search: &mut Search<State, ValueGuide<V>, Fair>,
    state: &State,
    mv: Move,
    allowance: &Allowance,
) -> Option<f32> {
    let best = search.search(state, allowance);
    if best.depth == 0 {
        return None;
    }
    if best.best == Some(mv) {
        return Some(0.0);
    }
    let mut after = state.clone();
    after.play(mv);
    // No deadline: this is one of the moves that the search before has looked at to the same depth.
    let value = search.value(&after, best.depth - 1);
    Some((value - best.value).max(0) as f32 / POINT as f32)
}
