//! Results of pairs of games, and Elo estimates from them.
//!
//! The two games of a pair share the seed and the advantage of a seat, so their results are not independent. Counting
//! the five results of a pair, instead of the three results of a game, removes this common part from the error. For the
//! same number of games, the intervals are then correct, and usually narrower.

use crate::summary::check_confidence;
use crate::{Interval, Summary};
use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF};

/// The result of a game for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// The player has fewer points than the opponent.
    Loss,
    /// Both players have the same number of points.
    Draw,
    /// The player has more points than the opponent.
    Win,
}

impl GameResult {
    /// Returns the result for a player who has `own` points against an opponent who has `other` points.
    #[must_use]
    pub fn of(own: f64, other: f64) -> GameResult {
        match own.total_cmp(&other) {
            _ if own == other => GameResult::Draw,
            std::cmp::Ordering::Less => GameResult::Loss,
            _ => GameResult::Win,
        }
    }

    /// Returns the result in half points: 0 for a loss, 1 for a draw, 2 for a win.
    #[must_use]
    pub fn half_points(self) -> usize {
        self as usize
    }
}

/// The weight of a single game, relative to the weight of a pair.
const ONE_GAME: f64 = 0.5;

/// The distribution of the mean score if the probabilities of the five results have a Dirichlet distribution. It is
/// approximated by the Beta distribution with the same mean and variance between the lowest and the highest result that
/// occur. If only two results occur, the approximation is exact.
struct MeanScore {
    least: f64,
    most: f64,
    /// `None` if only one result occurs.
    within: Option<Beta>,
}

impl MeanScore {
    fn of(weights: &[f64; 5]) -> MeanScore {
        let score = |half: usize| half as f64 / 4.0;
        let seen: Vec<usize> = (0..5).filter(|&half| weights[half] > 0.0).collect();
        let [least, most] = [seen[0], seen[seen.len() - 1]].map(score);
        let total: f64 = weights.iter().sum();
        let moment = |power: i32| -> f64 {
            let share = |half: usize| ((score(half) - least) / (most - least)).powi(power);
            seen.iter().map(|&half| weights[half] * share(half)).sum::<f64>() / total
        };
        if seen.len() == 1 {
            return MeanScore { least, most, within: None };
        }
        let mean = moment(1);
        let variance = (moment(2) - mean * mean) / (total + 1.0);
        let strength = mean * (1.0 - mean) / variance - 1.0;
        MeanScore { least, most, within: Beta::new(mean * strength, (1.0 - mean) * strength).ok() }
    }

    fn quantile(&self, share: f64) -> f64 {
        let place = self.within.map_or(0.0, |within| within.inverse_cdf(share));
        self.least + place * (self.most - self.least)
    }

    fn below(&self, score: f64) -> f64 {
        match self.within {
            Some(within) => within.cdf(((score - self.least) / (self.most - self.least)).clamp(0.0, 1.0)),
            None => f64::from(u8::from(self.least < score)),
        }
    }
}

/// Number of pairs with each of the five results: two losses; a loss and a draw; a win and a loss, or two draws; a win
/// and a draw; two wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Pentanomial {
    /// Number of pairs for each number of half points, from 0 to 4.
    pub counts: [u64; 5],
}

/// An estimate of a difference in Elo.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EloEstimate {
    /// The estimate. The difference is infinite if all games were won or all were lost.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub elo: f64,
    /// The interval; `None` for fewer than two pairs. Its ends can be infinite.
    pub interval: Option<Interval>,
    /// Likelihood of superiority: the probability that the true difference is above 0. `None` if `interval` is `None`.
    pub los: Option<f64>,
}

