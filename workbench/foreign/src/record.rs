//! A finished game as one line of JSON.
//!
//! | key | value |
//! |---|---|
//! | `seed` | the luck, as the referee got it |
//! | `players` | the names by seat |
//! | `ranks` | by seat, 0 for the best, equal numbers for a tie |
//! | `scores` | by seat, as the referee prints them; left out where it tells ranks only |
//! | `end` | by seat, `"normal"`, or `"timeout"`, `"illegal"` or `"failure"` by the referee's words |
//! | `words` | by seat, the referee's words of a failure |
//! | `stderr` | by seat, the end of what the player wrote to standard error |
//! | `seconds` | from start to result |
//! | `busy` | in which share of that time some task of the machine waited for a core, where the system counts it |
//! | `log` | the file of the engine's log, if logs are kept |
//! | `repeat` | the command that plays the game again |
//! | `again` | how the referee itself failed at this game before, if it did |
//! | `machine` | which machine has played it, if not the one that keeps the log |

use crate::Bot;
use crate::game_log::Failure;
use crate::referee::{BUSY, End, Played};
use contender_referee::Machine;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The luck, as the referee got it.
    pub seed: u64,
    /// Names by seat.
    pub players: Vec<String>,
    /// 0 for the best, equal numbers for a tie, by seat.
    pub ranks: Vec<u32>,
    /// Scores by seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<f64>>,
    /// How each part ended, in a word.
    pub end: Vec<String>,
    /// The referee's words of failures.
    #[serde(default)]
    pub words: Vec<String>,
    /// The end of standard error.
    #[serde(default)]
    pub stderr: Vec<String>,
    /// From start to result.
    pub seconds: f64,
    /// In which share of the time some task of the machine waited for a core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<f64>,
    /// The file of the engine's log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// Plays it again.
    pub repeat: String,
    /// How the referee itself failed at it before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<String>,
    /// Which machine has played it, if not the one that keeps the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

impl End {
    /// Its word in records: as the endings of our own referee's games are called.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            End::Normal => "normal",
            End::Failed { failure: Failure::Timeout, .. } => "timeout",
            End::Failed { failure: Failure::Illegal, .. } => "illegal",
            End::Failed { failure: Failure::Other, .. } => "failure",
        }
    }
}

impl Record {
    /// Whether a player lost on time in a game in which the machine had too much to do.
    #[must_use]
    pub fn is_late_on_a_busy_machine(&self, seat: usize) -> bool {
        self.end[seat] == "timeout" && self.busy.is_some_and(|share| share > BUSY)
    }

    /// A game that was just played.
    #[must_use]
    pub fn of(played: &Played, bots: &[&Bot], seed: u64) -> Record {
        let words = |end: &End| match end {
            End::Normal => String::new(),
            End::Failed { words, .. } => words.clone(),
        };
        Record {
            seed,
            players: bots.iter().map(|bot| bot.name.clone()).collect(),
            ranks: played.output.ranks.clone(),
            scores: played.output.scores.clone(),
            end: played.ends.iter().map(|end| end.name().to_string()).collect(),
            words: played.ends.iter().map(words).collect(),
            stderr: played.stderr.clone(),
            seconds: (played.time.as_secs_f64() * 1000.0).round() / 1000.0,
            busy: played.busy.map(|share| (share * 1000.0).round() / 1000.0),
            log: played.log.as_ref().map(|path| path.display().to_string()),
            repeat: played.repeat.clone(),
            again: played.again.clone(),
            machine: played.machine.clone(),
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    /// Why it is no game, in words for the user.
    pub fn read(line: &str) -> Result<Record, String> {
        let record: Record = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let players = record.players.len();
        let is_whole = record.ranks.len() == players
            && record.end.len() == players
            && record.scores.as_ref().is_none_or(|scores| scores.len() == players)
            && (2..=8).contains(&players);
        if is_whole {
            Ok(record)
        } else {
            Err("the lists of players, ranks, scores and ends have different lengths".to_string())
        }
    }

    /// Reads a log; lines that are no games are left out, with their numbers and reasons.
    ///
    /// # Errors
    /// What the reader says.
    pub fn read_all(log: impl BufRead) -> io::Result<(Vec<Record>, Vec<String>)> {
        let (mut games, mut problems) = (Vec::new(), Vec::new());
        let (mut log, mut bytes) = (log, Vec::new());
        for at in 0.. {
            if contender_input::read_line(&mut log, &mut bytes)? == 0 {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            if line.trim().is_empty() {
                continue;
            }
            match Record::read(&line) {
                Ok(game) => games.push(game),
                Err(reason) => problems.push(format!("line {}: {reason}", at + 1)),
            }
        }
        Ok((games, problems))
    }

    /// Appends it to a log, whole and flushed.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_to(&self, log: &mut dyn Write) -> io::Result<()> {
        let mut line = serde_json::to_string(self).map_err(io::Error::other)?;
        line.push('\n');
        log.write_all(line.as_bytes())?;
        log.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_written_and_read() {
        let text = r#"{"seed":7,"players":["a","b"],"ranks":[0,1],"scores":[3.0,-1.0],"end":["normal","timeout"],"words":["","timeout"],"stderr":["",""],"seconds":1.5,"repeat":"java"}"#;
        let record = Record::read(text).unwrap();
        let mut log = Vec::new();
        record.write_to(&mut log).unwrap();
        assert_eq!(String::from_utf8(log.clone()).unwrap(), format!("{text}\n"));
        log.extend(b"\n{\"seed\":7\n");
        log.extend(text.replace("[0,1]", "[0]").as_bytes());
        let (games, problems) = Record::read_all(log.as_slice()).unwrap();
        assert_eq!(games, [record]);
        assert!(
            problems[0].starts_with("line 3: ") && problems[1].contains("different lengths"),
            "{problems:?}"
        );
    }
}
