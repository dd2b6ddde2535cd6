//! The value of a square: its side times about the probability that it is complete at the end of the game.

use crate::classic::SQUARES;
use crate::corners::{self, Corner, DEAD, EMPTY, FIXED, FOREIGN, OWN};

/// The unit of values: this many are a point. Values are whole numbers below 2^24, so that sums of `f32` are exact.
pub const POINT: f32 = 32_768.0;

/// Sums of three corners that are not dead and one that may be are below this.
pub const SUMS: usize = 256;

/// The kinds of corners that a square may have without being dead, in the order of a cell's numbers.
pub const KINDS: [Corner; 4] = [FOREIGN, OWN, EMPTY, FIXED];

/// Number of times, of 32768, that a square with this many corners own and fixed, own, and empty was complete at the
/// end; the other corners were of another colour. Counted over finished games for the players' colours, after every
/// tile: see `examples/squares.rs`.
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

/// Points by sum of corners: half of it is the count, the other half the value by the write-up's evaluation, in which a
/// square with four fixed corners is a point. The write-up's is bolder: it trusts that a complete square will be kept.
// Constants and no `const fn`, in which Rust 1.66 has no floating-point numbers.
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

/// The write-up's evaluation of a square before its side is counted.
const fn points(fixed: u16, own: u16) -> u32 {
    let [base, more] = SQUARES[(fixed + own) as usize];
    base as u32 + more as u32 * fixed as u32
}

/// Value by sum of corners, in 32768ths of the square's side.
pub static WORTH: [f32; SUMS] = TABLE;

/// Value by sum of three corners, for each kind of the fourth.
pub static BY_KIND: [[f32; 4]; SUMS] = {
    let mut table = [[0.0; 4]; SUMS];
    let mut sum = 0;
    // Sums of three corners without a dead one are below DEAD; with one all is 0.
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

/// Returns the place of a kind in [`KINDS`]; that of a dead corner is 4.
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
