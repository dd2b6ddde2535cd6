//! What a game says of itself so that an evaluation can learn it.

use contender_game::{Game, Player};
use contender_search::Luck;

/// A game whose positions have features: what a player has there, a piece, an open line, a threat, the right to move.
/// Each is worth the same to either player. For games in turn that hide nothing.
pub trait Features: Game + 'static {
    /// [`Fair`](contender_search::Fair) where chance acts, [`Sure`](contender_search::Sure) where it does not.
    type Luck: Luck<Self>;
    /// How many features there are.
    const COUNT: usize;

    /// Names each feature that a player has, a number below [`COUNT`](Features::COUNT); one that he has several times
    /// is named as often. The position is worth to him what he has, less what the opponent has; a network sees what
    /// goes together, too.
    fn features(&self, player: Player, add: impl FnMut(usize));

    /// A hash of everything that can matter later, for the search's table; without it there is none.
    fn key(&self) -> Option<u64> {
        None
    }

    /// The evaluation that bots are shipped with, a file that `train` has written, weights or a network:
    /// `contender_nn::include_data!("../weights.txt")`. Without bytes, as by default, nothing is worth anything.
    #[must_use]
    fn evaluation() -> Vec<u8> {
        Vec::new()
    }
}
