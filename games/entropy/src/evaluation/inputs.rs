//! The inputs of the evaluation, computed from tables of lines and sets of cells.

use super::facts::{unpack, LineFacts};
use crate::cell::{cells, BOARD, ONES};
use crate::lines::CELL_BITS;
use crate::{State, SIZE};

/// Number of inputs of the evaluation.
pub const INPUTS: usize = 14;

/// The names of the inputs, in order.
pub const NAMES: [&str; INPUTS] = [
    "potential4",
    "potential5",
    "potential6",
    "potential7",
    "largest_threat",
    "other_threats",
    "holes1",
    "holes2",
    "outer_ring",
    "second_ring",
    "distances",
    "imbalance",
    "mobility",
    "idle_mobility",
];

/// The inputs of a position, in the order of [`NAMES`]. All are counts or points, and none is negative.
pub type Inputs = [i32; INPUTS];

/// Returns the inputs of a state. The inputs do not depend on whose turn it is, or on which chip is drawn.
///
/// A program that calls this often should keep an [`Observer`].
#[must_use]
pub fn inputs(state: &State) -> Inputs {
    Observer::new().inputs(state)
}

/// The tables for computing the inputs of states.
#[derive(Clone)]
pub struct Observer {
    facts: &'static LineFacts,
}

impl Default for Observer {
    fn default() -> Observer {
        Observer::new()
    }
}

impl Observer {
    /// Creates an observer. The first observer in a process builds the tables.
    #[must_use]
    pub fn new() -> Observer {
        Observer { facts: LineFacts::get() }
    }

    /// Returns the inputs of a state.
    #[must_use]
    pub fn inputs(&mut self, state: &State) -> Inputs {
        let mut inputs = [0; INPUTS];
        let occupied = state.occupied();
        let contributing = self.lines(state, &mut inputs);
        let (largest, others) = threats(state);
        let (mobility, idle) = mobility(occupied, contributing);
        inputs[4..].copy_from_slice(&[
            largest,
            others,
            single_holes(occupied),
            double_holes(occupied),
            count(occupied & OUTER_RING),
            count(occupied & SECOND_RING),
            distances(occupied),
            imbalance(state),
            mobility,
            idle,
        ]);
        inputs
    }

    /// Writes the inputs that are computed from single lines, and returns the chips that are in a palindrome.
    #[inline]
    fn lines(&self, state: &State, inputs: &mut Inputs) -> u64 {
        let (mut potentials, mut contributing) = (0, 0);
        for (row, &line) in state.rows().iter().enumerate() {
            let fact = self.facts.of(line);
            potentials += fact.potentials();
            contributing |= fact.contributing() << (8 * row);
        }
        for (column, &line) in state.columns().iter().enumerate() {
            let fact = self.facts.of(line);
            potentials += fact.potentials();
            // Spreads the seven bits to one bit per byte.
            let spread = fact.contributing().wrapping_mul(0x0000_0408_1020_4081) & (ONES & BOARD);
            contributing |= spread << column;
        }
        inputs[..4].copy_from_slice(&unpack(potentials));
        contributing
    }
}

/// Returns the largest gain of a slide, and the sum of all other gains.
#[inline]
fn threats(state: &State) -> (i32, i32) {
    let table = state.table();
    let value = |line: u32| i32::from(table.value(line));
    let (rows, columns) = (state.rows(), state.columns());
    let mut worths = [[0; SIZE]; 2];
    for at in 0..SIZE {
        worths[0][at] = value(rows[at]);
        worths[1][at] = value(columns[at]);
    }
    let (mut largest, mut sum) = (0, 0);
    let [row_worths, column_worths] = worths;
    let occupied = state.occupied();
    for (lines, crossing, occupied, worths, cross_worths) in [
        (rows, columns, occupied, row_worths, column_worths),
        (columns, rows, transposed(occupied), column_worths, row_worths),
    ] {
        for (place, &line) in lines.iter().enumerate() {
            let filled = (occupied >> (8 * place)) as u32 & 0x7f;
            let empty = !filled & 0x7f;
            // The chips that are next to an empty cell.
            let mut movable = filled & (empty << 1 | empty >> 1);
            while movable != 0 {
                let from = movable.trailing_zeros();
                movable &= movable - 1;
                let chip = line >> (CELL_BITS as u32 * from) & 7;
                let left = line ^ chip << (CELL_BITS as u32 * from);
                let across = crossing[from as usize];
                let crossed = chip << (CELL_BITS * place);
                let lost = worths[place] + cross_worths[from as usize] - value(across ^ crossed);
                let mut targets = reach(filled, from);
                while targets != 0 {
                    let to = targets.trailing_zeros();
                    targets &= targets - 1;
                    let gain = value(left | chip << (CELL_BITS as u32 * to))
                        + value(crossing[to as usize] | crossed)
                        - cross_worths[to as usize]
                        - lost;
                    largest = largest.max(gain);
                    sum += gain.max(0);
                }
            }
        }
    }
    (largest, sum - largest)
}

