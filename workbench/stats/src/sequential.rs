//! Sequential tests. They continue until the results decide between two hypotheses.
//!
//! This is Wald's sequential probability ratio test (1945) in its generalised form: the hypotheses do not say how much
//! the results vary, so the test uses the variance that fits the data best. Developers of chess engines use this test.
//! M. Van den Bergh explains why pairs must be counted instead of games, in *Comments on normalized Elo* and *The GSPRT
//! approximation* (2020).

use crate::{Interval, Pentanomial, StatsError, Summary, score_of_elo};
use serde::Serialize;

/// Minimum number of pairs for a decision. With fewer pairs the variance is not known well enough, especially if large
/// wins are rare.
pub const MIN_PAIRS: u64 = 40;

/// A test between two hypotheses about the advantage of A over B: `h0` or `h1`.
///
/// A's true advantage is usually equal to neither hypothesis. If the advantage is at most `h0`, the test accepts `h1`
/// with a probability of at most about `alpha`. If the advantage is at least `h1`, the test accepts `h0` with a
/// probability of at most about `beta`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SequentialTest {
    h0: f64,
    h1: f64,
    alpha: f64,
    beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// More pairs are needed.
    PlayOn,
    /// The test accepts `h0`, because the results fit `h0` better than `h1`.
    AcceptH0,
    /// The test accepts `h1`, because the results fit `h1` better than `h0`.
    AcceptH1,
}

impl SequentialTest {
    /// The default probability of each of the two wrong decisions.
    pub const ERROR_PROBABILITY: f64 = 0.05;

    /// Creates a test of `h0` against `h1`, which are both in points per game or both in Elo. `alpha` and `beta` are
    /// the probabilities of accepting the wrong hypothesis.
    ///
    /// # Errors
    /// Returns an error if the hypotheses are not between -1,000,000 and 1,000,000 and in ascending order, or if a
    /// probability is not strictly between 0 and 0.5.
    pub fn new(h0: f64, h1: f64, alpha: f64, beta: f64) -> Result<SequentialTest, StatsError> {
        if !(h0.is_finite() && h1.is_finite() && h0 < h1) {
            return Err(StatsError::HypothesesNotAscending(h0, h1));
        }
        /// Limit of the hypotheses in Elo or points. Beyond this limit, calculations overflow. Real differences are
        /// much smaller.
        const MAX_ELO: f64 = 1e6;
        if h0 < -MAX_ELO || h1 > MAX_ELO {
            return Err(StatsError::HypothesesTooLarge(h0, h1));
        }
        for probability in [alpha, beta] {
            if !(probability > 0.0 && probability < 0.5) {
                return Err(StatsError::ErrorProbability(probability));
            }
        }
        Ok(SequentialTest { h0, h1, alpha, beta })
    }

    /// Returns the two hypotheses.
    #[must_use]
    pub fn hypotheses(&self) -> [f64; 2] {
        [self.h0, self.h1]
    }

