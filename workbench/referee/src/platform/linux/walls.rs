//! What keeps external bots to their [`Bounds`].
//!
//! Limits are the kernel's resource limits. Walls are Landlock rules (files, TCP, signals to others), and system call filters where
//! Landlock ends (every other kind of socket, new processes). All are put on a bot between its making and its first instruction, hold
//! for all its descendants, and need no rights. What the system does not offer is told by [`Walls::missing`]; the rest works.

use super::groups::{self, Most};
use super::spawn::{self, Resource, Restrictions};
use crate::bounds::Bounds;
use crate::facilities::Facility;
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
use std::{env, fs, io};

/// The Landlock version whose rights are asked for: the first that keeps signals and abstract sockets in. Older kernels give what they have.
const LANDLOCK: ABI = ABI::V6;

/// Bounds made ready to be put on bots, before any game: a child between its making and its program may only make system calls.
#[derive(Debug)]
pub(crate) struct Walls {
    pub restrictions: Restrictions,
    /// What the bot's control group bounds.
    pub most: Most,
    /// The limit of memory, for reports.
    pub memory: Option<u64>,
    missing: Vec<String>,
}

impl Walls {
    /// Makes bounds ready.
    ///
    /// # Errors
    /// A folder in [`Bounds::writable`] that is not there, or no memory and no descriptors left.
    pub fn new(bounds: &Bounds) -> io::Result<Walls> {
        bounds.check_folders()?;
        let mut missing = Vec::new();
        let most = most(bounds);
        let limits = limits(bounds, most, &mut missing)?;
        let ruleset = ruleset(bounds, &mut missing)?;
        let mut filter = filter(bounds).unwrap_or_else(|error| {
            missing.push(format!("sockets and new processes cannot be forbidden: {error}"));
            None
        });
        if filter.is_some() && !spawn::has_filters() {
            missing.push(
                "sockets and new processes cannot be forbidden: this kernel has no seccomp".to_string(),
            );
            filter = None;
        }
        let restrictions = Restrictions { limits, ruleset, filter, drops_capabilities: false };
        Ok(Walls { restrictions, most, memory: bounds.memory, missing })
    }

    /// What this system does not enforce of the bounds, a sentence each.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }
}

/// What control groups bound here.
fn most(bounds: &Bounds) -> Most {
    let (memory, tasks) = groups::home().unwrap_or_default();
    Most {
        memory: memory.and(bounds.memory),
        // One more for the first; no other at all is the filter's.
        tasks: tasks.and(bounds.processes).filter(|&tasks| tasks > 0).map(|tasks| u64::from(tasks) + 1),
    }
}

/// Resource limits for what no control group bounds; none above what this process has itself, which only root could give.
fn limits(bounds: &Bounds, most: Most, missing: &mut Vec<String>) -> io::Result<Vec<(Resource, u64)>> {
    let mut limits = Vec::new();
    let memory = bounds.memory.filter(|_| most.memory.is_none());
    limits.extend(memory.map(|bytes| (libc::RLIMIT_DATA, bytes)));
    limits.extend(bounds.file_size.map(|bytes| (libc::RLIMIT_FSIZE, bytes)));
    limits.extend(bounds.cpu.map(|time| {
        let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
        (libc::RLIMIT_CPU, seconds.max(1))
    }));
    if let Some(processes @ 1..) = bounds.processes.filter(|_| most.tasks.is_none()) {
        if Uid::current().is_root() {
            missing.push("the number of processes is not limited: root is exempt".to_string());
        } else {
            limits.push((libc::RLIMIT_NPROC, tasks_of_user()? + u64::from(processes)));
        }
    }
    for (resource, limit) in &mut limits {
        *limit = spawn::hard_limit(*resource).map_or(*limit, |hard| hard.min(*limit));
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
fn ruleset(bounds: &Bounds, missing: &mut Vec<String>) -> io::Result<Option<OwnedFd>> {
    if bounds.network && bounds.writable.is_none() {
        return Ok(None);
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
            let version = spawn::landlock_version();
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

/// How this system keeps each promise.
pub(crate) fn facilities() -> Vec<Facility> {
    const DELEGATE: &str =
        "run in a group of your own: `systemd-run --user --scope -p Delegate=yes contender ...`, or as root";
    let groups = groups::home();
    let has_groups = groups.is_some();
    let (memory, tasks) = groups.unwrap_or_default();
    let is_root = Uid::current().is_root();
    let (landlock, has_filters) = (spawn::landlock_version(), spawn::has_filters());
    let facility = |what, holds: bool, how: String, remedy| Facility {
        what,
        holds,
        how,
        remedy: if holds { "" } else { remedy },
    };
    let either = |holds: bool, [how, less]: [&str; 2]| if holds { how } else { less }.to_string();
    let kept = |controller: &Option<groups::Controller>, less: &str| match controller {
        Some(controller) => controller.text().to_string(),
        None => less.to_string(),
    };
    vec![
        facility(
            "stands still while not asked",
            has_groups,
            either(has_groups, ["control group, frozen", "stop signals to all descendants that are found"]),
            DELEGATE,
        ),
        facility(
            "descendants end with the bot",
            has_groups,
            either(
                has_groups,
                [
                    "control group, killed",
                    "session and mark in the environment; after `kill -9` at the next start",
                ],
            ),
            DELEGATE,
        ),
        facility(
            "memory",
            memory.is_some(),
            kept(&memory, "resource limit of private memory of each process; shared memory is not counted"),
            DELEGATE,
        ),
        facility(
            "processes",
            tasks.is_some(),
            kept(
                &tasks,
                if is_root { "not limited: root is exempt" } else { "resource limit, all bots together" },
            ),
            DELEGATE,
        ),
        facility("files", landlock >= 3, format!("Landlock {landlock}"), "a kernel with Landlock 3 (6.2)"),
        facility(
            "signals to others",
            landlock >= 6,
            format!("Landlock {landlock}"),
            "a kernel with Landlock 6 (6.12)",
        ),
        facility(
            "network and other system calls",
            has_filters,
            either(has_filters, ["seccomp", "no seccomp"]),
            "a kernel with seccomp filters",
        ),
    ]
}
