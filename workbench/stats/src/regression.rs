//! Strengths of many bots from the differences of their games' scores, by least squares.
//!
//! The model of one observation is `difference = strength of A - strength of B + error`, all errors with one variance. Points are
//! fitted as they are, so a win by much says more than a win by little, which is what contests that add up points reward.
//! Strengths are computed from all observations at once: their order does not matter, beyond the rounding of sums.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use crate::Interval;

/// Adds one tiny game against the mean to every bot: makes the system solvable for leagues that fall apart into bots that never
/// met, and is too small to show in the strengths of those that did.
const RIDGE: f64 = 1e-6;

/// One observation: points of bot `a` minus points of bot `b`, of one game, or the mean of a pair of games with the same luck.
///
/// Pairs are the better unit: the two games of one pair are not independent of each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Index of the first bot.
    pub a: usize,
    /// Index of the second bot.
    pub b: usize,
    /// Points of `a` minus points of `b`; finite.
    pub points: f64,
}

/// Strengths in points, relative to the mean of all bots, with their uncertainty.
#[derive(Clone, Debug)]
pub struct Regression {
    strengths: Vec<f64>,
    /// Covariance of the strengths for errors of variance one; row by row.
    covariance: Vec<f64>,
    error_variance: Option<f64>,
    freedom: f64,
}

impl Regression {
    /// Fits the strengths of `bots` bots, numbered from 0.
    ///
    /// # Panics
    /// If a difference names a bot that does not exist, or the same bot twice, or is not finite.
    #[must_use]
    pub fn fit(bots: usize, differences: &[Difference]) -> Self {
        let mut normal = vec![0.0; bots * bots];
        let mut right = vec![0.0; bots];
        for &Difference { a, b, points } in differences {
            assert!(a < bots && b < bots && a != b, "a difference is between two bots of the league");
            assert!(points.is_finite(), "a difference is a finite number");
            normal[a * bots + a] += 1.0;
            normal[b * bots + b] += 1.0;
            normal[a * bots + b] -= 1.0;
            normal[b * bots + a] -= 1.0;
            right[a] += points;
            right[b] -= points;
        }
        // The bots of one component of the league have no common level: a pull of all strengths' sum to zero gives them one.
        let level = if bots == 0 { 0.0 } else { 1.0 / bots as f64 };
        for row in 0..bots {
            for column in 0..bots {
                normal[row * bots + column] += level + if row == column { RIDGE } else { 0.0 };
            }
        }
        let inverse = invert(bots, normal);
        let mut strengths: Vec<f64> = (0..bots)
            .map(|bot| (0..bots).map(|other| inverse[bot * bots + other] * right[other]).sum())
            .collect();
        let mean = strengths.iter().sum::<f64>() * level;
        strengths.iter_mut().for_each(|strength| *strength -= mean);

        let freedom = differences.len() as f64 - (bots as f64 - 1.0);
        let squares: f64 =
            differences.iter().map(|d| (d.points - strengths[d.a] + strengths[d.b]).powi(2)).sum();
        let error_variance = (freedom > 0.0).then(|| squares / freedom);
        Self { strengths, covariance: centred(bots, inverse), error_variance, freedom }
    }

    /// Strengths in points, one a bot; their mean is zero.
    #[must_use]
    pub fn strengths(&self) -> &[f64] {
        &self.strengths
    }

    /// Standard deviation of one observation around the strengths' difference; `None` for too few observations.
    #[must_use]
    pub fn error_deviation(&self) -> Option<f64> {
        self.error_variance.map(f64::sqrt)
    }

    /// The interval that holds the strength of `bot`, relative to the mean of all bots, with probability `confidence` (0 to 1).
    ///
    /// `None` for too few observations. Wide beyond use for a bot that is not connected to the others by games.
    ///
    /// # Panics
    /// If there is no such bot or `confidence` is not between 0 and 1.
    #[must_use]
    pub fn interval(&self, bot: usize, confidence: f64) -> Option<Interval> {
        assert!(confidence > 0.0 && confidence < 1.0, "a confidence is between 0 and 1");
        let bots = self.strengths.len();
        let error = (self.covariance[bot * bots + bot].max(0.0) * self.error_variance?).sqrt();
        let student = StudentsT::new(0.0, 1.0, self.freedom).ok()?;
        let reach = student.inverse_cdf(0.5 + confidence / 2.0) * error;
        Some(Interval { low: self.strengths[bot] - reach, high: self.strengths[bot] + reach })
    }

    /// Standard error of the difference of the strengths of `a` and `b`, in points; `None` for too few observations.
    ///
    /// # Panics
    /// If there is no such bot.
    #[must_use]
    pub fn difference_error(&self, a: usize, b: usize) -> Option<f64> {
        let bots = self.strengths.len();
        let at = |row: usize, column: usize| self.covariance[row * bots + column];
        Some(((at(a, a) + at(b, b) - 2.0 * at(a, b)).max(0.0) * self.error_variance?).sqrt())
    }

