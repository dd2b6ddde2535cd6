//! A game to play as it travels to another machine, and those who play it there.

use crate::{Bounds, CommandLine, Entrant, Program, Record};
use contender_game::{Limits, Options};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// All that makes one game, in a form that can be sent: two jobs that are equal give the same game, as far as bots do
/// not depend on the clock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The version of the workbench: another one may play another game.
    pub version: String,
    /// The contest's name.
    pub game: String,
    /// Who plays, by seat.
    pub bots: [JobBot; 2],
    /// Seeds the judge's luck.
    pub luck: u64,
    /// Seeds the random choices of bundled bots, by seat.
    pub bot_seeds: [u64; 2],
    /// The rules of this game, an opening included, as
    /// `key=value,key=value`.
    pub rules: String,
    /// The clock and the nodes.
    #[serde(with = "LimitsForm")]
    pub limits: Limits,
    /// The other settings of the referee, by their names there.
    pub margin: Duration,
    #[allow(missing_docs)]
    pub clock_with_nodes: bool,
    #[allow(missing_docs)]
    pub stderr_tail: usize,
    #[allow(missing_docs)]
    pub grace: Duration,
    #[allow(missing_docs)]
    pub play_on: bool,
    #[allow(missing_docs)]
    pub rematches: u32,
    #[allow(missing_docs)]
    pub ponder: bool,
    #[allow(missing_docs)]
    pub in_turn: bool,
    /// What external bots may use; `None` where nobody has chosen.
    pub bounds: Option<Bounds>,
}

/// A bot of a [`Job`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JobBot {
    /// What records call it.
    pub name: String,
    /// What is run.
    pub program: JobProgram,
}

/// What is run for a [`JobBot`]: see [`Program`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobProgram {
    /// A bundled bot.
    Bundled {
        /// Its name in the contest's list.
        bot: String,
        /// Its options, `key=value,key=value`.
        options: String,
    },
    /// A program.
    Command {
        /// Its name and its arguments.
        words: Vec<String>,
        /// The folder that it runs in.
        folder: Option<PathBuf>,
        /// Whether it plays game after game in one process.
        keep_alive: bool,
    },
}

/// A game that another program referees, in a form that can be sent: see the crate `foreign`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ForeignJob {
    /// The version of the workbench: another one may ask the referee otherwise.
    pub version: String,
    /// The command that plays a game, or game after game in one process.
    pub referee: JobProgram,
    /// The players by seat; each is a command.
    pub bots: Vec<JobBot>,
    /// All luck.
    pub seed: u64,
    /// CodinGame's league.
    pub league: Option<u32>,
    /// The least time of a turn.
    pub time: Option<Duration>,
    /// A game that is not over by then is ended.
    pub limit: Duration,
    /// How often a game is played again that the referee itself has failed at.
    pub retries: u32,
    /// How often a game is played again that a bot lost on time on a busy machine.
    pub rematches: u32,
    /// Whether the referee's log is to come back.
    pub wants_log: bool,
}

/// Limits as they are written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Limits")]
struct LimitsForm {
    first_turn: Option<Duration>,
    turn: Option<Duration>,
    game: Option<Duration>,
    nodes: Option<u64>,
}

/// Other machines that play games.
pub trait Machines: fmt::Debug + Send + Sync {
    /// Has the games 0 to `count - 1` played and hands each result to `collect`, on this thread and in the order in
    /// which they come, until all are done, `collect` says stop, or `stop` is set. A game without a job is left out.
    /// When this returns no game of these is under way any more that anybody waits for. A result is given up elsewhere
    /// only after `collect` has returned, so that it may be kept first.
    fn share_out(
        &self,
        count: u64,
        stop: &AtomicBool,
        job: &dyn Fn(u64) -> Option<Job>,
        collect: &mut dyn FnMut(u64, Result<Record, String>) -> ControlFlow<()>,
    );

    /// Has a game played that another program referees, and returns what who has played it writes of it, or why nobody
    /// can play it; `None` if `stop` was set before.
    fn play_foreign(&self, job: ForeignJob, stop: &AtomicBool) -> Option<Result<String, String>>;
}

impl JobBot {
    /// An entrant in a form that can be sent. Its files stay where they are.
    #[must_use]
    pub fn of(entrant: &Entrant) -> JobBot {
        let command = |command: &CommandLine, keep_alive| JobProgram::Command {
            words: command.words.clone(),
            folder: command.folder().map(PathBuf::from),
            keep_alive,
        };
        let program = match &entrant.program {
            Program::Bundled { bot, options } => {
                JobProgram::Bundled { bot: bot.clone(), options: options.to_string() }
            }
            Program::Command(line) => command(line, false),
            Program::KeepAlive(line) => command(line, true),
        };
        JobBot { name: entrant.name.clone(), program }
    }

    /// The entrant again.
    ///
    /// # Errors
    /// Options that are none.
    pub fn entrant(&self) -> Result<Entrant, String> {
        let program = match &self.program {
            JobProgram::Bundled { bot, options } => {
                Program::Bundled { bot: bot.clone(), options: Options::parse(options)? }
            }
            JobProgram::Command { words, folder, keep_alive } => {
                let mut command = CommandLine::new(words);
                if let Some(folder) = folder {
                    command = command.within(folder);
                }
                if *keep_alive { Program::KeepAlive(command) } else { Program::Command(command) }
            }
        };
        Ok(Entrant { name: self.name.clone(), program })
    }
}
