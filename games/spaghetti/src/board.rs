//! The board for a terminal: every tile with its paths.

use crate::moves::{Cell, Tile, COLUMNS, ROWS};
use crate::State;
use contender_game::{ansi, Player};

/// The position as several lines with terminal colours.
#[must_use]
pub fn board(state: &State) -> String {
    let mut text = String::new();
    for row in 0..ROWS {
        for line in 0..3 {
            text.push(if line == 1 { char::from(b'a' + row as u8) } else { ' ' });
            text += &ansi::seat(Player::Zero, "█");
            for column in 0..COLUMNS {
                text += drawing(state.tile(Cell::new(row, column)))[line];
            }
            text += &ansi::seat(Player::One, "█");
            text.push('\n');
        }
    }
    text
}

fn drawing(tile: Option<Tile>) -> [&'static str; 3] {
    match tile {
        None => ["     ", "  ·  ", "     "],
        Some(Tile::Left) => [" ╭╯  ", "─╯ ╭─", "  ╭╯ "],
        Some(Tile::Straight) => ["  │  ", "──┼──", "  │  "],
        Some(Tile::Right) => ["  ╰╮ ", "─╮ ╰─", " ╰╮  "],
    }
}
