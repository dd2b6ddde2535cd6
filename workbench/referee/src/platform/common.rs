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

/// Returns whether a program needs a variable of the user's environment, for example to find its own files, to write
/// for people, or to choose its number of threads. Other variables often hold secrets.
pub(crate) fn is_needed(variable: &str) -> bool {
    const NAMES: [&str; 29] = [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TZDIR",
        "TERM",
        "TMPDIR",
        "LD_LIBRARY_PATH",
        "RUST_BACKTRACE",
        "RUST_MIN_STACK",
        "JAVA_HOME",
        "CLASSPATH",
        "GOMAXPROCS",
        "GOMEMLIMIT",
        "GOGC",
        "NODE_PATH",
        "VIRTUAL_ENV",
        "PYTHONPATH",
        "PYTHONHOME",
        "PYTHONHASHSEED",
        "PYTHONDONTWRITEBYTECODE",
        "DOTNET_ROOT",
        "MONO_PATH",
        "PERL5LIB",
        "LUA_PATH",
    ];
    const BEGINNINGS: [&str; 5] = ["LC_", "OMP_", "RAYON_", "OPENBLAS_", "MKL_"];
    NAMES.contains(&variable) || BEGINNINGS.iter().any(|beginning| variable.starts_with(beginning))
}