impl Pentanomial {
    /// Adds one pair.
    pub fn push(&mut self, games: [GameResult; 2]) {
        self.counts[games[0].half_points() + games[1].half_points()] += 1;
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns a summary of the pairs' scores, from 0 for two losses to 1 for two wins.
    #[must_use]
    pub fn scores(&self) -> Summary {
        let pairs = self.pairs();
        if pairs == 0 {
            return Summary::default();
        }
        // Compute with integers until the last step, so that an even result is exactly even.
        let moment = |power| -> u128 {
            let terms = (0u128..).zip(self.counts).map(|(half, count)| half.pow(power) * u128::from(count));
            terms.sum()
        };
        let n = u128::from(pairs);
        let squares = (n * moment(2) - moment(1).pow(2)) as f64 / pairs as f64;
        Summary::from_parts(pairs, moment(1) as f64 / (4 * n) as f64, squares / 16.0)
    }

    /// Returns the interval of the true mean score with this confidence, or `None` for fewer than two pairs. The
    /// interval is always within 0 and 1.
    ///
    /// The lower end is computed as if one more game had been lost: it is the quantile of the mean score if the
    /// probabilities of the five results have the Dirichlet distribution with these weights. The upper end is computed
    /// as if one more game had been won. If only two results occur, this is the interval of Clopper and Pearson. If
    /// more results occur, it is the interval of N. Gaffke (2005), which holds for any results. So both methods add one
    /// whole game. If chance could favour one bot in both seats, a whole pair would have to be added. Since the seats
    /// are swapped, one game of a pair is enough.
    ///
    /// # Panics
    /// Panics if `confidence` is not strictly between 0 and 1.
    #[must_use]
    pub fn interval(&self, confidence: f64) -> Option<Interval> {
        self.interval_of_distinct(self.pairs(), confidence)
    }

    /// Returns the interval if only `distinct_pairs` of the pairs contain different games. Repeated games are not new
    /// evidence.
    ///
    /// # Panics
    /// Panics if `confidence` is not strictly between 0 and 1.
    #[must_use]
    pub fn interval_of_distinct(&self, distinct_pairs: u64, confidence: f64) -> Option<Interval> {
        check_confidence(confidence);
        let [low, high] = self.ends(distinct_pairs)?;
        let tail = 0.5 - confidence / 2.0;
        Some(Interval { low: low.quantile(tail), high: high.quantile(1.0 - tail) })
    }

    /// Returns the probability that the true mean score is above one half. It is the mean of two probabilities, one
    /// from each of the distributions at the interval's ends. Returns `None` for fewer than two pairs.
    #[must_use]
    pub fn chance_above_half(&self) -> Option<f64> {
        let ends = self.ends(self.pairs())?;
        Some(ends.iter().map(|end| 1.0 - end.below(0.5)).sum::<f64>() / 2.0)
    }

    /// Returns the two distributions of the mean score, from which the lower and the upper end of the interval are
    /// computed.
    fn ends(&self, distinct_pairs: u64) -> Option<[MeanScore; 2]> {
        if self.pairs() < 2 {
            return None;
        }
        let share = distinct_pairs.min(self.pairs()) as f64 / self.pairs() as f64;
        Some([0, 4].map(|end| {
            let mut weights = self.counts.map(|count| share * count as f64);
            weights[end] += ONE_GAME;
            MeanScore::of(&weights)
        }))
    }

    /// Returns the difference in Elo that corresponds to the scores, with an interval of this confidence. Returns
    /// `None` if there are no pairs.
    ///
    /// # Panics
    /// Panics if `confidence` is not strictly between 0 and 1.
    #[must_use]
    pub fn elo(&self, confidence: f64) -> Option<EloEstimate> {
        let elo = elo_of_score(self.scores().mean()?);
        let interval = self.interval(confidence).map(|scores| scores.map(elo_of_score));
        Some(EloEstimate { elo, interval, los: self.chance_above_half() })
    }

    /// Returns the difference in normalized Elo. Normalized Elo measures how many games are needed to show the
    /// difference, instead of the effect on the score. Returns `None` for fewer than two pairs, or if all pairs had the
    /// same result.
    ///
    /// The formula is `(score - 1/2) / sd * 800 / ln 10`. `sd` is the standard deviation of a game, which is `sqrt 2`
    /// times the standard deviation of a pair's mean score.
    ///
    /// Source: M. Van den Bergh, *Comments on normalized Elo*, 2020.
    ///
    /// # Panics
    /// Panics if `confidence` is not strictly between 0 and 1.
    #[must_use]
    pub fn normalized_elo(&self, confidence: f64) -> Option<EloEstimate> {
        let scores = self.scores();
        let deviation = scores.standard_deviation().filter(|&deviation| deviation > 0.0)?;
        let normalize = |score: f64| (score - 0.5) / (2f64.sqrt() * deviation) * 800.0 / 10f64.ln();
        Some(EloEstimate {
            elo: normalize(scores.mean()?),
            interval: self.interval(confidence).map(|scores| scores.map(normalize)),
            los: self.chance_above_half(),
        })
    }
}

/// Returns the difference in Elo that leads to the mean score `score`: 400 log10(score / (1 - score)). The result is
/// infinite if `score` is 0 or less, or 1 or more.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// Elo per unit of mean score above one half, for bots of almost equal strength. This is the slope of [`elo_of_score`]
/// at one half.
pub const ELO_OF_SCORE: f64 = 1600.0 / std::f64::consts::LN_10;

/// Returns the mean score at a difference of `elo`. This is the inverse of [`elo_of_score`].
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::normal;
    use GameResult::{Draw, Loss, Win};
    use contender_game::rules::Rng;
    use proptest::prelude::*;

