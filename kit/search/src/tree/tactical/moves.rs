//! Move ordering of the tactical search: the table's move, noisy moves by score, killers, quiet moves by score and
//! histories.

use super::{Step, Tactical};
use crate::tree::{order::Ranked, Search};
use crate::{ChanceModel, Heuristics, Tactics};
use contender_game::rules::{Game, Player};

/// Upper limit of history counters.
const HISTORY_LIMIT: i32 = 1 << 14;
/// Base ordering score of noisy moves.
const NOISY: i64 = 1 << 61;
/// Ordering scores of killers: this number, or 1 more.
const KILLER: i64 = 1 << 60;
/// Base ordering score of threats.
const THREAT: i64 = 1 << 59;
/// Upper limit of the ordering scores of all other quiet moves.
const LATE: i64 = 1 << 58;
/// The weight of a quiet move's score, relative to the sum of its histories.
const SCORE: i64 = 4 * HISTORY_LIMIT as i64;

impl<M> Ranked<M> {
    /// Returns whether the move is late: a quiet move other than the table's move, killers and threats. All moves with
    /// a lower score are also late.
    pub(super) fn is_late(&self) -> bool {
        self.score < LATE
    }
}

impl<G: Game, E: Tactics<G>, L: ChanceModel<G>> Search<G, Tactical<E>, L> {
    /// Pushes all moves of a state with their scores, or only the [answers](Tactics::answers) to a check.
    pub(super) fn rank_all(
        &mut self,
        state: &G,
        player: Player,
        ply: usize,
        table_move: Option<u16>,
        must_answer: bool,
    ) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.guide.list(state, must_answer, &mut moves);
        self.meter.hurry(moves.len());
        for (ordinal, &mv) in moves.iter().enumerate() {
            let ordinal = u16::try_from(ordinal).unwrap_or(u16::MAX);
            let score = if table_move == Some(ordinal) && self.config.table_move {
                i64::MAX
            } else if self.guide.guide.is_noisy(state, mv) {
                NOISY + i64::from(if self.config.scores { self.guide.score(state, mv) } else { 0 })
            } else {
                self.quiet_score(state, player, ply, mv)
            };
            self.ranked.push(Ranked { mv, score, ordinal });
        }
        self.moves = moves;
    }

    /// Pushes the noisy moves of a state with their scores.
    pub(super) fn rank_noisy(&mut self, state: &G) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.guide.guide.noisy_moves(state, &mut moves);
        self.meter.hurry(moves.len());
        for &mv in &moves {
            let score = if self.config.scores { self.guide.score(state, mv) } else { 0 };
            self.ranked.push(Ranked { mv, score: NOISY + i64::from(score), ordinal: u16::MAX });
        }
        self.moves = moves;
    }

    fn quiet_score(&mut self, state: &G, player: Player, ply: usize, mv: G::Move) -> i64 {
        if self.config.killers {
            if let Some(at) = self.killers[ply].iter().position(|&killer| killer == Some(mv)) {
                return KILLER + 1 - at as i64;
            }
        }
        let score = if self.config.scores { self.guide.score(state, mv) } else { 0 };
        let history = match self.history[player].is_empty() {
            true => 0,
            false => self.history[player][self.guide.slot(state, mv)],
        };
        let replies = match self.guide.reply_slots {
            0 => 0,
            _ => {
                let slot = self.guide.guide.reply_slot(state, mv);
                self.guide
                    .pairs(ply, slot)
                    .into_iter()
                    .flatten()
                    .map(|(table, at)| i64::from(self.guide.replies[table][at]))
                    .sum()
            }
        };
        let first = if self.guide.guide.is_threat(state, mv) { THREAT } else { 0 };
        first + i64::from(score) * SCORE + i64::from(history) + replies
    }

    /// Records that the move at `cut` caused a cut-off, and that the quiet moves before it, from `start` on, did not.
    pub(super) fn reward_quiet(
        &mut self,
        state: &G,
        player: Player,
        depth: u32,
        ply: usize,
        start: usize,
        cut: usize,
    ) {
        let mv = self.ranked[cut].mv;
        if self.guide.guide.is_noisy(state, mv) {
            return;
        }
        if self.config.killers && self.killers[ply][0] != Some(mv) {
            self.killers[ply] = [Some(mv), self.killers[ply][0]];
        }
        let bonus = (depth * depth).min(1 << 10) as i32;
        for at in start..=cut {
            let mv = self.ranked[at].mv;
            if at < cut && self.guide.guide.is_noisy(state, mv) {
                continue;
            }
            let bonus = if at == cut { bonus } else { -bonus };
            if !self.history[player].is_empty() {
                let count = &mut self.history[player][self.guide.slot(state, mv)];
                *count = moved(*count, bonus);
            }
            if self.guide.reply_slots > 0 {
                let slot = self.guide.guide.reply_slot(state, mv);
                for (table, at) in self.guide.pairs(ply, slot).into_iter().flatten() {
                    let count = &mut self.guide.replies[table][at];
                    *count = moved(i32::from(*count), bonus) as i16;
                }
            }
        }
    }
}

impl<E> Tactical<E> {
    /// Lists the moves of a state, or only the [answers](Tactics::answers) to a check if there are any.
    pub(super) fn list<G: Game>(&self, state: &G, must_answer: bool, moves: &mut Vec<G::Move>)
    where
        E: Tactics<G>,
    {
        if must_answer {
            self.guide.answers(state, moves);
        }
        if moves.is_empty() {
            state.moves(moves);
        }
    }

    /// Returns the two counters of a move: after the opponent's last move, and after the player's own last move. Each
    /// counter is given by the index of its table and the index in the table.
    fn pairs(&self, ply: usize, slot: usize) -> [Option<(usize, usize)>; 2] {
        [0, 1].map(|back| match self.path[..=ply].iter().rev().nth(back) {
            Some(Step::Move(before)) => Some((back, before * self.reply_slots + slot)),
            _ => None,
        })
    }
}

/// Adds a bonus to a counter and returns the result. Near the limit the counter grows more slowly, so that it never
/// reaches the limit.
fn moved(count: i32, bonus: i32) -> i32 {
    count + bonus - count * bonus.abs() / HISTORY_LIMIT
}
