//! The input of a policy network for a position, and the indices of moves among the network's outputs.

use crate::{Move, State};
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place};
use contender_search::NoChance;

/// Number of cells in a row and in a column.
const SIZE: usize = 9;

impl Learnable for State {
    type Move = Move;
    type ChanceModel = NoChance;
    const BOARD: Size = Size { width: SIZE, height: SIZE };
    const PLANES: usize = 5;
    const ACTIONS: usize = 1;
    const IMAGES: usize = 8;

    /// Sets planes for the player's marks, the opponent's marks, the playable cells, and the small boards that the
    /// player and the opponent have won.
    fn encode(&self, player: Player, input: &mut Planes) {
        let sides = [player, player.other()];
        for cell in 0..SIZE * SIZE {
            let mv = Move::at(cell / SIZE, cell % SIZE);
            for (plane, side) in (0..).zip(sides) {
                if self.marks(side, mv.board()) >> mv.cell() & 1 == 1 {
                    input.set(plane, 1.0);
                }
            }
            if self.is_legal(mv) {
                input.set(2, 1.0);
            }
            for (plane, side) in (3..).zip(sides) {
                if self.won(side) >> mv.board() & 1 == 1 {
                    input.set(plane, 1.0);
                }
            }
            input.end_cell();
        }
    }

    fn place(&self, _player: Player, mv: Move) -> Place {
        Place::Cell(SIZE * mv.row() + mv.column(), 0)
    }

    /// Returns the image of a cell under one of the rotations and reflections of the grid. The rules allow this because
    /// they treat the positions of small boards and of cells alike.
    fn image(cell: usize, image: usize) -> usize {
        let (mut row, mut column) = (cell / SIZE, cell % SIZE);
        if image & 1 != 0 {
            row = SIZE - 1 - row;
        }
        if image & 2 != 0 {
            column = SIZE - 1 - column;
        }
        if image & 4 != 0 {
            std::mem::swap(&mut row, &mut column);
        }
        SIZE * row + column
    }

    fn turns_left(&self) -> u32 {
        (60 - self.plies().min(60)) / 2 + 5
    }
}
