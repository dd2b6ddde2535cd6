//! The sandbox, which enforces [`ResourceLimits`] on external bots.
//!
//! Limits are enforced by the control group ([`groups`](super::groups)) or as the kernel's resource limits. The sandbox
//! consists of Landlock rules (for files, TCP and signals to other processes) and of system call filters for everything
//! else: sockets, new processes, and changes to things that do not belong to the bot. Limits and sandbox are applied to
//! a bot after its process is created and before its first instruction. They also apply to all descendants of the bot,
//! and need no special rights. [`Sandbox::missing`] lists the features that the system lacks; all other features still
//! work.

use super::files;
use super::filter::filter;
use super::groups::{self, Most};
use super::namespace;
use super::spawn::{self, Resource, Restrictions};
use crate::CommandLine;
use crate::platform::interface::Facility;
use contender_play::{Readable, ResourceLimits};
use nix::libc;
use nix::unistd::Uid;
use seccompiler::BpfProgram;
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, io};

/// Bounds that are prepared before any game, because a child process may make only system calls before it runs its
/// program.
#[derive(Debug)]
pub(crate) struct Sandbox {
    bounds: ResourceLimits,
    /// The limits of the bot's control group.
    pub most: Most,
    /// The memory limit, for reports.
    pub memory: Option<u64>,
    limits: Vec<(Resource, u64)>,
    filter: Option<BpfProgram>,
    /// A cache of file rules by command, because creating them takes longer than a fast game.
    rulesets: Mutex<HashMap<CommandLine, Arc<OwnedFd>>>,
    has_rules: bool,
    missing: Vec<String>,
}

impl Sandbox {
    /// Prepares bounds.
    ///
    /// # Errors
    /// Returns an error if a folder in [`ResourceLimits::writable`] does not exist, or if the system has run out of
    /// memory or descriptors.
    pub fn new(bounds: &ResourceLimits) -> io::Result<Sandbox> {
        bounds.check_folders()?;
        let mut missing = Vec::new();
        let most = most(bounds);
        let limits = limits(bounds, most, &mut missing)?;
        let has_rules = files::ruleset(bounds, &CommandLine::new([""]), &mut missing)?.is_some();
        let mut filter = filter(bounds).unwrap_or_else(|error| {
            missing.push(format!(
                "isolation is incomplete: bots can open sockets and start processes \
                 ({error})"
            ));
            None
        });
        if filter.is_some() && !spawn::has_filters() {
            missing.push(
                "isolation is incomplete: bots can open sockets and start processes (this kernel has \
                 no seccomp)"
                    .to_string(),
            );
            filter = None;
        }
        Ok(Sandbox {
            bounds: bounds.clone(),
            most,
            memory: bounds.memory,
            limits,
            filter,
            rulesets: Mutex::default(),
            has_rules,
            missing,
        })
    }

    /// Returns a sentence for each bound that this system cannot enforce.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Returns the restrictions for a bot with this command.
    pub fn restrictions(&self, command: &CommandLine) -> io::Result<Restrictions<'_>> {
        let ruleset = if self.has_rules { Some(self.ruleset(command)?) } else { None };
        Ok(Restrictions {
            limits: &self.limits,
            ruleset,
            filter: self.filter.as_ref(),
            drops_capabilities: !self.bounds.changes,
            hides_environment: self.bounds.readable != Readable::All,
        })
    }

    fn ruleset(&self, command: &CommandLine) -> io::Result<Arc<OwnedFd>> {
        /// Maximum number of cached rulesets. The number is limited because a command that contains a seed is different
        /// in every game.
        const MAX_COUNT: usize = 100;
        let mut rulesets = self.rulesets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = rulesets.get(command) {
            return Ok(Arc::clone(known));
        }
        let new = files::ruleset(&self.bounds, command, &mut Vec::new())?;
        let new = Arc::new(
            new.ok_or_else(|| io::Error::other("cannot create the sandbox's rules for file access"))?,
        );
        if rulesets.len() >= MAX_COUNT {
            rulesets.clear();
        }
        rulesets.insert(command.clone(), Arc::clone(&new));
        Ok(new)
    }
}

