//! Facts about every possible line of seven cells that do not depend on the rest of the board.
//!
//! Lines are numbered as in [`LineTable`](crate::LineTable). Like that table, this table is built from the tables for
//! shorter lines. A stretch that does not touch both ends lies in the line without its last cell, in the line without
//! its first cell, or in the middle part that these two lines share.

use crate::lines::CELL_BITS;
use crate::SIZE;
use std::sync::{Mutex, PoisonError};

const LINES: usize = 1 << (CELL_BITS * SIZE);

/// Number of bits for the set of contributing cells; they are the lowest bits of a fact.
const CELLS: u32 = SIZE as u32;

/// Offsets of the counts of potential palindromes with 4, 5, 6 and 7 cells, above the bits of the cells. Each field can
/// hold the sum over 14 lines. The sums are at most 14 × 4, 14 × 3 × 7, 14 × 2 and 14 × 7.
const FIELDS: [u32; 4] = [0, 6, 15, 20];

/// The facts about every line: the cells that contribute to a palindrome, and the number of palindromes of each length
/// from 4 that one more chip could complete. The table takes 8 MiB.
pub(crate) struct LineFacts {
    words: Box<[u32]>,
}

static FACTS: Mutex<Option<&'static LineFacts>> = Mutex::new(None);

impl LineFacts {
    /// Returns the table. The first call in a process builds the table, which takes a few hundredths of a second. Later
    /// calls reuse it.
    pub(crate) fn get() -> &'static LineFacts {
        let mut facts = FACTS.lock().unwrap_or_else(PoisonError::into_inner);
        facts.get_or_insert_with(|| Box::leak(Box::new(LineFacts::build())))
    }

    /// Builds the table.
    fn build() -> LineFacts {
        let (mut shorter, mut words) = (vec![0], vec![0; 1 << CELL_BITS]);
        for length in 2..=SIZE {
            let longer = lengthened(&shorter, &words, length);
            shorter = std::mem::replace(&mut words, longer);
        }
        debug_assert_eq!(words.len(), LINES);
        LineFacts { words: words.into_boxed_slice() }
    }

    #[inline]
    pub(crate) fn of(&self, line: u32) -> LineFact {
        LineFact(self.words[line as usize & (LINES - 1)])
    }
}

/// The facts about one line.
#[derive(Clone, Copy)]
pub(crate) struct LineFact(u32);

impl LineFact {
    /// Returns the cells that belong to a palindrome; the lowest bit is the first cell.
    #[inline]
    pub(crate) fn contributing(self) -> u64 {
        u64::from(self.0 & ((1 << CELLS) - 1))
    }

    /// Returns the numbers of potential palindromes, packed so that the values of up to 14 lines can be added.
    #[inline]
    pub(crate) fn potentials(self) -> u64 {
        u64::from(self.0 >> CELLS)
    }
}

/// Unpacks a sum of [`potentials`](LineFact::potentials): the numbers of potential palindromes of 4, 5, 6 and 7 cells.
#[inline]
pub(crate) fn unpack(sum: u64) -> [i32; 4] {
    let field = |at: usize| (sum >> FIELDS[at]) as i32;
    [field(0) & 0x3f, field(1) & 0x1ff, field(2) & 0x1f, field(3)]
}

/// Returns the facts about all lines of `length` cells. `shorter` contains the facts about lines with one cell less,
/// and `middles` about lines with two cells less.
fn lengthened(middles: &[u32], shorter: &[u32], length: usize) -> Vec<u32> {
    let cells = (1 << CELLS) - 1;
    (0..shorter.len() << CELL_BITS)
        .map(|line| {
            let without_last = shorter[line & (shorter.len() - 1)];
            let without_first = shorter[line >> CELL_BITS];
            let middle = middles[line >> CELL_BITS & (middles.len() - 1)];
            let contributing = (without_last | without_first << 1) & cells;
            let potentials = (without_last & !cells) + (without_first & !cells) - (middle & !cells);
            let parts = contributing | potentials;
            match holes(line, length) {
                Some((0, _)) => parts | ((1 << length) - 1),
                Some((1, at)) if length >= 4 => {
                    let colours = if 2 * at + 1 == length { SIZE as u32 } else { 1 };
                    parts + (colours << (CELLS + FIELDS[length - 4]))
                }
                _ => parts,
            }
        })
        .collect()
}

/// Returns the number of empty cells in a line, and the last empty cell. Returns `None` if the chips cannot all belong
/// to a palindrome of the whole line.
fn holes(line: usize, length: usize) -> Option<(usize, usize)> {
    let cell = |at: usize| line >> (CELL_BITS * at) & 7;
    let mut found = (0, 0);
    for at in 0..length {
        let (one, other) = (cell(at), cell(length - 1 - at));
        if one == 0 {
            found = (found.0 + 1, at);
        } else if other != 0 && one != other {
            return None;
        }
    }
    Some(found)
}
