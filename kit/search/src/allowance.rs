//! How long a search may go on, and the meter that holds it to that.

use std::time::Instant;

/// When a search ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// The deepest iteration, in decisions: 1 to 254.
    pub depth: u32,
    /// The number of nodes that may be visited; a search with this limit alone is reproducible.
    pub nodes: Option<u64>,
    /// No iteration starts after this.
    pub soft: Option<Instant>,
    /// The search stops wherever it is.
    pub hard: Option<Instant>,
}

impl Allowance {
    /// The largest depth.
    pub const DEEPEST: u32 = 254;

    /// No limit but the largest depth.
    pub const NONE: Allowance = Allowance { depth: Allowance::DEEPEST, nodes: None, soft: None, hard: None };

    /// A fixed depth.
    #[must_use]
    pub const fn depth(depth: u32) -> Allowance {
        Allowance { depth, ..Allowance::NONE }
    }

    /// A number of nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Allowance {
        Allowance { nodes: Some(nodes), ..Allowance::NONE }
    }

    /// A time.
    #[must_use]
    pub const fn until(hard: Instant) -> Allowance {
        Allowance { hard: Some(hard), ..Allowance::NONE }
    }
}

/// The search was stopped; whatever it was computing is worth nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Counts nodes and says when to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    nodes: u64,
    limit: u64,
    /// At this count the clock or the limit is looked at.
    check_at: u64,
    hard: Option<Instant>,
}

/// Nodes between two looks at the clock: at the usual 50 to 500 ns a node a look every 3 to 30 microseconds, and its 25 ns are
/// lost in that.
const CHECK_EVERY: u64 = 64;

impl Meter {
    pub(crate) fn new(allowance: &Allowance) -> Meter {
        let limit = allowance.nodes.unwrap_or(u64::MAX);
        let check_at = if allowance.hard.is_some() { 0 } else { limit };
        Meter { nodes: 0, limit, check_at, hard: allowance.hard }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node, unless the limit is reached.
    #[inline]
    pub(crate) fn count(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.check_at {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Brings the next look at the clock nearer by so many nodes' worth of other work.
    #[inline]
    pub(crate) fn hurry(&mut self, work: usize) {
        if self.hard.is_some() {
            self.check_at = self.check_at.saturating_sub(work as u64);
        }
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.limit || self.hard.map_or(false, |hard| Instant::now() >= hard) {
            return Err(Stopped);
        }
        self.check_at = self.limit.min(self.nodes + CHECK_EVERY);
        Ok(())
    }
}
