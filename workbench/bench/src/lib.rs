//! What `contender bench` measures: fixed, seeded workloads, a file for each game.
//!
//! A workload does the same work on every machine, so its checksum is a fingerprint of rules and searches
//! ([`signature`]) and its speed can be compared across machines and versions.

#![forbid(unsafe_code)]

mod arena;
mod boxes;
mod cellularena;
mod echo;
mod entropy;
pub mod guides;
mod mcts;
mod referee;
pub mod search;
mod spaghetti;
mod turns;
mod uttt;
mod workload;

pub use turns::{Profile, TurnMeans, turns};
pub use workload::{Tally, Workload};

use contender_game::mix;
use std::time::{Duration, Instant};

/// A measured speed.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Units done.
    pub units: u64,
    /// Time they took.
    pub elapsed: Duration,
}

impl Speed {
    /// Units per second.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.units as f64 / self.elapsed.as_secs_f64()
    }
}

/// Every workload, game by game.
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

/// Every bot whose turns can be measured, game by game, the strongest first.
#[must_use]
pub fn profiles() -> Vec<Profile> {
    entropy::PROFILES.to_vec()
}

/// Runs a workload for about `time`, after a warm-up of a tenth of it.
#[must_use]
pub fn measure(workload: &Workload, time: Duration) -> Speed {
    let mut rounds = 1;
    loop {
        let start = Instant::now();
        (workload.run)(rounds);
        let elapsed = start.elapsed();
        if elapsed * 10 >= time {
            rounds = (rounds as f64 * time.as_secs_f64() / elapsed.as_secs_f64()).ceil() as u64;
            break;
        }
        rounds *= 2;
    }
    let start = Instant::now();
    let tally = (workload.run)(rounds);
    Speed { units: tally.units, elapsed: start.elapsed() }
}

/// One number for the behaviour of all workloads: a change of rules, search or random numbers changes it, a refactoring
/// leaves it.
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
