//! The limits of a search.

use std::time::Instant;

/// The limits of a search: depth, nodes and time.
///
/// ```
/// use contender_search::SearchLimits;
/// use std::time::{Duration, Instant};
///
/// let second = SearchLimits::until(Instant::now() + Duration::from_secs(1));
/// let both = SearchLimits { depth: 6, ..second };
/// assert_eq!((both.depth, both.nodes, both.hard), (6, None, second.hard));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// The maximum depth of an iteration in decisions, from 1 to 254.
    pub depth: u32,
    /// Maximum number of visited nodes; a search with only this limit is reproducible.
    pub nodes: Option<u64>,
    /// No iteration starts after this instant.
    pub soft: Option<Instant>,
    /// The search stops at this instant, even in the middle of an iteration.
    pub hard: Option<Instant>,
}

impl SearchLimits {
    /// The largest depth.
    pub const MAX_DEPTH: u32 = 254;

    /// No limit except the maximum depth.
    pub const NONE: SearchLimits =
        SearchLimits { depth: SearchLimits::MAX_DEPTH, nodes: None, soft: None, hard: None };

    /// Creates a limit on the depth only.
    #[must_use]
    pub const fn depth(depth: u32) -> SearchLimits {
        SearchLimits { depth, ..SearchLimits::NONE }
    }

    /// Creates a limit on the number of nodes only.
    #[must_use]
    pub const fn nodes(nodes: u64) -> SearchLimits {
        SearchLimits { nodes: Some(nodes), ..SearchLimits::NONE }
    }

    /// Creates a limit on the time only: the search must end at `hard`.
    #[must_use]
    pub const fn until(hard: Instant) -> SearchLimits {
        SearchLimits { hard: Some(hard), ..SearchLimits::NONE }
    }

    /// Returns the instant at which a given part of the time between `start` and the hard end has passed. `part` is
    /// between 0 and 1.
    #[must_use]
    pub fn hard_after(&self, start: Instant, part: f64) -> Option<Instant> {
        self.hard.map(|hard| start + hard.saturating_duration_since(start).mul_f64(part))
    }
}
