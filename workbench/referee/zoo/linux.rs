//! Misbehaviour with system calls.

use nix::libc;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use std::time::Duration;

/// Makes SIGTERM do nothing.
pub fn ignore_sigterm() {
    // SAFETY: ignoring a signal installs no handler.
    unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
}

/// Ends this process with a signal that has no name.
pub fn raise_unnamed_signal() {
    // SAFETY: the signal has its default action, which ends the process.
    unsafe { libc::raise(40) };
}

/// Makes the kernel resume this process every millisecond, even when it is paused.
pub fn continue_by_timer() {
    extern "C" fn nothing(_: i32) {}
    // SAFETY: system calls on structures on this stack, for which zeros are valid. The handler does nothing.
    unsafe {
        // An ignored signal would stop its timer.
        libc::signal(libc::SIGCONT, nothing as *const () as libc::sighandler_t);
        let mut event: libc::sigevent = std::mem::zeroed();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = libc::SIGCONT;
        let mut timer = std::ptr::null_mut();
        libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer);
        let millisecond = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        let every = libc::itimerspec { it_interval: millisecond, it_value: millisecond };
        libc::timer_settime(timer, 0, &raw const every, std::ptr::null_mut());
    }
}

/// Returns whether this process may send signals to a process.
pub fn may_signal(process: i32) -> bool {
    // SAFETY: sends no signal, but only asks whether it could.
    unsafe { libc::kill(process, 0) == 0 }
}

/// Creates a child of this process's parent, which prints its number on standard error, closes all pipes and sleeps.
pub fn make_sibling() {
    // SAFETY: like `fork` in a process with one thread. The child only makes system calls on its own memory.
    unsafe {
        let mut pipe = [0; 2];
        libc::pipe(pipe.as_mut_ptr());
        let pid = libc::syscall(libc::SYS_clone, libc::CLONE_PARENT | libc::SIGCHLD, 0, 0, 0, 0);
        if pid == 0 {
            // The number that the child gets for itself may only be valid inside a namespace.
            let mut number = [b'\n'; 21];
            let length = libc::readlink(c"/proc/self".as_ptr(), number.as_mut_ptr().cast(), 20);
            libc::write(2, number.as_ptr().cast(), length as usize + 1);
            pipe.into_iter().chain(0..3).for_each(close);
            loop {
                libc::pause();
            }
        }
        close(pipe[1]);
        // The end of the pipe shows that the sibling has written.
        libc::read(pipe[0], [0_u8].as_mut_ptr().cast(), 1);
        close(pipe[0]);
    }
}

/// Allocates and uses shared memory as long as there is any, at most 4 GiB.
pub fn eat_shared_memory() {
    const PIECE: usize = 1 << 22;
    for _ in 0..1024 {
        // SAFETY: a new mapping, written to within its bounds.
        unsafe {
            let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
            let piece = libc::mmap(std::ptr::null_mut(), PIECE, access, kind, -1, 0);
            if piece == libc::MAP_FAILED {
                std::process::abort();
            }
            piece.cast::<u8>().write_bytes(1, PIECE);
        }
    }
}

/// Allocates memory in anonymous files, as long as there is any, at most 4 GiB.
pub fn eat_files_in_memory() {
    use std::io::Write;
    use std::os::fd::FromRawFd;
    for _ in 0..1024 {
        // SAFETY: the descriptor is new, and no other code owns it.
        let file = unsafe { std::fs::File::from_raw_fd(libc::memfd_create(c"".as_ptr(), 0)) };
        if (&file).write_all(&vec![1; 1 << 22]).is_err() {
            std::process::abort();
        }
        std::mem::forget(file);
    }
}

/// A system call and its result; a negative result is an error.
type Call = (&'static str, i64);

/// Tries to change things that do not belong to the bot, and returns the calls that succeeded. No value is actually
/// changed. The file must be readable.
pub fn meddle(file: &str) -> Vec<&'static str> {
    let mut calls = meddle_with_parent();
    calls.extend(meddle_with_file(file));
    calls.extend(meddle_with_system());
    calls.into_iter().filter(|(_, result)| *result >= 0).map(|(name, _)| name).collect()
}

fn meddle_with_parent() -> Vec<Call> {
    let parent = std::os::unix::process::parent_id();
    let environment = std::fs::read(format!("/proc/{parent}/environ")).map_or(-1, |_| 0);
    // SAFETY: system calls on numbers and on structures on this stack.
    unsafe {
        let parent = libc::getppid();
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
        let normal: libc::sched_param = std::mem::zeroed();
        // The current value: the system call returns 20 minus the niceness.
        let nice = 20 - libc::syscall(libc::SYS_getpriority, libc::PRIO_PROCESS, parent) as i32;
        let mut cores: libc::cpu_set_t = std::mem::zeroed();
        let size = size_of_val(&cores);
        libc::sched_getaffinity(0, size, &raw mut cores);
        vec![
            ("prlimit", libc::prlimit(parent, libc::RLIMIT_NOFILE, std::ptr::null(), &raw mut limit).into()),
            ("sched_setscheduler", {
                libc::sched_setscheduler(parent, libc::SCHED_OTHER, &raw const normal).into()
            }),
            ("setpriority", libc::setpriority(libc::PRIO_PROCESS, parent as u32, nice).into()),
            ("sched_setaffinity", libc::sched_setaffinity(0, size, &raw const cores).into()),
            ("ioprio_set", libc::syscall(libc::SYS_ioprio_set, 1, parent, 0)),
            ("environ", environment),
        ]
    }
}

