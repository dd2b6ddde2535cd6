//! Ctrl-C: the first asks the running work to finish its report, a later one ends the process.

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A signal this soon after the first is taken for the same wish: `timeout`, for one, signals twice.
const SAME_WISH: Duration = Duration::from_millis(300);

/// A flag that the first Ctrl-C (or SIGTERM) sets.
///
/// # Errors
/// If the system does not let us handle signals.
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot handle Ctrl-C")?;
    let flag = Arc::clone(&stop);
    thread::spawn(move || {
        let mut first: Option<Instant> = None;
        for _ in signals.forever() {
            flag.store(true, Ordering::Relaxed);
            let since_first = first.get_or_insert_with(Instant::now).elapsed();
            if since_first > SAME_WISH {
                std::process::exit(130);
            }
        }
    });
    Ok(stop)
}
