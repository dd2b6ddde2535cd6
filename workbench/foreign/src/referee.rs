//! One game by a referee that is another program.

use crate::commands::{self, Bot, Call, Contract};
use crate::game_log::{Failure, GameLog, LONGEST_LOG};
use crate::output::{Output, cut};
use crate::server::{Answer, Server};
use contender_referee::{
    CommandLine, ExitStatus, Isolation, Machine, Machines, Remains, StartError, Supervised, Waited,
    all_delays,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A longer result, in bytes, is not read to its end.
const LONGEST: usize = 4 << 20;
/// Of what a referee says on standard error the end is looked at.
const SAID: usize = 1 << 14;
/// Of what a bot said on standard error the end is kept.
const LAST_WORDS: usize = 2_000;

/// A program that referees games of a number of players.
pub struct ForeignReferee {
    pub(crate) words: Vec<String>,
    /// CodinGame's league, where the referee takes one.
    pub league: Option<u32>,
    /// A bot's time a turn, where the referee takes one (`-timeout`).
    pub time: Option<Duration>,
    /// A game that is not over by then is ended, and void.
    pub limit: Duration,
    /// How often a game is played again that the referee itself has failed at.
    pub retries: u32,
    /// How many times a game is played again that a bot lost on time while the machine had too much to do.
    pub rematches: u32,
    /// Where the logs of games are kept, one file each; without it they are read and thrown away.
    pub logs: Option<PathBuf>,
    /// What the referee and the bots that it starts may use of this machine; `None` for all that the user may.
    pub isolation: Option<Isolation>,
    /// Where games are played, if not on this machine.
    pub(crate) machines: Option<Arc<dyn Machines>>,
    pub(crate) is_server: bool,
    pub(crate) contract: OnceLock<Contract>,
    /// Held while the contract is found out.
    finding: Mutex<()>,
    pub(crate) is_seed_ignored: AtomicBool,
    pub(crate) folder: TempDir,
    /// Processes that play game after game, and wait for the next one.
    servers: Mutex<Vec<Server>>,
}

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    /// The players by seat, two to four as a rule.
    pub bots: &'a [&'a Bot],
    /// All luck; the referee gets 31 bits of it, never 0.
    pub seed: u64,
    /// The folder in which referee and bots run; `None` for that of this process.
    pub folder: Option<&'a Path>,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// What the referee has said.
    pub output: Output,
    /// How each player's part ended, by seat.
    pub ends: Vec<End>,
    /// The end of what each player wrote to standard error, as far as the log tells, by seat.
    pub stderr: Vec<String>,
    /// From start to result.
    pub time: Duration,
    /// In which share of that time some task of this machine waited for a core, where that is known.
    pub busy: Option<f64>,
    /// The game's log, if the referee wrote one.
    #[serde(skip)]
    pub game_log: Option<GameLog>,
    /// Its file, if logs are kept.
    #[serde(skip)]
    pub log: Option<PathBuf>,
    /// The command that plays the game again.
    pub repeat: String,
    /// How the referee itself has failed at this game before.
    pub again: Vec<String>,
    /// Which machine has played it, if not this one.
    pub machine: Option<Machine>,
}

/// A machine on which tasks waited for cores in so large a share of a game may be why a bot was late.
pub(crate) const BUSY: f64 = 0.25;

impl Played {
    /// How a player's part ended, as the endings of our own referee's games are called: `overloaded` is a timeout that
    /// may be the fault of a machine that had too much to do.
    #[must_use]
    pub fn ending(&self, seat: usize) -> &'static str {
        match self.ends[seat].name() {
            "timeout" if self.busy.is_some_and(|share| share > BUSY) => "overloaded",
            name => name,
        }
    }

    /// Whether a player lost on time in a game in which the machine had too much to do.
    fn is_overloaded(&self) -> bool {
        (0..self.ends.len()).any(|seat| self.ending(seat) == "overloaded")
    }
}

/// How a player's part ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum End {
    /// It played to the end.
    Normal,
    /// The referee has ended it.
    Failed {
        /// Of what kind, by the referee's words.
        failure: Failure,
        /// The referee's words, if there are any.
        words: String,
    },
}

