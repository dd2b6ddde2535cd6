//! Linux: pidfds, one `ppoll` for all pipes, control groups, resource limits, Landlock, seccomp, a core for each game.

mod child;
mod cores;
mod files;
mod filter;
mod groups;
mod spawn;
mod strays;
mod walls;

pub(crate) use child::Child;
pub use cores::Cores;
pub(crate) use walls::{Walls, facilities};
