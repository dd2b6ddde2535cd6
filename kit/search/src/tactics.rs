//! Knowledge about a game with tactics, such as captures and checks, for a [`TacticalSearch`](crate::TacticalSearch).

use crate::{Heuristics, INFINITY, LIMIT};
use contender_game::rules::Game;

/// Knowledge that a search of a game like chess can use in addition to its [`Heuristics`]. Every method has a default
/// without knowledge, so `impl Tactics<State> for Guide {}` is enough to start with.
///
/// | told | used by |
/// |---|---|
/// | [`is_noisy`](Tactics::is_noisy), [`noisy_moves`](Tactics::noisy_moves), [`gain`](Tactics::gain) | quiescence; only other moves are reduced or pruned |
/// | [`is_threat`](Tactics::is_threat) | order; threats are not reduced or pruned either |
/// | [`is_check`](Tactics::is_check), [`answers_check`](Tactics::answers_check) | extensions; nothing is pruned in check |
/// | [`pass`](Tactics::pass) | the null move |
/// | [`reply_slot`](Tactics::reply_slot) | continuation history |
pub trait Tactics<G: Game>: Heuristics<G> {
    /// Returns whether a move, such as a capture or a promotion, changes so much that a state should not be evaluated
    /// while such a move is possible.
    fn is_noisy(&self, state: &G, mv: G::Move) -> bool {
        let _ = (state, mv);
        false
    }

    /// Appends the noisy moves. The default filters all moves. If you can, list the noisy moves directly, because most
    /// nodes of a search need no other moves.
    fn noisy_moves(&self, state: &G, moves: &mut Vec<G::Move>) {
        let start = moves.len();
        state.moves(moves);
        let mut kept = start;
        for at in start..moves.len() {
            if self.is_noisy(state, moves[at]) {
                moves[kept] = moves[at];
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    /// Returns the maximum that a noisy move can immediately add to its player's evaluation, such as the value of the
    /// captured piece. [`TacticalConfig::delta_margin`](crate::TacticalConfig::delta_margin) is added to it.
    fn gain(&self, state: &G, mv: G::Move) -> i32 {
        let _ = (state, mv);
        LIMIT
    }

    /// Returns whether a quiet move is such a threat that it should be searched early and to full depth, for example
    /// because it gives check.
    fn is_threat(&self, state: &G, mv: G::Move) -> bool {
        let _ = (state, mv);
        false
    }

    /// Returns whether the player to act is in check: the threat must be answered.
    fn is_check(&self, state: &G) -> bool {
        let _ = state;
        false
    }

    /// Returns whether a move can answer the check that the player to act is in. With check extensions, moves that do
    /// not answer the check are not searched, unless there is no answer at all. By default, every move counts as an
    /// answer. Implement this method if the rules also allow moves that lose at once.
    fn answers_check(&self, state: &G, mv: G::Move) -> bool {
        let _ = (state, mv);
        true
    }

    /// Returns the state after a pass of the player to act. Returns `None` if a pass makes no sense under the rules or
    /// in this position. Implement this method only if the right to move is nearly always an advantage.
    fn pass(&self, state: &G) -> Option<G> {
        let _ = state;
        None
    }

    /// Returns the number of counters of the continuation history for one move; 0 for none. There is a counter for each
    /// pair of moves, so use at most about 1000 counters, for example one for each piece and destination.
    fn reply_slots(&self) -> usize {
        0
    }

    /// Returns the counter of a move, below [`reply_slots`](Tactics::reply_slots).
    fn reply_slot(&self, state: &G, mv: G::Move) -> usize {
        let _ = (state, mv);
        0
    }

    /// Returns the smallest value of a won game. Windows beyond this value, for wins and losses, are searched without
    /// pruning.
    fn decisive(&self) -> i32 {
        INFINITY
    }
}
