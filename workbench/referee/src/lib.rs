//! The referee: runs one game between two bots over a judge's protocol, under limits.
//!
//! A bot is bundled and runs in this process, or is any program that speaks the judge's protocol on its standard input
//! and output. Both get the same lines. Whatever a bot does wrong ends its part with a named [`Ending`] and harms
//! nothing else: not the opponent, not the next game, not the machine.
//!
//! # One game
//!
//! [`Referee::play`] starts both programs, each for this game only (except [`Program::KeepAlive`]) and in its own
//! session, and puts the judge's questions to the bots. If both act at once, both get their question before either
//! answer is awaited, and each has its own clock. A clock runs from sending the question to reading the last line of
//! the answer, on the monotonic wall clock; work that a program does before it reads its first question counts for its
//! first answer. A late answer loses, however late ([`Conditions::margin`] is the exception), and is not used. A
//! bundled bot cannot be interrupted: its late answer also loses, but only when it comes.
//!
//! After a failure the contest's rules go on: [`Judge::fail`](contender_game::contest::Judge::fail) lets CodeCup's
//! judge move at random in the player's place, so that the opponent plays its game to the end, and ends the game on
//! CodinGame. [`Conditions::play_on`] can be unset for quick tests.
//!
//! # In the opponent's time
//!
//! Bots are paused while the opponent thinks: a bot runs from its question to its answer, and between the judge's
//! farewell and its end. At all other times the system stops it and all its descendants, so that it neither thinks nor
//! takes the core from the opponent: half a millisecond after the opponent is asked, and at once if it has used that
//! half millisecond before. A start that is not finished by then continues in the first turn. [`Conditions::ponder`]
//! lifts that, for contests that allow it. [`Seat::idle_cpu`] records the CPU time that a bot used outside its turns.
//!
//! # Persons
//!
//! A person takes a seat as a bot does ([`Referee::play_person`]): the same loop asks the person, without a clock, and
//! again after an illegal move.
//!
//! # What counts as an answer
//!
//! An answer is the next whole lines of the bot's standard output that no question has taken, with `\n` or `\r\n` at
//! their ends. Like a real judge, the referee does not know why a line is there: a line that a bot writes before its
//! turn, or a line too many, is its next answer, and the reason of the [`Ending::Illegal`] that follows says so. Unread
//! output stays in the pipe, so a bot that writes without end blocks itself; more than 64 KiB without a whole answer is
//! an [`Ending::Flood`].
//!
//! Standard error is read while any program is waited for, and its end is kept. A program that does not read its
//! questions blocks no other.
//!
//! # After the game
//!
//! Bots get the judge's farewell, their input is closed, and they have [`Conditions::grace`] to exit. Then (or at once
//! after a failure, or if the judge has no farewell) the bot is killed with all its descendants: those in its control
//! group, or without a control group those that the module `platform::linux::orphans` finds. All are reaped and all
//! descriptors closed when [`Referee::play`] returns.
//!
//! For that the process becomes a *child subreaper*: orphans of all its descendants become its children. While games
//! run it must not start sessions of its own (`setsid`), and it must leave `SIGPIPE` ignored, as Rust programs do. A
//! bot dies with the thread that plays its game: if this process is itself killed, so are the bots, and with control
//! groups their descendants and bots that wait for another game ([`Program::KeepAlive`]). Without them the next process
//! that referees ends these.
//!
//! # What bots may use
//!
//! Bots may use everything that the user may, unless [`Conditions::bounds`] has [`Bounds`]: memory, CPU time,
//! processes, file sizes, places to write, and the network. [`Resources::cores`] keeps each game on its own core. Both
//! are applied to a bot between its creation and its first instruction.
//!
//! # Systems
//!
//! All of this holds on Linux. On other systems bots are also programs on pipes, under the same clocks, but without
//! bounds, without pinning, and without cleanup of a bot's descendants: the module `platform` in the source has the
//! list.
//!
//! # What bots tell
//!
//! Lines on standard error such as `[PDATA] depth = 7` are collected from all of it, not only from the end that is
//! kept, into [`Record::attributes`]; [`Attribute`] has what they mean. Bundled bots have no standard error of
//! their own and tell nothing.

#![deny(unsafe_code)]

mod arguments;
mod buffers;
mod bundled;
pub mod checker;
mod exchange;
mod host;
mod idle;
mod isolation;
mod metadata;
mod person;
mod platform;
mod process;
mod readable;
mod referee;
pub mod relay;
mod seats;
mod setup_error;
mod steadiness;
mod supervised;

pub use arguments::{ConditionArgs, Jobs, Processes, TimeSetting, seed, seed_number};
pub use bundled::Bundled;
pub use contender_play::*;
pub use host::ContestHost;
pub use idle::IdleProcesses;
pub use isolation::Isolation;
pub use person::{PERSON, Person, Prompt};
pub use platform::{Cores, Facility, StartError, all_delays, available_cores, facilities, own_delay};
pub use referee::{Referee, Resources};
pub use setup_error::{NoAnswer, SetupError};
pub use steadiness::{Steadiness, Watch};
pub use supervised::{ChildGuard, ProcessOutput, WaitOutcome};
