//! Cells of the board and sets of them.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// Maximum width of a board.
pub const MAX_WIDTH: usize = 24;

/// Maximum height of a board.
pub const MAX_HEIGHT: usize = 12;

/// Distance between the numbers of cells in adjacent rows. Every board lies in the same frame, which is the largest
/// board plus a column of walls at the right and a row of walls above and below. So no step has to check whether it
/// leaves the board, and neighbours are at fixed distances.
pub(crate) const STRIDE: usize = MAX_WIDTH + 1;

/// Number of cells in the frame.
pub(crate) const AREA: usize = STRIDE * (MAX_HEIGHT + 2);

/// Number of words in a set of cells.
const WORDS: usize = 6;

/// A direction; y grows downwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dir {
    /// Up.
    N,
    /// Right.
    E,
    /// Down.
    S,
    /// Left.
    W,
}

impl Dir {
    /// All directions, in the judge's order.
    pub const ALL: [Dir; 4] = [Dir::N, Dir::E, Dir::S, Dir::W];

    /// Returns the letter of the direction in the protocol, for example `N`.
    #[must_use]
    pub fn letter(self) -> char {
        ['N', 'E', 'S', 'W'][self as usize]
    }

    /// Returns the opposite direction.
    #[inline]
    #[must_use]
    pub fn opposite(self) -> Dir {
        Dir::ALL[(self as usize) ^ 2]
    }
}

/// A cell of a board, or of the walls around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(pub(crate) u16);

impl Cell {
    /// Returns the cell in column `x` and row `y`, both counted from 0 at the top left.
    ///
    /// # Panics
    /// Panics if the cell is outside the largest board, 24 x 12.
    #[must_use]
    pub fn new(x: usize, y: usize) -> Cell {
        assert!(x < MAX_WIDTH && y < MAX_HEIGHT, "({x}, {y}) is outside of every board");
        Cell(((y + 1) * STRIDE + x) as u16)
    }

    /// Returns the column, counted from 0.
    #[inline]
    #[must_use]
    pub fn x(self) -> usize {
        self.index() % STRIDE
    }

    /// Returns the row, counted from 0.
    ///
    /// # Panics
    /// Panics in debug builds for a cell of the walls above the board.
    #[inline]
    #[must_use]
    pub fn y(self) -> usize {
        self.index() / STRIDE - 1
    }

    /// Returns the neighbour in this direction. The neighbour of a cell of the board may be one of the walls around the
    /// board. The neighbour of a wall around the board is arbitrary, but safe.
    #[inline]
    #[must_use]
    pub fn step(self, dir: Dir) -> Cell {
        const OFFSETS: [u16; 4] = [(STRIDE as u16).wrapping_neg(), 1, STRIDE as u16, 1u16.wrapping_neg()];
        Cell(self.0.wrapping_add(OFFSETS[dir as usize]))
    }

    /// Returns the number of steps between two cells of the board.
    #[must_use]
    pub fn distance(self, other: Cell) -> usize {
        self.x().abs_diff(other.x()) + self.y().abs_diff(other.y())
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cells([u64; WORDS]);

impl Cells {
    /// The empty set.
    pub const EMPTY: Cells = Cells([0; WORDS]);

    /// Returns whether the cell is in the set.
    #[inline]
    #[must_use]
    pub fn has(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.0 % 64) & 1 == 1
    }

    /// Adds a cell to the set.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.0 % 64);
    }

