//! The referee: runs one game between two bots over a judge's protocol, under limits.
//!
//! A bot is either bundled and runs in this process, or it is any program that speaks the judge's protocol on standard
//! input and output. Both kinds get the same lines. Whatever a bot does wrong ends its part with a named [`Ending`]. It
//! does not harm the opponent, the next game or the machine.
//!
//! # One game
//!
//! [`Referee::play`] starts both programs and sends them the judge's questions. Each program is started in its own
//! session and, unless it is [`Program::KeepAlive`], for this game only. If both players act at once, the referee sends
//! both questions before it waits for an answer, and each player has its own clock.
//!
//! A clock is a monotonic wall clock. It runs from sending the question to reading the last line of the answer. Work
//! that a program does before it reads its first question counts towards its first answer. A late answer loses, however
//! small the delay, and is not used ([`Conditions::margin`] is the exception). A bundled bot cannot be interrupted: its
//! late answer also loses, but only when it comes.
//!
//! After a failure the contest's rules apply: [`Judge::fail`](contender_game::contest::Judge::fail) lets CodeCup's
//! judge move at random for the player, so that the opponent plays the game to the end. On CodinGame it ends the game.
//! You can unset [`Conditions::play_on`] for quick tests.
//!
//! # In the opponent's time
//!
//! Bots are paused while the opponent thinks: a bot runs from its question to its answer, and from the judge's farewell
//! to its exit. At all other times the system stops the bot and all its descendants, so that they neither think nor
//! take the core from the opponent. The pause begins half a millisecond after the opponent's question, or at once if
//! the bot has used too much time in earlier turns of its opponent. A start that is not finished by then continues in
//! the first turn. [`Conditions::ponder`] turns pauses off, for contests that allow pondering. [`Seat::idle_cpu`]
//! records the CPU time that a bot used outside its turns.
//!
//! # Persons
//!
//! A person can take a seat like a bot ([`Referee::play_person`]). The same loop asks the person, but without a clock,
//! and asks again after an illegal move.
//!
//! # What counts as an answer
//!
//! An answer is the next whole lines of the bot's standard output that no question has taken, with `\n` or `\r\n` at
//! their ends. Like a real judge, the referee does not know why a line was written. A line that a bot writes before its
//! turn, or an extra line, is its next answer, and the reason in the [`Ending::Illegal`] that follows mentions this.
//! Unread output stays in the pipe, so a bot that writes without end blocks itself. More than 64 KiB without a whole
//! answer is an [`Ending::Flood`].
//!
//! The referee reads standard error while it waits for any program, and keeps the end. A program that does not read its
//! questions does not block other programs.
//!
//! # After the game
//!
//! Bots get the judge's farewell, their input is closed, and they have [`Conditions::grace`] to exit. Then the referee
//! kills each bot with all its descendants. It does so at once after a failure, or if the judge has no farewell. The
//! descendants are the processes in the bot's control group or, without a control group, those that the module
//! `platform::linux::orphans` finds. When [`Referee::play`] returns, all processes are reaped and all descriptors are
//! closed.
//!
//! For this purpose the process becomes a *child subreaper*: orphans among all its descendants become its children.
//! While games run, the process must not start sessions of its own (`setsid`), and it must leave `SIGPIPE` ignored, as
//! Rust programs do. A bot dies with the thread that plays its game, so if this process is killed, the bots die too.
//! With control groups, their descendants and bots that wait for another game ([`Program::KeepAlive`]) also die.
//! Without control groups, the next process that referees games ends these processes.
//!
//! # What bots may use
//!
//! Bots may use everything that the user may, unless [`Conditions::bounds`] has [`Bounds`] for memory, CPU time,
//! processes, file sizes, writable places, or the network. [`Resources::cores`] keeps each game on its own core. Both
//! are applied to a bot after its process is created and before its first instruction.
//!
//! # Systems
//!
//! All of this holds on Linux. On other systems bots are also programs on pipes, with the same clocks, but without
//! bounds, without pinning, and without cleanup of a bot's descendants. The source of the module `platform` has the
//! full list.
//!
//! # Data that bots print
//!
//! Lines such as `[PDATA] depth = 7` are collected from all of a bot's standard error, not only from the end that is
//! kept, and stored in [`Record::attributes`]. [`Attribute`] explains these lines. Bundled bots have no standard error
//! of their own, so they have no attributes of this kind.

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

pub use arguments::{ConditionArgs, Jobs, Processes, TimeSetting, seed};
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
