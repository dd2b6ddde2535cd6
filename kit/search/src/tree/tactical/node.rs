//! Players' nodes of the tactical search.

use super::{Step, Tactical};
use crate::tree::{narrowed, Search, Visit};
use crate::{Bounds, ChanceModel, Tactics, INFINITY};
use contender_game::rules::{Game, Player, Turn};

/// The properties of a move that determine how deep the move is searched.
#[derive(Clone, Copy)]
struct Place {
    is_first: bool,
    /// Depth reduction of the first search, in decisions.
    reduction: u32,
}

/// Minimum depth at which a node without a table move is searched one decision less deep.
const UNKNOWN_FROM: u32 = 4;
/// Minimum depth at which late moves are searched to a reduced depth.
const REDUCED_FROM: u32 = 3;
/// Maximum depth for extensions, as a multiple of the iteration's depth. The limit prevents endless checks.
const EXTENDED_UNTIL: usize = 2;

impl<G: Game, E: Tactics<G>, L: ChanceModel<G>> Search<G, Tactical<E>, L> {
    /// Visits a state after the evaluation has received the move that leads to it.
    pub(super) fn walk(&mut self, state: &G, depth: u32, ply: usize, window: Bounds) -> Visit {
        let player = match state.turn() {
            Turn::Player(player) => player,
            Turn::Over => return self.leaf(state, true, ply, window),
            Turn::Chance if depth == 0 => return self.horizon(state, ply, window),
            Turn::Chance => return self.chance(state, depth, ply, window),
        };
        let is_check = self.guide.guide.is_check(state);
        let is_extended =
            is_check && self.guide.config.check_extension && ply < EXTENDED_UNTIL * self.guide.iteration;
        self.guide.counts.extensions += u64::from(is_extended);
        let depth = depth + u32::from(is_extended);
        let beyond = self.guide.config.quiescence;
        match depth {
            0 if beyond > 0 => self.quiesce(state, player, beyond, ply, window, is_check),
            0 => self.horizon(state, ply, window),
            _ => self.turn(state, player, depth, ply, window, is_check),
        }
    }

    /// Evaluates a state at the horizon.
    pub(super) fn horizon(&mut self, state: &G, ply: usize, window: Bounds) -> Visit {
        self.meter.count()?;
        self.stats.leaves += 1;
        self.horizons += 1;
        Ok(self.guide.guide.evaluate_at(ply, state, window))
    }

    /// Visits a node at which `player` acts, with at least one decision left.
    fn turn(
        &mut self,
        state: &G,
        player: Player,
        mut depth: u32,
        ply: usize,
        window: Bounds,
        is_check: bool,
    ) -> Visit {
        self.meter.count()?;
        let horizons = self.horizons;
        let key = self.key(state);
        let known = self.look_up(key, depth);
        let is_open = window.high > window.low.saturating_add(1);
        let is_answered = self.config.alpha_beta && !(is_open && self.guide.config.keeps_line);
        if is_answered {
            if let Some(answer) = known.bounds.answer(window) {
                self.stats.table_cuts += 1;
                return Ok(answer);
            }
        }
        self.stats.player_nodes += 1;
        self.reach(ply);

        // From here on values are the mover's own.
        let sign = player.sign();
        let window = match (self.config.alpha_beta, is_answered) {
            (true, true) => narrowed(window, known.bounds).seen_by(player),
            (true, false) => window.seen_by(player),
            (false, _) => Bounds::ANY,
        };
        let decisive = self.guide.guide.decisive();
        // A query has no window to prune by, and a win or a loss must be seen, not guessed.
        let is_null = self.config.alpha_beta && !is_open && window.low < window.high;
        let prunes = is_null && !is_check && window.low > -decisive && window.high < decisive;
        let evaluation = match prunes && self.guide.config.needs_evaluation() {
            true => Some(sign * self.guide.guide.evaluate_at(ply, state, Bounds::ANY)),
            false => None,
        };
        if let Some(evaluation) = evaluation {
            if let Some(answer) = self.cut_early(state, player, depth, ply, window, evaluation)? {
                self.horizons += 1;
                return Ok(sign * answer);
            }
        }
        if self.guide.config.unknown_reduction
            && known.best.is_none()
            && depth >= UNKNOWN_FROM
            && key.is_some()
        {
            self.horizons += 1;
            depth -= 1;
        }

        let start = self.ranked.len();
        let must_answer = is_check && self.guide.config.check_extension;
        self.rank_all(state, player, ply, known.best, must_answer);
        let end = self.ranked.len();
        let mut best = -INFINITY;
        let mut best_ordinal = None;
        let mut quiet = 0;
        for at in start..end {
            self.pick(at, end);
            let is_quiet = self.ranked[at].is_late();
            if is_quiet {
                quiet += 1;
                if let Some(evaluation) = evaluation {
                    // All moves that follow are quiet, too.
                    if let Some(most) =
                        self.skips(depth, quiet, evaluation, window.low.max(best), best > -decisive)
                    {
                        self.guide.counts.pruned_nodes += 1;
                        self.horizons += 1;
                        best = best.max(most);
                        break;
                    }
                }
            }
            let mv = self.ranked[at].mv;
            let mut child = state.clone();
            child.play(mv);
            self.follow(ply + 1, state, mv, &child);
            let is_reduced = is_quiet && !is_check && depth >= REDUCED_FROM;
            let place = Place {
                is_first: at == start,
                reduction: if is_reduced { self.reduction(depth, at - start, is_open) } else { 0 },
            };
            let question = Bounds::new(window.low.max(best), window.high);
            let value = self.advance(&child, player, depth - 1, ply + 1, question, place)?;
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
                self.reward_quiet(state, player, depth, ply, start, at);
                break;
            }
        }
        self.ranked.truncate(start);

