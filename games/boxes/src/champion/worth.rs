//! The value of a square: its side times the approximate probability that it is complete at the end of the game.

use crate::classic::SQUARES;
use crate::corners::{self, Corner, DEAD, EMPTY, FIXED, FOREIGN, OWN};

/// Number of units per point. Values are integers below 2^24, so that sums of `f32` are exact.
pub const POINT: f32 = 32_768.0;

/// Exclusive upper bound of the sum of a square's four corner numbers if at most one corner is dead. Tables indexed by
/// these sums have this size.
pub const SUMS: usize = 256;

/// The kinds of corners that a square with a value can have. The numbers of a cell are in this order.
pub const KINDS: [Corner; 4] = [FOREIGN, OWN, EMPTY, FIXED];

/// Among 32768 squares with these numbers of fixed own corners, other own corners and empty corners (all remaining
/// corners are foreign), the number that were complete at the end. The statistics count the squares of the players'
/// colours after every tile of finished games (see `examples/squares.rs`).
const COUNTED: [(u16, u16, u16, u16); 35] = [
    (0, 0, 0, 0),
    (0, 0, 1, 3),
    (0, 0, 2, 4),
    (0, 0, 3, 11),
    (0, 0, 4, 13),
    (0, 1, 0, 2),
    (0, 1, 1, 19),
    (0, 1, 2, 35),
    (0, 1, 3, 111),
    (0, 2, 0, 55),
    (0, 2, 1, 237),
    (0, 2, 2, 665),
    (0, 3, 0, 960),
    (0, 3, 1, 2065),
    (0, 4, 0, 1591),
    (1, 0, 0, 20),
    (1, 0, 1, 33),
    (1, 0, 2, 78),
    (1, 0, 3, 182),
    (1, 1, 0, 190),
    (1, 1, 1, 405),
    (1, 1, 2, 933),
    (1, 2, 0, 1691),
    (1, 2, 1, 3579),
    (1, 3, 0, 4121),
    (2, 0, 0, 314),
    (2, 0, 1, 593),
    (2, 0, 2, 1318),
    (2, 1, 0, 3149),
    (2, 1, 1, 5250),
    (2, 2, 0, 8445),
    (3, 0, 0, 6763),
    (3, 0, 1, 10463),
    (3, 1, 0, 13802),
    (4, 0, 0, 32768),
];

/// The value for each sum of corners. It is the mean of the value from the statistics and the write-up's evaluation,
/// scaled so that a square with four fixed corners is worth one point. Each entry contains the numbers of fixed own
/// corners, other own corners and empty corners of a square, and the number of such squares, out of 32768, that were
/// complete at the end.
// These are constants instead of a `const fn`, which cannot use floating-point numbers in Rust 1.66.
const TABLE: [f32; SUMS] = {
    let complete = points(4, 0);
    let mut table = [0.0; SUMS];
    let mut at = 0;
    while at < COUNTED.len() {
        let (fixed, own, empty, count) = COUNTED[at];
        let bold = 32_768 * points(fixed, own) / complete;
        table[corners::sum(fixed, own, empty)] = ((count as u32 + bold) / 2) as f32;
        at += 1;
    }
    table
};

/// Returns the write-up's evaluation of a square, not yet multiplied by its side.
const fn points(fixed: u16, own: u16) -> u32 {
    let [base, more] = SQUARES[(fixed + own) as usize];
    base as u32 + more as u32 * fixed as u32
}

/// The value for each sum of corners, in 32768ths of the square's side.
pub static WORTH: [f32; SUMS] = TABLE;

/// The value for each combination of a sum of three corners and a kind of the fourth corner.
pub static BY_KIND: [[f32; 4]; SUMS] = {
    let mut table = [[0.0; 4]; SUMS];
    let mut sum = 0;
    // Sums of three corners are below DEAD if none of them is dead. If one is dead, all values are 0.
    while sum < DEAD as usize {
        let mut kind = 0;
        while kind < 4 {
            table[sum][kind] = TABLE[sum + KINDS[kind] as usize];
            kind += 1;
        }
        sum += 1;
    }
    table
};

/// Returns the index of a kind in [`KINDS`], or 4 for a dead corner.
#[inline(always)]
pub fn kind(corner: Corner) -> usize {
    match corner {
        FOREIGN => 0,
        OWN => 1,
        EMPTY => 2,
        FIXED => 3,
        _ => 4,
    }
}
