//! Plays games on worker threads and hands their records to one place.

use contender_game::Contest;
use contender_referee::{GamePlan, GameRecord, Referee};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Workers that play games of one contest under one referee.
#[derive(Clone, Copy)]
pub(crate) struct Pool<'a> {
    pub contest: &'a dyn Contest,
    pub referee: &'a Referee,
    /// How many games are played at once; 0 is taken as 1.
    pub jobs: usize,
}

impl Pool<'_> {
    /// Plays the games 0 to `games - 1` and hands each result to `collect`, on this thread and in the order in which games end,
    /// until all are played or one side says stop. A game without a plan is left out.
    ///
    /// `stop` ends it from another thread: games under way are broken off and not handed over. After a `Break` of `collect` no
    /// game is started any more, and those under way are played to their end.
    pub fn play<'p>(
        &self,
        games: u64,
        plan: &(dyn Fn(u64) -> Option<GamePlan<'p>> + Sync),
        stop: &AtomicBool,
        mut collect: impl FnMut(u64, Result<GameRecord, String>) -> ControlFlow<()>,
    ) {
        let next = AtomicU64::new(0);
        let halt = AtomicBool::new(false);
        // Plays one game after the other until there is none left or one of the flags is set.
        let work = |results: mpsc::SyncSender<(u64, Result<GameRecord, String>)>| {
            while !stop.load(Ordering::Relaxed) && !halt.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= games {
                    return;
                }
                let Some(plan) = plan(index) else { continue };
                // A panic is a bug of a judge or the referee; it must not take down what has been played.
                let result = catch_unwind(AssertUnwindSafe(|| {
                    self.referee.play(self.contest, plan, stop).map_err(|error| error.to_string())
                }))
                .unwrap_or_else(|_| Err("the referee panicked; this is a bug".to_string()));
                if results.send((index, result)).is_err() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            // A result is handed over, not queued, so that workers are no further than a game ahead when the end comes.
            let (sender, results) = mpsc::sync_channel(0);
            for _ in 0..games.min(self.jobs.max(1) as u64) {
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move || work(sender));
            }
            drop(sender);
            for (index, result) in results {
                if matches!(&result, Ok(record) if record.interrupted) {
                    continue;
                }
                if collect(index, result).is_break() {
                    halt.store(true, Ordering::Relaxed);
                }
            }
        });
    }
}
