//! The results of a match, as data.

use crate::failures::Failure;
use contender_play::{PlayedUnder, RankedBy};
use contender_referee::Steadiness;
use contender_stats::{Decision, EloEstimate, GameResult, Interval, Pentanomial, SequentialTest, Summary};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The confidence of all intervals and of the verdict.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// The outcome of a match between A and B.
///
/// Its JSON has the fields below, by the same names and in the same order; names of variants are in `kebab-case`. What
/// cannot be known is `null` (the mean of no games, an interval of fewer than two pairs, an infinite number). Fields
/// may be added, none changes its meaning.
///
/// Statistics of *pairs* count complete pairs only; a finished game whose partner was not played counts in
/// [`games`](MatchReport::games) and in the figures of a [`BotReport`] that say so. All intervals have 95% confidence.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchReport {
    /// The contest's name.
    pub game: String,
    /// Names of the seats.
    pub seats: Vec<String>,
    /// Whether the points of games mean more than the order of the bots.
    pub has_points: bool,
    /// The random seed.
    pub seed: u64,
    /// Under what conditions the games were played.
    pub conditions: PlayedUnder,
    /// Number of planned pairs.
    pub pairs_planned: u64,
    /// Complete pairs.
    pub pairs: u64,
    /// Finished games, those of incomplete pairs included.
    pub games: u64,
    /// Number of different complete pairs. Fewer than [`pairs`](MatchReport::pairs) means that bots and setup do not
    /// vary enough: repeated games are not new evidence, although the statistics count them as such.
    pub distinct_pairs: u64,
    /// Finished games that were broken off because they took too many turns
    /// ([`Ending::Endless`](contender_play::Ending::Endless)).
    pub endless: u64,
    /// Games that could not be played, through no fault of a bot.
    pub errors: u64,
    /// The end of the match.
    pub end: MatchEnd,
    /// The criterion that decides.
    pub ranked_by: RankedBy,
    /// The better bot, if the games show one.
    pub verdict: Verdict,
    /// The mean pair difference. A pair's difference is the mean over its two games of A's contest points minus B's:
    /// positive when A is better, in points per game. If the two results of every game add up to a constant, it is A's
    /// total of the pair above an even share: for example, if a pairing is worth 400 + S(as Order) - S(as Chaos), it is
    /// S(as Order) - S(as Chaos).
    pub difference: Estimate,
    /// Games of complete pairs that A won, drew and lost: had more, as many or fewer points than B.
    pub results: Results,
    /// Complete pairs by what A made of them: two losses; loss and draw; win and loss or two draws; win and draw; two
    /// wins.
    pub pentanomial: Pentanomial,
    /// A's wins and half its draws, as a share of the games of complete pairs.
    pub win_rate: Option<f64>,
    /// The interval of the win rate, from the pentanomial counts ([`Pentanomial::interval`]).
    pub win_rate_interval: Option<Interval>,
    /// A's advantage in Elo, from the pentanomial counts.
    pub elo: Option<EloEstimate>,
    /// The sequential test, if there was one.
    pub test: Option<TestReport>,
    /// A and B.
    pub bots: [BotReport; 2],
    /// The timing noise of the machine; `None` for a match of a tournament, and if no bot had a clock that the machine
    /// could have held up.
    pub steadiness: Option<Steadiness>,
    /// Notes about these figures, each a sentence for the user.
    pub notes: Vec<String>,
}

/// A sequential test of a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct TestReport {
    /// The hypotheses and error probabilities.
    #[serde(flatten)]
    pub test: SequentialTest,
    /// The log-likelihood ratio of the second hypothesis to the first, given all complete pairs.
    pub log_likelihood_ratio: f64,
    /// At or beyond these it decides.
    pub bounds: Interval,
    /// The test's decision. The test looks at pairs in their order, and no pair after the deciding one counts.
    pub decision: Decision,
}

/// A mean of pairs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: Option<f64>,
    /// The standard deviation of the pairs.
    pub standard_deviation: Option<f64>,
    /// Its interval, as [`Score`](crate::Score) computes it; `None` for fewer than two pairs, and if all pairs have the
    /// same difference in points, which tells nothing about the spread of others.
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

/// The end of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum MatchEnd {
    /// All games were played, except those without a result.
    Complete,
    /// The sequential test has decided.
    Decided,
    /// All pairs up to the first possible decision of a sequential test were identical, so that more would tell it
    /// nothing.
    Repeating,
    /// It was stopped from outside.
    Interrupted,
    /// Several games in a row could not be played, or the log could not be written.
    Failed {
        /// Why, in words for the user.
        error: String,
    },
}

/// The conclusion about the two bots, with 95% confidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A is better.
    ABetter,
    /// B is better.
    BBetter,
    /// The pairs played fit bots of equal strength.
    NoDifferenceShown,
}

/// Games by how they ended for A.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Results {
    /// A had more points than B.
    pub wins: u64,
    /// Both had equally many.
    pub draws: u64,
    /// A had fewer.
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

    /// Wins and half the draws.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the score as a share of the games; `None` of no games.
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

/// One bot of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BotReport {
    /// Its name.
    pub name: String,
    /// Mean contest points per game of complete pairs.
    pub points: Option<f64>,
    /// Mean contest points per finished game, by seat.
    pub points_by_seat: Vec<Option<f64>>,
    /// In how many finished games it failed, by kind of failure; kinds that did not occur are left out.
    pub failures: BTreeMap<String, u64>,
    /// The first of each kind.
    pub first_failures: Vec<Failure>,
    /// Mean wall-clock time of all its answers in a finished game, in seconds.
    pub seconds_per_game: Option<f64>,
    /// Lower quartile, median and upper quartile of that time over finished games, in seconds.
    pub quartiles_seconds: Option<[f64; 3]>,
    /// Its slowest answer of all finished games, in seconds; `None` if the referee does not tell.
    pub slowest_seconds: Option<f64>,
    /// In how many finished games it had to be ended, because it did not leave when the game was over. No failure, but
    /// not polite: a judge may wait for it.
    pub left_running: u64,
}
