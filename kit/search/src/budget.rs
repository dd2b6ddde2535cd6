//! The budget of a search, which counts nodes and watches the clock.

use crate::SearchLimits;
use std::time::{Duration, Instant};

/// The signal that the search was stopped and its unfinished result must be discarded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// The node counter and clock that stop a search at its limits. Searches do not read the clock anywhere else.
///
/// ```
/// use contender_search::{SearchBudget, SearchLimits, Stopped};
///
/// let mut budget = SearchBudget::new(&SearchLimits::nodes(2));
/// assert_eq!(budget.count(), Ok(()));
/// assert_eq!(budget.count(), Ok(()));
/// assert_eq!(budget.count(), Err(Stopped));
/// assert_eq!((budget.nodes(), budget.spent()), (2, 1.0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SearchBudget {
    nodes: u64,
    limit: u64,
    /// The count at which the clock and the limit are checked next.
    check_at: u64,
    /// Maximum number of nodes between two checks of the clock.
    most_between: u64,
    start: Instant,
    soft: Option<Instant>,
    hard: Option<Instant>,
}

/// A node usually takes 50 to 500 ns, so the clock is checked every 3 to 30 microseconds. A check takes 25 ns, which is
/// negligible.
const NODES_BETWEEN_LOOKS: u64 = 64;
/// Number of iterations between two checks of the clock; each iteration takes a microsecond or more.
const ITERATIONS_BETWEEN_LOOKS: u64 = 8;

impl SearchBudget {
    /// Creates a budget of tree nodes. If the limit is zero, no node is granted.
    #[must_use]
    pub fn new(limits: &SearchLimits) -> SearchBudget {
        SearchBudget::starting(limits, 0, NODES_BETWEEN_LOOKS)
    }

    /// Creates a budget of iterations. The first iteration is always granted.
    #[must_use]
    pub fn of_iterations(limits: &SearchLimits) -> SearchBudget {
        SearchBudget::starting(limits, 1, ITERATIONS_BETWEEN_LOOKS)
    }

    /// Creates a budget of expensive evaluations, which checks the clock before each one. If the limit is zero, no
    /// evaluation is granted.
    #[must_use]
    pub fn of_evaluations(limits: &SearchLimits) -> SearchBudget {
        SearchBudget::starting(limits, 0, 1)
    }

    fn starting(limits: &SearchLimits, granted: u64, most_between: u64) -> SearchBudget {
        let limit = limits.nodes.unwrap_or(u64::MAX).max(granted);
        let check_at = if limits.hard.is_some() { granted } else { limit };
        let SearchLimits { soft, hard, .. } = *limits;
        SearchBudget { nodes: 0, limit, check_at, most_between, start: Instant::now(), soft, hard }
    }

    /// Returns the number of counted nodes.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one more node or iteration.
    ///
    /// # Errors
    /// Returns an error if the limit is reached.
    #[inline]
    pub fn count(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.check_at {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Returns the time since the budget was created.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns whether an iteration of this depth may start. The iteration of depth `first` may always start; deeper
    /// iterations may start only before the soft end.
    #[must_use]
    pub fn may_start(&self, depth: u32, first: u32) -> bool {
        depth <= first || self.soft.map_or(true, |soft| Instant::now() < soft)
    }

    /// Returns whether work of this duration would finish before the hard end. Use this function for work that cannot
    /// be interrupted.
    #[must_use]
    pub fn has_time_for(&self, work: Duration) -> bool {
        self.hard.map_or(true, |hard| Instant::now() + work <= hard)
    }

    /// Returns the share of the nodes or of the time that has been used, whichever is larger: 0 at the start, 1 or more
    /// at the end. Without a limit, the result is always 0.
    #[must_use]
    pub fn spent(&self) -> f64 {
        let of_nodes =
            if self.limit == u64::MAX { 0.0 } else { self.nodes as f64 / self.limit.max(1) as f64 };
        let of_time = self.hard.map_or(0.0, |hard| {
            let whole = hard.saturating_duration_since(self.start).as_secs_f64();
            self.elapsed().as_secs_f64() / whole.max(1e-9)
        });
        of_nodes.max(of_time)
    }

    /// Limits the total count to `nodes`, including the nodes counted so far; `None` removes the limit.
    pub fn limit(&mut self, nodes: Option<u64>) {
        self.limit = nodes.unwrap_or(u64::MAX);
        self.check_at = self.check_at.min(self.limit);
    }

    /// Counts nodes without checking the limit: see [`SearchBudget::spent`].
    #[inline]
    pub fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Counts other work towards the next check of the clock. The work takes as long as `work` nodes.
    #[inline]
    pub fn hurry(&mut self, work: usize) {
        if self.hard.is_some() {
            self.check_at = self.check_at.saturating_sub(work as u64);
        }
    }

    /// Returns how many more nodes fit into the remaining time at the current speed.
    #[must_use]
    pub fn left(&self) -> u64 {
        let by_count = self.limit.saturating_sub(self.nodes);
        let Some(hard) = self.hard else { return by_count };
        let now = Instant::now();
        let speed = self.nodes as f64 / now.duration_since(self.start).as_secs_f64().max(1e-9);
        by_count.min((speed * hard.saturating_duration_since(now).as_secs_f64()) as u64)
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.limit || self.hard.map_or(false, |hard| Instant::now() >= hard) {
            return Err(Stopped);
        }
        // Near the end looks come closer together.
        let next = self.nodes + (self.left() / 2).clamp(1, self.most_between);
        self.check_at = self.limit.min(next);
        Ok(())
    }
}
