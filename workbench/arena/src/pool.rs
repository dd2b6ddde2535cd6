//! Plays games on worker threads and hands their records to one place.

use contender_game::Contest;
use contender_referee::{GamePlan, GameRecord, Referee, share_out};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

/// Workers that play games of one contest under one referee.
#[derive(Clone, Copy)]
pub(crate) struct Pool<'a> {
    pub contest: &'a dyn Contest,
    pub referee: &'a Referee,
    /// How many games are played at once; 0 is taken as 1.
    pub jobs: usize,
}

impl Pool<'_> {
    /// Plays the games 0 to `games - 1` and hands each result to `collect`, as [`share_out`] does. A game without a
    /// plan is left out, and so is one that `stop` breaks off.
    pub fn play<'p>(
        &self,
        games: u64,
        plan: &(dyn Fn(u64) -> Option<GamePlan<'p>> + Sync),
        stop: &AtomicBool,
        collect: impl FnMut(u64, Result<GameRecord, String>) -> ControlFlow<()>,
    ) {
        let play = |index: u64| {
            let plan = plan(index)?;
            // A panic is a bug of a judge or the referee; it must not take down what has been played.
            let result = catch_unwind(AssertUnwindSafe(|| {
                self.referee.play(self.contest, plan, stop).map_err(|error| error.to_string())
            }))
            .unwrap_or_else(|_| Err("the referee panicked; this is a bug".to_string()));
            let is_broken_off = matches!(&result, Ok(record) if record.interrupted);
            (!is_broken_off).then_some(result)
        };
        share_out(self.jobs, games, stop, play, collect);
    }
}
