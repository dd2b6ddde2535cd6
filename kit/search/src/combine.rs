//! Moves that combine the actions of many units, from one list of actions in order of merit.
//!
//! The number of combined moves is exponential; a policy gives one number for each single action. Iterative masking
//! makes moves of it: take the best action, drop what it makes impossible, repeat.

use contender_game::rules::{Combined, Player};

/// Completes `chosen`, actions that go together, with every action of `ordered` that still goes with them, the first
/// first.
///
/// A list that ends before the actions worse than doing nothing leaves those out.
pub fn complete<G: Combined>(game: &G, player: Player, ordered: &[G::Action], chosen: &mut Vec<G::Action>) {
    for &action in ordered {
        if !chosen.contains(&action) && game.goes_with(player, chosen, action) {
            chosen.push(action);
        }
    }
}

/// At most `count` different moves: `best`, actions that go together, completed from `ordered`; then for each action of
/// `firsts` the move that must have it and is completed from `best`, then from `ordered`. Moves of the same actions in
/// another order count as one. Each action must be possible as the player's only one.
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

/// A move built one action at a time, and what was learnt on the way.
#[derive(Clone, PartialEq, Debug)]
pub struct Built<A> {
    /// The actions, in the order in which they were added.
    pub chosen: Vec<A>,
    /// Every action that was offered with its gain as the only one, the largest first.
    pub alone: Vec<(A, f64)>,
}

/// Starts without actions and repeatedly adds the action that raises `value` most, until none does. `value` is called
/// for actions that go together.
///
/// The algorithm assumes that gains shrink as other actions are added, so it tries an action again only when its last
/// known gain is the largest; if gains do shrink, the result is that of trying all again every time. Of equal gains,
/// the action offered first wins.
///
/// Source: Minoux, "Accelerated greedy algorithms for maximizing submodular set functions", 1978.
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
