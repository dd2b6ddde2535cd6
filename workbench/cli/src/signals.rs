//! Ctrl-C, a terminal that is closed, and other wishes to end: the first asks the running work to finish its report, a
//! later one ends the process.

use anyhow::Context;
use signal_hook::consts;
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Signals that ask for an end: Ctrl-C, `kill`, a closed terminal, the end of CPU time.
#[cfg(unix)]
const ENDS: &[i32] = &[consts::SIGINT, consts::SIGTERM, consts::SIGHUP, consts::SIGXCPU];
/// Elsewhere there is Ctrl-C; the other is never sent.
#[cfg(not(unix))]
const ENDS: &[i32] = &[consts::SIGINT, consts::SIGTERM];

/// A signal this soon after the first is taken for the same wish: `timeout`, for one, signals twice.
const SAME_WISH: Duration = Duration::from_millis(300);

/// Interval between looks for a signal. Not every system wakes a thread by a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The flag of the work that this process was started for.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Returns a flag for a work that has an end of its own: who sets it breaks the work off, and [`main`](crate::main)
/// tells the shell so. Otherwise as [`end_flag`].
///
/// # Errors
/// See [`end_flag`].
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = end_flag()?;
    Ok(Arc::clone(STOP.get_or_init(|| stop)))
}

/// Returns whether the work was broken off.
pub fn was_interrupted() -> bool {
    STOP.get().is_some_and(|stop| stop.load(Ordering::Relaxed))
}

/// Returns a flag for a service, which ends in no other way: the first Ctrl-C sets it, or SIGTERM, a terminal that is
/// closed, or the end of the CPU time that this process may use. A file that grows larger than this process may write
/// is an error from then on, and no end without a word.
///
/// # Errors
/// If the system does not let us handle signals.
pub fn end_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // Who starts a program with `nohup` wants it to stay when the terminal goes.
    let signals: Vec<i32> = ENDS.iter().copied().filter(|&signal| !is_ignored(signal)).collect();
    for &signal in &signals {
        flag::register(signal, Arc::clone(&stop)).context("cannot handle Ctrl-C")?;
    }
    #[cfg(unix)]
    flag::register(consts::SIGXFSZ, Arc::default()).context("cannot handle the limit of file sizes")?;
    let was_asked = Arc::clone(&stop);
    thread::spawn(move || {
        while !was_asked.load(Ordering::Relaxed) {
            thread::sleep(POLL_INTERVAL);
        }
        thread::sleep(SAME_WISH);
        for signal in signals {
            let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&was_asked));
        }
    });
    Ok(stop)
}

/// Sets the flag at the end of standard input: for a program that starts this one, holds the other end of its input,
/// and may be killed.
pub fn end_with_input(stop: &Arc<AtomicBool>) {
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        stop.store(true, Ordering::Relaxed);
    });
}

/// Returns whether this process was started so that it ignores a signal, as far as the system tells.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask >> (signal - 1) & 1 == 1
}
