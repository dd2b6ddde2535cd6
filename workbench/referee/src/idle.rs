//! Processes of bots that play several games and are waiting for the next one.

use crate::CommandLine;
use crate::platform::ChildProcess;
use crate::process::Process;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The processes that are waiting for their next game, each with its command. Clones share the processes, which are
/// ended when the last clone is dropped.
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

    /// Ends all waiting processes.
    pub fn clear(&self) {
        let processes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        drop(processes);
    }

    /// Returns the CPU time that the waiting bots have used in all their games, if the system reports it.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.iter().filter_map(|waiting| waiting.process.child.cpu()).sum()
    }

    /// Takes out the most recently added process that has this command and is still running.
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
