//! Settings of bots and judges: [`settings!`](macro@crate::settings) declares them, and [`Options`] contains the values
//! that the user has given.

mod from_file;
mod options;
mod setting;

pub use from_file::{FromFile, Shipped};
pub use options::Options;
pub use setting::{
    OrNone, Setting, SettingBounds, SettingKind, SettingValue, Settings, Text, Visitor, SWITCH,
};
