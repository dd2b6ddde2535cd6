//! Creates processes and determines how they ended. This is the only module in the crate that calls the kernel without
//! a safe wrapper.
//!
//! The child is created as in `posix_spawn`: it uses this process's memory while the calling thread is suspended
//! (`CLONE_VM | CLONE_VFORK`). A runner with a gigabyte of tables therefore starts a bot as fast as an empty runner.
//! The standard library does this only for children without limits, and otherwise copies the page tables. This module
//! applies the limits before the new program starts.
//!
//! A process in its own PID namespace is created by a helper process, the *envoy*. The envoy enters a new user
//! namespace and creates the first process and then the bot, both as children of this process (`CLONE_PARENT`). Then it
//! exits. This process can therefore wait for, signal and measure the bot like a bot without a namespace.

#![allow(unsafe_code)]

use super::environment::is_needed;
use crate::CommandLine;
use crate::platform::common::NOT_INHERITED;
use crate::platform::interface::Exit;
use contender_play::ExitStatus;
use contender_play::program_of;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc::{self, c_char, c_int, c_void};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{SigSet, SigmaskHow};
use nix::unistd::{Pid, getegid, geteuid, pipe2};
use seccompiler::BpfProgram;
use std::env;
use std::ffi::{CStr, CString, OsStr};
use std::fs::{self, File};
use std::mem::{MaybeUninit, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

/// Size of the stack that the child uses until it runs the new program. The code needs only a few hundred bytes.
const STACK: usize = 1 << 16;

/// The number of signals, including those for real time.
const SIGNALS: c_int = 64;

/// A new process and this side of its pipes, which are non-blocking.
pub(crate) struct Spawned {
    pub pid: Pid,
    /// A descriptor that becomes readable when the process has ended.
    pub ended: OwnedFd,
    pub stdin: OwnedFd,
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
    /// The namespace that was created for the process.
    pub namespace: Option<Namespace>,
}

/// The script of the first process. It exits if it is not the first process of a namespace, because its signals would
/// then reach unrelated processes.
const FIRST: &CStr = c"[ $$ = 1 ] || exit 1
while read -r order; do
    case $order in
        halt) kill -s STOP -- -1 ;;
        go) kill -s CONT -- -1 ;;
    esac
done";

/// The first process of a bot's namespace, which [`namespace`](super::namespace) describes. When this value is dropped,
/// the first process and all others in the namespace end. A dead bot must be reaped before the value is dropped.
#[derive(Debug)]
pub(crate) struct Namespace {
    pub first: Pid,
    /// A descriptor that becomes readable when the first process has ended.
    pub ended: OwnedFd,
    /// The input of the first process.
    pub orders: OwnedFd,
}

/// The container for a new process and its descendants.
#[derive(Clone, Copy)]
pub(crate) enum Nest<'a> {
    /// Control groups, given as their lists of processes.
    Groups(&'a [RawFd]),
    /// A PID namespace for this process.
    Namespace,
    /// Only a session for this process.
    Session,
}

/// Restrictions that are applied to a process before it runs its program, at a time when it may make only system calls.
#[derive(Debug)]
pub(crate) struct Restrictions<'a> {
    /// Resource limits.
    pub limits: &'a [(Resource, u64)],
    /// A Landlock ruleset.
    pub ruleset: Option<Arc<OwnedFd>>,
    /// A filter of system calls.
    pub filter: Option<&'a BpfProgram>,
    /// Whether the process gives up root's special rights.
    pub drops_capabilities: bool,
    /// Whether the process gets only the environment variables that programs need.
    pub hides_environment: bool,
}

/// Data that the child needs before it runs the new program. It is prepared in advance, because the child must not
/// allocate memory.
struct Plan<'a> {
    /// The working folder; null for the parent's folder.
    folder: *const c_char,
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    pipes: [RawFd; 3],
    /// Files to which the child writes `0` to join its control groups.
    joins: &'a [RawFd],
    /// The niceness of the child's session; null to leave it unchanged.
    nice: *const c_char,
    restrictions: Option<&'a Restrictions<'a>>,
    dies_with_parent: bool,
    /// The process ID of this process as the child sees it. It is 0 for a child in its own namespace, which cannot see
    /// this process.
    parent: Pid,
    /// The error of the step that failed, set by the child.
    failure: c_int,
}