    /// Computed by hand: the scores 0.5 and 0.75, twice each, have mean 0.625 and standard deviation 0.25 / sqrt 3, so
    /// the standard deviation of a game is 0.25 sqrt(2/3).
    #[test]
    fn normalized_elo_is_the_formula() {
        let elo = Pentanomial { counts: [0, 0, 2, 2, 0] }.normalized_elo(0.95).unwrap();
        let expected = 0.125 / (0.25 * (2.0 / 3.0f64).sqrt()) * 800.0 / 10f64.ln();
        assert!((elo.elo - expected).abs() < 1e-9, "{elo:?}");
        assert_eq!(Pentanomial { counts: [0, 0, 9, 0, 0] }.normalized_elo(0.95), None);
    }

    #[test]
    fn results_of_pairs() {
        let mut pairs = Pentanomial::default();
        for games in
            [[Loss, Loss], [Draw, Loss], [Win, Loss], [Loss, Win], [Draw, Draw], [Draw, Win], [Win, Win]]
        {
            pairs.push(games);
        }
        assert_eq!(pairs.counts, [1, 1, 3, 1, 1]);
        assert_eq!(pairs.pairs(), 7);
        assert_eq!(
            [GameResult::of(1.0, 2.0), GameResult::of(2.0, 2.0), GameResult::of(3.0, 2.0)],
            [Loss, Draw, Win]
        );
    }

    proptest! {
        /// The scores from counts equal the scores from adding the pairs one by one.
        #[test]
        fn scores_of_counts(counts in prop::array::uniform5(0u64..40)) {
            let one_by_one: Summary = counts.iter().enumerate()
                .flat_map(|(half, &count)| (0..count).map(move |_| half as f64 / 4.0)).collect();
            let scores = Pentanomial { counts }.scores();
            prop_assert_eq!(scores.count(), one_by_one.count());
            let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-9,
                (a, b) => a == b,
            };
            prop_assert!(near(scores.mean(), one_by_one.mean()) && near(scores.variance(), one_by_one.variance()));
        }

        #[test]
        fn elo_and_score_are_inverse(elo in -1500.0..1500.0f64) {
            prop_assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
        }

