//! How long a search may go on, and the meter that holds it to that.

use std::time::{Duration, Instant};

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

    /// When this part of the time from `start` to the hard end is over; `part` is 0 to 1.
    #[must_use]
    pub fn hard_after(&self, start: Instant, part: f64) -> Option<Instant> {
        self.hard.map(|hard| start + hard.saturating_duration_since(start).mul_f64(part))
    }
}

/// The search was stopped; whatever it was computing is worth nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Counts nodes or iterations, measures the time and says when to stop: every search's one look at the clock.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    nodes: u64,
    limit: u64,
    /// At this count the clock or the limit is looked at.
    check_at: u64,
    /// The most nodes between two looks at the clock.
    most_between: u64,
    start: Instant,
    soft: Option<Instant>,
    hard: Option<Instant>,
}

/// At the usual 50 to 500 ns a node a look every 3 to 30 microseconds, and its 25 ns are lost in that.
const NODES_BETWEEN_LOOKS: u64 = 64;
/// The same for iterations, of a microsecond and more.
const ITERATIONS_BETWEEN_LOOKS: u64 = 8;

impl Meter {
    /// For nodes of a tree: none is granted where nothing is allowed.
    #[must_use]
    pub fn new(allowance: &Allowance) -> Meter {
        Meter::starting(allowance, 0, NODES_BETWEEN_LOOKS)
    }

    /// For iterations, of which the first is granted in any case.
    #[must_use]
    pub fn of_iterations(allowance: &Allowance) -> Meter {
        Meter::starting(allowance, 1, ITERATIONS_BETWEEN_LOOKS)
    }

    fn starting(allowance: &Allowance, granted: u64, most_between: u64) -> Meter {
        let limit = allowance.nodes.unwrap_or(u64::MAX).max(granted);
        let check_at = if allowance.hard.is_some() { granted } else { limit };
        let Allowance { soft, hard, .. } = *allowance;
        Meter { nodes: 0, limit, check_at, most_between, start: Instant::now(), soft, hard }
    }

    /// How many were counted.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one more.
    ///
    /// # Errors
    /// The limit is reached.
    #[inline]
    pub fn count(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.check_at {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// The time since the meter was made.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether an iteration of this depth may start: the first in any case, a deeper one until the soft end.
    #[must_use]
    pub fn may_start(&self, depth: u32, first: u32) -> bool {
        depth <= first || self.soft.map_or(true, |soft| Instant::now() < soft)
    }

    /// Whether work as long as this can be done before the hard end: for what cannot be stopped once it is begun.
    #[must_use]
    pub fn has_time_for(&self, work: Duration) -> bool {
        self.hard.map_or(true, |hard| Instant::now() + work <= hard)
    }

    /// The part of the nodes or of the time that is used up, whichever is more: 0 at the start, 1 and more at the end. Without a
    /// limit it stays 0.
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

    /// Allows so many in all, those counted already among them; `None` allows all.
    pub fn limit(&mut self, nodes: Option<u64>) {
        self.limit = nodes.unwrap_or(u64::MAX);
        self.check_at = self.check_at.min(self.limit);
    }

    /// Counts some that nobody asked leave for: see [`Meter::spent`].
    #[inline]
    pub fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Brings the next look at the clock nearer by so many nodes' worth of other work.
    #[inline]
    pub fn hurry(&mut self, work: usize) {
        if self.hard.is_some() {
            self.check_at = self.check_at.saturating_sub(work as u64);
        }
    }

    /// How many more there is room for, at the speed so far.
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
