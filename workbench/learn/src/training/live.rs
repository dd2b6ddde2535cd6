//! A training run that is running: its lock on the folder, and its current phase for other processes.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, SystemTime};

const LOCK: &str = "training.lock";
const PHASE: &str = "phase.json";

/// The number of attempts to lock a folder, and the time between two attempts. [`read`] holds the lock for a moment.
const ATTEMPTS: (u32, Duration) = (20, Duration::from_millis(10));

/// The current phase of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Live {
    /// The time at which the process started.
    pub started: SystemTime,
    /// Name of the phase, for example `generation 1 of 4: games`.
    pub phase: String,
    /// The completed fraction of the phase, from 0 to 1.
    pub done: f64,
    /// Remaining time of the phase in seconds, if known.
    pub left_seconds: Option<f64>,
}

impl Live {
    /// Writes the phase of a run that starts now.
    pub(super) fn start(folder: &Path) -> Live {
        let mut live =
            Live { started: SystemTime::now(), phase: String::new(), done: 0.0, left_seconds: None };
        live.write(folder, "start", 0.0, None);
        live
    }

    /// Writes the current phase. Ignores errors, because the phase is only information. Does not wait for the disk,
    /// because steps may be short.
    pub(super) fn write(&mut self, folder: &Path, phase: &str, done: f64, left_seconds: Option<f64>) {
        *self = Live { started: self.started, phase: phase.to_string(), done, left_seconds };
        let part = folder.join(format!("{PHASE}.part"));
        let text = serde_json::to_vec(self).expect("a phase consists of a text and numbers");
        let _ = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, folder.join(PHASE)));
    }

    /// Removes the phase of a run that ends.
    pub(super) fn end(&self, folder: &Path) {
        let _ = std::fs::remove_file(folder.join(PHASE));
    }
}

/// Returns the current phase of the training run in a folder, or `None` if no process is training there.
pub(super) fn read(folder: &Path) -> Option<Live> {
    match File::open(folder.join(LOCK)).ok()?.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        _ => return None,
    }
    let bytes = contender_input::read(&folder.join(PHASE), contender_input::MAX_DATA).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Locks a folder against other training runs while the returned file is open. The system releases the lock when this
/// process ends for any reason.
pub(super) fn lock(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    let file = File::options().write(true).create(true).truncate(false).open(&path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    for _ in 0..ATTEMPTS.0 {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(ATTEMPTS.1),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
    }
    let folder = folder.display();
    bail!(
        "another training run is writing to {folder}\nhint: stop it first, or choose another folder with --output"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_training_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(folder.path()).unwrap();
        let second = lock(folder.path()).unwrap_err().to_string();
        assert!(second.starts_with("another training run is writing to"), "{second}");
        drop(first);
        assert!(lock(folder.path()).is_ok());
    }

    /// The phase of a process that was killed is not that of a running one.
    #[test]
    fn a_phase_is_known_while_the_training_runs() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), None);
        let lock = lock(folder.path()).unwrap();
        let mut live = Live::start(folder.path());
        assert_eq!(read(folder.path()).unwrap().phase, "start");
        live.write(folder.path(), "games", 0.25, Some(3.5));
        assert_eq!(read(folder.path()).as_ref(), Some(&live));
        drop(lock);
        assert_eq!(read(folder.path()), None);
        live.end(folder.path());
        assert!(!folder.path().join(PHASE).exists());
    }
}
