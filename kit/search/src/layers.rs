//! A fixed search of "my move, chance, reply" that evaluates many leaves at once.
//!
//! In a game like Box, the replies and most of an evaluation do not depend on the outcome of chance. So after my move
//! and a reply, the evaluation is prepared once and finished for each outcome at little cost. Therefore the loops are
//! nested in this order: moves, replies, outcomes. The search keeps the minimum over the replies for each outcome, and
//! the value of the move is the mean of these minima. The minima only decrease, so their mean is always an upper bound
//! of the move's value. A move is given up as soon as this bound is not better than the best move's value. If good
//! replies come first, this takes only a few replies.
//!
//! Source: the expectiminimax of depth 3 with prepared leaves in Maks Verver's Box player (CodeCup 2025); the cut-off
//! is the idea of Star2, with all outcomes probed at once.

use crate::{Bounds, Heuristics, Mix, SearchBudget, SearchLimits, Stopped};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Chance, Game, Player, Turn},
};
use std::cmp::Reverse;

/// The callbacks of a layered search, for a game in which it is chance's turn after every move.
pub trait Layers<G: Game> {
    /// A reply, in the form that is fastest to process.
    type Reply: Copy;

    /// Puts the moves into the order of the search, if possible with the best first. By default, this is the game's
    /// order.
    fn order(&mut self, state: &G, moves: &mut [G::Move]) {
        let _ = (state, moves);
    }

    /// Appends the weights of the outcomes in `state`; outcomes that cannot be distinguished may be merged. The weights
    /// must not all be 0, and their sum must be below 2^31.
    fn outcomes(&mut self, state: &G, weights: &mut Vec<u32>);

    /// Appends the replies, if possible with the best first. They are the same after every outcome.
    fn replies(&mut self, state: &G, replies: &mut Vec<Self::Reply>);

    /// Writes the value after `reply` for each outcome, in the order of [`outcomes`](Layers::outcomes).
    fn values(&mut self, state: &G, reply: Self::Reply, values: &mut [i32]);

    /// Returns the value of a state after a move if it is not chance's turn, or if there is no reply.
    fn without_reply(&mut self, state: &G) -> i32;
}

/// A layered search with its working memory.
pub struct LayerSearch<G: Game, H: Layers<G>> {
    hooks: H,
    prunes: bool,
    meter: SearchBudget,
    moves: Vec<G::Move>,
    replies: Vec<H::Reply>,
    weights: Vec<u32>,
    /// The value after one reply, for each outcome.
    values: Vec<i32>,
    /// The best value for the replying player, for each outcome.
    best: Vec<i32>,
}

