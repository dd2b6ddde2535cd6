//! Pairs of games by their results, and Elo from them.
//!
//! Two games with exchanged seats share their luck and the advantage of a seat, so their results are not independent.
//! Counting the five results of a pair instead of the three of a game keeps what they share out of the error: with the
//! same number of games the intervals are honest, and usually narrower.

use crate::{Interval, Summary};
use serde::Serialize;

/// How a game ended for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// It has fewer points than its opponent.
    Loss,
    /// Both have equally many.
    Draw,
    /// It has more.
    Win,
}

impl GameResult {
    /// The result of a player with `own` points against one with `other`.
    #[must_use]
    pub fn of(own: i32, other: i32) -> GameResult {
        match own.cmp(&other) {
            std::cmp::Ordering::Less => GameResult::Loss,
            std::cmp::Ordering::Equal => GameResult::Draw,
            std::cmp::Ordering::Greater => GameResult::Win,
        }
    }

    /// Half points: 0 for a loss, 1 for a draw, 2 for a win.
    #[must_use]
    pub fn half_points(self) -> usize {
        self as usize
    }
}

/// How many pairs had each of the five results: two losses; a loss and a draw; a win and a loss, or two draws; a win
/// and a draw; two wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Pentanomial {
    /// Pairs by half points, 0 to 4.
    pub counts: [u64; 5],
}

/// A difference in Elo.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloEstimate {
    /// The estimate; infinite when all games were won, or all lost.
    pub elo: f64,
    /// The interval; `None` of fewer than two pairs, or when all pairs had the same result. Its ends may be infinite.
    pub interval: Option<Interval>,
    /// Likelihood of superiority: how likely the true difference is above 0. `None` where `interval` is.
    pub los: Option<f64>,
}

impl Pentanomial {
    /// Counts one pair.
    pub fn push(&mut self, games: [GameResult; 2]) {
        self.counts[games[0].half_points() + games[1].half_points()] += 1;
    }

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The scores of the pairs, 0 for two losses to 1 for two wins.
    #[must_use]
    pub fn scores(&self) -> Summary {
        let pairs = self.pairs();
        if pairs == 0 {
            return Summary::default();
        }
        // In whole half points up to the last step, so that an even result is exactly even.
        let moment = |power| -> u128 {
            let terms = (0u128..).zip(self.counts).map(|(half, count)| half.pow(power) * u128::from(count));
            terms.sum()
        };
        let n = u128::from(pairs);
        let squares = (n * moment(2) - moment(1).pow(2)) as f64 / pairs as f64;
        Summary::from_parts(pairs, moment(1) as f64 / (4 * n) as f64, squares / 16.0)
    }

    /// The difference in Elo that the scores mean, with an interval of this confidence; `None` of no pairs.
    ///
    /// # Panics
    /// If `confidence` is not between 0 and 1, both excluded.
    #[must_use]
    pub fn elo(&self, confidence: f64) -> Option<EloEstimate> {
        let scores = self.scores();
        let elo = elo_of_score(scores.mean()?);
        let los = scores.chance_above(0.5);
        let interval =
            scores.interval(confidence).filter(|_| los.is_some()).map(|scores| scores.map(elo_of_score));
        Some(EloEstimate { elo, interval, los })
    }

    /// The difference in normalized Elo, which measures how many games it takes to show it rather than what it means
    /// for the score; `None` of fewer than two pairs, or when all pairs had the same result.
    ///
    /// It is `(score - 1/2) / sd * 800 / ln 10` with the standard deviation of a game, `sqrt 2` times that of a pair's
    /// mean score.
    ///
    /// Source: M. Van den Bergh, *Comments on normalized Elo*, 2020.
    ///
    /// # Panics
    /// If `confidence` is not between 0 and 1, both excluded.
    #[must_use]
    pub fn normalized_elo(&self, confidence: f64) -> Option<EloEstimate> {
        let scores = self.scores();
        let deviation = scores.standard_deviation().filter(|&deviation| deviation > 0.0)?;
        let normalize = |score: f64| (score - 0.5) / (2f64.sqrt() * deviation) * 800.0 / 10f64.ln();
        Some(EloEstimate {
            elo: normalize(scores.mean()?),
            interval: scores.interval(confidence).map(|scores| scores.map(normalize)),
            los: scores.chance_above(0.5),
        })
    }
}

/// The difference in Elo at which the mean score is `score`: 400 log10(score / (1 - score)). Infinite at and beyond 0
/// and 1.
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

/// The mean score at a difference of `elo`: the inverse of [`elo_of_score`].
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameResult::{Draw, Loss, Win};
    use proptest::prelude::*;

    /// By hand: the scores 0.5 and 0.75 twice each have mean 0.625 and standard deviation 0.25 / sqrt 3, so a game's is
    /// 0.25 sqrt(2/3).
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
        assert_eq!([GameResult::of(1, 2), GameResult::of(2, 2), GameResult::of(3, 2)], [Loss, Draw, Win]);
    }

    proptest! {
        /// Counting is the same as taking the pairs one by one.
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

    /// By hand: mean score 0.5625 of 120 pairs, sum of squares 10.15625, so standard error 0.026669; Student's quantile
    /// for 119 degrees of freedom is 1.9801.
    #[test]
    fn elo_by_hand() {
        let elo = Pentanomial { counts: [10, 20, 40, 30, 20] }.elo(0.95).unwrap();
        let interval = elo.interval.unwrap();
        assert!((elo.elo - 43.658).abs() < 1e-3, "{elo:?}");
        assert!((score_of_elo(interval.low) - (0.5625 - 1.9801 * 0.026669)).abs() < 1e-5, "{elo:?}");
        assert!((score_of_elo(interval.high) - (0.5625 + 1.9801 * 0.026669)).abs() < 1e-5, "{elo:?}");
        assert!((elo.los.unwrap() - 0.98962).abs() < 1e-4, "{elo:?}");
    }

    #[test]
    fn what_cannot_be_known_is_not_claimed() {
        assert_eq!(Pentanomial::default().elo(0.95), None);
        let all_won = Pentanomial { counts: [0, 0, 0, 0, 9] }.elo(0.95).unwrap();
        assert_eq!(all_won, EloEstimate { elo: f64::INFINITY, interval: None, los: None });
        let one = Pentanomial { counts: [0, 0, 1, 0, 0] }.elo(0.95).unwrap();
        assert_eq!(one, EloEstimate { elo: 0.0, interval: None, los: None });
    }
}