/// Returns the set with rows and columns exchanged.
#[inline]
fn transposed(mut set: u64) -> u64 {
    // Three rounds exchange blocks of 1, 2 and 4 cells across the diagonal (Warren, "Hacker's Delight", section 7-3).
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let differing = (set ^ set >> shift) & mask;
        set ^= differing ^ differing << shift;
    }
    set
}

/// Returns the empty cells of a line that the chip on `from` can reach.
#[inline]
fn reach(filled: u32, from: u32) -> u32 {
    let above = filled >> (from + 1) | 1 << (SIZE as u32 - 1 - from);
    let upwards = (above & above.wrapping_neg()) - 1;
    let below = (filled & ((1 << from) - 1)) << 1 | 1;
    let highest = 31 - below.leading_zeros();
    let downwards = (1 << from) - (1 << highest);
    upwards << (from + 1) | downwards
}

const OUTER_RING: u64 = 0x007f_4141_4141_417f;
const SECOND_RING: u64 = 0x0000_3e22_2222_3e00;

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// Returns the number of empty cells without empty neighbours.
#[inline]
fn single_holes(occupied: u64) -> i32 {
    let empty = !occupied & BOARD;
    count(empty & !(empty << 1 | empty >> 1 | empty << 8 | empty >> 8))
}

/// Returns the number of pairs of empty cells without other empty neighbours. The top bit of every row is not a cell,
/// so adjacent rows do not touch at their ends.
#[inline]
fn double_holes(occupied: u64) -> i32 {
    let empty = !occupied & BOARD;
    let beside = empty << 1 | empty >> 1;
    let above = empty << 8 | empty >> 8;
    let lying = empty & empty >> 1 & !(empty << 1 | empty >> 2 | above | above >> 1);
    let standing = empty & empty >> 8 & !(empty << 8 | empty >> 16 | beside | beside >> 8);
    count(lying) + count(standing)
}

/// Returns the sum of the chips' Manhattan distances to the centre. For each distance, horizontally and vertically,
/// counts the chips that are at least this far away.
#[inline]
fn distances(occupied: u64) -> i32 {
    const FAR: [u64; 6] = [
        0x007f_7f7f_007f_7f7f,
        0x007f_7f00_0000_7f7f,
        0x007f_0000_0000_007f,
        0x0077_7777_7777_7777,
        0x0063_6363_6363_6363,
        0x0041_4141_4141_4141,
    ];
    FAR.iter().map(|&far| count(occupied & far)).sum()
}

/// Returns the number of chips that are not on the board, for the colour with the most such chips.
#[inline]
fn imbalance(state: &State) -> i32 {
    let drawn = state.drawn().unwrap_or(0);
    (1..=7).map(|colour| state.left(colour) + u32::from(colour == drawn)).max().unwrap_or(0) as i32
}

/// Returns the two-turn mobility of all chips, and of the chips that contribute to no palindrome.
#[inline]
fn mobility(occupied: u64, contributing: u64) -> (i32, i32) {
    let empty = !occupied & BOARD;
    let movable = occupied & (empty << 1 | empty >> 1 | empty << 8 | empty >> 8);
    let (mut all, mut idle) = (0, 0);
    for chip in cells(movable) {
        let from = chip.bit();
        let free = empty | from;
        let row = sideways(from, free);
        let column = upright(from, free);
        let reached = count(upright(row, free) | sideways(column, free)) - 1;
        all += reached;
        idle += if contributing & from == 0 { reached } else { 0 };
    }
    (all, idle)
}

/// Returns the free cells that are connected with a cell of `seeds` along their row. All cells of `seeds` must be free.
#[inline]
fn sideways(seeds: u64, free: u64) -> u64 {
    let mut filled = seeds;
    let mut way = free;
    filled |= way & filled << 1;
    way &= way << 1;
    filled |= way & filled << 2;
    way &= way << 2;
    filled |= way & filled << 4;
    let mut way = free;
    filled |= way & filled >> 1;
    way &= way >> 1;
    filled |= way & filled >> 2;
    way &= way >> 2;
    filled | way & filled >> 4
}

/// Returns the free cells that are connected with a cell of `seeds` along their column. All cells of `seeds` must be
/// free.
#[inline]
fn upright(seeds: u64, free: u64) -> u64 {
    let mut filled = seeds;
    let mut way = free;
    filled |= way & filled << 8;
    way &= way << 8;
    filled |= way & filled << 16;
    way &= way << 16;
    filled |= way & filled << 32;
    let mut way = free;
    filled |= way & filled >> 8;
    way &= way >> 8;
    filled |= way & filled >> 16;
    way &= way >> 16;
    filled | way & filled >> 32
}
