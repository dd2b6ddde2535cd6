//! The evaluation as searches ask for it.

use super::predictions::MAX_DEPTH;
use super::{decision, Linear, Value, POINT};
use crate::guide::{board_key, key, promise, slot, SLOTS};
use crate::{Move, State};
use contender_game::rules::mix;
use contender_search::{Bounds, Heuristics, ProbCut};

/// The guide of a search by the linear evaluation.
pub type LinearGuide = ValueGuide<Linear>;

/// An evaluation as the guide of a search, clamped to a range.
///
/// Chance nodes prune by the range, so the narrower the better as long as it holds the values that matter. No
/// evaluation is below the points that are there, for no placement takes any away and Order may pass.
#[derive(Clone)]
pub struct ValueGuide<V> {
    evaluation: V,
    range: Bounds,
    /// The evaluation around which the range was laid, and its half width.
    focus: Option<(i32, i32)>,
    /// Distinguishes the keys of one range from those of others.
    salt: u64,
    cache: Cache,
    predictions: [Option<ProbCut>; MAX_DEPTH],
}

/// The values that a score can have, with room: the range when none is given.
const SCORES: Bounds = Bounds::new(0, 1000 * POINT);

impl<V: Value> ValueGuide<V> {
    /// Returns the guide with this evaluation and no narrower range than all scores.
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

    /// Clamps all further evaluations to a range around the state's own.
    ///
    /// Table entries of another range are not found any more ([`Heuristics::key`]), so the range stays while the
    /// state's evaluation is in the middle quarter of it.
    pub fn focus(&mut self, state: &State, points: i32) {
        let value = self.unclamped(state);
        let width = POINT * points;
        let is_near = |(centre, half): (i32, i32)| half == width && (value - centre).abs() <= width / 4;
        if !self.focus.map_or(false, is_near) {
            self.focus = Some((value, width));
            self.salt = mix(&[value as u64, width as u64]);
            self.range = Bounds::new(value - width, value + width).intersect(SCORES);
        }
    }

    /// Makes [`Heuristics::prob_cut`] predict searches in the neighbourhood of a state from now on.
    pub fn predict(&mut self, state: &State) {
        for prediction in V::PREDICTIONS {
            self.predictions[prediction.deep as usize] = Some(prediction.near(state));
        }
    }

    /// Returns the evaluation without the range; the score itself when the game is over.
    pub fn unclamped(&mut self, state: &State) -> i32 {
        let Some(turn) = decision(state) else { return POINT * state.score() };
        // A drawn chip changes no evaluation.
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

/// The latest evaluations: an iteration orders moves by what the one before found at its horizon.
#[derive(Clone)]
struct Cache(Vec<(u64, i32)>);

/// A power of two; 1 MiB.
const SLOTS_OF_CACHE: usize = 1 << 16;

impl Cache {
    /// A state with key 0 is as unlikely as any that is mistaken for another.
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
