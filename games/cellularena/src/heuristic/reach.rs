//! The race for cells: both players spread over the free cells at the same time.

use crate::{spore_line, Cells, Dir, Kind, State};
use contender_game::rules::Player;

/// The distance assumed for cells that a sporer can shoot at.
pub(super) const SHOT: u32 = 3;

/// Returns the neighbours of all cells in a set.
#[inline]
pub(super) fn neighbours(cells: Cells) -> Cells {
    Dir::ALL.iter().fold(Cells::EMPTY, |all, &dir| all | cells.shifted(dir))
}

/// Returns the cells that a player may grow onto in the next turn, without the targets of spores.
#[inline]
pub(super) fn frontier(state: &State, player: Player) -> Cells {
    neighbours(state.organ_cells(player)) & state.open(player)
}

/// Visits the cells that each player reaches before the other player, ring by ring from distance 1 to at most `far`.
///
/// A cell that both players reach in the same turn belongs to neither and blocks both. A cell that the enemy guards
/// cannot be reached. If the player can pay for a root, the lines of the player's sporers are at distance [`SHOT`]. If
/// their distance were 1, a shot would be worth more before it is fired than afterwards.
#[inline]
pub(super) fn spread(state: &State, far: u32, mut visit: impl FnMut(u32, &[Cells; 2])) {
    let open = Player::BOTH.map(|player| state.open(player));
    let mut rims = Player::BOTH.map(|player| state.organ_cells(player));
    let mut rest = state.free();
    for distance in 1..=far {
        rims = Player::BOTH.map(|player| {
            let mut reached = neighbours(rims[player]);
            if distance == SHOT && Kind::Root.is_paid_by(state.stock(player)) {
                for sporer in state.sporers(player) {
                    spore_line(state, sporer).for_each(|cell| reached.insert(cell));
                }
            }
            reached & open[player] & rest
        });
        let all = rims[0] | rims[1];
        if all.is_empty() && distance >= SHOT {
            break;
        }
        rest = rest.without(all);
        let both = rims[0] & rims[1];
        rims = rims.map(|rim| rim.without(both));
        visit(distance, &rims);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::after_random_turns;
    use super::*;
    use crate::Cell;
    use std::collections::BTreeMap;

    /// Computes turn by turn, with maps, when each cell is reached, and by which player. `None` stands for both
    /// players.
    fn slow_spread(state: &State) -> BTreeMap<Cell, (u32, Option<Player>)> {
        let mut reached: BTreeMap<Cell, (u32, Option<Player>)> = BTreeMap::new();
        for distance in 1..400 {
            let mut now: BTreeMap<Cell, Vec<Player>> = BTreeMap::new();
            for player in Player::BOTH {
                let mut cells = Vec::new();
                let earlier: Vec<Cell> = if distance == 1 {
                    state.organ_cells(player).iter().collect()
                } else {
                    let last = |of: &(u32, Option<Player>)| *of == (distance - 1, Some(player));
                    reached.iter().filter(|(_, of)| last(of)).map(|(&cell, _)| cell).collect()
                };
                earlier.iter().for_each(|cell| cells.extend(Dir::ALL.map(|dir| cell.step(dir))));
                if distance == SHOT && Kind::Root.is_paid_by(state.stock(player)) {
                    state.sporers(player).iter().for_each(|sporer| cells.extend(spore_line(state, sporer)));
                }
                cells.retain(|cell| state.open(player).has(*cell) && !reached.contains_key(cell));
                cells.sort();
                cells.dedup();
                cells.into_iter().for_each(|cell| now.entry(cell).or_default().push(player));
            }
            for (cell, players) in now {
                let owner = if players.len() == 1 { Some(players[0]) } else { None };
                reached.insert(cell, (distance, owner));
            }
        }
        reached.retain(|_, of| of.1.is_some());
        reached
    }

    #[test]
    fn rings_are_like_the_slow_ones() {
        let mut cells = 0;
        after_random_turns(5, 12, |state, _| {
            let mut fast = BTreeMap::new();
            spread(state, 400, |distance, rims| {
                for player in Player::BOTH {
                    rims[player].iter().for_each(|cell| {
                        fast.insert(cell, (distance, Some(player)));
                    });
                }
            });
            assert_eq!(fast, slow_spread(state), "{state:?}");
            cells += fast.len();
        });
        assert!(cells > 1_000, "{cells}");
    }
}
