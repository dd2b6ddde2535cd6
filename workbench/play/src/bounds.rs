//! The resources that external bots may use.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The resources of an external bot. Limits of CPU time and file sizes are for each of its processes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// Bytes of memory of all kinds, of all processes together, if control groups can limit it. Otherwise bytes of
    /// private memory of each process (`RLIMIT_DATA`: heap, stacks of threads, writable mappings), without memory that
    /// processes share. Not address space: Java, Go and Node reserve far more of that than they use.
    pub memory: Option<u64>,
    /// CPU time, rounded up to whole seconds; beyond it the process is killed by signal 24 (SIGXCPU) or 9.
    pub cpu: Option<Duration>,
    /// Processes in addition to the first one; 0 still allows threads and is enforced for every user. Other numbers
    /// also count threads. Without a control group that counts them, they count together with all processes and threads
    /// that the user has when the isolation is made, and root is exempt (`RLIMIT_NPROC`).
    pub processes: Option<u32>,
    /// Bytes of a file it writes; beyond it the process is killed by signal 25 (SIGXFSZ).
    pub file_size: Option<u64>,
    /// The folders in which it may make and change files, besides `/dev/null`; `None` for wherever the user may.
    pub writable: Option<Vec<PathBuf>>,
    /// The files that it may read.
    pub readable: Readable,
    /// Whether it may open sockets of any kind.
    pub network: bool,
    /// Whether it may change things that are not its own or outlive it, by calls other than writing to files: rights,
    /// owners, times and locks of files, limits and priorities of other processes, its own cores, shared memory, queues
    /// and keys; and whether it keeps root's special rights.
    pub changes: bool,
}

/// The files that an external bot may read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readable {
    /// Every file that the user may read.
    All,
    /// The files that programs need: the system's folders, those of the `PATH`, the folder of the bot's program (or the
    /// folder around it, if it is called `bin`), every file that its command names, with its folder, and every folder
    /// that its command names. The home folder is readable only if the command names it.
    Needed {
        /// Exceptions in these folders: the paths that begin like one of these are not readable.
        hidden: Vec<PathBuf>,
        /// Additional readable files: files and folders by their paths, programs of the `PATH` by their names.
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

    /// Returns the bounds for third-party bots: 1 GiB of memory, no network, nothing to write to or to change, only its
    /// own files to read, and 2,000 processes and threads (without control groups 2,000 more than the user has, for all
    /// bots together): enough for every runtime, too few for a fork bomb to take the machine down. A judge allows no
    /// further process at all, but many a `python3` is a script that forks before it becomes Python.
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