/// Why there is no result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NoResult {
    /// The game was stopped from outside.
    Stopped,
    /// The machine is short of something for the moment, in words for the user.
    Shortage(String),
    /// The referee's fault, or that of how it is called.
    Void {
        /// In words that follow "the referee".
        reason: String,
        /// The command that shows it again.
        repeat: String,
        /// Whether another try would be a waste of time: it hangs, floods, or cannot be started.
        is_final: bool,
    },
}

impl std::fmt::Display for NoResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoResult::Stopped => f.write_str("the game was stopped"),
            NoResult::Shortage(reason) => f.write_str(reason),
            NoResult::Void { reason, repeat, .. } => write!(f, "the referee {reason}; again: {repeat}"),
        }
    }
}

impl ForeignReferee {
    /// A referee by its command, split into words as a shell does; no shell runs. Without placeholders for bots it is
    /// asked as CodinGame's referees are, and as cg-brutaltester asks if it does not take that.
    ///
    /// # Errors
    /// Bad quotes, no words, placeholders for some bots only; or no folder for temporary files.
    pub fn new(command: &str) -> Result<ForeignReferee, String> {
        let words = shell_words::split(command)
            .map_err(|error| format!("cannot split the referee's command: {error}"))?;
        ForeignReferee::of_words(words, false)
    }

    /// A referee that plays game after game in one process, a line of arguments each.
    pub(crate) fn server(words: Vec<String>) -> Result<ForeignReferee, String> {
        ForeignReferee::of_words(words, true)
    }

    pub(crate) fn of_words(words: Vec<String>, is_server: bool) -> Result<ForeignReferee, String> {
        if words.is_empty() {
            return Err("the referee's command is empty".to_string());
        }
        let contract = OnceLock::new();
        if is_server {
            let _ = contract.set(Contract::CodinGame);
        } else if commands::is_template(&words)? {
            let _ = contract.set(Contract::Template);
        }
        let folder = tempfile::Builder::new().prefix("contender-").tempdir();
        Ok(ForeignReferee {
            words,
            league: None,
            time: None,
            limit: Duration::from_secs(200),
            retries: 1,
            rematches: 0,
            logs: None,
            isolation: None,
            machines: None,
            is_server,
            contract,
            finding: Mutex::new(()),
            is_seed_ignored: AtomicBool::new(false),
            folder: folder.map_err(|error| format!("no folder for temporary files: {error}"))?,
            servers: Mutex::default(),
        })
    }

    /// How it is asked; `None` before the first game, where the command does not tell.
    #[must_use]
    pub fn contract(&self) -> Option<Contract> {
        self.contract.get().copied()
    }

    /// Whether it has played with other seeds than it was given: its games do not share luck.
    #[must_use]
    pub fn is_seed_ignored(&self) -> bool {
        self.is_seed_ignored.load(Ordering::Relaxed)
    }

    /// Sets a league and a bot's time a turn, each where it is wanted.
    ///
    /// # Errors
    /// A command that says itself how it is called takes neither, in words for the user.
    pub fn with(mut self, league: Option<u32>, time: Option<Duration>) -> Result<ForeignReferee, String> {
        if (league.is_some() || time.is_some()) && self.contract() == Some(Contract::Template) {
            return Err(
                "a command with placeholders takes no league and no time: write them into it".to_string()
            );
        }
        self.league = league.or(self.league);
        self.time = time;
        Ok(self)
    }

    /// The folder in which the logs of games are written, and the scripts that run bots: both are to be had there under
    /// [`isolation`](Self::isolation).
    #[must_use]
    pub fn workplace(&self) -> &Path {
        self.folder.path()
    }

