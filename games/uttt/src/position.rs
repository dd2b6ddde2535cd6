//! Positions as text: the side to move, the 81 cells row by row, and the small board to play in, or `-1` for a free
//! choice. For example: `O ....X............................................................................ 1`. The
//! winners of the small boards are derived from the cells.

use crate::notation::letter;
use crate::{Move, State};
use contender_game::{
    contest::{excerpt, is_not},
    rules::Player,
};

/// Returns the position as text.
#[must_use]
pub fn write_state(state: &State) -> String {
    let cells: String = grid().map(|cell| state.mark(cell).map_or('.', letter)).collect();
    let target = state.target().map_or("-1".to_string(), |target| target.to_string());
    format!("{} {cells} {target}", letter(state.mover()))
}

/// Returns the 81 cells of the grid, row by row.
fn grid() -> impl Iterator<Item = Move> {
    (0..81).map(|at| Move::at(at / 9, at % 9))
}

/// Parses a position. The last move of the result is unknown.
///
/// # Errors
/// Returns an error if the text or the position is invalid.
pub fn parse_state(text: &str) -> Result<State, String> {
    let pieces: Vec<&str> = text.split_whitespace().take(4).collect();
    let [side, cells, target] = pieces[..] else {
        return Err(is_not(text, "the side to move, 81 cells and the target"));
    };
    let mover = match side {
        "X" => Player::Zero,
        "O" => Player::One,
        _ => return Err(format!("the side to move is X or O, not \"{}\"", excerpt(side))),
    };
    if cells.len() != 81 {
        return Err(format!("a position has 81 cells, not {}", cells.len()));
    }
    let mut marks = [[0; 9]; 2];
    for (cell, mark) in grid().zip(cells.bytes()) {
        match mark {
            b'X' => marks[0][cell.board()] |= 1 << cell.cell(),
            b'O' => marks[1][cell.board()] |= 1 << cell.cell(),
            b'.' => {}
            _ => return Err(format!("the cell {cell} is not X, O or a dot")),
        }
    }
    let target = match target.parse::<i32>() {
        Ok(-1) => None,
        Ok(target @ 0..=8) => Some(target as usize),
        _ => return Err(format!("the target is a small board 0 to 8 or -1, not \"{}\"", excerpt(target))),
    };
    State::from_marks(&marks, mover, target)
}
