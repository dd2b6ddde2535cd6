//! Tiles of 12 cells with every colour twice. There is one tile for each order of the six colours.

use super::{colour_char, Colour, COLOURS};
use contender_game::contest::excerpt;
use std::fmt::{self, Write as _};
use std::str::FromStr;

/// A tile, named by the order of the colours in its upper row when it is horizontal. The lower row has the reverse
/// order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Tile(u16);

impl Tile {
    /// Number of tiles, which is the number of orders of six colours.
    pub const COUNT: usize = 720;

    /// Returns every tile, in lexicographic order of the colours.
    pub fn all() -> impl Iterator<Item = Tile> {
        (0..Tile::COUNT as u16).map(Tile)
    }

    /// Returns the `index`-th tile in lexicographic order of the colours.
    ///
    /// # Panics
    /// Panics if `index` is not below [`Tile::COUNT`].
    #[inline]
    #[must_use]
    pub fn from_index(index: usize) -> Tile {
        assert!(index < Tile::COUNT, "there are {} tiles", Tile::COUNT);
        Tile(index as u16)
    }

    /// Returns the tile with these colours, or `None` if they are not the six colours in some order.
    #[must_use]
    pub fn from_colours(colours: [Colour; COLOURS]) -> Option<Tile> {
        ORDERS.binary_search(&colours).ok().map(|index| Tile(index as u16))
    }

    /// Returns the number of the tile, below [`Tile::COUNT`].
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the colours in the upper row of the horizontal tile, from left to right.
    #[inline]
    #[must_use]
    pub fn colours(self) -> [Colour; COLOURS] {
        ORDERS[self.index()]
    }

    /// Returns the index of the colour in [`Tile::colours`].
    ///
    /// # Panics
    /// Panics if the colour does not exist.
    #[inline]
    #[must_use]
    pub fn position(self, colour: Colour) -> usize {
        self.colours().iter().position(|&other| other == colour).expect("a tile has every colour")
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.colours().iter().try_for_each(|&colour| f.write_char(colour_char(colour)))
    }
}

impl FromStr for Tile {
    type Err = String;

    /// Parses six digits, for example `364521`.
    fn from_str(text: &str) -> Result<Tile, String> {
        let tile = || {
            let digits: [u8; COLOURS] = text.as_bytes().try_into().ok()?;
            Tile::from_colours(digits.map(|digit| digit.wrapping_sub(b'1')))
        };
        tile().ok_or_else(|| format!("`{}` is not a tile: the digits 1 to 6, each once", excerpt(text)))
    }
}

/// The orders of the six colours, in lexicographic order.
static ORDERS: [[Colour; COLOURS]; Tile::COUNT] = orders();

const fn orders() -> [[Colour; COLOURS]; Tile::COUNT] {
    let mut orders = [[0; COLOURS]; Tile::COUNT];
    let mut index = 0;
    while index < Tile::COUNT {
        // Each digit of the index in the factorial number system selects one of the remaining colours.
        let mut left: [Colour; COLOURS] = [0, 1, 2, 3, 4, 5];
        let mut rest = index;
        let mut block = Tile::COUNT;
        let mut at = 0;
        while at < COLOURS {
            block /= COLOURS - at;
            let mut next = rest / block;
            rest %= block;
            orders[index][at] = left[next];
            while next + 1 < COLOURS {
                left[next] = left[next + 1];
                next += 1;
            }
            at += 1;
        }
        index += 1;
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_all_orders_of_the_colours_and_sorted() {
        for tile in Tile::all() {
            let mut colours = tile.colours();
            assert_eq!(Tile::from_colours(colours), Some(tile));
            assert!((0..6).all(|colour| colours[tile.position(colour)] == colour));
            colours.sort_unstable();
            assert_eq!(colours, [0, 1, 2, 3, 4, 5]);
        }
        assert!(ORDERS.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(Tile::from_index(719).colours(), [5, 4, 3, 2, 1, 0]);
        assert_eq!(Tile::from_colours([0, 1, 2, 3, 4, 4]), None);
        assert_eq!(Tile::from_colours([0, 1, 2, 3, 4, 6]), None);
    }
}
