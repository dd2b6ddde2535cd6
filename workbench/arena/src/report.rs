//! The results of a match as data.

use crate::failures::Failure;
use contender_play::{PlayedUnder, RankedBy};
use contender_referee::Steadiness;
use contender_stats::{Decision, EloEstimate, GameResult, Interval, Pentanomial, SequentialTest, Summary};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// The confidence level of all intervals and of the verdict.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// The report of a match between A and B.
///
/// As JSON, the report contains these fields with the same names and in the same order. Variants have names in
/// `kebab-case`. Unknown values are `null`: for example the mean of zero games, an interval from fewer than two pairs,
/// or an infinite number. Later versions may add fields, but the meaning of a field does not change.
///
/// Statistics of *pairs* include only complete pairs. If only one game of a pair is finished, it counts in
/// [`games`](MatchReport::games) and in the fields of a [`BotReport`] that cover all finished games. All intervals have
/// 95% confidence.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchReport {
    /// The contest's name.
    pub game: String,
    /// The names of the seats.
    pub seats: Vec<String>,
    /// Whether points show more than the order of the bots.
    pub has_points: bool,
    /// The random seed; unknown in a report from a log.
    #[serde(serialize_with = "seed_if_known")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<contender_play::seed::Form>"))]
    pub seed: Option<u64>,
    /// The conditions of the games.
    pub conditions: PlayedUnder,
    /// Number of planned pairs.
    pub pairs_planned: u64,
    /// Number of complete pairs.
    pub pairs: u64,
    /// Number of finished games, including those in incomplete pairs.
    pub games: u64,
    /// Number of complete pairs that differ from all earlier pairs. If this is less than [`pairs`](MatchReport::pairs),
    /// the games vary too little: the statistics count repeated games as new evidence, although they are not.
    pub distinct_pairs: u64,
    /// Number of finished games that were stopped because they reached the maximum number of turns
    /// ([`Ending::Endless`](contender_play::Ending::Endless)).
    pub endless: u64,
    /// Number of games that could not be played, through no fault of the bots.
    pub errors: u64,
    /// The way in which the match ended.
    pub end: MatchEnd,
    /// The criterion that decides which bot is better.
    pub ranked_by: RankedBy,
    /// The verdict: the better bot, if the games show which one is better.
    pub verdict: Verdict,
    /// The mean pair difference. A pair's difference is A's contest points minus B's points, averaged over its two
    /// games. The difference is positive if A is better. If the points of both players always have the same sum, the
    /// difference is A's total in the pair minus half of all points. For example, if A gets 400 + S(as Order) - S(as
    /// Chaos) points in a pair, the difference is S(as Order) - S(as Chaos).
    pub difference: Estimate,
    /// Numbers of games in complete pairs that A won, drew and lost.
    pub results: Results,
    /// Number of complete pairs with each of A's five results: two losses; a loss and a draw; a win and a loss, or two
    /// draws; a win and a draw; two wins.
    pub pentanomial: Pentanomial,
    /// A's win rate in complete pairs: the fraction of games won, counting a draw as half a win.
    pub win_rate: Option<f64>,
    /// The interval of the win rate, from the pentanomial counts ([`Pentanomial::interval`]).
    pub win_rate_interval: Option<Interval>,
    /// A's advantage in Elo, from the pentanomial counts.
    pub elo: Option<EloEstimate>,
    /// The sequential test, if there was one.
    pub test: Option<TestReport>,
    /// The bots A and B.
    pub bots: [BotReport; 2],
    /// The timing noise of the machine. `None` for a match in a tournament, and if load on the machine could not affect
    /// any bot.
    pub steadiness: Option<Steadiness>,
    /// Notes about the results, one sentence each.
    pub notes: Vec<String>,
}

/// Writes a seed as in a log, or `null`.
fn seed_if_known<S: Serializer>(seed: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match seed {
        Some(seed) => contender_play::seed::serialize(seed, serializer),
        None => serializer.serialize_none(),
    }
}

/// The result of a match's sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestReport {
    /// The hypotheses and error probabilities.
    #[serde(flatten)]
    pub test: SequentialTest,
    /// The log-likelihood ratio of the second hypothesis to the first, for all complete pairs.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub log_likelihood_ratio: f64,
    /// The bounds at which the test decides.
    pub bounds: Interval,
    /// The test's decision. Pairs are processed in order, and pairs after the deciding pair do not count.
    pub decision: Decision,
}

/// A mean over the pairs of a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The mean.
    pub mean: Option<f64>,
    /// The standard deviation of the pairs' values.
    pub standard_deviation: Option<f64>,
    /// The interval of the mean, computed by [`Score`](crate::Score). `None` for fewer than two pairs, and if all pairs
    /// have the same difference in points, because such pairs do not show how much results vary.
    pub interval: Option<Interval>,
}

impl Estimate {
    pub(crate) fn of(summary: &Summary) -> Estimate {
        Estimate {
            mean: summary.mean(),
            standard_deviation: summary.standard_deviation(),
            interval: summary.interval(CONFIDENCE).filter(|of| of.low < of.high),
        }
    }
}

/// The ways in which a match can end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum MatchEnd {
    /// All games were played, except those without a result.
    Complete,
    /// The sequential test has decided.
    Decided,
    /// All pairs up to the sequential test's first possible decision were identical, so more pairs would not help the
    /// test.
    Repeating,
    /// The match was stopped from outside.
    Interrupted,
    /// Several games in a row could not be played, or the log could not be written.
    Failed {
        /// The error message.
        error: String,
    },
}

/// The conclusion about the two bots, with 95% confidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A is better.
    ABetter,
    /// B is better.
    BBetter,
    /// The results are consistent with bots of equal strength.
    NoDifferenceShown,
}

/// Number of games with each result, from A's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Results {
    /// Number of games in which A had more points than B.
    pub wins: u64,
    /// Number of games in which A and B had the same number of points.
    pub draws: u64,
    /// Number of games in which A had fewer points than B.
    pub losses: u64,
}

impl Results {
    /// Counts a game.
    pub fn push(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the number of wins plus half the number of draws.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the score divided by the number of games, or `None` if there are no games.
    #[must_use]
    pub fn win_rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.score() / self.games() as f64)
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Results { wins, draws, losses } = self;
        write!(f, "W{wins} D{draws} L{losses}  {:.1}%", 100.0 * self.win_rate().unwrap_or(0.0))
    }
}

/// The results of one bot in a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BotReport {
    /// The bot's name.
    pub name: String,
    /// Mean contest points per game in complete pairs.
    pub points: Option<f64>,
    /// Mean contest points per finished game, by seat.
    pub points_by_seat: Vec<Option<f64>>,
    /// Number of finished games in which the bot failed, for each kind of failure.
    pub failures: BTreeMap<String, u64>,
    /// The first failure of each kind.
    pub first_failures: Vec<Failure>,
    /// Mean total wall-clock time of the bot's answers per finished game, in seconds.
    pub seconds_per_game: Option<f64>,
    /// Lower quartile, median and upper quartile of the total time of the bot's answers in a game, in seconds.
    pub quartiles_seconds: Option<[f64; 3]>,
    /// Time of the bot's slowest answer in all finished games, in seconds; `None` if the referee does not report times.
    pub slowest_seconds: Option<f64>,
    /// Number of finished games after which the bot had to be killed because it did not exit by itself. This is not a
    /// failure, but may delay a judge.
    pub left_running: u64,
}
