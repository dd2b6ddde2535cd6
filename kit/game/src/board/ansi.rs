//! Colours for boards in a terminal.

use crate::{board::Ink, rules::Player};

/// The sequence that ends all colours.
pub const RESET: &str = "\x1b[0m";

/// Terminal colours for the kinds of pieces. People with weak colour vision can also tell these colours apart (Okabe
/// and Ito, "Color Universal Design", 2008). The colours are as close to Okabe and Ito's palette as a terminal allows,
/// and light enough for black text.
const PIECES: [u8; Ink::PIECES] = [202, 214, 227, 36, 81, 33, 175, 250];

/// Returns the number of a colour in a terminal's palette of 256 colours, or `None` for ordinary text.
fn number(ink: Ink) -> Option<u8> {
    match ink {
        Ink::Plain => None,
        Ink::Dim => Some(242),
        Ink::Loss => Some(124),
        Ink::Seat(player) => Some([39, 203][player]),
        Ink::Piece(kind) => Some(PIECES[kind % PIECES.len()]),
    }
}

/// Returns coloured letters.
#[must_use]
pub fn letter(ink: Ink, text: &str) -> String {
    let bold = if matches!(ink, Ink::Seat(_)) { "1;" } else { "" };
    number(ink).map_or(text.to_string(), |number| format!("\x1b[{bold}38;5;{number}m{text}{RESET}"))
}

/// Returns black letters on a coloured background.
#[must_use]
pub fn ground(ink: Ink, text: &str) -> String {
    format!("\x1b[38;5;16;48;5;{}m{text}{RESET}", number(ink).unwrap_or(250))
}

/// Returns a coloured letter on the background that marks the squares changed by the latest move.
pub(crate) fn on_mark(ink: Ink, letter: char) -> String {
    format!("\x1b[38;5;{};48;5;238m{letter}{RESET}", number(ink).unwrap_or(255))
}

/// Returns the text in the colour of a seat: blue for player 0, red for player 1.
#[must_use]
pub fn seat(player: Player, text: &str) -> String {
    letter(Ink::Seat(player), text)
}

/// Returns pale text, for coordinates and empty cells.
#[must_use]
pub fn dim(text: &str) -> String {
    letter(Ink::Dim, text)
}

/// Removes the colours from a text, for output that is not a terminal.
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
