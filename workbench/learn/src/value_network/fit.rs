//! Fitting of a network's parameters with Adam and random batches. A fit runs in pieces, so that it can be stopped and
//! resumed.

use crate::best::without_effect;
use crate::optimiser::{Adam, Schedule, average};
use crate::treestrap::is_zero;
use contender_game::rules::{Rng, mix};
use contender_value::Model;
use serde::{Deserialize, Serialize};

/// Settings of a fit.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Fitting {
    /// Number of examples per step.
    pub batch: usize,
    /// Adam's learning rate over the course of a fit.
    pub rate: Schedule,
    /// Fraction that the running mean of the parameters keeps in each step. The result of the fit is this mean, or the
    /// parameters themselves if the fraction is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub average: f32,
    /// Weight of half the sum of the squared parameters in the loss, at least 0. A parameter about which the examples
    /// say little then stays small.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub penalty: f32,
}

/// The state of a fit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fit {
    /// The network's parameters. They are copied to the model when the fit continues.
    pub numbers: Vec<f32>,
    /// The running mean of the parameters; empty if the recipe does not use it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    averaged: Vec<f32>,
    adam: Adam,
    epochs: u32,
    /// Number of complete epochs.
    pub epoch: u32,
    /// Number of completed batches in the current epoch.
    batch: usize,
    /// The sum of the losses in the current epoch.
    loss: f64,
}

/// The result of one piece of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Piece {
    /// The mean loss of the examples so far in the current epoch, each measured before its step.
    pub loss: f64,
    /// Whether the epoch is complete.
    pub is_epoch: bool,
}

impl Fit {
    /// Creates a new fit with this number of passes over the examples.
    #[must_use]
    pub fn new(model: &mut impl Model, epochs: u32) -> Fit {
        let numbers = model.numbers().clone();
        Fit {
            adam: Adam::new(numbers.len()),
            averaged: Vec::new(),
            numbers,
            epochs,
            epoch: 0,
            batch: 0,
            loss: 0.0,
        }
    }

    /// Returns whether all lists have this number of parameters. Used to check data that was read from a file.
    #[must_use]
    pub fn fits(&self, numbers: usize) -> bool {
        let has_mean = self.averaged.is_empty() || self.averaged.len() == numbers;
        has_mean && self.numbers.len() == numbers && self.adam.parameters() == numbers
    }

    /// Returns the parameters of the fitted network.
    #[must_use]
    pub fn network(&self) -> &[f32] {
        if self.averaged.is_empty() { &self.numbers } else { &self.averaged }
    }

    /// Returns sentences about the parts of the model that have no effect.
    pub fn idle_parts(&self, model: &impl Model) -> Vec<String> {
        let parts = model.parts().into_iter();
        parts.filter_map(|(kind, parts)| without_effect(kind, &self.adam.idle(&parts))).collect()
    }