    /// Plays a game, or has it played [elsewhere](Self::play_on), and again (see [`retries`](Self::retries) and
    /// [`rematches`](Self::rematches)) where the referee itself or the machine has failed. Nothing that it has started
    /// is left when this returns, but for a process that waits for the next game.
    ///
    /// # Errors
    /// Why there is no result.
    pub fn play(&self, game: Game<'_>, stop: &AtomicBool) -> Result<Played, NoResult> {
        if let Some(machines) = &self.machines {
            return self.play_there(&**machines, game, stop);
        }
        let mut played = self.play_without_fault(game, stop)?;
        for _ in 0..self.rematches {
            if !played.is_overloaded() {
                break;
            }
            played = self.play_without_fault(game, stop)?;
        }
        Ok(played)
    }

    fn play_without_fault(&self, game: Game<'_>, stop: &AtomicBool) -> Result<Played, NoResult> {
        let mut again = Vec::new();
        loop {
            match self.once(game, stop) {
                Ok(played) => return Ok(Played { again, ..played }),
                Err(NoResult::Void { reason, is_final: false, .. })
                    if (again.len() as u32) < self.retries =>
                {
                    again.push(reason);
                }
                Err(no_result) => return Err(no_result),
            }
        }
    }

    fn once(&self, game: Game<'_>, stop: &AtomicBool) -> Result<Played, NoResult> {
        if let Some(contract) = self.contract() {
            return self.ask(contract, game, stop);
        }
        let _finding = lock(&self.finding);
        match self.contract() {
            Some(contract) => self.ask(contract, game, stop),
            None => self.find(game, stop),
        }
    }

    /// Plays the first game, and finds out how the referee is to be asked.
    fn find(&self, game: Game<'_>, stop: &AtomicBool) -> Result<Played, NoResult> {
        let first = self.ask(Contract::CodinGame, game, stop);
        let is_strange = match &first {
            Ok(played) => is_other_seed(played, game),
            Err(NoResult::Void { reason, .. }) => {
                ["option", "argument", "usage", "-seed", "-league"].iter().any(|word| reason.contains(word))
            }
            Err(_) => return first,
        };
        let second = is_strange.then(|| self.ask(Contract::Brutaltester, game, stop));
        let (contract, result) = match second {
            Some(Ok(played)) if !(first.is_ok() && is_other_seed(&played, game)) => {
                (Contract::Brutaltester, Ok(played))
            }
            Some(Err(NoResult::Stopped)) => return Err(NoResult::Stopped),
            _ => (Contract::CodinGame, first),
        };
        if let Ok(played) = &result {
            self.is_seed_ignored.store(is_other_seed(played, game), Ordering::Relaxed);
            let _ = self.contract.set(contract);
        }
        result
    }

    fn ask(&self, contract: Contract, game: Game<'_>, stop: &AtomicBool) -> Result<Played, NoResult> {
        let (start, delays) = (Instant::now(), all_delays());
        let log = self.log_of(game);
        let _ = std::fs::remove_file(&log);
        let Question { arguments, words, repeat } = self.question(contract, game, &log)?;
        let void =
            |reason: String, is_final: bool| NoResult::Void { reason, repeat: repeat.clone(), is_final };
        let printed = match self.is_server {
            true => self.served(&arguments, game.folder, stop),
            false => self.run(&words, game.folder, stop),
        };
        let printed = printed.map_err(|fault| match fault {
            Fault::Stopped => NoResult::Stopped,
            Fault::Shortage(reason) => NoResult::Shortage(reason),
            Fault::Void { reason, is_final } => void(reason, is_final),
        })?;
        let time = start.elapsed();
        let waited = delays.zip(all_delays()).map(|(before, after)| after.saturating_sub(before));
        let busy = waited.map(|waited| (waited.as_secs_f64() / time.as_secs_f64().max(1e-3)).min(1.0));
        let output = Output::read(&printed.text, game.bots.len()).map_err(|reason| {
            let why = reason_of(&printed.stderr);
            void(why.map_or(reason.clone(), |why| format!("{reason}: {why}")), false)
        })?;
        let written = read_log(&log);
        let ends = (0..game.bots.len()).map(|seat| end(&output, written.as_ref(), seat)).collect();
        let said =
            |seat: usize| written.as_ref().map_or(String::new(), |log| log.last_words(seat, LAST_WORDS));
        let stderr = (0..game.bots.len()).map(said).collect();
        if self.logs.is_none() {
            let _ = std::fs::remove_file(&log);
        }
        let log = self.logs.is_some().then_some(log).filter(|log| log.exists());
        Ok(Played {
            output,
            ends,
            stderr,
            time,
            busy,
            game_log: written,
            log,
            repeat,
            again: Vec::new(),
            machine: None,
        })
    }

