//! The log of pairs, from which a tuning run is restored.
//!
//! A tuning run is completely determined by the recipe, the seed and the results of the pairs, so the log contains only
//! these. The first line identifies the run. Each batch of pairs is followed by a line that marks its end. After `kill
//! -9`, an incomplete batch is removed, and its pairs are played again.

use crate::{Recipe, Space, TestRecipe, TuneMethod, Unit};
use anyhow::{Context, Result, bail, ensure};
use contender_input::MAX_DATA;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// The name of the log in a tuning run's folder.
pub const LOG: &str = "pairs.jsonl";

/// The result of a pair.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PairResult {
    /// A's advantage: the mean difference in points, or the score minus 0.5.
    pub signal: f64,
    /// The failures of A and B.
    #[serde(default, skip_serializing_if = "Outcome::is_fine")]
    pub failed: Outcome,
    /// A fingerprint of the pair's games, because repeated games are not new evidence; `None` if the moves are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Number of games of the pair that were stopped because they reached the maximum number of turns.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub endless: u64,
    /// Whether a bot lost a game of the pair on time because of delays of the machine. Such a pair does not count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_overloaded: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Descriptions of the failures of A and B in a pair.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Outcome(pub [Option<String>; 2]);

impl Outcome {
    /// Returns whether no bot failed.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

/// The first line of a log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The recipe.
    pub recipe: Recipe,
    /// The random seed.
    pub seed: u64,
    /// The parameters in the recipe, completed with the bot's settings.
    pub space: Space,
    /// The unit of strengths.
    pub unit: Unit,
    /// The search method. Logs without this key used SPSA.
    #[serde(default)]
    pub method: TuneMethod,
    /// Whether the number of games in the recipe also limits the test. Logs without this key did not limit the test.
    #[serde(default)]
    pub is_test_bounded: bool,
}

impl Header {
    /// Returns whether the pairs of both runs vary equally, because they have the same bots and conditions.
    #[must_use]
    pub fn plays_like(&self, other: &Header) -> bool {
        let games = |header: &Header| Recipe {
            screen: false,
            method: None,
            precision: None,
            confidence: 0.0,
            games: None,
            stake: None,
            noise: None,
            test: TestRecipe::default(),
            ..header.recipe.clone()
        };
        self.unit == other.unit && self.space == other.space && games(self) == games(other)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Header(Box<Header>),
    Pair(PairResult),
    /// The end of a batch: its number (starting at 0) and the running time in seconds.
    Batch(u64, f64),
}

/// The contents of a log.
pub struct Found {
    /// The first line.
    pub header: Header,
    /// The pairs in each complete batch.
    pub batches: Vec<Vec<PairResult>>,
    /// Running time in seconds.
    pub seconds: f64,
    /// Size of the log in bytes, up to the end of the last complete batch.
    whole: u64,
}

/// Reads a log. Returns `None` if it does not exist.
///
/// # Errors
/// Returns an error with the line number if a line is invalid.
pub fn read(folder: &Path) -> Result<Option<Found>> {
    let path = folder.join(LOG);
    let text = match contender_input::read(&path, MAX_DATA) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let mut found: Option<Found> = None;
    let mut batch = Vec::new();
    let mut at = 0;
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        at += line.len() as u64;
        // The last line may be incomplete.
        if line.last() != Some(&b'\n') {
            break;
        }
        let line = serde_json::from_slice(line).with_context(|| {
            format!("{}:{} is not a valid line of a tuning log", path.display(), number + 1)
        })?;
        match (line, &mut found) {
            (Line::Header(header), None) => {
                found = Some(Found { header: *header, batches: Vec::new(), seconds: 0.0, whole: at });
            }
            (Line::Pair(played), Some(_)) => batch.push(played),
            (Line::Batch(of, seconds), Some(log)) if of == log.batches.len() as u64 => {
                log.batches.push(std::mem::take(&mut batch));
                log.seconds += seconds;
                log.whole = at;
            }
            _ => bail!("{}:{} does not match the lines before it", path.display(), number + 1),
        }
    }
    Ok(found)
}

/// A log that is open for writing.
pub struct Writer {
    file: File,
    batches: u64,
}

impl Writer {
    /// Opens the log in a folder to start or resume a tuning run. Only one process may write to the log at a time.
    ///
    /// # Errors
    /// Returns an error if the log cannot be written, or if another process is writing to it.
    pub fn open(folder: &Path, header: &Header, read: Option<&Found>) -> Result<Writer> {
        let path = folder.join(LOG);
        let open = || -> Result<Writer> {
            let mut file =
                OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path)?;
            // A bot that this process is just starting holds its open files for a moment.
            let mut tries = (0..20).map(|_| std::thread::sleep(Duration::from_millis(50)));
            while file.try_lock().is_err() {
                ensure!(tries.next().is_some(), "another `tune` process is writing to this folder");
            }
            match read {
                Some(read) => {
                    file.set_len(read.whole)?;
                    file.seek(SeekFrom::End(0))?;
                }
                None => {
                    file.set_len(0)?;
                    file.write_all(
                        (serde_json::to_string(&Line::Header(Box::new(header.clone())))? + "\n").as_bytes(),
                    )?;
                    file.sync_data()?;
                }
            }
            Ok(Writer { file, batches: read.map_or(0, |read| read.batches.len() as u64) })
        };
        open().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Writes a batch. When this function returns, the batch has been written to disk.
    ///
    /// # Errors
    /// Returns an error if the batch cannot be written.
    pub fn write(&mut self, batch: &[PairResult], seconds: f64) -> Result<()> {
        let mut text = String::new();
        for played in batch {
            text += &(serde_json::to_string(&Line::Pair(played.clone()))? + "\n");
        }
        text += &(serde_json::to_string(&Line::Batch(self.batches, seconds))? + "\n");
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data())
            .with_context(|| format!("cannot write {LOG}"))?;
        self.batches += 1;
        Ok(())
    }
}
