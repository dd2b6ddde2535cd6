//! Adam, the optimiser for all kinds of training, and schedules for its learning rate.

use crate::RecipeError;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Decay rate of the running mean of gradients.
const BETA1: f32 = 0.9;
/// Decay rate of the running mean of squared gradients.
const BETA2: f32 = 0.999;
/// A small number that keeps steps finite if all gradients so far were 0.
const EPSILON: f32 = 1e-8;

/// The state of Adam: running means of the parameters' gradients and of their squares.
///
/// Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1 with its default decay rates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: u32,
}

impl Adam {
    /// Creates the state before the first step.
    #[must_use]
    pub fn new(parameters: usize) -> Adam {
        Adam { first: vec![0.0; parameters], second: vec![0.0; parameters], steps: 0 }
    }

    /// Returns the number of parameters.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.first.len()
    }

    /// Returns the number of steps so far.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Moves each parameter against the gradient of the loss, by at most about `rate`, and sets the gradient to 0.
    ///
    /// # Panics
    /// Panics if the number of values differs from the number of parameters.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &mut [f32], rate: f32) {
        let count = self.first.len();
        assert_eq!(
            [parameters.len(), gradient.len()],
            [count; 2],
            "there must be a number for each parameter"
        );
        self.steps += 1;
        // Both means start at 0, so without the correction the first steps would be far too small.
        let [bias_correction1, bias_correction2] =
            [BETA1, BETA2].map(|beta| (1.0 - f64::from(beta).powi(self.steps as i32)) as f32);
        let (rate, root) = (rate / bias_correction1, bias_correction2.sqrt());
        let means = self.first.iter_mut().zip(&mut self.second);
        for ((parameter, gradient), (first, second)) in parameters.iter_mut().zip(gradient).zip(means) {
            *first += (1.0 - BETA1) * (*gradient - *first);
            *second += (1.0 - BETA2) * (*gradient * *gradient - *second);
            *parameter -= rate * *first / (second.sqrt() / root + EPSILON);
            *gradient = 0.0;
        }
    }
}

impl Adam {
    /// Returns for each part whether it has no effect: the gradients of its parameters have always been 0, or have been
    /// 0 for thousands of steps.
    #[must_use]
    pub fn idle(&self, parts: &[Vec<Range<usize>>]) -> Vec<bool> {
        let largest = |part: &Vec<Range<usize>>| {
            part.iter().flat_map(|range| &self.second[range.clone()]).fold(0.0, |most: f32, of| most.max(*of))
        };
        let all: Vec<f32> = parts.iter().map(largest).collect();
        let limit = IDLE_SHARE * all.iter().fold(0.0, |most: f32, of| most.max(*of));
        all.into_iter().map(|of| of <= limit).collect()
    }
}

/// The fraction of the largest mean squared gradient below which a part counts as having no effect.
const IDLE_SHARE: f32 = 1e-9;

/// Updates a running mean of parameters after a step. The mean keeps the fraction `share` of its old value. In the
/// first steps it keeps less, so that the initial values are soon forgotten.
pub fn average(mean: &mut [f32], parameters: &[f32], share: f32, steps: u32) {
    let steps = steps as f32;
    let stays = share.min((1.0 + steps) / (10.0 + steps));
    for (mean, parameter) in mean.iter_mut().zip(parameters) {
        *mean += (1.0 - stays) * (parameter - *mean);
    }
}

/// Scales a gradient down to this Euclidean norm if it is longer, and returns its original norm.
pub fn clip_norm(gradient: &mut [f32], max_norm: f32) -> f32 {
    let norm = gradient.iter().map(|part| f64::from(part * part)).sum::<f64>().sqrt() as f32;
    if norm > max_norm {
        gradient.iter_mut().for_each(|part| *part *= max_norm / norm);
    }
    norm
}

/// A schedule for the learning rate during a training run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The rate at the start.
    pub start: f64,
    /// The rate at the end.
    pub end: f64,
    /// The shape of the curve between the start and the end.
    pub curve: RateSchedule,
}

/// The shape of a falling rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RateSchedule {
    /// Decreases linearly over time.
    Linear,
    /// Decreases exponentially over time; the rate at the end must be above 0.
    Geometric,
    /// Decreases slowly at the start and at the end, like half a period of a cosine.
    Cosine,
}

/// Maximum rate, far more than any training run needs.
const MAX_RATE: f64 = 1e6;

