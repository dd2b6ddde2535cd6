//! An exact solver for late positions, and the brute force it is held against.

use contender_game::rules::{Game, Turn};
use contender_uttt::{Move, State};
use std::collections::HashMap;

/// The value for player 0 with best play by both, by looking at everything.
pub fn brute_force(state: &State) -> i32 {
    let Turn::Player(player) = state.turn() else { return state.value() };
    let values = moves(state).into_iter().map(|mv| brute_force(&after(state, mv)));
    if player.index() == 0 {
        values.max().unwrap()
    } else {
        values.min().unwrap()
    }
}

/// The state after a move.
pub fn after(state: &State, mv: Move) -> State {
    let mut next = *state;
    next.play(mv);
    next
}

/// All legal moves.
pub fn moves(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

/// Alpha-beta with a table of what was found before; gives up after a number of nodes.
pub struct Solver {
    /// Bounds of values for player 0, lower and upper.
    table: HashMap<State, (i8, i8)>,
    nodes: u64,
    limit: u64,
}

impl Solver {
    /// A solver that gives up a position after this many nodes.
    pub fn new(limit: u64) -> Solver {
        Solver { table: HashMap::new(), nodes: 0, limit }
    }

    /// The value for player 0 with best play by both; `None` if that takes too many nodes.
    pub fn solve(&mut self, state: &State) -> Option<i32> {
        self.table.clear();
        self.nodes = 0;
        self.search(state, -1, 1).map(i32::from)
    }

    fn search(&mut self, state: &State, mut low: i8, mut high: i8) -> Option<i8> {
        let Turn::Player(player) = state.turn() else { return Some(state.value() as i8) };
        self.nodes += 1;
        if self.nodes > self.limit {
            return None;
        }
        let (least, most) = self.table.get(state).copied().unwrap_or((-1, 1));
        if least == most || least >= high {
            return Some(least);
        }
        if most <= low {
            return Some(most);
        }
        low = low.max(least);
        high = high.min(most);
        let is_zero = player.index() == 0;
        let mut best = if is_zero { -1 } else { 1 };
        // Moves that win come first, then those that leave the opponent few answers.
        let mut ordered: Vec<(i32, State)> = moves(state)
            .into_iter()
            .map(|mv| after(state, mv))
            .map(|next| {
                let is_won = next.turn() == Turn::Over && next.value() == player.sign();
                (if is_won { -1 } else { next.count_moves() as i32 }, next)
            })
            .collect();
        ordered.sort_by_key(|&(order, _)| order);
        let (mut alpha, mut beta) = (low, high);
        for (_, next) in ordered {
            let value = self.search(&next, alpha, beta)?;
            if is_zero {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        let bounds = match () {
            () if best <= low => (least, best),
            () if best >= high => (best, most),
            () => (best, best),
        };
        self.table.insert(*state, bounds);
        Some(best)
    }
}
