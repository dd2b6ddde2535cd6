//! Processes that bots leave behind.
//!
//! A bot runs in a process group of its own, which one signal ends. A descendant may have left the group (`setsid`, `setpgid`,
//! a daemon's double fork). This process therefore adopts the orphans among its descendants (a *child subreaper*): once their parents
//! are dead they are its own children and can be found and reaped. Whose they are tells the environment they inherit, in which
//! every bot gets a mark.
//!
//! Two things follow for a program that referees. Its own children must not be leaders of sessions while games run: a child
//! in another session than this process, without a bot's mark, is taken for a bot's descendant that has wiped its environment. And
//! orphans of its other children come to it, too. A descendant that leaves its group but stays in the session, wipes its environment,
//! and is an orphan is not found; nothing short of a cgroup of its own finds that one.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpid, getsid};
use std::fs;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// The environment variable that carries a bot's mark.
pub(crate) const VARIABLE: &str = "CONTENDER_BOT";

/// A process that does not die of SIGKILL in this time hangs in the kernel and is left to it.
const DEATH: Duration = Duration::from_secs(1);

/// Makes this process the parent of orphans among its descendants.
pub(crate) fn adopt() {
    // It fails only on kernels before 3.4; orphans then go to init, which reaps them.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// A mark that no other bot of this machine has now.
pub(crate) fn new_mark() -> String {
    // Process numbers are known only after the start, so the marks of one process are counted.
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{}.{}", getpid(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Waits for the end of a process that has been sent SIGKILL, given by its pidfd.
pub(crate) fn wait_for(ended: BorrowedFd<'_>) {
    let mut ends = [PollFd::new(ended, PollFlags::POLLIN)];
    let timeout = PollTimeout::try_from(DEATH).unwrap_or(PollTimeout::MAX);
    while poll(&mut ends, timeout) == Err(Errno::EINTR) {}
}

/// Ends and reaps what is left of the dead bot that led the group `group` and had this mark.
pub(crate) fn end(group: Pid, mark: &str) {
    let mark = format!("{VARIABLE}={mark}");
    // A dead process's children become this process's only when it is dead, so look again until nothing is found. The kernel limits
    // how many processes a bot can have; the bound here is for those that cannot be reaped.
    for _ in 0..100 {
        let mut strays = children();
        if strays.is_empty() {
            return;
        }
        let Ok(own_session) = getsid(None) else { return };
        strays.retain(|&child| is_stray(child, group, &mark, own_session));
        if strays.is_empty() {
            return;
        }
        for &stray in &strays {
            let _ = kill(stray, Signal::SIGKILL);
        }
        for stray in strays {
            reap(stray);
        }
    }
}

fn reap(pid: Pid) {
    const PAUSE: Duration = Duration::from_micros(200);
    for _ in 0..DEATH.as_micros() / PAUSE.as_micros() {
        match waitpid(pid, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => thread::sleep(PAUSE),
            Err(Errno::EINTR) => {}
            _ => return,
        }
    }
}

/// The children of this process's first thread, to which the kernel gives all orphans. Empty on a kernel that does not list them
/// (`CONFIG_PROC_CHILDREN`).
fn children() -> Vec<Pid> {
    let list = fs::read_to_string(format!("/proc/self/task/{}/children", getpid())).unwrap_or_default();
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).map(Pid::from_raw).collect()
}

fn is_stray(child: Pid, group: Pid, mark: &str, own_session: Pid) -> bool {
    let Some(stat) = Stat::of(child) else { return false };
    if stat.group == group {
        return true;
    }
    let environment = fs::read(format!("/proc/{child}/environ")).unwrap_or_default();
    let mut variables = environment.split(|&byte| byte == 0);
    match variables.find(|variable| variable.starts_with(VARIABLE.as_bytes())) {
        Some(variable) => variable == mark.as_bytes(),
        // A dead process has no environment left.
        None => stat.session != own_session,
    }
}

/// The part of a line of `/proc/PID/stat` that matters here.
struct Stat {
    group: Pid,
    session: Pid,
}

impl Stat {
    fn of(pid: Pid) -> Option<Stat> {
        Stat::parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    fn parse(line: &[u8]) -> Option<Stat> {
        // The name, in parentheses, may contain anything; state, parent, group and session follow it.
        let after_name = line.iter().rposition(|&byte| byte == b')')? + 1;
        let rest = std::str::from_utf8(&line[after_name..]).ok()?;
        let mut numbers = rest.split_whitespace().skip(2).map(|word| word.parse().ok().map(Pid::from_raw));
        Some(Stat { group: numbers.next()??, session: numbers.next()?? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_have_any_name() {
        let stat = Stat::parse(b"81 (a) S 1 2 3 \n\xff) Z 7 80 79 0 -1").unwrap();
        assert_eq!((stat.group.as_raw(), stat.session.as_raw()), (80, 79));
        for line in [&b""[..], b"81", b"81 (cat)", b"81 (cat) S 1", b"81 (cat) S 1 x y", b")"] {
            assert!(Stat::parse(line).is_none());
        }
    }
}
