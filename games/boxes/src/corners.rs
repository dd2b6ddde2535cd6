//! The kinds of corners of one colour's squares, and the squares through each cell.
//!
//! The value of a square depends only on its number of corners of each kind. So each kind has a code, and the sum of
//! the codes of a square's corners determines these numbers. A table with one entry per sum is therefore an evaluation
//! of squares.

use crate::cells::{self, Cells};
use crate::{COLUMNS, ROWS};

/// The code for a kind of corner. The sum of the codes of up to four corners of a square is below [`SUMS`].
pub type Corner = u16;

/// A cell of another colour that a tile can still cover.
pub const FOREIGN: Corner = 0;
/// A cell of this colour that a tile can still cover.
pub const OWN: Corner = 1;
/// An empty cell that a tile can still cover.
pub const EMPTY: Corner = 5;
/// A cell of this colour that no tile can cover any more.
pub const FIXED: Corner = 25;
/// A cell that can never get this colour. Every sum that includes such a corner is at least this number.
pub const DEAD: Corner = 125;

/// Upper bound for sums of codes.
pub const SUMS: usize = 4 * DEAD as usize + 1;

/// Returns the sum for a square with these numbers of fixed, own and empty corners. The remaining corners are foreign.
#[must_use]
pub const fn sum(fixed: u16, own: u16, empty: u16) -> usize {
    (fixed * FIXED + own * OWN + empty * EMPTY) as usize
}

/// Length of arrays over cells, which are numbered `16 * column + row`. The length exceeds the board, so that a masked
/// number is always in bounds.
pub const PADDED: usize = 512;

/// Returns the index of a cell in an array of [`PADDED`] elements, masked so that no bounds check is needed.
#[inline(always)]
#[must_use]
pub const fn at(cell: usize) -> usize {
    cell & (PADDED - 1)
}

/// Returns the corners for a colour with the cells `own`.
#[must_use]
pub fn corners(own: &Cells, filled: &Cells, fixed: &Cells) -> [Corner; PADDED] {
    let mut corners = [DEAD; PADDED];
    for cell in 0..ROWS * COLUMNS {
        let is_in = |set: &Cells| set[cell / ROWS] >> (cell % ROWS) & 1 == 1;
        corners[cell] = match (is_in(own), is_in(fixed)) {
            (true, true) => FIXED,
            (true, false) => OWN,
            (false, true) => DEAD,
            (false, false) if is_in(filled) => FOREIGN,
            (false, false) => EMPTY,
        };
    }
    corners
}

/// Calls `visit` for every square through a cell, with the square's other three corners and its side.
#[inline(always)]
pub fn squares_through(cell: usize, mut visit: impl FnMut([usize; 3], usize)) {
    let (row, column) = (cell % ROWS, cell / ROWS);
    let (above, below, left, right) = (row, ROWS - 1 - row, column, COLUMNS - 1 - column);
    for side in 1..=below.min(right) {
        visit([cell + side, cell + 16 * side, cell + 17 * side], side);
    }
    for side in 1..=below.min(left) {
        visit([cell + side, cell - 16 * side, cell - 15 * side], side);
    }
    for side in 1..=above.min(right) {
        visit([cell - side, cell + 16 * side, cell + 15 * side], side);
    }
    for side in 1..=above.min(left) {
        visit([cell - side, cell - 16 * side, cell - 17 * side], side);
    }
}

/// Calls `visit` for every square of the board, with its corners and its side.
pub fn squares(mut visit: impl FnMut([usize; 4], usize)) {
    for cell in 0..ROWS * COLUMNS {
        let (row, column) = (cell % ROWS, cell / ROWS);
        for side in 1..=(ROWS - 1 - row).min(COLUMNS - 1 - column) {
            visit([cell, cell + side, cell + 16 * side, cell + 17 * side], side);
        }
    }
}

/// Returns the cells that are in `after` but not in `before`.
#[inline]
#[must_use]
pub fn newly(before: &Cells, after: &Cells) -> Cells {
    let mut new = cells::NONE;
    for c in 0..COLUMNS {
        new[c] = after[c] & !before[c];
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;
    use std::collections::HashSet;

    #[test]
    fn squares_are_those_of_the_rules() {
        let number = |(row, column): (usize, usize)| ROWS * column + row;
        let mut all = HashSet::new();
        squares(|corners, side| {
            let mut corners = corners.to_vec();
            corners.sort_unstable();
            assert!(all.insert((corners, side)));
        });
        let expected: HashSet<_> = Square::all()
            .map(|square| {
                let mut corners = square.corners().map(number).to_vec();
                corners.sort_unstable();
                (corners, square.side)
            })
            .collect();
        assert_eq!(all, expected);
        for cell in 0..ROWS * COLUMNS {
            let mut through = HashSet::new();
            squares_through(cell, |[a, b, c], side| {
                let mut corners = vec![a, b, c, cell];
                corners.sort_unstable();
                assert!(through.insert((corners, side)));
            });
            let expected: HashSet<_> =
                all.iter().filter(|(corners, _)| corners.contains(&cell)).cloned().collect();
            assert_eq!(through, expected);
        }
    }

    #[test]
    fn sums_tell_counts_apart() {
        let mut seen = HashSet::new();
        for fixed in 0..=4 {
            for own in 0..=4 - fixed {
                for empty in 0..=4 - fixed - own {
                    let sum = sum(fixed, own, empty);
                    assert!(sum < usize::from(DEAD) && seen.insert(sum));
                }
            }
        }
        assert_eq!(seen.len(), 35);
    }
}
