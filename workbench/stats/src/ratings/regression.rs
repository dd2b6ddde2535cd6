//! Strengths of many bots from differences in points, by least squares.
//!
//! The model of an observation is `difference = strength of A - strength of B + error`, and all errors have the same
//! variance. Points are used as they are, so a large win counts more than a narrow win, as in contests that add up
//! points. Strengths are computed from all observations at once, so their order does not matter except for rounding.

use super::linear::fit;
use super::{RatedGame, Strengths};
use serde::{Deserialize, Serialize};

/// An observation: points of bot `a` minus points of bot `b`. It comes from one game, or is the mean of a pair of games
/// with the same seed.
///
/// Pairs are better observations than games, because the two games of a pair depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairDifference {
    /// Index of the first bot.
    pub a: usize,
    /// Index of the second bot.
    pub b: usize,
    /// Points of `a` minus points of `b`, which must be finite.
    pub points: f64,
}

/// Strengths in points.
#[derive(Clone, Debug)]
pub struct Regression {
    /// The strengths.
    pub strengths: Strengths,
    /// Standard deviation of the observed differences from the differences between the strengths; `None` if there are
    /// too few observations.
    pub error_deviation: Option<f64>,
}

impl Regression {
    /// Fits the strengths of `bots` bots, numbered from 0.
    ///
    /// # Panics
    /// Panics if a difference contains a bot that does not exist or the same bot twice, or is not finite.
    #[must_use]
    pub fn fit(bots: usize, differences: &[PairDifference]) -> Self {
        let observations: Vec<_> = differences
            .iter()
            .map(|&PairDifference { a, b, points }| {
                assert!(a < bots && b < bots && a != b, "both bots of a difference must be among the bots");
                assert!(points.is_finite(), "a difference must be a finite number");
                ([(a, 1.0), (b, -1.0)], points)
            })
            .collect();
        let fit = fit(bots, std::slice::from_ref(&(0..bots)), &observations);
        let strengths =
            Strengths::new(fit.coefficients, scaled(fit.covariance, fit.error_variance), fit.freedom);
        Regression { strengths, error_deviation: fit.error_variance.map(f64::sqrt) }
    }

    /// Returns how many more pairs between `a` and `b` are needed until the interval of their difference excludes 0, if
    /// the strengths are as estimated. Returns 0 if the interval already excludes 0, and `None` if there are too few
    /// observations or the strengths are equal.
    ///
    /// # Panics
    /// Panics if a bot does not exist, or if `confidence` is not strictly between 0 and 1.
    #[must_use]
    pub fn pairs_needed(&self, a: usize, b: usize, confidence: f64) -> Option<u64> {
        let difference = self.strengths.values()[a] - self.strengths.values()[b];
        let error = self.strengths.difference_error(a, b)?;
        if difference == 0.0 {
            return None;
        }
        let quantile = crate::normal_quantile(confidence);
        // Precisions add up: the current precision, plus the precision of each further pair.
        let wanted = (quantile / difference).powi(2) - 1.0 / (error * error);
        Some((wanted * self.error_deviation?.powi(2)).max(0.0).ceil() as u64)
    }
}

/// Strengths in points, separately for each seat, for games in which the seats have different roles.
///
/// The model of a game is `points of seat 0 - points of seat 1 = advantage of seat 0 + strength of one bot in seat 0 -
/// strength of the other bot in seat 1 + error`. The games of a pair share their seed, but this model treats them as
/// independent, so the intervals are approximate.
#[derive(Clone, Debug)]
pub struct SeatRegression {
    /// The advantage of seat 0 if both bots are average in their seats.
    pub advantage: f64,
    /// Strengths by seat, each relative to the mean of all bots in this seat. A higher strength is better in both
    /// seats.
    pub strengths: [Strengths; 2],
    /// Standard deviation of the error of one game; `None` if there are too few games.
    pub error_deviation: Option<f64>,
}

