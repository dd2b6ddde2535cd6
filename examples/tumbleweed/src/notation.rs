//! Moves and boards as text.

use crate::rules::{Move, State, BOARD};
use contender_game::prelude::*;

impl Notation for State {
    fn read(&self, text: &str) -> Result<Move, String> {
        let mv = match (text, BOARD.split(text)) {
            ("pass", _) => Some(Move::Pass),
            ("swap", _) => Some(Move::Swap),
            (_, Some((at, ""))) => Some(Move::Put(at)),
            (_, Some((first, rest))) => {
                BOARD.split(rest).filter(|of| of.1.is_empty()).map(|(other, _)| Move::Setup(first, other))
            }
            _ => None,
        };
        mv.filter(|&mv| self.is_legal(mv)).ok_or_else(|| is_not(text, "a legal move"))
    }

    fn write(&self, mv: Move) -> String {
        match mv {
            Move::Put(at) => BOARD.name(at),
            Move::Pass => "pass".to_string(),
            Move::Swap => "swap".to_string(),
            Move::Setup(first, other) => BOARD.name(first) + &BOARD.name(other),
        }
    }

    /// Draws stacks as chips with their height, and empty hexes as dots in the colour of the player who controls them.
    fn picture(&self, last: Option<Move>, _viewer: Option<Player>) -> Picture {
        let mut picture = BOARD.picture(|at| {
            let [zero, one] = self.seen(at);
            let sign = match self.stack(at) {
                Some((height, owner)) => Sign::chip(owner.map_or(Ink::Plain, Ink::Seat), height),
                None if zero == one => Sign::dot(),
                None => Sign::letter(Ink::Seat(Player::from_index(usize::from(one > zero))), '·'),
            };
            let is_marked = match last {
                Some(Move::Put(put)) => put == at,
                Some(Move::Setup(first, other)) => at == first || at == other,
                _ => false,
            };
            Square { is_marked, ..Square::from(sign) }
        });
        picture.standing = Some(self.points());
        picture
    }
}
