//! Work for several threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Runs the pieces of work 0 to `count - 1` on `threads` threads, 0 counting as 1, and hands each result to `collect`,
/// on this thread and in the order in which they finish, until all are done or one side says stop. A piece without a
/// result is left out.
///
/// Once `stop` is set, from any thread, or after a `Break` of `collect`, no piece is begun any more; those under way
/// are done to their end and handed over.
///
/// # Panics
/// If `work` or `collect` panics.
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
        // A result is handed over, not queued, so that workers are no further than a piece ahead when the end comes.
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
