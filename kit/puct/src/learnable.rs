//! The interface that a game implements so that a network can learn it.

use contender_game::rules::{Game, Player, Rng};
use contender_nn::planes::Planes;
use contender_nn::policy_value::Shape;
use contender_nn::winograd::Size;
use contender_search::ChanceModel;
use std::fmt::Debug;

/// The index of an output of the policy: either the output for an action in a cell, or the one output without a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The number of a cell, row by row, and the number of an action, below [`Learnable::ACTIONS`].
    Cell(usize, usize),
    /// The output without a cell, for example for passing.
    Nowhere,
}

/// A game whose positions a network can learn to evaluate and play. The players take turns or choose at the same time.
/// The network's input is a map of cells. The network's output is a number for each action in each cell, one number for
/// the moves that belong to no cell, and a value.
pub trait Learnable: Clone + Send + Sync + 'static {
    /// A player's moves in the game.
    type Move: Copy + PartialEq + Debug + Send + Sync;
    /// [`WithChance`](contender_search::WithChance) if chance acts, otherwise [`NoChance`](contender_search::NoChance).
    type ChanceModel;
    /// The size of the map.
    const BOARD: Size;
    /// Number of input channels per cell.
    const PLANES: usize;
    /// Number of actions per cell.
    const ACTIONS: usize;
    /// Number of symmetric images of the board, including the board itself.
    const IMAGES: usize = 1;

    /// Writes the state as seen by a player, who must move, into an empty input. For each cell, row by row, it sets the
    /// numbers that are not 0 and then calls [`Planes::end_cell`]. The network sees every position from the view of the
    /// player and the opponent, not of player 0 and player 1. Hidden facts must not be included.
    fn encode(&self, player: Player, input: &mut Planes);

    /// Returns the index of a player's legal move in the policy. Different legal moves of a player must have different
    /// indices.
    fn place(&self, player: Player, mv: Self::Move) -> Place;

    /// Returns the image of a cell in a symmetric image of the board. The rules must be the same in the image, and the
    /// actions of a cell must keep their numbers. Image 0 is the board itself.
    #[must_use]
    fn image(cell: usize, image: usize) -> usize {
        let _ = image;
        cell
    }

    /// Plays the opening moves that the network should not learn; none by default.
    fn open(&mut self, rng: &mut Rng) {
        let _ = rng;
    }

    /// Returns the approximate number of turns left for the player to move, including this one. This number is needed
    /// only if the whole game has a time limit.
    #[must_use]
    fn turns_left(&self) -> u32 {
        20
    }

    /// Returns the bundled network as written by [`weights::write`](crate::weights::write):
    /// `include_data!("../network.bin")`. If there are no bytes, which is the default, the network is untrained and
    /// considers all moves equal.
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

/// Returns the shape of a game's network with these numbers of channels, residual blocks and hidden neurons in the
/// value head.
#[must_use]
pub fn shape<G: Learnable>(channels: usize, blocks: usize, hidden: usize) -> Shape {
    Shape { planes: G::PLANES, channels, blocks, sides: 1, actions: G::ACTIONS, hidden, frame: G::BOARD }
}
