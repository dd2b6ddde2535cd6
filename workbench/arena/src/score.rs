//! What pairs of games say of two bots: the one place where they are counted, for matches under way, their reports, and
//! logs.

use crate::report::{CONFIDENCE, Estimate, Results, Verdict};
use contender_play::RankedBy;
use contender_stats::{GameResult, Pentanomial, SequentialTest, Summary};

/// So many different pairs with exactly the same non-zero difference in points show that one bot is better: were the
/// bots equal, all would favour the same one with probability 2 / 2^6, which is below 5% (the sign test). Student's
/// interval has no width then and says nothing.
const EQUAL_PAIRS: u64 = 6;

/// Pairs of games between A and B, added up. Every interval of a match, wherever it is shown, is from here.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Score {
    /// What decides.
    pub ranked_by: RankedBy,
    /// A's points minus B's, one mean of two games for each pair.
    pub difference: Summary,
    /// Pairs by what A made of them.
    pub pentanomial: Pentanomial,
    /// The games of the pairs.
    pub results: Results,
    /// By how many points games were won.
    margin: Margin,
}

/// By how many points the games of a score were won.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Margin {
    /// None was won.
    #[default]
    None,
    /// All by as many: the points say who won and nothing more.
    One(f64),
    /// Some by more than others.
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
    /// Of no pairs.
    #[must_use]
    pub fn new(ranked_by: RankedBy) -> Score {
        Score { ranked_by, ..Score::default() }
    }

    /// Takes a pair: the points of A and of B in each of its games; in a substitution the normalised rank of A in the
    /// first and that of B in the second, and nothing else counts.
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

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.difference.count()
    }

    /// How far A is ahead, by what decides: in points a game, or as the share of games won, draws as halves.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        match self.ranked_by {
            RankedBy::Points | RankedBy::Rank => self.difference(),
            RankedBy::Wins => self.win_rate(),
        }
    }

    /// How far A is ahead in points a game, with Student's interval of the pairs; where all games were won by as many
    /// points, with the interval of the score, beyond which no difference is possible.
    #[must_use]
    pub fn difference(&self) -> Estimate {
        let student = Estimate::of(&self.difference);
        let Margin::One(points) = self.margin else { return student };
        let interval = self.pentanomial.interval(CONFIDENCE);
        let points_of = |score: f64| points * (2.0 * score - 1.0);
        Estimate { interval: interval.map(|interval| interval.map(points_of)), ..student }
    }

    /// The share of games that A won, draws as halves.
    #[must_use]
    pub fn win_rate(&self) -> Estimate {
        Estimate {
            mean: self.results.win_rate(),
            standard_deviation: self.pentanomial.scores().standard_deviation(),
            interval: self.pentanomial.interval(CONFIDENCE),
        }
    }

    /// What a sequential test goes by.
    #[must_use]
    pub fn log_likelihood_ratio(&self, test: &SequentialTest) -> f64 {
        match self.ranked_by {
            RankedBy::Points | RankedBy::Rank => test.ratio_of_points(&self.difference),
            RankedBy::Wins => test.ratio_of_elo(&self.pentanomial),
        }
    }

    /// Which bot is better, if that is shown, where so many of the pairs are different games.
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

/// A's points minus B's in a pair: the mean of its two games, or in a substitution the difference between them.
pub(crate) fn pair_difference(ranked_by: RankedBy, pair: [[f64; 2]; 2]) -> f64 {
    if ranked_by == RankedBy::Rank {
        return pair[0][0] - pair[1][1];
    }
    pair.iter().map(|[a, b]| a - b).sum::<f64>() / 2.0
}
