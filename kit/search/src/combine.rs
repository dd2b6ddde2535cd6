//! Moves that combine the actions of many units, from one list of actions in order of merit.
//!
//! The number of combined moves is exponential; a policy gives one number for each single action. Iterative masking makes moves of
//! it: take the best action, drop what it makes impossible, repeat.

use contender_game::{Combined, Player};

/// Completes `chosen`, actions that go together, with every action of `ordered` that still goes with them, the first first.
///
/// A list that ends before the actions worse than doing nothing leaves those out.
pub fn complete<G: Combined>(game: &G, player: Player, ordered: &[G::Action], chosen: &mut Vec<G::Action>) {
    for &action in ordered {
        if !chosen.contains(&action) && game.goes_with(player, chosen, action) {
            chosen.push(action);
        }
    }
}

/// At most `count` different moves, the most promising first: the completed empty choice, then completed choices that must have
/// the second action of the list, the third, and so on. Moves of the same actions in another order count as one.
/// Each action of `ordered` must be possible as the player's only one.
#[must_use]
pub fn candidates<G: Combined>(
    game: &G,
    player: Player,
    ordered: &[G::Action],
    count: usize,
) -> Vec<G::Move> {
    let mut choices: Vec<Vec<G::Action>> = Vec::new();
    let firsts = std::iter::once(None).chain(ordered.iter().skip(1).copied().map(Some));
    for first in firsts {
        if choices.len() == count {
            break;
        }
        let mut chosen: Vec<G::Action> = first.into_iter().collect();
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
