//! The values of lines of seven cells, for all 8^7 possible contents.
//!
//! A line is a number of 21 bits, 3 for each cell from the lowest: 0 for an empty cell, or else the colour. The table
//! of all 2,097,152 lines takes 2 MiB, with one byte per line, because no line is worth more than 77. With the table, a
//! move's change of the score takes only a few look-ups. The table is built from the tables for shorter lines. A
//! stretch that does not touch both ends lies in the line without its last cell or in the line without its first cell.
//! A stretch that lies in both lines also lies in the middle part. So
//!
//! `value(line) = value(without last) + value(without first) - value(middle)`, plus the line's length if it is a
//! palindrome.

use crate::SIZE;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The table of line values that the game uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scoring {
    /// The text of the rules, in which a full line `ABABABA` is worth 37.
    #[default]
    Rules,
    /// The contest's referee of 2022 and the printed table of the boxed game, in which a full line `ABABABA` is worth
    /// 27. All other lines have the value of the rules.
    Referee,
}

/// Number of bits per cell in the number of a line.
pub(crate) const CELL_BITS: usize = 3;
const LINES: usize = 1 << (CELL_BITS * SIZE);

/// The values of all lines.
///
/// A process has at most one table for each [`Scoring`], so tables are compared by their addresses.
pub struct LineTable {
    scoring: Scoring,
    values: Box<[u8; LINES]>,
}

static TABLES: Mutex<[Option<&'static LineTable>; 2]> = Mutex::new([None; 2]);

impl LineTable {
    /// Returns the table for this scoring. The first call in a process builds the table in a few milliseconds. Later
    /// calls reuse it.
    #[must_use]
    pub fn get(scoring: Scoring) -> &'static LineTable {
        // If another thread panicked with the lock held, the slot is either empty or filled, and both are valid.
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        tables[scoring as usize].get_or_insert_with(|| Box::leak(Box::new(LineTable::build(scoring))))
    }

    /// Returns the scoring of the table.
    #[must_use]
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// Returns the value of a line, `0..=77`: the sum of the lengths of all palindromes of at least two chips. Only the
    /// lowest 21 bits of `line` are used.
    #[inline]
    #[must_use]
    pub fn value(&self, line: u32) -> u16 {
        u16::from(self.values[line as usize & (LINES - 1)])
    }

    /// Builds the table. [`get`](LineTable::get) builds each table only once.
    #[must_use]
    pub fn build(scoring: Scoring) -> LineTable {
        let (mut shorter, mut values) = (vec![0], vec![0; 1 << CELL_BITS]);
        for length in 2..=SIZE {
            let longer = lengthened(&shorter, &values, length);
            shorter = std::mem::replace(&mut values, longer);
        }
        if scoring == Scoring::Referee {
            for a in 1..=SIZE {
                for b in (1..=SIZE).filter(|&b| b != a) {
                    values[number(&[a, b, a, b, a, b, a])] -= 10;
                }
            }
        }
        let values = values.into_boxed_slice().try_into().expect("the last table has all lines");
        LineTable { scoring, values }
    }
}

/// Returns the values of all lines of `length` cells. `shorter` contains the values of lines with one cell less, and
/// `middles` of lines with two cells less.
fn lengthened(middles: &[u8], shorter: &[u8], length: usize) -> Vec<u8> {
    let mut values = Vec::with_capacity(shorter.len() << CELL_BITS);
    for last in 0..1 << CELL_BITS {
        // Eight lines that differ only in the first cell have the same line without it, and the same middle.
        let without_first = &shorter[last * middles.len()..][..middles.len()];
        for ((middle, rest), without_last) in middles.iter().zip(without_first).zip(shorter.chunks_exact(8)) {
            values.extend(without_last.iter().map(|value| value + rest - middle));
        }
    }
    let mut half = [1; SIZE];
    loop {
        let line: Vec<usize> = (0..length).map(|at| half[at.min(length - 1 - at)]).collect();
        values[number(&line)] += length as u8;
        // The next half in counting order, with colours 1 to 7.
        let Some(at) = (0..length - length / 2).find(|&at| half[at] < SIZE) else { break values };
        half[..at].fill(1);
        half[at] += 1;
    }
}

/// Returns the number of a line of up to seven cells.
fn number(cells: &[usize]) -> usize {
    cells.iter().rev().fold(0, |line, cell| line << CELL_BITS | cell)
}

impl PartialEq for LineTable {
    fn eq(&self, other: &LineTable) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for LineTable {}

impl fmt::Debug for LineTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LineTable({:?})", self.scoring)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the value directly from the text of the rules.
    fn naive(line: usize) -> u16 {
        let cells: Vec<usize> = (0..SIZE).map(|at| line >> (CELL_BITS * at) & 7).collect();
        let mut value = 0;
        for start in 0..SIZE {
            for end in start + 2..=SIZE {
                let stretch = &cells[start..end];
                let is_palindrome = stretch.iter().eq(stretch.iter().rev());
                if is_palindrome && !stretch.contains(&0) {
                    value += stretch.len() as u16;
                }
            }
        }
        value
    }

    #[test]
    fn every_line_is_worth_what_the_rule_says() {
        let table = LineTable::get(Scoring::Rules);
        for line in 0..LINES {
            assert_eq!(table.value(line as u32), naive(line), "line {line:07o}");
        }
    }

    #[test]
    fn the_referee_differs_in_full_alternating_lines_only() {
        let [rules, referee] = [Scoring::Rules, Scoring::Referee].map(LineTable::get);
        let differing: Vec<usize> =
            (0..LINES).filter(|&line| rules.value(line as u32) != referee.value(line as u32)).collect();
        assert_eq!(differing.len(), 7 * 6);
        for line in differing {
            let cells = format!("{line:07o}");
            assert_eq!(&cells[..5], &cells[2..], "{cells}");
            assert_eq!((rules.value(line as u32), referee.value(line as u32)), (37, 27));
        }
    }

    #[test]
    fn one_table_for_all() {
        assert_eq!(LineTable::get(Scoring::Rules), LineTable::get(Scoring::Rules));
        assert_ne!(LineTable::get(Scoring::Rules), LineTable::get(Scoring::Referee));
    }
}