    /// Probability, from the normal distribution, that `a` is truly stronger than `b`; `None` for too few observations.
    ///
    /// # Panics
    /// If there is no such bot.
    #[must_use]
    pub fn ahead(&self, a: usize, b: usize) -> Option<f64> {
        let error = self.difference_error(a, b)?;
        let difference = self.strengths[a] - self.strengths[b];
        if error == 0.0 {
            return Some(if difference > 0.0 {
                1.0
            } else if difference < 0.0 {
                0.0
            } else {
                0.5
            });
        }
        Normal::standard().cdf(difference / error).into()
    }
}

/// The covariance of strengths whose mean has been taken away: rows and columns with mean zero.
fn centred(size: usize, mut matrix: Vec<f64>) -> Vec<f64> {
    for row in matrix.chunks_mut(size.max(1)) {
        let mean = row.iter().sum::<f64>() / size as f64;
        row.iter_mut().for_each(|value| *value -= mean);
    }
    for column in 0..size {
        let mean = (0..size).map(|row| matrix[row * size + column]).sum::<f64>() / size as f64;
        (0..size).for_each(|row| matrix[row * size + column] -= mean);
    }
    matrix
}

/// Inverse of a symmetric positive definite matrix, by its Cholesky factor.
fn invert(size: usize, mut lower: Vec<f64>) -> Vec<f64> {
    for row in 0..size {
        for column in 0..=row {
            let dot: f64 = (0..column).map(|k| lower[row * size + k] * lower[column * size + k]).sum();
            let rest = lower[row * size + column] - dot;
            lower[row * size + column] =
                if row == column { rest.sqrt() } else { rest / lower[column * size + column] };
        }
    }
    let mut inverse = vec![0.0; size * size];
    let mut solution = vec![0.0; size];
    for unit in 0..size {
        for row in 0..size {
            let dot: f64 = (0..row).map(|k| lower[row * size + k] * solution[k]).sum();
            solution[row] = (if row == unit { 1.0 } else { 0.0 } - dot) / lower[row * size + row];
        }
        for row in (0..size).rev() {
            let dot: f64 = (row + 1..size).map(|k| lower[k * size + row] * solution[k]).sum();
            solution[row] = (solution[row] - dot) / lower[row * size + row];
        }
        (0..size).for_each(|row| inverse[row * size + unit] = solution[row]);
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::Rng;

    /// A sum of twelve uniform numbers: near enough to a normal error.
    fn error(rng: &mut Rng) -> f64 {
        (0..12).map(|_| f64::from(rng.below(1 << 20)) / f64::from(1 << 20)).sum::<f64>() - 6.0
    }

    fn league(truth: &[f64], each: usize, rng: &mut Rng) -> Vec<Difference> {
        let mut games = Vec::new();
        for a in 0..truth.len() {
            for b in 0..a {
                for _ in 0..each {
                    games.push(Difference { a, b, points: truth[a] - truth[b] + 10.0 * error(rng) });
                }
            }
        }
        games
    }

    #[test]
    fn a_round_robin_gives_mean_differences_in_any_order() {
        let mut rng = Rng::new(1);
        let mut games = league(&[5.0, 1.0, 0.0, -6.0], 7, &mut rng);
        let fit = Regression::fit(4, &games);
        for bot in 0..4 {
            // Known in closed form for a full round robin: the sum of a bot's differences over all bots times games a pair.
            let sum: f64 = games
                .iter()
                .map(|d| {
                    if d.a == bot {
                        d.points
                    } else if d.b == bot {
                        -d.points
                    } else {
                        0.0
                    }
                })
                .sum();
            assert!((fit.strengths()[bot] - sum / 28.0).abs() < 1e-5);
        }
        games.reverse();
        let again = Regression::fit(4, &games);
        assert!((0..4).all(|bot| (fit.strengths()[bot] - again.strengths()[bot]).abs() < 1e-9));
        assert!(fit.ahead(0, 3).unwrap() > 0.95 && fit.ahead(3, 0).unwrap() < 0.05);
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let truth = [4.0, 2.0, 0.0, -1.0, -5.0];
        let mut rng = Rng::new(2);
        let mut held = 0;
        for _ in 0..2000 {
            let fit = Regression::fit(5, &league(&truth, 4, &mut rng));
            held += (0..5)
                .filter(|&bot| {
                    let Interval { low, high } = fit.interval(bot, 0.95).unwrap();
                    low <= truth[bot] && truth[bot] <= high
                })
                .count();
        }
        let share = held as f64 / 10_000.0;
        assert!((0.93..0.97).contains(&share), "{share}");
    }

    #[test]
    fn too_few_games_give_no_interval() {
        let fit = Regression::fit(2, &[Difference { a: 0, b: 1, points: 3.0 }]);
        assert!(fit.interval(0, 0.95).is_none() && fit.ahead(0, 1).is_none());
        assert!(Regression::fit(0, &[]).strengths().is_empty());
    }
}
