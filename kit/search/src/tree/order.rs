//! Move ordering: the table's move first, then killers, then the other moves by evaluation or score. Moves with equal
//! scores are ordered by history.

use super::Search;
use crate::{Bounds, ChanceModel, Heuristics, SearchConfig};
use contender_game::rules::{Game, Player, Turn};

/// A move on the stack that contains the moves of all nodes.
#[derive(Clone, Copy)]
pub(super) struct Ranked<M> {
    pub(super) mv: M,
    /// The score of the move. Moves with higher scores are tried earlier.
    pub(super) score: i64,
    /// The index in the game's move list, or `u16::MAX` if the index is larger or if moves are not ordered.
    pub(super) ordinal: u16,
}

/// Upper limit of history counters.
const HISTORY_LIMIT: i32 = 1 << 14;
/// The score of the older killer. The score of the other killer is 1 higher, and that of the table's move is 2 higher.
const KILLER: i64 = i64::MAX - 2;

impl<G: Game, E: Heuristics<G>, L: ChanceModel<G>> Search<G, E, L> {
    /// Pushes the moves of a state with their scores.
    pub(super) fn rank(
        &mut self,
        state: &G,
        player: Player,
        depth: u32,
        ply: usize,
        table_move: Option<u16>,
    ) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        state.moves(&mut moves);
        if !self.is_ordered {
            self.ranked.extend(moves.iter().map(|&mv| Ranked { mv, score: 0, ordinal: u16::MAX }));
            self.moves = moves;
            return;
        }
        self.meter.hurry(moves.len());
        for (ordinal, &mv) in moves.iter().enumerate() {
            let ordinal = u16::try_from(ordinal).unwrap_or(u16::MAX);
            let score = if table_move == Some(ordinal) && self.config.table_move {
                i64::MAX
            } else {
                self.score(state, player, depth, ply, mv)
            };
            self.ranked.push(Ranked { mv, score, ordinal });
        }
        self.moves = moves;
    }

    fn score(&mut self, state: &G, player: Player, depth: u32, ply: usize, mv: G::Move) -> i64 {
        if self.config.killers {
            if let Some(at) = self.killers[ply].iter().position(|&killer| killer == Some(mv)) {
                return KILLER + 1 - at as i64;
            }
        }
        let score = if self.config.evaluate_from > 0 && depth >= self.config.evaluate_from {
            let mut child = state.clone();
            child.play(mv);
            self.stats.ordering_evaluations += 1;
            player.sign()
                * match child.turn() {
                    Turn::Over => self.guide.finished(&child),
                    _ => {
                        self.guide.follow(ply + 1, state, mv, &child);
                        self.guide.evaluate_at(ply + 1, &child, Bounds::ANY)
                    }
                }
        } else if self.config.scores {
            self.guide.score(state, mv)
        } else {
            0
        };
        let history = match self.history[player].is_empty() {
            true => 0,
            false => self.history[player][self.guide.slot(state, mv)],
        };
        i64::from(score) * i64::from(HISTORY_LIMIT) + i64::from(history)
    }

    /// Returns the minimum score: moves from `start` on with a lower score are skipped.
    pub(super) fn least(&self, start: usize, depth: u32) -> i64 {
        let SearchConfig { margin, evaluate_from, .. } = self.config;
        if margin == 0 || evaluate_from == 0 || depth < evaluate_from {
            return i64::MIN;
        }
        let limit = i64::from(HISTORY_LIMIT);
        let evaluated =
            self.ranked[start..].iter().map(|ranked| ranked.score).filter(|&score| score < KILLER);
        evaluated.max().map_or(i64::MIN, |best| (best.div_euclid(limit) - i64::from(margin)) * limit)
    }

    /// Moves the best of the moves `at..end` to `at`.
    #[inline]
    pub(super) fn pick(&mut self, at: usize, end: usize) {
        if !self.is_ordered {
            return;
        }
        let rest = &self.ranked[at..end];
        let mut best = 0;
        for (place, ranked) in rest.iter().enumerate().skip(1) {
            if ranked.score > rest[best].score {
                best = place;
            }
        }
        self.ranked.swap(at, at + best);
    }

    /// Records that a move caused a cut-off.
    pub(super) fn reward(&mut self, state: &G, player: Player, depth: u32, ply: usize, mv: G::Move) {
        if self.config.killers && self.killers[ply][0] != Some(mv) {
            self.killers[ply] = [Some(mv), self.killers[ply][0]];
        }
        if !self.history[player].is_empty() {
            let count = &mut self.history[player][self.guide.slot(state, mv)];
            // The nearer to the limit the slower it grows, so that it never gets there.
            let bonus = (depth * depth).min(1 << 10) as i32;
            *count += bonus - *count * bonus / HISTORY_LIMIT;
        }
    }
}
