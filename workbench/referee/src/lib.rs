//! The referee: runs one game between two bots over a judge's protocol, under limits.
//!
//! A bot is bundled and runs in this process, or is any program that speaks the judge's protocol on its standard input and
//! output. Both get the same lines. Whatever a bot does wrong ends its game with a named [`Ending`] and harms nothing else.

mod bundled;
mod entrant;
mod exchange;
mod log;
mod process;
mod record;
mod referee;
mod strays;

pub use entrant::{Entrant, EntrantError, Program};
pub use log::{LogError, read_log};
pub use record::{Ending, GameRecord, SeatReport};
pub use referee::{GamePlan, Referee, RefereeError};
