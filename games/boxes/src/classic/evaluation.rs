//! The write-up's evaluation: what a colour's squares promise, by how many corners they have and how many of those are
//! fixed.
//!
//! | own corners | square | and for each fixed one |
//! |---|---|---|
//! | 4 | 250 | 2500 |
//! | 3 | 100 | 1000 |
//! | 2 | 10 | 100 |
//!
//! times side + 4; nothing if a missing corner is fixed. A single cell counts 1, a fixed one 10. The numbers are Maks
//! Verver's (CodeCup 2025), and the tests hold values of his program.

use crate::cells::{self, Cells};
use crate::corners::{self, at, newly, squares_through, Corner, DEAD, FIXED, FOREIGN, OWN, PADDED, SUMS};
use crate::shape::{tile_cells, Shape};
use crate::{Colour, Placement, State, COLOURS};

/// Points of a square with so many own corners, and more for each fixed one.
pub const SQUARES: [[i32; 2]; 5] = [[0, 0], [0, 0], [10, 100], [100, 1_000], [250, 2_500]];
const SINGLE: [i32; 2] = [1, 10];

/// By sum of corners, [`corners::EMPTY`] left out: the points of a square before its side is counted.
static BY_SUM: [i32; SUMS] = by_sum();

const fn by_sum() -> [i32; SUMS] {
    let mut points = [0; SUMS];
    let mut fixed = 0;
    while fixed <= 4 {
        let mut own = 0;
        while fixed + own <= 4 {
            let [base, more] = SQUARES[fixed + own];
            points[corners::sum(fixed as u16, own as u16, 0)] = base + more * fixed as i32;
            own += 1;
        }
        fixed += 1;
    }
    points
}

fn size(side: usize) -> i32 {
    side as i32 + 4
}

/// The evaluation of a colour in a state.
///
/// # Panics
/// If there is no such colour.
#[must_use]
pub fn evaluate(state: &State, colour: Colour) -> i32 {
    Board::new(state.cells_of(colour), &Shape::of(state)).value
}

/// The evaluation of both players' colours, the difference from player 0's view.
#[must_use]
pub fn difference(state: &State) -> i32 {
    let [zero, one] = state.colours().map(|colour| evaluate(state, colour));
    zero - one
}

/// The corners of one colour and their evaluation.
#[derive(Clone)]
pub struct Board {
    corners: [Corner; PADDED],
    value: i32,
}

impl Board {
    /// The board of a colour with these cells.
    #[must_use]
    pub fn new(own: &Cells, shape: &Shape) -> Board {
        // An empty cell is as good as one of another colour here.
        let corners = corners::corners(own, shape.filled(), shape.fixed()).map(|corner| match corner {
            corners::EMPTY => FOREIGN,
            other => other,
        });
        let mut value = 0;
        corners::squares(|[a, b, c, d], side| {
            let sum = corners[a] + corners[b] + corners[c] + corners[d];
            value += size(side) * BY_SUM[usize::from(sum)];
        });
        value += corners.iter().map(|&corner| single(corner)).sum::<i32>();
        Board { corners, value }
    }

    /// The evaluation of the colour.
    #[must_use]
    pub fn value(&self) -> i32 {
        self.value
    }

    /// The evaluation after a tile is laid there, for each position of the colour in the tile. `before` and `after` are
    /// the shapes without and with that tile.
    ///
    /// All that does not depend on the position is done once: the cells that the tile covers are lost, and newly fixed
    /// cells are counted. Then each position adds its two cells.
    #[must_use]
    pub fn after(&self, placement: Placement, before: &Shape, after: &Shape) -> [i32; COLOURS] {
        let mut board = self.clone();
        let tile = tile_cells(placement);
        let is_fixed = |cell: usize| after.fixed()[cell / 16] >> (cell % 16) & 1 == 1;
        for &cell in tile.iter().flatten() {
            board.set(cell, if is_fixed(cell) { DEAD } else { FOREIGN });
        }
        cells::for_each(&newly(before.fixed(), after.fixed()), |cell| {
            let fixed = if matches!(board.corners[at(cell)], OWN | FIXED) { FIXED } else { DEAD };
            board.set(cell, fixed);
        });
        let rest = board.value;
        tile.map(|cells| {
            for cell in cells {
                board.set(cell, if is_fixed(cell) { FIXED } else { OWN });
            }
            let value = board.value;
            for cell in cells {
                board.corners[at(cell)] = if is_fixed(cell) { DEAD } else { FOREIGN };
            }
            board.value = rest;
            value
        })
    }