/// Starts a program in its own session, with `variable` added to the environment.
///
/// # Errors
/// Returns an error if the process cannot be created: for example `ENOENT` if the program does not exist or must not be
/// executed, or `EAGAIN` if there are too many namespaces.
pub(crate) fn start(
    command: &CommandLine,
    variable: (&str, &str),
    nest: Nest<'_>,
    restrictions: Option<&Restrictions<'_>>,
    dies_with_parent: bool,
) -> nix::Result<Spawned> {
    let path = program_of(command).ok_or(Errno::ENOENT)?;
    let text = |bytes: &[u8]| CString::new(bytes).map_err(|_| Errno::EINVAL);
    let path = text(path.as_os_str().as_bytes())?;
    let words = command.words.iter();
    let arguments = words.map(|word| text(word.as_bytes())).collect::<nix::Result<Vec<_>>>()?;
    let own = (OsStr::new(variable.0).to_os_string(), OsStr::new(variable.1).to_os_string());
    let hides = restrictions.is_some_and(|restrictions| restrictions.hides_environment);
    let others = env::vars_os().filter(|(name, _)| {
        *name != own.0 && *name != *NOT_INHERITED && (!hides || name.to_str().is_some_and(is_needed))
    });
    let environment = others
        .chain([own.clone()])
        .map(|(name, value)| text(&[name.as_bytes(), b"=", value.as_bytes()].concat()))
        .collect::<nix::Result<Vec<_>>>()?;
    let pointers =
        |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect::<Vec<_>>();
    let folder = command.folder().map(|folder| text(folder.as_os_str().as_bytes())).transpose()?;
    let nice = session_nice().map(|nice| CString::new(nice.to_string()).expect("a number has no zero byte"));
    let (arguments_list, environment_list) = (pointers(&arguments), pointers(&environment));

    let (child_stdin, stdin) = pipe2(OFlag::O_CLOEXEC)?;
    let (stdout, child_stdout) = pipe2(OFlag::O_CLOEXEC)?;
    let (stderr, child_stderr) = pipe2(OFlag::O_CLOEXEC)?;
    for pipe in [&stdin, &stdout, &stderr] {
        fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    }
    let mut plan = Plan {
        folder: folder.as_ref().map_or(ptr::null(), |folder| folder.as_ptr()),
        path: path.as_ptr(),
        arguments: arguments_list.as_ptr(),
        environment: environment_list.as_ptr(),
        pipes: [&child_stdin, &child_stdout, &child_stderr].map(AsRawFd::as_raw_fd),
        joins: if let Nest::Groups(joins) = nest { joins } else { &[] },
        nice: nice.as_ref().map_or(ptr::null(), |nice| nice.as_ptr()),
        restrictions,
        dies_with_parent,
        parent: if matches!(nest, Nest::Namespace) { Pid::from_raw(0) } else { Pid::this() },
        failure: 0,
    };
    let (pid, ended, namespace) = match nest {
        Nest::Namespace => clone_in_namespace(&mut plan)?,
        Nest::Groups(_) | Nest::Session => {
            let (pid, ended) = clone(child, ptr::from_mut(&mut plan).cast())?;
            (pid, ended, None)
        }
    };
    if plan.failure != 0 {
        wait(&ended, Wait::Block);
        return Err(Errno::from_raw(plan.failure));
    }
    Ok(Spawned { pid, ended, stdin, stdout, stderr, namespace })
}

/// Returns the niceness for a new session, if it is not 0. A kernel that divides the cores among sessions (autogroup)
/// considers a process's niceness only within its session. A bot has its own session, and would therefore ignore the
/// runner's niceness. The bot's session gets the sum of the niceness of the runner and of the runner's session.
fn session_nice() -> Option<i32> {
    let session = fs::read_to_string("/proc/self/autogroup").ok()?;
    let session: i32 = session.trim_end().rsplit(' ').next()?.parse().ok()?;
    // SAFETY: a system call that only takes numbers.
    let own = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
    Some((session + own).clamp(-20, 19)).filter(|&nice| nice != 0)
}

