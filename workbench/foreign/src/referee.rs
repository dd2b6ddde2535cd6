//! External referees, and single games that they play.

use crate::ForeignError;
use crate::commands::{self, Call, Contract};
use crate::game_log::{GameLog, MAX_LOG};
use crate::output::{Output, cut};
use crate::server::{Answer, Server};
use contender_play::{
    CommandLine, Ending, Entrant, ExitStatus, Fixture, GameError, Host, Job, Machine, PlayedUnder, RankedBy,
    Record, ReportedFailure, Seat,
};
use contender_referee::{ChildGuard, Isolation, ProcessOutput, StartError, WaitOutcome, all_delays};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Maximum length of a result in bytes.
const MAX_LENGTH: usize = 4 << 20;
/// Number of bytes that are kept from the end of a referee's standard error output.
const SAID: usize = 1 << 14;
/// Number of bytes that are kept from the end of a bot's standard error output.
const LAST_WORDS: usize = 2_000;

/// A program that referees games.
pub struct ExternalReferee {
    /// The name of the game in records and reports: the name of an installed referee, or the command.
    pub name: String,
    /// The possible numbers of bots in a game, if they are known.
    pub seats: RangeInclusive<usize>,
    /// The working folder of the referee and its bots, or `None` for this process's working folder.
    pub within: Option<PathBuf>,
    pub(crate) words: Vec<String>,
    /// The CodinGame league whose rules apply, if the referee has an option for it.
    pub league: Option<u32>,
    /// The bots' time per turn, if the referee has an option for it (`-timeout`).
    pub time: Option<Duration>,
    /// Maximum duration of a game. A longer game is stopped and has no result.
    pub limit: Duration,
    /// Number of times that a game is retried if the referee fails.
    pub retries: u32,
    /// Maximum number of times that a game is replayed because a bot lost on time while the machine was busy.
    pub rematches: u32,
    /// The folder for the logs of games, one file per game. If it is `None`, logs are deleted after they have been
    /// read.
    pub logs: Option<PathBuf>,
    /// The limits for the referee and the bots that it starts. With `None`, these programs have all permissions of the
    /// user.
    pub isolation: Option<Isolation>,
    pub(crate) is_server: bool,
    pub(crate) contract: OnceLock<Contract>,
    /// A lock that is held while the referee's protocol is determined.
    finding: Mutex<()>,
    pub(crate) is_seed_ignored: AtomicBool,
    pub(crate) folder: TempDir,
    /// Idle processes that can play many games.
    servers: Mutex<Vec<Server>>,
}

/// A finished game, with data that only this machine has.
#[derive(Clone, PartialEq, Debug)]
pub struct RefereedGame {
    /// The record.
    pub record: Record,
    /// The seed that the referee used, according to its output.
    pub seed: Option<String>,
    /// The engine's log, if the referee wrote one.
    pub game_log: Option<GameLog>,
}

/// Fraction of a game during which tasks waited for cores, above which the machine may be the reason why a bot was
/// late.
const BUSY: f64 = 0.25;

impl ExternalReferee {
    /// Creates a referee from its command. The command is split into words as in a shell, but it is run without a
    /// shell. A command without placeholders for bots is called like CodinGame's referees or, if this fails, like the
    /// referees of cg-brutaltester.
    ///
    /// # Errors
    /// Returns an error if the command is empty, contains an unclosed quotation mark, or has placeholders only for some
    /// bots, or if there is no folder for temporary files.
    pub fn new(command: &str) -> Result<ExternalReferee, ForeignError> {
        ExternalReferee::of_words(commands::split(command)?, false)
    }

    /// Creates a referee that plays many games in one process, which reads a line of arguments for each game.
    pub(crate) fn server(words: Vec<String>) -> Result<ExternalReferee, ForeignError> {
        ExternalReferee::of_words(words, true)
    }

    pub(crate) fn make_folder_of_logs(&self) -> Result<(), GameError> {
        let Some(folder) = &self.logs else { return Ok(()) };
        std::fs::create_dir_all(folder)
            .map_err(|error| GameError::Busy(format!("cannot create {}: {error}", folder.display())))
    }

