//! Filters for the system calls that bots may make.

use super::spawn;
use contender_play::ResourceLimits;
use nix::libc::{self, c_long};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use std::collections::BTreeMap;
use std::env;

/// System calls with which a bot that runs as root could leave the sandbox.
const ALWAYS: [c_long; 5] =
    [libc::SYS_setns, libc::SYS_unshare, libc::SYS_reboot, libc::SYS_init_module, libc::SYS_finit_module];

/// System calls that, regardless of their arguments, can read or change things outside the bot or have effects that
/// outlive the bot.
const CHANGES: [c_long; 37] = [
    // Permissions, owners, times and attributes of files, which Landlock does not check.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_mount,
    libc::SYS_umount2,
    // A lock on a file would block other programs that write it.
    libc::SYS_flock,
    // Memory, queues and keys that outlive the process.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_ioprio_set,
    libc::SYS_pidfd_getfd,
    // A timer's signal could be SIGCONT, which resumes a paused process.
    libc::SYS_timer_create,
    // The bot must stay on the core of its game.
    libc::SYS_sched_setaffinity,
    // The kernel itself.
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_syslog,
    // Given as numbers, which are the same on all architectures, because not all C libraries have names for them:
    // fchmodat2, setxattrat.
    452,
    463,
];

/// Older system calls with the same effects.
#[cfg(target_arch = "x86_64")]
const OLD_CHANGES: [c_long; 6] = [
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_CHANGES: [c_long; 0] = [];

/// System calls that are allowed only for the process itself (process ID 0), each with the index of the argument that
/// selects the process.
const OF_OTHERS: [(c_long, u8); 6] = [
    (libc::SYS_prlimit64, 0),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_setpriority, 0),
    (libc::SYS_setpriority, 1),
];

/// Commands of `fcntl` for locks and leases on files, and for signals about events.
const LOCKS: [i32; 9] = [
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
    libc::F_SETLEASE,
    libc::F_NOTIFY,
    libc::F_SETOWN,
    // F_SETSIG and F_SETOWN_EX, for which some C libraries have no names.
    10,
    15,
];

/// Flags for new namespaces, in which a process has rights that it does not have outside.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// The calls that a filter forbids, each with the rules under which it does; without rules, always.
type Calls = BTreeMap<c_long, Vec<SeccompRule>>;

/// Returns a rule about one argument of a call.
fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, seccompiler::Error> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?;
    Ok(SeccompRule::new(vec![condition])?)
}

/// Forbids calls that change the system or other processes.
fn forbid_changes(absent: &mut Calls) -> Result<(), seccompiler::Error> {
    absent.extend(CHANGES.iter().chain(&OLD_CHANGES).map(|&call| (call, Vec::new())));
    for (call, argument) in OF_OTHERS {
        absent.entry(call).or_default().push(condition(argument, SeccompCmpOp::Ne, 0)?);
    }
    for lock in LOCKS {
        absent.entry(libc::SYS_fcntl).or_default().push(condition(1, SeccompCmpOp::Eq, lock as u64)?);
    }
    // Signals at the end of another process that could resume a paused process.
    let go_on = libc::SIGCONT as u64;
    absent.entry(libc::SYS_clone).or_default().push(condition(0, SeccompCmpOp::MaskedEq(0xff), go_on)?);
    let equals =
        |argument, value| SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value);
    let at_death = vec![equals(0, libc::PR_SET_PDEATHSIG as u64)?, equals(1, go_on)?];
    absent.insert(libc::SYS_prctl, vec![SeccompRule::new(at_death)?]);
    for namespace in NAMESPACES.map(|flag| u64::from(flag as u32)) {
        let has_flag = condition(0, SeccompCmpOp::MaskedEq(namespace), namespace)?;
        absent.entry(libc::SYS_clone).or_default().push(has_flag);
    }
    Ok(())
}

/// Builds a filter for system calls. It answers every forbidden call as if the kernel did not support it (`ENOSYS`),
/// because the C library then falls back from `clone3` to `clone`. A single filter with this answer is twice as fast as
/// two filters.
pub(crate) fn filter(bounds: &ResourceLimits) -> Result<Option<BpfProgram>, seccompiler::Error> {
    if bounds.network && bounds.processes != Some(0) && bounds.changes {
        return Ok(None);
    }
    let mut absent: Calls = ALWAYS.map(|call| (call, Vec::new())).into();
    if !bounds.network {
        absent.insert(libc::SYS_socket, Vec::new());
        // The rings of io_uring open sockets and files without the `socket` call.
        absent.insert(libc::SYS_io_uring_setup, Vec::new());
    }
    if !bounds.changes {
        forbid_changes(&mut absent)?;
    }
    if bounds.processes == Some(0) {
        #[cfg(target_arch = "x86_64")]
        absent.extend([libc::SYS_fork, libc::SYS_vfork].map(|call| (call, Vec::new())));
        let thread = libc::CLONE_THREAD as u64;
        absent.entry(libc::SYS_clone).or_default().push(condition(0, SeccompCmpOp::MaskedEq(thread), 0)?);
    }
    if bounds.processes == Some(0) || !bounds.changes {
        // The flags of clone3 are in memory, which a filter cannot read.
        absent.insert(libc::SYS_clone3, Vec::new());
    }
    #[cfg(target_arch = "x86_64")]
    if spawn::has_x32() {
        // The same calls under their x32 numbers.
        let twins: Vec<_> = absent.iter().map(|(call, rules)| (call | spawn::X32, rules.clone())).collect();
        absent.extend(twins);
    }
    let arch = TargetArch::try_from(env::consts::ARCH)?;
    let answer = SeccompAction::Errno(libc::ENOSYS as u32);
    let filter = SeccompFilter::new(absent, SeccompAction::Allow, answer, arch)?;
    Ok(Some(BpfProgram::try_from(filter)?))
}
