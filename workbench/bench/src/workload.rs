//! Workloads.

/// A piece of work to measure.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The game or tool that the workload belongs to.
    pub subject: &'static str,
    /// The name of the work: `random games`.
    pub name: &'static str,
    /// The unit: `games`.
    pub unit: &'static str,
    /// The function that does the work. Uses one core unless the workload's name shows otherwise.
    pub run: fn(rounds: u64) -> Tally,
    /// Number of rounds for the signature, which should take a small part of a second; 0 excludes the workload from the
    /// signature.
    pub signature_rounds: u64,
}

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Number of units.
    pub units: u64,
    /// A number that depends on all results. The checksum prevents the compiler from optimising work away, and reveals
    /// a change in behaviour.
    pub checksum: u64,
}
