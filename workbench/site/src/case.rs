//! Turns of battles as tests of a bot: the input up to the turn, and the answers that the bot should or should not
//! give.

use crate::ghost;
use crate::rules::{self, RulesError};
use contender_foreign::ExternalReferee;
use contender_game::contest::Contest;
use contender_play::{CommandLine, GameError, Record};
use contender_referee::{ChildGuard, StartError, WaitOutcome};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Maximum number of bytes that are read from a bot's output in a case.
const MAX_OUTPUT: usize = 4 << 20;
/// Number of bytes that are kept of a bot's standard error.
const MAX_STDERR: usize = 2_000;

/// A case: a bot's input, and the answers that the bot should or should not give.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// A description of the battle for display.
    pub battle: String,
    /// The turn, counted from 1.
    pub turn: usize,
    /// Total number of lines in the answers before the turn.
    pub lines_before: usize,
    /// Number of lines in the answer.
    pub lines: usize,
    /// Allowed answers. The bot must give one of them; if the list is empty, any answer is allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<String>,
    /// Answers that the bot must not give.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<String>,
    /// The bot's input up to the turn.
    pub input: String,
}

/// The reason why a case cannot be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// A turn that does not occur in the battle.
    #[error("there is no turn {turn}: the bot gave only {turns} answers")]
    Turn {
        /// The requested turn.
        turn: usize,
        /// Number of answers that the bot gave.
        turns: usize,
    },
    /// The battle could not be replayed.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A battle of a bundled game that contradicts the game's rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The referee sent no input to the bot.
    #[error("the referee sent nothing to seat {0} in this turn")]
    NoInput(usize),
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A file that is not a case.
    #[error("{}: not a case: {reason}", path.display())]
    NotACase {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// The reason why a bot fails a case.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaseFailure {
    /// The bot cannot be started.
    #[error("cannot start: {0}")]
    Start(StartError),
    /// The run was stopped from outside.
    #[error("stopped")]
    Stopped,
    /// The bot ended before it answered.
    #[error("ends without an answer{}", last_words(stderr))]
    Ended {
        /// The last line that the bot wrote to standard error.
        stderr: String,
    },
    /// The bot did not answer in time.
    #[error("no answer within {time:?}{}", last_words(stderr))]
    Late {
        /// The time limit.
        time: Duration,
        /// The last line that the bot wrote to standard error.
        stderr: String,
    },
    /// The bot gave an answer that it must avoid.
    #[error("answers `{0}` again")]
    Avoided(String),
    /// The bot gave an answer that is not one of the expected answers.
    #[error("answers `{answer}`, expected `{}`", expect.join("` or `"))]
    Unexpected {
        /// The answer.
        answer: String,
        /// The expected answers.
        expect: Vec<String>,
    },
}

fn last_words(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("; stderr: {stderr}") }
}

/// The source of a bot's input.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// The rules of the bundled game.
    Rules(&'a dyn Contest),
    /// An external referee, which replays the battle.
    Referee(&'a ExternalReferee),
}

impl Case {
    /// Creates the case for a turn, which is counted from 1. If `expect` is empty, the bot must not repeat the answer
    /// that it gave in the battle.
    ///
    /// # Errors
    /// Returns an error if the turn does not occur in the battle, or if the battle cannot be replayed.
    pub fn of(
        record: &Record,
        seat: usize,
        turn: usize,
        expect: &[String],
        source: Source<'_>,
        stop: &AtomicBool,
    ) -> Result<Case, CaseError> {
        let outputs = &record.seats[seat].outputs;
        if turn == 0 || turn > outputs.len() {
            return Err(CaseError::Turn { turn, turns: outputs.len() });
        }
        let input = match source {
            Source::Rules(contest) => rules::input(contest, record, seat, turn)?,
            Source::Referee(referee) => heard(record, seat, turn, referee, stop)?,
        };
        if input.is_empty() {
            return Err(CaseError::NoInput(seat));
        }
        let count = |answer: &String| answer.lines().count().max(1);
        let recorded = &outputs[turn - 1];
        let id = record.battle.as_ref().and_then(|battle| battle.id);
        let id = id.map_or(String::new(), |id| format!(" {id}"));
        let names = record.bots().join(" - ");
        let avoid = expect.is_empty() && !recorded.is_empty();
        Ok(Case {
            battle: format!("{}{id}, seed {}, {names}, seat {seat}", record.game, record.seed.cast_signed()),
            turn,
            lines_before: outputs[..turn - 1].iter().map(count).sum(),
            lines: count(recorded),
            expect: expect.to_vec(),
            avoid: avoid.then(|| recorded.clone()).into_iter().collect(),
            input,
        })
    }

    /// Reads all cases in a folder, sorted by name.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or is not a case.
    pub fn read_all(folder: &Path) -> Result<Vec<(String, Case)>, CaseError> {
        let failed = |path: &Path, error| CaseError::File { path: path.to_path_buf(), error };
        let entries = fs::read_dir(folder).map_err(|error| failed(folder, error))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|suffix| suffix == "json"));
        paths.sort();
        let read = |path: PathBuf| {
            let text = contender_input::read_text(&path).map_err(|error| failed(&path, error))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let case = serde_json::from_str(&text)
                .map_err(|error| CaseError::NotACase { path, reason: error.to_string() })?;
            Ok((name, case))
        };
        paths.into_iter().map(read).collect()
    }

    /// Runs a bot on the input of the case.
    ///
    /// # Errors
    /// Returns the reason why the bot fails the case.
    pub fn run(&self, bot: &CommandLine, time: Duration, stop: &AtomicBool) -> Result<(), CaseFailure> {
        let mut process = ChildGuard::start(bot, MAX_OUTPUT, MAX_STDERR).map_err(CaseFailure::Start)?;
        process.send(self.input.as_bytes());
        let wanted = self.lines_before + self.lines;
        let has_answered = |output: &[u8]| output.iter().filter(|byte| **byte == b'\n').count() >= wanted;
        let waited = process.wait(time, stop, has_answered);
        let ended = process.end();
        let output = String::from_utf8_lossy(&ended.output);
        let lines: Vec<&str> = output.lines().skip(self.lines_before).take(self.lines).collect();
        if lines.len() < self.lines {
            let stderr = ended.stderr.lines().last().unwrap_or_default().to_string();
            return Err(match waited {
                WaitOutcome::Stopped => CaseFailure::Stopped,
                WaitOutcome::Ended => CaseFailure::Ended { stderr },
                _ => CaseFailure::Late { time, stderr },
            });
        }
        let answer = lines.join("\n");
        let is = |other: &String| words(other) == words(&answer);
        if self.avoid.iter().any(is) {
            return Err(CaseFailure::Avoided(answer));
        }
        if !self.expect.is_empty() && !self.expect.iter().any(is) {
            return Err(CaseFailure::Unexpected { answer, expect: self.expect.clone() });
        }
        Ok(())
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Returns a bot's input up to a turn. In the replay, the bot does not answer in this turn, so the referee waits and
/// sends nothing more.
fn heard(
    record: &Record,
    seat: usize,
    turn: usize,
    referee: &ExternalReferee,
    stop: &AtomicBool,
) -> Result<String, CaseError> {
    let path = referee.workplace().join(format!("heard-{seat}-{turn}"));
    let cut = ghost::Cut { seat, turns: turn - 1, heard: &path };
    ghost::play(record, Some(cut), referee, stop)?;
    let heard = fs::read(&path).map_err(|error| CaseError::File { path: path.clone(), error })?;
    let _ = fs::remove_file(&path);
    Ok(String::from_utf8_lossy(&heard).into_owned())
}
