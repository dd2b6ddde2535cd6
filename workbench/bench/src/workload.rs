//! Workloads.

/// One thing to measure.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The game it belongs to, or the tool.
    pub subject: &'static str,
    /// The work: `random games`.
    pub name: &'static str,
    /// The unit: `games`.
    pub unit: &'static str,
    /// Does this many rounds of work, on one core unless its name says otherwise.
    pub run: fn(rounds: u64) -> Tally,
    /// Rounds that the signature takes; a small part of a second. 0 leaves the workload out of it.
    pub signature_rounds: u64,
}

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Number of units.
    pub units: u64,
    /// A number that depends on all results, so that no work can be optimised away and a change of behaviour shows.
    pub checksum: u64,
}