    /// Returns the probabilities `alpha` and `beta` of accepting the wrong hypothesis.
    #[must_use]
    pub fn error_probabilities(&self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// Returns the log-likelihood ratios at which `h0` and `h1` are accepted.
    #[must_use]
    pub fn bounds(&self) -> Interval {
        Interval { low: (self.beta / (1.0 - self.alpha)).ln(), high: ((1.0 - self.beta) / self.alpha).ln() }
    }

    /// Returns the decision at this log-likelihood ratio after `pairs` pairs.
    #[must_use]
    pub fn decide(&self, ratio: f64, pairs: u64) -> Decision {
        let bounds = self.bounds();
        if pairs < MIN_PAIRS {
            Decision::PlayOn
        } else if ratio >= bounds.high {
            Decision::AcceptH1
        } else if ratio <= bounds.low {
            Decision::AcceptH0
        } else {
            Decision::PlayOn
        }
    }

    /// Returns the log-likelihood ratio of `h1` and `h0`, which are mean pair differences in points. The differences of
    /// pairs are assumed to be normally distributed. For each hypothesis, the variance is the value that makes the
    /// results most likely. Returns 0 for fewer than two pairs, or if all pairs are equal.
    #[must_use]
    pub fn ratio_of_points(&self, differences: &Summary) -> f64 {
        let (Some(mean), Some(variance)) = (differences.mean(), differences.variance()) else { return 0.0 };
        if variance <= 0.0 {
            return 0.0;
        }
        let n = differences.count() as f64;
        // The likelihood of n normal values with mean m is greatest for the variance s2 + (mean - m)^2, if s2 has the
        // divisor n.
        let spread = |hypothesis: f64| variance * (n - 1.0) / n + (mean - hypothesis).powi(2);
        n / 2.0 * (spread(self.h0) / spread(self.h1)).ln()
    }

    /// Returns the log-likelihood ratio of `h1` and `h0`, which are advantages in Elo, for these results of pairs. Each
    /// hypothesis fixes the mean score. The probabilities of the five results are the values with this mean that make
    /// the results most likely. Returns 0 if there are no pairs.
    #[must_use]
    pub fn ratio_of_elo(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        // A result that has not occurred yet is still possible.
        let counts = pairs.counts.map(|count| (count as f64).max(1e-3));
        let [p0, p1] = [self.h0, self.h1].map(|elo| most_likely(&counts, score_of_elo(elo)));
        (0..5).map(|result| counts[result] * (p1[result] / p0[result]).ln()).sum()
    }
}

/// Returns the probabilities of the five results that have the given mean score and make the counts most likely. The
/// counts must be positive, and the mean score must be strictly between 0 and 1.
///
/// With a Lagrange multiplier `t` for the mean, p = share / (1 + t (score of the result - mean)). The right `t` makes
/// the probabilities add up to 1 and gives the right mean.
pub(crate) fn most_likely(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let apart = [0, 1, 2, 3, 4].map(|half_points| f64::from(half_points) / 4.0 - mean);
    let probabilities = |t: f64| -> [f64; 5] {
        std::array::from_fn(|result| counts[result] / total / (1.0 + t * apart[result]))
    };
    // All denominators are positive between these bounds. Over this range the mean falls from above the wanted mean to
    // below it.
    let (mut low, mut high) = (-1.0 / apart[4], -1.0 / apart[0]);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        let excess: f64 = probabilities(middle).iter().zip(apart).map(|(p, apart)| p * apart).sum();
        if excess > 0.0 { low = middle } else { high = middle }
    }
    probabilities((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;
    use proptest::prelude::*;

    proptest! {
        /// The probabilities have the right mean, and no small step that keeps the mean makes the counts more likely.
        #[test]
        fn most_likely_is(counts in prop::array::uniform5(0.001..100.0f64), mean in 0.05..0.95f64, steps in prop::array::uniform5(-1.0..1.0f64)) {
            let p = most_likely(&counts, mean);
            let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{p:?}");
            prop_assert!((p.iter().zip(scores).map(|(p, score)| p * score).sum::<f64>() - mean).abs() < 1e-6, "{p:?}");
            // The part of the step that changes neither the sum nor the mean.
            let mut step = steps;
            for direction in [[1.0; 5], [-2.0, -1.0, 0.0, 1.0, 2.0]] {
                let along: f64 = step.iter().zip(direction).map(|(s, d): (&f64, f64)| s * d).sum();
                let length: f64 = direction.iter().map(|d: &f64| d * d).sum();
                step.iter_mut().zip(direction).for_each(|(s, d)| *s -= along / length * d);
            }
            let smallest = p.iter().copied().fold(f64::INFINITY, f64::min);
            let likelihood = |p: &[f64; 5]| counts.iter().zip(p).map(|(count, p)| count * p.ln()).sum::<f64>();
            for size in [0.5, 0.05, -0.05, -0.5] {
                let moved: [f64; 5] = std::array::from_fn(|i| p[i] + size * smallest * step[i]);
                if moved.iter().all(|&p| p > 0.0) {
                    prop_assert!(likelihood(&moved) <= likelihood(&p) + 1e-6, "{p:?} {moved:?}");
                }
            }
        }

        /// Compares the closed form with a search for the best variance.
        #[test]
        fn ratio_of_points_is_the_likelihoods(values in prop::collection::vec(-20.0..20.0f64, 3..30), h0 in -3.0..0.0f64, h1 in 0.1..5.0f64) {
            let test = SequentialTest::new(h0, h1, 0.05, 0.05).unwrap();
            let best = |mean: f64| {
                let likelihood = |variance: f64| -> f64 {
                    values.iter().map(|x| -(x - mean).powi(2) / (2.0 * variance) - variance.ln() / 2.0).sum()
                };
                // A fine grid on a logarithmic scale.
                (-4000..8000).map(|step| likelihood((f64::from(step) / 1000.0).exp())).fold(f64::NEG_INFINITY, f64::max)
            };
            let summary: Summary = values.iter().copied().collect();
            prop_assume!(summary.variance().unwrap() > 0.1);
            prop_assert!((test.ratio_of_points(&summary) - (best(h1) - best(h0))).abs() < 1e-3);
        }
    }

    #[test]
    fn bounds_and_decisions() {
        let test = SequentialTest::new(0.0, 5.0, 0.05, 0.05).unwrap();
        let bounds = test.bounds();
        // The bounds that engine authors are used to.
        assert!((bounds.high - 2.944).abs() < 1e-3 && (bounds.low + 2.944).abs() < 1e-3, "{bounds:?}");
        let decide = |ratio| test.decide(ratio, 100);
        assert_eq!(
            [decide(3.0), decide(0.0), decide(-3.0)],
            [Decision::AcceptH1, Decision::PlayOn, Decision::AcceptH0]
        );
        assert_eq!(test.decide(9.0, MIN_PAIRS - 1), Decision::PlayOn);
        assert_eq!(test.hypotheses(), [0.0, 5.0]);
    }

    #[test]
    fn senseless_tests_are_refused() {
        for [h0, h1, alpha, beta] in [
            [5.0, 0.0, 0.05, 0.05],
            [0.0, 0.0, 0.05, 0.05],
            [0.0, f64::NAN, 0.05, 0.05],
            [0.0, 5.0, 0.0, 0.05],
            [0.0, 5.0, 0.05, 0.5],
        ] {
            assert!(SequentialTest::new(h0, h1, alpha, beta).is_err());
        }
    }

    #[test]
    fn nothing_played_says_nothing() {
        let test = SequentialTest::new(0.0, 5.0, 0.05, 0.05).unwrap();
        assert_eq!(test.ratio_of_elo(&Pentanomial::default()), 0.0);
        assert_eq!(test.ratio_of_points(&Summary::default()), 0.0);
        assert_eq!(test.ratio_of_points(&[3.0; 4].into_iter().collect()), 0.0);
    }

    /// Returns the share of tests that accept `h1` and the mean number of pairs; `play` runs one test.
    fn accepted(rounds: u32, mut play: impl FnMut() -> (Decision, u64)) -> (f64, f64) {
        let (mut accepted, mut pairs) = (0, 0);
        for _ in 0..rounds {
            let (decision, played) = play();
            accepted += u32::from(decision == Decision::AcceptH1);
            pairs += played;
        }
        (f64::from(accepted) / f64::from(rounds), pairs as f64 / f64::from(rounds))
    }

    /// Plays pairs with points from two dice on each side and a rare large win, so the differences are not normally
    /// distributed.
    fn play_points(test: &SequentialTest, advantage: f64, rng: &mut Rng) -> (Decision, u64) {
        let mut differences = Summary::default();
        loop {
            let dice: i32 = (0..4).map(|die| (rng.below(6) as i32) * if die % 2 == 0 { 1 } else { -1 }).sum();
            // A tail with probability 1/20 and mean 0.
            let tail = if rng.below(20) == 0 { 19.0 } else { -1.0 };
            differences.push(f64::from(dice) + tail * 0.5 + advantage);
            let decision = test.decide(test.ratio_of_points(&differences), differences.count());
            if decision != Decision::PlayOn {
                return (decision, differences.count());
            }
        }
    }

    #[test]
    fn error_rates_of_points() {
        let test = SequentialTest::new(0.0, 1.0, 0.05, 0.10).unwrap();
        let mut rng = Rng::new(5);
        let (wrong, _) = accepted(4_000, || play_points(&test, 0.0, &mut rng));
        let (right, pairs) = accepted(4_000, || play_points(&test, 1.0, &mut rng));
        assert!(wrong < 0.06, "{wrong}");
        assert!(right > 0.89, "{right}");

        // A test of fixed length with these errors takes (1.645 + 1.282)^2 = 8.6 variances. The variance here is 16.4 +
        // 4.75.
        assert!(pairs < 8.6 * 21.2, "{pairs}");
        let (far, quick) = accepted(1_000, || play_points(&test, 2.0, &mut rng));
        assert!(far > 0.99 && quick < pairs, "{far} {quick}");
    }

    fn play_pairs(test: &SequentialTest, chances: &[f64; 5], rng: &mut Rng) -> (Decision, u64) {
        let mut pairs = Pentanomial::default();
        loop {
            let mut place = rng.unit();
            let result = chances.iter().position(|&chance| {
                place -= chance;
                place < 0.0
            });
            pairs.counts[result.unwrap_or(4)] += 1;
            let decision = test.decide(test.ratio_of_elo(&pairs), pairs.pairs());
            if decision != Decision::PlayOn {
                return (decision, pairs.pairs());
            }
        }
    }

    #[test]
    fn error_rates_of_elo() {
        let test = SequentialTest::new(0.0, 40.0, 0.05, 0.05).unwrap();
        let even = [0.05, 0.2, 0.5, 0.2, 0.05];
        let better = most_likely(&even, score_of_elo(40.0));
        let mut rng = Rng::new(6);
        let (wrong, _) = accepted(2_000, || play_pairs(&test, &even, &mut rng));
        let (right, pairs) = accepted(2_000, || play_pairs(&test, &better, &mut rng));
        assert!(wrong < 0.06, "{wrong}");
        assert!(right > 0.94, "{right}");

        assert!(pairs < 150.0, "{pairs}");
    }
}
