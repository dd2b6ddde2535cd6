//! The paths on the board. Only the two ends of each path are stored.
//!
//! A *port* is the middle of a cell's side; two adjacent cells share a port. Tiles join ports into paths, and a port
//! without a tile is a path of length 0. Each end of a path stores the position of the path's other end and the length
//! of the path. To join two paths, only the two ends of the new path are written. The ports inside the path keep their
//! old values. The old values are not read until the move is undone. The undo then needs them.
//!
//! The ports, the two arrays and the cheap undo come from Mangara's program (CodeCup 2022). The exact count of a path
//! that runs through a tile twice is our own.

use crate::moves::{Move, CELLS, COLUMNS, ROWS};
use contender_game::rules::Player;

/// Number of entries per table. Ports use only 142 of the numbers 0 to 155, but an entry for each byte value makes
/// every index valid. Then no access needs a bounds check, which saves almost a third of the instructions of a random
/// game. These savings are larger than the cost of copying the unused entries.
const PORTS: usize = 256;

/// The bit that distinguishes the side walls. Ports of the left wall have the numbers 0 to 8, those of the right wall
/// 16 to 24, and all others 32 and up. One bit test shows whether two ends both lie on side walls, and another bit test
/// shows whether they lie on different walls.
const RIGHT: u16 = 16;
const NOT_SIDE_WALL: u16 = 0xe0;

/// An end of a path: the low byte is the other end, the high byte is the length, at most 126.
type End = u16;

const ONE_LONGER: End = 1 << 8;

/// The four ports of each move, indexed by the move's byte. The first segment joins ports 0 and 1, and the second
/// segment joins ports 2 and 3.
static SEGMENTS: [[u8; 4]; 256] = SEGMENT_TABLE;

/// The table of segments for constant functions, which cannot read a `static` before Rust 1.83.
const SEGMENT_TABLE: [[u8; 4]; 256] = segments();

/// Returns the port between the columns `column - 1` and `column` in a row, with `column` from 0 to 7.
const fn upright(row: usize, column: usize) -> u8 {
    match column {
        0 => row as u8,
        COLUMNS => (RIGHT as usize + row) as u8,
        _ => (32 + row * (COLUMNS - 1) + column - 1) as u8,
    }
}

/// Returns the port between the rows `row - 1` and `row` in a column, with `row` from 0 to 9.
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
    /// The value of each port, valid only for the ends of paths.
    ends: [End; PORTS],
}

/// The values of the four ports of a tile before the tile was placed.
pub(crate) type Before = [End; 4];

impl Paths {
    /// Returns the paths of a board without tiles: every port is a path of its own.
    pub(crate) fn new() -> Paths {
        let mut ends = [0; PORTS];
        for (port, end) in ends.iter_mut().enumerate() {
            *end = port as End;
        }
        Paths { ends }
    }

    /// Places a tile. Returns the mover's gain, and the data that [`Paths::remove`] needs.
    #[inline(always)]
    pub(crate) fn place(&mut self, mv: Move, mover: Player) -> (i32, Before) {
        let [p, q, r, s] = SEGMENTS[usize::from(mv.code())];
        let before = [p, q, r, s].map(|port| self.ends[usize::from(port)]);
        let mut gain = 0;
        for (from, to) in [(p, q), (r, s)] {
            let (a, b) = (self.ends[usize::from(from)], self.ends[usize::from(to)]);
            // If the two ends close a loop, this writes to ports that no later tile touches.
            self.ends[usize::from(a as u8)] = b + (a & 0xff00) + ONE_LONGER;
            self.ends[usize::from(b as u8)] = a + (b & 0xff00) + ONE_LONGER;
            if (a | b) & NOT_SIDE_WALL == 0 || a as u8 == to {
                gain += finished(a, b, mover, &before);
            }
        }
        (gain, before)
    }

    /// Removes the tile placed last.
    ///
    /// Before the move, each of the four ports was the end of a path. So the other end of the path stored the port and
    /// the length.
    #[inline(always)]
    pub(crate) fn remove(&mut self, mv: Move, before: &Before) {
        for (&port, &end) in SEGMENTS[usize::from(mv.code())].iter().zip(before) {
            self.ends[usize::from(end as u8)] = End::from(port) | (end & 0xff00);
        }
    }
}

/// The two cells that share a port, indexed by the port. The value 63 means that there is no cell.
static CELLS_AT: [[u8; 2]; PORTS] = cells_at();

const fn cells_at() -> [[u8; 2]; PORTS] {
    let mut table = [[63; 2]; PORTS];
    let mut cell = 0;
    while cell < CELLS {
        let mut side = 0;
        while side < 4 {
            let port = SEGMENT_TABLE[cell][side] as usize;
            table[port][if table[port][0] == 63 { 0 } else { 1 }] = cell as u8;
            side += 1;
        }
        cell += 1;
    }
    table
}

/// The first port of the top wall.
const TOP: u8 = level(0, 0);
/// The first port of the bottom wall.
const BOTTOM: u8 = level(ROWS, 0);

/// Returns the cells in a set.
pub(crate) fn cells(set: u64) -> impl Iterator<Item = u8> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let cell = rest.trailing_zeros() as u8;
        rest &= rest.wrapping_sub(1);
        (cell < 64).then_some(cell)
    })
}

