//! Moves, tiles and colours as the contest writes them, and the picture of the board.
//!
//! | what | form | example |
//! |---|---|---|
//! | colour | a digit `1`..`6` | `4` |
//! | tile | the colours of its upper row, lying | `364521` |
//! | placement, what a bot answers | row `A`..`P`, column `a`..`t`, `h` lying or `v` standing | `Ikv` |
//! | move, what the opponent hears | the tile within the placement | `Ik364521v` |

use crate::{squares, Colour, Placement, State, Tile, COLOURS, COLUMNS, ROWS};
use contender_game::{excerpt, Ink, Line, Picture, Player, Sign, Square};
use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.colours().iter().try_for_each(|&colour| f.write_char(colour_char(colour)))
    }
}

impl FromStr for Tile {
    type Err = String;

    /// Reads six digits: `364521`.
    fn from_str(text: &str) -> Result<Tile, String> {
        let tile = || {
            let digits: [u8; COLOURS] = text.as_bytes().try_into().ok()?;
            Tile::from_colours(digits.map(|digit| digit.wrapping_sub(b'1')))
        };
        tile().ok_or_else(|| format!("`{}` is not a tile: the digits 1 to 6, each once", excerpt(text)))
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", corner(*self), orientation(*self))
    }
}

impl FromStr for Placement {
    type Err = String;

    /// Reads row, column and orientation: `Ikv`.
    fn from_str(text: &str) -> Result<Placement, String> {
        let &[row, column, orientation] = text.as_bytes() else {
            return Err(format!(
                "`{}` is not a placement like `Ikv`: row A-P, column a-t, h or v",
                excerpt(text)
            ));
        };
        let malformed = |what: &str| format!("`{}` has no {what}", excerpt(text));
        let row = letter(row, b'A', ROWS).ok_or_else(|| malformed("row A-P in front"))?;
        let column = letter(column, b'a', COLUMNS).ok_or_else(|| malformed("column a-t in second place"))?;
        let is_standing = match orientation {
            b'h' => false,
            b'v' => true,
            _ => return Err(malformed("h or v at the end")),
        };
        Placement::new(row, column, is_standing)
            .ok_or_else(|| format!("a tile at `{text}` sticks out of the board"))
    }
}

impl fmt::Display for crate::Square {
    /// The top-left corner and the side: `Bk/5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}/{}", row_char(self.row), column_char(self.column), self.side)
    }
}

/// A tile and its placement as one word: `Ik364521v`.
#[must_use]
pub fn full_move(placement: Placement, tile: Tile) -> String {
    format!("{}{tile}{}", corner(placement), orientation(placement))
}

/// Reads a tile and its placement: `Ik364521v`.
///
/// # Errors
/// What is wrong, in words for the user.
pub fn parse_full_move(text: &str) -> Result<(Placement, Tile), String> {
    if text.len() != 9 || !text.is_ascii() {
        return Err(format!("`{}` is not a move like `Ik364521v`", excerpt(text)));
    }
    let placement = format!("{}{}", &text[..2], &text[8..]).parse()?;
    Ok((placement, text[2..8].parse()?))
}

/// Reads a colour `1`..`6`.
///
/// # Errors
/// Anything else.
pub fn parse_colour(text: &str) -> Result<Colour, String> {
    match text.as_bytes() {
        &[digit @ b'1'..=b'6'] => Ok(digit - b'1'),
        _ => Err(format!("`{}` is not a colour 1-6", excerpt(text))),
    }
}

/// The digit of a colour.
#[must_use]
pub fn colour_char(colour: Colour) -> char {
    char::from(b'1' + colour)
}

/// The board with the latest tile marked, around every square that counts a line, and below it these squares and the tile to be
/// placed.
///
/// A `viewer` sees its own squares, and what every other colour would be worth to the opponent; without one, both players' squares
/// are shown.
#[must_use]
pub fn picture(state: &State, viewer: Option<Player>) -> Picture {
    let latest: Vec<(usize, usize)> =
        (0..COLOURS).flat_map(|position| state.last().cells(position)).collect();
    let rows = || (0..ROWS).map(row_char);
    let columns = || (0..COLUMNS).map(column_char);
    let mut picture = Picture::new(rows(), columns(), |row, column| Square {
        is_marked: latest.contains(&(row, column)),
        ..Square::new(
            format!("{}{}", row_char(row), column_char(column)),
            state.colour_at(row, column).map_or_else(Sign::dot, |colour| piece(colour, colour_char(colour))),
        )
    });
    picture.right = rows().map(|label| Sign::letter(Ink::Dim, label)).collect();
    picture.below = columns().map(|label| Sign::letter(Ink::Dim, label)).collect();
    let seat = |player: Player| Sign::letter(Ink::Seat(player), SEATS[player]);
    for player in Player::BOTH {
        let mut note = vec![seat(player)];
        if viewer.map_or(true, |viewer| viewer == player) {
            let colour = state.colours()[player];
            let squares = squares::list(state.cells_of(colour));
            picture.lines.extend(squares.iter().flat_map(|square| outline(square, player)));
            note.extend(colour_note(state, colour, &squares));
        } else {
            let own = state.colours()[player.other()];
            note.push(Sign::plain(", colour unknown, score with"));
            for colour in (0..COLOURS as Colour).filter(|&colour| colour != own) {
                note.extend([Sign::plain(" "), spaced(colour)]);
                note.push(Sign::plain(format!(" {}", state.score(colour))));
            }
        }
        picture.notes.push(note);
    }
    if let Some(tile) = state.tile() {
        let mover = state.mover();
        let mut colours = tile.colours();
        let upper = colours.map(spaced);
        colours.reverse();
        let lower = colours.map(spaced);
        picture.notes.push([seat(mover), Sign::plain(" places ")].into_iter().chain(upper).collect());
        picture.notes.push([Sign::plain(" ".repeat(16))].into_iter().chain(lower).collect());
    }
    picture
}

