//! The log of pairs: all that a tuning is made from, and so what it goes on from.
//!
//! A tuning follows from its recipe, its seed and how its pairs ended, so these are kept and nothing else: the first
//! line says whose log it is, then every batch of pairs is written in one piece, with a line at its end. After `kill
//! -9` a torn batch is cut off, and the same pairs are played again.

use crate::{Method, Recipe, Space, Unit};
use anyhow::{Context, Result, bail, ensure};
use contender_input::MAX_DATA;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// The file of the log in a tuning's folder.
pub const LOG: &str = "pairs.jsonl";

/// The result of a pair.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Played {
    /// A's advantage: mean difference in points, or score less a half.
    pub signal: f64,
    /// The failures of A and B.
    #[serde(default, skip_serializing_if = "Outcome::is_fine")]
    pub failed: Outcome,
    /// A fingerprint of its games: repeated games are not new evidence. `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Number of its games that were stopped because they took too many turns.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub endless: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The failures of a pair, in words, of A and of B.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Outcome(pub [Option<String>; 2]);

impl Outcome {
    /// Returns whether neither bot failed.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

/// The first line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The recipe.
    pub recipe: Recipe,
    /// The random seed.
    pub seed: u64,
    /// The recipe's parameters together with the bot's settings.
    pub space: Space,
    /// The unit of strengths.
    pub unit: Unit,
    /// The search method; logs without it are SPSA's.
    #[serde(default)]
    pub method: Method,
    /// Whether the recipe's number of games also bounds the test; not in logs that do not say it.
    #[serde(default)]
    pub is_test_bounded: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Header(Box<Header>),
    Pair(Played),
    /// The end of a batch: its number from 0, and the seconds of running that it took.
    Batch(u64, f64),
}

/// A log that was read.
pub struct Found {
    /// The owner.
    pub header: Header,
    /// The pairs of every whole batch.
    pub batches: Vec<Vec<Played>>,
    /// Seconds of running.
    pub seconds: f64,
    /// Bytes up to the end of the last whole batch.
    whole: u64,
}

/// Reads a log; `None` if it does not exist.
///
/// # Errors
/// A line that is not valid, by number.
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
        // The last line may be torn.
        if line.last() != Some(&b'\n') {
            break;
        }
        let line = serde_json::from_slice(line)
            .with_context(|| format!("{}:{} is not a line of a tuning", path.display(), number + 1))?;
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

/// A log that is written to.
pub struct Writer {
    file: File,
    batches: u64,
}

impl Writer {
    /// Opens the log of a folder for one that goes on with it, or begins it. Nobody else may write to it meanwhile.
    ///
    /// # Errors
    /// If it cannot be written, or another process is at it.
    pub fn open(folder: &Path, header: &Header, read: Option<&Found>) -> Result<Writer> {
        let path = folder.join(LOG);
        let open = || -> Result<Writer> {
            let mut file =
                OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path)?;
            // A bot that is just being started by this process has its open files for a moment.
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

    /// Writes a batch; it is on the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, batch: &[Played], seconds: f64) -> Result<()> {
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