    /// Changes a corner, and the value with it.
    #[inline]
    fn set(&mut self, cell: usize, corner: Corner) {
        let old = self.corners[at(cell)];
        if old == corner {
            return;
        }
        let mut change = single(corner) - single(old);
        let corners = &self.corners;
        let (old, new) = (usize::from(old), usize::from(corner));
        squares_through(cell, |[a, b, c], side| {
            let others = usize::from(corners[at(a)] + corners[at(b)] + corners[at(c)]);
            if others < usize::from(DEAD) {
                change += size(side) * (BY_SUM[others + new] - BY_SUM[others + old]);
            }
        });
        self.value += change;
        self.corners[at(cell)] = corner;
    }
}

fn single(corner: Corner) -> i32 {
    match corner {
        OWN => SINGLE[0],
        FIXED => SINGLE[1],
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Square, Tile};
    use contender_game::{Chance, Game, Rng, Turn};

    /// The evaluation square by square, as the table in the module's text has it.
    fn slow(state: &State, colour: Colour) -> i32 {
        let fixed = state.fixed();
        let own = state.cells_of(colour);
        let is_in = |set: &Cells, (r, c): (usize, usize)| set[c] >> r & 1 == 1;
        let mut value = 0;
        for square in Square::all() {
            let corners = square.corners();
            if corners.iter().any(|&corner| is_in(&fixed, corner) && !is_in(own, corner)) {
                continue;
            }
            let count = corners.iter().filter(|&&corner| is_in(own, corner)).count();
            let sure = corners.iter().filter(|&&corner| is_in(own, corner) && is_in(&fixed, corner)).count();
            let [base, more] = [[0, 0], [0, 0], [10, 100], [100, 1_000], [250, 2_500]][count];
            value += (base + more * sure as i32) * (square.side as i32 + 4);
        }
        for (c, &column) in own.iter().enumerate() {
            for r in (0..16).filter(|r| column >> r & 1 == 1) {
                value += if is_in(&fixed, (r, c)) { 10 } else { 1 };
            }
        }
        value
    }

    #[test]
    fn values_are_those_of_the_original() {
        let tile = |text: &str| text.parse::<Tile>().unwrap();
        let all = |state: &State| [0, 1, 2, 3, 4, 5].map(|colour| evaluate(state, colour));
        assert_eq!(all(&State::new([0, 1], tile("123456"))), [2, 2, 52, 52, 2, 2]);
        let mut state = State::new([0, 1], tile("216534"));
        for (name, placement) in [("364521", "Ikv"), ("462513", "Ifv")] {
            state.resolve(tile(name));
            state.play(placement.parse().unwrap());
        }
        assert_eq!(all(&state), [85, 56, 846, 226, 716, 335]);
    }

    #[test]
    fn prepared_evaluations_equal_whole_ones() {
        let mut rng = Rng::new(1);
        let mut compared = 0;
        for _ in 0..40 {
            let mut state = State::random(&mut rng);
            while state.turn() != Turn::Over {
                for colour in 0..COLOURS as Colour {
                    assert_eq!(evaluate(&state, colour), slow(&state, colour));
                }
                let shape = Shape::of(&state);
                let colour = rng.index(COLOURS) as Colour;
                let board = Board::new(state.cells_of(colour), &shape);
                state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                let mut moves = Vec::new();
                state.moves(&mut moves);
                for placement in [*rng.choose(&moves), *rng.choose(&moves)] {
                    let values = board.after(placement, &shape, &shape.with(placement));
                    for _ in 0..3 {
                        let tile = Tile::from_index(rng.index(Tile::COUNT));
                        let mut child = state.clone();
                        child.resolve(tile);
                        child.play(placement);
                        assert_eq!(values[tile.position(colour)], slow(&child, colour), "{placement}");
                        compared += 1;
                    }
                }
                state.play(*rng.choose(&moves));
            }
        }
        assert!(compared > 5_000);
    }
}
