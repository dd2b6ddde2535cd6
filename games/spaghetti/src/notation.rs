//! Moves as text: row letter, column letter, tile letter, for example `cer`; and the picture of the board.

use crate::board::picture;
use crate::moves::{Cell, Move, Tile, COLUMNS, ROWS};
use crate::State;
use contender_game::{excerpt, Notation, Picture, Player};

/// Reads a move; whether it is legal depends on the state.
///
/// # Errors
/// When the text is not exactly three letters of a move.
pub fn parse_move(text: &str) -> Result<Move, String> {
    let parsed = match *text.as_bytes() {
        [row, column, tile] => parse_cell(row, column).zip(parse_tile(tile)),
        _ => None,
    };
    let (cell, tile) = parsed.ok_or_else(|| {
        let text = excerpt(text);
        format!("\"{text}\" is not a row a to i, a column a to g and a tile l, s or r, for example cer")
    })?;
    Ok(Move::new(cell, tile))
}

impl Notation for State {
    fn read(&self, text: &str) -> Result<Move, String> {
        let mv = parse_move(text)?;
        self.check(mv).map(|()| mv)
    }

    fn write(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn picture(&self, last: Option<Move>, _viewer: Option<Player>) -> Picture {
        picture(self, last)
    }
}

fn parse_cell(row: u8, column: u8) -> Option<Cell> {
    let row = usize::from(row.checked_sub(b'a')?);
    let column = usize::from(column.checked_sub(b'a')?);
    (row < ROWS && column < COLUMNS).then(|| Cell::new(row, column))
}

fn parse_tile(letter: u8) -> Option<Tile> {
    Tile::ALL.into_iter().find(|tile| tile.letter() == char::from(letter))
}
