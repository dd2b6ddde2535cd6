//! The filled cells of a board, and the facts that depend only on them: legal placements and fixed cells.
//!
//! Colours do not affect these facts, so the same shape can be used for all tiles and all guesses of a colour.

use crate::cells::{self, Cells};
use crate::{Placement, State, COLOURS};

/// The filled cells of a board, and the areas that a tile can still cover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    filled: Cells,
    open: [Cells; 2],
    fixed: Cells,
}

impl Shape {
    /// Returns the shape of a state.
    #[must_use]
    pub fn of(state: &State) -> Shape {
        Shape { filled: *state.filled(), open: *state.open(), fixed: state.fixed() }
    }

    /// Returns the shape after one more tile.
    #[must_use]
    pub fn with(&self, placement: Placement) -> Shape {
        let mut filled = self.filled;
        let (width, rows) = placement.span();
        for column in &mut filled[placement.column()..][..width] {
            *column |= rows;
        }
        let open = cells::open_areas(&filled);
        Shape { filled, open, fixed: cells::covered(&open).map(|column| !column) }
    }

    /// Returns the filled cells.
    #[must_use]
    pub fn filled(&self) -> &Cells {
        &self.filled
    }

    /// Returns the cells whose contents are final, like [`State::fixed`].
    #[must_use]
    pub fn fixed(&self) -> &Cells {
        &self.fixed
    }

    /// Appends the legal placements, in the order of [`Game::moves`](contender_game::rules::Game::moves).
    pub fn placements(&self, placements: &mut Vec<Placement>) {
        let touching = cells::touching_areas(&self.filled);
        let legal = [0, 1].map(|kind| cells::intersection(&self.open[kind], &touching[kind]));
        cells::placements(&legal, placements);
    }

    /// Estimates the number of tiles that the player to move will still place, at least 1. In recorded games, a tile
    /// fixes about 11 cells, and about 20 cells are still open before the last tile.
    #[must_use]
    pub fn turns_left(&self) -> u32 {
        let loose = (crate::ROWS * crate::COLUMNS) as u32 - cells::count(&self.fixed);
        (loose.saturating_sub(20) / 22).max(1)
    }
}

/// Returns the numbers of a placement's twelve cells, `16 * column + row`, two for each position in the tile's name.
#[inline]
#[must_use]
pub fn tile_cells(placement: Placement) -> [[usize; 2]; COLOURS] {
    let corner = 16 * placement.column() + placement.row();
    let (step, across) = if placement.is_standing() { (1, 16) } else { (16, 1) };
    let mut cells = [[0; 2]; COLOURS];
    for (position, cells) in cells.iter_mut().enumerate() {
        let (there, back) = (corner + step * position, corner + step * (COLOURS - 1 - position));
        // A horizontal tile has its name in the upper row, a vertical one in the right column.
        *cells = if placement.is_standing() { [there + across, back] } else { [there, back + across] };
    }
    cells
}

/// Returns the 30 kinds of tiles for two colours, as the positions of both colours in the tile's name.
pub fn kinds() -> impl Iterator<Item = (usize, usize)> {
    (0..COLOURS)
        .flat_map(|one| (0..COLOURS).map(move |other| (one, other)))
        .filter(|(one, other)| one != other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::{Chance, Game, Rng, Turn};

    #[test]
    fn shapes_are_those_of_states() {
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let mut state = State::random(&mut rng);
            let mut shape = Shape::of(&state);
            while state.turn() != Turn::Over {
                state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                let (mut moves, mut placements) = (Vec::new(), Vec::new());
                state.moves(&mut moves);
                shape.placements(&mut placements);
                assert_eq!(moves, placements);
                let placement = state.random_move(&mut rng, &mut Vec::new());
                state.play(placement);
                shape = shape.with(placement);
                assert_eq!(shape, Shape::of(&state));
            }
        }
    }

    #[test]
    fn cells_of_tiles_are_those_of_the_rules() {
        for placement in Placement::all() {
            for (position, cells) in tile_cells(placement).into_iter().enumerate() {
                assert_eq!(cells, placement.cells(position).map(|(r, c)| 16 * c + r));
            }
        }
    }
}
