//! The paths on the board, each known at its two ends only.
//!
//! A *port* is the middle of a cell's side; neighbouring cells share one. Tiles join ports to paths, and a port that no tile touches
//! is a path of length 0. At each end of a path stand the other end and the length. To join two paths is to write at the two ends
//! of the new one; inner ports keep what they had, nobody reads it again, and an undone move finds it there.
//!
//! The middles, the two arrays and the cheap undoing are Mangara's (CodeCup 2022); the exact count where a path runs through one
//! tile twice is not.

use crate::moves::{Move, CELLS, COLUMNS, ROWS};
use contender_game::Player;

/// Ports have 142 of the numbers 0 to 155. A place for each byte makes every index valid, so that no access needs a check: almost a third
/// of the instructions of a random game, and more than copying the rest costs.
const PORTS: usize = 256;

/// Ports of the left wall have the numbers 0 to 8, of the right wall 16 to 24, all others 32 and up: one bit test tells whether two
/// ends both lie on side walls, another whether on different ones.
const RIGHT: u16 = 16;
const NOT_SIDE_WALL: u16 = 0xe0;

/// The other end of a path in the low byte, its length, at most 126, in the high one.
type End = u16;

const ONE_LONGER: End = 1 << 8;

/// The four ports of each move, by its byte: the first segment from 0 to 1, the second from 2 to 3.
static SEGMENTS: [[u8; 4]; 256] = segments();

/// The port between the columns `column - 1` and `column`, 0 to 7, in a row.
const fn upright(row: usize, column: usize) -> u8 {
    match column {
        0 => row as u8,
        COLUMNS => (RIGHT as usize + row) as u8,
        _ => (32 + row * (COLUMNS - 1) + column - 1) as u8,
    }
}

/// The port between the rows `row - 1` and `row`, 0 to 9, in a column.
const fn level(row: usize, column: usize) -> u8 {
    (32 + ROWS * (COLUMNS - 1) + row * COLUMNS + column) as u8
}

const fn segments() -> [[u8; 4]; 256] {
    let mut table = [[0; 4]; 256];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / COLUMNS, cell % COLUMNS);
        let (top, bottom) = (level(row, column), level(row + 1, column));
        let (left, right) = (upright(row, column), upright(row, column + 1));
        table[cell] = [top, left, bottom, right];
        table[cell + 64] = [top, bottom, left, right];
        table[cell + 128] = [top, right, bottom, left];
        cell += 1;
    }
    table
}

/// All paths of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Paths {
    /// By port; valid at the ends of paths.
    ends: [End; PORTS],
}

/// What stood at the four ports of a tile before it was placed.
pub(crate) type Before = [End; 4];

impl Paths {
    /// No tile: every port is a path of its own.
    pub(crate) fn new() -> Paths {
        let mut ends = [0; PORTS];
        for (port, end) in ends.iter_mut().enumerate() {
            *end = port as End;
        }
        Paths { ends }
    }

    /// Places a tile; returns what the mover gains and what [`Paths::remove`] needs.
    #[inline(always)]
    pub(crate) fn place(&mut self, mv: Move, mover: Player) -> (i32, Before) {
        let [p, q, r, s] = SEGMENTS[usize::from(mv.code())];
        let before = [p, q, r, s].map(|port| self.ends[usize::from(port)]);
        let mut gain = 0;
        for (from, to) in [(p, q), (r, s)] {
            let (a, b) = (self.ends[usize::from(from)], self.ends[usize::from(to)]);
            // Where the two close a loop, these write to ports that no tile will touch again.
            self.ends[usize::from(a as u8)] = b + (a & 0xff00) + ONE_LONGER;
            self.ends[usize::from(b as u8)] = a + (b & 0xff00) + ONE_LONGER;
            if (a | b) & NOT_SIDE_WALL == 0 || a as u8 == to {
                gain += finished(a, b, mover, &before);
            }
        }
        (gain, before)
    }

    /// Takes away the tile placed last.
    ///
    /// Each of the four ports was then the end of a path, so it stood at that path's other end, with the same length.
    #[inline(always)]
    pub(crate) fn remove(&mut self, mv: Move, before: &Before) {
        for (&port, &end) in SEGMENTS[usize::from(mv.code())].iter().zip(before) {
            self.ends[usize::from(end as u8)] = End::from(port) | (end & 0xff00);
        }
    }
}

/// What the mover gains by joining the paths that end at the ports of a segment to a loop or to a path between side walls; `a` and
/// `b` stood at these ports.
///
/// A path from wall to wall counts from the mover's wall to the new tile, and if it runs through that tile twice, to the pass
/// farther from that wall. Either way it is the whole path without the part that hung at the other wall before the tile was placed.
#[cold]
#[inline(never)]
fn finished(a: End, b: End, mover: Player, before: &Before) -> i32 {
    if (a | b) & NOT_SIDE_WALL != 0 {
        return -5;
    }
    if (a ^ b) & RIGHT == 0 {
        return -3;
    }
    let opposite = [RIGHT, 0][mover];
    let wall_end = if a & RIGHT == opposite { a } else { b } as u8;
    let hung = before.iter().find(|&&end| end as u8 == wall_end).map_or(0, |end| end >> 8);
    i32::from((a >> 8) + (b >> 8) + 1 - hung)
}