    pub(crate) fn of_words(words: Vec<String>, is_server: bool) -> Result<ExternalReferee, ForeignError> {
        if words.is_empty() {
            return Err(ForeignError::EmptyCommand("referee"));
        }
        let contract = OnceLock::new();
        if is_server {
            let _ = contract.set(Contract::CodinGame);
        } else if commands::is_template(&words)? {
            let _ = contract.set(Contract::Template);
        }
        let folder = tempfile::Builder::new().prefix("contender-").tempdir();
        Ok(ExternalReferee {
            name: shell_words::join(&words),
            seats: 2..=8,
            within: None,
            words,
            league: None,
            time: None,
            limit: Duration::from_secs(200),
            retries: 1,
            rematches: 0,
            logs: None,
            isolation: None,
            is_server,
            contract,
            finding: Mutex::new(()),
            is_seed_ignored: AtomicBool::new(false),
            folder: folder.map_err(ForeignError::file("create", &std::env::temp_dir()))?,
            servers: Mutex::default(),
        })
    }

    /// Returns the protocol of the referee's command line. Before the first game, it is known only if the command
    /// itself shows it.
    #[must_use]
    pub fn contract(&self) -> Option<Contract> {
        self.contract.get().copied()
    }

    /// Returns whether the referee has ignored the seed, so that the two games of a pair have different seeds.
    #[must_use]
    pub fn is_seed_ignored(&self) -> bool {
        self.is_seed_ignored.load(Ordering::Relaxed)
    }

    /// Sets the league and the bots' time per turn, if given.
    ///
    /// # Errors
    /// Returns an error if the command has placeholders, because it then takes no options.
    pub fn with(
        mut self,
        league: Option<u32>,
        time: Option<Duration>,
    ) -> Result<ExternalReferee, ForeignError> {
        if (league.is_some() || time.is_some()) && self.contract() == Some(Contract::Template) {
            return Err(ForeignError::NoOptions);
        }
        self.league = league.or(self.league);
        self.time = time;
        Ok(self)
    }

    /// Returns the folder for the logs of games and the scripts that run bots. An [`isolation`](Self::isolation) must
    /// allow both in this folder.
    #[must_use]
    pub fn workplace(&self) -> &Path {
        self.folder.path()
    }

