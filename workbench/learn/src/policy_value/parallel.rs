//! Work on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns the results of `work` for all numbers below `count`, in order. The closure `own` creates the working memory
/// of each thread.
pub(super) fn in_parallel<T, R: Send>(
    threads: usize,
    count: usize,
    own: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) -> R + Sync,
) -> Vec<R> {
    let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let run = || {
        let mut own = own();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(result) = results.get(at) else { break };
            *result.lock().expect("no thread has panicked") = Some(work(&mut own, at));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            scope.spawn(run);
        }
        run();
    });
    let take = |result: Mutex<Option<R>>| result.into_inner().ok().flatten().expect("all work is done");
    results.into_iter().map(take).collect()
}
