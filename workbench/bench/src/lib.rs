//! The workloads of `contender bench`, with fixed seeds. Each game has one file.
//!
//! A workload does the same work on every machine. So its checksum is a fingerprint of rules and searches
//! ([`signature`]), and its speed can be compared between machines and versions.

#![forbid(unsafe_code)]

mod arena;
mod boxes;
mod cellularena;
mod echo;
mod entropy;
pub mod guides;
mod mcts;
mod referee;
mod search;
mod spaghetti;
mod turns;
mod uttt;
mod workload;

pub use turns::{Profile, TurnMeans, turns};
pub use workload::{Tally, Workload};

use contender_game::rules::mix;
use contender_referee::own_delay;
use std::time::{Duration, Instant};

/// A measured speed.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Number of units of work.
    pub units: u64,
    /// Time that the units took.
    pub elapsed: Duration,
}

impl Speed {
    /// Returns the number of units per second.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.units as f64 / self.elapsed.as_secs_f64()
    }
}

/// Returns all workloads, sorted by game.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let mut list = Vec::new();
    list.extend(arena::workloads());
    list.extend(boxes::workloads());
    list.extend(cellularena::workloads());
    list.extend(entropy::workloads());
    list.extend(referee::workloads());
    list.extend(spaghetti::workloads());
    list.extend(search::workloads());
    list.extend(mcts::workloads());
    list.extend(uttt::workloads());
    list
}

/// Returns all bots whose turns can be measured, sorted by game, with the strongest bot of each game first.
#[must_use]
pub fn profiles() -> Vec<Profile> {
    entropy::PROFILES.to_vec()
}

/// Runs a workload for about `time`, after a warm-up that takes a tenth of this time.
#[must_use]
pub fn measure(workload: &Workload, time: Duration) -> Speed {
    let start = Instant::now();
    measure_by(&|| start.elapsed(), workload, time)
}

/// Measures the speed of a core, no matter how busy the machine is. This function is like [`measure`], but subtracts
/// the time in which this thread waits for a core, if the system reports this time.
#[must_use]
pub fn measure_core(workload: &Workload, time: Duration) -> Speed {
    let waited = || own_delay().unwrap_or_default();
    let (start, before) = (Instant::now(), waited());
    measure_by(&|| start.elapsed().saturating_sub(waited().saturating_sub(before)), workload, time)
}

fn measure_by(clock: &dyn Fn() -> Duration, workload: &Workload, time: Duration) -> Speed {
    let mut rounds = 1;
    loop {
        let start = clock();
        (workload.run)(rounds);
        let elapsed = clock().saturating_sub(start);
        if elapsed * 10 >= time {
            rounds = (rounds as f64 * time.as_secs_f64() / elapsed.as_secs_f64()).ceil() as u64;
            break;
        }
        rounds *= 2;
    }
    let start = clock();
    let tally = (workload.run)(rounds);
    Speed { units: tally.units, elapsed: clock().saturating_sub(start) }
}

/// Returns a number that depends on the behaviour of all workloads. A change of rules, searches or random numbers
/// changes the signature; a refactoring does not.
#[must_use]
pub fn signature() -> u64 {
    let measured = workloads().into_iter().filter(|workload| workload.signature_rounds > 0);
    mix(&measured
        .flat_map(|workload| {
            let tally = (workload.run)(workload.signature_rounds);
            [tally.units, tally.checksum]
        })
        .collect::<Vec<u64>>())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    /// Runs work that takes long enough for the scheduler to interrupt it.
    fn spin(rounds: u64) -> Tally {
        let checksum = (0..rounds * 10_000).fold(0, |sum, number| mix(&[sum, number]));
        Tally { units: rounds, checksum }
    }

    /// Returns the time that this thread has spent on a core.
    fn on_core() -> Option<Duration> {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    }

    /// With four other threads per core, the measured speed is the same as on an idle core, because only CPU time
    /// counts.
    #[test]
    fn who_waits_for_a_core_is_not_slower() {
        let Some(before) = on_core() else {
            return eprintln!("skipped: the kernel does not count instructions");
        };
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..4 * contender_referee::available_cores() {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        spin(1);
                    }
                });
            }
            let name = "spin";
            let workload = Workload { subject: name, name, unit: "rounds", run: spin, signature_rounds: 0 };
            let speed = measure_core(&workload, Duration::from_millis(500));
            stop.store(true, Ordering::Relaxed);
            let had = on_core().unwrap() - before;
            assert!(speed.elapsed <= had, "{speed:?}, {had:?} on a core");
        });
    }
}
