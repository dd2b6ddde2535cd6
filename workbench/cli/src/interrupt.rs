//! Ctrl-C: the first asks the running work to finish its report, a later one ends the process.

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A signal this soon after the first is taken for the same wish: `timeout`, for one, signals twice.
const SAME_WISH: Duration = Duration::from_millis(300);

/// How often is looked whether there was a signal. Not every system wakes a thread by one.
const LOOK_UP: Duration = Duration::from_millis(50);

/// A flag that the first Ctrl-C (or SIGTERM) sets.
///
/// # Errors
/// If the system does not let us handle signals.
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];
    let stop = Arc::new(AtomicBool::new(false));
    for signal in SIGNALS {
        flag::register(signal, Arc::clone(&stop)).context("cannot handle Ctrl-C")?;
    }
    let was_asked = Arc::clone(&stop);
    thread::spawn(move || {
        while !was_asked.load(Ordering::Relaxed) {
            thread::sleep(LOOK_UP);
        }
        thread::sleep(SAME_WISH);
        for signal in SIGNALS {
            let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&was_asked));
        }
    });
    Ok(stop)
}
