//! Tentacles kill, and what grew from the dead dies with them.

use super::{Cell, Cells, State};
use contender_game::Player;

impl State {
    /// All tentacles strike at the same time.
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

    /// The player's organs that die when those in `hits` do: these and all their descendants.
    #[must_use]
    pub fn doomed(&self, player: Player, hits: Cells) -> Cells {
        let mut dead = hits;
        let mut alive = Cells::EMPTY;
        for organ in self.organ_cells(player) {
            // Climb to an ancestor whose fate is known, then mark the way: every organ is passed once.
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
}
