//! Distribution of work among several threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Runs the tasks 0 to `count - 1` on `threads` threads (at least 1). Passes each result to `collect` on this thread,
/// in the order in which tasks finish, until all tasks are done or the run is stopped. Skips tasks without a result.
///
/// After a thread has set `stop` or `collect` has returned `Break`, no new task starts. Running tasks are completed,
/// and their results are passed to `collect`.
///
/// # Panics
/// Panics if `work` or `collect` panics.
pub fn share_out<R: Send>(
    threads: usize,
    count: u64,
    stop: &AtomicBool,
    work: impl Fn(u64) -> Option<R> + Sync,
    mut collect: impl FnMut(u64, R) -> ControlFlow<()>,
) {
    let next = AtomicU64::new(0);
    let halt = AtomicBool::new(false);
    let run = |results: mpsc::SyncSender<(u64, R)>| {
        while !stop.load(Ordering::Relaxed) && !halt.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            let Some(result) = work(index) else { continue };
            if results.send((index, result)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        // Results are handed over directly, without a queue, so that workers are at most one piece ahead when the work
        // is stopped.
        let (sender, results) = mpsc::sync_channel(0);
        for _ in 0..count.min(threads.max(1) as u64) {
            let (sender, run) = (sender.clone(), &run);
            scope.spawn(move || run(sender));
        }
        drop(sender);
        for (index, result) in results {
            if collect(index, result).is_break() {
                halt.store(true, Ordering::Relaxed);
            }
        }
    });
}
