//! Moves, tiles and colours in the contest's notation, and the picture of the board.
//!
//! | item | form | example |
//! |---|---|---|
//! | colour | a digit `1`..`6` | `4` |
//! | tile | the colours in its upper row, when it is horizontal | `364521` |
//! | placement, a bot's answer | row `A`..`P`, column `a`..`t`, `h` for horizontal or `v` for vertical | `Ikv` |
//! | move, as the opponent reads it | the tile within the placement | `Ik364521v` |

use crate::rules::GRID;
use crate::{colour_char, squares, Colour, Placement, State, Tile, COLOURS, COLUMNS};
use contender_game::{
    board::{Ink, Line, Picture, Sign, Square},
    contest::{excerpt, Notation},
    rules::{Chance, Player},
};

impl Notation for State {
    fn read(&self, text: &str) -> Result<Placement, String> {
        let placement = text.parse()?;
        check_legal(self, placement)?;
        Ok(placement)
    }

    fn write(&self, placement: Placement) -> String {
        placement.to_string()
    }

    /// Returns the whole move, which includes the tile that was drawn.
    fn write_record(&self, placement: Placement) -> String {
        self.tile().map_or_else(|| placement.to_string(), |tile| full_move(placement, tile))
    }

    fn read_record(&mut self, text: &str) -> Result<Placement, String> {
        if self.is_over() {
            return Err(format!("`{}` comes after the end of the game", excerpt(text)));
        }
        let (placement, tile) = parse_full_move(text)?;
        check_legal(self, placement)?;
        self.resolve(tile);
        Ok(placement)
    }

    /// Returns the board with the latest tile marked and the scoring squares outlined. The notes below the board
    /// contain these squares and the tile to place.
    ///
    /// A `viewer` sees its own squares, and the scores that the opponent would have with each of the other colours.
    /// Without a viewer, both players' squares are shown.
    fn picture(&self, _last: Option<Placement>, viewer: Option<Player>) -> Picture {
        let latest: Vec<(usize, usize)> =
            (0..COLOURS).flat_map(|position| self.last().cells(position)).collect();
        let mut picture = GRID.picture(|row, column| {
            let colour = self.colour_at(row, column);
            let sign = colour.map_or_else(Sign::dot, |colour| piece(colour, colour_char(colour)));
            Square { is_marked: latest.contains(&(row, column)), ..Square::from(sign) }
        });
        picture.label_all_sides();
        let seat = |player: Player| Sign::letter(Ink::Seat(player), SEATS[player]);
        for player in Player::BOTH {
            let mut note = vec![seat(player)];
            if viewer.map_or(true, |viewer| viewer == player) {
                let colour = self.colours()[player];
                let squares = squares::list(self.cells_of(colour));
                picture.lines.extend(squares.iter().flat_map(|square| outline(square, player)));
                note.extend(colour_note(self, colour, &squares));
            } else {
                let own = self.colours()[player.other()];
                note.push(Sign::plain(", secret colour; scores:"));
                for colour in (0..COLOURS as Colour).filter(|&colour| colour != own) {
                    let score = format!(" {}: {} ", colour_char(colour), self.score(colour));
                    note.extend([Sign::plain(" "), piece(colour, score)]);
                }
            }
            picture.notes.push(note);
        }
        if viewer.is_none() {
            picture.standing = Some(self.colours().map(|colour| self.score(colour)));
        }
        if let Some(tile) = self.tile() {
            let mover = self.mover();
            let mut colours = tile.colours();
            let upper = colours.map(spaced);
            colours.reverse();
            let lower = colours.map(spaced);
            let [mut upper, mut lower] = [upper, lower].map(Vec::from);
            upper.extend([Sign::plain("  "), Sign::plain("tile to place")]);
            lower.extend([Sign::plain("  "), seat(mover), Sign::plain(" to move")]);
            picture.notes.extend([upper, lower]);
        }
        picture
    }
}

/// Checks that a placement is legal. The error is the reason why it is not.
fn check_legal(state: &State, placement: Placement) -> Result<(), String> {
    if state.is_legal(placement) {
        return Ok(());
    }
    Err(match state.overlap(placement) {
        0 => format!("a tile at {placement} touches no filled cell"),
        overlap => format!("a tile at {placement} covers {overlap} filled cells; at most 4 are allowed"),
    })
}

/// Returns a tile and its placement as one word: `Ik364521v`.
#[must_use]
pub fn full_move(placement: Placement, tile: Tile) -> String {
    format!("{}{tile}{}", placement.corner(), placement.orientation())
}

/// Parses a tile and its placement: `Ik364521v`.
///
/// # Errors
/// Returns an error if the text is not a move; the text is shown to the user.
pub fn parse_full_move(text: &str) -> Result<(Placement, Tile), String> {
    if text.len() != 9 || !text.is_ascii() {
        return Err(format!("`{}` is not a move like `Ik364521v`", excerpt(text)));
    }
    let placement = format!("{}{}", &text[..2], &text[8..]).parse()?;
    Ok((placement, text[2..8].parse()?))
}

/// Returns the sides of a square as lines.
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

/// The names of the seats.
pub(crate) const SEATS: [&str; 2] = ["Player 1", "Player 2"];

/// Returns the note for a colour with its score and the corners and sides of its squares:
/// `, colour  4  score 19 (squares: Ai 3, Bf 11, Dd 5)`.
fn colour_note(state: &State, colour: Colour, squares: &[crate::Square]) -> [Sign; 4] {
    let list: Vec<String> = squares.iter().map(|square| square.to_string().replace('/', "\u{a0}")).collect();
    let word = if squares.len() == 1 { "square" } else { "squares" };
    let list = if list.is_empty() { String::new() } else { format!(" ({word}: {})", list.join(", ")) };
    let score = format!("score\u{a0}{}{list}", state.score(colour));
    [Sign::plain(", colour "), spaced(colour), Sign::plain(" "), Sign::plain(score)]
}

fn piece(colour: Colour, text: impl ToString) -> Sign {
    Sign::block(Ink::Piece(usize::from(colour)), text)
}

fn spaced(colour: Colour) -> Sign {
    piece(colour, format!(" {} ", colour_char(colour)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_colour;

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
        assert_eq!(placement("Iuv"), "`Iuv` has no column a-t in the second place");
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
