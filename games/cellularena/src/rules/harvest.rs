//! Harvesters bring in proteins.

use super::State;
use contender_game::rules::Player;

impl State {
    /// One protein for each source that at least one harvester of a player faces.
    #[inline]
    pub(super) fn harvest(&mut self) {
        for player in Player::BOTH {
            for cell in self.harvested(player) {
                if let Some(protein) = self.packed(cell).protein() {
                    self.stock[player][protein] += 1;
                }
            }
        }
    }

    /// Returns the present income of a player's harvesters per turn, by protein.
    #[must_use]
    pub fn income(&self, player: Player) -> [i32; 4] {
        let mut income = [0; 4];
        for cell in self.harvested(player) {
            if let Some(protein) = self.packed(cell).protein() {
                income[protein] += 1;
            }
        }
        income
    }
}
