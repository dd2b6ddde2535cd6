//! The environment variables that isolated bots inherit.

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
