//! Linux: pidfds, one `ppoll` for all pipes, control groups, PID namespaces, resource limits, Landlock, seccomp, and a
//! core for each game.

mod child;
mod cores;
mod delays;
mod environment;
mod files;
mod filter;
mod groups;
mod load;
mod locks;
mod namespace;
mod orphans;
mod sandbox;
mod spawn;
mod stolen;

pub(crate) use child::Child;
pub use cores::Cores;
pub(crate) use cores::Place;
pub(crate) use delays::{all_delays, own_delay};
pub(crate) use load::load;
pub(crate) use sandbox::{Sandbox, facilities};
pub(crate) use stolen::own_look;
