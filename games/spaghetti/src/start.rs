//! The start tiles.

use crate::notation::parse_move;
use crate::{Cell, Move, State, Tile, COLUMNS, ROWS};
use contender_game::rules::Rng;
use std::fmt;
use std::str::FromStr;

/// The two start tiles, which are on different cells. An example of their text form is `bbs+hbl`.
#[derive(Clone, Copy, Debug)]
pub struct Start(pub(crate) [Move; 2]);

impl Start {
    /// Draws start tiles as the contest's generator does. The two cells are different. Neither is at the border or in
    /// the centre. The tiles are random, but they must differ if the cells mirror each other through the centre.
    #[must_use]
    pub(crate) fn draw(rng: &mut Rng) -> Start {
        let mut cells: Vec<Cell> = Cell::all()
            .filter(|cell| (1..ROWS - 1).contains(&cell.row()) && (1..COLUMNS - 1).contains(&cell.column()))
            .filter(|&cell| cell != cell.mirrored())
            .collect();
        let first = Move::new(cells.swap_remove(rng.index(cells.len())), *rng.choose(&Tile::ALL));
        let cell = *rng.choose(&cells);
        let tiles: Vec<Tile> = Tile::ALL
            .into_iter()
            .filter(|&tile| cell != first.cell().mirrored() || tile != first.tile())
            .collect();
        Start([first, Move::new(cell, *rng.choose(&tiles))])
    }
}

impl FromStr for Start {
    type Err = String;

    fn from_str(text: &str) -> Result<Start, String> {
        let (first, second) = text.split_once('+').ok_or("expected two tiles with + between them")?;
        let start = [parse_move(first)?, parse_move(second)?];
        State::new(start).map(|_| Start(start))
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.0[0], self.0[1])
    }
}