        #[test]
        fn exchanging_the_bots_turns_the_sign(counts in prop::array::uniform5(0u64..40)) {
            let mut turned = counts;
            turned.reverse();
            let (Some(one), Some(other)) = (Pentanomial { counts }.elo(0.95), Pentanomial { counts: turned }.elo(0.95)) else {
                prop_assert_eq!(counts, [0; 5]);
                return Ok(());
            };
            prop_assert!(one.elo == -other.elo || (one.elo + other.elo).abs() < 1e-9);
            if let (Some(a), Some(b)) = (one.los, other.los) {
                prop_assert!((a + b - 1.0).abs() < 1e-9);
            }
        }
    }

    /// Compares the intervals with random draws of the five probabilities, which are computed from gamma variates.
    #[test]
    fn intervals_are_those_of_draws() {
        let mut rng = Rng::new(5);
        // The method of Marsaglia and Tsang (2000), with the boost for shapes below 1.
        let gamma = |shape: f64, rng: &mut Rng| {
            let boost = if shape < 1.0 { rng.unit().powf(1.0 / shape) } else { 1.0 };
            let d = if shape < 1.0 { shape + 1.0 } else { shape } - 1.0 / 3.0;
            loop {
                let x = normal(rng);
                let v = (1.0 + x / (9.0 * d).sqrt()).powi(3);
                if v > 0.0 && rng.unit().ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                    return boost * d * v;
                }
            }
        };
        for counts in
            [[0, 1, 2, 1, 1], [3, 0, 4, 0, 9], [10, 20, 40, 30, 20], [1, 0, 0, 0, 4], [0, 0, 2, 0, 0]]
        {
            let interval = Pentanomial { counts }.interval(0.95).unwrap();
            for (end, place, share) in [(interval.low, 0, 0.025), (interval.high, 4, 0.975)] {
                let mut weights = counts.map(|count| count as f64);
                weights[place] += 0.5;
                let mut score = || {
                    let drawn =
                        weights.map(|weight| if weight > 0.0 { gamma(weight, &mut rng) } else { 0.0 });
                    let halves: f64 =
                        drawn.iter().zip(0..).map(|(drawn, half)| drawn * f64::from(half)).sum();
                    halves / 4.0 / drawn.iter().sum::<f64>()
                };
                let mut scores: Vec<f64> = (0..40_000).map(|_| score()).collect();
                scores.sort_by(f64::total_cmp);
                let drawn = crate::percentile(&scores, share).unwrap();
                assert!((end - drawn).abs() < 0.02, "{counts:?}: {interval:?}, {drawn}");
            }
        }
    }

    /// Computed by hand, from the Beta distributions of 5 and 1/2, and of 4 and 1/2.
    #[test]
    fn few_pairs_say_what_they_say() {
        let interval = |counts: [u64; 5]| Pentanomial { counts }.interval(0.95).unwrap();
        // Ten wins in ten games are stronger evidence than nine wins. Six wins in six games are not enough.
        let [ten, nine, six] = [[0, 0, 0, 0, 5], [0, 0, 1, 0, 4], [0, 0, 0, 0, 3]].map(interval);
        assert!(
            ten.low > 0.5 && ten.high == 1.0 && ten.low > nine.low && six.low < 0.5,
            "{ten:?} {nine:?} {six:?}"
        );
        let even = interval([3, 0, 5, 0, 3]);
        assert!((even.low + even.high - 1.0).abs() < 1e-9, "{even:?}");
        // A pair that is repeated a hundred times counts as one pair.
        let repeated = Pentanomial { counts: [0, 0, 0, 0, 100] }.interval_of_distinct(1, 0.95).unwrap();
        assert!(repeated.low < 0.5, "{repeated:?}");
    }

    proptest! {
        #[test]
        fn no_interval_is_beyond_what_is_possible(counts in prop::array::uniform5(0u64..9)) {
            let pairs = Pentanomial { counts };
            prop_assume!(pairs.pairs() > 1);
            let (interval, score) = (pairs.interval(0.95).unwrap(), pairs.scores().mean().unwrap());
            prop_assert!(0.0 <= interval.low && interval.low < interval.high && interval.high <= 1.0, "{interval:?}");
            prop_assert!(interval.contains(score), "{score} is not in {interval:?}");
        }
    }

    /// With many pairs the interval is close to the usual one. Computed by hand: the mean score of the 1200 pairs is
    /// 0.5625 and the standard deviation 0.2912, so 1.96 standard errors are 0.01648.
    #[test]
    fn elo_by_hand() {
        let elo = Pentanomial { counts: [100, 200, 400, 300, 200] }.elo(0.95).unwrap();
        let interval = elo.interval.unwrap();
        assert!((elo.elo - 43.658).abs() < 1e-3, "{elo:?}");
        assert!((score_of_elo(interval.low) - (0.5625 - 0.01648)).abs() < 3e-4, "{elo:?}");
        assert!((score_of_elo(interval.high) - (0.5625 + 0.01648)).abs() < 3e-4, "{elo:?}");
        assert!(elo.los.unwrap() > 0.999, "{elo:?}");
    }

    #[test]
    fn what_cannot_be_known_is_not_claimed() {
        assert_eq!(Pentanomial::default().elo(0.95), None);
        let all_won = Pentanomial { counts: [0, 0, 0, 0, 9] }.elo(0.95).unwrap();
        assert_eq!(all_won.elo, f64::INFINITY);
        let interval = all_won.interval.unwrap();
        assert!(interval.high == f64::INFINITY && interval.low > 100.0, "{interval:?}");
        let one = Pentanomial { counts: [0, 0, 1, 0, 0] }.elo(0.95).unwrap();
        assert_eq!(one, EloEstimate { elo: 0.0, interval: None, los: None });
    }
}
