//! Sets of cells as one mask per column, and the rules about areas of 2 x 6 and 6 x 2 cells. Each function computes its
//! result for all 434 areas at once.
//!
//! Filled cells are counted bit-sliced. Three bit planes contain the number of filled cells in a line of six cells, for
//! every corner at once. The boolean equations of an adder then add two such numbers. The count takes a few hundred
//! instructions for the whole board, which is less than updating 434 counters. The loops run over multiples of 8
//! columns, so that compilers can use vector instructions that every x86-64 machine has.

use super::{Placement, COLUMNS, ROWS};

/// A set of cells: bit `r` of element `c` is the cell in row `r` and column `c`.
pub type Cells = [u16; COLUMNS];

/// The empty set.
pub const NONE: Cells = [0; COLUMNS];

/// Number of 64-bit words for a set, with four columns in each word.
pub const WORDS: usize = COLUMNS / 4;

/// Number of columns, rounded up to whole vectors.
const LANES: usize = 24;

/// The game of two players who know each other's colour.
const PADDED: usize = 1 + LANES + 7;

/// The rows in which the top-left corner of an area can be: in this set for horizontal areas, in the next set for
/// vertical areas.
const LYING_ROWS: u16 = (1 << (ROWS - 1)) - 1;
const STANDING_ROWS: u16 = (1 << (ROWS - 5)) - 1;

/// Returns the areas with at most 4 filled cells, as sets of top-left corners: first horizontal areas, then vertical
/// areas. A tile can still cover these areas, unless they are too far from other tiles.
#[must_use]
pub fn open_areas(filled: &Cells) -> [Cells; 2] {
    let mut cells = [0; LANES + 8];
    cells[..COLUMNS].copy_from_slice(filled);

    // Horizontal areas: add three columns, then two groups of three, then two rows.
    let mut three = [[0; LANES + 8]; 2];
    for c in 0..LANES {
        let (ones, twos) = full_adder(cells[c], cells[c + 1], cells[c + 2]);
        three[0][c] = ones;
        three[1][c] = twos;
    }
    let mut lying = [0; 16];
    for c in 0..16 {
        let six = add_twos([three[0][c], three[1][c]], [three[0][c + 3], three[1][c + 3]]);
        lying[c] = at_most_four(six, six.map(|plane| plane >> 1)) & LYING_ROWS;
    }

    // Vertical areas: add three rows, then two groups of three, then two columns.
    let mut six = [[0; LANES + 8]; 3];
    for c in 0..LANES {
        let (ones, twos) = full_adder(cells[c], cells[c] >> 1, cells[c] >> 2);
        [six[0][c], six[1][c], six[2][c]] = add_twos([ones, twos], [ones >> 3, twos >> 3]);
    }
    let mut standing = [0; LANES];
    for c in 0..LANES {
        let here = [six[0][c], six[1][c], six[2][c]];
        let next = [six[0][c + 1], six[1][c + 1], six[2][c + 1]];
        standing[c] = at_most_four(here, next) & STANDING_ROWS;
    }

    let mut open = [NONE; 2];
    open[0][..COLUMNS - 5].copy_from_slice(&lying[..COLUMNS - 5]);
    open[1][..COLUMNS - 1].copy_from_slice(&standing[..COLUMNS - 1]);
    open
}

/// Returns the areas that contain a filled cell or share an edge with one, as sets of corners like [`open_areas`]. Some
/// of these corners may be outside the board.
#[must_use]
pub fn touching_areas(filled: &Cells) -> [Cells; 2] {
    let mut cells = [0; PADDED];
    cells[1..=COLUMNS].copy_from_slice(filled);

    // Cells that are filled or adjacent to a filled cell, then spread over 2 and over 6 rows.
    let (mut two_rows, mut six_rows) = ([0; LANES + 8], [0; LANES + 8]);
    for c in 0..LANES {
        let here = cells[c + 1];
        let near = here | here << 1 | here >> 1 | cells[c] | cells[c + 2];
        let two = near | near >> 1;
        let four = two | two >> 2;
        two_rows[c] = two;
        six_rows[c] = four | two >> 4;
    }
    let mut areas = [[0; LANES]; 2];
    for c in 0..LANES {
        let three = |c: usize| two_rows[c] | two_rows[c + 1] | two_rows[c + 2];
        areas[0][c] = three(c) | three(c + 3);
        areas[1][c] = six_rows[c] | six_rows[c + 1];
    }
    areas.map(|corners| *first_columns(&corners))
}

/// Returns all cells of the areas with these corners, in the form of [`open_areas`].
#[must_use]
pub fn covered(corners: &[Cells; 2]) -> Cells {
    // Corners are moved 5 columns to the right, so that a cell finds the corners on its left at lower indices.
    let (mut lying, mut standing) = ([0; LANES + 8], [0; LANES + 8]);
    for c in 0..COLUMNS {
        let [two, six] = [corners[0][c], corners[1][c]];
        lying[c + 5] = two | two << 1;
        let two_rows = six | six << 1;
        standing[c + 5] = two_rows | two_rows << 2 | two_rows << 4;
    }
    let mut cells = NONE;
    for c in 0..COLUMNS {
        let on_the_left = lying[c] | lying[c + 1] | lying[c + 2] | lying[c + 3] | lying[c + 4] | lying[c + 5];
        cells[c] = on_the_left | standing[c + 4] | standing[c + 5];
    }
    cells
}

