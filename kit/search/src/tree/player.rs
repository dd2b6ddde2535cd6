//! Players' nodes: alpha-beta with null windows and the table.

use super::{narrowed, Search, Visit};
use crate::{Bounds, ChanceModel, Heuristics, INFINITY};
use contender_game::rules::{Game, Player};

impl<G: Game, E: Heuristics<G>, L: ChanceModel<G>> Search<G, E, L> {
    /// Visits a node at which `player` acts, with at least one decision left.
    ///
    /// Only the first `width` moves are searched. If some moves are skipped, an answer that is good enough for the
    /// mover (inside the window or beyond its better end) is a value that the mover is sure to reach. Any other answer
    /// gives no information.
    pub(super) fn player(
        &mut self,
        state: &G,
        player: Player,
        depth: u32,
        ply: usize,
        window: Bounds,
        width: usize,
    ) -> Visit {
        self.meter.count()?;
        let horizons = self.horizons;
        let key = self.key(state);
        let known = self.look_up(key, depth);
        if self.config.alpha_beta {
            if let Some(answer) = known.bounds.answer(window) {
                self.stats.table_cuts += 1;
                return Ok(answer);
            }
        }
        self.stats.player_nodes += 1;
        self.reach(ply);

        // From here on values are the mover's own.
        let window = match self.config.alpha_beta {
            true => narrowed(window, known.bounds).seen_by(player),
            false => Bounds::ANY,
        };
        let start = self.ranked.len();
        self.rank(state, player, depth, ply, known.best);
        let end = self.ranked.len();
        let mut best = -INFINITY;
        let mut best_ordinal = None;
        let last = end.min(start.saturating_add(width));
        let least = self.least(start, depth);
        for at in start..last {
            self.pick(at, end);
            if self.ranked[at].score < least {
                // All that follow score even less. What they are worth is not known, however deep one looks.
                self.horizons += 1;
                break;
            }
            let mv = self.ranked[at].mv;
            let mut child = state.clone();
            child.play(mv);
            self.guide.follow(ply + 1, state, mv, &child);
            let alpha = window.low.max(best);
            let value =
                self.child(&child, player, depth - 1, ply + 1, Bounds::new(alpha, window.high), at == start)?;
            if value <= best {
                continue;
            }
            best = value;
            if value > window.low {
                best_ordinal = Some(self.ranked[at].ordinal);
                self.extend_line(ply, mv, depth > 1);
            }
            if value >= window.high && self.config.alpha_beta {
                self.stats.move_cuts += 1;
                self.stats.first_move_cuts += u64::from(at == start);
                self.reward(state, player, depth, ply, mv);
                break;
            }
        }
        self.ranked.truncate(start);

        let mut bounds = Bounds::from_answer(best, window);
        if last < end && best < window.high {
            bounds.high = INFINITY;
        }
        self.guide.found(state, depth, bounds.seen_by(player));
        self.keep(key, depth, horizons, bounds.seen_by(player), best_ordinal);
        Ok(player.sign() * best)
    }

    /// Visits the state after a move of `player`. The window and the returned value are from that player's point of
    /// view.
    ///
    /// Moves after the first are expected to be worse; a search with a null window is enough to confirm this.
    #[inline]
    pub(super) fn child(
        &mut self,
        child: &G,
        player: Player,
        depth: u32,
        ply: usize,
        window: Bounds,
        is_first: bool,
    ) -> Visit {
        let sign = player.sign();
        if depth > 0 {
            self.reach(ply);
            self.lines[ply].clear();
        }
        let Bounds { low: alpha, high: beta } = if self.config.alpha_beta { window } else { Bounds::ANY };
        // At the horizon a null window saves nothing; in a query, or when it is null already, there is none.
        if self.config.null_windows
            && !is_first
            && depth > 0
            && alpha > -INFINITY
            && beta > alpha.saturating_add(1)
        {
            let null = Bounds::new(alpha, alpha + 1).seen_by(player);
            let value = sign * self.node(child, depth, ply, null)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
            self.stats.researches += 1;
            self.lines[ply].clear();
        }
        Ok(sign * self.node(child, depth, ply, Bounds::new(alpha, beta).seen_by(player))?)
    }

    /// Sets the principal variation at `ply` to `mv` followed by the variation at the next ply, unless that is beyond
    /// the horizon.
    pub(super) fn extend_line(&mut self, ply: usize, mv: G::Move, has_more: bool) {
        let (line, rest) = self.lines[ply..].split_first_mut().expect("reached before");
        line.clear();
        line.push(mv);
        if has_more {
            line.extend_from_slice(&rest[0]);
        }
    }
}
