//! The rules: tiles, placements, sets of cells, squares, and the state of a game.

pub mod cells;
mod colour;
mod placement;
pub mod squares;
mod state;
mod tile;

pub use cells::Cells;
pub use colour::{colour_char, parse_colour, Colour, Colours, COLOURS};
pub use placement::Placement;
pub use squares::Square;
pub use state::{contest_points, State};
pub use tile::Tile;

use contender_game::board::Grid;

/// Number of rows of the board, written `A`..`P` from top to bottom.
pub const ROWS: usize = 16;

/// Number of columns of the board, written `a`..`t` from left to right.
pub const COLUMNS: usize = 20;

/// The names of the cells.
pub(crate) const GRID: Grid = Grid { first_row: b'A', first_column: b'a', rows: ROWS, columns: COLUMNS };
