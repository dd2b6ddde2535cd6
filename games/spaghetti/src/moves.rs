//! Cells, tiles and moves.

use contender_game::board::Grid;
use std::fmt;

/// Number of rows of the board.
pub const ROWS: usize = 9;

/// Number of columns of the board.
pub const COLUMNS: usize = 7;

/// The names of the cells.
pub(crate) const GRID: Grid = Grid { first_row: b'a', first_column: b'a', rows: ROWS, columns: COLUMNS };

/// Number of cells of the board, which is the number of tiles on a full board.
pub const CELLS: usize = ROWS * COLUMNS;

/// A cell. A cell is displayed as the letter of its row (`a` at the top) and the letter of its column (`a` at the
/// left).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// Returns the cell in this row (0 to 8 from the top) and column (0 to 6 from the left).
    ///
    /// # Panics
    /// Panics if there is no such cell.
    #[must_use]
    pub fn new(row: usize, column: usize) -> Cell {
        assert!(row < ROWS && column < COLUMNS, "no cell in row {row}, column {column}");
        Cell((row * COLUMNS + column) as u8)
    }

    /// Returns the cell with this number, 0 to 62, row by row.
    ///
    /// # Panics
    /// Panics if there is no such cell.
    #[must_use]
    pub fn from_index(index: usize) -> Cell {
        assert!(index < CELLS, "no cell {index}");
        Cell(index as u8)
    }

    /// Returns all cells, row by row.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..CELLS as u8).map(Cell)
    }

    /// Returns the cell's number, 0 to 62, row by row.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the row, 0 to 8 from the top.
    #[must_use]
    pub fn row(self) -> usize {
        self.index() / COLUMNS
    }

    /// Returns the column, 0 to 6 from the left.
    #[must_use]
    pub fn column(self) -> usize {
        self.index() % COLUMNS
    }

    /// Returns the cell mirrored through the centre of the board.
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

/// A kind of tile, defined by its connections. Both players have any number of tiles of each kind, and tiles cannot be
/// rotated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tile {
    /// `l`: top to left, bottom to right.
    Left,
    /// `s`: top to bottom, left to right.
    Straight,
    /// `r`: top to right, bottom to left.
    Right,
}

impl Tile {
    /// The three kinds, in the order of [`Tile::index`].
    pub const ALL: [Tile; 3] = [Tile::Left, Tile::Straight, Tile::Right];

    /// Returns the index of the kind: 0, 1 or 2.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the letter of the kind: `l`, `s` or `r`.
    #[must_use]
    pub fn letter(self) -> char {
        ['l', 's', 'r'][self.index()]
    }

    /// Returns the kind of tile with this letter.
    #[must_use]
    pub fn of_letter(letter: u8) -> Option<Tile> {
        Tile::ALL.into_iter().find(|tile| tile.letter() == char::from(letter))
    }
}

/// A move: a tile on a cell, in one byte. A move is displayed in the contest's notation, for example `cer`.
///
/// The low six bits are the cell and the high two bits are the tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// Creates the move that places the tile on the cell.
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

    /// Returns the move as a byte: cell + 64 × tile.
    #[inline]
    pub(crate) fn code(self) -> u8 {
        self.0
    }

    /// Returns the move with this byte, which must come from [`Move::code`].
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
