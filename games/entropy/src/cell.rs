//! Cells and sets of cells.

use contender_game::board::Grid;
use std::fmt;

/// Number of rows and of columns of the board.
pub const SIZE: usize = 7;

/// Number of cells of the board, which is the number of chips in the bag.
pub const CELLS: usize = SIZE * SIZE;

/// A cell of the board. Rows are `A..G` from the top, columns are `a..g` from the left.
///
/// The cell's number is `8 * row + column`, so that a shift gives the row and a mask gives the column. A set of cells
/// is a `u64` whose bytes are the rows. The top bit of every byte and the whole top byte are unused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// The names of the cells.
pub(crate) const GRID: Grid = Grid { first_row: b'A', first_column: b'a', rows: SIZE, columns: SIZE };

/// The set of all cells of the board.
pub(crate) const BOARD: u64 = 0x007f_7f7f_7f7f_7f7f;

const COLUMN: u64 = 0x0001_0101_0101_0101;

impl Cell {
    /// Returns the cell in this row and column, both `0..7`.
    ///
    /// # Panics
    /// Panics if the row or the column is 7 or more.
    #[inline]
    #[must_use]
    pub const fn new(row: usize, column: usize) -> Cell {
        assert!(row < SIZE && column < SIZE, "a row and a column are below 7");
        Cell((8 * row + column) as u8)
    }

    /// Returns the row, `0..7` from the top.
    #[inline]
    #[must_use]
    pub const fn row(self) -> usize {
        (self.0 >> 3 & 7) as usize
    }

    /// Returns the column, `0..7` from the left.
    #[inline]
    #[must_use]
    pub const fn column(self) -> usize {
        (self.0 & 7) as usize
    }

    /// Returns all 49 cells, row by row.
    pub fn all() -> impl Iterator<Item = Cell> {
        cells(BOARD)
    }

    /// Returns the set that contains only this cell.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Returns the lowest cell in a non-empty set.
    #[inline]
    pub(crate) const fn lowest(set: u64) -> Cell {
        Cell(set.trailing_zeros() as u8)
    }

    /// Returns the highest cell in a non-empty set.
    #[inline]
    const fn highest(set: u64) -> Cell {
        Cell((63 ^ set.leading_zeros()) as u8)
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

/// Returns the cells in a set, lowest first.
#[inline]
pub(crate) fn cells(mut set: u64) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| Cell::lowest(set));
        set &= set.wrapping_sub(1);
        cell
    })
}

/// Returns the `rank`-th cell in a set of cells, where the lowest has rank 0. The set must have more than `rank` cells.
#[inline]
pub(crate) fn select(set: u64, rank: u32) -> Cell {
    select_by_sums(set, row_counts(set).wrapping_mul(ONES), rank)
}

/// Uses broadword operations (Vigna, "Broadword implementation of rank/select queries", 2008): the prefix sums of the
/// rows' counts give the row of the cell, and a table gives the place in the row.
#[inline]
fn select_by_sums(set: u64, sums: u64, rank: u32) -> Cell {
    let shift = first_above(sums, rank);
    let before = (sums << 8 >> shift) as u32 & 0xff;
    let row = (set >> shift) as usize & 0x7f;
    Cell(shift as u8 + SELECT_IN_ROW[row][(rank - before) as usize & 7])
}

/// Returns the bit offset of the first byte of `sums` that is greater than `rank`. All bytes and `rank` must be below
/// 128, and at least one byte must be greater than `rank`.
#[inline]
pub(crate) fn first_above(sums: u64, rank: u32) -> u32 {
    // With the high bit set, no byte borrows from the next. The high bit remains set if the byte is greater than the
    // rank.
    let above = ((sums | HIGHS) - u64::from(rank + 1) * ONES) & HIGHS;
    above.trailing_zeros() & !7
}

/// For every possible row and every rank, the column of the chip with this rank.
static SELECT_IN_ROW: [[u8; 8]; 128] = select_in_row();

const fn select_in_row() -> [[u8; 8]; 128] {
    let mut table = [[0; 8]; 128];
    let mut row = 0;
    while row < 128 {
        let (mut column, mut rank) = (0, 0);
        while column < SIZE {
            if row >> column & 1 == 1 {
                table[row][rank] = column as u8;
                rank += 1;
            }
            column += 1;
        }
        row += 1;
    }
    table
}

