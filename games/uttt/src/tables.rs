//! Tables for 3 × 3 boards, indexed by a set of cells. The set has nine bits, row by row; bit 0 is the top-left cell.

/// The set of all nine cells.
pub const FULL: u16 = 0b111_111_111;

/// The three rows, three columns and two diagonals.
pub const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Whether a set of cells contains a line.
pub static HAS_LINE: [bool; 512] = has_line();

/// Number of cells in a set.
pub static COUNT: [u8; 512] = count();

/// `NTH[set][k]` is the cell with exactly `k` smaller cells in the set, or 0 if there is none.
pub static NTH: [[u8; 16]; 512] = nth();

/// `WINNING[set]` is the set of cells that would complete a line of `set`.
pub static WINNING: [u16; 512] = winning();

const fn has_line() -> [bool; 512] {
    let mut table = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < 8 {
            if set as u16 & LINES[line] == LINES[line] {
                table[set] = true;
            }
            line += 1;
        }
        set += 1;
    }
    table
}

const fn count() -> [u8; 512] {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        table[set] = (set as u16).count_ones() as u8;
        set += 1;
    }
    table
}

const fn nth() -> [[u8; 16]; 512] {
    let mut table = [[0; 16]; 512];
    let mut set = 0;
    while set < 512 {
        let (mut cell, mut k) = (0, 0);
        while cell < 9 {
            if set >> cell & 1 == 1 {
                table[set][k] = cell as u8;
                k += 1;
            }
            cell += 1;
        }
        set += 1;
    }
    table
}

const fn winning() -> [u16; 512] {
    let lines = has_line();
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut cell = 0;
        while cell < 9 {
            if set >> cell & 1 == 0 && lines[set | 1 << cell] {
                table[set] |= 1 << cell;
            }
            cell += 1;
        }
        set += 1;
    }
    table
}
