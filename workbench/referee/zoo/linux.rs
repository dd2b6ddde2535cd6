//! What bots do by system calls.

use nix::libc;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use std::time::Duration;

/// Makes SIGTERM do nothing.
pub fn ignore_sigterm() {
    // SAFETY: ignoring a signal installs no handler.
    unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
}

/// Ends this process by a signal that has a number only.
pub fn raise_unnamed_signal() {
    // SAFETY: the signal has its default action, which ends the process.
    unsafe { libc::raise(40) };
}

/// Whether a process can be sent signals.
pub fn may_signal(process: i32) -> bool {
    // SAFETY: sends nothing, only asks whether it could.
    unsafe { libc::kill(process, 0) == 0 }
}

/// Makes a process that is no child of this one but of its parent, closes all pipes and sleeps; its number.
pub fn make_sibling() -> i64 {
    // SAFETY: as `fork` in a process of one thread; the child only makes system calls.
    unsafe {
        let pid = libc::syscall(libc::SYS_clone, libc::CLONE_PARENT | libc::SIGCHLD, 0, 0, 0, 0);
        if pid == 0 {
            (0..3).for_each(|descriptor| close(descriptor));
            loop {
                libc::pause();
            }
        }
        pid
    }
}

/// Takes memory that is shared, and uses it, as long as there is some, at most 4 GiB.
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

/// The same in files that are nowhere.
pub fn eat_files_in_memory() {
    use std::io::Write;
    use std::os::fd::FromRawFd;
    for _ in 0..1024 {
        // SAFETY: the descriptor is new and nobody else's.
        let file = unsafe { std::fs::File::from_raw_fd(libc::memfd_create(c"".as_ptr(), 0)) };
        if (&file).write_all(&vec![1; 1 << 22]).is_err() {
            std::process::abort();
        }
        std::mem::forget(file);
    }
}

/// Uses so much CPU time.
pub fn work(time: Duration) {
    let clock = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID;
    let used = || Duration::from(clock.now().expect("a clock"));
    let start = used();
    while used() - start < time {}
}

/// How many cores this process may use.
pub fn cores() -> usize {
    let set = sched_getaffinity(Pid::from_raw(0)).expect("cores");
    (0..CpuSet::count()).filter(|&core| set.is_set(core) == Ok(true)).count()
}

/// Closes a descriptor, standard input or output.
pub fn close(descriptor: i32) {
    // SAFETY: what uses it later only fails.
    unsafe { libc::close(descriptor) };
}
