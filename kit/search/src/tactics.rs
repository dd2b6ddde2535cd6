//! Knowledge about a game with tactics, such as captures and checks, for a [`TacticalSearch`](crate::TacticalSearch).

use crate::{Heuristics, INFINITY, LIMIT};
use contender_game::rules::Game;

/// Additional knowledge for searching a game like chess. Every function has a default that adds no knowledge, so `impl
/// Tactics<State> for Guide {}` is enough to start with.
///
/// | function | used for |
/// |---|---|
/// | [`is_noisy`](Tactics::is_noisy), [`noisy_moves`](Tactics::noisy_moves), [`gain`](Tactics::gain) | quiescence; only other moves are reduced or pruned |
/// | [`is_threat`](Tactics::is_threat) | move ordering; threats are not reduced or pruned either |
/// | [`is_check`](Tactics::is_check) | extensions; nothing is pruned in check |
/// | [`answers_check`](Tactics::answers_check), [`answers`](Tactics::answers) | in check, only answers are searched |
/// | [`pass`](Tactics::pass) | the null move |
/// | [`reply_slot`](Tactics::reply_slot) | continuation history |
///
/// The example of [`TacticalSearch::tactical`](crate::Search::tactical) implements this trait.
pub trait Tactics<G: Game>: Heuristics<G> {
    /// Returns whether a move is noisy, such as a capture or a promotion: a state with noisy moves should not be
    /// evaluated without searching them.
    fn is_noisy(&self, state: &G, mv: G::Move) -> bool {
        let _ = (state, mv);
        false
    }

    /// Appends the noisy moves. The default implementation filters the list of all moves. List the noisy moves directly
    /// if possible, because most nodes of a search need no other moves.
    fn noisy_moves(&self, state: &G, moves: &mut Vec<G::Move>) {
        append_kept(state, moves, |mv| self.is_noisy(state, mv));
    }

    /// Returns the maximum amount by which a noisy move can immediately improve its player's evaluation, such as the
    /// value of the captured piece. The search adds
    /// [`TacticalConfig::delta_margin`](crate::TacticalConfig::delta_margin) to this amount.
    fn gain(&self, state: &G, mv: G::Move) -> i32 {
        let _ = (state, mv);
        LIMIT
    }

    /// Returns whether a quiet move is a threat that should be searched early and to full depth, such as a check.
    fn is_threat(&self, state: &G, mv: G::Move) -> bool {
        let _ = (state, mv);
        false
    }

    /// Returns whether the player to act is in check, that is, must answer a threat.
    fn is_check(&self, state: &G) -> bool {
        let _ = state;
        false
    }

    /// Returns whether a move answers a check. In check, a search with check extensions and the quiescence search only
    /// search answers, unless there are none. By default, every move counts as an answer. Implement this function if
    /// the rules also allow moves that leave the player in check.
    fn answers_check(&self, state: &G, mv: G::Move) -> bool {
        let _ = (state, mv);
        true
    }

    /// Appends the moves that answer a check. The default implementation filters the list of all moves. List the
    /// answers directly if the rules allow many other moves, such as drops: otherwise the list takes most of the time
    /// in check.
    ///
    /// ```
    /// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
    /// # use toys::Nim;
    /// use contender_game::rules::{Game, Player};
    /// use contender_search::{Heuristics, Tactics};
    ///
    /// struct Guide;
    ///
    /// impl Heuristics<Nim> for Guide {
    ///     fn evaluate(&mut self, _: &Nim) -> i32 {
    ///         0
    ///     }
    /// }
    ///
    /// impl Tactics<Nim> for Guide {
    ///     /// Five to seven matches are a threat.
    ///     fn is_check(&self, state: &Nim) -> bool {
    ///         (5..8).contains(&state.matches)
    ///     }
    ///     /// A multiple of four is left.
    ///     fn answers_check(&self, state: &Nim, mv: u8) -> bool {
    ///         (state.matches - mv) % 4 == 0
    ///     }
    ///     /// Lists the moves for which `answers_check` is true, without a list of all moves.
    ///     fn answers(&self, state: &Nim, moves: &mut Vec<u8>) {
    ///         moves.push(state.matches % 4);
    ///     }
    /// }
    ///
    /// let (state, mut moves) = (Nim { matches: 7, mover: Player::One }, Vec::new());
    /// Guide.answers(&state, &mut moves);
    /// assert_eq!(moves, [3]);
    /// ```
    fn answers(&self, state: &G, moves: &mut Vec<G::Move>) {
        append_kept(state, moves, |mv| self.answers_check(state, mv));
    }

    /// Returns the state after the player to act has passed, or `None` if passing makes no sense under the rules or in
    /// this position. Implement this function only if the right to move is nearly always an advantage.
    fn pass(&self, state: &G) -> Option<G> {
        let _ = state;
        None
    }

    /// Returns the number of different moves in the continuation history; 0 disables it. There is a counter for each
    /// pair of moves, so use at most about 1000, for example one for each combination of piece and destination.
    fn reply_slots(&self) -> usize {
        0
    }

    /// Returns the index of a move in the continuation history, below [`reply_slots`](Tactics::reply_slots).
    fn reply_slot(&self, state: &G, mv: G::Move) -> usize {
        let _ = (state, mv);
        0
    }

    /// Returns the smallest value of a won game. Windows beyond this value (or its negative) are searched without
    /// pruning.
    fn decisive(&self) -> i32 {
        INFINITY
    }
}

/// Appends the moves of a state for which `is_kept` returns true.
fn append_kept<G: Game>(state: &G, moves: &mut Vec<G::Move>, is_kept: impl Fn(G::Move) -> bool) {
    let start = moves.len();
    state.moves(moves);
    let mut kept = start;
    for at in start..moves.len() {
        if is_kept(moves[at]) {
            moves[kept] = moves[at];
            kept += 1;
        }
    }
    moves.truncate(kept);
}
