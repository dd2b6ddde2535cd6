//! Handling of Ctrl-C, a closed terminal and other requests to end. After the first request, the running work finishes
//! its report. A later request ends the process.

use anyhow::Context;
use signal_hook::consts;
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Signals that request an end: Ctrl-C, `kill`, a closed terminal, the end of the CPU time.
#[cfg(unix)]
const ENDS: &[i32] = &[consts::SIGINT, consts::SIGTERM, consts::SIGHUP, consts::SIGXCPU];
/// Signals that request an end on other systems: Ctrl-C, and a signal that these systems never send.
#[cfg(not(unix))]
const ENDS: &[i32] = &[consts::SIGINT, consts::SIGTERM];

/// A signal that arrives within this time after the first one counts as the same request. For example, `timeout` sends
/// two signals.
const SAME_WISH: Duration = Duration::from_millis(300);

/// Interval at which the thread polls for signals, because a signal does not wake a thread on every system.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The flag for the main work of this process.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Returns a flag for work that also ends without a signal. If the flag is set, the work is interrupted, and
/// [`main`](crate::main) returns the exit code for an interruption. See [`end_flag`] for the signals that set the flag.
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

/// Returns a flag for a service, which runs until a user stops it. The flag is set by the first Ctrl-C or SIGTERM, by a
/// closed terminal, and when this process has used up its CPU time. After this call, writing beyond the file size limit
/// causes an error instead of killing the process.
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

/// Sets the flag at the end of standard input. So this process also ends if the program that started it is killed,
/// because that program holds the other end of the input.
pub fn end_with_input(stop: &Arc<AtomicBool>) {
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        stop.store(true, Ordering::Relaxed);
    });
}

/// Returns whether this process was started with a signal ignored. The result is `false` if the system does not show
/// this.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask >> (signal - 1) & 1 == 1
}
