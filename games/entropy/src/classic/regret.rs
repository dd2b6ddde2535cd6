//! The opponent's regret: how much worse its moves are than the best moves. Regret measures skill independently of the
//! draws.
//!
//! A search compares the position after a move with the position after the best move (for Chaos: the best placement of
//! the same chip). The regret of a move is the difference of the values of these two positions, for the player who
//! moved. The regret is 0 for the best move and positive for any other move.

use crate::evaluation::{Value, ValueGuide, POINT};
use crate::{Move, State};
use contender_game::rules::{Game, Turn};
use contender_search::{Search, SearchConfig, SearchLimits, TableDepth, WithChance};

/// The configuration of an exact search: only sound techniques, and values of exactly the requested depth.
pub(super) const CONFIG: SearchConfig = SearchConfig {
    table_bytes: 8 << 20,
    table_depth: TableDepth::Same,
    history: false,
    evaluate_from: 2,
    ..SearchConfig::FULL
};

/// The total regret of several moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Regret {
    /// The sum of the regrets, in points.
    pub total: f32,
    /// Number of judged moves.
    pub moves: u32,
}

impl Regret {
    /// Adds the regret of one more move.
    pub fn add(&mut self, regret: f32) {
        self.total += regret;
        self.moves += 1;
    }
}

/// Returns the regret of playing `mv` in `state`, in points, for the player who moves. Returns `None` if no player must
/// act, or if the limits do not leave enough nodes or time for the search.
pub fn regret<V: Value>(
    search: &mut Search<State, ValueGuide<V>, WithChance>,
    state: &State,
    mv: Move,
    limits: &SearchLimits,
) -> Option<f32> {
    let Turn::Player(player) = state.turn() else { return None };
    let best = search.search(state, limits);
    if best.depth == 0 {
        return None;
    }
    if best.moves[0].mv == mv {
        return Some(0.0);
    }
    // No deadline is needed, because the previous search has searched these moves to the same depth.
    let mut value = |mv| {
        let mut after = state.clone();
        after.play(mv);
        player.sign() * search.value(&after, best.depth - 1)
    };
    // A stopped search may know the best move at a greater depth than the other moves.
    let is_even = best.depth == limits.depth || best.is_proven();
    let most = if is_even { best.moves[0].value[0] as i32 } else { value(best.moves[0].mv) };
    Some((most - value(mv)).max(0) as f32 / POINT as f32)
}
