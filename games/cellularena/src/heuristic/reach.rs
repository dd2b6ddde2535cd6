//! Who gets to a cell first: both players spread over the free cells at the same time.

use crate::{spore_line, Cells, Dir, Kind, State};
use contender_game::Player;

/// The neighbours of all cells of a set.
#[inline]
pub(super) fn neighbours(cells: Cells) -> Cells {
    Dir::ALL.iter().fold(Cells::EMPTY, |all, &dir| all | cells.shifted(dir))
}

/// The cells onto which a player may grow in the next turn, spores left out.
#[inline]
pub(super) fn frontier(state: &State, player: Player) -> Cells {
    neighbours(state.organ_cells(player)) & state.open(player)
}

/// Visits, ring by ring from distance 1 to at most `far`, the cells that each player reaches before the other.
///
/// A cell that both reach in the same turn is nobody's and ends the way of both; a cell that the enemy guards is closed. Where a root
/// can be paid for, the lines of sporers are at distance 1.
#[inline]
pub(super) fn spread(state: &State, far: u32, mut visit: impl FnMut(u32, &[Cells; 2])) {
    let open = Player::BOTH.map(|player| state.open(player));
    let mut rims = Player::BOTH.map(|player| {
        let mut reached = neighbours(state.organ_cells(player));
        if Kind::Root.is_paid_by(state.stock(player)) {
            for sporer in state.sporers(player) {
                spore_line(state, sporer).for_each(|cell| reached.insert(cell));
            }
        }
        reached & open[player]
    });
    let mut rest = Cells::EMPTY;
    let mut is_first = true;
    for distance in 1..=far {
        if !is_first {
            rims = Player::BOTH.map(|player| neighbours(rims[player]) & open[player] & rest);
        }
        let all = rims[0] | rims[1];
        if all.is_empty() {
            break;
        }
        rest = if is_first { state.free() } else { rest }.without(all);
        is_first = false;
        let both = rims[0] & rims[1];
        rims = rims.map(|rim| rim.without(both));
        visit(distance, &rims);
    }
}