/// A stack for a child.
type Stack = Box<[MaybeUninit<u8>]>;

fn stack() -> Stack {
    Box::new_uninit_slice(STACK)
}

/// Returns the initial stack pointer of a child: one past the end, aligned for calls.
fn top(stack: &mut Stack) -> *mut c_void {
    stack.as_mut_ptr_range().end.map_addr(|address| address & !15).cast()
}

/// Creates a child that runs `body` on `argument`. Returns when the child runs another program or is dead.
fn clone(body: extern "C" fn(*mut c_void) -> c_int, argument: *mut c_void) -> nix::Result<(Pid, OwnedFd)> {
    let mut stack = stack();
    // A signal handler of this process must not run in the child, because it would use this process's memory.
    let mask = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
    let mut pidfd: c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: the child runs on its own stack, and no other thread uses its argument: this thread is suspended until
    // the child has replaced its memory or is dead (CLONE_VFORK), and then continues with the data that the child
    // wrote. The child only makes system calls. The stack, the argument and everything it points to outlive the call.
    let pid = unsafe { libc::clone(body, top(&mut stack), flags, argument, &raw mut pidfd) };
    let result = Errno::result(pid);
    mask.thread_set_mask()?;
    let pid = Pid::from_raw(result?);
    // SAFETY: the kernel has opened the descriptor for this call, and no other code owns it.
    Ok((pid, unsafe { OwnedFd::from_raw_fd(pidfd) }))
}

/// Data for an envoy, also prepared in advance.
struct Envoy<'a, 'b> {
    bot: *mut Plan<'b>,
    /// The namespaces to create.
    namespaces: c_int,
    /// Files that map user and group numbers, with their contents.
    maps: &'a [(&'a CStr, &'a CStr)],
    first: First<'a>,
    /// Stacks for the namespace's first process and for the bot.
    stacks: [*mut c_void; 2],
    /// The numbers of the first process and of the bot, set by the envoy. If the envoy cannot create them, it sets
    /// `failure` instead.
    pids: [c_int; 2],
    failure: c_int,
}

/// Data for the first process of a namespace.
struct First<'a> {
    arguments: [*const c_char; 4],
    orders: RawFd,
    null: RawFd,
    /// The cores that the process may use.
    cores: &'a CpuSet,
}

