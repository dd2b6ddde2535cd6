//! The contents of cells: proteins, organs and their costs.

use super::{Cell, Dir};
use contender_game::rules::Player;

/// A kind of protein, usable as an index of stocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Protein {
    A,
    B,
    C,
    D,
}

impl Protein {
    /// All kinds of proteins.
    pub const ALL: [Protein; 4] = [Protein::A, Protein::B, Protein::C, Protein::D];

    /// Returns the letter of the protein in the protocol, for example `A`.
    #[must_use]
    pub fn letter(self) -> char {
        ['A', 'B', 'C', 'D'][self as usize]
    }
}

/// Number of proteins of each kind: `stock[Protein::A as usize]`.
pub type Stock = [i32; 4];

/// A type of organ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Does nothing.
    Basic,
    /// Attacks and guards the cell that it faces.
    Tentacle,
    /// Harvests the source that it faces.
    Harvester,
    /// Shoots new roots along the line that it faces.
    Sporer,
    /// The first organ of an organism.
    Root,
}

impl Kind {
    /// All types.
    pub const ALL: [Kind; 5] = [Kind::Basic, Kind::Tentacle, Kind::Harvester, Kind::Sporer, Kind::Root];

    /// Returns the cost of an organ of this type.
    #[inline]
    #[must_use]
    pub fn cost(self) -> Stock {
        const COSTS: [Stock; 5] = [[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 1]];
        COSTS[self as usize]
    }

    /// Subtracts the cost of an organ of this type from a stock.
    #[inline]
    pub fn pay(self, stock: &mut Stock) {
        let cost = self.cost();
        (0..4).for_each(|protein| stock[protein] -= cost[protein]);
    }

    /// Returns whether a stock can pay for an organ of this type.
    #[inline]
    #[must_use]
    pub fn is_paid_by(self, stock: &Stock) -> bool {
        let cost = self.cost();
        (0..4).all(|protein| stock[protein] >= cost[protein])
    }

    /// Returns the word for the type in the protocol, for example `BASIC`.
    #[must_use]
    pub fn word(self) -> &'static str {
        ["BASIC", "TENTACLE", "HARVESTER", "SPORER", "ROOT"][self as usize]
    }

    /// Returns the type for a word of the protocol.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// The contents of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// An empty cell.
    Empty,
    /// A wall, which stays until the end.
    Wall,
    /// A protein source.
    Source(Protein),
    /// An organ.
    Organ {
        /// The player that the organ belongs to.
        owner: Player,
        /// The type of the organ.
        kind: Kind,
        /// The direction of the organ.
        dir: Dir,
    },
}

/// An organ, with everything that the judge sends about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Organ {
    /// The organ's number, from 1. Later organs have higher numbers.
    pub id: u16,
    /// The player that the organ belongs to.
    pub owner: Player,
    /// The organ's cell.
    pub cell: Cell,
    /// The organ's type.
    pub kind: Kind,
    /// The organ's direction.
    pub dir: Dir,
    /// The number of the organ that it grew from, or 0 for a root.
    pub parent: u16,
    /// The number of its organism's root. A root contains its own number.
    pub root: u16,
}

/// The contents of a cell in one byte: 0 empty, 1 wall, 4..8 sources. An organ has the top bit set, followed by its
/// owner, type and direction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed(u8);

impl Packed {
    pub(crate) const EMPTY: Packed = Packed(0);
    pub(crate) const WALL: Packed = Packed(1);

    #[inline]
    pub(crate) fn source(protein: Protein) -> Packed {
        Packed(4 + protein as u8)
    }

    #[inline]
    pub(crate) fn organ(owner: Player, kind: Kind, dir: Dir) -> Packed {
        Packed(0x80 | (owner as u8) << 5 | (kind as u8) << 2 | dir as u8)
    }

    #[inline]
    pub(crate) fn byte(self) -> u8 {
        self.0
    }

    /// Returns the index of the protein if the cell contains a source.
    #[inline]
    pub(crate) fn protein(self) -> Option<usize> {
        (self.0 & 0xfc == 4).then_some(usize::from(self.0 & 3))
    }

    /// Returns the direction. The cell must contain an organ.
    #[inline]
    pub(crate) fn dir(self) -> Dir {
        Dir::ALL[usize::from(self.0 & 3)]
    }

    /// Returns the type. The cell must contain an organ.
    #[inline]
    pub(crate) fn kind(self) -> Kind {
        Kind::ALL[usize::from(self.0 >> 2 & 7).min(4)]
    }

    pub(crate) fn unpack(self) -> Content {
        if self.0 & 0x80 != 0 {
            let owner = Player::BOTH[usize::from(self.0 >> 5 & 1)];
            Content::Organ { owner, kind: self.kind(), dir: self.dir() }
        } else if let Some(protein) = self.protein() {
            Content::Source(Protein::ALL[protein])
        } else if self == Packed::WALL {
            Content::Wall
        } else {
            Content::Empty
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_loses_nothing() {
        assert_eq!(Packed::EMPTY.unpack(), Content::Empty);
        assert_eq!(Packed::WALL.unpack(), Content::Wall);
        for protein in Protein::ALL {
            assert_eq!(Packed::source(protein).unpack(), Content::Source(protein));
        }
        for owner in Player::BOTH {
            for kind in Kind::ALL {
                for dir in Dir::ALL {
                    let packed = Packed::organ(owner, kind, dir);
                    assert_eq!(packed.unpack(), Content::Organ { owner, kind, dir });
                    assert_eq!(packed.protein(), None);
                }
            }
        }
    }

    #[test]
    fn words_are_read_back() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_word(kind.word()), Some(kind));
        }
        assert_eq!(Kind::from_word("NUCLEUS"), None);
    }
}
