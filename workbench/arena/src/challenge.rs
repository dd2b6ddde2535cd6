//! A new version of a bot against old ones, in stages: a few games against all, more against those that are close, then
//! the decision.

use crate::matches::{Event, Progress};
use crate::plan::Match;
use crate::report::{MatchEnd, MatchReport, Verdict};
use contender_game::{Contest, mix};
use contender_referee::{Entrant, Referee};
use contender_stats::SequentialTest;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// A candidate and the bots it is measured against.
#[derive(Clone, Copy)]
pub struct Challenge<'a> {
    /// What is played.
    pub contest: &'a dyn Contest,
    /// Under which limits and rules.
    pub referee: &'a Referee,
    /// The new bot.
    pub candidate: &'a Entrant,
    /// The bots it is compared with; the first is the one that it is to replace.
    pub benchmarks: &'a [Entrant],
    /// Pairs against every benchmark in the first stage.
    pub few: u32,
    /// Pairs against each benchmark in the second stage from which the first has shown no difference.
    pub more: u32,
    /// The most pairs against the first benchmark in the last stage, which a sequential test ends.
    pub most: u32,
    /// Decides whether the candidate replaces the first benchmark.
    pub test: SequentialTest,
    /// How many games are played at once; 0 is taken as 1.
    pub jobs: usize,
    /// The seed of all luck.
    pub seed: u64,
}

/// One match of a challenge; the candidate is A.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Bout {
    /// 1, 2 or 3.
    pub stage: u32,
    /// The benchmark's number in the list.
    pub benchmark: usize,
    /// What came of it.
    pub report: MatchReport,
}

impl Challenge<'_> {
    /// Plays the stages one after the other and returns their matches in the order of play. It ends early when the
    /// candidate is shown to be worse than the first benchmark, when a match cannot be played, or when `stop` is set.
    ///
    /// # Panics
    /// If there is no benchmark.
    pub fn run(
        &self,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(u32, usize, Event<'_>, &Progress),
    ) -> Vec<Bout> {
        assert!(!self.benchmarks.is_empty(), "a challenge has a benchmark");
        let mut bouts: Vec<Bout> = Vec::new();
        for stage in 1..=3 {
            let opponents: Vec<usize> = match stage {
                1 => (0..self.benchmarks.len()).collect(),
                2 => bouts
                    .iter()
                    .filter(|bout| bout.report.verdict == Verdict::NoDifferenceShown)
                    .map(|bout| bout.benchmark)
                    .collect(),
                _ => vec![0],
            };
            for benchmark in opponents {
                let report = Match {
                    contest: self.contest,
                    referee: self.referee,
                    bots: [self.candidate, &self.benchmarks[benchmark]],
                    pairs: [self.few, self.more, self.most][stage as usize - 1],
                    jobs: self.jobs,
                    // New luck in every stage, so that its games are new evidence.
                    seed: mix(&[self.seed, u64::from(stage)]),
                    test: (stage == 3).then_some(self.test),
                }
                .run(stop, None, &mut |event, progress| observer(stage, benchmark, event, progress));
                let has_failed = matches!(report.end, MatchEnd::Failed { .. });
                bouts.push(Bout { stage, benchmark, report });
                if has_failed || stop.load(Ordering::Relaxed) {
                    return bouts;
                }
            }
            let is_worse = |bout: &Bout| bout.benchmark == 0 && bout.report.verdict == Verdict::BBetter;
            if bouts.iter().any(is_worse) {
                break;
            }
        }
        bouts
    }
}
