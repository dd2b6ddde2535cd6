//! The evaluation in the form that searches call.

use super::predictions::MAX_DEPTH;
use super::{decision, Linear, Value, POINT};
use crate::guide::{board_key, key, promise, slot, SLOTS};
use crate::{Move, State};
use contender_game::rules::mix;
use contender_search::{Bounds, Heuristics, ProbCut, Tactics};

/// The guide for a search with the linear evaluation.
pub type LinearGuide = ValueGuide<Linear>;

/// Guides a search by an evaluation whose values are clamped to a range.
///
/// Chance nodes use the range for pruning, so a narrow range prunes more, but it must contain the values that matter.
/// No evaluation is below the current score, because no placement removes points and Order may pass.
#[derive(Clone)]
pub struct ValueGuide<V> {
    evaluation: V,
    range: Bounds,
    /// The centre of the range, which is an evaluation, and half the width of the range.
    focus: Option<(i32, i32)>,
    /// A number that makes the keys of different ranges differ.
    salt: u64,
    cache: Cache,
    predictions: [Option<ProbCut>; MAX_DEPTH],
}

/// The default range, which includes every possible score.
const SCORES: Bounds = Bounds::new(0, 1000 * POINT);

impl<V: Value> ValueGuide<V> {
    /// Creates the guide with this evaluation and the range of all possible scores.
    #[must_use]
    pub fn new(evaluation: impl Into<V>) -> ValueGuide<V> {
        ValueGuide {
            evaluation: evaluation.into(),
            range: SCORES,
            focus: None,
            salt: 0,
            cache: Cache::new(),
            predictions: [None; MAX_DEPTH],
        }
    }

    /// Clamps all further evaluations to a range around the evaluation of `state`.
    ///
    /// After a change of the range, table entries from the old range are no longer found ([`Heuristics::key`]). So the
    /// range changes only when the state's evaluation leaves the middle half of the range.
    pub fn focus(&mut self, state: &State, points: i32) {
        let width = POINT * points;
        // The range contains a score, even if badly trained weights give a value far outside.
        let value = self.unclamped(state).clamp(SCORES.low - width, SCORES.high + width);
        let is_near = |(centre, half): (i32, i32)| half == width && (value - centre).abs() <= width / 4;
        if !self.focus.map_or(false, is_near) {
            self.focus = Some((value, width));
            self.salt = mix(&[value as u64, width as u64]);
            self.range = Bounds::new(value - width, value + width).intersect(SCORES);
        }
    }

    /// Sets the position for [`Heuristics::prob_cut`], which from then on predicts searches of states near `state`.
    pub fn predict(&mut self, state: &State) {
        for prediction in V::PREDICTIONS {
            self.predictions[prediction.deep as usize] = Some(prediction.near(state));
        }
    }

    /// Returns the evaluation without clamping, or the score if the game is over.
    pub fn unclamped(&mut self, state: &State) -> i32 {
        let Some(turn) = decision(state) else { return POINT * state.score() };
        // A drawn chip doesn't change the evaluation.
        let key = board_key(state, turn as u64 % 2);
        match self.cache.find(key) {
            Some(value) => value,
            None => {
                let value = self.evaluation.value(turn, state);
                self.cache.keep(key, value);
                value
            }
        }
    }

    fn clamped(&self, state: &State, value: i32) -> i32 {
        value.max(POINT * state.score()).clamp(self.range.low, self.range.high)
    }
}

impl<V: Value> Tactics<State> for ValueGuide<V> {}

impl<V: Value> Heuristics<State> for ValueGuide<V> {
    fn evaluate(&mut self, state: &State) -> i32 {
        let value = self.unclamped(state);
        self.clamped(state, value)
    }

    fn finished(&mut self, state: &State) -> i32 {
        self.clamped(state, POINT * state.score())
    }

    fn bounds(&self, state: &State, _: u32) -> Bounds {
        Bounds::new(self.clamped(state, POINT * state.score()), self.range.high)
    }

    fn key(&self, state: &State) -> Option<u64> {
        Some(key(state) ^ self.salt)
    }

    fn slots(&self) -> usize {
        SLOTS
    }

    fn slot(&self, _: &State, mv: Move) -> usize {
        slot(mv)
    }

    fn score(&mut self, state: &State, mv: Move) -> i32 {
        promise(state, mv)
    }

    fn prob_cut(&self, _: &State, depth: u32) -> Option<ProbCut> {
        *self.predictions.get(depth as usize)?
    }
}

/// A cache of the latest evaluations. Each iteration of a search orders moves by evaluations that the previous
/// iteration has computed at its horizon, so most evaluations are found in the cache.
#[derive(Clone)]
struct Cache(Vec<(u64, i32)>);

/// Number of slots, a power of two; the cache takes 1 MiB.
const SLOTS_OF_CACHE: usize = 1 << 16;

impl Cache {
    /// Creates an empty cache. Empty slots have key 0. The chance that a state has this key is as small as that of any
    /// other collision.
    fn new() -> Cache {
        Cache(vec![(0, 0); SLOTS_OF_CACHE])
    }

    #[inline]
    fn find(&self, key: u64) -> Option<i32> {
        let (other, value) = self.0[key as usize % SLOTS_OF_CACHE];
        (other == key).then_some(value)
    }

    #[inline]
    fn keep(&mut self, key: u64, value: i32) {
        self.0[key as usize % SLOTS_OF_CACHE] = (key, value);
    }
}
