//! Beyond the horizon: evaluation, after the noisy moves where there are any.

use super::{order::Ranked, Search, Visit};
use crate::{Bounds, Guide, Luck};
use contender_game::{Game, Player, Turn};

impl<G: Game, E: Guide<G>, L: Luck<G>> Search<G, E, L> {
    /// Visits a player's node at the horizon: the better of its evaluation and the best of at most `left` noisy moves in a row.
    ///
    /// Source: Harris, "The heuristic search under conditions of error", 1974; standing pat as in all chess programs. A chance
    /// node beyond the horizon is evaluated.
    pub(super) fn quiet(&mut self, state: &G, player: Player, left: u32, window: Bounds) -> Visit {
        let sign = player.sign();
        let stand = sign * self.leaf(state)?;
        if left == 0 {
            return Ok(sign * stand);
        }
        let window = if self.config.alpha_beta { window.seen_by(player) } else { Bounds::ANY };
        let mut best = stand;
        if best >= window.high && self.config.alpha_beta {
            return Ok(sign * best);
        }
        let start = self.ranked.len();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.guide.noisy(state, &mut moves);
        for &mv in &moves {
            let score = if self.config.scores { i64::from(self.guide.score(state, mv)) } else { 0 };
            self.ranked.push(Ranked { mv, score, ordinal: 0 });
        }
        self.moves = moves;
        let end = self.ranked.len();
        for at in start..end {
            self.pick(at, end);
            let mut child = state.clone();
            child.play(self.ranked[at].mv);
            let rest = Bounds::new(window.low.max(best), window.high).seen_by(player);
            let value = sign
                * match child.turn() {
                    Turn::Player(next) => self.quiet(&child, next, left - 1, rest)?,
                    Turn::Chance | Turn::Over => self.node(&child, 0, 0, rest)?,
                };
            best = best.max(value);
            if best >= window.high && self.config.alpha_beta {
                break;
            }
        }
        self.ranked.truncate(start);
        Ok(sign * best)
    }
}
