//! Limits on the resources that external bots may use.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The limits on an external bot's resources. CPU time and file size are limited for each process of the bot
/// separately.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// Maximum memory in bytes. If control groups are available, the limit covers all kinds of memory of all processes
    /// together. Otherwise, it covers the private memory of each process (`RLIMIT_DATA`: heap, thread stacks, writable
    /// mappings), but not shared memory. Address space is not limited, because Java, Go and Node reserve far more than
    /// they use.
    pub memory: Option<u64>,
    /// Maximum CPU time, rounded up to whole seconds. A process that uses more is killed by signal 24 (SIGXCPU) or 9
    /// (SIGKILL).
    pub cpu: Option<Duration>,
    /// Maximum number of processes in addition to the first one. 0 still allows threads and applies even to root; other
    /// limits also count threads. Without a control group, the limit is enforced by `RLIMIT_NPROC`, which counts all
    /// processes and threads of the user: those that exist when the isolation starts are added to the limit, and root
    /// is exempt.
    pub processes: Option<u32>,
    /// Maximum size, in bytes, of a file that the bot writes. A process that exceeds it is killed by signal 25
    /// (SIGXFSZ).
    pub file_size: Option<u64>,
    /// The folders in which the bot may create and change files, in addition to `/dev/null`. `None` allows every folder
    /// that the user may write to.
    pub writable: Option<Vec<PathBuf>>,
    /// The files that the bot may read.
    pub readable: Readable,
    /// Whether the bot may open sockets of any kind.
    pub network: bool,
    /// Whether the bot may affect the system in other ways than by writing files: change permissions, owners, times and
    /// locks of files, limits and priorities of other processes, its choice of cores, shared memory, queues and keys.
    /// If set, a bot that runs as root also keeps root's special rights.
    pub changes: bool,
}

/// The files that an external bot may read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readable {
    /// Every file that the user may read.
    All,
    /// The files that programs need: the system's folders, the folders in `PATH`, the folder of the bot's program (or
    /// its parent if the folder is called `bin`), every file named in the bot's command together with its folder, and
    /// every folder named in the command. The home folder is readable only if the command names it.
    Needed {
        /// Exceptions: these paths, and all paths below them, are not readable.
        hidden: Vec<PathBuf>,
        /// More readable files and folders, given by path, and programs in `PATH`, given by name.
        others: Vec<PathBuf>,
    },
}

impl ResourceLimits {
    /// Bounds without any limit, as a starting point.
    pub const NONE: ResourceLimits = ResourceLimits {
        memory: None,
        cpu: None,
        processes: None,
        file_size: None,
        writable: None,
        readable: Readable::All,
        network: true,
        changes: true,
    };

    /// Returns the bounds for third-party bots: 1 GiB of memory, no network, no changes to files or to the system, and
    /// read access only to the files that the program needs ([`Readable::Needed`]).
    ///
    /// The bot may have 2,000 processes and threads. Without control groups, all bots together may start 2,000
    /// processes and threads in addition to those that the user already has. This is enough for every runtime, but too
    /// few for a fork bomb to bring the machine down. Judges allow only one process, but on many systems `python3` is a
    /// script that starts other processes before Python.
    #[must_use]
    pub fn strict() -> ResourceLimits {
        ResourceLimits {
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

    /// Checks that all writable folders exist.
    ///
    /// # Errors
    /// Returns the system's error for the first missing folder.
    pub fn check_folders(&self) -> io::Result<()> {
        self.writable.iter().flatten().try_for_each(|folder| match folder.metadata() {
            Ok(_) => Ok(()),
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("the bots' folder {}: {error}", folder.display())))
            }
        })
    }
}
