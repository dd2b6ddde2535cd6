//! An exact solver for late positions, and the brute force that tests it.

use contender_game::rules::{Game, Turn};
use contender_uttt::{Move, State};
use std::collections::HashMap;

/// Returns the value for player 0 with best play by both players. Searches all positions.
pub fn brute_force(state: &State) -> i32 {
    let Turn::Player(player) = state.turn() else { return state.value() };
    let values = moves(state).into_iter().map(|mv| brute_force(&after(state, mv)));
    if player.index() == 0 {
        values.max().unwrap()
    } else {
        values.min().unwrap()
    }
}

/// Returns the state after a move.
pub fn after(state: &State, mv: Move) -> State {
    let mut next = *state;
    next.play(mv);
    next
}

/// Returns all legal moves.
pub fn moves(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

/// An alpha-beta search with a table of earlier results, which gives up after a number of nodes.
pub struct Solver {
    /// The lower and upper bounds of values for player 0.
    table: HashMap<State, (i8, i8)>,
    nodes: u64,
    limit: u64,
}

impl Solver {
    /// Creates a solver that gives up on a position after this many nodes.
    pub fn new(limit: u64) -> Solver {
        Solver { table: HashMap::new(), nodes: 0, limit }
    }

    /// Returns the value for player 0 with best play by both players, or `None` if this takes too many nodes.
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
        // Winning moves come first, then the moves that leave the opponent few answers.
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
