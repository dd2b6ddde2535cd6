//! Simulations of sequential tests with a known true advantage. They show how often the tests are wrong and how long
//! they take.

use crate::ratings::normal;
use crate::sequential::most_likely;
use crate::{
    Decision, ELO_OF_SCORE, Interval, Pentanomial, SequentialTest, StatsError, Summary, percentile,
    score_of_elo, wilson,
};
use contender_game::rules::Rng;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// The distribution of the results of simulated pairs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pairs {
    /// Wins, draws and losses. The weights are the relative frequencies of the five results of a pair between equal
    /// bots. An advantage in Elo shifts the mean score, and changes the weights as little as possible for this shift.
    Results([f64; 5]),
    /// Differences in points, which are normally distributed around the advantage with this standard deviation.
    Points {
        /// Standard deviation of a pair's mean difference.
        deviation: f64,
    },
    /// Normalised ranks in games of several players. In each pair, the two bots play one game each in the same seat.
    /// The signal is the difference between the bots' normalised ranks (1 for the first place, 0 for the last). The
    /// ranks follow the Plackett-Luce model. All opponents are as strong as the second bot, and the seed affects the
    /// opponents in the same way in both games of a pair.
    Ranks {
        /// Number of players in a game, at least 2.
        players: u16,
    },
}

impl Pairs {
    /// Returns the random signal of a pair in which the first bot has this advantage. The signal is the difference in
    /// points or normalised rank. For wins, draws and losses, it is the score above one half, converted to Elo
    /// ([`ELO_OF_SCORE`]).
    ///
    /// # Errors
    /// Returns an error if the weights or the advantage are impossible.
    pub fn signal(self, advantage: f64, rng: &mut Rng) -> Result<f64, StatsError> {
        match self {
            Pairs::Results(even) => {
                // Beyond this limit hardly any game is lost.
                let chances = result_chances(even, advantage.clamp(-1500.0, 1500.0))?;
                Ok(ELO_OF_SCORE * (draw_result(&chances, rng) as f64 / 4.0 - 0.5))
            }
            Pairs::Points { deviation } => Ok(advantage + deviation * normal(rng)),
            Pairs::Ranks { players } => substitution(players, strength_of_rank(advantage)?, rng),
        }
    }

    /// Returns the standard deviation of the signal between equal bots.
    #[must_use]
    pub fn deviation(self) -> f64 {
        match self {
            Pairs::Points { deviation } => deviation,
            Pairs::Results(even) => {
                let total: f64 = even.iter().sum();
                let squares = |half: usize| (half as f64 / 4.0 - 0.5).powi(2) * even[half] / total;
                ELO_OF_SCORE * (0..5).map(squares).sum::<f64>().sqrt()
            }
            // If all orders of all players and both bots are equally likely, `between` opponents are between the two
            // bots with this probability.
            Pairs::Ranks { players } => {
                let opponents = f64::from(players) - 1.0;
                let squares = |between: u16| {
                    let between = f64::from(between);
                    let chance = 2.0 * (opponents + 1.0 - between) / ((opponents + 1.0) * (opponents + 2.0));
                    chance * (between / opponents).powi(2)
                };
                (1..players).map(squares).sum::<f64>().sqrt()
            }
        }
    }
}

/// The results of a sequential test in many matches with the same true advantage.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestRun {
    /// The true advantage, in the unit of the hypotheses.
    pub advantage: f64,
    /// Number of matches.
    pub matches: u32,
    /// Share of the matches that accepted the first hypothesis.
    pub accepted_h0: f64,
    /// Share of the matches that accepted the second hypothesis.
    pub accepted_h1: f64,
    /// The 95% interval of `accepted_h1`.
    pub accepted_h1_interval: Option<Interval>,
    /// Share of the matches that were undecided after the maximum number of pairs.
    pub undecided: f64,
    /// Mean length of a match, in pairs.
    pub mean_pairs: f64,
    /// Median length of a match, in pairs.
    pub median_pairs: f64,
    /// Length in pairs that 95% of the matches did not exceed.
    pub long_pairs: f64,
}

