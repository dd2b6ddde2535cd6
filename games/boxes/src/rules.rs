//! The rules: tiles, placements, sets of cells, squares, and the state of a game.

pub mod cells;
mod placement;
pub mod squares;
mod state;
mod tile;

pub use cells::Cells;
pub use placement::Placement;
pub use squares::Square;
pub use state::{contest_points, State};
pub use tile::Tile;

/// Rows of the board, written `A`..`P` from top to bottom.
pub const ROWS: usize = 16;

/// Columns of the board, written `a`..`t` from left to right.
pub const COLUMNS: usize = 20;

/// Colours, written `1`..`6`.
pub const COLOURS: usize = 6;

/// A colour, `0..6`; written `1`..`6`.
pub type Colour = u8;
