//! Games with any number of seats: bots, seeds and conditions, records, the log format, and hosts, which play games.
//!
//! The crates above this one (matches, leagues, tuning) schedule games and read their records. To them, it makes no
//! difference whether a game is played by the built-in referee, an external referee or another machine.

#![forbid(unsafe_code)]

mod attribute;
mod bounds;
mod command_line;
mod conditions;
mod ending;
mod entrant;
mod fixture;
mod host;
mod job;
pub mod log;
mod options;
mod record;
mod record_error;
mod remote;
pub mod seed;
mod workers;

pub use attribute::Attribute;
pub use bounds::{Readable, ResourceLimits};
pub use command_line::{CommandLine, find_program, program_of};
pub use conditions::Conditions;
pub use ending::{Ending, ExitStatus, ReportedFailure, ending_words};
pub use entrant::{Entrant, EntrantError, Program, bundled_bot, judging_bot, with_distinct_names};
pub use fixture::Fixture;
pub use host::{GameError, Host, PlayedUnder, RankedBy, play_on_threads, play_safely};
pub use job::{ExternalSpec, HostSpec, Job};
pub use log::{LogError, MAX_SEATS, read_log};
pub use record::{Battle, InMatch, Machine, Record, Seat};
pub use record_error::RecordError;
pub use remote::{RemoteHost, Task, Workers};
pub use workers::share_out;