/// Creates a bot like [`clone`], in a new PID namespace.
fn clone_in_namespace(plan: &mut Plan<'_>) -> nix::Result<(Pid, OwnedFd, Option<Namespace>)> {
    let (orders_read, orders) = pipe2(OFlag::O_CLOEXEC)?;
    fcntl(&orders, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    let null = File::options().read(true).write(true).open("/dev/null").map_err(|_| Errno::EAGAIN)?;
    let (user, group) = (geteuid(), getegid());
    // The user is the same inside and outside the namespace. If there are no user namespaces, root does not need one.
    let map = |id: u32| CString::new(format!("{id} {id} 1")).expect("a number has no zero byte");
    let (users, groups) = (map(user.as_raw()), map(group.as_raw()));
    let maps = [
        (c"/proc/self/setgroups", c"deny"),
        (c"/proc/self/uid_map", &*users),
        (c"/proc/self/gid_map", &*groups),
    ];
    let is_root = user.is_root();
    let cores = sched_getaffinity(Pid::this())?;
    let mut stacks = [(); 2].map(|()| stack());
    let mut envoy = Envoy {
        bot: plan,
        namespaces: libc::CLONE_NEWPID | if is_root { 0 } else { libc::CLONE_NEWUSER },
        maps: if is_root { &[] } else { &maps },
        first: First {
            arguments: [c"sh".as_ptr(), c"-c".as_ptr(), FIRST.as_ptr(), ptr::null()],
            orders: orders_read.as_raw_fd(),
            null: null.as_raw_fd(),
            cores: &cores,
        },
        stacks: stacks.each_mut().map(top),
        pids: [0; 2],
        failure: 0,
    };
    let (_, gone) = clone(send_envoy, ptr::from_mut(&mut envoy).cast())?;
    wait(&gone, Wait::Block);
    let [first, bot] = envoy.pids;
    let namespace = match first {
        1.. => Some(Namespace { first: Pid::from_raw(first), ended: pidfd_open(first)?, orders }),
        _ => None,
    };
    if envoy.failure != 0 || bot <= 0 {
        return Err(Errno::EAGAIN);
    }
    Ok((Pid::from_raw(bot), pidfd_open(bot)?, namespace))
}

/// Returns a descriptor for a child that has not been reaped yet.
fn pidfd_open(pid: c_int) -> nix::Result<OwnedFd> {
    // SAFETY: a system call that only takes numbers. No other code owns the descriptor that it opens.
    unsafe {
        let pidfd = Errno::result(libc::syscall(libc::SYS_pidfd_open, pid, 0))?;
        Ok(OwnedFd::from_raw_fd(pidfd as RawFd))
    }
}

/// Runs the envoy from its start to its exit.
extern "C" fn send_envoy(envoy: *mut c_void) -> c_int {
    // SAFETY: as in `child`.
    let envoy = unsafe { &mut *envoy.cast::<Envoy<'_, '_>>() };
    envoy.failure = match settle_namespace(envoy) {
        Ok(()) => 0,
        Err(errno) => errno as c_int,
    };
    // SAFETY: ends this process without running any of the parent's code.
    unsafe { libc::_exit(0) }
}

/// Creates the namespace and the processes in it. Makes only system calls.
fn settle_namespace(envoy: &mut Envoy<'_, '_>) -> nix::Result<()> {
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT | libc::SIGCHLD;
    // SAFETY: plain system calls on the envoy's data. Its children run as the envoy itself does: on their own stacks,
    // with plans that no other code uses before they run other programs or are dead.
    unsafe {
        Errno::result(libc::unshare(envoy.namespaces))?;
        for (file, text) in envoy.maps {
            let file = Errno::result(libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC))?;
            Errno::result(libc::write(file, text.as_ptr().cast(), text.count_bytes()))?;
            libc::close(file);
        }
        let first = ptr::from_mut(&mut envoy.first).cast();
        envoy.pids[0] = Errno::result(libc::clone(be_first, envoy.stacks[0], flags, first))?;
        envoy.pids[1] = Errno::result(libc::clone(child, envoy.stacks[1], flags, envoy.bot.cast()))?;
    }
    Ok(())
}

/// Runs the first process of a namespace until it becomes a shell.
extern "C" fn be_first(first: *mut c_void) -> c_int {
    // SAFETY: as in `child`; plain system calls on prepared data.
    unsafe {
        let first = &*first.cast::<First<'_>>();
        default_signals();
        // The first process stays in this process's session, so that it is not mistaken for an orphan. It gets its own
        // process group, so that the terminal's signals do not reach it.
        libc::setpgid(0, 0);
        unmask_signals();
        let _ = sched_setaffinity(Pid::from_raw(0), first.cores);
        let are_placed = [(first.orders, 0), (first.null, 1), (first.null, 2)]
            .iter()
            .all(|&(from, to)| from > 2 && libc::dup2(from, to) == to);
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
        if are_placed {
            libc::execve(c"/bin/sh".as_ptr(), first.arguments.as_ptr(), [ptr::null()].as_ptr());
        }
        libc::_exit(127)
    }
}

