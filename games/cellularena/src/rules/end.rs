//! When the game is over, and who has won.

use super::{Kind, State};
use contender_game::Player;

/// A game has this many turns at most.
pub const TURN_LIMIT: u32 = 100;

impl State {
    /// How many organs a player has: its score.
    #[inline]
    #[must_use]
    pub fn organ_count(&self, player: Player) -> i32 {
        self.organ_cells(player).len() as i32
    }

    /// All proteins of a player: decides between equal scores.
    #[must_use]
    pub fn protein_count(&self, player: Player) -> i64 {
        self.stock(player).iter().map(|&amount| i64::from(amount)).sum()
    }

    /// Whether a player has an income or can pay for some organ. Whether there is a place for one does not count.
    #[inline]
    #[must_use]
    pub fn can_progress(&self, player: Player) -> bool {
        Kind::ALL.iter().any(|kind| kind.is_paid_by(self.stock(player))) || !self.harvested(player).is_empty()
    }

    /// The judge's test at the end of a turn.
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

    /// Who has more organs, or as many and more proteins; none when both are equal. As things stand, final when the
    /// game is over.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        self.winner_with([false; 2])
    }

    /// The winner, given which players are disqualified: their score is -1.
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
