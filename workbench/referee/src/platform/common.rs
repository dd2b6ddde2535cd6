//! Features that the standard library offers on every system.

use std::thread;

/// A variable that bots do not inherit. Users set this variable for programs on a terminal, but a judge does not: with
/// the variable, a bot that forgets to flush would work here and fail at the judge.
pub(crate) const NOT_INHERITED: &str = "PYTHONUNBUFFERED";

/// Returns the number of cores that this process may use, at least 1.
#[must_use]
pub fn available_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