/// Runs a test in `matches` matches of at most `most` pairs, all with this true advantage. Stops early if `go_on`
/// returns `false` after a match.
///
/// # Errors
/// Returns an error if the weights or the advantage are impossible.
pub fn run_test(
    test: &SequentialTest,
    pairs: Pairs,
    advantage: f64,
    matches: u32,
    most: u64,
    rng: &mut Rng,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<TestRun, StatsError> {
    let mut chances_of_results = [0.0; 5];
    match pairs {
        Pairs::Results(even) => chances_of_results = result_chances(even, advantage)?,
        Pairs::Points { deviation } if deviation.is_finite() && deviation > 0.0 => {}
        Pairs::Points { deviation } => {
            return Err(StatsError::Deviation(deviation));
        }
        Pairs::Ranks { players } if players >= 2 => drop(strength_of_rank(advantage)?),
        Pairs::Ranks { players } => return Err(StatsError::Players(players)),
    }
    let mut decided = [0_u32; 2];
    let mut lengths = Vec::new();
    while (lengths.len() as u64) < u64::from(matches) {
        let mut play = || match pairs {
            Pairs::Results(_) => play_results(test, &chances_of_results, most, rng),
            _ => play_differences(test, most, || {
                pairs.signal(advantage, rng).expect("the advantage was checked")
            }),
        };
        let (decision, length) = play();
        match decision {
            Decision::AcceptH0 => decided[0] += 1,
            Decision::AcceptH1 => decided[1] += 1,
            Decision::PlayOn => {}
        }
        lengths.push(length as f64);
        if !go_on() {
            break;
        }
    }
    lengths.sort_by(f64::total_cmp);
    let tried = lengths.len().max(1) as f64;
    let [accepted_h0, accepted_h1] = decided.map(|count| f64::from(count) / tried);
    Ok(TestRun {
        advantage,
        matches: lengths.len() as u32,
        accepted_h0,
        accepted_h1,
        accepted_h1_interval: wilson(f64::from(decided[1]), lengths.len() as u64, 0.95),
        undecided: (lengths.len() as f64 - f64::from(decided[0] + decided[1])) / tried,
        mean_pairs: lengths.iter().sum::<f64>() / tried,
        median_pairs: percentile(&lengths, 0.5).unwrap_or(0.0),
        long_pairs: percentile(&lengths, 0.95).unwrap_or(0.0),
    })
}

/// Returns the number of pairs that a test of fixed length needs for the same error probabilities. This number can be
/// compared with the length of a sequential test.
#[must_use]
pub fn fixed_length(test: &SequentialTest, pairs: Pairs) -> f64 {
    let [h0, h1] = test.hypotheses();
    let (distance, deviation) = match pairs {
        Pairs::Points { .. } | Pairs::Ranks { .. } => (h1 - h0, pairs.deviation()),
        Pairs::Results(even) => {
            let total: f64 = even.iter().sum();
            let squares = |half: usize| (half as f64 / 4.0 - 0.5).powi(2) * even[half] / total;
            (score_of_elo(h1) - score_of_elo(h0), (0..5).map(squares).sum::<f64>().sqrt())
        }
    };
    let [alpha, beta] = test.error_probabilities();
    let quantiles = Normal::standard().inverse_cdf(1.0 - alpha) + Normal::standard().inverse_cdf(1.0 - beta);
    (quantiles * deviation / distance).powi(2)
}

/// Returns the probabilities of the five results of a pair at an advantage in Elo. `even` contains the weights of the
/// results between equal bots.
///
/// # Errors
/// Returns an error if the weights or the advantage are impossible.
pub fn result_chances(even: [f64; 5], elo: f64) -> Result<[f64; 5], StatsError> {
    let total: f64 = even.iter().sum();
    let score =
        even.iter().zip(0..).map(|(weight, half)| weight / total * f64::from(half) / 4.0).sum::<f64>();
    if even.iter().any(|weight| !(*weight > 0.0 && weight.is_finite())) || (score - 0.5).abs() > 1e-9 {
        return Err(StatsError::ResultWeights);
    }
    let mean = score_of_elo(elo);
    if !(mean > 0.0 && mean < 1.0) {
        return Err(StatsError::Advantage(elo));
    }
    Ok(most_likely(&even, mean))
}

/// Returns the strength in the Plackett-Luce model, on a logarithmic scale, for which a bot's mean normalised rank is
/// one half plus `advantage`. The mean normalised rank is the share of opponents that the bot beats. The bot beats an
/// opponent with a probability that is the logistic function of its strength.
fn strength_of_rank(advantage: f64) -> Result<f64, StatsError> {
    let rank = 0.5 + advantage;
    if rank > 0.0 && rank < 1.0 {
        Ok((rank / (1.0 - rank)).ln())
    } else {
        Err(StatsError::RankAdvantage(advantage))
    }
}

/// Plays a pair in which two bots play one game each in the same seat. Returns the difference between their normalised
/// ranks.
fn substitution(players: u16, strength: f64, rng: &mut Rng) -> Result<f64, StatsError> {
    // Strengths plus Gumbel noise give the order of the Plackett-Luce model.
    let mut gumbel = || -(-(1.0 - rng.unit()).ln()).ln();
    let [first, second] = [strength + gumbel(), gumbel()];
    let opponents = i32::from(players) - 1;
    let ahead: i32 = (0..opponents)
        .map(|_| {
            let opponent = gumbel();
            i32::from(first > opponent) - i32::from(second > opponent)
        })
        .sum();
    Ok(f64::from(ahead) / f64::from(opponents))
}

/// Draws the result of a pair, in half points.
pub fn draw_result(chances: &[f64; 5], rng: &mut Rng) -> usize {
    let mut place = rng.unit();
    let result = chances.iter().position(|&chance| {
        place -= chance;
        place < 0.0
    });
    result.unwrap_or(4)
}

fn play_results(test: &SequentialTest, chances: &[f64; 5], most: u64, rng: &mut Rng) -> (Decision, u64) {
    let mut pairs = Pentanomial::default();
    while pairs.pairs() < most {
        pairs.counts[draw_result(chances, rng)] += 1;
        let decision = test.decide(test.ratio_of_elo(&pairs), pairs.pairs());
        if decision != Decision::PlayOn {
            return (decision, pairs.pairs());
        }
    }
    (Decision::PlayOn, most)
}

fn play_differences(
    test: &SequentialTest,
    most: u64,
    mut difference: impl FnMut() -> f64,
) -> (Decision, u64) {
    let mut differences = Summary::default();
    while differences.count() < most {
        differences.push(difference());
        let decision = test.decide(test.ratio_of_points(&differences), differences.count());
        if decision != Decision::PlayOn {
            return (decision, differences.count());
        }
    }
    (Decision::PlayOn, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: [f64; 5] = [5.0, 20.0, 50.0, 20.0, 5.0];

    #[test]
    fn tests_err_as_rarely_as_they_say() {
        let mut rng = Rng::new(1);
        let test = SequentialTest::new(0.0, 40.0, 0.05, 0.10).unwrap();
        let of_ranks = SequentialTest::new(0.0, 0.08, 0.05, 0.10).unwrap();
        for (test, pairs, h1) in [
            (test, Pairs::Results(EVEN), 40.0),
            (test, Pairs::Points { deviation: 150.0 }, 40.0),
            (of_ranks, Pairs::Ranks { players: 3 }, 0.08),
            (of_ranks, Pairs::Ranks { players: 4 }, 0.08),
        ] {
            let mut run = |advantage| {
                run_test(&test, pairs, advantage, 1_000, 100_000, &mut rng, &mut || true).unwrap()
            };
            let [no, yes] = [run(0.0), run(h1)];
            assert!(no.accepted_h1 < 0.07 && no.undecided == 0.0, "{no:?}");
            assert!(yes.accepted_h0 < 0.12 && yes.mean_pairs < fixed_length(&test, pairs), "{yes:?}");
        }
    }

    #[test]
    fn a_limit_ends_matches_undecided_and_senseless_pairs_are_refused() {
        let mut rng = Rng::new(2);
        let test = SequentialTest::new(0.0, 1.0, 0.05, 0.05).unwrap();
        let mut run = |pairs, advantage| run_test(&test, pairs, advantage, 5, 60, &mut rng, &mut || true);
        assert_eq!(run(Pairs::Results(EVEN), 0.5).unwrap().undecided, 1.0);
        assert!(run(Pairs::Results([1.0, 0.0, 1.0, 1.0, 1.0]), 0.0).is_err());
        assert!(run(Pairs::Results([9.0, 1.0, 1.0, 1.0, 1.0]), 0.0).is_err());
        assert!(run(Pairs::Results(EVEN), 1e9).is_err());
        assert!(run(Pairs::Points { deviation: 0.0 }, 0.0).is_err());
        assert!(run(Pairs::Ranks { players: 1 }, 0.0).is_err());
        assert!(run(Pairs::Ranks { players: 3 }, 0.5).is_err());
    }

    #[test]
    fn ranks_have_the_mean_and_the_deviation_that_are_asked_for() {
        let mut rng = Rng::new(5);
        for players in [2, 3, 5] {
            let pairs = Pairs::Ranks { players };
            let mut summary = |advantage| {
                let mut summary = Summary::default();
                (0..40_000).for_each(|_| summary.push(pairs.signal(advantage, &mut rng).unwrap()));
                summary
            };
            let (even, ahead) = (summary(0.0), summary(0.2));
            assert!(even.mean().unwrap().abs() < 0.01, "{players}: {even:?}");
            assert!((ahead.mean().unwrap() - 0.2).abs() < 0.01, "{players}: {ahead:?}");
            let deviation = even.standard_deviation().unwrap();
            assert!((deviation - pairs.deviation()).abs() < 0.01, "{players}: {deviation}");
        }
    }
}
