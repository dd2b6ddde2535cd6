//! What a square is worth: its side times the probability that it is complete at the end of the game.

use crate::corners::{self, Corner, DEAD, EMPTY, FIXED, FOREIGN, OWN};

/// The unit of values: this many are a point. Values are whole numbers below 2^24, so that sums of `f32` are exact.
pub const POINT: f32 = 32_768.0;

/// Sums of three corners that are not dead and one that may be are below this.
pub const SUMS: usize = 256;

/// The kinds of corners that a square may have without being dead, in the order of a cell's numbers.
pub const KINDS: [Corner; 4] = [FOREIGN, OWN, EMPTY, FIXED];

/// How often, of 32768 times, a square was complete at the end that had so many corners own and fixed, own, and empty; the others
/// were of another colour. Counted over finished games for the players' colours, after every tile: see `examples/squares.rs`.
const COUNTED: [(u16, u16, u16, u16); 35] = [
    (0, 0, 0, 1),
    (0, 0, 1, 4),
    (0, 0, 2, 5),
    (0, 0, 3, 14),
    (0, 0, 4, 15),
    (0, 1, 0, 2),
    (0, 1, 1, 25),
    (0, 1, 2, 43),
    (0, 1, 3, 134),
    (0, 2, 0, 41),
    (0, 2, 1, 287),
    (0, 2, 2, 824),
    (0, 3, 0, 1492),
    (0, 3, 1, 1678),
    (0, 4, 0, 1489),
    (1, 0, 0, 20),
    (1, 0, 1, 41),
    (1, 0, 2, 86),
    (1, 0, 3, 223),
    (1, 1, 0, 236),
    (1, 1, 1, 482),
    (1, 1, 2, 1132),
    (1, 2, 0, 2499),
    (1, 2, 1, 3872),
    (1, 3, 0, 3539),
    (2, 0, 0, 383),
    (2, 0, 1, 647),
    (2, 0, 2, 1699),
    (2, 1, 0, 4465),
    (2, 1, 1, 6401),
    (2, 2, 0, 7874),
    (3, 0, 0, 7930),
    (3, 0, 1, 12006),
    (3, 1, 0, 14870),
    (4, 0, 0, 32768),
];

// Constants and no `const fn`, in which Rust 1.66 has no floating-point numbers.
const TABLE: [f32; SUMS] = {
    let mut table = [0.0; SUMS];
    let mut at = 0;
    while at < COUNTED.len() {
        let (fixed, own, empty, count) = COUNTED[at];
        table[corners::sum(fixed, own, empty)] = count as f32;
        at += 1;
    }
    table
};

/// By sum of corners: the probability in 32768ths.
pub static PROBABILITY: [f32; SUMS] = TABLE;

/// By sum of three corners: the probability for each kind of the fourth.
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

/// The place of a kind in [`KINDS`]; that of a dead corner is 4.
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
