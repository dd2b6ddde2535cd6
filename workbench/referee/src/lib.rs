//! The referee: runs one game between two bots over a judge's protocol, under limits.
//!
//! A bot is either a bundled bot, which runs in this process, or a program that speaks the judge's protocol on standard
//! input and output. Both kinds receive the same lines. A bot that fails is removed from the game with a named
//! [`Ending`]. The failure does not affect the opponent, the next game or the machine.
//!
//! # One game
//!
//! [`Referee::play`] starts both programs and sends them the judge's questions. Each program is started in its own
//! session. Unless it is [`Program::KeepAlive`], it plays only this game. If both players act at once, the referee
//! sends both questions before it waits for an answer, and each player has its own clock.
//!
//! A clock measures wall-clock time, from sending the question to reading the last line of the answer. A program's work
//! before it reads its first question counts towards its first answer. A bot that answers late loses, however small the
//! delay, and the answer is not used (unless [`Conditions::margin`] allows the delay). A bundled bot cannot be
//! interrupted: the referee waits for its late answer, and then the bot loses.
//!
//! After a failure the contest's rules apply: [`Judge::fail`](contender_game::contest::Judge::fail) lets CodeCup's
//! judge move at random for the player, so that the opponent plays the game to the end. On CodinGame, the failure ends
//! the game. For quick tests, you can unset [`Conditions::play_on`], so that every failure ends the game.
//!
//! # During the opponent's turn
//!
//! Bots are paused while the opponent thinks: a bot runs from its question to its answer, and from the judge's farewell
//! to its exit. At all other times, the bot and all its child processes are paused, so that they cannot think or take
//! the core from the opponent. The pause begins half a millisecond after the opponent's question, or at once if the bot
//! has used too much time during its opponent's earlier turns. If a bot is still starting at that time, it continues to
//! start in its first turn. [`Conditions::ponder`] turns pauses off, for contests that allow pondering.
//! [`Seat::idle_cpu`] records the CPU time that a bot used outside its turns.
//!
//! # Persons
//!
//! A person can take a seat like a bot ([`Referee::play_person`]). The same loop asks the person, but without a clock,
//! and asks again after an illegal move.
//!
//! # Answers
//!
//! An answer consists of the next complete lines on the bot's standard output, each ending with `\n` or `\r\n`. Like a
//! real judge, the referee does not know why a line was written. If a bot writes a line before its turn, or one line
//! too many, the line becomes part of the bot's next answer. If the judge rejects this answer, the reason in
//! [`Ending::Illegal`] mentions the line. Unread output stays in the pipe, so a bot that writes endlessly blocks
//! itself. More than 64 KiB without a complete answer is an [`Ending::Flood`].
//!
//! The referee reads standard error while it waits for any program, and keeps the last part. A program that does not
//! read its questions does not block other programs.
//!
//! # After the game
//!
//! After a game, the bots receive the judge's farewell, their input is closed, and they have the time
//! [`Conditions::grace`] to exit. Then the referee kills each bot and all its descendants. After a failure, or if the
//! judge sends no farewell, the referee kills the bot at once. The descendants are all processes in the bot's control
//! group or, without a control group, the processes that the module `platform::linux::orphans` finds. When
//! [`Referee::play`] returns, all processes are reaped and all descriptors are closed.
//!
//! To find the descendants, this process becomes a *child subreaper*: orphans among all its descendants become its
//! children. While games run, this process must not start sessions of its own (`setsid`), and it must leave `SIGPIPE`
//! ignored, as Rust programs do. A bot dies with the thread that plays its game, so if this process is killed, the bots
//! die, too. With control groups, their descendants and waiting bots ([`Program::KeepAlive`]) also die. Without control
//! groups, the next process that referees games kills the remaining processes.
//!
//! # Restrictions of bots
//!
//! Bots may do everything that the user may do, unless [`Conditions::bounds`] contains [`ResourceLimits`] for memory,
//! CPU time, processes, file sizes, writable folders or the network. [`Resources::cores`] keeps each game on its own
//! core. Bounds and cores are applied to a bot after its process is created and before its first instruction.
//!
//! # Operating systems
//!
//! All guarantees above hold on Linux. On other systems, bots also communicate through pipes and have the same clocks,
//! but there are no bounds, no pinning to cores, and no cleanup of a bot's descendants. The source of the module
//! `platform` lists all differences.
//!
//! # Data printed by bots
//!
//! Lines such as `[PDATA] depth = 7` are collected from a bot's entire standard error output, even if only its end is
//! kept, and stored in [`Record::attributes`]. [`Attribute`] explains the format. Bundled bots do not have a separate
//! standard error stream, so they have no such attributes.

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

pub use arguments::{ConditionArgs, ParallelGames, Processes, TimeSetting, parse_rules, seed};
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