fn meddle_with_file(file: &str) -> Vec<Call> {
    use std::os::fd::AsRawFd;
    let path = std::ffi::CString::new(file).expect("a path");
    let file = std::fs::File::open(file).expect("a file that can be read");
    // SAFETY: system calls on numbers, null-terminated strings and structures on this stack.
    unsafe {
        let (path, file) = (path.as_ptr(), file.as_raw_fd());
        let (user, group) = (libc::getuid(), libc::getgid());
        let mut lock: libc::flock = std::mem::zeroed();
        lock.l_type = libc::F_RDLCK as i16;
        vec![
            ("chmod", libc::chmod(path, 0o644).into()),
            ("fchmod", libc::fchmod(file, 0o644).into()),
            ("fchmodat", libc::syscall(libc::SYS_fchmodat, libc::AT_FDCWD, path, 0o644)),
            ("chown", libc::chown(path, user, group).into()),
            ("fchown", libc::fchown(file, user, group).into()),
            ("fchownat", libc::fchownat(libc::AT_FDCWD, path, user, group, 0).into()),
            ("lchown", libc::lchown(path, user, group).into()),
            ("utimes", libc::utimes(path, std::ptr::null()).into()),
            ("utimensat", libc::utimensat(libc::AT_FDCWD, path, std::ptr::null(), 0).into()),
            ("setxattr", libc::setxattr(path, c"user.zoo".as_ptr(), path.cast(), 1, 0).into()),
            ("fsetxattr", libc::fsetxattr(file, c"user.zoo".as_ptr(), path.cast(), 1, 0).into()),
            ("fcntl lock", libc::fcntl(file, libc::F_SETLK, &raw mut lock).into()),
            ("flock", libc::flock(file, libc::LOCK_SH).into()),
        ]
    }
}

fn meddle_with_system() -> Vec<Call> {
    // SAFETY: system calls on numbers and null-terminated strings. The child process exits at once.
    unsafe {
        let memory = libc::shmget(libc::IPC_PRIVATE, 4096, 0o600);
        libc::shmctl(memory, libc::IPC_RMID, std::ptr::null_mut());
        let queue = libc::msgget(libc::IPC_PRIVATE, 0o600);
        libc::msgctl(queue, libc::IPC_RMID, std::ptr::null_mut());
        let locks = libc::semget(libc::IPC_PRIVATE, 1, 0o600);
        libc::semctl(locks, 0, libc::IPC_RMID);
        let key = libc::syscall(libc::SYS_keyctl, 0, -3, 1);
        let root = libc::chroot(c"/".as_ptr());
        let namespace = libc::syscall(libc::SYS_clone, libc::CLONE_NEWUSER | libc::SIGCHLD, 0, 0, 0, 0);
        if namespace == 0 {
            libc::_exit(0);
        }
        vec![
            ("shmget", memory.into()),
            ("msgget", queue.into()),
            ("semget", locks.into()),
            ("keyctl", key),
            ("chroot", root.into()),
            ("personal namespace", namespace),
        ]
    }
}

/// Uses this amount of CPU time.
pub fn work(time: Duration) {
    let clock = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID;
    let used = || Duration::from(clock.now().expect("a clock"));
    let start = used();
    while used() - start < time {}
}

/// Returns the number of cores that this process may use.
pub fn cores() -> usize {
    let set = sched_getaffinity(Pid::from_raw(0)).expect("cores");
    (0..CpuSet::count()).filter(|&core| set.is_set(core) == Ok(true)).count()
}

/// Closes a descriptor, for example standard input or output.
pub fn close(descriptor: i32) {
    // SAFETY: later uses of the descriptor only fail.
    unsafe { libc::close(descriptor) };
}

/// The descriptor of the locked file.
const LOCKED: i32 = 99;

/// Waits for the lock on a file.
pub fn lock(path: &str) {
    use std::os::fd::AsRawFd;
    let file = std::fs::File::create(path).expect("a file");
    // SAFETY: system calls on numbers, and no other code owns the descriptor.
    unsafe {
        libc::dup2(file.as_raw_fd(), LOCKED);
        libc::flock(LOCKED, libc::LOCK_EX);
    }
}

/// Releases the lock on the file.
pub fn unlock() {
    close(LOCKED);
}
