//! Colours, and the secret colours of a game.

use contender_game::contest::excerpt;
use std::fmt;
use std::str::FromStr;

/// Number of colours, written `1`..`6`.
pub const COLOURS: usize = 6;

/// A colour, `0..6`, written `1`..`6`.
pub type Colour = u8;

/// Parses a colour `1`..`6`.
///
/// # Errors
/// Returns an error if the text is anything else.
pub fn parse_colour(text: &str) -> Result<Colour, String> {
    match text.as_bytes() {
        &[digit @ b'1'..=b'6'] => Ok(digit - b'1'),
        _ => Err(format!("`{}` is not a colour 1-6", excerpt(text))),
    }
}

/// Returns the digit of a colour.
#[must_use]
pub fn colour_char(colour: Colour) -> char {
    char::from(b'1' + colour)
}

/// Two different colours, written as two digits.
#[derive(Clone, Copy, Debug)]
pub struct Colours(pub(crate) [Colour; 2]);

impl fmt::Display for Colours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&colour| write!(f, "{}", colour_char(colour)))
    }
}

impl FromStr for Colours {
    type Err = String;

    fn from_str(text: &str) -> Result<Colours, String> {
        let wrong = || "expected two different colours from 1 to 6, for example 12".to_string();
        let digits: Vec<Colour> = text
            .chars()
            .map(|digit| parse_colour(digit.encode_utf8(&mut [0; 4])))
            .collect::<Result<_, _>>()
            .map_err(|_| wrong())?;
        match digits[..] {
            [zero, one] if zero != one => Ok(Colours([zero, one])),
            _ => Err(wrong()),
        }
    }
}
