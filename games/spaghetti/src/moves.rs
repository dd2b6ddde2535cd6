//! Cells, tiles and moves.

use contender_game::board::Grid;
use std::fmt;

/// Rows of the board.
pub const ROWS: usize = 9;

/// Columns of the board.
pub const COLUMNS: usize = 7;

/// The names of the cells.
pub(crate) const GRID: Grid = Grid { first_row: b'a', first_column: b'a', rows: ROWS, columns: COLUMNS };

/// Cells of the board, and tiles of a full one.
pub const CELLS: usize = ROWS * COLUMNS;

/// A cell; shown as its row letter, `a` at the top, and its column letter, `a` at the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// Returns the cell in this row (0 to 8 from the top) and column (0 to 6 from the left).
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn new(row: usize, column: usize) -> Cell {
        assert!(row < ROWS && column < COLUMNS, "no cell in row {row}, column {column}");
        Cell((row * COLUMNS + column) as u8)
    }

    /// Returns the cell with this number, 0 to 62, row by row.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn from_index(index: usize) -> Cell {
        assert!(index < CELLS, "no cell {index}");
        Cell(index as u8)
    }

    /// Returns all cells, row by row.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..CELLS as u8).map(Cell)
    }

    /// 0 to 62, row by row.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// 0 to 8 from the top.
    #[must_use]
    pub fn row(self) -> usize {
        self.index() / COLUMNS
    }

    /// 0 to 6 from the left.
    #[must_use]
    pub fn column(self) -> usize {
        self.index() % COLUMNS
    }

    /// Returns the cell at the other side of the centre, just as far from it.
    #[must_use]
    pub fn mirrored(self) -> Cell {
        Cell(CELLS as u8 - 1 - self.0)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&GRID.name(self.row(), self.column()))
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The connections of a tile; both players have any number of each, and tiles are not turned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tile {
    /// `l`: top with left, bottom with right.
    Left,
    /// `s`: top with bottom, left with right.
    Straight,
    /// `r`: top with right, bottom with left.
    Right,
}

impl Tile {
    /// The three kinds, in the order of [`Tile::index`].
    pub const ALL: [Tile; 3] = [Tile::Left, Tile::Straight, Tile::Right];

    /// 0, 1 or 2.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// `l`, `s` or `r`.
    #[must_use]
    pub fn letter(self) -> char {
        ['l', 's', 'r'][self.index()]
    }

    /// Returns the tile that this letter stands for.
    #[must_use]
    pub fn of_letter(letter: u8) -> Option<Tile> {
        Tile::ALL.into_iter().find(|tile| tile.letter() == char::from(letter))
    }
}

/// A tile put on a cell, in one byte; shown as the contest writes it: `cer`.
///
/// The cell is in the low six bits and the tile in the high two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// Returns the tile on the cell.
    #[inline]
    #[must_use]
    pub fn new(cell: Cell, tile: Tile) -> Move {
        Move(cell.0 | (tile as u8) << 6)
    }

    /// Returns the cell.
    #[inline]
    #[must_use]
    pub fn cell(self) -> Cell {
        Cell(self.0 & 63)
    }

    /// Returns the tile.
    #[inline]
    #[must_use]
    pub fn tile(self) -> Tile {
        match self.0 >> 6 {
            0 => Tile::Left,
            1 => Tile::Straight,
            _ => Tile::Right,
        }
    }

    /// Returns the byte: cell + 64 × tile.
    #[inline]
    pub(crate) fn code(self) -> u8 {
        self.0
    }

    /// Returns the move with this byte, which must be one of [`Move::code`].
    #[inline]
    pub(crate) fn from_code(code: u8) -> Move {
        debug_assert!(code & 63 != 63 && code >> 6 != 3, "no move has the byte {code}");
        Move(code)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.cell(), self.tile().letter())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
