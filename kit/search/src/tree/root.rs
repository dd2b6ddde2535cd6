//! The root of the search: the iterations, the windows of each iteration, and the results for the root's moves.

use super::{Search, Visit};
use crate::{Bounds, ChanceModel, Driver, Heuristics, SearchLimits, INFINITY, LIMIT};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Game, Player, Turn},
};

/// A move at the root.
#[derive(Clone, Copy)]
pub(super) struct RootMove<M> {
    mv: M,
    /// The bounds of the value after the move.
    bounds: Bounds,
    /// The depth of the latest iteration that searched the move. If the search was stopped, this is the previous
    /// iteration for some moves.
    depth: u32,
    /// Number of nodes spent on the move, in all iterations.
    nodes: u64,
}

impl<G: Game, E: Heuristics<G>, L: ChanceModel<G>> Search<G, E, L> {
    /// Searches to increasing depths within the limits.
    pub(super) fn iterate(&mut self, state: &G, limits: &SearchLimits) -> Analysis<G::Move> {
        let deepest = limits.depth.min(SearchLimits::MAX_DEPTH);
        let first = if self.config.deepening { deepest.min(1) } else { deepest };
        self.list_roots(state);
        let (mut value, mut depth, mut is_solved) = (None, 0, false);
        let mut line = Vec::new();
        for next in first..=deepest {
            if !self.meter.may_start(next, first) {
                break;
            }
            let horizons = self.horizons;
            let answer = match state.turn() {
                Turn::Player(player) if next > 0 => {
                    self.drive(state, next, value, |search, window| search.root(state, player, next, window))
                }
                _ => self.drive(state, next, value, |search, window| search.enter(state, next, 0, window)),
            };
            // What was found of the moves before stays if the iteration was stopped.
            let Ok(answer) = answer else { break };
            for root in self.roots.iter_mut().filter(|root| root.depth < next) {
                root.bounds = Bounds::ANY;
            }
            // A driver may have learnt it from two sides, one of them without a question.
            if let Some(best) = self.roots.first_mut().filter(|_| next > 0) {
                best.bounds = Bounds::exact(answer);
            }
            (value, depth, is_solved) = (Some(answer), next, self.horizons == horizons);
            line.clear();
            line.extend_from_slice(self.lines.first().map_or(&[], Vec::as_slice));
            if is_solved {
                break;
            }
        }
        let best = self.roots.first().map(|root| root.mv);
        if line.first() != best.as_ref() {
            line = self.line_from_table(state, best, depth.max(1));
        }
        // Where no player acts there are no moves.
        let viewer = if let Turn::Player(player) = state.turn() { player } else { Player::Zero };
        let moves = self.roots.iter().map(|root| MoveAnalysis {
            mv: root.mv,
            value: root.bounds.seen_by(viewer).range(),
            is_proven: is_solved,
            effort: root.nodes,
        });
        Analysis {
            line,
            depth,
            counts: self.stats().counts(),
            elapsed: self.meter.elapsed(),
            ..Analysis::of(moves.collect())
        }
    }

    /// Searches for the exact value with the configured driver. `guess` is the value from the previous iteration.
    pub(super) fn drive(
        &mut self,
        state: &G,
        depth: u32,
        guess: Option<i32>,
        mut ask: impl FnMut(&mut Self, Bounds) -> Visit,
    ) -> Visit {
        if !self.config.alpha_beta {
            return ask(self, Bounds::ANY);
        }
        match (self.config.driver, guess) {
            (Driver::Open, _) | (Driver::Aspiration(_), None) => ask(self, Bounds::ANY),
            (Driver::Aspiration(width), Some(guess)) => self.aspire(guess, width, ask),
            (Driver::MtdF, guess) => {
                let limits = self.guide.bounds(state, depth);
                self.close_in(guess.unwrap_or(0), limits, ask)
            }
        }
    }

    /// Searches with aspiration windows. After each failure, the bound that failed moves four times as far away.
    fn aspire(&mut self, guess: i32, width: u32, mut ask: impl FnMut(&mut Self, Bounds) -> Visit) -> Visit {
        let mut width = i64::from(width.max(1));
        let end = |value: i64| {
            if value.abs() > i64::from(LIMIT) {
                INFINITY * value.signum() as i32
            } else {
                value as i32
            }
        };
        let mut window = Bounds::new(end(i64::from(guess) - width), end(i64::from(guess) + width));
        loop {
            let answer = ask(self, window)?;
            width *= 4;
            if answer <= window.low {
                window.low = end(i64::from(answer) - width);
            } else if answer >= window.high {
                window.high = end(i64::from(answer) + width);
            } else {
                return Ok(answer);
            }
        }
    }

