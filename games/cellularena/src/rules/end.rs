//! The end of the game and its winner.

use super::{Kind, State};
use contender_game::rules::Player;

/// Maximum number of turns in a game.
pub const TURN_LIMIT: u32 = 100;

impl State {
    /// Returns a player's number of organs, which is its score.
    #[inline]
    #[must_use]
    pub fn organ_count(&self, player: Player) -> i32 {
        self.organ_cells(player).len() as i32
    }

    /// Returns a player's total number of proteins, which decides between equal scores.
    #[must_use]
    pub fn protein_count(&self, player: Player) -> i64 {
        self.stock(player).iter().map(|&amount| i64::from(amount)).sum()
    }

    /// Returns whether a player has an income or can pay for an organ. It does not matter whether there is a place for
    /// the organ.
    #[inline]
    #[must_use]
    pub fn can_progress(&self, player: Player) -> bool {
        Kind::ALL.iter().any(|kind| kind.is_paid_by(self.stock(player))) || !self.harvested(player).is_empty()
    }

    /// Returns whether the game ends after this turn, according to the judge's test.
    pub(super) fn has_ended(&self) -> bool {
        let [zero, one] = Player::BOTH.map(|player| self.organ_count(player));
        let stuck = Player::BOTH.map(|player| !self.can_progress(player));
        zero == 0
            || one == 0
            || stuck == [true; 2]
            || stuck[0] && zero < one
            || stuck[1] && one < zero
            || self.free().is_empty()
            || self.turns() >= TURN_LIMIT
    }

    /// Returns the player with more organs, or with more proteins if both have the same number of organs. Returns
    /// `None` if both numbers are equal. The result refers to the current state, and is final when the game is over.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        self.winner_with([false; 2])
    }

    /// Returns the winner if the players with `true` in `disqualified` are disqualified. The score of a disqualified
    /// player is -1.
    #[must_use]
    pub fn winner_with(&self, disqualified: [bool; 2]) -> Option<Player> {
        let rank = |player: Player| {
            let score = if disqualified[player] { -1 } else { self.organ_count(player) };
            (score, self.protein_count(player))
        };
        match rank(Player::Zero).cmp(&rank(Player::One)) {
            std::cmp::Ordering::Greater => Some(Player::Zero),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Player::One),
        }
    }
}
