//! Players and turns.

use std::ops::{Index, IndexMut};

/// A seat at the board. The names of the seats, such as Order and Chaos, are defined by the game's
/// [`Contest`](crate::contest::Contest).
///
/// A player can be used as an index into a two-element array: `points[player]`.
///
/// ```
/// use contender_game::rules::Player;
///
/// let points = [30, 20];
/// let winner = if points[Player::Zero] > points[Player::One] { Player::Zero } else { Player::One };
/// assert_eq!((winner.other(), winner.index(), winner.sign()), (Player::One, 0, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Player {
    /// Seat 0. Values are from this player's point of view. This player does not always move first.
    Zero,
    /// Seat 1.
    One,
}

impl Player {
    /// Both seats, in order.
    pub const BOTH: [Player; 2] = [Player::Zero, Player::One];

    /// Returns the opponent.
    #[inline]
    #[must_use]
    pub fn other(self) -> Player {
        match self {
            Player::Zero => Player::One,
            Player::One => Player::Zero,
        }
    }

    /// Returns 0 or 1.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns +1 for player 0 and -1 for player 1. Multiplying by this factor converts a value between player 0's and
    /// this player's point of view.
    #[inline]
    #[must_use]
    pub fn sign(self) -> i32 {
        1 - 2 * (self as i32)
    }

    /// Returns the seat with this index.
    ///
    /// # Panics
    /// Panics if `index` is not 0 or 1.
    #[must_use]
    pub fn from_index(index: usize) -> Player {
        Player::BOTH[index]
    }
}

impl<T> Index<Player> for [T; 2] {
    type Output = T;
    #[inline]
    fn index(&self, player: Player) -> &T {
        &self[player as usize]
    }
}

impl<T> IndexMut<Player> for [T; 2] {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        &mut self[player as usize]
    }
}

/// The next event of a [`Game`](crate::rules::Game).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This player chooses a move.
    Player(Player),
    /// Chance chooses an outcome.
    Chance,
    /// The game has ended; its points are final.
    Over,
}
