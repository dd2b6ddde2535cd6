//! Reservation of cores for games, so that games that run at the same time do not share a core.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::{Arc, Mutex, PoisonError};

/// The cores of this machine that games may use. Clones share the same cores.
///
/// A game takes one core for its duration, or one core per bot if both bots think at once. The game's bots and the
/// referee's thread run on the game's cores. The waiting thread and the thinking thread take turns, so messages never
/// have to wake up a sleeping core. If no core is free, the system chooses the cores for the game. Cores that are
/// reserved by runners in other processes are not used.
///
/// All threads of a bot run on a single core, as with a judge that gives each bot one core.
#[derive(Clone, Debug)]
pub struct Cores {
    /// The cores that are not used by any game in this process.
    free: Arc<Mutex<Vec<usize>>>,
    /// Name of the group of runners that share the cores.
    runners: Arc<str>,
}

impl Cores {
    /// Returns the cores that the calling thread may use.
    #[must_use]
    pub fn new() -> Cores {
        Cores::among("contender")
    }

    /// Returns the cores that the calling thread may use, shared with all runners on this machine that use the same
    /// name.
    #[must_use]
    pub fn among(runners: &str) -> Cores {
        let allowed = sched_getaffinity(this_thread()).unwrap_or_default();
        let cores = (0..CpuSet::count()).rev().filter(|&core| allowed.is_set(core) == Ok(true));
        Cores { free: Arc::new(Mutex::new(cores.collect())), runners: runners.into() }
    }

    /// Returns the number of cores that are free, as far as this process knows.
    #[must_use]
    pub fn free(&self) -> usize {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Takes `count` cores and pins the calling thread and its children to them. Returns `None` if not enough cores are
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

/// The cores of one game. When this value is dropped, the cores become free and the thread may run on its previous
/// cores again.
pub(crate) struct Place {
    pool: Cores,
    cores: Vec<usize>,
    claims: Vec<UnixDatagram>,
    before: CpuSet,
}

/// Claims a core for this process by binding a socket name. Only one process on this machine can own the name, and the
/// system releases it when the process dies. Returns `None` if another process owns the name.
fn claim(runners: &str, core: usize) -> Option<UnixDatagram> {
    let name = SocketAddr::from_abstract_name(format!("{runners}-core-{core}")).ok()?;
    UnixDatagram::bind_addr(&name).ok()
}

impl Place {
    /// Pins the thread to one of the game's cores before it starts the bot for this seat.
    pub fn seat(&self, seat: usize) {
        self.stay(&[self.cores[seat % self.cores.len()]]);
    }

    /// Lets the thread use all cores of the game.
    pub fn all(&self) {
        self.stay(&self.cores);
    }

    fn stay(&self, cores: &[usize]) {
        let mut set = CpuSet::new();
        // If a core has disappeared since then, the thread stays on its cores; this is no reason to stop.
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

/// Returns 0, the kernel's name for the calling thread.
fn this_thread() -> Pid {
    Pid::from_raw(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_come_back_and_none_is_given_twice() {
        let before = sched_getaffinity(this_thread()).unwrap();
        // Other runners on this machine do not matter.
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
            // A second pool behaves like a second runner: it can take all cores except the one that is taken.
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
