//! Moves as text, and the picture of the board. A move is a row letter, a column letter and a tile letter, for example
//! `cer`.

use crate::moves::{Cell, Move, Tile, GRID};
use crate::trace::{inks, legend};
use crate::State;
use contender_game::{
    board::{Ink, Path, Picture, Side, Sign, Square},
    contest::{is_not, Notation},
    rules::Player,
};

/// Parses a move. Whether the move is legal depends on the state and is not checked.
///
/// # Errors
/// Returns an error if the text is not exactly three letters of a move.
pub fn parse_move(text: &str) -> Result<Move, String> {
    let parsed = match text.as_bytes() {
        [cell @ .., tile] => GRID.cell(cell).zip(Tile::of_letter(*tile)),
        [] => None,
    };
    let wanted = "a row a to i, a column a to g and a tile l, s or r, for example cer";
    let ((row, column), tile) = parsed.ok_or_else(|| is_not(text, wanted))?;
    Ok(Move::new(Cell::new(row, column), tile))
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
        let inks = inks(self);
        let mut picture = GRID.picture(|row, column| {
            let cell = Cell::new(row, column);
            let tile = self.tile(cell);
            let ends = match tile {
                None => Vec::new(),
                Some(Tile::Left) => vec![(Side::Top, Side::Left), (Side::Right, Side::Bottom)],
                Some(Tile::Straight) => vec![(Side::Top, Side::Bottom), (Side::Left, Side::Right)],
                Some(Tile::Right) => vec![(Side::Top, Side::Right), (Side::Left, Side::Bottom)],
            };
            let paths = ends.iter().zip(inks[cell.index()]).map(|(&(from, to), ink)| Path { from, to, ink });
            Square {
                sign: if tile.is_none() { Sign::dot() } else { Sign::default() },
                paths: paths.collect(),
                is_marked: last.map(|mv| mv.cell()) == Some(cell),
                ..Square::default()
            }
        });
        picture.has_walls = true;
        let [blue, red] = self.scores();
        let scores = vec![
            Sign::letter(Ink::Seat(Player::Zero), format!("Blue {blue}")),
            Sign::plain("   "),
            Sign::letter(Ink::Seat(Player::One), format!("Red {red}")),
        ];
        picture.notes = vec![scores, legend()];
        picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ROWS;
    use contender_game::board::ansi;

    #[test]
    fn the_plain_board_shows_the_tiles() {
        let moves = ["aal", "abs", "acr"].map(String::from);
        let plain = ansi::plain(&State::default().after(&moves).unwrap().picture(None, None).to_text());
        let lines: Vec<&str> = plain.lines().collect();
        assert_eq!(lines.len(), 1 + 3 * ROWS + 2);
        assert_eq!(lines[0], "     a    b    c    d    e    f    g");
        assert_eq!(lines[1], "  █ ╭╯    │    ╰╮                     █");
        assert_eq!(lines[2], "a █─╯ ╭───│───╮ ╰─  ·    ·    ·    ·  █");
        assert_eq!(lines[3], "  █  ╭╯   │   ╰╮                      █");
        assert_eq!(lines[28], "Blue 50   Red 50");
    }
}
