//! What external bots may use of this machine.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// What an external bot may use. Limits of CPU time and file sizes are for each of its processes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// Bytes of memory of all kinds, all processes together, where control groups bound it. Elsewhere bytes of private
    /// memory of each process (`RLIMIT_DATA`: heap, stacks of threads, writable mappings), and what processes share is
    /// not counted. Not address space: Java, Go and Node reserve far more of that than they use.
    pub memory: Option<u64>,
    /// CPU time, rounded up to whole seconds; beyond it the process is killed by signal 24 (SIGXCPU) or 9.
    pub cpu: Option<Duration>,
    /// Processes besides the first one; 0 lets it have threads and is enforced for everybody. Other numbers count
    /// threads, too. Where no control group counts them, they count together with all processes and threads that the
    /// user has when the isolation is made, and root is exempt (`RLIMIT_NPROC`).
    pub processes: Option<u32>,
    /// Bytes of a file it writes; beyond it the process is killed by signal 25 (SIGXFSZ).
    pub file_size: Option<u64>,
    /// The folders in which it may make and change files, besides `/dev/null`; `None` for wherever the user may.
    pub writable: Option<Vec<PathBuf>>,
    /// What it may read.
    pub readable: Readable,
    /// Whether it may open sockets of any kind.
    pub network: bool,
    /// Whether it may change what is not its own, and what outlives it, by calls that have nothing to do with writing
    /// to files: rights, owners, times and locks of files, limits and priorities of other processes, its own cores,
    /// shared memory, queues and keys; and whether it keeps root's special rights.
    pub changes: bool,
}

/// What an external bot may read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readable {
    /// All that the user may.
    All,
    /// What programs need (the system's folders, those of the `PATH`), the bot's program with the folder it lies in, or
    /// the folder around it where that one is called `bin`, and every file, with its folder, and every folder that its
    /// command names. The home folder is read only where it is named.
    Needed {
        /// What is not read all the same in these folders: all whose path begins like one of these.
        hidden: Vec<PathBuf>,
        /// What is read besides: files and folders by their paths, programs of the `PATH` by their names.
        others: Vec<PathBuf>,
    },
}

impl Bounds {
    /// No bounds at all, to start from.
    pub const NONE: Bounds = Bounds {
        memory: None,
        cpu: None,
        processes: None,
        file_size: None,
        writable: None,
        readable: Readable::All,
        network: true,
        changes: true,
    };

    /// For the bots of others: 1 GiB of memory, no network, nothing to write to or to change, only its own files to
    /// read, and 2,000 processes and threads (without control groups more than the user has, all bots together): enough
    /// for every runtime, too few for a bot that forks without end to take the machine down. No process at all would be
    /// what a judge allows, but many a `python3` is a script that forks before it is Python.
    #[must_use]
    pub fn strict() -> Bounds {
        Bounds {
            memory: Some(1 << 30),
            cpu: None,
            processes: Some(2000),
            file_size: Some(1 << 24),
            writable: Some(Vec::new()),
            readable: Readable::Needed { hidden: Vec::new(), others: Vec::new() },
            network: false,
            changes: false,
        }
    }

    /// Checks that the writable folders exist.
    ///
    /// # Errors
    /// The first folder that does not, with the reason of the system.
    pub fn check_folders(&self) -> io::Result<()> {
        self.writable.iter().flatten().try_for_each(|folder| match folder.metadata() {
            Ok(_) => Ok(()),
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("the bots' folder {}: {error}", folder.display())))
            }
        })
    }
}