impl Paths {
    /// Returns a hash of everything on which later gains depend, if `empty` contains the empty cells: the connections
    /// of their ports with each other and with walls, and the distances to the side walls. Positions in which these
    /// data are equal have equal hashes. Other positions have different hashes, except with a probability of 2^-64.
    #[inline]
    pub(crate) fn key(&self, empty: u64) -> u64 {
        let mut hash = 0;
        for cell in cells(empty) {
            for port in SEGMENTS[usize::from(cell)] {
                let end = self.ends[usize::from(port)];
                // A port without a tile adds no information: both its cells are empty.
                if end != End::from(port) {
                    hash ^= arrival(port, end);
                }
            }
        }
        hash
    }

    /// Returns the change of the [key](Paths::key) that the latest tile caused.
    #[inline(always)]
    pub(crate) fn key_change(&self, mv: Move, before: &Before) -> u64 {
        let ports = SEGMENTS[usize::from(mv.code())];
        let mut change = 0;
        for (port, &end) in ports.into_iter().zip(before) {
            let far = end as u8;
            if far == port {
                // The port had no tile; now a path reaches the cell on its other side.
                if !is_wall(port) {
                    change ^= arrival(port, self.ends[usize::from(port)]);
                }
            } else {
                change ^= arrival(port, end);
                // Paths that end at the new tile itself are gone, and ends at walls have no cell.
                if !is_wall(far) && !ports.contains(&far) {
                    let ended = End::from(port) | (end & 0xff00);
                    change ^= arrival(far, ended) ^ arrival(far, self.ends[usize::from(far)]);
                }
            }
        }
        change
    }

    /// Returns the tiles that have different effects on an empty cell, as a bit set. Of tiles with equal effects only
    /// the first is included. A path from the top or bottom wall can make tiles equivalent, because it makes any path
    /// that it joins worthless.
    #[inline]
    pub(crate) fn tiles(&self, cell: u8) -> u8 {
        let mut dead = 0;
        for (side, port) in SEGMENTS[usize::from(cell)].into_iter().enumerate() {
            dead |= u8::from(essence(self.ends[usize::from(port)]) == DEAD) << side;
        }
        match dead {
            // Two sides are alive: include the tile that joins them, and one of the other two.
            0b0011 | 0b1100 => 0b011,
            0b0101 | 0b1010 => 0b011,
            0b1001 | 0b0110 => 0b101,
            0b0111 | 0b1011 | 0b1101 | 0b1110 | 0b1111 => 0b001,
            _ => 0b111,
        }
    }

    /// Calls `visit` with the moves that join a path from the left wall to a path from the right wall. Some moves are
    /// visited twice.
    ///
    /// If a path runs through the tile twice, the move is visited only if the path's second pass uses the last segment.
    #[inline]
    pub(crate) fn links(&self, empty: u64, mut visit: impl FnMut(Move)) {
        for wall in 0..ROWS {
            let port = self.ends[wall] as u8;
            let Some(cell) = CELLS_AT[usize::from(port)].into_iter().find(|&cell| empty >> cell & 1 == 1)
            else {
                continue;
            };
            let ports = SEGMENTS[usize::from(cell)];
            let Some(from) = ports.iter().position(|&other| other == port) else { continue };
            for (to, other) in ports.into_iter().enumerate() {
                let end = self.ends[usize::from(other)];
                if to != from && end & (NOT_SIDE_WALL | RIGHT) == RIGHT {
                    // Sides are numbered so that a tile with index `t` joins the sides whose numbers have the exclusive
                    // or `t + 1`.
                    visit(Move::from_code(cell | ((from ^ to) as u8 - 1) << 6));
                }
            }
        }
    }
}

/// Returns the hash of a path that reaches a port of an empty cell.
#[inline(always)]
fn arrival(port: u8, end: End) -> u64 {
    fold(u64::from(port) << 16 | u64::from(essence(end)))
}

/// Returns whether a port is at a wall.
#[inline(always)]
fn is_wall(port: u8) -> bool {
    port & NOT_SIDE_WALL as u8 == 0 || is_dead(port)
}

/// Returns whether a port is at the top or bottom wall.
#[inline(always)]
fn is_dead(port: u8) -> bool {
    port >= TOP && (port < TOP + COLUMNS as u8 || port >= BOTTOM)
}

/// The value that replaces every path end at the top or bottom wall.
const DEAD: End = 255;

/// Returns the part of a path's end that affects the value of the path's other end.
#[inline]
fn essence(end: End) -> End {
    if end & NOT_SIDE_WALL == 0 {
        end & !0x0f
    } else if is_dead(end as u8) {
        DEAD
    } else {
        end
    }
}

/// Scrambles a number with one multiplication of double width.
#[inline]
pub(crate) fn fold(number: u64) -> u64 {
    let product = u128::from(number ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64);
    (product >> 64) as u64 ^ product as u64
}

/// Returns the mover's gain when a segment joins the paths at its ports into a loop or into a path between side walls.
/// `a` and `b` are the ends that were stored at these ports.
///
/// A path from wall to wall counts from the mover's wall to the new tile. If the path runs through the new tile twice,
/// it counts to the pass that is farther from the mover's wall. In both cases the gain is the length of the whole path
/// without the part that was connected to the opponent's wall before the move.
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
