//! How long a turn may take, and how settings are read from options.

use crate::Move;
use contender_game::{Analysis, Clock, Player};
use contender_search::mcts::Findings;
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

/// What a Monte Carlo search found, the move to play first and the others by their visits.
pub(crate) fn best_first(found: Findings<Move>, player: Player, unit: &'static str) -> Analysis<Move> {
    let best = found.best;
    let mut analysis = found.analysis(player, unit);
    analysis.moves.sort_by_key(|of| Some(of.mv) != best);
    analysis
}
