//! The referee: runs one game between two bots over a judge's protocol, under limits.
//!
//! A bot is either bundled and runs in this process, or it is any program that speaks the judge's protocol on standard
//! input and output. Both kinds receive the same lines. A failure of a bot ends the bot's part in the game with a named
//! [`Ending`]. The failure does not harm the opponent, the next game or the machine.
//!
//! # One game
//!
//! [`Referee::play`] starts both programs and sends them the judge's questions. Each program is started in its own
//! session and, unless it is [`Program::KeepAlive`], for this game only. If both players act at once, the referee sends
//! both questions before it waits for an answer, and each player has its own clock.
//!
//! A clock is a monotonic wall clock. The clock runs from sending the question to reading the last line of the answer.
//! Work that a program does before it reads its first question counts towards its first answer. A late answer loses,
//! however small the delay, and is not used ([`Conditions::margin`] is the exception). A bundled bot cannot be
//! interrupted: the referee waits for its late answer, and then the bot loses.
//!
//! After a failure the contest's rules apply: [`Judge::fail`](contender_game::contest::Judge::fail) lets CodeCup's
//! judge move at random for the player, so that the opponent plays the game to the end. On CodinGame the failure ends
//! the game. For quick tests you can unset [`Conditions::play_on`]: then every failure ends the game.
//!
//! # In the opponent's time
//!
//! Bots are paused while the opponent thinks: a bot runs from its question to its answer, and from the judge's farewell
//! to its exit. At all other times the system stops the bot and all its descendants, so that they neither think nor
//! take the core from the opponent. The pause begins half a millisecond after the opponent's question, or at once if
//! the bot has used too much time in earlier turns of its opponent. If a bot is still starting at that time, its start
//! continues in its first turn. [`Conditions::ponder`] turns pauses off, for contests that allow pondering.
//! [`Seat::idle_cpu`] records the CPU time that a bot used outside its turns.
//!
//! # Persons
//!
//! A person can take a seat like a bot ([`Referee::play_person`]). The same loop asks the person, but without a clock,
//! and asks again after an illegal move.
//!
//! # What counts as an answer
//!
//! An answer consists of the next whole lines on the bot's standard output, each with `\n` or `\r\n` at its end. Like a
//! real judge, the referee does not know why a line was written. If a bot writes a line before its turn, or one line
//! too many, that line becomes part of its next answer. If the judge rejects this answer, the reason in the
//! [`Ending::Illegal`] mentions the line. Unread output stays in the pipe, so a bot that writes without end blocks
//! itself. More than 64 KiB without a whole answer is an [`Ending::Flood`].
//!
//! The referee reads standard error while it waits for any program, and keeps the last part. A program that does not
//! read its questions does not block other programs.
//!
//! # After the game
//!
//! After a game the bots receive the judge's farewell, their input is closed, and they have [`Conditions::grace`] to
//! exit. Then the referee kills each bot with all its descendants. After a failure, or if the judge has no farewell,
//! the referee kills the bot at once. The descendants are the processes in the bot's control group or, without a
//! control group, those that the module `platform::linux::orphans` finds. When [`Referee::play`] returns, all processes
//! are reaped and all descriptors are closed.
//!
//! To find the descendants, this process becomes a *child subreaper*: orphans among all its descendants become its
//! children. While games run, this process must not start sessions of its own (`setsid`), and it must leave `SIGPIPE`
//! ignored, as Rust programs do. A bot dies with the thread that plays its game, so if this process is killed, the bots
//! die too. With control groups, their descendants and bots that wait for another game ([`Program::KeepAlive`]) also
//! die. Without control groups, the next process that referees games ends the processes that were left.
//!
//! # What bots may use
//!
//! Bots may use everything that the user may, unless [`Conditions::bounds`] has [`Bounds`] for memory, CPU time,
//! processes, file sizes, writable places, or the network. [`Resources::cores`] keeps each game on its own core. Bounds
//! and cores are applied to a bot after its process is created and before its first instruction.
//!
//! # Systems
//!
//! All guarantees above hold on Linux. On other systems bots are also programs on pipes, with the same clocks, but
//! without bounds, without pinning, and without cleanup of a bot's descendants. The source of the module `platform`
//! lists all differences.
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

pub use arguments::{ConditionArgs, Jobs, Processes, TimeSetting, parse_rules, seed};
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
