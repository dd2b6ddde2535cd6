//! The action of one organism in a turn.

use super::{Cell, Dir, Kind};

/// One organism grows an organ onto a neighbouring cell, or shoots a root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    /// The organ that acts.
    pub from: Cell,
    /// The cell of the new organ.
    pub to: Cell,
    /// The type of the new organ. A sporer shoots a [`Kind::Root`]; all other types grow.
    pub kind: Kind,
    /// The direction of the new organ. Listed actions have the direction N if the direction makes no difference.
    pub dir: Dir,
}
