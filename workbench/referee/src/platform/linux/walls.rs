//! What external bots may use of this machine, and what keeps them to it.
//!
//! Limits are the kernel's resource limits. Walls are Landlock rules (files, TCP, signals to others), and system call filters where
//! Landlock ends (every other kind of socket, new processes). All are put on a bot between its making and its first instruction, hold
//! for all its descendants, and need no rights. What the system does not offer is told by [`Isolation::missing`]; the rest works.

use crate::child::{self, Resource};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    Scope, path_beneath_rules,
};
use nix::libc;
use nix::unistd::Uid;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs, io};

/// The Landlock version whose rights are asked for: the first that keeps signals and abstract sockets in. Older kernels give what they have.
const LANDLOCK: ABI = ABI::V6;

/// What an external bot may use. The limits are for each of its processes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Bytes of private memory (`RLIMIT_DATA`: heap, stacks of threads, writable mappings). Not address space: Java, Go and Node
    /// reserve far more of that than they use. Memory shared between processes is not counted.
    pub memory: Option<u64>,
    /// CPU time, rounded up to whole seconds; beyond it the process is killed by signal 24 (SIGXCPU) or 9.
    pub cpu: Option<Duration>,
    /// Processes besides the first one, threads not counted. 0 is enforced for everybody; other numbers count together with all processes and
    /// threads that the user has when the [`Isolation`] is made, and root is exempt from them (`RLIMIT_NPROC`).
    pub processes: Option<u32>,
    /// Bytes of a file it writes; beyond it the process is killed by signal 25 (SIGXFSZ).
    pub file_size: Option<u64>,
    /// The folders in which it may make and change files, besides `/dev/null`; `None` for wherever the user may. Everything can be read.
    pub writable: Option<Vec<PathBuf>>,
    /// Whether it may open sockets of any kind.
    pub network: bool,
}

impl Bounds {
    /// No bounds at all, to start from.
    pub const NONE: Bounds =
        Bounds { memory: None, cpu: None, processes: None, file_size: None, writable: None, network: true };

    /// For the bots of others: 1 GiB of memory, no network, nothing to write to, and 2,000 processes and threads more than the user has,
    /// all bots together: enough for every runtime, too few for a bot that forks without end to take the machine down. No
    /// process at all would be what a judge allows, but many a `python3` is a script that forks before it is Python.
    #[must_use]
    pub fn strict() -> Bounds {
        Bounds {
            memory: Some(1 << 30),
            cpu: None,
            processes: Some(2000),
            file_size: Some(1 << 24),
            writable: Some(Vec::new()),
            network: false,
        }
    }
}

/// Bounds made ready to be put on bots, for any number of games and threads; clones share it.
#[derive(Clone, Debug)]
pub struct Isolation(pub(crate) Arc<Prepared>);

/// Made before any game, because a child between its making and its program may only make system calls.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Resource limits.
    pub limits: Vec<(Resource, u64)>,
    /// A Landlock ruleset.
    pub walls: Option<OwnedFd>,
    /// A filter of system calls.
    pub filter: Option<BpfProgram>,
    /// The limit of memory, for reports.
    pub memory: Option<u64>,
    missing: Vec<String>,
}

impl Isolation {
    /// Makes bounds ready.
    ///
    /// # Errors
    /// A folder in [`Bounds::writable`] that is not there, or no memory and no descriptors left. That the system does not offer
    /// something is no error.
    pub fn new(bounds: &Bounds) -> io::Result<Isolation> {
        let mut missing = Vec::new();
        let limits = limits(bounds, &mut missing)?;
        let walls = walls(bounds, &mut missing)?;
        let mut filter = filter(bounds).unwrap_or_else(|error| {
            missing.push(format!("sockets and new processes cannot be forbidden: {error}"));
            None
        });
        if filter.is_some() && !child::has_filters() {
            missing.push(
                "sockets and new processes cannot be forbidden: this kernel has no seccomp".to_string(),
            );
            filter = None;
        }
        Ok(Isolation(Arc::new(Prepared { limits, walls, filter, memory: bounds.memory, missing })))
    }

    /// What this system does not enforce of the bounds, a sentence each; empty if all is enforced.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        &self.0.missing
    }
}

/// Resource limits; none above what this process has itself, which only root could give.
fn limits(bounds: &Bounds, missing: &mut Vec<String>) -> io::Result<Vec<(Resource, u64)>> {
    let mut limits = Vec::new();
    limits.extend(bounds.memory.map(|bytes| (libc::RLIMIT_DATA, bytes)));
    limits.extend(bounds.file_size.map(|bytes| (libc::RLIMIT_FSIZE, bytes)));
    limits.extend(bounds.cpu.map(|time| {
        let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
        (libc::RLIMIT_CPU, seconds.max(1))
    }));
    if let Some(processes @ 1..) = bounds.processes {
        if Uid::current().is_root() {
            missing.push("the number of processes is not limited: root is exempt".to_string());
        } else {
            limits.push((libc::RLIMIT_NPROC, tasks_of_user()? + u64::from(processes)));
        }
    }
    for (resource, limit) in &mut limits {
        *limit = child::hard_limit(*resource).map_or(*limit, |hard| hard.min(*limit));
    }
    Ok(limits)
}

