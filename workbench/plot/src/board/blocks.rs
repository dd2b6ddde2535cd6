//! Blocks of squares that belong to one player, such as a won board of Ultimate Tic-Tac-Toe.

use super::{Drawing, class};
use contender_game::board::{Ink, Look};

impl Drawing<'_> {
    /// Returns the blocks in which all squares belong to the same player: the column and the row of each block, and its
    /// colour.
    pub fn owned(&self) -> Vec<([usize; 2], Ink)> {
        let picture = self.picture;
        let (block, columns) = (picture.block, picture.columns.len());
        if block < 2 || !columns.is_multiple_of(block) || !picture.rows.len().is_multiple_of(block) {
            return Vec::new();
        }
        let corners =
            (0..picture.rows.len() / block).flat_map(|row| (0..columns / block).map(move |at| [at, row]));
        let owner = |[column, row]: [usize; 2]| {
            let places = (0..block * block)
                .map(|at| (row * block + at / block) * columns + column * block + at % block);
            let mut inks = places.map(|at| {
                let sign = &picture.squares[at].sign;
                (sign.look == Look::Block && matches!(sign.ink, Ink::Seat(_))).then_some(sign.ink)
            });
            let first = inks.next()??;
            inks.all(|ink| ink == Some(first)).then_some(first)
        };
        corners.filter_map(|corner| Some((corner, owner(corner)?))).collect()
    }

    /// Returns the upper left corner and the side length of a block.
    fn block_place(&self, [column, row]: [usize; 2]) -> ([f64; 2], f64) {
        let side = self.unit * self.picture.block as f64;
        ([self.corner[0] + side * column as f64, self.corner[1] + side * row as f64], side)
    }

    /// Draws the background of a block that a player has won.
    pub fn owned_ground(&mut self, corner: [usize; 2], ink: Ink) {
        let ([x, y], side) = self.block_place(corner);
        self.rect(format!("{} fill", class(ink)), [x + 1.0, y + 1.0], [side - 2.0; 2], 6.0);
    }

    /// Draws the winner's sign over a whole block. The notes contain the sign of each player.
    pub fn owned_sign(&mut self, corner: [usize; 2], ink: Ink) {
        let notes = self.picture.notes.iter().flatten();
        let sign = notes.filter(|sign| sign.ink == ink).find_map(|sign| sign.text.trim().chars().next());
        let ([x, y], side) = self.block_place(corner);
        if let Some(sign) = sign {
            self.text("on-seat owner", [x + side / 2.0, y + side / 2.0], 0.86 * side, &sign.to_string());
        }
    }

    /// Draws a line through three blocks in a row that belong to the same player.
    pub fn three_in_line(&mut self, owned: &[([usize; 2], Ink)]) {
        let of = |at: [usize; 2]| owned.iter().find(|(corner, _)| *corner == at).map(|(_, ink)| *ink);
        let straight = (0..3).flat_map(|at| [[[0, at], [1, at], [2, at]], [[at, 0], [at, 1], [at, 2]]]);
        let lines = straight.chain([[[0, 0], [1, 1], [2, 2]], [[2, 0], [1, 1], [0, 2]]]);
        for [first, middle, last] in lines {
            if of(first).is_some() && of(first) == of(middle) && of(first) == of(last) {
                let [from, to] = [first, last].map(|at| {
                    let (place, side) = self.block_place(at);
                    place.map(|place| place + side / 2.0)
                });
                self.add(format_args!(
                    "<path class=\"casing won\" stroke-width=\"14\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                    from[0], from[1], to[0], to[1]
                ));
            }
        }
    }
}
