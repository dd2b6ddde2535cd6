//! What pairs of games say of two bots: the one place where they are counted, for matches under way, their reports, and
//! logs.

use crate::report::{CONFIDENCE, Estimate, RankedBy, Results, Verdict};
use contender_stats::{GameResult, Pentanomial, SequentialTest, Summary, wilson};

/// So many pairs with exactly the same non-zero result show a difference: were the bots equal, all would favour the
/// same one with probability 2 / 2^6, which is below 5% (the sign test). The usual interval has no width then and says
/// nothing.
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
}

impl Score {
    /// Of no pairs.
    #[must_use]
    pub fn new(ranked_by: RankedBy) -> Score {
        Score { ranked_by, ..Score::default() }
    }

    /// Takes a pair: the points of A and of B in each of its games.
    pub fn push(&mut self, pair: [[i32; 2]; 2]) {
        let results = pair.map(|[a, b]| GameResult::of(a, b));
        self.difference.push(pair_difference(pair));
        self.pentanomial.push(results);
        results.into_iter().for_each(|result| self.results.push(result));
    }

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.difference.count()
    }

    /// How far A is ahead, by what decides: in points a game with Student's interval, or as the share of games won,
    /// draws as halves, with Wilson's, which takes games for independent; with exchanged seats that is on the safe
    /// side.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        match self.ranked_by {
            RankedBy::Points => Estimate::of(&self.difference),
            RankedBy::Wins => Estimate {
                mean: self.results.win_rate(),
                standard_deviation: self.pentanomial.scores().standard_deviation(),
                interval: wilson(self.results.score(), self.results.games(), CONFIDENCE),
            },
        }
    }

    /// What a sequential test goes by.
    #[must_use]
    pub fn log_likelihood_ratio(&self, test: &SequentialTest) -> f64 {
        match self.ranked_by {
            RankedBy::Points => test.ratio_of_points(&self.difference),
            RankedBy::Wins => test.ratio_of_elo(&self.pentanomial),
        }
    }

    /// Which bot is better, if that is shown, where so many of the pairs are different games.
    #[must_use]
    pub fn verdict(&self, distinct_pairs: u64) -> Verdict {
        let (ranking, level) = match self.ranked_by {
            RankedBy::Points => (self.difference, 0.0),
            RankedBy::Wins => (self.pentanomial.scores(), 0.5),
        };
        let Some(interval) = ranking.interval(CONFIDENCE) else { return Verdict::NoDifferenceShown };
        let has_evidence = interval.low < interval.high || distinct_pairs >= EQUAL_PAIRS;
        if has_evidence && interval.low > level {
            Verdict::ABetter
        } else if has_evidence && interval.high < level {
            Verdict::BBetter
        } else {
            Verdict::NoDifferenceShown
        }
    }
}

/// A's points minus B's in a pair, mean of its two games.
pub(crate) fn pair_difference(pair: [[i32; 2]; 2]) -> f64 {
    pair.iter().map(|[a, b]| f64::from(*a) - f64::from(*b)).sum::<f64>() / 2.0
}
