//! A new version of a bot against old ones, in stages: a few games against all, more against those that are close, then
//! the decision.

use crate::matches::{Event, Progress};
use crate::plan::Match;
use crate::report::{MatchEnd, MatchReport, Verdict};
use contender_game::{Contest, mix};
use contender_referee::{Entrant, Referee};
use contender_stats::SequentialTest;
use serde::Serialize;
use std::ops::ControlFlow;
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
pub struct Bout<R = MatchReport> {
    /// 1, 2 or 3.
    pub stage: u32,
    /// The benchmark's number in the list.
    pub benchmark: usize,
    /// What came of it.
    pub report: R,
}

/// Plays the stages of a challenge one after the other, in which `play` gets the stage, the benchmark and the pairs of
/// each match, and says what it has shown of the candidate and whether to go on. Returns the matches in the order of
/// play. It ends early when the candidate is shown to be worse than the first benchmark.
///
/// # Panics
/// If there is no benchmark.
pub fn play_stages<R>(
    benchmarks: usize,
    pairs: [u32; 3],
    mut play: impl FnMut(u32, usize, u32) -> (R, Verdict, ControlFlow<()>),
) -> Vec<Bout<R>> {
    assert!(benchmarks > 0, "a challenge has a benchmark");
    let mut bouts = Vec::new();
    let mut opponents: Vec<usize> = (0..benchmarks).collect();
    for stage in 1..=3 {
        let mut close = Vec::new();
        let mut is_worse = false;
        for benchmark in opponents {
            let (report, verdict, flow) = play(stage, benchmark, pairs[stage as usize - 1]);
            bouts.push(Bout { stage, benchmark, report });
            if flow.is_break() {
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
        play_stages(self.benchmarks.len(), [self.few, self.more, self.most], |stage, benchmark, pairs| {
            let report = Match {
                contest: self.contest,
                referee: self.referee,
                bots: [self.candidate, &self.benchmarks[benchmark]],
                pairs,
                jobs: self.jobs,
                // New luck in every stage, so that its games are new evidence.
                seed: mix(&[self.seed, u64::from(stage)]),
                test: (stage == 3).then_some(self.test),
            }
            .run(stop, None, &mut |event, progress| observer(stage, benchmark, event, progress));
            let is_over = matches!(report.end, MatchEnd::Failed { .. }) || stop.load(Ordering::Relaxed);
            let verdict = report.verdict;
            (report, verdict, if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }
}
