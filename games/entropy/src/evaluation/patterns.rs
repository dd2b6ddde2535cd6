//! Patterns of lines of seven cells. Lines have the same pattern if they are equally good for palindromes: the names of
//! the colours and the direction of reading do not matter.

use crate::lines::CELL_BITS;
use crate::SIZE;
use std::sync::{Mutex, PoisonError};

/// Number of different patterns. There are 4,140 ways in which seven cells can be empty or have equal colours. A way
/// and its reverse belong to the same pattern.
pub const PATTERNS: usize = 2_152;

const LINES: usize = 1 << (CELL_BITS * SIZE);

/// The pattern number of every line, indexed by the line's number in [`LineTable`](crate::LineTable). It takes 4 MiB.
pub(super) struct Patterns {
    numbers: Box<[u16]>,
}

static TABLE: Mutex<Option<&'static Patterns>> = Mutex::new(None);

impl Patterns {
    /// Returns the table. The first call in a process builds the table, which takes a few hundredths of a second. Later
    /// calls reuse it.
    pub(super) fn get() -> &'static Patterns {
        let mut table = TABLE.lock().unwrap_or_else(PoisonError::into_inner);
        table.get_or_insert_with(|| Box::leak(Box::new(Patterns::build())))
    }

    /// Builds the table. Patterns are numbered in the order of the first line with each pattern.
    fn build() -> Patterns {
        const NONE: u16 = u16::MAX;
        let mut numbers = vec![NONE; LINES];
        let mut count = 0;
        for line in 0..LINES {
            let form = renamed(line);
            if form != line {
                // Colours are named in order of appearance, so the form is a smaller number and already has a pattern.
                numbers[line] = numbers[form];
                continue;
            }
            let back = renamed(reversed(line));
            if back < line {
                numbers[line] = numbers[back];
            } else {
                numbers[line] = count;
                count += 1;
            }
        }
        debug_assert_eq!(usize::from(count), PATTERNS);
        Patterns { numbers: numbers.into_boxed_slice() }
    }

    /// Returns the number of a line's pattern, below [`PATTERNS`].
    #[inline]
    pub(super) fn of(&self, line: u32) -> usize {
        usize::from(self.numbers[line as usize & (LINES - 1)])
    }
}

/// Returns the line with its colours renamed to 1, 2, 3, ..., in the order of the cells from the last one, which is the
/// highest digit. The result is the smallest of all lines that differ only in the names of their colours.
fn renamed(line: usize) -> usize {
    let (mut names, mut next, mut renamed) = ([0; 1 << CELL_BITS], 1, 0);
    for at in (0..SIZE).rev() {
        let colour = line >> (CELL_BITS * at) & 7;
        if colour != 0 && names[colour] == 0 {
            names[colour] = next;
            next += 1;
        }
        renamed = renamed << CELL_BITS | names[colour];
    }
    renamed
}

fn reversed(line: usize) -> usize {
    (0..SIZE).fold(0, |back, at| back << CELL_BITS | (line >> (CELL_BITS * at) & 7))
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;
    use std::collections::HashSet;

    #[test]
    fn lines_share_a_number_if_and_only_if_they_differ_in_names_and_direction_alone() {
        let patterns = Patterns::get();
        let cells = |line: usize| (0..SIZE).map(|at| line >> (CELL_BITS * at) & 7).collect::<Vec<_>>();
        // The direct definition: the same cells are empty, and the same pairs of cells have the same colour.
        let alike = |a: &[usize], b: &[usize]| {
            (0..SIZE)
                .all(|i| (0..SIZE).all(|j| (a[i] == a[j]) == (b[i] == b[j])) && (a[i] == 0) == (b[i] == 0))
        };
        let mut rng = Rng::new(1);
        for _ in 0..20_000 {
            // Only a few colours occur, so that pairs of lines are often alike.
            let mut random = || (0..SIZE).fold(0, |line, _| line << CELL_BITS | rng.below(3) as usize);
            let (one, other) = (random(), random());
            let (a, b) = (cells(one), cells(other));
            let back: Vec<usize> = b.iter().rev().copied().collect();
            let same = patterns.of(one as u32) == patterns.of(other as u32);
            assert_eq!(same, alike(&a, &b) || alike(&a, &back), "{one:o} {other:o}");
        }
    }

    #[test]
    fn every_number_is_used() {
        let numbers: HashSet<usize> = (0..LINES).map(|line| Patterns::get().of(line as u32)).collect();
        assert_eq!(numbers, (0..PATTERNS).collect());
    }
}