/// Appends the placements with these corners, in the form of [`open_areas`]: first horizontal placements, then vertical
/// placements.
pub fn placements(corners: &[Cells; 2], placements: &mut Vec<Placement>) {
    for (corners, is_standing) in corners.iter().zip([false, true]) {
        for_each(corners, |bit| placements.push(Placement::from_bit(bit, is_standing)));
    }
}

/// Calls `visit` with the number of each cell in the set, `16 * column + row`, in ascending order.
#[inline]
pub fn for_each(cells: &Cells, mut visit: impl FnMut(usize)) {
    for (at, mut rest) in words(cells).into_iter().enumerate() {
        while rest != 0 {
            visit(64 * at + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// Returns the cells that are in both sets.
#[inline]
#[must_use]
pub fn intersection(a: &Cells, b: &Cells) -> Cells {
    let mut both = NONE;
    for c in 0..COLUMNS {
        both[c] = a[c] & b[c];
    }
    both
}

/// Both sides of the contest's protocol: the judge's and the bot's.
#[inline]
#[must_use]
pub fn words(cells: &Cells) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (word, columns) in words.iter_mut().zip(cells.chunks_exact(4)) {
        let bits = |column: usize| u64::from(columns[column]) << (16 * column);
        *word = bits(0) | bits(1) | bits(2) | bits(3);
    }
    words
}

/// Returns the number of cells in the set.
#[inline]
#[must_use]
pub fn count(cells: &Cells) -> u32 {
    words(cells).iter().map(|word| word.count_ones()).sum()
}

/// Returns whether the set is empty.
#[inline]
#[must_use]
pub fn is_empty(cells: &Cells) -> bool {
    cells.iter().fold(0, |all, column| all | column) == 0
}

fn first_columns(lanes: &[u16; LANES]) -> &Cells {
    lanes[..COLUMNS].try_into().expect("there are more lanes than columns")
}

/// Adds three one-bit numbers in every bit position. Returns the two bits of each sum: first the bits for 1, then the
/// bits for 2.
#[inline(always)]
fn full_adder(a: u16, b: u16, c: u16) -> (u16, u16) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

/// Adds two two-bit numbers, at most 3 + 3, in every bit position. Returns the bit planes of the sums, starting with
/// the lowest bit.
#[inline(always)]
fn add_twos(a: [u16; 2], b: [u16; 2]) -> [u16; 3] {
    let (twos, fours) = full_adder(a[1], b[1], a[0] & b[0]);
    [a[0] ^ b[0], twos, fours]
}

/// Returns the bit positions in which two numbers, each at most 6, have a sum of at most 4.
#[inline(always)]
fn at_most_four(a: [u16; 3], b: [u16; 3]) -> u16 {
    let ones = a[0] ^ b[0];
    let (twos, carry) = full_adder(a[1], b[1], a[0] & b[0]);
    let (fours, eights) = full_adder(a[2], b[2], carry);
    !(eights | fours & (twos | ones))
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    fn random_cells(rng: &mut Rng) -> Cells {
        // Each cell is filled with a probability of 0 to 8 eighths, so that areas with all counts occur.
        let density = rng.below(9);
        let mut cells = NONE;
        for column in &mut cells {
            for r in 0..ROWS {
                *column |= u16::from(rng.below(8) < density) << r;
            }
        }
        cells
    }

    fn area(placement: Placement) -> Vec<(usize, usize)> {
        (0..6).flat_map(|position| placement.cells(position)).collect()
    }

    #[test]
    fn areas_equal_those_found_one_by_one() {
        let mut rng = Rng::new(1);
        for _ in 0..3_000 {
            let filled = random_cells(&mut rng);
            let is_filled = |r: usize, c: usize| r < ROWS && c < COLUMNS && filled[c] >> r & 1 == 1;
            let (open, touching) = (open_areas(&filled), touching_areas(&filled));
            let mut open_by_one = [NONE; 2];
            let mut covered_by_one = NONE;
            for placement in Placement::all() {
                let (r, c) = (placement.row(), placement.column());
                let kind = usize::from(placement.is_standing());
                let cells = area(placement);
                if cells.iter().filter(|&&(r, c)| is_filled(r, c)).count() <= 4 {
                    open_by_one[kind][c] |= 1 << r;
                    for &(r, c) in &cells {
                        covered_by_one[c] |= 1 << r;
                    }
                }
                let touches = cells.iter().any(|&(r, c)| {
                    let beside =
                        [(r.wrapping_sub(1), c), (r + 1, c), (r, c.wrapping_sub(1)), (r, c + 1), (r, c)];
                    beside.into_iter().any(|(r, c)| is_filled(r, c))
                });
                assert_eq!(touching[kind][c] >> r & 1 == 1, touches, "{placement} on {filled:?}");
            }
            assert_eq!(open, open_by_one, "{filled:?}");
            assert_eq!(covered(&open), covered_by_one, "{filled:?}");
            assert_eq!(count(&filled), filled.iter().map(|column| column.count_ones()).sum::<u32>());
        }
    }
}