/// The sides of a square that counts.
fn outline(square: &crate::Square, player: Player) -> [Line; 4] {
    let at = |down: usize, right: usize| COLUMNS * (square.row + down) + square.column + right;
    let side = square.side;
    let corners = [at(0, 0), at(0, side), at(side, side), at(side, 0)];
    let line = |from: usize| Line {
        from: corners[from],
        to: corners[(from + 1) % 4],
        ink: Ink::Seat(player),
        is_arrow: false,
    };
    [line(0), line(1), line(2), line(3)]
}

/// What the seats are called.
pub(crate) const SEATS: [&str; 2] = ["Player 1", "Player 2"];

/// A colour with its score and squares: `, colour  4  score 19 = Ai/3 Bf/11 Dd/5`.
fn colour_note(state: &State, colour: Colour, squares: &[crate::Square]) -> [Sign; 3] {
    let list: String = squares.iter().map(|square| format!(" {square}")).collect();
    let equals = if squares.is_empty() { "" } else { " =" };
    let score = format!(" score {}{equals}{list}", state.score(colour));
    [Sign::plain(", colour "), spaced(colour), Sign::plain(score)]
}

fn piece(colour: Colour, text: impl ToString) -> Sign {
    Sign::block(Ink::Piece(usize::from(colour)), text)
}

fn spaced(colour: Colour) -> Sign {
    piece(colour, format!(" {} ", colour_char(colour)))
}

fn corner(placement: Placement) -> String {
    format!("{}{}", row_char(placement.row()), column_char(placement.column()))
}

fn orientation(placement: Placement) -> char {
    if placement.is_standing() {
        'v'
    } else {
        'h'
    }
}

fn row_char(row: usize) -> char {
    char::from(b'A' + row as u8)
}

fn column_char(column: usize) -> char {
    char::from(b'a' + column as u8)
}

fn letter(letter: u8, first: u8, count: usize) -> Option<usize> {
    letter.checked_sub(first).map(usize::from).filter(|&index| index < count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_and_tiles_survive_the_round_trip() {
        for placement in Placement::all() {
            assert_eq!(placement.to_string().parse(), Ok(placement));
            for tile in Tile::all().step_by(97) {
                assert_eq!(parse_full_move(&full_move(placement, tile)), Ok((placement, tile)));
            }
        }
        for tile in Tile::all() {
            assert_eq!(tile.to_string().parse(), Ok(tile));
        }
        let (placement, tile) = parse_full_move("Ik364521v").unwrap();
        assert_eq!((placement.row(), placement.column(), placement.is_standing()), (8, 10, true));
        assert_eq!(tile.colours(), [2, 5, 3, 4, 1, 0]);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let placement = |text: &str| text.parse::<Placement>().unwrap_err();
        assert_eq!(placement("Ik"), "`Ik` is not a placement like `Ikv`: row A-P, column a-t, h or v");
        assert_eq!(placement("Qkv"), "`Qkv` has no row A-P in front");
        assert_eq!(placement("ikv"), "`ikv` has no row A-P in front");
        assert_eq!(placement("Iuv"), "`Iuv` has no column a-t in second place");
        assert_eq!(placement("IkH"), "`IkH` has no h or v at the end");
        assert_eq!(placement("Aph"), "a tile at `Aph` sticks out of the board");
        assert_eq!(
            "112345".parse::<Tile>().unwrap_err(),
            "`112345` is not a tile: the digits 1 to 6, each once"
        );
        assert_eq!(parse_full_move("Ikv").unwrap_err(), "`Ikv` is not a move like `Ik364521v`");
        assert_eq!(parse_colour("7").unwrap_err(), "`7` is not a colour 1-6");
    }
}
