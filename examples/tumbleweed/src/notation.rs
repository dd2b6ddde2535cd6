//! Moves and boards as text.

use crate::rules::{hex, Move, State, PLACES, WIDTH};
use contender_game::*;

/// `h8`
fn name(at: u8) -> String {
    let (row, column) = PLACES[at as usize];
    format!("{}{}", char::from(b'a' + row), column + 1)
}

/// The hex of a name at the start of a text, and the rest.
fn split(text: &str) -> Option<(u8, &str)> {
    let row = text.bytes().next()?.checked_sub(b'a')?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let column: usize = text[1..=digits].parse().ok().filter(|_| !text[1..].starts_with('0'))?;
    Some((hex(row.into(), column.checked_sub(1)?)?, &text[1 + digits..]))
}

impl Notation for State {
    fn read(&self, text: &str) -> Result<Move, String> {
        let mv = match (text, split(text)) {
            ("pass", _) => Some(Move::Pass),
            ("swap", _) => Some(Move::Swap),
            (_, Some((at, ""))) => Some(Move::Put(at)),
            (_, Some((first, rest))) => {
                split(rest).filter(|(_, rest)| rest.is_empty()).map(|(other, _)| Move::Setup(first, other))
            }
            _ => None,
        };
        mv.filter(|&mv| self.is_legal(mv)).ok_or_else(|| format!("\"{}\" is no legal move", excerpt(text)))
    }

    fn write(&self, mv: Move) -> String {
        match mv {
            Move::Put(at) => name(at),
            Move::Pass => "pass".to_string(),
            Move::Swap => "swap".to_string(),
            Move::Setup(first, other) => name(first) + &name(other),
        }
    }

    /// Stacks as chips with their height, empty hexes as dots in the colour of who controls them. Columns lean: in the
    /// game's own pictures each row begins half a hex further left.
    fn picture(&self, last: Option<Move>, _viewer: Option<Player>) -> Picture {
        let rows = (b'a'..b'a' + WIDTH as u8).map(char::from);
        let mut picture = Picture::new(rows, 1..=WIDTH, |row, column| {
            let Some(at) = hex(row, column) else { return Square::default() };
            let [zero, one] = self.seen(at);
            let sign = match self.stack(at) {
                Some((height, Some(player))) => Sign::chip(Ink::Seat(player), height),
                Some((height, None)) => Sign::chip(Ink::Plain, height),
                None if zero > one => Sign::letter(Ink::Seat(Player::Zero), '·'),
                None if one > zero => Sign::letter(Ink::Seat(Player::One), '·'),
                None => Sign::dot(),
            };
            let is_marked = match last {
                Some(Move::Put(put)) => put == at,
                Some(Move::Setup(first, other)) => at == first || at == other,
                _ => false,
            };
            Square { is_marked, ..Square::new(name(at), sign) }
        });
        picture.standing = Some(self.points());
        picture
    }
}