/// How many processes and threads this user has.
fn tasks_of_user() -> io::Result<u64> {
    let own = format!("{}", Uid::current());
    let processes = fs::read_dir("/proc")?.flatten();
    let statuses = processes.filter_map(|entry| fs::read_to_string(entry.path().join("status")).ok());
    let field = |status: &str, name: &str| -> Option<String> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next().map(str::to_string)
    };
    Ok(statuses
        .filter(|status| field(status, "Uid:").is_some_and(|user| user == own))
        .filter_map(|status| field(&status, "Threads:")?.parse::<u64>().ok())
        .sum())
}

/// A ruleset: everything may be read and executed, the writable folders changed.
fn walls(bounds: &Bounds, missing: &mut Vec<String>) -> io::Result<Option<OwnedFd>> {
    if bounds.network && bounds.writable.is_none() {
        return Ok(None);
    }
    for folder in bounds.writable.iter().flatten() {
        fs::metadata(folder).map_err(|error| {
            io::Error::new(error.kind(), format!("the bots' folder {}: {error}", folder.display()))
        })?;
    }
    let make = || {
        let mut rules = Ruleset::default().set_compatibility(CompatLevel::BestEffort);
        if bounds.writable.is_some() {
            rules = rules.handle_access(AccessFs::from_all(LANDLOCK))?;
        }
        if !bounds.network {
            rules = rules.handle_access(AccessNet::from_all(LANDLOCK))?.scope(Scope::from_all(LANDLOCK))?;
        }
        let mut rules = rules.create()?;
        if let Some(writable) = &bounds.writable {
            let all = AccessFs::from_all(LANDLOCK);
            rules = rules
                .add_rules(path_beneath_rules(["/"], AccessFs::from_read(LANDLOCK)))?
                .add_rules(path_beneath_rules(["/dev/null"], all))?
                .add_rules(path_beneath_rules(writable, all))?;
        }
        Ok::<Option<OwnedFd>, landlock::RulesetError>(rules.into())
    };
    match make() {
        Ok(Some(ruleset)) => {
            let version = child::landlock_version();
            if bounds.writable.is_some() && version < 3 {
                missing.push(format!("files can be truncated everywhere: Landlock {version}, 3 is needed"));
            }
            if !bounds.network && version < 6 {
                missing.push(format!("other processes can be signalled: Landlock {version}, 6 is needed"));
            }
            Ok(Some(ruleset))
        }
        Ok(None) => {
            missing.push("files can be written everywhere: this kernel has no Landlock".to_string());
            Ok(None)
        }
        Err(error) => {
            missing.push(format!("files can be written everywhere: {error}"));
            Ok(None)
        }
    }
}

/// A filter of system calls. It says of all that it forbids that this kernel does not have it, because that is the answer after which the C
/// library tries `clone` instead of `clone3`, and one filter costs half of what two do.
fn filter(bounds: &Bounds) -> Result<Option<BpfProgram>, seccompiler::Error> {
    if bounds.network && bounds.processes != Some(0) {
        return Ok(None);
    }
    let always = Vec::new;
    let mut absent: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    // Ways out of the walls for a bot that root runs.
    for call in
        [libc::SYS_setns, libc::SYS_unshare, libc::SYS_reboot, libc::SYS_init_module, libc::SYS_finit_module]
    {
        absent.insert(call, always());
    }
    if !bounds.network {
        absent.insert(libc::SYS_socket, always());
        // Its rings open sockets without that call.
        absent.insert(libc::SYS_io_uring_setup, always());
    }
    if bounds.processes == Some(0) {
        #[cfg(target_arch = "x86_64")]
        for call in [libc::SYS_fork, libc::SYS_vfork] {
            absent.insert(call, always());
        }
        let thread = libc::CLONE_THREAD as u64;
        let is_process =
            SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(thread), 0)?;
        absent.insert(libc::SYS_clone, vec![SeccompRule::new(vec![is_process])?]);
        // Its flags are in memory, where no filter sees them.
        absent.insert(libc::SYS_clone3, always());
    }
    #[cfg(target_arch = "x86_64")]
    {
        // The same calls by their second numbers, on kernels with the x32 interface.
        const X32: i64 = 0x4000_0000;
        let twins: Vec<_> = absent.iter().map(|(call, rules)| (call | X32, rules.clone())).collect();
        absent.extend(twins);
    }
    let arch = TargetArch::try_from(env::consts::ARCH)?;
    let answer = SeccompAction::Errno(libc::ENOSYS as u32);
    let filter = SeccompFilter::new(absent, SeccompAction::Allow, answer, arch)?;
    Ok(Some(BpfProgram::try_from(filter)?))
}
