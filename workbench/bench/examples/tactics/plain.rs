//! An alpha-beta search for one game, as its author might write it in an evening: negamax with iterative deepening, a
//! transposition table, killers, history, captures first, check extensions, and quiescence. It shows how much the kit's
//! search adds.

use crate::leapers::{Move, State, WON};
use contender_game::rules::{Game, Turn};

/// An entry of the transposition table.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    depth: i8,
    /// -1 for an upper bound, 0 for an exact value, 1 for a lower bound.
    bound: i8,
    value: i32,
    best: Option<Move>,
}

const NOTHING: Entry = Entry { key: 0, depth: -1, bound: 0, value: 0, best: None };
const TABLE: usize = 1 << 18;
const MAX_PLY: usize = 64;

pub struct Plain {
    table: Vec<Entry>,
    killers: [[Option<Move>; 2]; MAX_PLY],
    history: Vec<i32>,
    nodes: u64,
    limit: u64,
}

impl Plain {
    pub fn new() -> Plain {
        Plain {
            table: vec![NOTHING; TABLE],
            killers: [[None; 2]; MAX_PLY],
            history: vec![0; 2 * 64 * 70],
            nodes: 0,
            limit: 0,
        }
    }

    /// Returns the best move within `limit` nodes, and the number of nodes for each depth.
    pub fn search(&mut self, state: &State, limit: u64, max_depth: i32) -> (Move, Vec<u64>) {
        self.nodes = 0;
        self.limit = limit;
        self.killers = [[None; 2]; MAX_PLY];
        self.history.iter_mut().for_each(|count| *count /= 2);
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let (mut best, mut took) = (moves[0], Vec::new());
        for depth in 1..=max_depth {
            let (mut alpha, mut best_now) = (-WON, None);
            for &mv in &moves {
                let mut child = state.clone();
                child.play(mv);
                let value = match best_now {
                    None => self.node(&child, depth - 1, 1, -WON, WON).map(|value| -value),
                    Some(_) => {
                        match self.node(&child, depth - 1, 1, -alpha - 1, -alpha).map(|value| -value) {
                            Some(value) if value > alpha => {
                                self.node(&child, depth - 1, 1, -WON, -alpha).map(|value| -value)
                            }
                            other => other,
                        }
                    }
                };
                let Some(value) = value else {
                    return (best_now.unwrap_or(best), took);
                };
                if best_now.is_none() || value > alpha {
                    alpha = value;
                    best_now = Some(mv);
                }
            }
            best = best_now.unwrap_or(best);
            let at = moves.iter().position(|&mv| mv == best).unwrap_or(0);
            moves[..=at].rotate_right(1);
            took.push(self.nodes);
            if alpha.abs() > WON - 200 {
                break;
            }
        }
        (best, took)
    }

    fn finished(state: &State) -> i32 {
        state.value() * state.mover().sign() * (WON - i32::from(state.plies()))
    }

    fn evaluation(state: &State) -> i32 {
        state.evaluation() * state.mover().sign()
    }

    fn node(&mut self, state: &State, mut depth: i32, ply: usize, mut alpha: i32, beta: i32) -> Option<i32> {
        if state.turn() == Turn::Over {
            self.nodes += 1;
            return Some(Plain::finished(state));
        }
        if state.is_check() && ply < MAX_PLY / 2 {
            depth += 1;
        }
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.quiet(state, alpha, beta);
        }
        if self.nodes >= self.limit {
            return None;
        }
        self.nodes += 1;
        let key = state.key();
        let slot = (key >> 20) as usize % TABLE;
        let entry = self.table[slot];
        let mut first = None;
        if entry.key == key {
            first = entry.best;
            if i32::from(entry.depth) >= depth {
                match entry.bound {
                    0 => return Some(entry.value),
                    1 if entry.value >= beta => return Some(entry.value),
                    -1 if entry.value <= alpha => return Some(entry.value),
                    _ => {}
                }
            }
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let side = 64 * 70 * state.mover() as usize;
        let mut ranked: Vec<(i32, Move)> = moves
            .iter()
            .map(|&mv| {
                let score = if Some(mv) == first {
                    i32::MAX
                } else if state.is_capture(mv) {
                    1_000_000 + state.capture_score(mv)
                } else if self.killers[ply].contains(&Some(mv)) {
                    900_000
                } else {
                    self.history[side + mv.place()].min(800_000)
                };
                (score, mv)
            })
            .collect();
        ranked.sort_by_key(|&(score, _)| -score);
        let (old_alpha, mut best, mut best_move) = (alpha, -WON - 1, None);
        for (at, &(_, mv)) in ranked.iter().enumerate() {
            let mut child = state.clone();
            child.play(mv);
            let mut value = alpha + 1;
            if at > 0 {
                value = -self.node(&child, depth - 1, ply + 1, -alpha - 1, -alpha)?;
            }
            if at == 0 || (value > alpha && value < beta) {
                value = -self.node(&child, depth - 1, ply + 1, -beta, -alpha)?;
            }
            if value > best {
                best = value;
                best_move = Some(mv);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                if !state.is_capture(mv) {
                    if self.killers[ply][0] != Some(mv) {
                        self.killers[ply] = [Some(mv), self.killers[ply][0]];
                    }
                    self.history[side + mv.place()] += depth * depth;
                }
                break;
            }
        }
        let bound = i8::from(best >= beta) - i8::from(best <= old_alpha);
        self.table[slot] = Entry { key, depth: depth as i8, bound, value: best, best: best_move };
        Some(best)
    }

    /// Searches captures only, until the player prefers not to capture.
    fn quiet(&mut self, state: &State, mut alpha: i32, beta: i32) -> Option<i32> {
        if self.nodes >= self.limit {
            return None;
        }
        self.nodes += 1;
        if state.turn() == Turn::Over {
            return Some(Plain::finished(state));
        }
        let mut best = Plain::evaluation(state);
        alpha = alpha.max(best);
        if alpha >= beta {
            return Some(best);
        }
        let mut moves = Vec::new();
        state.captures(&mut moves);
        moves.sort_by_key(|&mv| -state.capture_score(mv));
        for mv in moves {
            let mut child = state.clone();
            child.play(mv);
            let value = -self.quiet(&child, -beta, -alpha)?;
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}
