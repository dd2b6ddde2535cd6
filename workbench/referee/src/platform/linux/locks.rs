//! Detection of processes that wait for another process's file lock, with the help of `/proc/locks`.

use nix::unistd::{Pid, getsid};
use std::fs;
use std::os::unix::fs::MetadataExt;

/// A process that waits for another process's lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wait {
    waiter: Pid,
    holder: Pid,
    /// The file's inode number.
    inode: u64,
}

/// Returns the name of a file if a process in the session `waiting` is waiting for its lock and a process in the
/// session `holding` holds the lock.
pub(crate) fn held_up(waiting: Pid, holding: Pid) -> Option<String> {
    let is_of = |process: Pid, leader: Pid| getsid(Some(process)) == Ok(leader);
    let waits = parse(&fs::read_to_string("/proc/locks").ok()?);
    let wait = waits.into_iter().find(|wait| is_of(wait.waiter, waiting) && is_of(wait.holder, holding))?;
    Some(name(wait).unwrap_or_else(|| format!("inode {}", wait.inode)))
}

/// Returns the path under which the holder has opened the file.
fn name(wait: Wait) -> Option<String> {
    let open = fs::read_dir(format!("/proc/{}/fd", wait.holder)).ok()?.flatten();
    let mut files = open.filter(|file| fs::metadata(file.path()).is_ok_and(|data| data.ino() == wait.inode));
    Some(fs::read_link(files.next()?.path()).ok()?.display().to_string())
}

/// Parses the waiting processes. A line such as `1: FLOCK ADVISORY WRITE 26 fe:00:58 0 EOF` shows a lock. Below it,
/// each process that waits for the lock has a line with an arrow after the number.
fn parse(locks: &str) -> Vec<Wait> {
    let mut waits = Vec::new();
    let mut holder = None;
    for line in locks.lines() {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let is_waiting = words.first() == Some(&"->");
        let words = &words[usize::from(is_waiting)..];
        let number = |at: usize| words.get(at)?.parse().ok().map(Pid::from_raw);
        let inode = words.get(4).and_then(|file| file.rsplit(':').next()?.parse().ok());
        match (number(3), holder, inode) {
            (Some(waiter), Some(holder), Some(inode)) if is_waiting => {
                waits.push(Wait { waiter, holder, inode });
            }
            (number, ..) if !is_waiting => holder = number,
            _ => {}
        }
    }
    waits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_has_an_arrow() {
        let text = "1: FLOCK  ADVISORY  WRITE 26 fe:00:58 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 27 fe:00:58 0 EOF\n\
            1:  -> FLOCK  ADVISORY  READ 28 fe:00:58 0 EOF\n2: POSIX  ADVISORY  READ 30 fe:00:60 0 EOF\nnonsense\n->\n\n";
        let wait = |waiter| Wait { waiter: Pid::from_raw(waiter), holder: Pid::from_raw(26), inode: 58 };
        assert_eq!(parse(text), [wait(27), wait(28)]);
    }
}