/// A word with a one in every byte. Multiplying a word by this number gives the prefix sums of the word's bytes.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Returns the number of cells in each row, one byte per row.
#[inline]
fn row_counts(set: u64) -> u64 {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// The destinations of slides: for each direction, the empty cells that a chip can reach.
///
/// Only the nearest chip behind a cell can reach the cell in a given direction, so a target and a direction determine a
/// slide.
#[derive(Clone, Copy)]
pub(crate) struct Targets {
    /// The targets of slides to the east, west, south and north.
    sets: [u64; 4],
}

impl Targets {
    /// Returns the targets of all chips for these occupied cells.
    #[inline]
    pub(crate) fn new(occupied: u64) -> Targets {
        let empty = !occupied & BOARD;
        // Smears by 1, 2 and 4 cells. Horizontal smears must not run into the next row, so the masks keep only the
        // columns that a step can reach within the row.
        let mut east = occupied;
        east |= east << 1 & 0x7e7e_7e7e_7e7e_7e7e;
        east |= east << 2 & 0x7c7c_7c7c_7c7c_7c7c;
        east |= east << 4 & 0x7070_7070_7070_7070;
        let mut west = occupied;
        west |= west >> 1 & 0x3f3f_3f3f_3f3f_3f3f;
        west |= west >> 2 & 0x1f1f_1f1f_1f1f_1f1f;
        west |= west >> 4 & 0x0707_0707_0707_0707;
        let mut south = occupied;
        south |= south << 8;
        south |= south << 16;
        south |= south << 32;
        let mut north = occupied;
        north |= north >> 8;
        north |= north >> 16;
        north |= north >> 32;
        Targets { sets: [east & empty, west & empty, south & empty, north & empty] }
    }

    /// Returns all slides as pairs (from, to), direction by direction. Slides in the same direction are in ascending
    /// order of targets.
    #[inline]
    pub(crate) fn slides(&self, occupied: u64) -> impl Iterator<Item = (Cell, Cell)> {
        let slides = |direction: usize, set| cells(set).map(move |to| (source(occupied, to, direction), to));
        let [east, west, south, north] = self.sets;
        slides(0, east).chain(slides(1, west)).chain(slides(2, south)).chain(slides(3, north))
    }

    /// Returns the targets in a form that can be counted and indexed by rank.
    #[inline]
    pub(crate) fn ranked(&self) -> RankedTargets {
        RankedTargets { sets: self.sets, sums: self.sets.map(|set| row_counts(set).wrapping_mul(ONES)) }
    }
}

/// Targets with the prefix sums of their rows' counts, for choosing a slide by its rank.
pub(crate) struct RankedTargets {
    sets: [u64; 4],
    sums: [u64; 4],
}

impl RankedTargets {
    /// Returns the number of possible slides.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.sums.iter().map(|sums| (sums >> 56) as u32).sum()
    }

    /// Returns the slide of this rank, `0..count()`, in the order of [`slides`](Targets::slides).
    #[inline]
    pub(crate) fn nth(&self, occupied: u64, rank: u32) -> (Cell, Cell) {
        // The direction is practically random, so the code computes it without a branch.
        let (mut direction, mut before, mut end) = (0, 0, 0);
        for sums in &self.sums[..3] {
            end += (sums >> 56) as u32;
            let is_past = rank >= end;
            direction += usize::from(is_past);
            before = if is_past { end } else { before };
        }
        let to = select_by_sums(self.sets[direction], self.sums[direction], rank - before);
        (source(occupied, to, direction), to)
    }
}

/// Returns the cell of the chip that reaches `to` in this direction, with directions numbered as in [`Targets`].
#[inline]
fn source(occupied: u64, to: Cell, direction: usize) -> Cell {
    let line = if direction < 2 { occupied } else { occupied & column_of(to) };
    if direction & 1 == 0 {
        Cell::highest(line & (to.bit() - 1))
    } else {
        Cell::lowest(line & !(to.bit() | (to.bit() - 1)))
    }
}

/// Returns the set of cells in the column of `cell`.
#[inline]
fn column_of(cell: Cell) -> u64 {
    COLUMN << cell.column()
}

/// Returns the cells strictly between two different cells of one row or column, or `None` if they share neither.
pub(crate) fn between(from: Cell, to: Cell) -> Option<u64> {
    let line = if from.row() == to.row() {
        0x7f << (8 * from.row())
    } else if from.column() == to.column() {
        column_of(from)
    } else {
        return None;
    };
    let (low, high) = (from.min(to), from.max(to));
    Some(line & (high.bit() - 1) & !(low.bit() | (low.bit() - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    #[test]
    fn select_counts_from_the_lowest_cell() {
        let mut rng = Rng::new(1);
        for _ in 0..2_000 {
            let set = rng.next_u64() & rng.next_u64() & BOARD;
            for (rank, cell) in cells(set).enumerate() {
                assert_eq!(select(set, rank as u32), cell, "{set:x} {rank}");
            }
        }
    }

    #[test]
    fn slides_are_those_of_a_walk_from_every_chip() {
        let mut rng = Rng::new(2);
        for round in 0..2_000 {
            let sparse = if round % 2 == 0 { u64::MAX } else { rng.next_u64() };
            let occupied = rng.next_u64() & sparse & BOARD;
            let is_free = |row: i32, column: i32| {
                (0..7).contains(&row)
                    && (0..7).contains(&column)
                    && occupied & Cell::new(row as usize, column as usize).bit() == 0
            };
            let mut walked = Vec::new();
            for from in cells(occupied) {
                for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    let (mut row, mut column) = (from.row() as i32 + down, from.column() as i32 + right);
                    while is_free(row, column) {
                        walked.push((from, Cell::new(row as usize, column as usize)));
                        row += down;
                        column += right;
                    }
                }
            }
            let targets = Targets::new(occupied);
            let ranked = targets.ranked();
            let mut listed: Vec<_> = targets.slides(occupied).collect();
            assert_eq!(ranked.count() as usize, listed.len());
            for (rank, slide) in listed.iter().enumerate() {
                assert_eq!(ranked.nth(occupied, rank as u32), *slide);
                assert_eq!(between(slide.0, slide.1).map(|way| way & occupied), Some(0));
            }
            listed.sort();
            walked.sort();
            assert_eq!(listed, walked);
        }
    }
}
