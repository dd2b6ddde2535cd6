//! The 14 kinds of organs that the network distinguishes. A kind is a type, together with its direction if the
//! direction matters.

use crate::{Dir, Kind};

/// Number of kinds.
pub const KINDS: usize = 14;
/// The kind number of a root.
pub const ROOT: usize = 0;
/// The kind number of a basic organ.
pub const BASIC: usize = 1;

/// Returns the number of a kind: root 0, basic 1, harvesters from 2, tentacles from 6, sporers from 10, each in the
/// order of [`Dir::ALL`].
#[inline]
#[must_use]
pub fn kind_number(kind: Kind, dir: Dir) -> usize {
    match kind {
        Kind::Root => ROOT,
        Kind::Basic => BASIC,
        Kind::Harvester => 2 + dir as usize,
        Kind::Tentacle => 6 + dir as usize,
        Kind::Sporer => 10 + dir as usize,
    }
}

/// Returns the type and the direction of the kind with this number. The direction is N if it makes no difference.
///
/// # Panics
/// Panics if the number is not below [`KINDS`].
#[inline]
#[must_use]
pub fn kind_of(number: usize) -> (Kind, Dir) {
    match number {
        ROOT => (Kind::Root, Dir::N),
        BASIC => (Kind::Basic, Dir::N),
        _ => {
            let kinds = [Kind::Harvester, Kind::Tentacle, Kind::Sporer];
            (kinds[(number - 2) / 4], Dir::ALL[(number - 2) % 4])
        }
    }
}