/// Runs the child until it becomes the new program.
extern "C" fn child(plan: *mut c_void) -> c_int {
    // SAFETY: the argument of `clone` above is a plan, which the suspended parent does not touch.
    let plan = unsafe { &mut *plan.cast::<Plan<'_>>() };
    plan.failure = match become_program(plan) {
        Ok(()) => 0,
        Err(errno) => errno as c_int,
    };
    // SAFETY: ends this process without running any of the parent's code.
    unsafe { libc::_exit(127) }
}

/// Prepares the child and runs the new program. Makes only system calls, without allocations, locks or panics.
fn become_program(plan: &Plan<'_>) -> nix::Result<()> {
    // SAFETY: all of these are plain system calls on numbers and on structures on this stack or in the plan. Zeroed
    // structures of these types are valid.
    unsafe {
        default_signals();
        if plan.dies_with_parent {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            // The parent may have been killed before the call above.
            if libc::getppid() != plan.parent.as_raw() {
                libc::_exit(127);
            }
        }
        Errno::result(libc::setsid())?;
        if !plan.nice.is_null() {
            // An ordinary user may do this only a few times per second, and never below 0. If it fails, the niceness
            // stays unchanged.
            let file = libc::open(c"/proc/self/autogroup".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
            libc::write(file, plan.nice.cast(), CStr::from_ptr(plan.nice).count_bytes());
            libc::close(file);
        }
        for &join in plan.joins {
            Errno::result(libc::write(join, c"0".as_ptr().cast(), 1))?;
        }
        // No pipe may occupy the place of another one.
        let mut pipes = plan.pipes;
        for pipe in &mut pipes {
            if *pipe < 3 {
                *pipe = Errno::result(libc::fcntl(*pipe, libc::F_DUPFD_CLOEXEC, 3))?;
            }
        }
        for (pipe, place) in pipes.into_iter().zip(0..) {
            Errno::result(libc::dup2(pipe, place))?;
        }
        // Descriptors that this process has inherited must not reach the bot. An older kernel leaves them open.
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
        if !plan.folder.is_null() {
            Errno::result(libc::chdir(plan.folder))?;
        }
        if let Some(restrictions) = plan.restrictions {
            restrict(restrictions)?;
        }
        unmask_signals();
        libc::execve(plan.path, plan.arguments, plan.environment);
    }
    Err(Errno::last())
}

/// Resets signals to their default actions.
///
/// # Safety
/// See [`restrict`].
unsafe fn default_signals() {
    // SAFETY: system calls on numbers and on structures on this stack. Zeroed structures of these types are valid.
    unsafe {
        // Signals that the parent handles get their default action. Signals that the parent ignores stay ignored,
        // except SIGPIPE, which Rust ignores.
        for signal in 1..=SIGNALS {
            let mut action: libc::sigaction = zeroed();
            let is_known = libc::sigaction(signal, ptr::null(), &raw mut action) == 0;
            let is_ignored = action.sa_sigaction == libc::SIG_IGN && signal != libc::SIGPIPE;
            if is_known && action.sa_sigaction != libc::SIG_DFL && !is_ignored {
                action = zeroed();
                action.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &raw const action, ptr::null_mut());
            }
        }
    }
}

/// Unblocks all signals.
///
/// # Safety
/// See [`restrict`].
unsafe fn unmask_signals() {
    // SAFETY: system calls on a structure on this stack, for which zeros are valid.
    unsafe {
        let mut none: libc::sigset_t = zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
    }
}

/// Applies limits, rules and the filter to this process, permanently.
///
/// # Safety
/// No other code may run in the process.
unsafe fn restrict(restrictions: &Restrictions<'_>) -> nix::Result<()> {
    for &(resource, limit) in restrictions.limits {
        let limit = libc::rlimit { rlim_cur: limit, rlim_max: limit };
        // SAFETY: reads a structure on this stack.
        Errno::result(unsafe { libc::setrlimit(resource, &raw const limit) })?;
    }
    if restrictions.drops_capabilities {
        // SAFETY: system calls on numbers and on structures on this stack.
        unsafe { drop_capabilities()? };
    }
    if restrictions.ruleset.is_none() && restrictions.filter.is_none() {
        return Ok(());
    }
    // SAFETY: system calls on numbers, and on a filter that lives as long as the restrictions. The kernel copies the
    // filter.
    unsafe {
        Errno::result(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
        if let Some(ruleset) = &restrictions.ruleset {
            Errno::result(libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0))?;
        }
        if let Some(filter) = restrictions.filter {
            let program =
                libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut().cast() };
            let mode = libc::SECCOMP_SET_MODE_FILTER;
            Errno::result(libc::syscall(libc::SYS_seccomp, mode, 0, &raw const program))?;
        }
    }
    Ok(())
}

