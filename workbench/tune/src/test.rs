//! The test at the end: are the tuned values better than those of the start?

use crate::Unit;
use contender_stats::{Decision, Interval, MIN_PAIRS, Pentanomial, SequentialTest, StatsError, Summary};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The tuned values are better.
    Better,
    /// They are worse.
    Worse,
    /// Neither is shown: what there is of a gain is smaller than what was asked for, or the games ran out.
    NotShown,
}

/// Two sequential tests at once on the same pairs, of a gain and of a loss of the same size (Sobel and Wald, *A
/// sequential decision procedure for choosing one of three hypotheses*, 1949): better or worse once one of them
/// accepts, neither once both have given it up.
#[derive(Clone, Debug)]
pub struct TestState {
    unit: Unit,
    test: SequentialTest,
    most: u64,
    /// The differences of the tuned values minus the start's, and the other way round.
    differences: [Summary; 2],
    results: Pentanomial,
    /// The fingerprints of all pairs that can be told apart, as long as they may matter.
    games: HashSet<u64>,
    has_given_up: [bool; 2],
    verdict: Option<Verdict>,
    /// Pairs in which a bot failed: tuned, start.
    pub failures: [u64; 2],
}

impl TestState {
    /// Before the first pair: tests 0 against `better`, with `most` pairs at most.
    ///
    /// # Errors
    /// An invalid gain.
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

    /// Three times the pairs of a test of fixed length with the same errors.
    #[must_use]
    pub fn usual_most(noise: f64, better: f64) -> u64 {
        let quantiles = 2.0 * contender_stats::normal_quantile(1.0 - 2.0 * SequentialTest::ERROR_PROBABILITY);
        (3.0 * (quantiles * noise / better).powi(2)).clamp(MIN_PAIRS as f64, 1e9) as u64
    }

    /// Takes a pair, as it is in the log: A's advantage, what tells its games from others, and who failed. After the
    /// verdict nothing counts any more.
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
                Decision::AcceptH1 => self.verdict = Some([Verdict::Better, Verdict::Worse][side]),
                Decision::AcceptH0 => self.has_given_up[side] = true,
                Decision::PlayOn => {}
            }
        }
        if self.verdict.is_none() && (self.has_given_up == [true; 2] || pairs >= self.most) {
            self.verdict = Some(Verdict::NotShown);
        }
    }

    /// Returns the verdict of pairs that all ended the same, whose spread tells the ratios nothing. It is the sign
    /// test: without a difference each is won as likely as lost, so all go one way with a probability of one in
    /// 2^pairs. Repeated pairs count once.
    fn sweep(&self) -> Verdict {
        let mean = self.differences[0].mean().unwrap_or(0.0);
        if 0.5_f64.powi(self.games.len() as i32) > SequentialTest::ERROR_PROBABILITY || mean == 0.0 {
            Verdict::NotShown
        } else if mean > 0.0 {
            Verdict::Better
        } else {
            Verdict::Worse
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

    /// Pairs that count.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.differences[0].count()
    }

    /// Returns the most pairs.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Returns the verdict; `None` while the test continues.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// Returns the gain that it looks for.
    #[must_use]
    pub fn better(&self) -> f64 {
        self.test.hypotheses()[1]
    }

    /// Returns the tuned values' advantage, with the 95% interval of a test of this length that had been fixed.
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

    /// At no difference, at the gain and at the loss that it looks for, about one in twenty is wrong.
    #[test]
    fn verdicts_are_rarely_wrong() {
        let mut rng = Rng::new(1);
        for (truth, right) in [(0.0, Verdict::NotShown), (20.0, Verdict::Better), (-20.0, Verdict::Worse)] {
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
            // Without a difference it may err to both sides.
            let most = if truth == 0.0 { 0.13 } else { 0.08 };
            assert!((wrong as f64) < most * f64::from(rounds), "{truth}: {wrong} of {rounds}");
        }
    }

    /// 80 games to 0 are better, whatever the unit, unless they are a few games again and again.
    #[test]
    fn a_sweep_is_shown_if_its_games_differ() {
        for (raw, different, verdict) in [
            (0.5, MIN_PAIRS, Verdict::Better),
            (-0.25, MIN_PAIRS, Verdict::Worse),
            (0.0, MIN_PAIRS, Verdict::NotShown),
            (0.5, 3, Verdict::NotShown),
            (0.5, 0, Verdict::NotShown),
        ] {
            for unit in [Unit::Elo, Unit::Points] {
                let mut test = TestState::new(unit, 5.0, 10_000).unwrap();
                (0..MIN_PAIRS)
                    .for_each(|pair| test.take(raw, (different > 0).then(|| pair % different), [false; 2]));
                assert_eq!((test.verdict(), test.pairs()), (Some(verdict), MIN_PAIRS), "{raw} {different}");
            }
        }
    }

    /// Where luck alone decides every different game for both seats, so that sweeps are as frequent as they can be.
    #[test]
    fn sweeps_by_luck_are_rarely_taken_for_better() {
        let mut rng = Rng::new(2);
        for different in [1, 3, 4, 5, 6, 8, 12] {
            let rounds = 4_000;
            let better = (0..rounds)
                .filter(|_| {
                    let results: Vec<f64> =
                        (0..different).map(|_| if rng.below(2) == 0 { 0.5 } else { -0.5 }).collect();
                    // Only sweeps are looked at: others are the sequential test's.
                    if results.iter().any(|&result| result != results[0]) {
                        return false;
                    }
                    let mut test = TestState::new(Unit::Elo, 5.0, 10_000).unwrap();
                    for pair in 0..MIN_PAIRS {
                        let game = pair % different;
                        test.take(results[game as usize], Some(game), [false; 2]);
                    }
                    test.verdict() == Some(Verdict::Better)
                })
                .count();
            assert!(
                (better as f64) < SequentialTest::ERROR_PROBABILITY * f64::from(rounds),
                "{different}: {better} of {rounds}"
            );
        }
    }
}
