//! All placements on a board at once: the cells that each placement would fix, and its value for a colour.

use super::board::{Board, Changes};
use super::worth;
use crate::cells;
use crate::corners::newly;
use crate::shape::{tile_cells, Shape};
use crate::{Placement, COLOURS, COLUMNS, ROWS};

/// The legal placements for a shape, and the cells that each placement fixes. These cells do not depend on colours.
#[derive(Clone, Default)]
pub struct Placements {
    /// The placements.
    pub list: Vec<Placement>,
    /// The cells under a placement's tile that the placement fixes, two bits per position.
    inside: Vec<u16>,
    /// For each placement, the index in `cells` at which its cells end.
    ends: Vec<u32>,
    /// The cells outside the placed tile that each placement fixes, in one list for all placements.
    cells: Vec<u16>,
}

/// The change of a colour's value when a tile is placed, for each position of the colour in the tile.
pub type Gains = [f32; COLOURS];

impl Placements {
    /// Finds the placements of a shape, in the order of the rules.
    pub fn find(&mut self, shape: &Shape) {
        self.list.clear();
        self.inside.clear();
        self.ends.clear();
        self.cells.clear();
        shape.placements(&mut self.list);
        for &placement in &self.list {
            let after = shape.with(placement);
            let mut new = newly(shape.fixed(), after.fixed());
            let mut inside = 0;
            for (at, &cell) in tile_cells(placement).iter().flatten().enumerate() {
                let column = &mut new[cell / ROWS];
                inside |= (*column >> (cell % ROWS) & 1) << at;
                *column &= !(1 << (cell % ROWS));
            }
            cells::for_each(&new, |cell| self.cells.push(cell as u16));
            self.inside.push(inside);
            self.ends.push(self.cells.len() as u32);
        }
    }

    /// Computes by how much each placement changes the value of `board`'s colour, and writes the results to `gains`.
    pub fn gains(&self, board: &Board, gains: &mut Vec<Gains>) {
        const FOREIGN: usize = 0;
        const OWN: usize = 1;
        const DEAD: usize = 2;
        const FIXED: usize = 3;
        let mut changes: Changes = [[0.0; 4]; ROWS * COLUMNS];
        board.changes(&mut changes);
        gains.clear();
        let mut start = 0;
        for (at, &placement) in self.list.iter().enumerate() {
            let end = self.ends[at] as usize;
            let mut rest = 0.0;
            for &cell in &self.cells[start..end] {
                let cell = usize::from(cell);
                rest += changes[cell][if board.is_own(cell) { FIXED } else { DEAD }];
            }
            start = end;
            let mut inside = self.inside[at];
            let mut own = [0.0; COLOURS];
            for (own, cells) in own.iter_mut().zip(tile_cells(placement)) {
                for cell in cells {
                    let change = &changes[cell];
                    let (foreign, mine) = match inside & 1 {
                        0 => (change[FOREIGN], change[OWN]),
                        _ => (change[DEAD], change[FIXED]),
                    };
                    rest += foreign;
                    *own += mine - foreign;
                    inside >>= 1;
                }
            }
            gains.push(own.map(|own| own + rest));
        }
    }
}

/// Returns the mean, over the 30 kinds of tiles, of the best gain for one colour over another that a placement can
/// achieve. Returns 0 if no tile can be placed. Two tiles are of the same kind if the two colours have the same
/// positions in both.
#[must_use]
pub fn mean_best(own: &[Gains], other: &[Gains]) -> f32 {
    if own.is_empty() {
        return 0.0;
    }
    let mut best = [[f32::NEG_INFINITY; 8]; COLOURS];
    for (own, other) in own.iter().zip(other) {
        let mut others = [0.0; 8];
        others[..COLOURS].copy_from_slice(other);
        for (best, own) in best.iter_mut().zip(own) {
            for (best, other) in best.iter_mut().zip(&others) {
                let gain = own - other;
                *best = if gain > *best { gain } else { *best };
            }
        }
    }
    let mut sum = 0.0;
    for (at, best) in best.iter().enumerate() {
        for (other, best) in best[..COLOURS].iter().enumerate() {
            if at != other {
                sum += best / worth::POINT;
            }
        }
    }
    sum / 30.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{corners, Colour, State, Tile};
    use contender_game::rules::{Chance, Game, Rng, Turn};

    fn states(games: u64) -> Vec<State> {
        let mut rng = Rng::new(3);
        let mut states = Vec::new();
        for _ in 0..games {
            let mut state = State::random(&mut rng);
            while state.turn() != Turn::Over {
                state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                states.push(state.clone());
                state.play(state.random_move(&mut rng, &mut Vec::new()));
            }
        }
        states
    }

    /// Checks that a gain is the sum of the changes of single cells, where each cell is changed alone on a new board.
    #[test]
    fn gains_are_sums_of_the_changes_of_single_cells() {
        let mut rng = Rng::new(4);
        for state in states(6) {
            let shape = Shape::of(&state);
            let colour = rng.index(COLOURS) as Colour;
            let board = Board::new(state.cells_of(colour), &shape);
            let mut placements = Placements::default();
            placements.find(&shape);
            let mut gains = Vec::new();
            placements.gains(&board, &mut gains);
            let mut moves = Vec::new();
            state.moves(&mut moves);
            assert_eq!(placements.list, moves);
            let at = rng.index(moves.len());
            let tile = Tile::from_index(rng.index(Tile::COUNT));
            let mut child = state.clone();
            child.resolve(tile);
            child.play(moves[at]);
            let after = Shape::of(&child);
            let mut expected = 0.0;
            let corners = corners::corners(child.cells_of(colour), after.filled(), after.fixed());
            for (cell, &corner) in corners[..ROWS * COLUMNS].iter().enumerate() {
                expected += board.with_cell(cell, corner) - board.value();
            }
            assert_eq!(gains[at][tile.position(colour)], expected);
        }
    }

    #[test]
    fn the_mean_of_the_best_is_over_thirty_kinds() {
        let mut rng = Rng::new(5);
        for _ in 0..100 {
            let count = 1 + rng.index(9);
            let mut random = || -> Vec<Gains> {
                (0..count).map(|_| [(); 6].map(|()| rng.below(1 << 16) as f32 - 32_768.0)).collect()
            };
            let (own, other) = (random(), random());
            let mut sum = 0.0;
            for tile in Tile::all() {
                let (a, b) = (tile.position(2), tile.position(5));
                let gains = own.iter().zip(&other).map(|(own, other)| f64::from(own[a] - other[b]));
                sum += gains.fold(f64::NEG_INFINITY, f64::max);
            }
            let mean = sum / 720.0 / f64::from(worth::POINT);
            assert!((f64::from(mean_best(&own, &other)) - mean).abs() < 1e-4);
        }
        assert_eq!(mean_best(&[], &[]), 0.0);
    }
}
