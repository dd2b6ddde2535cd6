//! Colours for boards in a terminal.

use crate::{board::Ink, rules::Player};

/// Ends every colour.
pub const RESET: &str = "\x1b[0m";

/// Colours of the kinds of pieces, which people with weak colour vision can also tell apart (Okabe and Ito, "Color
/// Universal Design", 2008), as near as a terminal has them and light enough for black text.
const PIECES: [u8; Ink::PIECES] = [202, 214, 227, 36, 81, 33, 175, 250];

/// Returns the number of a colour among a terminal's 256; ordinary text has none.
fn number(ink: Ink) -> Option<u8> {
    match ink {
        Ink::Plain => None,
        Ink::Dim => Some(242),
        Ink::Loss => Some(124),
        Ink::Seat(player) => Some([39, 203][player]),
        Ink::Piece(kind) => Some(PIECES[kind % PIECES.len()]),
    }
}

/// Coloured letters.
#[must_use]
pub fn letter(ink: Ink, text: &str) -> String {
    let bold = if matches!(ink, Ink::Seat(_)) { "1;" } else { "" };
    number(ink).map_or(text.to_string(), |number| format!("\x1b[{bold}38;5;{number}m{text}{RESET}"))
}

/// Black letters on a coloured ground.
#[must_use]
pub fn ground(ink: Ink, text: &str) -> String {
    format!("\x1b[38;5;16;48;5;{}m{text}{RESET}", number(ink).unwrap_or(250))
}

/// Returns a coloured letter on the ground of what the latest move changed.
pub(crate) fn on_mark(ink: Ink, letter: char) -> String {
    format!("\x1b[38;5;{};48;5;238m{letter}{RESET}", number(ink).unwrap_or(255))
}

/// Text in the colour of a seat: blue for player 0, red for player 1.
#[must_use]
pub fn seat(player: Player, text: &str) -> String {
    letter(Ink::Seat(player), text)
}

/// Pale text, for coordinates and empty cells.
#[must_use]
pub fn dim(text: &str) -> String {
    letter(Ink::Dim, text)
}

/// Removes the colours again, for output that is not a terminal.
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
