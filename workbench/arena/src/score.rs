//! The score between two bots. Running matches, reports and logs all use this module to count pairs of games.

use crate::report::{CONFIDENCE, Estimate, Results, Verdict};
use contender_play::RankedBy;
use contender_stats::{GameResult, Pentanomial, SequentialTest, Summary};

/// Number of different pairs that suffice to show which bot is better if all pairs have exactly the same non-zero
/// difference in points. If the bots were equally strong, all these pairs would favour the same bot with a probability
/// of only 2 / 2^6, which is below 5% (the sign test). Student's interval is useless in this case, because its width is
/// zero.
const EQUAL_PAIRS: u64 = 6;

/// The combined results of the pairs of games between A and B. This type computes all intervals that are shown for a
/// match.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Score {
    /// The criterion that decides which bot is better.
    pub ranked_by: RankedBy,
    /// A's points minus B's points. Each pair contributes one value, the average over its two games.
    pub difference: Summary,
    /// Number of pairs with each of A's possible results.
    pub pentanomial: Pentanomial,
    /// The results of the individual games.
    pub results: Results,
    /// The winning margins, in points.
    margin: Margin,
}

/// The winning margins of all games in a score, in points.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Margin {
    /// No game was won.
    #[default]
    None,
    /// All games were won by this margin, so the points show only who won.
    One(f64),
    /// The games were won by different margins.
    Several,
}

impl Margin {
    fn with(self, points: f64) -> Margin {
        match (self, points.abs()) {
            (of, 0.0) => of,
            (Margin::None, points) => Margin::One(points),
            (Margin::One(known), points) if known == points => self,
            _ => Margin::Several,
        }
    }
}

impl Score {
    /// Creates an empty score.
    #[must_use]
    pub fn new(ranked_by: RankedBy) -> Score {
        Score { ranked_by, ..Score::default() }
    }

    /// Adds a pair, given the points of A and B in each of the pair's games. In a substitution, the values are
    /// normalised ranks, and only A's value in the first game and B's value in the second game count.
    pub fn push(&mut self, pair: [[f64; 2]; 2]) {
        if self.ranked_by == RankedBy::Rank {
            self.difference.push(pair_difference(self.ranked_by, pair));
            self.results.push(GameResult::of(pair[0][0], pair[1][1]));
            return;
        }
        let results = pair.map(|[a, b]| GameResult::of(a, b));
        self.difference.push(pair_difference(self.ranked_by, pair));
        self.pentanomial.push(results);
        results.into_iter().for_each(|result| self.results.push(result));
        self.margin = pair.into_iter().fold(self.margin, |margin, [a, b]| margin.with(a - b));
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.difference.count()
    }

    /// Returns A's lead, either in points per game or as the fraction of games won (a draw counts as half), depending
    /// on how bots are ranked.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        match self.ranked_by {
            RankedBy::Points | RankedBy::Rank => self.difference(),
            RankedBy::Wins => self.win_rate(),
        }
    }

    /// Returns A's lead in points per game, with Student's interval over the pairs. If all games were won by the same
    /// margin, the interval is computed from the win rate, so that it stays within the possible range.
    #[must_use]
    pub fn difference(&self) -> Estimate {
        let student = Estimate::of(&self.difference);
        let Margin::One(points) = self.margin else { return student };
        let interval = self.pentanomial.interval(CONFIDENCE);
        let points_of = |score: f64| points * (2.0 * score - 1.0);
        Estimate { interval: interval.map(|interval| interval.map(points_of)), ..student }
    }

    /// Returns the fraction of games that A won, counting a draw as half a win.
    #[must_use]
    pub fn win_rate(&self) -> Estimate {
        Estimate {
            mean: self.results.win_rate(),
            standard_deviation: self.pentanomial.scores().standard_deviation(),
            interval: self.pentanomial.interval(CONFIDENCE),
        }
    }

    /// Returns the log-likelihood ratio for a sequential test.
    #[must_use]
    pub fn log_likelihood_ratio(&self, test: &SequentialTest) -> f64 {
        match self.ranked_by {
            RankedBy::Points | RankedBy::Rank => test.ratio_of_points(&self.difference),
            RankedBy::Wins => test.ratio_of_elo(&self.pentanomial),
        }
    }

    /// Returns which bot is better, if the games show it. `distinct_pairs` is the number of different pairs.
    #[must_use]
    pub fn verdict(&self, distinct_pairs: u64) -> Verdict {
        let by_results = self.ranked_by == RankedBy::Wins || matches!(self.margin, Margin::One(_));
        let (low, high, even) = if by_results {
            let Some(interval) = self.pentanomial.interval_of_distinct(distinct_pairs, CONFIDENCE) else {
                return Verdict::NoDifferenceShown;
            };
            (interval.low, interval.high, 0.5)
        } else if let Some(interval) = Estimate::of(&self.difference).interval {
            (interval.low, interval.high, 0.0)
        } else if distinct_pairs >= EQUAL_PAIRS {
            let mean = self.difference.mean().unwrap_or(0.0);
            (mean, mean, 0.0)
        } else {
            return Verdict::NoDifferenceShown;
        };
        if low > even {
            Verdict::ABetter
        } else if high < even {
            Verdict::BBetter
        } else {
            Verdict::NoDifferenceShown
        }
    }
}

/// Returns A's lead over B in a pair. If A and B play each other, the lead is A's points minus B's points, averaged
/// over the two games. In a substitution, A plays the first game and B the second, and the lead is A's normalised rank
/// minus B's normalised rank.
pub(crate) fn pair_difference(ranked_by: RankedBy, pair: [[f64; 2]; 2]) -> f64 {
    if ranked_by == RankedBy::Rank {
        return pair[0][0] - pair[1][1];
    }
    pair.iter().map(|[a, b]| a - b).sum::<f64>() / 2.0
}
