//! Workloads: pieces of work that are measured.

/// A piece of work to measure.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The game or tool that the workload measures.
    pub subject: &'static str,
    /// The name of the work: `random games`.
    pub name: &'static str,
    /// The unit of the work: `games`.
    pub unit: &'static str,
    /// The function that does the work. It uses one core unless the workload's name tells otherwise.
    pub run: fn(rounds: u64) -> Tally,
    /// Number of rounds for the signature. They should take only a small part of a second. 0 excludes the workload from
    /// the signature.
    pub signature_rounds: u64,
}

/// The result of running a workload.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Number of units of work that were done.
    pub units: u64,
    /// A number that depends on all results. It keeps the compiler from removing work, and shows whether behaviour has
    /// changed.
    pub checksum: u64,
}
