//! The input of a policy network for a position, and the indices of moves among the network's outputs.

use crate::{Cell, Move, State, Tile, COLUMNS, ROWS};
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place};
use contender_search::NoChance;

/// The first plane after the planes of the tiles: whether the player is Blue. The plane after it is the player's lead.
const BLUE: u16 = 3;
const LEAD: u16 = 4;

impl Learnable for State {
    type Move = Move;
    type ChanceModel = NoChance;
    const BOARD: Size = Size { width: COLUMNS, height: ROWS };
    const PLANES: usize = 5;
    /// One action per kind of tile.
    const ACTIONS: usize = 3;

    /// Sets one plane of cells for each kind of tile. Two more planes are constant over the board: whether the player
    /// is Blue, whose wall is the left one, and the difference of the scores.
    fn encode(&self, player: Player, input: &mut Planes) {
        if player == Player::Zero {
            input.spread(BLUE, 1.0);
        }
        let [own, other] = [player, player.other()].map(|side| self.scores()[side]);
        input.spread(LEAD, 0.05 * (own - other) as f32);
        for cell in Cell::all() {
            if let Some(tile) = self.tile(cell) {
                input.set(tile.index() as u16, 1.0);
            }
            input.end_cell();
        }
    }

    fn place(&self, _player: Player, mv: Move) -> Place {
        Place::Cell(mv.cell().index(), Tile::index(mv.tile()))
    }

    fn turns_left(&self) -> u32 {
        self.empty_cells() / 2 + 1
    }
}