    /// Where a game's log is written.
    pub(crate) fn log_of(&self, game: Game<'_>) -> PathBuf {
        // Two games of one seed have their bots in other seats.
        let names: Vec<String> = game.bots.iter().map(|bot| file_name(&bot.name)).collect();
        let name = format!("{}-{}.json", seed(game), names.join("-"));
        self.logs.as_deref().unwrap_or(self.folder.path()).join(name)
    }

    /// How a game is asked for.
    ///
    /// # Errors
    /// A bot that the referee cannot be told of.
    pub(crate) fn question(
        &self,
        contract: Contract,
        game: Game<'_>,
        log: &Path,
    ) -> Result<Question, NoResult> {
        let call = Call {
            bots: game.bots,
            seed: seed(game),
            league: self.league,
            time: self.time,
            log,
            scripts: self.folder.path(),
        };
        let arguments = match contract {
            Contract::Template => commands::filled(&self.words, &call),
            _ => commands::options(contract, &call).map_err(|reason| NoResult::Void {
                reason: format!("cannot be asked: {reason}"),
                repeat: shell_words::join(&self.words),
                is_final: true,
            })?,
        };
        let words = match contract {
            Contract::Template => arguments.clone(),
            _ => self.words.iter().cloned().chain(arguments.iter().cloned()).collect(),
        };
        // Once more it is one game, and writes a log only where logs are kept.
        let mut shown: Vec<&String> =
            words.iter().filter(|word| *word != "-serve" && *word != "-fresh").collect();
        if contract != Contract::Template && self.logs.is_none() {
            shown.truncate(shown.len() - 2);
        }
        let repeat = shell_words::join(shown);
        Ok(Question { arguments, words, repeat })
    }

    /// A process for this game.
    fn run(&self, words: &[String], folder: Option<&Path>, stop: &AtomicBool) -> Result<Printed, Fault> {
        let line = within(words, folder);
        let mut process = Supervised::start_within(&line, [LONGEST, SAID], self.isolation.as_ref(), true)
            .map_err(Fault::of_start)?;
        process.close_input();
        let waited = process.wait(self.limit, stop, |_| false);
        self.printed(waited, process.end())
    }

    /// A process that is asked for many games, one after the other.
    fn served(
        &self,
        arguments: &[String],
        folder: Option<&Path>,
        stop: &AtomicBool,
    ) -> Result<Printed, Fault> {
        let known = lock(&self.servers).pop();
        let start = || Server::start(&within(&self.words, folder), SAID, self.isolation.as_ref());
        let server = known.map_or_else(start, Ok).map_err(Fault::of_start)?;
        let (answer, server) = server.play(arguments, self.limit, stop);
        if let Some(server) = server {
            lock(&self.servers).push(server);
        }
        match answer {
            Answer::Lines(text) => Ok(Printed { text, stderr: String::new() }),
            Answer::Gone { waited, remains } => {
                let printed = self.printed(waited, remains)?;
                let why = reason_of(&printed.stderr).unwrap_or_else(|| "ends without a result".to_string());
                Err(Fault::Void { reason: why, is_final: false })
            }
        }
    }

