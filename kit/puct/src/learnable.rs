//! The interface that a game must implement so that a network can learn to play it.

use contender_game::rules::{Game, Player, Rng};
use contender_nn::planes::Planes;
use contender_nn::policy_value::Shape;
use contender_nn::winograd::Size;
use contender_search::ChanceModel;
use std::fmt::Debug;

/// The index of a policy output: either the output for an action in a cell, or the single output without a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A cell (counted row by row) and an action (below [`Learnable::ACTIONS`]).
    Cell(usize, usize),
    /// The output without a cell, for example for passing.
    Nowhere,
}

impl Place {
    /// Returns the number of the output if the actions of all cells are counted in order, and the output without a cell
    /// comes last.
    #[must_use]
    pub fn index<G: Learnable>(self) -> usize {
        match self {
            Place::Cell(cell, action) => G::ACTIONS * cell + action,
            Place::Nowhere => G::ACTIONS * G::BOARD.cells(),
        }
    }
}

/// A game whose positions a network can learn to evaluate and play. The players take turns or choose at the same time.
/// The network's input is a map of cells. Its outputs are a number for each action in each cell, a number for moves
/// without a cell, and a value.
///
/// The [example of the crate](crate) implements this trait.
pub trait Learnable: Clone + Send + Sync + 'static {
    /// A player's moves in the game.
    type Move: Copy + PartialEq + Debug + Send + Sync;
    /// [`WithChance`](contender_search::WithChance) if the game has chance nodes, otherwise
    /// [`NoChance`](contender_search::NoChance).
    type ChanceModel;
    /// The size of the map.
    const BOARD: Size;
    /// Number of input channels per cell.
    const PLANES: usize;
    /// Number of actions per cell.
    const ACTIONS: usize;
    /// Number of symmetries of the board, including the identity.
    const IMAGES: usize = 1;

    /// Writes the state to an empty input, as seen by `player`, whose turn it is. For each cell, row by row, set the
    /// numbers that are not 0 and then call [`Planes::end_cell`]. Encode the pieces as the player's and the opponent's,
    /// not as player 0's and player 1's. Do not include hidden information.
    fn encode(&self, player: Player, input: &mut Planes);

    /// Returns the policy output for a legal move of `player`. Different legal moves must have different outputs.
    fn place(&self, player: Player, mv: Self::Move) -> Place;

    /// Returns the cell to which symmetry number `image` maps `cell`. A symmetry must not change the rules or the
    /// numbers of a cell's actions. Symmetry 0 is the identity.
    #[must_use]
    fn image(cell: usize, image: usize) -> usize {
        let _ = image;
        cell
    }

    /// Plays the opening moves that the network should not learn. By default, there are none.
    fn open(&mut self, rng: &mut Rng) {
        let _ = rng;
    }

    /// Estimates how many turns the player to move has left, including this one. The estimate is needed only if the
    /// game has a time limit for all turns together.
    #[must_use]
    fn turns_left(&self) -> u32 {
        20
    }

    /// Returns the bundled network as written by [`weights::write`](crate::weights::write):
    /// `include_data!("../network.bin")`. If the list is empty (the default), the bot uses an untrained network, which
    /// rates all moves equally.
    #[must_use]
    fn network() -> Vec<u8> {
        Vec::new()
    }
}

/// A [`Learnable`] game in which the players take turns. Every such game implements this trait.
pub trait Sequential: Game<Move = <Self as Learnable>::Move> + Learnable {
    /// The game's [`Learnable::ChanceModel`].
    type Chance: ChanceModel<Self> + Send;
}

impl<G> Sequential for G
where
    G: Game<Move = <G as Learnable>::Move> + Learnable,
    G::ChanceModel: ChanceModel<G> + Send,
{
    type Chance = G::ChanceModel;
}

/// Returns the shape of a network for the game, given the numbers of channels, residual blocks and hidden neurons in
/// the value head.
#[must_use]
pub fn shape<G: Learnable>(channels: usize, blocks: usize, hidden: usize) -> Shape {
    Shape { planes: G::PLANES, channels, blocks, sides: 1, actions: G::ACTIONS, hidden, frame: G::BOARD }
}
