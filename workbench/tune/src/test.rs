//! The final test, which shows whether the tuned values are better than the start values.

use crate::Unit;
use contender_stats::{Decision, Interval, MIN_PAIRS, Pentanomial, SequentialTest, StatsError, Summary};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestResult {
    /// The tuned values are better.
    Better,
    /// The tuned values are worse.
    Worse,
    /// Neither is shown: the difference is too small, or the maximum number of games was reached.
    NotShown,
}

/// The state of two sequential tests on the same pairs. One looks for a gain, and the other for a loss of the same size
/// (Sobel and Wald, *A sequential decision procedure for choosing one of three hypotheses*, 1949). The verdict is
/// *better* or *worse* as soon as one of the tests accepts, and *not shown* as soon as both have rejected.
#[derive(Clone, Debug)]
pub struct TestState {
    unit: Unit,
    test: SequentialTest,
    most: u64,
    /// The differences between the tuned and the start values, and the negated differences.
    differences: [Summary; 2],
    results: Pentanomial,
    /// The fingerprints of all distinct pairs, which are stored while the verdict may depend on them.
    games: HashSet<u64>,
    has_given_up: [bool; 2],
    verdict: Option<TestResult>,
    /// Number of pairs in which the bot failed: with the tuned values, and with the start values.
    pub failures: [u64; 2],
}

impl TestState {
    /// Creates a test without pairs. It compares a gain of 0 with a gain of `better`, in at most `most` pairs.
    ///
    /// # Errors
    /// Returns an error if the gain is invalid.
    pub fn new(unit: Unit, better: f64, most: u64) -> Result<TestState, StatsError> {
        let test = SequentialTest::new(
            0.0,
            better,
            SequentialTest::ERROR_PROBABILITY,
            SequentialTest::ERROR_PROBABILITY,
        )?;
        Ok(TestState {
            unit,
            test,
            most: most.max(MIN_PAIRS),
            differences: [Summary::default(); 2],
            results: Pentanomial::default(),
            games: HashSet::new(),
            has_given_up: [false; 2],
            verdict: None,
            failures: [0; 2],
        })
    }

    /// Returns three times the number of pairs of a fixed-length test with the same error probabilities.
    #[must_use]
    pub fn usual_most(noise: f64, better: f64) -> u64 {
        let quantiles = 2.0 * contender_stats::normal_quantile(1.0 - 2.0 * SequentialTest::ERROR_PROBABILITY);
        (3.0 * (quantiles * noise / better).powi(2)).clamp(MIN_PAIRS as f64, 1e9) as u64
    }

    /// Adds a pair from the log: A's advantage, the fingerprint of its games, and which bots failed. Ignores pairs
    /// after the verdict.
    pub fn take(&mut self, raw: f64, games: Option<u64>, failed: [bool; 2]) {
        if self.verdict.is_some() {
            return;
        }
        self.differences[0].push(raw);
        self.differences[1].push(-raw);
        if self.unit == Unit::Elo {
            self.results.counts[((raw + 0.5) * 4.0).round().clamp(0.0, 4.0) as usize] += 1;
        }
        failed.iter().zip(&mut self.failures).for_each(|(failed, count)| *count += u64::from(*failed));
        let pairs = self.pairs();
        if pairs <= MIN_PAIRS {
            self.games.extend(games);
        }
        if pairs < MIN_PAIRS {
            return;
        }
        if pairs == MIN_PAIRS && self.differences[0].variance() == Some(0.0) {
            self.verdict = Some(self.sweep());
            return;
        }
        for side in 0..2 {
            match self.test.decide(self.ratio(side), pairs) {
                Decision::AcceptH1 => self.verdict = Some([TestResult::Better, TestResult::Worse][side]),
                Decision::AcceptH0 => self.has_given_up[side] = true,
                Decision::PlayOn => {}
            }
        }
        if self.verdict.is_none() && (self.has_given_up == [true; 2] || pairs >= self.most) {
            self.verdict = Some(TestResult::NotShown);
        }
    }

    /// Returns the verdict if all pairs ended with the same result. Likelihood ratios cannot be computed then, because
    /// there is no variation. The verdict comes from the sign test: if the values were equally good, all pairs would
    /// have a given sign with a probability of only one in 2^pairs. Repeated pairs count once.
    fn sweep(&self) -> TestResult {
        let mean = self.differences[0].mean().unwrap_or(0.0);
        if 0.5_f64.powi(self.games.len() as i32) > SequentialTest::ERROR_PROBABILITY || mean == 0.0 {
            TestResult::NotShown
        } else if mean > 0.0 {
            TestResult::Better
        } else {
            TestResult::Worse
        }
    }