impl SeatRegression {
    /// Fits the strengths of `bots` bots, numbered from 0.
    ///
    /// # Panics
    /// Panics if a game contains a bot that does not exist, or points that are not finite.
    #[must_use]
    pub fn fit(bots: usize, games: &[RatedGame]) -> Self {
        let observations: Vec<_> = games
            .iter()
            .map(|&RatedGame { players: [zero, one], points, .. }| {
                assert!(zero < bots && one < bots, "every player of a game must be one of the bots");
                let difference = points[0] - points[1];
                assert!(difference.is_finite(), "points must be finite numbers");
                ([(zero, 1.0), (bots + one, -1.0), (2 * bots, 1.0)], difference)
            })
            .collect();
        let size = 2 * bots + 1;
        let fit = fit(size, &[0..bots, bots..2 * bots], &observations);
        let strengths = [0, bots].map(|first| {
            let block = (first..first + bots).flat_map(|row| &fit.covariance[row * size + first..][..bots]);
            let covariance = scaled(block.copied().collect(), fit.error_variance);
            Strengths::new(fit.coefficients[first..first + bots].to_vec(), covariance, fit.freedom)
        });
        let error_deviation = fit.error_variance.map(f64::sqrt);
        SeatRegression { advantage: fit.coefficients[2 * bots], strengths, error_deviation }
    }
}

