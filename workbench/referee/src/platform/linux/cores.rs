//! Cores for games, so that bots of games at the same time do not share one.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::{Arc, Mutex, PoisonError};

/// The cores of this machine that games may have; clones share them.
///
/// A game takes one core for its duration, or one per bot if both think at once, and runs there with its bots and the
/// thread of its referee: the waiting and the thinking thread take turns, and no message wakes a sleeping core. If no
/// core is free, the system places the game. Other runners on this machine that reserve cores in this way are
/// respected.
///
/// A bot with several threads has them all on its one core, as at a judge that gives it one.
#[derive(Clone, Debug)]
pub struct Cores {
    /// Those that no game of this process has.
    free: Arc<Mutex<Vec<usize>>>,
    /// Whom they are shared out among.
    runners: Arc<str>,
}

impl Cores {
    /// Returns the cores that the calling thread may use.
    #[must_use]
    pub fn new() -> Cores {
        Cores::among("contender")
    }

    /// Returns the cores, shared out among the runners of this machine that give the same name.
    #[must_use]
    pub fn among(runners: &str) -> Cores {
        let allowed = sched_getaffinity(this_thread()).unwrap_or_default();
        let cores = (0..CpuSet::count()).rev().filter(|&core| allowed.is_set(core) == Ok(true));
        Cores { free: Arc::new(Mutex::new(cores.collect())), runners: runners.into() }
    }

    /// Returns the number of cores that are free now, as far as this process knows.
    #[must_use]
    pub fn free(&self) -> usize {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Takes `count` cores and keeps the calling thread, and its children, on them; `None` if not enough cores are
    /// free.
    pub(crate) fn take(&self, count: usize) -> Option<Place> {
        let before = sched_getaffinity(this_thread()).ok()?;
        let mut place = Place { pool: self.clone(), cores: Vec::new(), claims: Vec::new(), before };
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        for index in (0..free.len()).rev() {
            if place.cores.len() == count {
                break;
            }
            if let Some(claim) = claim(&self.runners, free[index]) {
                place.cores.push(free.remove(index));
                place.claims.push(claim);
            }
        }
        drop(free);
        (place.cores.len() == count).then(|| {
            place.all();
            place
        })
    }
}

impl Default for Cores {
    fn default() -> Cores {
        Cores::new()
    }
}

/// The cores of one game. When it is dropped, they are free again and the thread may run where it could before.
pub(crate) struct Place {
    pool: Cores,
    cores: Vec<usize>,
    claims: Vec<UnixDatagram>,
    before: CpuSet,
}

/// Returns a name that one process of this machine can have, and loses when it dies: the core is this process's. `None`
/// if another has it.
fn claim(runners: &str, core: usize) -> Option<UnixDatagram> {
    let name = SocketAddr::from_abstract_name(format!("{runners}-core-{core}")).ok()?;
    UnixDatagram::bind_addr(&name).ok()
}

impl Place {
    /// Keeps the thread on one of the cores, for what it starts next on this seat.
    pub fn seat(&self, seat: usize) {
        self.stay(&[self.cores[seat % self.cores.len()]]);
    }

    /// Lets the thread use all of the cores.
    pub fn all(&self) {
        self.stay(&self.cores);
    }

    fn stay(&self, cores: &[usize]) {
        let mut set = CpuSet::new();
        // A core that has gone since is no reason to stop: the thread then stays where it is.
        if cores.iter().all(|&core| set.set(core).is_ok()) {
            let _ = sched_setaffinity(this_thread(), &set);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = sched_setaffinity(this_thread(), &self.before);
        self.claims.clear();
        self.pool.free.lock().unwrap_or_else(PoisonError::into_inner).append(&mut self.cores);
    }
}

/// Returns the kernel's name for whoever calls.
fn this_thread() -> Pid {
    Pid::from_raw(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_come_back_and_none_is_given_twice() {
        let before = sched_getaffinity(this_thread()).unwrap();
        // Other runners of this machine do not matter.
        let runners = format!("test-{}", std::process::id());
        let cores = Cores::among(&runners);
        let all = cores.free();
        {
            let first = cores.take(1).unwrap();
            let now = sched_getaffinity(this_thread()).unwrap();
            let here: Vec<usize> =
                (0..CpuSet::count()).filter(|&core| now.is_set(core) == Ok(true)).collect();
            assert_eq!(here, first.cores);
            assert!(cores.take(all).is_none());
            assert_eq!(cores.free(), all - 1);
            // A second pool is like a second runner: it may have all cores but that one.
            sched_setaffinity(this_thread(), &before).unwrap();
            let second = Cores::among(&runners);
            assert_eq!(second.free(), all);
            assert!(second.take(all).is_none());
            match second.take(1) {
                Some(other) => assert_ne!(other.cores, first.cores),
                None => assert_eq!(all, 1),
            }
        }
        assert_eq!(cores.free(), all);
        assert_eq!(sched_getaffinity(this_thread()).unwrap(), before);
    }
}
