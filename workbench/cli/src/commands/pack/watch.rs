//! A function that waits until a source file changes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// The time between two checks of the files.
const PERIOD: Duration = Duration::from_millis(300);

/// Waits until a file in these folders changes. If no folders are given, watches the manifest's folder. Returns `true`
/// if a file has changed, and `false` if `stop` was set.
pub fn wait_for_change(folders: &[PathBuf], manifest: &Path, stop: &AtomicBool) -> bool {
    let around = manifest.parent().unwrap_or(Path::new("")).to_path_buf();
    let folders = if folders.is_empty() { std::slice::from_ref(&around) } else { folders };
    let before = newest(folders);
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(PERIOD);
        if newest(folders) != before {
            return true;
        }
    }
    false
}

/// Returns the time of the latest change in these folders and the number of files in them. Ignores Cargo's output.
fn newest(folders: &[PathBuf]) -> (Option<SystemTime>, usize) {
    let mut state = (None, 0);
    for folder in folders {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            if path.is_dir() {
                if name != "target" && !name.to_string_lossy().starts_with('.') {
                    let (time, count) = newest(std::slice::from_ref(&path));
                    state = (state.0.max(time), state.1 + count);
                }
            } else {
                let time = entry.metadata().and_then(|meta| meta.modified()).ok();
                state = (state.0.max(time), state.1 + 1);
            }
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_ends_the_wait() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| std::fs::write(folder.path().join(name), "").unwrap();
        write("a.rs");
        std::fs::create_dir(folder.path().join("target")).unwrap();
        let state = || newest(&[folder.path().to_path_buf()]);
        let before = state();
        write("target/b");
        assert_eq!(state(), before);
        write("c.rs");
        assert_ne!(state(), before);
        assert!(!wait_for_change(&[], &folder.path().join("Cargo.toml"), &AtomicBool::new(true)));
    }
}
