//! What the standard library offers everywhere.

use crate::CommandLine;
use std::env;
use std::path::{Path, PathBuf};
use std::thread;

/// What the user's environment has for programs on a terminal, and a judge's has not: with it a bot that forgets to
/// flush would play here and not there.
pub(crate) const NOT_INHERITED: &str = "PYTHONUNBUFFERED";

/// The file of a command's program, if there is one.
pub(crate) fn program_of(command: &CommandLine) -> Option<PathBuf> {
    let name = command.name();
    if name.contains(std::path::is_separator) {
        return find_program(&command.path(name).to_string_lossy());
    }
    find_program(name)
}

/// The file that the system would execute for a name.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let executable = |path: PathBuf| {
        let with_suffix = path.as_os_str().to_string_lossy().into_owned() + env::consts::EXE_SUFFIX;
        [path, PathBuf::from(with_suffix)].into_iter().find(|path| is_executable(path))
    };
    if name.contains(std::path::is_separator) {
        return executable(PathBuf::from(name));
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).filter(|_| !name.is_empty()).find_map(|folder| executable(folder.join(name)))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// How many cores of this machine this process may use, at least 1.
#[must_use]
pub fn available_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Whether a program needs a variable of the user's environment: where it finds its own, how it writes for people, how
/// many threads it makes. Others hold secrets often enough.
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
