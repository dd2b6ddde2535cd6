//! Moves and positions as text, and the picture of the board.
//!
//! - Moves: row letter, column letter, tile letter: `cer`.
//! - Positions: the rows from the top with `/` between them, a tile letter or `.` for each cell, then the scores of Blue and Red:
//!   `......./.s...../......./.......(and so on)/....... 50 50`. Blue is to move when the number of tiles is even.

use crate::board::picture;
use crate::moves::{Cell, Move, Tile, CELLS, COLUMNS, ROWS};
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

/// The position as text; what was played last is not in it.
#[must_use]
pub fn write_position(state: &State) -> String {
    let mut text = String::with_capacity(CELLS + ROWS + 8);
    for cell in Cell::all() {
        if cell.column() == 0 && cell.row() > 0 {
            text.push('/');
        }
        text.push(state.tile(cell).map_or('.', Tile::letter));
    }
    let [blue, red] = state.scores();
    text + &format!(" {blue} {red}")
}

/// Reads a position. Without scores both have their start value.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_position(text: &str) -> Result<State, String> {
    let mut parts = text.split_ascii_whitespace();
    let rows: Vec<&str> = parts.next().unwrap_or("").split('/').take(ROWS + 1).collect();
    if rows.len() != ROWS || rows.iter().any(|row| row.len() != COLUMNS) {
        return Err(format!("a position has {ROWS} rows of {COLUMNS} cells with / between the rows"));
    }
    let mut tiles = [None; CELLS];
    for (tile, letter) in tiles.iter_mut().zip(rows.iter().flat_map(|row| row.bytes())) {
        if letter != b'.' {
            *tile = Some(
                parse_tile(letter)
                    .ok_or_else(|| format!("{:?} is not a tile l, s or r or a dot", char::from(letter)))?,
            );
        }
    }
    let scores = parts
        .map(|score| score.parse().map_err(|_| format!("\"{}\" is not a score", excerpt(score))))
        .collect::<Result<Vec<i16>, String>>()?;
    let scores = match scores[..] {
        [] => [crate::START_SCORE as i16; 2],
        [blue, red] if [blue, red].iter().all(|score| score.abs() <= 10_000) => [blue, red],
        [_, _] => return Err("a score is between -10000 and 10000".to_string()),
        _ => return Err("a position has two scores or none".to_string()),
    };
    Ok(State::with_tiles(&tiles, scores))
}

fn parse_cell(row: u8, column: u8) -> Option<Cell> {
    let row = usize::from(row.checked_sub(b'a')?);
    let column = usize::from(column.checked_sub(b'a')?);
    (row < ROWS && column < COLUMNS).then(|| Cell::new(row, column))
}

fn parse_tile(letter: u8) -> Option<Tile> {
    Tile::ALL.into_iter().find(|tile| tile.letter() == char::from(letter))
}
