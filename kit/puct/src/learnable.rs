//! The interface through which a network can learn a game.

use contender_game::rules::{Game, Player, Rng};
use contender_nn::planes::Planes;
use contender_nn::policy_value::Shape;
use contender_nn::winograd::Size;
use contender_search::ChanceModel;
use std::fmt::Debug;

/// A number of the policy: that of an action of a cell, or the one that no cell has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A cell, row by row, and the number of an action below [`Learnable::ACTIONS`].
    Cell(usize, usize),
    /// No cell: passing, for example.
    Nowhere,
}

/// A game that a network can learn, in turn or with both at once. The network sees a map of cells, and gives each cell
/// a number for each action, one number for what belongs to no cell, and a value.
pub trait Learnable: Clone + Send + Sync + 'static {
    /// A player's moves in the game.
    type Move: Copy + PartialEq + Debug + Send + Sync;
    /// [`WithChance`](contender_search::WithChance) if chance acts, otherwise [`NoChance`](contender_search::NoChance).
    type ChanceModel;
    /// The map.
    const BOARD: Size;
    /// Numbers that a cell of the input has.
    const PLANES: usize;
    /// Actions of a cell.
    const ACTIONS: usize;
    /// Number of symmetric images of the board, including itself.
    const IMAGES: usize = 1;

    /// Writes the state as seen by a player, who must move, into an empty input: for each cell, row by row, the numbers
    /// that are not 0, and then [`Planes::end_cell`]. The network learns only one side, as own and other; hidden facts
    /// must not be included.
    fn encode(&self, player: Player, input: &mut Planes);

    /// Returns the index of a legal move of a player in the policy. Different legal moves of a player have different
    /// indices.
    fn place(&self, player: Player, mv: Self::Move) -> Place;

    /// Returns the cell that a cell becomes in an image of the board. The rules must not notice, and the actions of a
    /// cell keep their numbers. Image 0 is the board itself.
    #[must_use]
    fn image(cell: usize, image: usize) -> usize {
        let _ = image;
        cell
    }

    /// Plays the moves of the opening that the network is not to learn; none by default.
    fn open(&mut self, rng: &mut Rng) {
        let _ = rng;
    }

    /// Returns the approximate number of turns of a player to move, including this one: for a time limit of the whole
    /// game.
    #[must_use]
    fn turns_left(&self) -> u32 {
        20
    }

    /// Returns the network that bots are shipped with, as [`weights::write`](crate::weights::write) writes it:
    /// `include_data!("../network.bin")`. Without bytes, as by default, it knows nothing: all moves are as good.
    #[must_use]
    fn network() -> Vec<u8> {
        Vec::new()
    }
}

/// A [`Learnable`] game whose players move in turn: every such game is one.
pub trait Sequential: Game<Move = <Self as Learnable>::Move> + Learnable {
    /// [`Learnable::ChanceModel`], which is the game's.
    type Chance: ChanceModel<Self> + Send;
}

impl<G> Sequential for G
where
    G: Game<Move = <G as Learnable>::Move> + Learnable,
    G::ChanceModel: ChanceModel<G> + Send,
{
    type Chance = G::ChanceModel;
}

/// Returns the shape of a game's network with these numbers of channels, residual blocks and hidden neurons of the
/// value.
#[must_use]
pub fn shape<G: Learnable>(channels: usize, blocks: usize, hidden: usize) -> Shape {
    Shape { planes: G::PLANES, channels, blocks, sides: 1, actions: G::ACTIONS, hidden, frame: G::BOARD }
}
