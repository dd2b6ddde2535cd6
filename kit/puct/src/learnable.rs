//! What a game says of itself so that a network can learn it.

use contender_game::{Game, Rng};
use contender_nn::planes::Planes;
use contender_nn::policy_value::Shape;
use contender_nn::winograd::Size;
use contender_search::Luck;

/// A number of the policy: that of an action of a cell, or the one that no cell has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A cell, row by row, and the number of an action below [`Learnable::ACTIONS`].
    Cell(usize, usize),
    /// No cell: passing, for example.
    Nowhere,
}

/// A game in turn that a network can learn. The network sees a map of cells, and gives each cell a number for each
/// action, one number for what belongs to no cell, and a value.
pub trait Learnable: Game + Send + Sync + 'static {
    /// [`Fair`](contender_search::Fair) where chance acts, [`Sure`](contender_search::Sure) where it does not.
    type Luck: Luck<Self> + Send;
    /// The map.
    const BOARD: Size;
    /// Numbers that a cell of the input has.
    const PLANES: usize;
    /// Actions of a cell.
    const ACTIONS: usize;
    /// How many symmetric images the board has, itself included.
    const IMAGES: usize = 1;

    /// Puts the state, in which a player is to move, into an empty input: for each cell, row by row, the numbers that
    /// are not 0, and then [`Planes::end_cell`]. The player to move sees it, so that the network learns one side only.
    fn encode(&self, input: &mut Planes);

    /// Which number of the policy says how good a legal move is. Legal moves of one state have different places.
    fn place(&self, mv: Self::Move) -> Place;

    /// The cell that a cell becomes in an image of the board. The rules must not notice, and the actions of a cell keep
    /// their numbers. Image 0 is the board itself.
    #[must_use]
    fn image(cell: usize, image: usize) -> usize {
        let _ = image;
        cell
    }

    /// Plays the moves of the opening that the network is not to learn; none by default.
    fn open(&mut self, rng: &mut Rng) {
        let _ = rng;
    }

    /// How many turns the player to move will have, this one included, about: for a clock of the whole game.
    #[must_use]
    fn turns_left(&self) -> u32 {
        20
    }

    /// The network that bots are shipped with, as [`weights::write`](crate::weights::write) writes it:
    /// `include_data!("../network.bin")`. Without bytes, as by default, it knows nothing: all moves are as good.
    #[must_use]
    fn network() -> Vec<u8> {
        Vec::new()
    }
}

/// The shape of a game's network with so many channels, residual blocks and hidden neurons of the value.
#[must_use]
pub fn shape<G: Learnable>(channels: usize, blocks: usize, hidden: usize) -> Shape {
    Shape { planes: G::PLANES, channels, blocks, actions: G::ACTIONS, hidden, frame: G::BOARD }
}
