//! What bots do by system calls.

use nix::libc;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;

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