    /// Searches with null windows, each next to the latest answer, until both bounds meet (MTD(f)).
    fn close_in(
        &mut self,
        guess: i32,
        limits: Bounds,
        mut ask: impl FnMut(&mut Self, Bounds) -> Visit,
    ) -> Visit {
        let mut known = limits;
        let mut answer = guess.clamp(limits.low, limits.high);
        while known.low < known.high {
            let beta = answer.max(known.low + 1);
            answer = ask(self, Bounds::new(beta - 1, beta))?;
            if answer < beta {
                known.high = answer;
            } else {
                known.low = answer;
            }
        }
        Ok(answer)
    }

    fn list_roots(&mut self, state: &G) {
        self.roots.clear();
        self.moves.clear();
        state.moves(&mut self.moves);
        let roots = self.moves.iter().map(|&mv| RootMove { mv, bounds: Bounds::ANY, depth: 0, nodes: 0 });
        self.roots.extend(roots);
    }

    /// Visits a player's node at the root. The root is treated like any other node, but the result of every move is
    /// also recorded, and the order of the moves is kept between iterations.
    fn root(&mut self, state: &G, player: Player, depth: u32, window: Bounds) -> Visit {
        self.meter.count()?;
        self.stats.player_nodes += 1;
        self.reach(0);
        self.lines[0].clear();
        self.guide.begin(0, state);
        let horizons = self.horizons;
        let window = window.seen_by(player);
        let mut best = -INFINITY;
        let mut best_at = None;
        let mut outcome = Ok(());
        for at in 0..self.roots.len() {
            let mv = self.roots[at].mv;
            let mut child = state.clone();
            child.play(mv);
            self.guide.follow(1, state, mv, &child);
            let question = Bounds::new(window.low.max(best), window.high);
            let nodes = self.meter.nodes();
            let value = self.child(&child, player, depth - 1, 1, question, at == 0);
            self.roots[at].nodes += self.meter.nodes() - nodes;
            let value = match value {
                Ok(value) => value,
                Err(stopped) => {
                    outcome = Err(stopped);
                    break;
                }
            };
            // Without pruning every answer is exact; a null window that fails low says the same as the open one.
            let asked = if self.config.alpha_beta { question } else { Bounds::ANY };
            let learnt = Bounds::from_answer(value, asked).seen_by(player);
            let root = &mut self.roots[at];
            root.bounds = if root.depth == depth { root.bounds.intersect(learnt) } else { learnt };
            root.depth = depth;
            if value > best {
                best = value;
                if value > window.low {
                    best_at = Some(at);
                    self.extend_line(0, mv, depth > 1);
                }
                if value >= window.high && self.config.alpha_beta {
                    break;
                }
            }
        }
        // Even a search that was stopped may have found a better move than the last iteration's.
        if let Some(at) = best_at {
            self.roots[..=at].rotate_right(1);
        }
        outcome?;
        let key = self.key(state);
        let bounds = Bounds::from_answer(best, window).seen_by(player);
        self.guide.found(state, depth, bounds);
        self.keep(key, depth, horizons, bounds, None);
        Ok(player.sign() * best)
    }

    /// Returns a principal variation made of the table's best moves, for drivers that find no exact values on the way.
    fn line_from_table(&mut self, state: &G, best: Option<G::Move>, depth: u32) -> Vec<G::Move> {
        let mut line: Vec<G::Move> = best.into_iter().collect();
        let mut state = state.clone();
        while let Some(&mv) = line.last() {
            state.play(mv);
            if line.len() as u32 >= depth || !matches!(state.turn(), Turn::Player(_)) {
                break;
            }
            let found = self.key(&state).and_then(|key| self.table.as_ref()?.find(key)?.best);
            self.moves.clear();
            (self.list)(&self.guide, &state, &mut self.moves);
            match found.and_then(|ordinal| self.moves.get(usize::from(ordinal))) {
                Some(&next) => line.push(next),
                None => break,
            }
        }
        line
    }
}
