//! Squares: four cells of one colour at the corners of an upright square. A square is worth its side length.

use super::{Cells, COLUMNS, GRID, ROWS};
use std::fmt;

/// A square, given by its corners.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Square {
    /// The upper row.
    pub row: usize,
    /// The left column.
    pub column: usize,
    /// The distance between the rows and between the columns, at least 1. This side length is also the value of the
    /// square.
    pub side: usize,
}

impl Square {
    /// Number of squares on the board.
    pub const COUNT: usize = 1_720;

    /// Returns every square of the board, in the order of rows, columns and sides.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))).flat_map(|(row, column)| {
            let longest = (ROWS - 1 - row).min(COLUMNS - 1 - column);
            (1..=longest).map(move |side| Square { row, column, side })
        })
    }

    /// Returns the four corners as (row, column).
    #[must_use]
    pub fn corners(self) -> [(usize, usize); 4] {
        let Square { row, column, side } = self;
        [(row, column), (row, column + side), (row + side, column), (row + side, column + side)]
    }

    /// Returns whether all four corners are in the set.
    #[must_use]
    pub fn is_in(self, cells: &Cells) -> bool {
        self.corners().into_iter().all(|(row, column)| cells[column] >> row & 1 == 1)
    }
}

impl fmt::Display for Square {
    /// Formats the top-left corner and the side, for example `Bk/5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", GRID.name(self.row, self.column), self.side)
    }
}

/// Returns the sum of the sides of all squares whose corners are in the set.
///
/// All squares with the same side and the same left column are counted at once: their rows are set in both columns, and
/// the rows one side further down are also set.
#[must_use]
pub fn score(cells: &Cells) -> i32 {
    let mut padded = [0; PADDED];
    padded[..COLUMNS].copy_from_slice(cells);
    let small: u32 = (1..4).map(|side| side as u32 * squares_of_side::<24>(&padded, side)).sum();
    let large: u32 = (4..ROWS).map(|side| side as u32 * squares_of_side::<16>(&padded, side)).sum();
    (small + large) as i32
}

/// Number of columns, plus the empty columns after them that [`squares_of_side`] reads.
const PADDED: usize = 24 + ROWS;

/// Returns the number of squares that have this side and whose left column is among the first `LANES` columns. `LANES`
/// must be a multiple of 8, so that the loop is vectorised.
#[inline]
fn squares_of_side<const LANES: usize>(padded: &[u16; PADDED], side: usize) -> u32 {
    let mut upper = [0; LANES];
    let mut any = 0;
    for c in 0..LANES {
        let both = padded[c] & padded[c + side];
        upper[c] = both & both >> side;
        any |= upper[c];
    }
    if any == 0 {
        return 0;
    }
    upper.iter().map(|rows| rows.count_ones()).sum()
}

/// Returns the sum of the sides of the squares with one corner in this cell and the other three in the set. It does not
/// matter whether the cell itself is in the set.
#[inline]
#[must_use]
pub fn score_through(cells: &Cells, row: usize, column: usize) -> i32 {
    let mut total = 0;
    let mut rest = cells[column] & !(1 << row);
    while rest != 0 {
        let other = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let side = other.abs_diff(row);
        let rows = 1 << row | 1 << other;
        let is_side = |column: usize| cells.get(column).map_or(false, |cells| cells & rows == rows);
        let squares = i32::from(is_side(column + side)) + i32::from(is_side(column.wrapping_sub(side)));
        total += squares * side as i32;
    }
    total
}

/// Returns all squares whose corners are in the set, in the order of [`Square::all`].
#[must_use]
pub fn list(cells: &Cells) -> Vec<Square> {
    Square::all().filter(|square| square.is_in(cells)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    #[test]
    fn scores_equal_sums_over_all_corner_sets() {
        assert_eq!(Square::all().count(), Square::COUNT);
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let density = rng.below(9);
            let mut cells = [0; COLUMNS];
            for (r, c) in (0..ROWS).flat_map(|r| (0..COLUMNS).map(move |c| (r, c))) {
                cells[c] |= u16::from(rng.below(8) < density) << r;
            }
            let worth = |squares: &[Square]| squares.iter().map(|square| square.side as i32).sum::<i32>();
            assert_eq!(score(&cells), worth(&list(&cells)));

            let (row, column) = (rng.index(ROWS), rng.index(COLUMNS));
            let through = score_through(&cells, row, column);
            cells[column] |= 1 << row;
            let mut squares = list(&cells);
            squares.retain(|square| square.corners().contains(&(row, column)));
            assert_eq!(through, worth(&squares));
            assert_eq!(through, score_through(&cells, row, column));
        }
    }
}
