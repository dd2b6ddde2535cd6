//! Games with external referees: any program that plays one game between other programs and prints the result.
//!
//! Examples are the referees of CodinGame's challenges, and the referees or match commands of cg-brutaltester,
//! psyleague and CG Arena.
//!
//! - A [`ExternalReferee`] calls a referee for a game. It parses the referee's output ([`Output`]) and the log of
//!   CodinGame's engine ([`GameLog`]), and detects failures of the referee.
//! - A [`Stub`] describes the input and output of a challenge's bots. A starter bot can be generated from it.
//! - A [`ChallengeProject`] is a challenge as CodinGame publishes it. After it has been built, it is [`Installed`]
//!   under a name.
//!
//! This crate does not contain any part of a challenge: rules, viewers and referees remain in the user's folders.

#![forbid(unsafe_code)]

mod check;
mod commands;
mod compare;
mod elsewhere;
mod error;
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
pub use compare::{Compared, RuleDifference, compare};
pub use error::{ForeignError, OutputError, ToolFailure};
pub use game_log::{Frame, GameLog, MAX_LOG, Tooltip};
pub use output::{GameOutput, Output};
pub use project::{ChallengeProject, Times};
pub use referee::{ExternalReferee, RefereedGame, drawn_seed};
pub use registry::{Addition, Installed, folder, open};
pub use stub::Stub;
