//! Quiescence search: searches noisy moves beyond the horizon until the evaluation can be trusted.

use super::Tactical;
use crate::tree::{Search, Visit};
use crate::{Bounds, ChanceModel, TableDepth, Tactics, INFINITY};
use contender_game::rules::{Game, Player, Turn};

impl<G: Game, E: Tactics<G>, L: ChanceModel<G>> Search<G, Tactical<E>, L> {
    /// Searches a state beyond the horizon. It is `player`'s turn. The search goes at most `left` moves deeper.
    pub(super) fn quiesce(
        &mut self,
        state: &G,
        player: Player,
        left: u32,
        ply: usize,
        window: Bounds,
        is_check: bool,
    ) -> Visit {
        self.meter.count()?;
        self.stats.leaves += 1;
        self.guide.counts.quiescence_nodes += 1;
        self.horizons += 1;
        let key = match self.config.table_depth {
            TableDepth::AtLeast => self.key(state),
            // What is found here depends on how many moves are left.
            TableDepth::Same => None,
        };
        let known = self.look_up(key, 0).bounds;
        if self.config.alpha_beta {
            if let Some(answer) = known.answer(window) {
                self.stats.table_cuts += 1;
                return Ok(answer);
            }
        }
        let sign = player.sign();
        let window = if self.config.alpha_beta { window.seen_by(player) } else { Bounds::ANY };
        let config = &self.guide.config;
        let must_move = is_check && left > config.quiescence.saturating_sub(config.quiescence_checks);
        let mut best = -INFINITY;
        if !must_move {
            best = sign * self.guide.guide.evaluate_at(ply, state, window.seen_by(player));
            if left == 0 || (best >= window.high && self.config.alpha_beta) {
                return Ok(sign * best);
            }
        }
        let stand = best;
        let start = self.ranked.len();
        match must_move {
            true => {
                self.reach(ply);
                self.rank_all(state, player, ply, None, true);
            }
            false => self.rank_noisy(state),
        }
        let end = self.ranked.len();
        for at in start..end {
            self.pick(at, end);
            let mv = self.ranked[at].mv;
            let alpha = window.low.max(best);
            if !must_move && self.guide.config.delta_margin >= 0 && self.config.alpha_beta {
                let most = stand
                    .saturating_add(self.guide.guide.gain(state, mv))
                    .saturating_add(self.guide.config.delta_margin);
                if most <= alpha {
                    best = best.max(most);
                    continue;
                }
            }
            let mut child = state.clone();
            child.play(mv);
            self.follow(ply + 1, state, mv, &child);
            let question = Bounds::new(alpha, window.high).seen_by(player);
            let value = sign * self.settle(&child, left - 1, ply + 1, question)?;
            if value > best {
                best = value;
                if value >= window.high && self.config.alpha_beta {
                    break;
                }
            }
        }
        self.ranked.truncate(start);
        if known == Bounds::ANY {
            self.keep(key, 0, u64::MAX, Bounds::from_answer(best, window).seen_by(player), None);
        }
        Ok(sign * best)
    }

    /// Visits a state beyond the horizon.
    fn settle(&mut self, state: &G, left: u32, ply: usize, window: Bounds) -> Visit {
        match state.turn() {
            Turn::Player(player) => {
                let is_check = self.guide.guide.is_check(state);
                self.quiesce(state, player, left, ply, window, is_check)
            }
            Turn::Chance => self.horizon(state, ply, window),
            Turn::Over => self.leaf(state, true, ply, window),
        }
    }
}
