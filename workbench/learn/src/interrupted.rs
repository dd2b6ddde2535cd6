//! Training runs that stop again and again, for the tests.

use std::cell::Cell;

/// Calls `train` until it returns true, for a finished training. The first call must stop when it has checked
/// for a stop `checks` times, the second call after twice as many checks, and so on.
///
/// # Panics
///
/// Panics if the training is finished within three calls, or not within 50.
pub fn train_in_pieces(checks: usize, mut train: impl FnMut(&dyn Fn() -> bool) -> bool) {
    for call in 1..50 {
        let done = Cell::new(0);
        let is_stopped = || {
            done.set(done.get() + 1);
            done.get() > checks * call
        };
        if train(&is_stopped) {
            assert!(call > 3, "never stopped");
            return;
        }
    }
    panic!("the training gets nowhere");
}