    /// Removes a cell from the set.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.0 % 64));
    }

    /// Returns the number of cells.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns the cells of this set that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(self, other: Cells) -> Cells {
        self & !other
    }

    /// Returns the neighbours of all cells in direction `dir`. The cells must be on the board.
    #[inline]
    #[must_use]
    pub fn shifted(self, dir: Dir) -> Cells {
        match dir {
            Dir::N => self.down::<{ STRIDE as u32 }>(),
            Dir::E => self.up::<1>(),
            Dir::S => self.up::<{ STRIDE as u32 }>(),
            Dir::W => self.down::<1>(),
        }
    }

    /// Returns the `n`-th cell in ascending order, from 0.
    ///
    /// # Panics
    /// Panics if the set has at most `n` cells.
    #[inline]
    #[must_use]
    pub fn nth(&self, mut n: u32) -> Cell {
        for (at, &word) in self.0.iter().enumerate() {
            let count = word.count_ones();
            if n < count {
                let mut rest = word;
                for _ in 0..n {
                    rest &= rest - 1;
                }
                return Cell((at * 64) as u16 + rest.trailing_zeros() as u16);
            }
            n -= count;
        }
        panic!("the set has fewer cells")
    }

    /// Returns the cells in ascending order, which is row by row.
    #[inline]
    pub fn iter(self) -> CellsIter {
        CellsIter { words: self.0, at: 0 }
    }

    /// Returns the set with all cell numbers increased by `BITS`.
    #[inline]
    fn up<const BITS: u32>(self) -> Cells {
        let mut carry = 0;
        Cells(self.0.map(|word| word << BITS | std::mem::replace(&mut carry, word >> (64 - BITS))))
    }

    /// Returns the set with all cell numbers decreased by `BITS`.
    #[inline]
    fn down<const BITS: u32>(self) -> Cells {
        let next = |at: usize| self.0.get(at + 1).copied().unwrap_or(0);
        Cells(std::array::from_fn(|at| self.0[at] >> BITS | next(at) << (64 - BITS)))
    }

    #[inline]
    fn zip(self, other: Cells, operation: impl Fn(u64, u64) -> u64) -> Cells {
        let mut result = self.0;
        for (word, &more) in result.iter_mut().zip(&other.0) {
            *word = operation(*word, more);
        }
        Cells(result)
    }
}

impl BitAnd for Cells {
    type Output = Cells;
    #[inline]
    fn bitand(self, other: Cells) -> Cells {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Cells {
    type Output = Cells;
    #[inline]
    fn bitor(self, other: Cells) -> Cells {
        self.zip(other, |a, b| a | b)
    }
}

impl BitOrAssign for Cells {
    #[inline]
    fn bitor_assign(&mut self, other: Cells) {
        *self = *self | other;
    }
}

impl Not for Cells {
    type Output = Cells;
    #[inline]
    fn not(self) -> Cells {
        Cells(self.0.map(|word| !word))
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Cells {
        let mut set = Cells::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl IntoIterator for Cells {
    type Item = Cell;
    type IntoIter = CellsIter;
    #[inline]
    fn into_iter(self) -> CellsIter {
        self.iter()
    }
}

/// An iterator over the cells of a set, in ascending order.
#[derive(Clone, Debug)]
pub struct CellsIter {
    words: [u64; WORDS],
    at: usize,
}

impl Iterator for CellsIter {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.at < WORDS {
            let word = self.words[self.at];
            if word != 0 {
                self.words[self.at] = word & (word - 1);
                return Some(Cell((self.at * 64) as u16 + word.trailing_zeros() as u16));
            }
            self.at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;
    use std::collections::BTreeSet;

    fn every_cell() -> impl Iterator<Item = Cell> {
        (0..MAX_HEIGHT).flat_map(|y| (0..MAX_WIDTH).map(move |x| Cell::new(x, y)))
    }

    #[test]
    fn sets_behave_like_sets() {
        let mut rng = Rng::new(1);
        for round in 0..300 {
            let mut slow = BTreeSet::new();
            let mut fast = Cells::EMPTY;
            for cell in every_cell().filter(|_| rng.below(1 + round % 20) == 0) {
                slow.insert(cell);
                fast.insert(cell);
            }
            for cell in every_cell() {
                assert_eq!(fast.has(cell), slow.contains(&cell));
            }
            assert_eq!(fast.len() as usize, slow.len());
            assert_eq!(fast.is_empty(), slow.is_empty());
            assert!(fast.iter().eq(slow.iter().copied()));
            assert!((0..fast.len()).map(|n| fast.nth(n)).eq(slow.iter().copied()));
            for dir in Dir::ALL {
                let expected: Cells = slow.iter().map(|cell| cell.step(dir)).collect();
                assert_eq!(fast.shifted(dir), expected);
            }
            let mut emptied = fast;
            slow.iter().for_each(|&cell| emptied.remove(cell));
            assert_eq!(emptied, Cells::EMPTY);
            assert_eq!(fast.without(fast), Cells::EMPTY);
        }
    }

    #[test]
    fn steps_and_coordinates_agree() {
        for cell in every_cell() {
            assert_eq!(Cell::new(cell.x(), cell.y()), cell);
            for dir in Dir::ALL {
                assert_eq!(cell.step(dir).step(dir.opposite()), cell);
            }
        }
        assert_eq!(Cell::new(3, 4).step(Dir::N), Cell::new(3, 3));
        assert_eq!(Cell::new(3, 4).step(Dir::W), Cell::new(2, 4));
        assert_eq!(Cell::new(3, 4).distance(Cell::new(5, 1)), 5);
    }
}
