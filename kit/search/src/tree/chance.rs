//! Chance nodes: a unified implementation of the *-minimax family.
//!
//! Every outcome has an interval that contains its value, and these intervals together give an interval for the node.
//! Each technique narrows the intervals of outcomes in its own way: with bounds from the evaluation, the table
//! (StarETC), queries with an infinite window, probes of single moves (Star2), or searches (Star1). After each step,
//! the node's interval may already give the answer. An outcome is searched with the window that remains if all other
//! outcomes have their best or worst possible value ([`Mix::alpha`], [`Mix::beta`]). The outcome that contributes most
//! to the width of the node's interval is searched next, as in a best-first search. Predictions (ChanceProbCut) work on
//! a copy of the intervals, because they are not bounds.

use super::{narrowed, Search, Visit};
use crate::{Bounds, ChanceModel, Heuristics, Mix, ProbCut, Stopped, INFINITY};
use contender_game::rules::{Game, Player, Turn};

/// An outcome on the stack that contains the outcomes of all nodes.
#[derive(Clone, Copy)]
pub(super) struct Draw<O> {
    outcome: O,
    weight: u32,
    bounds: Bounds,
}

impl<O> Draw<O> {
    /// Returns how much this outcome contributes to the width of the node's interval, as weight times value.
    fn width(&self) -> i64 {
        i64::from(self.weight) * (i64::from(self.bounds.high) - i64::from(self.bounds.low))
    }
}

/// The outcomes of one node, given by their positions on the stack and the weighted sums of their bounds.
struct Fan {
    start: usize,
    end: usize,
    mix: Mix,
    low: i64,
    high: i64,
}

impl Fan {
    fn value(&self) -> Bounds {
        Bounds::new(self.mix.value(self.low), self.mix.value(self.high))
    }

    /// Restricts the outcome's interval to `bounds`.
    fn narrow<O>(&mut self, draw: &mut Draw<O>, bounds: Bounds) {
        let mut both = draw.bounds.intersect(bounds);
        if both.low > both.high {
            // Predictions and entries of deeper searches may contradict: the newer counts.
            both = Bounds::exact(if bounds.low > draw.bounds.high { bounds.low } else { bounds.high });
        }
        self.low += i64::from(draw.weight) * (i64::from(both.low) - i64::from(draw.bounds.low));
        self.high += i64::from(draw.weight) * (i64::from(both.high) - i64::from(draw.bounds.high));
        draw.bounds = both;
    }

    /// Returns the window with which to search an outcome. If the outcome's value is beyond this window, the node's
    /// value is beyond `window`.
    fn window<O>(&self, draw: &Draw<O>, window: Bounds) -> Bounds {
        let weight = i64::from(draw.weight);
        let low = self.mix.alpha(window.low, self.high - weight * i64::from(draw.bounds.high), draw.weight);
        let high = self.mix.beta(window.high, self.low - weight * i64::from(draw.bounds.low), draw.weight);
        Bounds::new(low.max(draw.bounds.low), high.min(draw.bounds.high))
    }

    fn can_fail_low(&self, window: Bounds) -> bool {
        self.mix.value(self.low) <= window.low
    }

    fn can_fail_high(&self, window: Bounds) -> bool {
        self.mix.value(self.high) >= window.high
    }
}

/// The technique that narrowed an interval last.
#[derive(Clone, Copy)]
enum Cause {
    Bounds,
    TranspositionTable,
    Predictions,
    Queries,
    Probes,
    Outcomes,
}

/// The node's answer, if the current bounds already determine it.
type Early = Result<Option<i32>, Stopped>;

impl<G: Game, E: Heuristics<G>, L: ChanceModel<G>> Search<G, E, L> {
    /// Visits a chance node with at least one decision left below it.
    pub(super) fn chance(&mut self, state: &G, depth: u32, ply: usize, window: Bounds) -> Visit {
        self.meter.count()?;
        let horizons = self.horizons;
        let prunes = self.config.star1 && self.config.alpha_beta;
        let key = if self.config.chance_table { self.key(state) } else { None };
        let mut known = self.look_up(key, depth).bounds;
        if !self.config.alpha_beta {
            known = Bounds::ANY;
        }
        if let Some(answer) = known.answer(window) {
            self.stats.table_cuts += 1;
            return Ok(answer);
        }
        self.stats.chance_nodes += 1;
        let is_query = window.low == window.high;
        let window = match (is_query, prunes) {
            (true, _) => window,
            (false, true) => narrowed(window, known),
            (false, false) => Bounds::ANY,
        };
        let mut fan = self.spread(state, depth);
        let start = fan.start;
        let answer = match prunes && !is_query {
            true => self.star(&mut fan, state, depth, ply, window)?,
            false => self.mean(&fan, state, depth, ply, window)?,
        };
        self.draws.truncate(start);
        let bounds = Bounds::from_answer(answer, window);
        self.guide.found(state, depth, bounds);
        self.keep(key, depth, horizons, bounds, None);
        Ok(answer)
    }

