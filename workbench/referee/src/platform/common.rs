//! Platform functions based on the standard library, which work on every system.

use std::thread;

/// An environment variable that bots do not inherit. Users may set it, but judges do not: with the variable, a bot that
/// forgets to flush its output would work here but fail at the judge.
pub(crate) const NOT_INHERITED: &str = "PYTHONUNBUFFERED";

/// Returns the number of cores that this process may use, at least 1.
#[must_use]
pub fn available_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
