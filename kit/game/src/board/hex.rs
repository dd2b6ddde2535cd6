//! Hexagonal boards made of hexagons ("hexes").

use crate::board::{Picture, Square};

/// A hexagonal board of `HEXES` hexes, numbered row by row. The board is stored in a square of `WIDTH` rows and
/// columns. `WIDTH` is twice the side of the board minus one. A hex has up to six neighbours: the hexes next to it in
/// its row and in its column, the hex one row down and one column left, and the hex one row up and one column right.
/// All tables are computed at compile time. For example, `static BOARD: HexBoard<169, 15> = HexBoard::new();` is a
/// board with side 8.
///
/// ```
/// use contender_game::board::HexBoard;
///
/// static BOARD: HexBoard<19, 5> = HexBoard::new();
///
/// let (centre, rest) = BOARD.split("c3 is the centre").unwrap();
/// assert_eq!((BOARD.name(centre), rest), ("c3".to_string(), " is the centre"));
/// assert_eq!(BOARD.ray(centre, 0).count(), 2);
/// assert_eq!((0..19).map(|hex| BOARD.distance(centre, hex)).max(), Some(2));
/// ```
#[derive(Clone, Debug)]
pub struct HexBoard<const HEXES: usize, const WIDTH: usize> {
    places: [(u8, u8); HEXES],
    hexes: [[u8; WIDTH]; WIDTH],
    rays: [[[u8; WIDTH]; 6]; HEXES],
}

/// The value that marks the end of a ray, and a cell without a hex.
const END: u8 = u8::MAX;

/// The row step and the column step in each direction, each plus one: 0 means -1, 1 means 0, and 2 means +1. Direction
/// `d + 3` is opposite to `d`.
const STEPS: [(usize, usize); 6] = [(1, 2), (2, 1), (2, 0), (1, 0), (0, 1), (0, 2)];

impl<const HEXES: usize, const WIDTH: usize> HexBoard<HEXES, WIDTH> {
    /// Computes the tables.
    ///
    /// # Panics
    /// Panics if no hexagonal board has this number of hexes in a square of this width, or if the board has too many
    /// hexes for one-byte numbers.
    #[must_use]
    pub const fn new() -> Self {
        assert!(WIDTH % 2 == 1 && 4 * HEXES == 3 * WIDTH * WIDTH + 1, "a hexagon has other numbers");
        assert!(HEXES < END as usize, "the board is too large");
        let mut places = [(0, 0); HEXES];
        let mut hexes = [[END; WIDTH]; WIDTH];
        let (mut at, mut cell) = (0, 0);
        while cell < WIDTH * WIDTH {
            let (row, column) = (cell / WIDTH, cell % WIDTH);
            if row + column >= WIDTH / 2 && row + column <= 3 * (WIDTH / 2) {
                places[at] = (row as u8, column as u8);
                hexes[row][column] = at as u8;
                at += 1;
            }
            cell += 1;
        }
        let mut rays = [[[END; WIDTH]; 6]; HEXES];
        let mut ray = 0;
        while ray < 6 * HEXES {
            let (down, right) = STEPS[ray % 6];
            let (mut row, mut column) = (places[ray / 6].0 as usize, places[ray / 6].1 as usize);
            let mut length = 0;
            // Rows and columns are stored plus one: 0 means outside the board.
            while row + down > 0 && row + down <= WIDTH && column + right > 0 && column + right <= WIDTH {
                row = row + down - 1;
                column = column + right - 1;
                if hexes[row][column] == END {
                    break;
                }
                rays[ray / 6][ray % 6][length] = hexes[row][column];
                length += 1;
            }
            ray += 1;
        }
        HexBoard { places, hexes, rays }
    }

    /// Returns the hex in this row and column of the square, or `None` if the cell has no hex.
    #[must_use]
    pub fn hex(&self, row: usize, column: usize) -> Option<u8> {
        self.hexes.get(row)?.get(column).copied().filter(|&at| at != END)
    }

    /// Returns the index of a hex's cell in the square, counted row by row. Networks use the same index for their input
    /// maps.
    #[must_use]
    pub fn cell(&self, at: u8) -> usize {
        let (row, column) = self.places[usize::from(at)];
        usize::from(row) * WIDTH + usize::from(column)
    }

