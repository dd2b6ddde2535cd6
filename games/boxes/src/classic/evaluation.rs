//! The write-up's evaluation. It values a square by the number of its corners that have the player's colour, and by how
//! many of these are fixed.
//!
//! | own corners | square | for each fixed corner |
//! |---|---|---|
//! | 4 | 250 | 2500 |
//! | 3 | 100 | 1000 |
//! | 2 | 10 | 100 |
//!
//! The points of a square are multiplied by its side + 4. A square is worth nothing if a missing corner is fixed. A
//! single cell is worth 1, a fixed cell 10. The numbers are from Maks Verver (CodeCup 2025), and the tests include
//! values from his program. [`Weights`] can hold other numbers.

use crate::cells::{self, Cells};
use crate::corners::{self, at, newly, squares_through, Corner, DEAD, FIXED, FOREIGN, OWN, PADDED, SUMS};
use crate::shape::{tile_cells, Shape};
use crate::{Colour, Placement, State, COLOURS};

/// Points of a square for each number of own corners, followed by the additional points for each fixed own corner.
pub const SQUARES: [[i32; 2]; 5] = [[0, 0], [0, 0], [10, 100], [100, 1_000], [250, 2_500]];
const SINGLE: [i32; 2] = [1, 10];

/// The values of squares and single cells.
#[derive(Clone)]
pub struct Weights {
    /// Points of a square for each sum of corners, not counting [`corners::EMPTY`], before the multiplication by the
    /// square's side.
    by_sum: [i32; SUMS],
    /// Points of a single cell, and of a single fixed cell.
    single: [i32; 2],
    /// A square's points are multiplied by its side plus this number.
    added: i32,
}

impl Weights {
    /// The weights from the write-up that this module follows.
    pub const WRITE_UP: &'static Weights = &Weights::new(SQUARES, SINGLE, 4);

    /// Creates weights from numbers like those in the table of this module.
    #[must_use]
    pub const fn new(squares: [[i32; 2]; 5], single: [i32; 2], added: i32) -> Weights {
        Weights { by_sum: by_sum(squares), single, added }
    }

    #[inline]
    fn size(&self, side: usize) -> i32 {
        side as i32 + self.added
    }

    #[inline]
    fn single(&self, corner: Corner) -> i32 {
        match corner {
            OWN => self.single[0],
            FIXED => self.single[1],
            _ => 0,
        }
    }
}

const fn by_sum(squares: [[i32; 2]; 5]) -> [i32; SUMS] {
    let mut points = [0; SUMS];
    let mut fixed = 0;
    while fixed <= 4 {
        let mut own = 0;
        while fixed + own <= 4 {
            let [base, more] = squares[fixed + own];
            points[corners::sum(fixed as u16, own as u16, 0)] = base + more * fixed as i32;
            own += 1;
        }
        fixed += 1;
    }
    points
}

/// Returns the evaluation of a colour in a state.
///
/// # Panics
/// Panics if the colour does not exist.
#[must_use]
pub fn evaluate(weights: &Weights, state: &State, colour: Colour) -> i32 {
    Board::new(weights, state.cells_of(colour), &Shape::of(state)).value
}

/// Returns the evaluation of player 0's colour minus the evaluation of player 1's colour.
#[must_use]
pub fn difference(weights: &Weights, state: &State) -> i32 {
    let [zero, one] = state.colours().map(|colour| evaluate(weights, state, colour));
    zero - one
}

/// The corners of one colour, and their evaluation.
#[derive(Clone)]
pub struct Board {
    corners: [Corner; PADDED],
    value: i32,
}

impl Board {
    /// Creates the board of a colour with these cells.
    #[must_use]
    pub fn new(weights: &Weights, own: &Cells, shape: &Shape) -> Board {
        // Here an empty cell is worth as much as a cell of another colour.
        let corners = corners::corners(own, shape.filled(), shape.fixed()).map(|corner| match corner {
            corners::EMPTY => FOREIGN,
            other => other,
        });
        let mut value = 0;
        corners::squares(|[a, b, c, d], side| {
            let sum = corners[a] + corners[b] + corners[c] + corners[d];
            value += weights.size(side) * weights.by_sum[usize::from(sum)];
        });
        value += corners.iter().map(|&corner| weights.single(corner)).sum::<i32>();
        Board { corners, value }
    }

