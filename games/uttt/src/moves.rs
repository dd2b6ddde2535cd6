//! Moves, which are the cells that they mark.

use std::fmt;

/// A cell of the 9 × 9 grid, numbered `9 * small board + cell in this board`. Boards and cells are numbered row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl Move {
    /// Number of cells.
    pub const COUNT: usize = 81;

    /// Returns the move on this cell of a small board, both 0..9.
    ///
    /// # Panics
    /// Panics if one of the numbers is 9 or more.
    #[inline]
    #[must_use]
    pub const fn new(board: usize, cell: usize) -> Move {
        assert!(board < 9 && cell < 9, "a small board and its cell are 0 to 8");
        Move((9 * board + cell) as u8)
    }

    /// Returns the move in this row and column of the grid, both 0..9 from the top-left corner.
    ///
    /// # Panics
    /// Panics if one of the numbers is 9 or more.
    #[must_use]
    pub const fn at(row: usize, column: usize) -> Move {
        Move::new(3 * (row / 3) + column / 3, 3 * (row % 3) + column % 3)
    }

    /// Returns the number of the move, 0..81.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the move with this number.
    ///
    /// # Panics
    /// Panics if the number is 81 or more.
    #[must_use]
    pub fn from_index(index: usize) -> Move {
        Move::new(index / 9, index % 9)
    }

    /// Returns the small board, 0..9.
    #[inline]
    #[must_use]
    pub fn board(self) -> usize {
        self.index() / 9
    }

    /// Returns the cell in its small board, 0..9. The cell's number is also the number of the board in which the
    /// opponent must answer.
    #[inline]
    #[must_use]
    pub fn cell(self) -> usize {
        self.index() % 9
    }

    /// Returns the row of the grid, 0..9 from the top.
    #[must_use]
    pub fn row(self) -> usize {
        3 * (self.board() / 3) + self.cell() / 3
    }

    /// Returns the column of the grid, 0..9 from the left.
    #[must_use]
    pub fn column(self) -> usize {
        3 * (self.board() % 3) + self.cell() % 3
    }
}

impl fmt::Display for Move {
    /// Formats the move as the judge writes it: `row column`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.row(), self.column())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}