    /// Returns the hexes along a ray, starting with the nearest. `direction` is 0 to 5. Direction `d + 3` is opposite
    /// to `d`.
    #[inline]
    pub fn ray(&self, at: u8, direction: usize) -> impl Iterator<Item = u8> + '_ {
        self.rays[usize::from(at)][direction].iter().copied().take_while(|&seen| seen != END)
    }

    /// Returns the number of steps from one hex to another.
    #[must_use]
    pub fn distance(&self, from: u8, to: u8) -> u32 {
        let [from, to] = [from, to].map(|at| self.places[usize::from(at)]);
        let (down, right) = (i32::from(to.0) - i32::from(from.0), i32::from(to.1) - i32::from(from.1));
        down.unsigned_abs().max(right.unsigned_abs()).max((down + right).unsigned_abs())
    }

    /// Returns the name of a hex: the letter of its row (starting at `a`) followed by the number of its column
    /// (starting at 1).
    #[must_use]
    pub fn name(&self, at: u8) -> String {
        let (row, column) = self.places[usize::from(at)];
        format!("{}{}", char::from(b'a' + row), column + 1)
    }

    /// Parses a hex name at the start of the text. Returns the hex and the remaining text.
    #[must_use]
    pub fn split<'a>(&self, text: &'a str) -> Option<(u8, &'a str)> {
        let row = text.bytes().next()?.checked_sub(b'a').filter(|&row| usize::from(row) < WIDTH)?;
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
        let column: usize = text[1..=digits].parse().ok().filter(|_| !text[1..].starts_with('0'))?;
        Some((self.hex(row.into(), column.checked_sub(1)?)?, &text[1 + digits..]))
    }

    /// Returns the image of a cell of the square under one of the board's twelve symmetries. Symmetries 0 to 5 rotate
    /// the board by multiples of 60 degrees. Symmetries 6 to 11 mirror the board first. A cell without a hex is mapped
    /// to itself.
    #[must_use]
    pub fn image(cell: usize, image: usize) -> usize {
        let half = WIDTH as i32 / 2;
        let (mut down, mut right) = ((cell / WIDTH) as i32 - half, (cell % WIDTH) as i32 - half);
        if (down + right).abs() > half {
            return cell;
        }
        for _ in 0..image % 6 {
            (down, right) = (-right, down + right);
        }
        if image >= 6 {
            (down, right) = (right, down);
        }
        ((down + half) * WIDTH as i32 + right + half) as usize
    }

    /// Returns a picture of the board with row and column labels. The closure `square(hex)` returns each square; this
    /// function sets the square's name. The columns are slanted: each row is drawn half a hex further left than the row
    /// above.
    #[must_use]
    pub fn picture(&self, mut square: impl FnMut(u8) -> Square) -> Picture {
        let rows = (b'a'..b'a' + WIDTH as u8).map(char::from);
        Picture::new(rows, 1..=WIDTH, |row, column| match self.hex(row, column) {
            Some(at) => Square { name: self.name(at), ..square(at) },
            None => Square::default(),
        })
    }
}

impl<const HEXES: usize, const WIDTH: usize> Default for HexBoard<HEXES, WIDTH> {
    fn default() -> Self {
        HexBoard::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Sign;

    static BOARD: HexBoard<37, 7> = HexBoard::new();

    /// Returns the hexes as three coordinates whose sum is 0, each at most 3 from the centre.
    fn slow() -> Vec<[i32; 3]> {
        let all = (-3..=3).flat_map(|down| (-3..=3).map(move |right| [down, right, -down - right]));
        all.filter(|at| i32::abs(at[2]) <= 3).collect()
    }

    #[test]
    fn rays_and_distances_are_those_of_three_coordinates() {
        let all = slow();
        assert_eq!(all.len(), 37);
        let steps = [[0, 1, -1], [1, 0, -1], [1, -1, 0], [0, -1, 1], [-1, 0, 1], [-1, 1, 0]];
        for (at, from) in all.iter().enumerate() {
            for (direction, step) in steps.iter().enumerate() {
                let far = (1..9).map(|far| [0, 1, 2].map(|axis| from[axis] + far * step[axis]));
                let seen: Vec<u8> =
                    far.map_while(|to| all.iter().position(|of| *of == to)).map(|at| at as u8).collect();
                assert_eq!(BOARD.ray(at as u8, direction).collect::<Vec<_>>(), seen);
            }
            for (other, to) in all.iter().enumerate() {
                let apart = (0..3).map(|axis| (from[axis] - to[axis]).unsigned_abs()).sum::<u32>() / 2;
                assert_eq!(BOARD.distance(at as u8, other as u8), apart);
            }
        }
    }

    #[test]
    fn hexes_and_their_names() {
        for at in 0..37 {
            let name = BOARD.name(at);
            assert_eq!(BOARD.split(&name), Some((at, "")));
            assert_eq!(BOARD.split(&format!("{name}d4")), Some((at, "d4")));
            let cell = BOARD.cell(at);
            assert_eq!(BOARD.hex(cell / 7, cell % 7), Some(at));
        }
        assert_eq!((BOARD.name(0), BOARD.name(18), BOARD.name(36)), ("a4".into(), "d4".into(), "g4".into()));
        for wrong in ["", "d", "a3", "g5", "d04", "d0", "d8", "h4", "D4", "4", "d99999999999999999999", "é4"]
        {
            assert_eq!(BOARD.split(wrong), None, "{wrong}");
        }
        let picture = BOARD.picture(|at| Square::from(Sign::plain(at)));
        assert_eq!((picture.rows.join(""), picture.columns.len()), ("abcdefg".to_string(), 7));
        let names: Vec<&str> = picture.squares.iter().map(|square| &square.name[..]).collect();
        assert_eq!((names[2], names[3], names[24]), ("", "a4", "d4"));
    }

    /// Every symmetry maps neighbours to neighbours, and all twelve differ.
    #[test]
    fn images_are_symmetries() {
        let moved = |at: u8, image: usize| {
            let cell = HexBoard::<37, 7>::image(BOARD.cell(at), image);
            BOARD.hex(cell / 7, cell % 7).expect("a hex stays on the board")
        };
        let mut all: Vec<Vec<u8>> = Vec::new();
        for image in 0..12 {
            let places: Vec<u8> = (0..37).map(|at| moved(at, image)).collect();
            for a in 0..37 {
                for b in 0..37 {
                    let images = [places[usize::from(a)], places[usize::from(b)]];
                    assert_eq!(BOARD.distance(a, b), BOARD.distance(images[0], images[1]));
                }
            }
            assert!(!all.contains(&places));
            all.push(places);
        }
        assert_eq!(all[0], (0..37).collect::<Vec<u8>>());
        assert_eq!(HexBoard::<37, 7>::image(0, 3), 0);
    }
}
