//! Knowledge about a game with tactics, such as captures and checks, for a [`TacticalSearch`](crate::TacticalSearch).

use crate::{Heuristics, INFINITY, LIMIT};
use contender_game::rules::Game;

/// What a search of a game like chess can make use of beyond its [`Heuristics`]. Every method has a default that says
/// nothing, so `impl Tactics<State> for Guide {}` is enough to begin with.
///
/// | told | used by |
/// |---|---|
/// | [`is_noisy`](Tactics::is_noisy), [`noisy_moves`](Tactics::noisy_moves), [`gain`](Tactics::gain) | quiescence; only other moves are reduced or pruned |
/// | [`is_threat`](Tactics::is_threat) | order; threats are not reduced or pruned either |
/// | [`is_check`](Tactics::is_check), [`answers_check`](Tactics::answers_check) | extensions; nothing is pruned in check |
/// | [`pass`](Tactics::pass) | the null move |
/// | [`reply_slot`](Tactics::reply_slot) | continuation history |
pub trait Tactics<G: Game>: Heuristics<G> {
    /// Returns whether a move changes so much that a state should not be evaluated while one can be played: a capture,
    /// a promotion.
    fn is_noisy(&self, state: &G, mv: G::Move) -> bool {
        let _ = (state, mv);
        false
    }

    /// Appends the noisy moves. The default filters all moves; list them directly if you can, because most nodes of a
    /// search ask for nothing else.
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

    /// Returns the most that a noisy move can add to its player's evaluation at once, such as the value of the captured
    /// piece. [`TacticalConfig::delta_margin`](crate::TacticalConfig::delta_margin) is added to it.
    fn gain(&self, state: &G, mv: G::Move) -> i32 {
        let _ = (state, mv);
        LIMIT
    }

    /// Returns whether a move that is not noisy threatens so much that it should be searched early and in full, such as
    /// one that gives check.
    fn is_threat(&self, state: &G, mv: G::Move) -> bool {
        let _ = (state, mv);
        false
    }

    /// Returns whether the player to act is threatened so much that the threat must be answered.
    fn is_check(&self, state: &G) -> bool {
        let _ = state;
        false
    }

    /// Returns whether a move can answer the check that the player to act is in. With check extensions the others are
    /// not searched, unless there is no answer at all. The default takes every move for an answer; say it if the rules
    /// also allow moves that lose at once.
    fn answers_check(&self, state: &G, mv: G::Move) -> bool {
        let _ = (state, mv);
        true
    }

    /// Returns the state after the player to act has passed; `None` if the rules or the position make nonsense of it.
    /// Give it only if having the move is nearly always worth something.
    fn pass(&self, state: &G) -> Option<G> {
        let _ = state;
        None
    }

    /// Returns the number of counters of the continuation history for one move; 0 for none. There is a counter for each
    /// pair, so keep it below about 1000: a piece and its destination, for example.
    fn reply_slots(&self) -> usize {
        0
    }

    /// Returns the counter of a move, below [`reply_slots`](Tactics::reply_slots).
    fn reply_slot(&self, state: &G, mv: G::Move) -> usize {
        let _ = (state, mv);
        0
    }

    /// Returns the least value of a won game. Windows beyond it, of wins and losses, are searched without pruning.
    fn decisive(&self) -> i32 {
        INFINITY
    }
}
