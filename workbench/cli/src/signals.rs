//! Handling of Ctrl-C, a closed terminal and other requests to stop. After the first request, the command stops its
//! work and prints its report. A second request ends the process at once.

use anyhow::Context;
use signal_hook::consts;
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Signals that ask the process to stop: Ctrl-C, `kill`, a closed terminal, or the CPU time limit.
#[cfg(unix)]
const ENDS: &[i32] = &[consts::SIGINT, consts::SIGTERM, consts::SIGHUP, consts::SIGXCPU];
/// Signals that ask the process to stop on other systems: Ctrl-C, and a signal that these systems never send.
#[cfg(not(unix))]
const ENDS: &[i32] = &[consts::SIGINT, consts::SIGTERM];

/// A signal that arrives within this time after the first one counts as the same request. For example, `timeout` sends
/// two signals.
const SAME_WISH: Duration = Duration::from_millis(300);

/// Interval at which the thread polls for signals, because a signal does not wake a thread on every system.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The stop flag for the main work of this process.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Returns a flag for work that normally ends by itself. A signal sets the flag; then the work stops, and
/// [`main`](crate::main) returns the exit code for an interruption. See [`end_flag`] for the signals.
///
/// # Errors
/// See [`end_flag`].
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = end_flag()?;
    Ok(Arc::clone(STOP.get_or_init(|| stop)))
}

/// Returns whether the work was interrupted.
pub fn was_interrupted() -> bool {
    STOP.get().is_some_and(|stop| stop.load(Ordering::Relaxed))
}

/// Returns a flag for a service that runs until the user stops it. The first Ctrl-C or SIGTERM sets the flag, and so
/// does a closed terminal or an exhausted CPU time limit. After this call, exceeding the file size limit causes a write
/// error instead of killing the process.
///
/// # Errors
/// Returns an error if the signal handlers cannot be installed.
pub fn end_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // A program that was started with `nohup` must survive the end of the terminal.
    let signals: Vec<i32> = ENDS.iter().copied().filter(|&signal| !is_ignored(signal)).collect();
    for &signal in &signals {
        flag::register(signal, Arc::clone(&stop)).context("cannot handle Ctrl-C")?;
    }
    #[cfg(unix)]
    flag::register(consts::SIGXFSZ, Arc::default()).context(
        "cannot handle the signal for the file size \
                                                             limit",
    )?;
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

/// Sets the flag when standard input is closed. This process therefore also stops if the program that started it is
/// killed, because that program holds the other end of the pipe.
pub fn end_with_input(stop: &Arc<AtomicBool>) {
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        stop.store(true, Ordering::Relaxed);
    });
}

/// Returns whether this signal was already ignored when the process started, or `false` if the system does not tell.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask >> (signal - 1) & 1 == 1
}