impl Schedule {
    /// Checks the schedule.
    ///
    /// # Errors
    /// Returns an error if a rate is outside its range.
    pub fn check(&self) -> Result<(), RecipeError> {
        let Schedule { start, end, curve } = *self;
        if !(start > 0.0 && start.is_finite() && end >= 0.0 && end.is_finite()) {
            return Err(RecipeError::value("rate", "`start` above 0, and `end` at least 0"));
        }
        // As a 32-bit float, a larger rate could become infinite.
        if start > MAX_RATE || end > MAX_RATE {
            return Err(RecipeError::value("rate", format!("`start` and `end` not above {MAX_RATE}")));
        }
        if curve == RateSchedule::Geometric && end == 0.0 {
            return Err(RecipeError::value("rate.end", "a number above 0, because the curve is geometric"));
        }
        Ok(())
    }

    /// Returns the rate after a fraction `done` of the training run.
    #[must_use]
    pub fn at(&self, done: f64) -> f64 {
        let Schedule { start, end, curve } = *self;
        let done = done.clamp(0.0, 1.0);
        match curve {
            RateSchedule::Linear => start + done * (end - start),
            RateSchedule::Geometric => start * (end / start).powf(done),
            RateSchedule::Cosine => end + (start - end) * 0.5 * (1.0 + (std::f64::consts::PI * done).cos()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two parameters with the gradients (2, 0), (4, 0) and (-1, 3), computed by hand with the paper's algorithm.
    #[test]
    fn steps_equal_those_by_hand() {
        let mut adam = Adam::new(2);
        let mut close = |gradient: [f32; 2], expected: [f32; 2]| {
            let (mut steps, mut gradient) = ([0.0; 2], gradient);
            adam.step(&mut steps, &mut gradient, 0.1);
            assert!(
                steps.iter().zip(expected).all(|(step, expected)| (step - expected).abs() < 1e-5),
                "{steps:?}"
            );
            assert_eq!(gradient, [0.0; 2]);
        };
        // m = 0.2, v = 0.004; corrected 2 and 4.
        close([2.0, 0.0], [-0.1, 0.0]);
        // m = 0.18 + 0.4 = 0.58, v = 0.003996 + 0.016 = 0.019996; corrected 0.58 / 0.19 = 3.052632 and 0.019996 /
        // 0.001999 = 10.003002, whose root is 3.162753.
        close([4.0, 0.0], [-0.096_518, 0.0]);
        // First: m = 0.522 - 0.1 = 0.422, v = 0.019976004 + 0.001 = 0.020976004; corrected 0.422 / 0.271 = 1.557196 and
        // 0.020976004 / 0.002997001 = 6.998998, root 2.645562. Second: m = 0.3, v = 0.009; corrected 1.107011 and
        // 3.003002, root 1.732917.
        close([-1.0, 3.0], [-0.058_861, -0.063_881]);
    }

    #[test]
    fn a_valley_is_found() {
        let mut adam = Adam::new(1);
        let mut at = [5.0];
        let schedule = Schedule { start: 0.1, end: 0.005, curve: RateSchedule::Cosine };
        for round in 0..2_000 {
            let mut gradient = [2.0 * (at[0] - 1.0)];
            adam.step(&mut at, &mut gradient, schedule.at(f64::from(round) / 2_000.0) as f32);
        }
        assert!((at[0] - 1.0).abs() < 1e-3, "{at:?}");
    }

    #[test]
    fn long_gradients_are_cut_to_length() {
        let mut gradient = [3.0, -4.0];
        assert_eq!(clip_norm(&mut gradient, 10.0), 5.0);
        assert_eq!(gradient, [3.0, -4.0]);
        assert_eq!(clip_norm(&mut gradient, 2.5), 5.0);
        assert_eq!(gradient, [1.5, -2.0]);
    }

    #[test]
    fn rates_fall_from_start_to_end() {
        for curve in [RateSchedule::Linear, RateSchedule::Geometric, RateSchedule::Cosine] {
            let schedule = Schedule { start: 0.4, end: 0.1, curve };
            let middle = match curve {
                RateSchedule::Geometric => 0.2,
                RateSchedule::Linear | RateSchedule::Cosine => 0.25,
            };
            for (done, rate) in [(-1.0, 0.4), (0.0, 0.4), (0.5, middle), (1.0, 0.1), (2.0, 0.1)] {
                assert!((schedule.at(done) - rate).abs() < 1e-9, "{curve:?} {done}");
            }
            schedule.check().unwrap();
        }
        assert!(Schedule { start: 0.4, end: 0.0, curve: RateSchedule::Geometric }.check().is_err());
        assert!(Schedule { start: f64::NAN, end: 0.0, curve: RateSchedule::Linear }.check().is_err());
    }
}
