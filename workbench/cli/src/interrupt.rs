//! Ctrl-C: the first asks the running work to finish its report, the second ends the process.

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that the first Ctrl-C (or SIGTERM) sets.
///
/// # Errors
/// If the system does not let us handle signals.
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The order matters: the second signal finds the flag set by the first and ends the process.
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
            .context("cannot handle Ctrl-C")?;
    }
    Ok(stop)
}
