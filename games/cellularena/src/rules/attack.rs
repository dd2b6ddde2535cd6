//! Attacks: tentacles kill organs, and all descendants of a dead organ die with it.

use super::{Cell, Cells, State, AREA};
use contender_game::rules::Player;

impl State {
    /// Lets all tentacles attack at the same time.
    #[inline]
    pub(super) fn attack(&mut self) {
        let hits = Player::BOTH.map(|player| self.organ_cells(player) & self.guarded(player.other()));
        for player in Player::BOTH {
            if !hits[player].is_empty() {
                let dead = self.doomed(player, hits[player]);
                self.remove_organs(player, dead);
            }
        }
    }

    /// Returns the player's organs that die if the organs in `hits` die: the organs in `hits` and all their
    /// descendants.
    #[must_use]
    pub fn doomed(&self, player: Player, hits: Cells) -> Cells {
        let mut dead = hits;
        let mut alive = Cells::EMPTY;
        for organ in self.organ_cells(player) {
            // Climb to an ancestor whose fate is known, then mark the path. Each organ is visited once.
            let mut fate = organ;
            let doomed = loop {
                if dead.has(fate) {
                    break true;
                }
                match self.parent(fate) {
                    Some(parent) if !alive.has(fate) => fate = parent,
                    _ => break false,
                }
            };
            let marks = if doomed { &mut dead } else { &mut alive };
            let mut at: Option<Cell> = Some(organ);
            while let Some(cell) = at.filter(|&cell| cell != fate) {
                marks.insert(cell);
                at = self.parent(cell);
            }
            marks.insert(fate);
        }
        dead
    }

    /// Returns, for the cell of each of a player's organs, the number of organs that die with this organ, including
    /// itself.
    pub(crate) fn subtree_sizes(&self, player: Player) -> [u16; AREA] {
        let organs = self.organ_cells(player);
        let mut children = [0u8; AREA];
        for organ in organs {
            if let Some(parent) = self.parent(organ) {
                children[parent.index()] += 1;
            }
        }
        let mut sizes = [0; AREA];
        for leaf in organs {
            if children[leaf.index()] != 0 || sizes[leaf.index()] != 0 {
                continue;
            }
            // Each organ passes on its number when all its children have, so each organ is visited once.
            let mut organ = leaf;
            sizes[organ.index()] = 1;
            while let Some(parent) = self.parent(organ) {
                sizes[parent.index()] += sizes[organ.index()];
                children[parent.index()] -= 1;
                if children[parent.index()] > 0 {
                    break;
                }
                sizes[parent.index()] += 1;
                organ = parent;
            }
        }
        sizes
    }
}
