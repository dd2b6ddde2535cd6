//! What the standard library offers everywhere.

use std::env;
use std::path::{Path, PathBuf};
use std::thread;

/// What the user's environment has for programs on a terminal, and a judge's has not: with it a bot that forgets to flush would play
/// here and not there.
pub(crate) const NOT_INHERITED: &str = "PYTHONUNBUFFERED";

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
