//! The referee: runs one game between two bots over a judge's protocol, under limits.
//!
//! A bot is bundled and runs in this process, or is any program that speaks the judge's protocol on its standard input
//! and output. Both get the same lines. Whatever a bot does wrong ends its part with a named [`Ending`] and harms
//! nothing else: not the opponent, not the next game, not the machine.
//!
//! # One game
//!
//! [`Referee::play`] starts both programs, each for this game only (but for [`Program::KeepAlive`]) and in a session of
//! its own, and puts the judge's questions to the bots. Where both act at once, both have their question before either
//! answer is awaited, and each has its own clock. A clock runs from sending the question to reading the last line of
//! the answer, on the monotonic wall clock; what a program does before it reads its first question counts for its first
//! answer. A late answer loses, however late ([`Conditions::margin`] is the exception), and is not used. A bundled bot
//! cannot be interrupted: its late answer loses too, but only when it comes.
//!
//! After a failure the contest's rules go on: [`Judge::fail`](contender_game::Judge::fail) lets CodeCup's judge move at
//! random in the player's place, so that the opponent plays its game to the end, and ends the game on CodinGame.
//! [`Conditions::play_on`] can be unset for quick tests.
//!
//! # In the opponent's time
//!
//! Bots are stopped while the opponent thinks: a bot runs from its question to its answer, and between the judge's
//! farewell and its end. All other time the system stops it and all that it has started, so that it neither thinks nor
//! takes the core from the opponent: half a millisecond after the opponent is asked, and at once if it has used that
//! half millisecond before. A start that is not over by then goes on in the first turn. [`Conditions::ponder`] lifts
//! that, for contests that allow it. What a bot has used while it was not asked is in its [`Seat::idle_cpu`] in any
//! case.
//!
//! # Persons
//!
//! A person takes a seat as a bot does ([`Referee::play_person`]): it is asked by the same loop, without a clock, and
//! again after a move that is not legal.
//!
//! # What counts as an answer
//!
//! The next whole lines of the bot's standard output that no question has taken, `\n` or `\r\n` at their ends. Like a
//! real judge the referee does not know why a line is there: what a bot writes before it is asked, or a line too many,
//! is its next answer, and the reason of the [`Ending::Illegal`] that follows says so. Output that is not read stays in
//! the pipe, so a bot that writes on and on blocks itself; more than 64 KiB without a whole answer is an
//! [`Ending::Flood`].
//!
//! Standard error is read while any program is waited for, and the end of it is kept. A program that does not read its
//! questions holds nobody up.
//!
//! # After the game
//!
//! Bots are told the judge's farewell, their input is closed, and they have [`Conditions::grace`] to leave. Then, or at
//! once where the judge says no farewell and after a failure, the bot is killed with all its descendants: those in its
//! control group, or where there is none those that the module `platform::linux::orphans` finds. All are reaped and all
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
//! All that the user may, unless [`Conditions::bounds`] has [`Bounds`]: memory, CPU time, processes, file sizes, where
//! to write, and the network. [`Resources::cores`] keeps each game on a core of its own. Both are put on a bot between
//! its making and its first instruction.
//!
//! # Systems
//!
//! All of this holds on Linux. On others bots are programs on pipes too, under the same clocks, but there are no
//! bounds, no cores and no end of a bot's descendants: the module `platform` in the source has the list.
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
pub use steadiness::{Steadiness, Watch};
pub use supervised::{ChildGuard, ProcessOutput, WaitOutcome};
