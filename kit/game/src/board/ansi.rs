//! Colours for boards in a terminal.

use crate::{board::Ink, rules::Player};

/// The escape sequence that resets all colours.
pub const RESET: &str = "\x1b[0m";

/// Terminal colours for the kinds of pieces, as indices into the 256-colour palette. People with weak colour vision can
/// also tell these colours apart (Okabe and Ito, "Color Universal Design", 2008). The colours are as close to Okabe and
/// Ito's palette as a terminal allows, and light enough for black text.
const PIECES: [u8; Ink::PIECES] = [202, 214, 227, 36, 81, 33, 175, 250];

/// Returns the colour's index in the 256-colour terminal palette, or `None` for ordinary text.
fn number(ink: Ink) -> Option<u8> {
    match ink {
        Ink::Plain => None,
        Ink::Dim => Some(242),
        Ink::Loss => Some(124),
        Ink::Seat(player) => Some([39, 203][player]),
        Ink::Piece(kind) => Some(PIECES[kind % PIECES.len()]),
    }
}

/// Returns the text in coloured letters.
#[must_use]
pub fn letter(ink: Ink, text: &str) -> String {
    let bold = if matches!(ink, Ink::Seat(_)) { "1;" } else { "" };
    number(ink).map_or(text.to_string(), |number| format!("\x1b[{bold}38;5;{number}m{text}{RESET}"))
}

/// Returns the text in black letters on a coloured background.
#[must_use]
pub fn ground(ink: Ink, text: &str) -> String {
    format!("\x1b[38;5;16;48;5;{}m{text}{RESET}", number(ink).unwrap_or(250))
}

/// Returns a coloured letter on the background for squares that the latest move changed.
pub(crate) fn on_mark(ink: Ink, letter: char) -> String {
    format!("\x1b[38;5;{};48;5;238m{letter}{RESET}", number(ink).unwrap_or(255))
}

/// Returns the text in a player's colour: blue for player 0, red for player 1.
#[must_use]
pub fn seat(player: Player, text: &str) -> String {
    letter(Ink::Seat(player), text)
}

/// Returns the text in a pale colour, for coordinates and empty cells.
#[must_use]
pub fn dim(text: &str) -> String {
    letter(Ink::Dim, text)
}

/// Removes all colour codes from a text, for output that does not go to a terminal.
///
/// ```
/// use contender_game::board::ansi;
/// use contender_game::rules::Player;
///
/// assert_eq!(ansi::plain(&ansi::seat(Player::One, "O")), "O");
/// ```
#[must_use]
pub fn plain(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        result.push_str(before);
        rest = after.split_once('m').map_or("", |(_, tail)| tail);
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_undoes_colours() {
        let text = format!("a{}b{}c", ground(Ink::Piece(3), "x"), dim("y"));
        assert_eq!(plain(&text), "axbyc");
        assert_eq!(plain("no colour"), "no colour");
    }
}
