//! A new version of a bot against old ones, in the stages of [`play_stages`].

use crate::commands::Bot;
use crate::record::Record;
use crate::referee::ForeignReferee;
use crate::report::SeriesReport;
use crate::series::{Course, Event, Series};
use contender_arena::{Bout, MatchEnd, Verdict, play_stages};
use contender_game::mix;
use contender_stats::SequentialTest;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// A candidate and the bots it is measured against, each by a name of its own.
#[derive(Clone, Copy)]
pub struct Challenge<'a> {
    /// Who referees.
    pub referee: &'a ForeignReferee,
    /// The new bot.
    pub candidate: &'a Bot,
    /// The bots it is compared with; the first is the one that it is to replace.
    pub benchmarks: &'a [Bot],
    /// Pairs of each stage against each bot: a few against all, more against those that are close, and the most against
    /// the first one, which the test ends.
    pub pairs: [u32; 3],
    /// Decides whether the candidate replaces the first benchmark, in Elo.
    pub test: SequentialTest,
    /// The seed of all luck.
    pub seed: u64,
    /// How many games are played at once; 0 is taken as 1.
    pub jobs: usize,
}

impl Challenge<'_> {
    /// Plays the stages; `known`, `stop` and `log` are as in [`Series::run`]. It ends early when a match cannot be
    /// played or when `stop` is set.
    ///
    /// # Panics
    /// If there is no benchmark.
    pub fn run(
        &self,
        known: &[Record],
        stop: &AtomicBool,
        mut log: Option<&mut dyn Write>,
        observer: &mut dyn FnMut(u32, usize, Event<'_>, &Course),
    ) -> Vec<Bout<SeriesReport>> {
        play_stages(self.benchmarks.len(), self.pairs, |stage, benchmark, rounds| {
            let series = Series {
                referee: self.referee,
                bots: &[self.candidate.clone(), self.benchmarks[benchmark].clone()],
                players: 2,
                rounds,
                // New luck in every stage, so that its games are new evidence.
                seed: mix(&[self.seed, u64::from(stage)]),
                jobs: self.jobs,
                test: (stage == 3).then_some(self.test),
            };
            let log = log.as_mut().map(|log| &mut **log as &mut dyn Write);
            let course =
                series.run(known, stop, log, &mut |event, course| observer(stage, benchmark, event, course));
            let is_over = matches!(course.end, MatchEnd::Failed { .. }) || stop.load(Ordering::Relaxed);
            let report = SeriesReport::of(&series, &course);
            let verdict = report.pairs.as_ref().map_or(Verdict::NoDifferenceShown, |pairs| pairs.verdict);
            (report, verdict, if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }
}
