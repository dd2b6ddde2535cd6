//! Games that other programs referee: any program that plays one game between programs and prints how it ended.
//!
//! The referees of CodinGame's challenges are such programs, and what cg-brutaltester, psyleague and CG Arena call a
//! referee, or a command that plays a match. A [`ForeignReferee`] asks one for a game of two to four players and
//! understands what it prints ([`Output`]), the log that CodinGame's engine writes ([`GameLog`]), and how it fails. A
//! [`Stub`] is what a bot of a challenge reads and writes, from which a program is made. A [`Project`] is a challenge
//! as CodinGame publishes it, which can be built and is then [`Installed`] under a name.
//!
//! Nothing of a challenge is part of this crate: rules, viewers and referees stay in the user's folders.

#![forbid(unsafe_code)]

mod check;
mod commands;
mod compare;
mod elsewhere;
mod game_log;
mod output;
mod project;
mod referee;
mod registry;
mod server;
pub mod stub;
mod viewer;

pub use check::{Checking, check};
pub use commands::Contract;
pub use compare::{Compared, Difference, compare};
pub use game_log::{Frame, GameLog, MAX_LOG, Tooltip};
pub use output::{Output, Report};
pub use project::{Project, Times};
pub use referee::{ForeignReferee, Played, drawn_seed};
pub use registry::{Addition, Installed, folder, open};
pub use stub::Stub;