    fn ratio(&self, side: usize) -> f64 {
        match self.unit {
            Unit::Points => self.test.ratio_of_points(&self.differences[side]),
            Unit::Elo => {
                let mut results = self.results;
                if side == 1 {
                    results.counts.reverse();
                }
                self.test.ratio_of_elo(&results)
            }
        }
    }

    /// Returns the number of pairs that the test includes.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.differences[0].count()
    }

    /// Returns the maximum number of pairs.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Returns the verdict, or `None` while the test continues.
    #[must_use]
    pub fn verdict(&self) -> Option<TestResult> {
        self.verdict
    }

    /// Returns the gain that the test looks for.
    #[must_use]
    pub fn better(&self) -> f64 {
        self.test.hypotheses()[1]
    }

    /// Returns the advantage of the tuned values and its 95% interval. The interval is computed as if the test's length
    /// had been fixed in advance.
    #[must_use]
    pub fn advantage(&self) -> Option<(f64, Option<Interval>)> {
        match self.unit {
            Unit::Points => Some((self.differences[0].mean()?, self.differences[0].interval(0.95))),
            Unit::Elo => self.results.elo(0.95).map(|elo| (elo.elo, elo.interval)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;
    use contender_stats::normal;

    /// Without a difference, with the requested gain, and with a loss of the same size, about one verdict in twenty is
    /// wrong.
    #[test]
    fn verdicts_are_rarely_wrong() {
        let mut rng = Rng::new(1);
        for (truth, right) in
            [(0.0, TestResult::NotShown), (20.0, TestResult::Better), (-20.0, TestResult::Worse)]
        {
            let rounds = 400;
            let wrong = (0..rounds)
                .filter(|_| {
                    let mut test = TestState::new(Unit::Points, 20.0, 100_000).unwrap();
                    while test.verdict().is_none() {
                        test.take(truth + 80.0 * normal(&mut rng), None, [false; 2]);
                    }
                    test.verdict() != Some(right)
                })
                .count();
            // Without a difference, the test can err on both sides.
            let most = if truth == 0.0 { 0.13 } else { 0.08 };
            assert!((wrong as f64) < most * f64::from(rounds), "{truth}: {wrong} of {rounds}");
        }
    }

    /// 80 wins without a loss are better in any unit, unless they are repetitions of a few games.
    #[test]
    fn a_sweep_is_shown_if_its_games_differ() {
        for (raw, different, verdict) in [
            (0.5, MIN_PAIRS, TestResult::Better),
            (-0.25, MIN_PAIRS, TestResult::Worse),
            (0.0, MIN_PAIRS, TestResult::NotShown),
            (0.5, 3, TestResult::NotShown),
            (0.5, 0, TestResult::NotShown),
        ] {
            for unit in [Unit::Elo, Unit::Points] {
                let mut test = TestState::new(unit, 5.0, 10_000).unwrap();
                (0..MIN_PAIRS)
                    .for_each(|pair| test.take(raw, (different > 0).then(|| pair % different), [false; 2]));
                assert_eq!((test.verdict(), test.pairs()), (Some(verdict), MIN_PAIRS), "{raw} {different}");
            }
        }
    }

    /// If the results of the distinct pairs are random, a series of equal results rarely leads to a wrong verdict.
    #[test]
    fn sweeps_by_luck_are_rarely_taken_for_better() {
        let mut rng = Rng::new(2);
        for different in [1, 3, 4, 5, 6, 8, 12] {
            let rounds = 4_000;
            let better = (0..rounds)
                .filter(|_| {
                    let results: Vec<f64> =
                        (0..different).map(|_| if rng.below(2) == 0 { 0.5 } else { -0.5 }).collect();
                    // Only series with equal results matter here; the sequential test decides the others.
                    if results.iter().any(|&result| result != results[0]) {
                        return false;
                    }
                    let mut test = TestState::new(Unit::Elo, 5.0, 10_000).unwrap();
                    for pair in 0..MIN_PAIRS {
                        let game = pair % different;
                        test.take(results[game as usize], Some(game), [false; 2]);
                    }
                    test.verdict() == Some(TestResult::Better)
                })
                .count();
            assert!(
                (better as f64) < SequentialTest::ERROR_PROBABILITY * f64::from(rounds),
                "{different}: {better} of {rounds}"
            );
        }
    }
}
