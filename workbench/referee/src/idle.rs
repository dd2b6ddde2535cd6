//! Bots between two games: the processes of those that play several in one process.

use crate::CommandLine;
use crate::platform::ChildProcess;
use crate::process::Process;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The processes that wait for their next game, each with its command; clones share them. They end with the last clone.
#[derive(Clone, Default)]
pub struct IdleProcesses(Arc<Mutex<Vec<Waiting>>>);

struct Waiting {
    command: CommandLine,
    process: Box<Process>,
}

impl IdleProcesses {
    /// Returns the number of waiting processes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Ends all that wait.
    pub fn clear(&self) {
        let processes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        drop(processes);
    }

    /// CPU time that the waiting bots have used in all their games, if the system tells.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.iter().filter_map(|waiting| waiting.process.child.cpu()).sum()
    }

    /// Returns a process of this command that still runs, the last that came.
    pub(crate) fn take(&self, command: &CommandLine) -> Option<Box<Process>> {
        loop {
            let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let at = idle.iter().rposition(|waiting| waiting.command == *command)?;
            let Waiting { mut process, .. } = idle.remove(at);
            drop(idle);
            if process.renew() {
                return Some(process);
            }
        }
    }

    pub(crate) fn put(&self, command: CommandLine, process: Box<Process>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Waiting { command, process });
    }
}

impl fmt::Debug for IdleProcesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Idle({})", self.count())
    }
}