        let bounds = Bounds::from_answer(best, window).seen_by(player);
        self.guide.guide.found(state, depth, bounds);
        self.keep(key, depth, horizons, bounds, best_ordinal);
        Ok(sign * best)
    }

    /// Returns an answer for a node if its evaluation or a null move shows that its value is beyond the window.
    fn cut_early(
        &mut self,
        state: &G,
        player: Player,
        depth: u32,
        ply: usize,
        window: Bounds,
        evaluation: i32,
    ) -> Result<Option<i32>, crate::Stopped> {
        let config = self.guide.config;
        let margin = config.beta_margin.saturating_mul(depth as i32);
        if margin > 0 && depth <= config.shallow && evaluation.saturating_sub(margin) >= window.high {
            self.guide.counts.evaluation_cuts += 1;
            return Ok(Some(evaluation - margin));
        }
        let is_after_pass = matches!(self.guide.path[ply], Step::Pass);
        if config.null_move == 0 || depth < 2 || is_after_pass || evaluation < window.high {
            return Ok(None);
        }
        let Some(passed) = self.guide.guide.pass(state) else { return Ok(None) };
        self.guide.guide.begin(ply + 1, &passed);
        self.guide.step(ply + 1, Step::Pass);
        let less = 1 + config.null_move + depth / 4;
        let question = Bounds::new(window.high - 1, window.high).seen_by(player);
        let answer = player.sign() * self.walk(&passed, depth.saturating_sub(less), ply + 1, question)?;
        if answer < window.high {
            return Ok(None);
        }
        self.guide.counts.null_move_cuts += 1;
        // A pass proves no win.
        Ok(Some(window.high))
    }

    /// Decides whether to skip the current and all later quiet moves. If so, returns an upper bound of their expected
    /// value.
    fn skips(&self, depth: u32, quiet: usize, evaluation: i32, alpha: i32, has_move: bool) -> Option<i32> {
        let config = &self.guide.config;
        if depth > config.shallow {
            return None;
        }
        let most = evaluation.saturating_add(config.futility_margin.saturating_mul(depth as i32));
        if config.futility_margin > 0 && most <= alpha {
            return Some(most);
        }
        let count = config.late_move_pruning;
        (has_move && count > 0 && quiet > count + (depth * depth) as usize).then_some(-INFINITY)
    }

    /// Returns the depth reduction for the search of a late quiet move, in decisions.
    fn reduction(&self, depth: u32, place: usize, is_open: bool) -> u32 {
        let late = self.guide.config.late_moves;
        if late == 0 || place < late {
            return 0;
        }
        let log2 = |number: u32| 31 - number.leading_zeros();
        ((3 + log2(depth) * log2(place as u32 + 1)) / 4).saturating_sub(u32::from(is_open))
    }

    /// Passes a move to the evaluation and the histories.
    pub(super) fn follow(&mut self, ply: usize, before: &G, mv: G::Move, after: &G) {
        self.guide.guide.follow(ply, before, mv, after);
        let slot = if self.guide.reply_slots > 0 { self.guide.guide.reply_slot(before, mv) } else { 0 };
        self.guide.step(ply, Step::Move(slot));
    }

    /// Visits the state after a move of `player`. The window and the answer are from this player's point of view.
    /// Searches first with reduced depth, then with a null window, then with the full window; each further search is
    /// made only if the move may be better.
    fn advance(
        &mut self,
        child: &G,
        player: Player,
        depth: u32,
        ply: usize,
        window: Bounds,
        place: Place,
    ) -> Visit {
        let sign = player.sign();
        self.reach(ply);
        self.lines[ply].clear();
        let Bounds { low: alpha, high: beta } = if self.config.alpha_beta { window } else { Bounds::ANY };
        let null = Bounds::new(alpha, alpha.saturating_add(1)).seen_by(player);
        let may_ask = self.config.alpha_beta && alpha > -INFINITY && !place.is_first;
        if place.reduction > 0 && may_ask {
            self.guide.counts.reductions += 1;
            let value = sign * self.walk(child, depth.saturating_sub(place.reduction), ply, null)?;
            if value <= alpha {
                self.horizons += 1;
                return Ok(value);
            }
            self.guide.counts.repeated_reductions += 1;
        }
        let is_deep = depth > 0 || self.guide.config.quiescence > 0;
        if self.config.null_windows && may_ask && is_deep && beta > alpha.saturating_add(1) {
            let value = sign * self.walk(child, depth, ply, null)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
            self.stats.researches += 1;
        }
        self.lines[ply].clear();
        Ok(sign * self.walk(child, depth, ply, Bounds::new(alpha, beta).seen_by(player))?)
    }
}
