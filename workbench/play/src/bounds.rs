//! The resources that external bots may use.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The resources that an external bot may use. Limits for CPU time and file sizes apply to each of the bot's processes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// Maximum memory of all kinds in bytes, for all processes together, if control groups can limit it. Otherwise the
    /// limit is private memory per process (`RLIMIT_DATA`: heap, thread stacks, writable mappings), without shared
    /// memory. Address space is not limited: Java, Go and Node reserve far more address space than they use.
    pub memory: Option<u64>,
    /// Maximum CPU time, rounded up to whole seconds. A process that uses more is killed by signal 24 (SIGXCPU) or 9.
    pub cpu: Option<Duration>,
    /// Number of processes in addition to the first one. 0 still allows threads, and is enforced even for root. Other
    /// numbers also limit threads. If no control group counts the processes, `RLIMIT_NPROC` limits them: all processes
    /// and threads that the user has when the isolation is made are added to this number, and root is exempt.
    pub processes: Option<u32>,
    /// Maximum size in bytes of a file that the bot writes. A process that writes more is killed by signal 25
    /// (SIGXFSZ).
    pub file_size: Option<u64>,
    /// The folders in which the bot may create and change files, in addition to `/dev/null`; `None` allows all folders
    /// in which the user may do so.
    pub writable: Option<Vec<PathBuf>>,
    /// The files that the bot may read.
    pub readable: Readable,
    /// Whether the bot may open sockets of any kind.
    pub network: bool,
    /// Whether the bot may change things outside itself in other ways than by writing to files. Examples are the
    /// permissions, owners, times and locks of files, the limits and priorities of other processes, the choice of its
    /// own cores, and shared memory, queues and keys. If this is set, the bot also keeps root's special rights.
    pub changes: bool,
}

/// The files that an external bot may read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readable {
    /// Every file that the user may read.
    All,
    /// The files that programs need: the system's folders, the folders in `PATH`, the folder of the bot's program (or
    /// the parent folder if that is called `bin`), every file named in the bot's command with the folder that contains
    /// it, and every folder named in the command. The home folder is readable only if the command names it.
    Needed {
        /// Exceptions in the readable folders: paths that begin with one of these paths are not readable.
        hidden: Vec<PathBuf>,
        /// Additional readable files: files and folders by path, and programs in `PATH` by name.
        others: Vec<PathBuf>,
    },
}

impl Bounds {
    /// Bounds that restrict nothing, as a starting point.
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

    /// Returns the bounds for third-party bots: 1 GiB of memory, no network, no writing or other changes, and no files
    /// to read except those that the program needs ([`Readable::Needed`]).
    ///
    /// The bot may have 2,000 processes and threads. Without control groups, all bots together may start 2,000
    /// processes and threads in addition to those that the user already has. This is enough for every runtime, but not
    /// enough for a fork bomb to bring the machine down. A judge allows only one process, but on many systems `python3`
    /// is a script that forks before it becomes Python.
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
    /// Returns the system's error for the first folder that does not exist.
    pub fn check_folders(&self) -> io::Result<()> {
        self.writable.iter().flatten().try_for_each(|folder| match folder.metadata() {
            Ok(_) => Ok(()),
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("the bots' folder {}: {error}", folder.display())))
            }
        })
    }
}