impl<G: Game, H: Layers<G>> LayerSearch<G, H> {
    /// Creates a search; without `prunes` it finds the exact value of every move.
    #[must_use]
    pub fn new(hooks: H, prunes: bool) -> Self {
        LayerSearch {
            hooks,
            prunes,
            meter: SearchBudget::new(&SearchLimits::NONE),
            moves: Vec::new(),
            replies: Vec::new(),
            weights: Vec::new(),
            values: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Returns the number of pairs of move and reply that the latest search evaluated.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.meter.nodes()
    }

    /// Returns the hooks.
    pub fn hooks(&mut self) -> &mut H {
        &mut self.hooks
    }

    /// Returns the values of the moves of the player to act, the best first. Values are exact, except those of moves
    /// that were given up: these are upper bounds that are not better than the best move's value.
    ///
    /// The limits count pairs of move and reply as nodes; their depth is ignored. If the limits are reached before all
    /// moves are searched, the reported depth is 0, and the unsearched moves come last and have no values.
    pub fn search(&mut self, state: &G, limits: &SearchLimits) -> Analysis<G::Move> {
        self.meter = SearchBudget::new(limits);
        let Turn::Player(player) = state.turn() else { return Analysis::of(Vec::new()) };
        self.moves.clear();
        state.moves(&mut self.moves);
        self.hooks.order(state, &mut self.moves);
        let mut best = None;
        let mut found: Vec<(Bounds, MoveAnalysis<G::Move>)> = Vec::with_capacity(self.moves.len());
        let mut is_stopped = false;
        for at in 0..self.moves.len() {
            let mv = self.moves[at];
            let mut child = state.clone();
            child.play(mv);
            let rows = self.meter.nodes();
            let known = if is_stopped {
                Err(Stopped)
            } else {
                self.value(&child, player, best.filter(|_| self.prunes))
            };
            is_stopped = known.is_err();
            let own = known.unwrap_or(Bounds::ANY).seen_by(player);
            if own.is_exact() {
                best = Some(best.map_or(own.low, |best: i32| best.max(own.low)));
            }
            let effort = self.meter.nodes() - rows;
            found.push((own, MoveAnalysis { mv, value: own.range(), is_proven: false, effort }));
        }
        // A move that was given up comes after the move that it was no better than.
        found.sort_by_key(|(own, _)| (*own == Bounds::ANY, Reverse(own.high)));
        Analysis {
            depth: if is_stopped { 0 } else { 2 },
            counts: vec![("rows", self.meter.nodes())],
            elapsed: self.meter.elapsed(),
            ..Analysis::of(found.into_iter().map(|(_, of)| of).collect())
        }
    }

    /// Returns the value after a move of `player`, or a bound that shows that it is at most `limit` for that player.
    fn value(&mut self, state: &G, player: Player, limit: Option<i32>) -> Result<Bounds, Stopped> {
        if state.turn() != Turn::Chance {
            return Ok(Bounds::exact(self.hooks.without_reply(state)));
        }
        self.weights.clear();
        self.hooks.outcomes(state, &mut self.weights);
        self.replies.clear();
        self.hooks.replies(state, &mut self.replies);
        if self.replies.is_empty() {
            return Ok(Bounds::exact(self.hooks.without_reply(state)));
        }
        let mix = Mix::new(self.weights.iter().map(|&weight| u64::from(weight)).sum());
        let mut value = 0;
        for at in 0..self.replies.len() {
            self.meter.count()?;
            self.meter.hurry(self.weights.len());
            self.values.clear();
            self.values.resize(self.weights.len(), 0);
            self.hooks.values(state, self.replies[at], &mut self.values);
            if at == 0 {
                self.best.clear();
                self.best.extend_from_slice(&self.values);
            } else {
                let better = if player == Player::Zero { i32::min } else { i32::max };
                for (best, &value) in self.best.iter_mut().zip(&self.values) {
                    *best = better(*best, value);
                }
            }
            let sum = self
                .weights
                .iter()
                .zip(&self.best)
                .map(|(&weight, &best)| i64::from(weight) * i64::from(best));
            value = mix.value(sum.sum());
            let is_last = at + 1 == self.replies.len();
            if !is_last && limit.map_or(false, |limit| player.sign() * value <= limit) {
                let bounds = Bounds::new(-crate::INFINITY, player.sign() * value);
                return Ok(bounds.seen_by(player));
            }
        }
        Ok(Bounds::exact(value))
    }
}

/// A simple implementation of the layers for any game with chance, which evaluates one leaf at a time. Tests compare
/// faster implementations with it.
///
/// The moves after the first outcome must be the same as after every other outcome.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneByOne<E>(pub E);

impl<G: Chance, E: Heuristics<G>> Layers<G> for OneByOne<E> {
    type Reply = G::Move;

    fn outcomes(&mut self, state: &G, weights: &mut Vec<u32>) {
        let mut outcomes = Vec::new();
        state.outcomes(&mut outcomes);
        weights.extend(outcomes.iter().map(|&(_, weight)| weight));
    }

    fn replies(&mut self, state: &G, replies: &mut Vec<G::Move>) {
        let mut outcomes = Vec::new();
        state.outcomes(&mut outcomes);
        let mut child = state.clone();
        child.resolve(outcomes[0].0);
        child.moves(replies);
    }

    fn values(&mut self, state: &G, reply: G::Move, values: &mut [i32]) {
        let mut outcomes = Vec::new();
        state.outcomes(&mut outcomes);
        for (value, (outcome, _)) in values.iter_mut().zip(outcomes) {
            let mut child = state.clone();
            child.resolve(outcome);
            child.play(reply);
            *value = match child.turn() {
                Turn::Over => self.0.finished(&child),
                _ => self.0.evaluate(&child),
            };
        }
    }

    fn without_reply(&mut self, state: &G) -> i32 {
        match state.turn() {
            Turn::Over => self.0.finished(state),
            _ => self.0.evaluate(state),
        }
    }
}
