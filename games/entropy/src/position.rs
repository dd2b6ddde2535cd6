//! Positions as text: the rows from the top separated by `/`, with `.` for an empty cell, then a space and the player
//! to act. The player to act is `?` for chance, a colour for Chaos with a chip of this colour, or `o` for Order. For
//! example: `......./..3..../......./......./......./......./....... o`. If the player is missing, a chip must be
//! drawn. If the board is full, the game is over.

use crate::notation::{parse_colour, parse_digit};
use crate::rules::NextTurn;
use crate::{Cell, Scoring, State, SIZE};
use contender_game::{
    contest::is_not,
    rules::{Game, Turn},
};

/// Returns the position as text.
#[must_use]
pub fn write_state(state: &State) -> String {
    let mut text = String::new();
    for cell in Cell::all() {
        if cell.column() == 0 && cell.row() > 0 {
            text.push('/');
        }
        text.push(match state.colour(cell) {
            0 => '.',
            colour => char::from(b'0' + colour),
        });
    }
    match (state.turn(), state.drawn()) {
        (Turn::Over, _) => text,
        (_, Some(colour)) => format!("{text} {colour}"),
        (Turn::Chance, _) => text + " ?",
        (Turn::Player(_), None) => text + " o",
    }
}

/// Parses a position.
///
/// # Errors
/// Returns an error if the text or the position is invalid.
pub fn parse_state(text: &str, scoring: Scoring) -> Result<State, String> {
    let (board, turn) = text.split_once(' ').unwrap_or((text, "?"));
    let mut colours = [[0; SIZE]; SIZE];
    let rows: Vec<&str> = board.split('/').take(SIZE + 1).collect();
    if rows.len() != SIZE {
        return Err(is_not(board, "seven rows with / between them"));
    }
    for (row, text) in colours.iter_mut().zip(rows) {
        if text.len() != SIZE {
            return Err(is_not(text, "a row of seven cells"));
        }
        for (cell, &byte) in row.iter_mut().zip(text.as_bytes()) {
            *cell = match byte {
                b'.' => 0,
                _ => parse_digit(byte).ok_or_else(|| is_not(text, "a row of colours 1 to 7 and dots"))?,
            };
        }
    }
    let turn = match turn {
        "?" => NextTurn::Chance,
        "o" => NextTurn::Order,
        _ => NextTurn::Chaos(
            parse_colour(turn).map_err(|_| is_not(turn, "who acts: `?`, `o` or a colour from 1 to 7"))?,
        ),
    };
    State::from_cells(&colours, turn, scoring)
}