    /// Pushes the outcomes of a state with bounds from the evaluation, in descending order of probability.
    fn spread(&mut self, state: &G, depth: u32) -> Fan {
        let bounds = self.guide.bounds(state, depth);
        let start = self.draws.len();
        self.outcomes.clear();
        L::outcomes(state, &mut self.outcomes);
        for &(outcome, weight) in &self.outcomes {
            // The likeliest first: they narrow the node's interval most. An insertion sort, because weights often come
            // sorted and sort() allocates.
            let before = self.draws[start..].iter().rev().take_while(|draw| draw.weight < weight).count();
            self.draws.push(Draw { outcome, weight, bounds });
            let end = self.draws.len();
            self.draws[end - 1 - before..].rotate_right(1);
        }
        let total = self.outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum();
        let sum = |bound: i32| total as i64 * i64::from(bound);
        Fan {
            start,
            end: self.draws.len(),
            mix: Mix::new(total),
            low: sum(bounds.low),
            high: sum(bounds.high),
        }
    }

    /// Searches every outcome with the same window, and returns the mean of their values.
    fn mean(&mut self, fan: &Fan, state: &G, depth: u32, ply: usize, window: Bounds) -> Visit {
        let mut sum = 0;
        for at in fan.start..fan.end {
            let child = self.outcome(state, at);
            sum +=
                i64::from(self.draws[at].weight) * i64::from(self.enter(&child, depth, ply + 1, window)?);
        }
        Ok(fan.mix.value(sum))
    }

    /// Narrows the intervals with all enabled techniques, starting with the cheapest.
    fn star(&mut self, fan: &mut Fan, state: &G, depth: u32, ply: usize, window: Bounds) -> Visit {
        if let Some(answer) = self.answer(fan, window, Cause::Bounds) {
            return Ok(answer);
        }
        if self.config.star_etc {
            if let Some(answer) = self.ask_table(fan, state, depth, window) {
                return Ok(answer);
            }
        }
        if self.config.prob_cut > 0.0 {
            if let Some(model) = self.guide.prob_cut(state, depth) {
                if let Some(answer) = self.predict(fan, model, state, ply, window)? {
                    return Ok(answer);
                }
            }
        }
        if self.config.queries > 0 && depth >= self.config.queries {
            if let Some(answer) = self.query(fan, state, depth, ply, window)? {
                return Ok(answer);
            }
        }
        if self.config.star2 > 0 {
            if let Some(answer) = self.probe(fan, state, depth, ply, window)? {
                return Ok(answer);
            }
        }
        for at in fan.start..fan.end {
            self.pick_widest(at, fan.end);
            if self.draws[at].bounds.is_exact() {
                break;
            }
            let child = self.outcome(state, at);
            let question = fan.window(&self.draws[at], window);
            let answer = self.enter(&child, depth, ply + 1, question)?;
            if let Some(answer) =
                self.learn(fan, at, Bounds::from_answer(answer, question), window, Cause::Outcomes)
            {
                return Ok(answer);
            }
        }
        Ok(fan.mix.value(fan.low))
    }

    /// Finds the outcome in `at..end` whose search can narrow the node's interval most, and moves it to `at`.
    fn pick_widest(&mut self, at: usize, end: usize) {
        let mut widest = at;
        for other in at + 1..end {
            if self.draws[other].width() > self.draws[widest].width() {
                widest = other;
            }
        }
        self.draws.swap(at, widest);
    }

    /// Narrows the intervals with bounds from the table (StarETC).
    fn ask_table(&mut self, fan: &mut Fan, state: &G, depth: u32, window: Bounds) -> Option<i32> {
        for at in fan.start..fan.end {
            let child = self.outcome(state, at);
            let key = self.key(&child);
            let known = self.look_up(key, depth).bounds;
            if known != Bounds::ANY {
                if let Some(answer) = self.learn(fan, at, known, window, Cause::TranspositionTable) {
                    return Some(answer);
                }
            }
        }
        None
    }

