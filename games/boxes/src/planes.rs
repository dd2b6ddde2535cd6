//! The input of a policy network for a position, and the indices of moves among the network's outputs.

use crate::{Colour, Placement, State, COLOURS, COLUMNS, ROWS};
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place};
use contender_search::WithChance;

impl Learnable for State {
    type Move = Placement;
    type ChanceModel = WithChance;
    const BOARD: Size = Size { width: COLUMNS, height: ROWS };
    const PLANES: usize = COLOURS + COLOURS * COLOURS;
    /// Number of actions per cell: the cell can be the corner of a horizontal tile or of a vertical tile.
    const ACTIONS: usize = 2;

    /// Sets one plane of cells per colour: first the player's colour, then the other colours in cyclic order. The
    /// planes for the tile to place are constant over the board: one plane for each position in the tile and each
    /// colour. The opponent's colour is secret and not included.
    fn encode(&self, player: Player, input: &mut Planes) {
        let own = usize::from(self.colours()[player]);
        let plane = |colour: Colour| ((usize::from(colour) + COLOURS - own) % COLOURS) as u16;
        for (position, colour) in self.tile().into_iter().flat_map(|tile| tile.colours()).enumerate() {
            input.spread((COLOURS + COLOURS * position) as u16 + plane(colour), 1.0);
        }
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                if let Some(colour) = self.colour_at(row, column) {
                    input.set(plane(colour), 1.0);
                }
                input.end_cell();
            }
        }
    }

    fn place(&self, _player: Player, mv: Placement) -> Place {
        Place::Cell(COLUMNS * mv.row() + mv.column(), usize::from(mv.is_standing()))
    }
}
