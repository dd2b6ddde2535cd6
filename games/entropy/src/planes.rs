//! The input of a policy network for a position, and the indices of moves among the network's outputs.

use crate::{Cell, Colour, Move, State, CELLS, CHIPS, SIZE};
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place};
use contender_search::WithChance;

/// The first planes of three groups: the colour to place, the chips left in the bag, and the player's role.
const DRAWN: u16 = CHIPS as u16;
const LEFT: u16 = 2 * CHIPS as u16;
const ORDER: u16 = 3 * CHIPS as u16;

impl Learnable for State {
    type Move = Move;
    type ChanceModel = WithChance;
    const BOARD: Size = Size { width: SIZE, height: SIZE };
    const PLANES: usize = 3 * CHIPS + 1;
    /// The actions on a cell: placing a chip, sliding the cell's chip to a column of its row, or sliding it to a row of
    /// its column.
    const ACTIONS: usize = 1 + 2 * SIZE;

    /// Sets one plane of chips for each colour. The other planes are constant over the board: the colour to place, the
    /// share of each colour that is left in the bag, and whether the player is Order.
    fn encode(&self, player: Player, input: &mut Planes) {
        if let Some(colour) = self.drawn() {
            input.spread(DRAWN + u16::from(colour) - 1, 1.0);
        }
        for (plane, colour) in (LEFT..).zip(1..=CHIPS as Colour) {
            input.spread(plane, self.left(colour) as f32 / CHIPS as f32);
        }
        if player == Player::Zero {
            input.spread(ORDER, 1.0);
        }
        for cell in Cell::all() {
            if let Some(plane) = u16::from(self.colour(cell)).checked_sub(1) {
                input.set(plane, 1.0);
            }
            input.end_cell();
        }
    }

    fn place(&self, _player: Player, mv: Move) -> Place {
        let number = |cell: Cell| SIZE * cell.row() + cell.column();
        match mv {
            Move::Place(cell) => Place::Cell(number(cell), 0),
            Move::Slide { from, to } if from.row() == to.row() => Place::Cell(number(from), 1 + to.column()),
            Move::Slide { from, to } => Place::Cell(number(from), 1 + SIZE + to.row()),
            Move::Pass => Place::Nowhere,
        }
    }

    fn turns_left(&self) -> u32 {
        CELLS as u32 - self.placed() + 1
    }
}