fn scaled(covariance: Vec<f64>, variance: Option<f64>) -> Option<Vec<f64>> {
    variance.map(|variance| covariance.into_iter().map(|value| value * variance).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;
    use crate::ratings::RatedGame;
    use crate::ratings::strengths::normal;
    use contender_game::rules::Rng;

    fn league(truth: &[f64], each: usize, rng: &mut Rng) -> Vec<PairDifference> {
        let mut games = Vec::new();
        for a in 0..truth.len() {
            for b in 0..a {
                for _ in 0..each {
                    games.push(PairDifference { a, b, points: truth[a] - truth[b] + 10.0 * normal(rng) });
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
            // For a full round robin there is a closed form: the sum of a bot's differences, divided by the number of
            // bots times the games per pair.
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
            assert!((fit.strengths.values()[bot] - sum / 28.0).abs() < 1e-5);
        }
        games.reverse();
        let again = Regression::fit(4, &games);
        assert!((0..4).all(|bot| (fit.strengths.values()[bot] - again.strengths.values()[bot]).abs() < 1e-9));
        assert!(fit.strengths.ahead(0, 3).unwrap() > 0.95 && fit.strengths.ahead(3, 0).unwrap() < 0.05);
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
                    let Interval { low, high } = fit.strengths.interval(bot, 0.95).unwrap();
                    low <= truth[bot] && truth[bot] <= high
                })
                .count();
        }
        let share = held as f64 / 10_000.0;
        assert!((0.93..0.97).contains(&share), "{share}");
    }

    #[test]
    fn too_few_games_give_no_interval() {
        let fit = Regression::fit(2, &[PairDifference { a: 0, b: 1, points: 3.0 }]);
        assert!(fit.strengths.interval(0, 0.95).is_none() && fit.strengths.ahead(0, 1).is_none());
        assert!(Regression::fit(0, &[]).strengths.values().is_empty());
    }

    /// Returns the inverse of a positive definite matrix, by Gauss-Jordan elimination.
    fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let size = matrix.len();
        for (row, numbers) in matrix.iter_mut().enumerate() {
            numbers.extend((0..size).map(|column| f64::from(u8::from(row == column))));
        }
        for pivot in 0..size {
            let scale = matrix[pivot][pivot];
            matrix[pivot].iter_mut().for_each(|number| *number /= scale);
            let line = matrix[pivot].clone();
            for row in (0..size).filter(|&row| row != pivot) {
                let factor = matrix[row][pivot];
                matrix[row].iter_mut().zip(&line).for_each(|(number, &other)| *number -= factor * other);
            }
        }
        matrix.into_iter().map(|numbers| numbers[size..].to_vec()).collect()
    }

    /// Compares the result with the normal equations, solved by elimination. A row of ones makes the solution sum to
    /// zero.
    #[test]
    fn equals_the_normal_equations() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let bots = 2 + rng.index(7);
            let truth: Vec<f64> = (0..bots).map(|_| 20.0 * normal(&mut rng)).collect();
            let mut games = league(&truth, 1, &mut rng);
            for _ in 0..rng.below(30) {
                let [a, b] = [rng.index(bots), rng.index(bots)];
                if a != b {
                    games.push(PairDifference {
                        a,
                        b,
                        points: truth[a] - truth[b] + 10.0 * normal(&mut rng),
                    });
                }
            }
            let mut equations = vec![vec![1.0 / bots as f64; bots]; bots];
            let mut sums = vec![0.0; bots];
            for &PairDifference { a, b, points } in &games {
                equations[a][a] += 1.0;
                equations[b][b] += 1.0;
                equations[a][b] -= 1.0;
                equations[b][a] -= 1.0;
                sums[a] += points;
                sums[b] -= points;
            }
            let inverse = inverse(equations);
            let expected: Vec<f64> = inverse
                .iter()
                .map(|row| row.iter().zip(&sums).map(|(number, sum)| number * sum).sum())
                .collect();
            let fit = Regression::fit(bots, &games);
            for (value, expected) in fit.strengths.values().iter().zip(&expected) {
                assert!((value - expected).abs() < 1e-9 * (1.0 + value.abs()), "{value} {expected}");
            }
            let residual: f64 =
                games.iter().map(|game| (game.points - expected[game.a] + expected[game.b]).powi(2)).sum();
            let freedom = games.len() as f64 - (bots as f64 - 1.0);
            if freedom > 0.0 {
                let deviation = fit.error_deviation.unwrap();
                assert!((deviation - (residual / freedom).sqrt()).abs() < 1e-9 * (1.0 + deviation));
                let error = fit.strengths.difference_error(0, 1).unwrap();
                let exact = deviation * (inverse[0][0] + inverse[1][1] - 2.0 * inverse[0][1]).sqrt();
                assert!((error - exact).abs() < 1e-7 * exact, "{error} {exact}");
            }
        }
    }

    #[test]
    fn seats_are_told_apart() {
        let truth = [[8.0, -2.0, -6.0], [-3.0, 5.0, -2.0]];
        let mut rng = Rng::new(4);
        let mut games = Vec::new();
        for round in 0..600 {
            for players in [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]] {
                let [zero, one] = players;
                let difference = 30.0 + truth[0][zero] - truth[1][one] + 10.0 * normal(&mut rng);
                games.push(RatedGame { players, points: [difference, 0.0], pair: Some(round) });
            }
        }
        let fit = SeatRegression::fit(3, &games);
        assert!((fit.advantage - 30.0).abs() < 1.0, "{fit:?}");
        for (strengths, truth) in fit.strengths.iter().zip(truth) {
            for (bot, truth) in truth.into_iter().enumerate() {
                let Interval { low, high } = strengths.interval(bot, 0.999).unwrap();
                assert!(low < truth && truth < high, "{bot} {fit:?}");
                assert!(high - low < 4.0);
            }
        }
    }

    #[test]
    fn pairs_needed_separate_the_bots() {
        let mut rng = Rng::new(5);
        let fit = Regression::fit(2, &league(&[1.0, 0.0], 30, &mut rng));
        let needed = fit.pairs_needed(0, 1, 0.95).unwrap();
        // With a standard deviation of 10, 1.96 standard errors are equal to the difference after (19.6 / difference)^2
        // pairs.
        let difference = fit.strengths.values()[0] - fit.strengths.values()[1];
        let expected = (1.96 * fit.error_deviation.unwrap() / difference).powi(2) - 30.0;
        assert!(
            (needed as f64 - expected.max(0.0)).abs() < 0.02 * expected.abs() + 2.0,
            "{needed} {expected}"
        );
        let decided = Regression::fit(2, &league(&[100.0, 0.0], 30, &mut rng));
        assert_eq!(decided.pairs_needed(0, 1, 0.95), Some(0));
    }
}