    /// Plays a game on this machine. If the referee or the machine fails, plays the game again
    /// ([`retries`](Self::retries), [`rematches`](Self::rematches)). When this function returns, no process is left
    /// except one that waits for the next game.
    ///
    /// # Errors
    /// Returns an error if the game has no result.
    pub fn play_here(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<RefereedGame, GameError> {
        let mut played = self.play_without_fault(fixture, stop)?;
        for number in 1..=self.rematches {
            if !played.record.is_overloaded() {
                break;
            }
            let mut again = std::mem::take(&mut played.record.again);
            played = self.play_without_fault(fixture, stop)?;
            again.append(&mut played.record.again);
            played.record.again = again;
            played.record.rematches = number;
        }
        Ok(played)
    }

    fn play_without_fault(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<RefereedGame, GameError> {
        let mut again = Vec::new();
        loop {
            match self.once(fixture, stop) {
                Ok(mut played) => {
                    played.record.again = again;
                    return Ok(played);
                }
                Err(GameError::Void { reason, is_final: false, .. })
                    if (again.len() as u32) < self.retries =>
                {
                    again.push(reason);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn once(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<RefereedGame, GameError> {
        if let Some(contract) = self.contract() {
            return self.ask(contract, fixture, stop);
        }
        let _finding = lock(&self.finding);
        match self.contract() {
            Some(contract) => self.ask(contract, fixture, stop),
            None => self.find(fixture, stop),
        }
    }

    /// Plays the first game, and determines the protocol of the referee's command line.
    fn find(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<RefereedGame, GameError> {
        let first = self.ask(Contract::CodinGame, fixture, stop);
        let is_strange = match &first {
            Ok(played) => is_other_seed(played),
            Err(GameError::Void { reason, .. }) => {
                ["option", "argument", "usage", "-seed", "-league"].iter().any(|word| reason.contains(word))
            }
            Err(_) => return first,
        };
        let second = is_strange.then(|| self.ask(Contract::Brutaltester, fixture, stop));
        let (contract, result) = match second {
            Some(Ok(played)) if !(first.is_ok() && is_other_seed(&played)) => {
                (Contract::Brutaltester, Ok(played))
            }
            Some(Err(GameError::Stopped)) => return Err(GameError::Stopped),
            _ => (Contract::CodinGame, first),
        };
        if let Ok(played) = &result {
            self.is_seed_ignored.store(is_other_seed(played), Ordering::Relaxed);
            let _ = self.contract.set(contract);
        }
        result
    }

    fn ask(
        &self,
        contract: Contract,
        fixture: &Fixture,
        stop: &AtomicBool,
    ) -> Result<RefereedGame, GameError> {
        let (start, delays) = (Instant::now(), all_delays());
        let log = self.log_of(fixture);
        let _ = std::fs::remove_file(&log);
        let Question { arguments, words, repeat } = self.question(contract, fixture, &log)?;
        let void = |reason: String, is_final: bool| GameError::Void {
            reason: format!("the referee {reason}"),
            repeat: Some(repeat.clone()),
            is_final,
        };
        let printed = match self.is_server {
            true => self.served(&arguments, stop),
            false => self.run(&words, stop),
        };
        let printed = printed.map_err(|fault| match fault {
            Fault::Stopped => GameError::Stopped,
            Fault::Shortage(reason) => GameError::Busy(reason),
            Fault::Void { reason, is_final } => void(reason, is_final),
        })?;
        let time = start.elapsed();
        let waited = delays.zip(all_delays()).map(|(before, after)| after.saturating_sub(before));
        let busy = waited.map(|waited| (waited.as_secs_f64() / time.as_secs_f64().max(1e-3)).min(1.0));
        let output = Output::read(&printed.text, fixture.seats.len()).map_err(|error| {
            let why = reason_of(&printed.stderr).map_or(String::new(), |why| format!(": {why}"));
            void(format!("{error}{why}"), false)
        })?;
        let written = read_log(&log);
        if self.logs.is_none() {
            let _ = std::fs::remove_file(&log);
        }
        let seat = |(at, bot): (usize, &Entrant)| {
            let stderr = written.as_ref().map_or(String::new(), |log| log.last_words(at, LAST_WORDS));
            Seat {
                bot: bot.name.clone(),
                rank: output.ranks[at],
                points: output.scores.as_ref().map(|scores| scores[at]),
                ending: ending(&output, written.as_ref(), &stderr, busy, at),
                stderr,
                ..Seat::default()
            }
        };
        let record = Record {
            game: self.name.clone(),
            seed: fixture.seed,
            seats: fixture.seats.iter().enumerate().map(seat).collect(),
            attributes: output.attributes(),
            seconds: Some(rounded(time.as_secs_f64())),
            busy: busy.map(rounded),
            engine_log: (self.logs.is_some() && log.exists()).then(|| log.display().to_string()),
            repeat: Some(repeat),
            digest: written.as_ref().map(GameLog::digest),
            ..Record::default()
        };
        Ok(RefereedGame { record, seed: output.seed, game_log: written })
    }

    /// Returns the path for a game's log.
    pub(crate) fn log_of(&self, fixture: &Fixture) -> PathBuf {
        // Two games with the same seed have their bots in different seats.
        let names: Vec<String> = fixture.seats.iter().map(|bot| file_name(&bot.name)).collect();
        let name = format!("{}-{}.json", fixture.seed.cast_signed(), names.join("-"));
        self.logs.as_deref().unwrap_or(self.folder.path()).join(name)
    }

    /// Creates the call for a game.
    ///
    /// # Errors
    /// Returns an error if the referee cannot run one of the bots.
    pub(crate) fn question(
        &self,
        contract: Contract,
        fixture: &Fixture,
        log: &Path,
    ) -> Result<Question, GameError> {
        let call = Call {
            bots: &fixture.seats,
            seed: fixture.seed.cast_signed(),
            league: self.league,
            time: self.time,
            log,
            scripts: self.folder.path(),
        };
        let arguments = match contract {
            Contract::Template => commands::filled(&self.words, &call),
            _ => commands::options(contract, &call).map_err(|reason| GameError::Void {
                reason: format!("cannot run the referee: {reason}"),
                repeat: Some(shell_words::join(&self.words)),
                is_final: true,
            })?,
        };
        let words = match contract {
            Contract::Template => arguments.clone(),
            _ => self.words.iter().cloned().chain(arguments.iter().cloned()).collect(),
        };
        // The command for a replay plays a single game, and writes a log only if logs are kept.
        let mut shown: Vec<&String> =
            words.iter().filter(|word| *word != "-serve" && *word != "-fresh").collect();
        if contract != Contract::Template && self.logs.is_none() {
            shown.truncate(shown.len() - 2);
        }
        let repeat = shell_words::join(shown);
        Ok(Question { arguments, words, repeat })
    }

    /// Runs a process for a single game.
    fn run(&self, words: &[String], stop: &AtomicBool) -> Result<Printed, Fault> {
        let line = self.command(words);
        let mut process = ChildGuard::start_within(&line, [MAX_LENGTH, SAID], self.isolation.as_ref(), true)
            .map_err(Fault::of_start)?;
        process.close_input();
        let waited = process.wait(self.limit, stop, |_| false);
        self.printed(waited, process.end())
    }

    /// Plays the game in a process that plays many games, one after another.
    fn served(&self, arguments: &[String], stop: &AtomicBool) -> Result<Printed, Fault> {
        let known = lock(&self.servers).pop();
        let start = || Server::start(&self.command(&self.words), SAID, self.isolation.as_ref());
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

    fn command(&self, words: &[String]) -> CommandLine {
        let line = CommandLine::new(words);
        self.within.as_deref().map_or(line.clone(), |folder| line.within(folder))
    }

    fn printed(&self, waited: WaitOutcome, remains: ProcessOutput) -> Result<Printed, Fault> {
        let ProcessOutput { output, stderr, status } = remains;
        let is_final = matches!(waited, WaitOutcome::Flood | WaitOutcome::Late) || status.is_none();
        let how = match (waited, status) {
            (WaitOutcome::Stopped, _) => return Err(Fault::Stopped),
            (WaitOutcome::Flood, _) => format!("prints more than {MAX_LENGTH} bytes"),
            (WaitOutcome::Late, _) | (_, None) => format!("has no result after {:?}", self.limit),
            (_, Some(ExitStatus::Code(0))) => {
                return Ok(Printed { text: String::from_utf8_lossy(&output).into_owned(), stderr });
            }
            (_, Some(ExitStatus::Code(code))) => format!("exits with status {code}"),
            (_, Some(ExitStatus::Signal(signal))) => format!("ends by signal {signal}"),
        };
        let reason = reason_of(&stderr).map_or(how.clone(), |why| format!("{how}: {why}"));
        Err(Fault::Void { reason, is_final })
    }
}

/// The data for calling a referee for a game.
pub(crate) struct Question {
    /// The arguments for a process that plays many games.
    arguments: Vec<String>,
    /// The command for a single game.
    words: Vec<String>,
    /// The command that plays the game again.
    pub repeat: String,
}

/// The output of a referee that exited with status 0.
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

impl Host for ExternalReferee {
    fn game(&self) -> &str {
        &self.name
    }

    fn seats(&self) -> RangeInclusive<usize> {
        self.seats.clone()
    }

    fn ranked_by(&self) -> RankedBy {
        RankedBy::Wins
    }

    /// Returns `false`: only places count, because scores can have any meaning and the score of a failed bot is
    /// arbitrary.
    fn has_points(&self) -> bool {
        false
    }

    fn conditions(&self, bots: &[&Entrant]) -> PlayedUnder {
        PlayedUnder {
            turn_seconds: self.time.map(|time| time.as_secs_f64()),
            timed: vec![true; bots.len()],
            rules: self.league.map_or(String::new(), |league| format!("league={league}")),
            play_on: true,
            jobs: 1,
            ..PlayedUnder::default()
        }
    }

    fn identity(&self) -> String {
        format!(
            "{:?}, {:?}, {:?}",
            (&self.words, self.is_server),
            (self.league, self.time, self.limit, self.rematches),
            self.isolation.as_ref().map(Isolation::bounds),
        )
    }

    /// Returns a positive seed below 2^31, which all referees accept.
    fn seed(&self, random: u64) -> u64 {
        drawn_seed(random)
    }

    fn notes(&self) -> Vec<String> {
        let ignored = "the referee ignores the seed, so the two games of a pair have different seeds";
        self.is_seed_ignored().then(|| ignored.to_string()).into_iter().collect()
    }

    fn play(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<Record, GameError> {
        self.make_folder_of_logs()?;
        self.play_here(fixture, stop).map(|played| played.record)
    }

    fn job(&self, fixture: &Fixture) -> Result<Job, GameError> {
        self.job_of(fixture)
    }

    fn answer(
        &self,
        fixture: &Fixture,
        machine: &dyn Fn() -> Machine,
        stop: &AtomicBool,
    ) -> Result<String, GameError> {
        self.answer_of(fixture, machine, stop)
    }

    fn read_answer(&self, fixture: &Fixture, answer: &str) -> Result<Record, GameError> {
        self.read_answer_of(fixture, answer)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Converts a random number to a positive seed below 2^31, which all referees accept.
#[must_use]
pub fn drawn_seed(random: u64) -> u64 {
    (random & 0x7fff_ffff).max(1)
}

fn is_other_seed(played: &RefereedGame) -> bool {
    played.seed.as_deref().is_some_and(|told| told.trim() != played.record.seed.cast_signed().to_string())
}

fn file_name(name: &str) -> String {
    name.chars()
        .take(40)
        .map(|letter| if letter.is_ascii_alphanumeric() || "._".contains(letter) { letter } else { '_' })
        .collect()
}

fn read_log(path: &Path) -> Option<GameLog> {
    let bytes = contender_input::read(path, MAX_LOG).ok()?;
    GameLog::read(&String::from_utf8_lossy(&bytes)).ok()
}

/// Returns the ending of a player. The player has failed if the referee gives it a negative score or reports a failure
/// in another way, or if the engine's log shows a failure.
fn ending(output: &Output, log: Option<&GameLog>, stderr: &str, busy: Option<f64>, seat: usize) -> Ending {
    let by_log = log.and_then(|log| log.failure(seat));
    let is_failed = output.failed[seat];
    let told = by_log.or_else(|| log.filter(|_| is_failed).and_then(|log| log.words_about(seat)));
    let (failure, words) = match told {
        Some(told) => told,
        None if is_failed => (ReportedFailure::Other, String::new()),
        None => return Ending::Normal,
    };
    let failure = match failure {
        // Engines do not distinguish a process that has ended from one that is slow, but its last output does.
        ReportedFailure::Timeout if has_ended(stderr) => ReportedFailure::Exit,
        ReportedFailure::Timeout if busy.is_some_and(|share| share > BUSY) => ReportedFailure::Overloaded,
        failure => failure,
    };
    Ending::Reported { failure, words: cut(&words) }
}

/// Returns whether this is the last output of a program that has exited or could not be started.
fn has_ended(stderr: &str) -> bool {
    const WORDS: [&str; 12] = [
        "Traceback (most recent call last)",
        "SyntaxError",
        "ModuleNotFoundError",
        "Exception in thread",
        "Could not find or load main class",
        "UnsupportedClassVersionError",
        "panicked at",
        "Segmentation fault",
        "core dumped",
        "terminate called",
        "command not found",
        "ReferenceError",
    ];
    WORDS.iter().any(|words| stderr.contains(words))
}

/// Returns the most informative line of a program's standard error output: the last cause in a Java stack trace, or the
/// last line, which contains the reason in Python.
fn reason_of(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if let Some(reason) = lines.iter().find_map(|line| newer_java(line)) {
        return Some(reason);
    }
    let cause = lines.iter().rev().find(|line| line.starts_with("Caused by:"));
    // The lines before the last one contain source code, which may contain any words.
    let is_python = || lines.iter().any(|line| line.starts_with("Traceback (most recent call last)"));
    let exception = || {
        lines
            .iter()
            .find(|line| !line.starts_with("at ") && (line.contains("Exception") || line.contains("Error")))
            .filter(|_| !is_python())
    };
    cause.or_else(exception).or(lines.last()).map(|line| cut(line))
}

/// Returns advice if the line shows that a newer version of Java is needed.
fn newer_java(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("class file version ")?;
    let version = |text: &str| text.split('.').next()?.trim().parse::<u32>().ok()?.checked_sub(44);
    let wanted = version(rest)?;
    let here = line.split_once("up to ").and_then(|(_, rest)| version(rest));
    let here = here.map_or(String::new(), |here| format!(", and the `java` that runs it is Java {here}"));
    Some(format!("needs Java {wanted}{here}: install a JDK of version {wanted} or newer"))
}

/// Rounds to three decimals.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests;