    /// Returns whether all passes are complete.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.epoch >= self.epochs
    }

    /// Returns the number of examples processed in all passes.
    #[must_use]
    pub fn seen(&self, fitting: &Fitting, examples: usize) -> usize {
        self.epoch as usize * examples + (self.batch * fitting.batch).min(examples)
    }

    /// Returns the completed fraction of the fit, for this number of examples.
    #[must_use]
    pub fn done(&self, fitting: &Fitting, examples: usize) -> f64 {
        self.seen(fitting, examples) as f64 / (self.epochs as usize * examples).max(1) as f64
    }

    /// Performs steps until the epoch ends or `is_enough` returns true, which is called after each step. All
    /// randomness, including the order of the examples, depends only on the seed, even if the fit is interrupted.
    ///
    /// `order` is working memory, which must be empty at first and when a fit is resumed.
    pub fn go_on<M: Model>(
        &mut self,
        model: &mut M,
        examples: &[M::Example],
        fitting: &Fitting,
        seed: u64,
        order: &mut Vec<u32>,
        is_enough: &mut dyn FnMut() -> bool,
    ) -> Piece {
        let epoch_seed = mix(&[seed, u64::from(self.epoch)]);
        if order.len() != examples.len() {
            *order = (0..examples.len() as u32).collect();
            Rng::new(epoch_seed).shuffle(order);
        }
        model.numbers().clone_from(&self.numbers);
        let mut gradient = vec![0.0; self.numbers.len()];
        let batches = examples.len().div_ceil(fitting.batch);
        while self.batch < batches {
            let first = self.batch * fitting.batch;
            let batch = &order[first..examples.len().min(first + fitting.batch)];
            let mut rng = Rng::new(mix(&[epoch_seed, self.batch as u64]));
            let rate = fitting.rate.at(self.done(fitting, examples.len())) as f32;
            let share = 1.0 / batch.len() as f32;
            for &number in batch {
                self.loss += model.learn(&examples[number as usize], share, &mut rng, &mut gradient);
            }
            if fitting.penalty > 0.0 {
                for (slope, number) in gradient.iter_mut().zip(&*model.numbers()) {
                    *slope += fitting.penalty * number;
                }
            }
            self.adam.step(model.numbers(), &mut gradient, rate);
            model.restrict();
            if fitting.average > 0.0 {
                if self.averaged.is_empty() {
                    self.averaged.clone_from(&self.numbers);
                }
                average(&mut self.averaged, model.numbers(), fitting.average, self.adam.steps());
            }
            self.batch += 1;
            if is_enough() {
                break;
            }
        }
        self.numbers.clone_from(model.numbers());
        let seen = (self.batch * fitting.batch).min(examples.len()).max(1);
        let piece = Piece { loss: self.loss / seen as f64, is_epoch: self.batch == batches };
        if piece.is_epoch {
            (self.epoch, self.batch, self.loss) = (self.epoch + 1, 0, 0.0);
            order.clear();
        }
        piece
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimiser::RateSchedule;

    /// A model that is a line through points.
    struct Line(Vec<f32>);

    impl Model for Line {
        type Example = (f32, f32);

        fn numbers(&mut self) -> &mut Vec<f32> {
            &mut self.0
        }

        fn learn(&self, &(x, y): &(f32, f32), share: f32, _: &mut Rng, gradient: &mut [f32]) -> f64 {
            let error = self.0[0] + self.0[1] * x - y;
            gradient[0] += share * error;
            gradient[1] += share * error * x;
            f64::from(error * error) / 2.0
        }

        fn restrict(&mut self) {
            self.0[1] = self.0[1].min(1.5);
        }

        fn loss(&self, _: &[(f32, f32)]) -> f64 {
            0.0
        }

        fn write(&self) -> Vec<u8> {
            Vec::new()
        }

        fn read(&mut self, _: &[u8]) -> Result<(), String> {
            Ok(())
        }
    }

    fn fitted(slope: f32, piece: usize) -> Vec<f32> {
        fitted_with(slope, piece, [0.0; 2]).network().to_vec()
    }

    /// Fits in pieces of this many steps, each of which could be resumed by another process.
    fn fitted_with(slope: f32, piece: usize, [average, penalty]: [f32; 2]) -> Fit {
        let rate = Schedule { start: 0.1, end: 0.0, curve: RateSchedule::Cosine };
        let fitting = Fitting { batch: 4, rate, average, penalty };
        let points: Vec<(f32, f32)> =
            (-10..=10).map(|x| x as f32 / 10.0).map(|x| (x, 0.5 + slope * x)).collect();
        let mut fit = Fit::new(&mut Line(vec![0.0; 2]), 300);
        while !fit.is_finished() {
            let mut steps = 0;
            let mut is_enough = || {
                steps += 1;
                steps >= piece
            };
            let mut line = Line(vec![9.0; 2]);
            fit.go_on(&mut line, &points, &fitting, 7, &mut Vec::new(), &mut is_enough);
            assert!((0.0..=1.0).contains(&fit.done(&fitting, points.len())));
        }
        assert_eq!(fit.done(&fitting, points.len()), 1.0);
        fit
    }

    /// The running mean is computed again from the parameters after each step.
    #[test]
    fn the_mean_of_the_parameters_is_the_network() {
        let points: Vec<(f32, f32)> = (-10..=10).map(|x| x as f32 / 10.0).map(|x| (x, 0.5 + x)).collect();
        let rate = Schedule { start: 0.1, end: 0.0, curve: RateSchedule::Cosine };
        let fitting = Fitting { batch: 4, rate, average: 0.9, penalty: 0.0 };
        let (mut fit, mut mean, mut steps) = (Fit::new(&mut Line(vec![0.0; 2]), 3), [0.0f32; 2], 0.0);
        while !fit.is_finished() {
            fit.go_on(&mut Line(vec![0.0; 2]), &points, &fitting, 7, &mut Vec::new(), &mut || true);
            steps += 1.0;
            let stays = f32::min(0.9, (1.0 + steps) / (10.0 + steps));
            for at in 0..2 {
                mean[at] = stays * mean[at] + (1.0 - stays) * fit.numbers[at];
                assert!((mean[at] - fit.network()[at]).abs() < 1e-5, "{mean:?} {:?}", fit.network());
            }
        }
        assert_ne!(fit.network(), fit.numbers);
        assert_eq!(fitted_with(1.0, 1, [0.9, 0.0]), fitted_with(1.0, usize::MAX, [0.9, 0.0]));
    }

    /// The least sum of squared errors and penalty, by ridge regression: the points' means of x and of x * x are 0 and
    /// 11 / 30, and the line through them has the height 0.5.
    #[test]
    fn a_penalty_makes_parameters_small() {
        let (slope, penalty) = (1.0, 0.2);
        let fit = fitted_with(slope, usize::MAX, [0.0, penalty]);
        let expected = [0.5 / (1.0 + penalty), slope * 11.0 / 30.0 / (11.0 / 30.0 + penalty)];
        for (found, expected) in fit.network().iter().zip(expected) {
            assert!((found - expected).abs() < 0.02, "{found} {expected}");
        }
    }

    #[test]
    fn a_line_is_found_within_its_range() {
        for (slope, found) in [(-2.0, -2.0), (1.0, 1.0), (3.0, 1.5)] {
            let line = fitted(slope, usize::MAX);
            assert!((line[0] - 0.5).abs() < 0.01 && (line[1] - found).abs() < 0.01, "{line:?}");
        }
    }

    #[test]
    fn pieces_make_no_difference() {
        assert_eq!(fitted(1.0, 1), fitted(1.0, usize::MAX));
        assert_eq!(fitted(1.0, 4), fitted(1.0, usize::MAX));
    }
}
