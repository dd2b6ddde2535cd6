//! Combined moves: moves that contain one action for each of many units, built from a list of actions that is sorted by
//! quality.
//!
//! The number of combined moves is exponential, but a policy only rates single actions. Iterative masking turns the
//! ratings into moves: take the best action, remove all actions that are incompatible with it, and repeat.
//!
//! In this example, each player picks fields, of which adjacent ones do not go together.
//!
//! ```
//! use contender_game::rules::{Combined, Player, Rng, Simultaneous};
//! use contender_search::combine::{build, complete, variants};
//!
//! #[derive(Clone)]
//! struct Fields;
//!
//! impl Combined for Fields {
//!     type Action = u8;
//!
//!     fn actions(&self, _player: Player, actions: &mut Vec<u8>) {
//!         actions.extend(0..5);
//!     }
//!
//!     fn goes_with(&self, _player: Player, chosen: &[u8], next: u8) -> bool {
//!         chosen.iter().all(|field| field.abs_diff(next) > 1)
//!     }
//!
//!     fn combine(&self, _player: Player, chosen: &[u8]) -> Vec<u8> {
//!         let mut fields = chosen.to_vec();
//!         fields.sort_unstable();
//!         fields
//!     }
//! }
//! # impl Simultaneous for Fields {
//! #     type Move = Vec<u8>;
//! #     fn is_over(&self) -> bool { true }
//! #     fn moves(&self, _: Player, _: &mut Vec<Vec<u8>>) {}
//! #     fn play(&mut self, _: [&Vec<u8>; 2]) {}
//! #     fn points(&self) -> [i32; 2] { [0; 2] }
//! #     fn random_move(&self, _: Player, _: &mut Rng) -> Vec<u8> { Vec::new() }
//! # }
//!
//! // A policy rates the fields in this order.
//! let ordered = [3, 2, 0, 1];
//! let mut chosen = Vec::new();
//! complete(&Fields, Player::Zero, &ordered, &mut chosen);
//! assert_eq!(chosen, [3, 0]);
//! // Another move with the second field of the order.
//! assert_eq!(variants(&Fields, Player::Zero, &[], &ordered, &ordered[1..], 2), [vec![0, 3], vec![0, 2]]);
//! // A search that knows the value of a list of fields.
//! let sum = |chosen: &[u8]| chosen.iter().map(|&field| f64::from(field)).sum();
//! assert_eq!(build(&Fields, Player::Zero, &[0, 1, 2, 3, 4], sum).chosen, [4, 2]);
//! ```

use contender_game::rules::{Combined, Player};

/// Extends `chosen`, a list of compatible actions. Goes through `ordered` and adds each action that is compatible with
/// all actions chosen so far.
///
/// To leave out actions that are worse than doing nothing, end the list `ordered` before them.
///
/// The [example of the module](self) calls this function.
pub fn complete<G: Combined>(game: &G, player: Player, ordered: &[G::Action], chosen: &mut Vec<G::Action>) {
    for &action in ordered {
        if !chosen.contains(&action) && game.goes_with(player, chosen, action) {
            chosen.push(action);
        }
    }
}

/// Returns at most `count` different moves. The first move is `best`, a list of compatible actions, completed with
/// actions from `ordered`. Each further move starts with an action from `firsts` and is completed first from `best` and
/// then from `ordered`. Moves that contain the same actions in a different order count as one move. Each action in
/// `firsts` must be possible on its own.
///
/// The [example of the module](self) calls this function.
#[must_use]
pub fn variants<G: Combined>(
    game: &G,
    player: Player,
    best: &[G::Action],
    ordered: &[G::Action],
    firsts: &[G::Action],
    count: usize,
) -> Vec<G::Move> {
    let mut choices: Vec<Vec<G::Action>> = Vec::new();
    for first in std::iter::once(None).chain(firsts.iter().copied().map(Some)) {
        if choices.len() == count {
            break;
        }
        let mut chosen: Vec<G::Action> = first.into_iter().collect();
        complete(game, player, best, &mut chosen);
        complete(game, player, ordered, &mut chosen);
        let is_new = choices
            .iter()
            .all(|other| other.len() != chosen.len() || !chosen.iter().all(|action| other.contains(action)));
        if is_new {
            choices.push(chosen);
        }
    }
    choices.iter().map(|chosen| game.combine(player, chosen)).collect()
}

/// A move that was built one action at a time, with the gains that were computed on the way.
#[derive(Clone, PartialEq, Debug)]
pub struct Built<A> {
    /// The actions, in the order in which they were added.
    pub chosen: Vec<A>,
    /// Every available action with its gain on its own, largest gain first.
    pub alone: Vec<(A, f64)>,
}

/// Builds a move: starts without actions and repeatedly adds the action that raises `value` most, until no action
/// raises it. Calls `value` only for compatible actions.
///
/// The algorithm assumes that an action's gain never grows when other actions are added. It therefore reevaluates an
/// action only when the action's last known gain is the largest. If the assumption holds, the result is the same as if
/// all actions were reevaluated in every step. Ties go to the action that was listed first.
///
/// Source: Minoux, "Accelerated greedy algorithms for maximizing submodular set functions", 1978.
///
/// The [example of the module](self) calls this function.
#[must_use]
pub fn build<G: Combined>(
    game: &G,
    player: Player,
    actions: &[G::Action],
    mut value: impl FnMut(&[G::Action]) -> f64,
) -> Built<G::Action> {
    let mut chosen: Vec<G::Action> = Vec::new();
    let mut so_far = value(&chosen);
    let mut alone: Vec<(G::Action, f64)> =
        actions.iter().map(|&action| (action, value(&[action]) - so_far)).collect();
    alone.sort_by(|a, b| b.1.total_cmp(&a.1));
    // The best at the end; of equal ones the one that was offered first.
    let mut queue: Vec<(G::Action, f64, usize)> =
        alone.iter().enumerate().map(|(rank, &(action, gain))| (action, gain, rank)).rev().collect();
    // Gains in the queue are those beside so many chosen actions or fewer.
    let mut known_beside = vec![0; queue.len()];
    while let Some((action, gain, rank)) = queue.pop() {
        if gain <= 0.0 {
            break;
        }
        if !game.goes_with(player, &chosen, action) {
            continue;
        }
        if known_beside[rank] == chosen.len() {
            chosen.push(action);
            so_far += gain;
            continue;
        }
        chosen.push(action);
        let gain = value(&chosen) - so_far;
        chosen.pop();
        known_beside[rank] = chosen.len();
        let at = queue.partition_point(|other| other.1 < gain || (other.1 == gain && other.2 > rank));
        queue.insert(at, (action, gain, rank));
    }
    Built { chosen, alone }
}