/// Returns the limits that control groups can enforce here.
fn most(bounds: &ResourceLimits) -> Most {
    let (memory, tasks) = groups::home().unwrap_or_default();
    Most {
        memory: memory.and(bounds.memory),
        // One more for the first process. If no other process is allowed at all, the filter forbids them.
        tasks: tasks.and(bounds.processes).filter(|&tasks| tasks > 0).map(|tasks| u64::from(tasks) + 1),
    }
}

/// Returns resource limits for the bounds that control groups do not enforce. A limit is never higher than this
/// process's limit, because only root could raise it.
fn limits(
    bounds: &ResourceLimits,
    most: Most,
    missing: &mut Vec<String>,
) -> io::Result<Vec<(Resource, u64)>> {
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
            missing.push(
                "isolation is incomplete: the number of processes is not limited, because \
                 root is exempt"
                    .to_string(),
            );
        } else {
            limits.push((libc::RLIMIT_NPROC, tasks_of_user()? + u64::from(processes)));
        }
    }
    for (resource, limit) in &mut limits {
        *limit = spawn::hard_limit(*resource).map_or(*limit, |hard| hard.min(*limit));
    }
    Ok(limits)
}

/// Returns the number of processes and threads of this user.
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

const DELEGATE: &str = "run Contender in its own control group (cgroup): `systemd-run --user --scope -p Delegate=yes \
    contender ...`, or run as root";

/// Returns all guarantees, and how this system keeps each of them.
pub(crate) fn facilities() -> Vec<Facility> {
    let mut facilities = process_facilities();
    facilities.extend(access_facilities());
    facilities
}

fn facility(what: &'static str, holds: bool, how: impl Into<String>, remedy: &'static str) -> Facility {
    Facility { what, holds, how: how.into(), remedy: if holds { "" } else { remedy } }
}

/// Returns the guarantees about a bot's processes.
fn process_facilities() -> Vec<Facility> {
    let groups = groups::home();
    let has_groups = groups.is_some();
    let has_namespaces = !has_groups && namespace::is_available();
    let is_kept = has_groups || has_namespaces;
    let (memory, tasks) = groups.unwrap_or_default();
    let either = |[of_groups, of_namespaces, less]: [&'static str; 3]| match (has_groups, has_namespaces) {
        (true, _) => of_groups,
        (false, true) => of_namespaces,
        (false, false) => less,
    };
    let kept = |controller: &Option<groups::Controller>, less: &str| match controller {
        Some(controller) => controller.text().to_string(),
        None => less.to_string(),
    };
    let is_root = Uid::current().is_root();
    vec![
        facility(
            "paused outside its turns",
            is_kept,
            either([
                "control group, frozen",
                "PID namespace, with stop signals to all processes at once",
                "stop signals to all known descendants",
            ]),
            DELEGATE,
        ),
        facility(
            "descendants end with the bot",
            is_kept,
            either([
                "control group, killed",
                "PID namespace, which ends with its first process",
                "found by session, parents and a mark in the environment; if the runner is killed, they end at its \
                 next start",
            ]),
            DELEGATE,
        ),
        facility(
            "memory",
            memory.is_some(),
            kept(
                &memory,
                "resource limit on the private memory of each process; shared memory is not counted",
            ),
            DELEGATE,
        ),
        facility(
            "processes",
            tasks.is_some(),
            kept(
                &tasks,
                if is_root { "not limited: root is exempt" } else { "resource limit for all bots together" },
            ),
            DELEGATE,
        ),
    ]
}

/// Returns the guarantees about files, signals and system calls.
fn access_facilities() -> Vec<Facility> {
    let (landlock, has_filters) = (spawn::landlock_version(), spawn::has_filters());
    vec![
        facility(
            "files",
            landlock >= 3,
            format!("Landlock {landlock}"),
            "use a kernel with Landlock 3 (Linux 6.2 or newer)",
        ),
        facility(
            "signals to other processes",
            landlock >= 6,
            format!("Landlock {landlock}"),
            "use a kernel with Landlock 6 (Linux 6.12 or newer)",
        ),
        facility(
            "network and other system calls",
            has_filters,
            if has_filters { "seccomp" } else { "no seccomp" },
            "use a kernel with seccomp filters",
        ),
    ]
}
