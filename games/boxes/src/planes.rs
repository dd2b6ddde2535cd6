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

    /// Each player secretly has one of six colours. The players take turns. In a turn, a player gets a random tile of 2
    /// x 6 cells, in which every colour occurs twice, and places it on a board of 16 x 20 cells: next to other tiles,
    /// or over at most four filled cells. Passing is not possible. When no tile can be placed any more, each player
    /// counts the squares whose four corners have its colour. A square with side s is worth s points, and the higher
    /// sum wins. Users call the game `box`; the crate is called `boxes` because `box` is a keyword.
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
