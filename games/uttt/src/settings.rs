//! How long a turn may take.

use contender_game::Clock;
use contender_search::Allowance;

/// The given share of the turn's limit, from the question on; the bot's iterations instead, if those are limited.
pub(crate) fn allow(clock: &Clock, share: f64) -> Allowance {
    match (clock.nodes(), clock.turn_limit()) {
        (Some(nodes), _) => Allowance::nodes(nodes),
        (None, Some(limit)) => Allowance::until(clock.turn_start() + limit.mul_f64(share)),
        (None, None) => Allowance::nodes(UNLIMITED),
    }
}

/// Iterations of a bot that nobody limits.
const UNLIMITED: u64 = 100_000;
