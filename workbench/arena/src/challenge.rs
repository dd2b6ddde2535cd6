//! Compares a new version of a bot with old versions in stages: a few games against each version, more games against
//! those of similar strength, and finally a sequential test.

use crate::matches::{Event, KnownGames, Progress};
use crate::plan::{Match, Seating};
use crate::report::{MatchEnd, MatchReport, Verdict};
use contender_game::rules::mix;
use contender_play::{Entrant, Host, RankedBy};
use contender_stats::SequentialTest;
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// A candidate and the bots with which it is compared.
#[derive(Clone, Copy)]
pub struct Challenge<'a> {
    /// The host that plays the games, with its conditions.
    pub host: &'a dyn Host,
    /// The seating of the candidate and its opponent in a match.
    pub seating: Seating<'a>,
    /// The new bot.
    pub candidate: &'a Entrant,
    /// The bots with which the candidate is compared. The first one is the version that the candidate would replace.
    pub benchmarks: &'a [Entrant],
    /// Number of pairs against each benchmark in the first stage.
    pub few: u32,
    /// Number of pairs in the second stage against each benchmark for which the first stage showed no difference.
    pub more: u32,
    /// Maximum number of pairs in the last stage, against the first benchmark. The sequential test can end this stage
    /// earlier.
    pub most: u32,
    /// The sequential test that decides whether the candidate should replace the first benchmark.
    pub test: SequentialTest,
    /// Number of games at a time; 0 counts as 1.
    pub jobs: usize,
    /// The random seed.
    pub seed: u64,
}

/// Returns the default hypotheses for a challenge's test: the candidate is as strong as the benchmark, or stronger by a
/// relevant amount.
#[must_use]
pub fn default_bounds(ranked_by: RankedBy) -> [f64; 2] {
    match ranked_by {
        RankedBy::Points => [0.0, 5.0],
        RankedBy::Wins => [0.0, 20.0],
        RankedBy::Rank => [0.0, 0.05],
    }
}

/// One match of a challenge. Bot A is the candidate.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeMatch {
    /// The stage: 1, 2 or 3.
    pub stage: u32,
    /// The benchmark's index in the list.
    pub benchmark: usize,
    /// The report of the match.
    pub report: MatchReport,
}

impl Challenge<'_> {
    /// Plays the stages one after the other and returns their matches in the order of play. Stops early if the games
    /// show that the candidate is worse than the first benchmark, if a match cannot be played, or if `stop` is set.
    /// `known` contains games from earlier runs; those that belong to this challenge are not played again. For `log`,
    /// see [`Match::run`].
    ///
    /// # Panics
    /// Panics if there are no benchmarks.
    pub fn run(
        &self,
        mut known: KnownGames,
        stop: &AtomicBool,
        mut log: Option<&mut dyn Write>,
        observer: &mut dyn FnMut(u32, usize, Event<'_>, &Progress),
    ) -> Vec<ChallengeMatch> {
        assert!(!self.benchmarks.is_empty(), "a challenge has a benchmark");
        let mut bouts = Vec::new();
        let mut opponents: Vec<usize> = (0..self.benchmarks.len()).collect();
        for stage in 1..=3 {
            let mut close = Vec::new();
            let mut is_worse = false;
            for benchmark in opponents {
                let log = log.as_mut().map(|log| &mut **log as &mut dyn Write);
                let bout = known.begin(&self.bout(stage, benchmark));
                let report = bout.run(stop, log, &mut |event, progress| {
                    observer(stage, benchmark, event, progress);
                });
                let is_over = matches!(report.end, MatchEnd::Failed { .. }) || stop.load(Ordering::Relaxed);
                let verdict = report.verdict;
                bouts.push(ChallengeMatch { stage, benchmark, report });
                if is_over {
                    return bouts;
                }
                is_worse |= benchmark == 0 && verdict == Verdict::BBetter;
                close.extend((verdict == Verdict::NoDifferenceShown).then_some(benchmark));
            }
            if is_worse {
                break;
            }
            opponents = if stage == 1 { close } else { vec![0] };
        }
        bouts
    }

    fn bout(&self, stage: u32, benchmark: usize) -> Match<'_> {
        Match {
            host: self.host,
            bots: [self.candidate, &self.benchmarks[benchmark]],
            seating: self.seating,
            pairs: [self.few, self.more, self.most][stage as usize - 1],
            jobs: self.jobs,
            // Every stage has a new seed, so that its games are new evidence.
            seed: mix(&[self.seed, u64::from(stage)]),
            test: (stage == 3).then_some(self.test),
        }
    }
}