/// Gives up root's special rights, including the rights that a program gets when root starts it.
///
/// # Safety
/// See [`restrict`].
unsafe fn drop_capabilities() -> nix::Result<()> {
    /// Version of the structures below, which have room for 64 capabilities.
    const VERSION: u32 = 0x2008_0522;
    // SAFETY: plain system calls. The header and the 24 bytes of empty sets, the size for this version, are on this
    // stack.
    unsafe {
        // If this process must not drop capabilities, it has none to drop.
        for capability in 0..64 {
            libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0);
        }
        let header = [VERSION, 0];
        let sets = [0_u32; 6];
        Errno::result(libc::syscall(libc::SYS_capset, header.as_ptr(), sets.as_ptr()))?;
    }
    Ok(())
}

/// The type of a resource limit in the C library.
#[cfg(target_env = "gnu")]
pub(crate) type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
pub(crate) type Resource = libc::c_int;

/// Returns the highest value to which this process can set a limit.
pub(crate) fn hard_limit(resource: Resource) -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: fills in a structure on this stack.
    let result = unsafe { libc::getrlimit(resource, &raw mut limit) };
    (result == 0).then_some(limit.rlim_max)
}

/// Returns the kernel's version of Landlock; 0 if it has none.
pub(crate) fn landlock_version() -> i64 {
    const ASK_VERSION: c_int = 1;
    // SAFETY: with this flag the call reads nothing and returns a number.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<c_void>(), 0, ASK_VERSION) };
    version.max(0)
}

/// Returns whether this kernel can filter system calls.
pub(crate) fn has_filters() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    let question = libc::SECCOMP_GET_ACTION_AVAIL;
    // SAFETY: reads a number on this stack.
    unsafe { libc::syscall(libc::SYS_seccomp, question, 0, &raw const action) == 0 }
}

/// The bit that marks x32 system call numbers.
#[cfg(target_arch = "x86_64")]
pub(crate) const X32: libc::c_long = 0x4000_0000;

/// Returns whether this kernel supports the x32 interface, which gives each system call a second number. Most kernels
/// do not, and a filter without these numbers is half as long.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_x32() -> bool {
    // SAFETY: asks for the number of this process, or makes a call that does not exist.
    unsafe { libc::syscall(X32 | libc::SYS_getpid) >= 0 }
}

/// The way in which to wait for a child.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Do not wait, and do not reap the process, so that it keeps its process ID.
    Look,
    /// Do not wait, but reap the process if it has ended.
    Reap,
    /// Wait until the process has ended, and reap it.
    Block,
}

/// Returns how the process ended, if it has ended.
pub(crate) fn wait(ended: &OwnedFd, how: Wait) -> Option<Exit> {
    let flags = libc::WEXITED
        | match how {
            Wait::Look => libc::WNOHANG | libc::WNOWAIT,
            Wait::Reap => libc::WNOHANG,
            Wait::Block => 0,
        };
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: the kernel may fill both structures, and they outlive the call. (libc's waitid has no parameter for
        // the usage.)
        let result = unsafe {
            libc::syscall(
                libc::SYS_waitid,
                libc::P_PIDFD,
                ended.as_raw_fd(),
                info.as_mut_ptr(),
                flags,
                usage.as_mut_ptr(),
            )
        };
        match Errno::result(result) {
            Ok(_) => break,
            Err(Errno::EINTR) => {}
            Err(_) => return None,
        }
    }
    // SAFETY: the structures were zeroed and then filled by the kernel, and all bit patterns are valid.
    let (info, usage) = unsafe { (info.assume_init(), usage.assume_init()) };
    // SAFETY: the call above has filled in the fields for a child's end, or left them zeroed.
    let (pid, status) = unsafe { (info.si_pid(), info.si_status()) };
    if pid == 0 {
        return None;
    }
    let status =
        if info.si_code == libc::CLD_EXITED { ExitStatus::Code(status) } else { ExitStatus::Signal(status) };
    let time = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    let cpu = time(usage.ru_utime) + time(usage.ru_stime);
    let peak = Some(usage.ru_maxrss as u64 * 1024);
    Some(Exit { status, cpu: Some(cpu), peak, is_out_of_memory: false })
}
