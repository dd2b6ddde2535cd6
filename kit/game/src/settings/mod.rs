//! Settings of bots and judges: stated once by [`settings!`](macro@crate::settings), written as [`Options`].

mod from_file;
mod options;
mod setting;

pub use from_file::{FromFile, Shipped};
pub use options::Options;
pub use setting::{Bounds, Kind, OrNone, Setting, Settings, Text, Value, Visitor, SWITCH};
