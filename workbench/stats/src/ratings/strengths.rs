//! Strengths of many bots, and their joint uncertainty.

use super::linear::factor;
use crate::Interval;
use contender_game::rules::Rng;
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};

/// The estimated strengths of bots relative to the mean of all bots, and their joint uncertainty.
#[derive(Clone, Debug)]
pub struct Strengths {
    values: Vec<f64>,
    /// The covariance matrix, row by row; `None` if there are too few games.
    covariance: Option<Vec<f64>>,
    /// Degrees of freedom of the error estimate; infinite if the error is not estimated.
    freedom: f64,
}

/// The kind of ranks in a distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replayed {
    /// The ranks by true strength, with the uncertainty that remains after the games.
    Truth,
    /// The ranks after playing the same schedule again with new seeds. They vary because the true strengths are unknown
    /// and because the new games have random errors.
    Tournament,
}

impl Strengths {
    pub(super) fn new(values: Vec<f64>, covariance: Option<Vec<f64>>, freedom: f64) -> Strengths {
        Strengths { values, covariance, freedom }
    }

    /// Returns the strengths of all bots. The mean of the strengths is zero.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the bots in descending order of strength. Equally strong bots are sorted by their numbers.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        ranking(&self.values)
    }

    fn covariance(&self, a: usize, b: usize) -> Option<f64> {
        Some(self.covariance.as_ref()?[a * self.values.len() + b])
    }

    /// Returns the interval that contains the strength of `bot`, relative to the mean of all bots, with the probability
    /// `confidence`.
    ///
    /// Returns `None` if there are too few games. If no games connect a bot to the others, its interval is too wide to
    /// be useful.
    ///
    /// # Panics
    /// Panics if a bot does not exist, or if `confidence` is not strictly between 0 and 1.
    #[must_use]
    pub fn interval(&self, bot: usize, confidence: f64) -> Option<Interval> {
        let error = self.covariance(bot, bot)?.max(0.0).sqrt();
        self.around(self.values[bot], error, confidence)
    }

    /// Returns the interval that contains the strength of `a` minus the strength of `b` with the probability
    /// `confidence`. Returns `None` if there are too few games.
    ///
    /// # Panics
    /// Panics if a bot does not exist, or if `confidence` is not strictly between 0 and 1.
    #[must_use]
    pub fn difference_interval(&self, a: usize, b: usize, confidence: f64) -> Option<Interval> {
        self.around(self.values[a] - self.values[b], self.difference_error(a, b)?, confidence)
    }

    fn around(&self, value: f64, error: f64, confidence: f64) -> Option<Interval> {
        assert!(confidence > 0.0 && confidence < 1.0, "the confidence level must be between 0 and 1");
        let tail = 0.5 + confidence / 2.0;
        let quantile = if self.freedom.is_finite() {
            StudentsT::new(0.0, 1.0, self.freedom).ok()?.inverse_cdf(tail)
        } else {
            Normal::standard().inverse_cdf(tail)
        };
        Some(Interval { low: value - quantile * error, high: value + quantile * error })
    }

    /// Returns the standard error of the difference between the strengths of `a` and `b`, or `None` if there are too
    /// few games.
    ///
    /// # Panics
    /// Panics if a bot does not exist.
    #[must_use]
    pub fn difference_error(&self, a: usize, b: usize) -> Option<f64> {
        let variance = self.covariance(a, a)? + self.covariance(b, b)? - 2.0 * self.covariance(a, b)?;
        Some(variance.max(0.0).sqrt())
    }

    /// Returns the probability that `a` is truly stronger than `b`, or `None` if there are too few games.
    ///
    /// # Panics
    /// Panics if a bot does not exist.
    #[must_use]
    pub fn ahead(&self, a: usize, b: usize) -> Option<f64> {
        self.probability_ahead(a, b, 1.0)
    }

    /// Returns the probability that `a` is ahead of `b` after playing the same schedule again with new seeds. This
    /// probability is closer to one half than [`ahead`](Strengths::ahead), because the new games also have random
    /// errors. Returns `None` if there are too few games.
    ///
    /// # Panics
    /// Panics if a bot does not exist.
    #[must_use]
    pub fn ahead_again(&self, a: usize, b: usize) -> Option<f64> {
        self.probability_ahead(a, b, 2f64.sqrt())
    }

    /// Returns the probability that `a` is ahead of `b` if the standard error is multiplied by `scale`. If the error is
    /// estimated from few games, large differences are more likely.
    fn probability_ahead(&self, a: usize, b: usize, scale: f64) -> Option<f64> {
        let error = self.difference_error(a, b)? * scale;
        let difference = self.values[a] - self.values[b];
        Some(match difference.total_cmp(&0.0) {
            _ if error > 0.0 && self.freedom.is_finite() => {
                StudentsT::new(0.0, 1.0, self.freedom).ok()?.cdf(difference / error)
            }
            _ if error > 0.0 => Normal::standard().cdf(difference / error),
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
        })
    }

    /// Returns for every bot the probabilities of all ranks, starting with the first rank. They are estimated from
    /// `draws` random draws. Returns `None` if there are too few games.
    ///
    /// # Panics
    /// Panics if `draws` is 0.
    #[must_use]
    pub fn ranks(&self, of: Replayed, draws: u32, seed: u64) -> Option<Vec<Vec<f64>>> {
        assert!(draws > 0, "at least one draw is needed for a distribution");
        let bots = self.values.len();
        let scale = match of {
            Replayed::Truth => 1.0,
            Replayed::Tournament => 2f64.sqrt(),
        };
        let lower = factor(bots, self.covariance.clone()?);
        let mut rng = Rng::new(seed);
        let spread = if self.freedom.is_finite() { ChiSquared::new(self.freedom).ok() } else { None };
        let mut counts = vec![vec![0_u32; bots]; bots];
        for _ in 0..draws {
            // The uncertainty of the error estimate, as in the multivariate Student distribution. It is the same for
            // all bots.
            let stretch = spread.map_or(1.0, |spread| {
                let quantile = Normal::standard().cdf(normal(&mut rng)).clamp(1e-9, 1.0 - 1e-9);
                (self.freedom / spread.inverse_cdf(quantile)).sqrt()
            });
            let errors: Vec<f64> = (0..bots).map(|_| stretch * scale * normal(&mut rng)).collect();
            let drawn: Vec<f64> = (0..bots)
                .map(|row| {
                    let error: f64 = (0..=row).map(|k| lower[row * bots + k] * errors[k]).sum();
                    self.values[row] + error
                })
                .collect();
            for (rank, bot) in ranking(&drawn).into_iter().enumerate() {
                counts[bot][rank] += 1;
            }
        }
        let share = |count: u32| f64::from(count) / f64::from(draws);
        Some(counts.into_iter().map(|ranks| ranks.into_iter().map(share).collect()).collect())
    }
}

fn ranking(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order
}

/// Draws a number from the standard normal distribution.
#[must_use]
pub fn normal(rng: &mut Rng) -> f64 {
    // A uniform number strictly between 0 and 1.
    let uniform = ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    Normal::standard().inverse_cdf(uniform)
}