    /// Returns the evaluation of the colour.
    #[must_use]
    pub fn value(&self) -> i32 {
        self.value
    }

    /// Returns the evaluation after a tile is placed, for each position of the colour in the tile. `before` and `after`
    /// are the shapes without and with this tile, and `weights` must be those of the board.
    ///
    /// The part that does not depend on the position is computed once: the tile removes the cells under it, and fixes
    /// other cells. Then each position adds its two cells.
    #[must_use]
    pub fn after(
        &self,
        weights: &Weights,
        placement: Placement,
        before: &Shape,
        after: &Shape,
    ) -> [i32; COLOURS] {
        let mut board = self.clone();
        let tile = tile_cells(placement);
        let is_fixed = |cell: usize| after.fixed()[cell / 16] >> (cell % 16) & 1 == 1;
        for &cell in tile.iter().flatten() {
            board.set(weights, cell, if is_fixed(cell) { DEAD } else { FOREIGN });
        }
        cells::for_each(&newly(before.fixed(), after.fixed()), |cell| {
            let fixed = if matches!(board.corners[at(cell)], OWN | FIXED) { FIXED } else { DEAD };
            board.set(weights, cell, fixed);
        });
        let rest = board.value;
        tile.map(|cells| {
            for cell in cells {
                board.set(weights, cell, if is_fixed(cell) { FIXED } else { OWN });
            }
            let value = board.value;
            for cell in cells {
                board.corners[at(cell)] = if is_fixed(cell) { DEAD } else { FOREIGN };
            }
            board.value = rest;
            value
        })
    }

    /// Changes a corner, and updates the value.
    #[inline]
    fn set(&mut self, weights: &Weights, cell: usize, corner: Corner) {
        let old = self.corners[at(cell)];
        if old == corner {
            return;
        }
        let mut change = weights.single(corner) - weights.single(old);
        let corners = &self.corners;
        let (old, new) = (usize::from(old), usize::from(corner));
        squares_through(cell, |[a, b, c], side| {
            let others = usize::from(corners[at(a)] + corners[at(b)] + corners[at(c)]);
            if others < usize::from(DEAD) {
                change += weights.size(side) * (weights.by_sum[others + new] - weights.by_sum[others + old]);
            }
        });
        self.value += change;
        self.corners[at(cell)] = corner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Square, Tile};
    use contender_game::rules::{Chance, Game, Rng, Turn};

    /// Evaluates square by square, directly from the table in the module's documentation.
    fn slow(squares: [[i32; 2]; 5], single: [i32; 2], added: i32, state: &State, colour: Colour) -> i32 {
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
            let [base, more] = squares[count];
            value += (base + more * sure as i32) * (square.side as i32 + added);
        }
        for (c, &column) in own.iter().enumerate() {
            for r in (0..16).filter(|r| column >> r & 1 == 1) {
                value += single[usize::from(is_in(&fixed, (r, c)))];
            }
        }
        value
    }

    #[test]
    fn values_are_those_of_the_original() {
        let tile = |text: &str| text.parse::<Tile>().unwrap();
        let all = |state: &State| [0, 1, 2, 3, 4, 5].map(|colour| evaluate(Weights::WRITE_UP, state, colour));
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
        for round in 0..40 {
            // Half of the rounds use other weights than the write-up's.
            let mut squares = [[0, 0], [0, 0], [10, 100], [100, 1_000], [250, 2_500]];
            let (mut single, mut added) = ([1, 10], 4);
            if round % 2 == 1 {
                let mut any = || rng.index(10_001) as i32;
                squares[2..].fill_with(|| [any(), any()]);
                (single, added) = ([any(), any()], any() % 17);
            }
            let weights = Weights::new(squares, single, added);
            let slow = |state: &State, colour| slow(squares, single, added, state, colour);
            let mut state = State::random(&mut rng);
            while state.turn() != Turn::Over {
                for colour in 0..COLOURS as Colour {
                    assert_eq!(evaluate(&weights, &state, colour), slow(&state, colour));
                }
                let shape = Shape::of(&state);
                let colour = rng.index(COLOURS) as Colour;
                let board = Board::new(&weights, state.cells_of(colour), &shape);
                state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                let mut moves = Vec::new();
                state.moves(&mut moves);
                for placement in [*rng.choose(&moves), *rng.choose(&moves)] {
                    let values = board.after(&weights, placement, &shape, &shape.with(placement));
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
