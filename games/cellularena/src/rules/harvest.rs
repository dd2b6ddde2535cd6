//! Harvesting: harvesters bring in proteins.

use super::State;
use contender_game::rules::Player;

impl State {
    /// Gives each player one protein for each source that at least one of its harvesters faces.
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

    /// Returns the current income from a player's harvesters per turn, for each protein.
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
