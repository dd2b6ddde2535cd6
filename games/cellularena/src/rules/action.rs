//! What one organism does in a turn.

use super::{Cell, Dir, Kind};

/// One organism grows an organ onto a neighbouring cell, or shoots a root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    /// The organ that acts.
    pub from: Cell,
    /// Where the new organ lands.
    pub to: Cell,
    /// The new organ; [`Kind::Root`] is shot by a sporer, everything else grows.
    pub kind: Kind,
    /// Where the new organ faces. Listed actions have N where that makes no difference.
    pub dir: Dir,
}
