//! The value of one colour's squares, and the change of this value if any single cell changes.
//!
//! Each cell has four numbers: the value of all squares through the cell if the cell is foreign, own, empty, or own and
//! fixed. (Squares through a dead cell are worth nothing.) The numbers are updated as tiles are placed, so the value of
//! a placement is a sum over the cells that it changes. If a placement changes two corners of a square, the sum counts
//! the square as if each corner changed alone. This approximation makes no difference in play.

use super::worth::{kind, BY_KIND, WORTH};
use crate::cells::{self, Cells};
use crate::corners::{self, at, newly, squares_through, Corner, DEAD, FIXED, FOREIGN, OWN, PADDED};
use crate::shape::{tile_cells, Shape};
use crate::{Placement, COLUMNS, ROWS};

/// Number of possible cell numbers; a cell has the number `16 * column + row`.
const CELLS: usize = ROWS * COLUMNS;

/// The cells, the value and the four numbers of each cell for one colour. All values are integers, in the unit of
/// `worth`.
#[derive(Clone)]
pub struct Board {
    corners: [Corner; PADDED],
    numbers: [[f32; 4]; CELLS],
    value: f32,
}

/// For each cell, how the value changes if the cell becomes foreign, own, dead, or own and fixed.
pub type Changes = [[f32; 4]; CELLS];

impl Board {
    /// Creates the board for the colour with these cells.
    #[must_use]
    pub fn new(own: &Cells, shape: &Shape) -> Board {
        let corners = corners::corners(own, shape.filled(), shape.fixed());
        let mut board = Board { corners, numbers: [[0.0; 4]; CELLS], value: 0.0 };
        corners::squares(|cells, side| {
            let codes = cells.map(|cell| corners[cell]);
            let sum: Corner = codes.iter().sum();
            for (cell, code) in cells.into_iter().zip(codes) {
                // A dead corner stays dead, so its numbers are never used.
                let others = usize::from(sum - code);
                if others < usize::from(DEAD) {
                    add(&mut board.numbers[cell], side as f32, &BY_KIND[others]);
                }
            }
            if sum < DEAD {
                board.value += side as f32 * WORTH[usize::from(sum)];
            }
        });
        board
    }

    /// Returns the value of the colour.
    #[inline]
    #[must_use]
    pub fn value(&self) -> f32 {
        self.value
    }

    /// Places a tile. `position` is the index, within the tile, of the colour that this board evaluates. `before` and
    /// `after` are the shapes without and with the tile.
    pub fn play(&mut self, placement: Placement, position: usize, before: &Shape, after: &Shape) {
        let is_fixed = |cell: usize| after.fixed()[cell / ROWS] >> (cell % ROWS) & 1 == 1;
        for (at, cells) in tile_cells(placement).into_iter().enumerate() {
            for cell in cells {
                let corner = match (at == position, is_fixed(cell)) {
                    (true, true) => FIXED,
                    (true, false) => OWN,
                    (false, true) => DEAD,
                    (false, false) => FOREIGN,
                };
                self.set(cell, corner);
            }
        }
        cells::for_each(&newly(before.fixed(), after.fixed()), |cell| {
            let is_own = matches!(self.corners[at(cell)], OWN | FIXED);
            self.set(cell, if is_own { FIXED } else { DEAD });
        });
    }

    /// Changes a cell, and updates the numbers of all cells that share a square with it.
    fn set(&mut self, cell: usize, new: Corner) {
        let old = self.corners[at(cell)];
        if old == new {
            return;
        }
        self.value += self.number(cell, new) - self.number(cell, old);
        self.corners[at(cell)] = new;
        let (corners, numbers) = (&self.corners, &mut self.numbers);
        squares_through(cell, |others, side| {
            let codes = others.map(|other| corners[at(other)]);
            let sum = codes[0] + codes[1] + codes[2];
            if sum >= DEAD {
                // Only the number of the dead corner could change, and it is never used.
                return;
            }
            for (other, code) in others.into_iter().zip(codes) {
                let rest = sum - code;
                let (is, was) = (&BY_KIND[usize::from(rest + new)], &BY_KIND[usize::from(rest + old)]);
                let number = &mut numbers[other];
                for at in 0..4 {
                    number[at] += side as f32 * (is[at] - was[at]);
                }
            }
        });
    }

    fn number(&self, cell: usize, corner: Corner) -> f32 {
        self.numbers[cell].get(kind(corner)).copied().unwrap_or(0.0)
    }

    /// Writes the change of the value for each single cell, in the order of [`Changes`].
    pub fn changes(&self, changes: &mut Changes) {
        for (cell, change) in changes.iter_mut().enumerate() {
            let numbers = &self.numbers[cell];
            let now = numbers.get(kind(self.corners[cell])).copied().unwrap_or(0.0);
            *change = [numbers[0] - now, numbers[1] - now, -now, numbers[3] - now];
        }
    }

    /// Returns whether the cell has the colour.
    #[inline]
    #[must_use]
    pub fn is_own(&self, cell: usize) -> bool {
        matches!(self.corners[at(cell)], OWN | FIXED)
    }

    /// Returns the value after changing this one cell to another kind of corner.
    #[cfg(test)]
    pub(super) fn with_cell(&self, cell: usize, corner: Corner) -> f32 {
        let mut board = self.clone();
        board.set(cell, corner);
        board.value
    }
}

fn add(number: &mut [f32; 4], factor: f32, of: &[f32; 4]) {
    for (number, of) in number.iter_mut().zip(of) {
        *number += factor * of;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::champion::worth::POINT;
    use crate::{Colour, State, COLOURS};
    use contender_game::rules::{Chance, Game, Rng, Turn};

    #[test]
    fn numbers_kept_equal_numbers_counted_afresh() {
        let mut rng = Rng::new(1);
        for _ in 0..30 {
            let mut state = State::random(&mut rng);
            let mut shape = Shape::of(&state);
            let new = |state: &State, shape: &Shape, colour: usize| {
                Board::new(state.cells_of(colour as Colour), shape)
            };
            let mut boards: Vec<Board> = (0..COLOURS).map(|colour| new(&state, &shape, colour)).collect();
            while state.turn() != Turn::Over {
                state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                let tile = state.tile().unwrap();
                let placement = state.random_move(&mut rng, &mut Vec::new());
                state.play(placement);
                let after = shape.with(placement);
                for (colour, board) in boards.iter_mut().enumerate() {
                    board.play(placement, tile.position(colour as Colour), &shape, &after);
                    let fresh = new(&state, &after, colour);
                    assert_eq!(board.corners, fresh.corners);
                    assert_eq!(board.value, fresh.value);
                    for cell in 0..CELLS {
                        if after.fixed()[cell / ROWS] >> (cell % ROWS) & 1 == 0 {
                            assert_eq!(board.numbers[cell], fresh.numbers[cell], "cell {cell}");
                        }
                    }
                }
                shape = after;
            }
            // At the end of a game the value is the score.
            for (colour, board) in boards.iter().enumerate() {
                assert_eq!(board.value / POINT, state.score(colour as Colour) as f32);
            }
        }
    }
}