    /// Predicts values from shallow searches by regression (ChanceProbCut).
    ///
    /// The window of a shallow search is the outcome's window, mapped through the inverse regression and widened by the
    /// error. A value beyond this window predicts a cut-off.
    fn predict(&mut self, fan: &Fan, model: ProbCut, state: &G, ply: usize, window: Bounds) -> Early {
        let error = model.sigma * self.config.prob_cut;
        let shallow = |value: i32, error: f64| (f64::from(value) - model.offset + error) / model.slope;
        let deep = |value: i32, error: f64| model.slope * f64::from(value) + model.offset + error;
        let start = self.draws.len();
        let horizons = self.horizons;
        self.draws.extend_from_within(fan.start..fan.end);
        let mut copy = Fan { start, end: self.draws.len(), ..*fan };
        for at in copy.start..copy.end {
            if self.draws[at].bounds.is_exact() {
                continue;
            }
            let child = self.outcome(state, at);
            let question = copy.window(&self.draws[at], window);
            let question = Bounds::new(
                to_value(shallow(question.low, -error).floor()),
                to_value(shallow(question.high, error).ceil()),
            );
            let answer = Bounds::from_answer(self.enter(&child, model.depth, ply + 1, question)?, question);
            let predicted = Bounds::new(
                if answer.low == -INFINITY { -INFINITY } else { to_value(deep(answer.low, -error).floor()) },
                if answer.high == INFINITY { INFINITY } else { to_value(deep(answer.high, error).ceil()) },
            );
            if let Some(answer) = self.learn(&mut copy, at, predicted, window, Cause::Predictions) {
                self.horizons += 1;
                return Ok(Some(answer));
            }
        }
        self.draws.truncate(start);
        // Nothing of this is used, so its horizons do not count.
        self.horizons = horizons;
        Ok(None)
    }

    /// Makes bounding queries for all outcomes: upper bounds if the node can fail low, lower bounds if it can fail
    /// high.
    fn query(&mut self, fan: &mut Fan, state: &G, depth: u32, ply: usize, window: Bounds) -> Early {
        for infinity in [INFINITY, -INFINITY] {
            for at in fan.start..fan.end {
                let is_useful =
                    if infinity > 0 { fan.can_fail_low(window) } else { fan.can_fail_high(window) };
                if !is_useful || self.draws[at].bounds.is_exact() {
                    continue;
                }
                let child = self.outcome(state, at);
                let question = Bounds::exact(infinity);
                let answer = self.enter(&child, depth, ply + 1, question)?;
                if let Some(answer) =
                    self.learn(fan, at, Bounds::from_answer(answer, question), window, Cause::Queries)
                {
                    return Ok(Some(answer));
                }
            }
        }
        Ok(None)
    }

    /// Searches a few moves of the player after each outcome (Star2). The player is sure to reach the best of their
    /// values, so it is a bound on the outcome's value.
    fn probe(&mut self, fan: &mut Fan, state: &G, depth: u32, ply: usize, window: Bounds) -> Early {
        for at in fan.start..fan.end {
            if self.draws[at].bounds.is_exact() {
                continue;
            }
            let child = self.outcome(state, at);
            let Turn::Player(player) = child.turn() else { continue };
            let mut question = fan.window(&self.draws[at], window);
            // On the side where the probe narrows, every narrowing is welcome.
            match player {
                Player::Zero if fan.can_fail_high(window) => question.low = self.draws[at].bounds.low,
                Player::One if fan.can_fail_low(window) => question.high = self.draws[at].bounds.high,
                _ => continue,
            }
            self.guide.begin(ply + 1, &child);
            let answer = self.player(&child, player, depth, ply + 1, question, self.config.star2)?;
            let mut bounds = Bounds::from_answer(answer, question);
            match player {
                Player::Zero => bounds.high = INFINITY,
                Player::One => bounds.low = -INFINITY,
            }
            if let Some(answer) = self.learn(fan, at, bounds, window, Cause::Probes) {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Returns the state after the outcome with this index on the stack.
    fn outcome(&self, state: &G, at: usize) -> G {
        let mut child = state.clone();
        L::resolve(&mut child, self.draws[at].outcome);
        child
    }

    /// Narrows the bounds of one outcome, and checks whether the bounds now determine the node's answer.
    fn learn(
        &mut self,
        fan: &mut Fan,
        at: usize,
        bounds: Bounds,
        window: Bounds,
        cause: Cause,
    ) -> Option<i32> {
        fan.narrow(&mut self.draws[at], bounds);
        self.answer(fan, window, cause)
    }

    fn answer(&mut self, fan: &Fan, window: Bounds, cause: Cause) -> Option<i32> {
        let bounds = fan.value();
        let answer = bounds.answer(window)?;
        let cuts = &mut self.stats.chance_cuts;
        let count = match cause {
            Cause::Bounds => &mut cuts.bounds,
            Cause::TranspositionTable => &mut cuts.table,
            Cause::Predictions => &mut cuts.predictions,
            Cause::Queries => &mut cuts.queries,
            Cause::Probes => &mut cuts.probes,
            Cause::Outcomes => &mut cuts.outcomes,
        };
        count[usize::from(bounds.high > window.low)] += 1;
        Some(answer)
    }
}

fn to_value(value: f64) -> i32 {
    value.clamp(-f64::from(INFINITY), f64::from(INFINITY)) as i32
}
