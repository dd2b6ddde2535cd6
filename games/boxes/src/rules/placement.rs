//! The place of a tile, given by its top-left corner and its orientation.

use super::{COLUMNS, GRID, ROWS};
use contender_game::contest::excerpt;
use std::fmt;
use std::str::FromStr;

/// The place of a tile on the board. A horizontal tile covers 2 rows and 6 columns, a vertical one 6 rows and 2
/// columns.
///
/// The place is always inside the board. [`State::is_legal`](super::State::is_legal) checks whether it is legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement(u16);

/// The layout of a placement's bits, from the lowest: 4 bits for the row, 5 for the column, and 1 that marks a vertical
/// tile.
const COLUMN_SHIFT: u16 = 4;
const STANDING_SHIFT: u16 = 9;

/// The maximum numbers of corners of a horizontal tile in one column and on the board, and of a vertical tile in one
/// column.
const LYING_ROWS: usize = ROWS - 1;
const LYING: usize = LYING_ROWS * (COLUMNS - 5);
const STANDING_ROWS: usize = ROWS - 5;

impl Placement {
    /// Number of placements inside the board: 225 horizontal and 209 vertical.
    pub const COUNT: usize = LYING + STANDING_ROWS * (COLUMNS - 1);

    /// The place of the start tile: `Hh`, in the centre of the board.
    pub const START: Placement = Placement::pack(7, 7, false);

    /// Returns every placement inside the board: first horizontal placements, then vertical placements, column by
    /// column from the top.
    pub fn all() -> impl Iterator<Item = Placement> {
        (0..Placement::COUNT).map(Placement::from_index)
    }

    /// Returns the placement with this top-left corner, or `None` if the tile would not fit on the board.
    #[must_use]
    pub fn new(row: usize, column: usize, is_standing: bool) -> Option<Placement> {
        let (height, width) = if is_standing { (6, 2) } else { (2, 6) };
        let fits = row < ROWS && column < COLUMNS && row + height <= ROWS && column + width <= COLUMNS;
        fits.then(|| Placement::pack(row, column, is_standing))
    }

    const fn pack(row: usize, column: usize, is_standing: bool) -> Placement {
        Placement::from_bit(column << COLUMN_SHIFT | row, is_standing)
    }

    /// Returns the placement whose corner is this bit of a set of cells, `16 * column + row`.
    #[inline]
    pub(crate) const fn from_bit(bit: usize, is_standing: bool) -> Placement {
        Placement(bit as u16 | (is_standing as u16) << STANDING_SHIFT)
    }

    /// Returns the `index`-th placement in the order of [`Placement::all`].
    ///
    /// # Panics
    /// Panics if `index` is not below [`Placement::COUNT`].
    #[must_use]
    pub fn from_index(index: usize) -> Placement {
        assert!(index < Placement::COUNT, "there are {} placements", Placement::COUNT);
        if index < LYING {
            Placement::pack(index % LYING_ROWS, index / LYING_ROWS, false)
        } else {
            let index = index - LYING;
            Placement::pack(index % STANDING_ROWS, index / STANDING_ROWS, true)
        }
    }

    /// Returns the number of the placement, below [`Placement::COUNT`].
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        if self.is_standing() {
            LYING + self.column() * STANDING_ROWS + self.row()
        } else {
            self.column() * LYING_ROWS + self.row()
        }
    }

    /// Returns the upper row of the tile.
    #[inline]
    #[must_use]
    pub fn row(self) -> usize {
        usize::from(self.0 & ((1 << COLUMN_SHIFT) - 1))
    }

    /// Returns the left column of the tile.
    #[inline]
    #[must_use]
    pub fn column(self) -> usize {
        usize::from(self.0 >> COLUMN_SHIFT & ((1 << (STANDING_SHIFT - COLUMN_SHIFT)) - 1))
    }

    /// Returns whether the tile is vertical: 6 rows, 2 columns.
    #[inline]
    #[must_use]
    pub fn is_standing(self) -> bool {
        self.0 >> STANDING_SHIFT != 0
    }

    /// Returns the name of the cell in the corner, for example `Ik`.
    pub(crate) fn corner(self) -> String {
        GRID.name(self.row(), self.column())
    }

    /// Returns `h` for a horizontal tile and `v` for a vertical one.
    pub(crate) fn orientation(self) -> char {
        if self.is_standing() {
            'v'
        } else {
            'h'
        }
    }

    /// Returns the number of columns that the tile covers, and the rows that it covers in each of them, as a mask (bit
    /// r for row r).
    #[inline]
    pub(crate) fn span(self) -> (usize, u16) {
        if self.is_standing() {
            (2, 0b11_1111 << self.row())
        } else {
            (6, 0b11 << self.row())
        }
    }

    /// Returns the two cells, as (row, column), that receive the colour at `position` in the tile (`0..6`).
    ///
    /// A vertical tile is a horizontal tile turned clockwise by a quarter, so its right column has the colours of its
    /// name from the top.
    #[inline]
    #[must_use]
    pub fn cells(self, position: usize) -> [(usize, usize); 2] {
        let (row, column) = (self.row(), self.column());
        if self.is_standing() {
            [(row + position, column + 1), (row + 5 - position, column)]
        } else {
            [(row, column + position), (row + 1, column + 5 - position)]
        }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.corner(), self.orientation())
    }
}

impl FromStr for Placement {
    type Err = String;

    /// Parses row, column and orientation, for example `Ikv`.
    fn from_str(text: &str) -> Result<Placement, String> {
        let &[row, column, orientation] = text.as_bytes() else {
            let text = excerpt(text);
            return Err(format!("`{text}` is not a placement like `Ikv`: row A-P, column a-t, h or v"));
        };
        let malformed = |what: &str| format!("`{}` has no {what}", excerpt(text));
        let row = GRID.row(row).ok_or_else(|| malformed("row A-P in front"))?;
        let column = GRID.column(column).ok_or_else(|| malformed("column a-t in the second place"))?;
        let is_standing = match orientation {
            b'h' => false,
            b'v' => true,
            _ => return Err(malformed("h or v at the end")),
        };
        Placement::new(row, column, is_standing)
            .ok_or_else(|| format!("a tile at `{text}` sticks out of the board"))
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_are_numbered_and_inside_the_board() {
        assert_eq!(Placement::COUNT, 434);
        for (index, placement) in Placement::all().enumerate() {
            assert_eq!(placement.index(), index);
            let (row, column) = (placement.row(), placement.column());
            assert_eq!(Placement::new(row, column, placement.is_standing()), Some(placement));
            let cells: std::collections::HashSet<_> = (0..6).flat_map(|at| placement.cells(at)).collect();
            assert_eq!(cells.len(), 12);
            let (width, rows) = placement.span();
            for (r, c) in cells {
                assert!(r < ROWS && c < COLUMNS);
                assert!((column..column + width).contains(&c) && rows >> r & 1 == 1);
            }
        }
        assert_eq!(Placement::new(15, 0, false), None);
        assert_eq!(Placement::new(0, 15, false), None);
        assert_eq!(Placement::new(usize::MAX, usize::MAX, true), None);
    }
}