    fn printed(&self, waited: Waited, remains: Remains) -> Result<Printed, Fault> {
        let Remains { output, stderr, status } = remains;
        let is_final = matches!(waited, Waited::Flood | Waited::Late) || status.is_none();
        let how = match (waited, status) {
            (Waited::Stopped, _) => return Err(Fault::Stopped),
            (Waited::Flood, _) => format!("prints more than {LONGEST} bytes"),
            (Waited::Late, _) | (_, None) => format!("has no result after {:?}", self.limit),
            (_, Some(ExitStatus::Code(0))) => {
                return Ok(Printed { text: String::from_utf8_lossy(&output).into_owned(), stderr });
            }
            (_, Some(ExitStatus::Code(code))) => format!("leaves with status {code}"),
            (_, Some(ExitStatus::Signal(signal))) => format!("ends by signal {signal}"),
        };
        let reason = reason_of(&stderr).map_or(how.clone(), |why| format!("{how}: {why}"));
        Err(Fault::Void { reason, is_final })
    }
}

/// How a game is asked for.
pub(crate) struct Question {
    /// What a server is told.
    arguments: Vec<String>,
    /// What is run for one game.
    words: Vec<String>,
    /// The command that plays the game again.
    pub repeat: String,
}

/// What a referee has printed before it left with status 0.
struct Printed {
    text: String,
    stderr: String,
}

enum Fault {
    Stopped,
    Shortage(String),
    Void { reason: String, is_final: bool },
}

impl Fault {
    fn of_start(error: StartError) -> Fault {
        match error {
            StartError::Program(reason) => {
                Fault::Void { reason: format!("cannot start: {reason}"), is_final: true }
            }
            StartError::Machine(reason) => Fault::Shortage(reason),
        }
    }
}

fn within(words: &[String], folder: Option<&Path>) -> CommandLine {
    let line = CommandLine::new(words);
    folder.map_or(line.clone(), |folder| line.within(folder))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As referees write it, most of which count in signed numbers.
fn seed(game: Game<'_>) -> i64 {
    game.seed.cast_signed()
}

/// A seed from a random number: positive and below 2^31, which all referees take.
#[must_use]
pub fn drawn_seed(luck: u64) -> u64 {
    (luck & 0x7fff_ffff).max(1)
}

fn is_other_seed(played: &Played, game: Game<'_>) -> bool {
    played.output.seed.as_deref().is_some_and(|told| told.trim() != seed(game).to_string())
}

fn file_name(name: &str) -> String {
    name.chars()
        .take(40)
        .map(|letter| if letter.is_ascii_alphanumeric() || "._".contains(letter) { letter } else { '_' })
        .collect()
}

fn read_log(path: &Path) -> Option<GameLog> {
    let bytes = contender_input::read(path, LONGEST_LOG).ok()?;
    GameLog::read(&String::from_utf8_lossy(&bytes)).ok()
}

fn end(output: &Output, log: Option<&GameLog>, seat: usize) -> End {
    if !output.failed[seat] {
        return End::Normal;
    }
    let words = log.and_then(|log| log.failure(seat)).unwrap_or_default();
    End::Failed { failure: Failure::of(&words), words: cut(&words) }
}

/// The line of what a program wrote to standard error that says most: the last cause of a stack trace of Java's, or the
/// last line, which it is in Python's.
fn reason_of(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if let Some(reason) = lines.iter().find_map(|line| newer_java(line)) {
        return Some(reason);
    }
    let cause = lines.iter().rev().find(|line| line.starts_with("Caused by:"));
    // Its lines before the last are of the source, and name whatever they name.
    let is_python = || lines.iter().any(|line| line.starts_with("Traceback (most recent call last)"));
    let exception = || {
        lines
            .iter()
            .find(|line| !line.starts_with("at ") && (line.contains("Exception") || line.contains("Error")))
            .filter(|_| !is_python())
    };
    cause.or_else(exception).or(lines.last()).map(|line| cut(line))
}

/// What to do about classes that this Java is too old for.
fn newer_java(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("class file version ")?;
    let version = |text: &str| text.split('.').next()?.trim().parse::<u32>().ok()?.checked_sub(44);
    let wanted = version(rest)?;
    let here = line.split_once("up to ").and_then(|(_, rest)| version(rest));
    let here = here.map_or(String::new(), |here| format!(", and the `java` that runs it is Java {here}"));
    Some(format!("needs Java {wanted}{here}: install a JDK of version {wanted} or newer"))
}

#[cfg(test)]
mod tests;
