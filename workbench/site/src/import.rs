//! Converts files with battles into the games of a log.

use crate::battle::{self, BattleError, Brought};
use crate::rules::{self, RulesError};
use contender_game::contest::Contest;
use contender_input::MAX_TEXT;
use contender_play::{Record, seed};
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A battle that could not be read.
#[derive(Debug)]
pub struct Unread {
    /// The file of the battle. If the file contains several battles, also the battle's position in it.
    pub place: String,
    /// The reason.
    pub error: ImportError,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place.replace(char::is_control, "\u{fffd}"), self.error)
    }
}

/// The reason why a battle could not be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The text is not a battle.
    #[error(transparent)]
    Battle(#[from] BattleError),
    /// A battle of a bundled game that contradicts the game's rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// The options for importing battles.
#[derive(Clone, Copy, Default)]
pub struct ImportOptions<'a> {
    /// The author's name on the site.
    pub me: Option<&'a str>,
    /// Whether the names of all other players are replaced.
    pub is_anonymous: bool,
    /// The name of the game; by default the name in the battle.
    pub game: Option<&'a str>,
    /// The rules with which the battles are replayed, for bundled games.
    pub contest: Option<&'a dyn Contest>,
    /// The folder for the log of each battle in the format of CodinGame's engine.
    pub logs: Option<&'a Path>,
}

/// An import of several files, one after the other, into one log.
pub struct Import<'a> {
    options: ImportOptions<'a>,
    /// The battles that are already in the log.
    known: BTreeSet<(u64, String)>,
    /// The names that replace the players' real names.
    aliases: BTreeMap<String, String>,
}

/// The numbers of battles, counted by what happened to them in the import.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Number of battles that are new in the log.
    pub new: usize,
    /// Number of battles that were already in the log.
    pub known: usize,
}

impl<'a> Import<'a> {
    /// Creates an import into a new log.
    #[must_use]
    pub fn new(options: ImportOptions<'a>) -> Import<'a> {
        Import { options, known: BTreeSet::new(), aliases: BTreeMap::new() }
    }

    /// Notes that a game is already in the log, so that its battle is not added again.
    pub fn add_known(&mut self, record: &Record) {
        self.known.insert(key(record));
    }

    /// Reads the battles in a file, or in all files of a folder. Calls `write` with each new battle.
    ///
    /// # Errors
    /// Returns the errors of `write`. Files and battles that cannot be read are added to `unread`, and reading
    /// continues.
    pub fn read(
        &mut self,
        path: &Path,
        write: &mut dyn FnMut(&Record) -> io::Result<()>,
        unread: &mut dyn FnMut(Unread),
    ) -> io::Result<Counts> {
        let mut counts = Counts::default();
        for path in files(path) {
            let name = path.display().to_string();
            let values = match text(&path).map_err(ImportError::from).and_then(|text| Ok(values(&text)?)) {
                Ok(values) => values,
                Err(error) => {
                    unread(Unread { place: name, error });
                    continue;
                }
            };
            let is_one = values.len() == 1;
            for (place, value) in values {
                let brought = value.and_then(|value| battle::read(&value)).map_err(ImportError::from);
                let own = |brought| self.own(brought, is_one.then_some(path.as_path()));
                match brought.and_then(own) {
                    Ok(record) if self.known.insert(key(&record)) => {
                        write(&record)?;
                        counts.new += 1;
                    }
                    Ok(_) => counts.known += 1,
                    Err(error) => unread(Unread { place: format!("{name}{place}"), error }),
                }
            }
        }
        Ok(counts)
    }

    /// Returns the record of a battle after applying the import options.
    fn own(&mut self, brought: Brought, file: Option<&Path>) -> Result<Record, ImportError> {
        let Brought { mut record, engine_log } = brought;
        let mut found = record.battle.take().unwrap_or_default();
        found.id = found.id.or_else(|| id_in(file?));
        // The site shows only the author's own standard error.
        let talkative: Vec<usize> =
            (0..record.seats.len()).filter(|&seat| !record.seats[seat].stderr.is_empty()).collect();
        found.me = match (self.options.me, talkative.as_slice()) {
            (Some(me), _) => record.seats.iter().position(|seat| seat.bot.eq_ignore_ascii_case(me)),
            (None, [seat]) => Some(*seat),
            _ => None,
        };
        if self.options.is_anonymous {
            for (_, seat) in record.seats.iter_mut().enumerate().filter(|(at, _)| found.me != Some(*at)) {
                let next = format!("player-{}", self.aliases.len() + 1);
                seat.bot = self.aliases.entry(seat.bot.clone()).or_insert(next).clone();
            }
        }
        record.battle = Some(found);
        if let Some(game) = self.options.game {
            record.game = game.to_string();
        }
        if let Some(contest) = self.options.contest {
            rules::replay(contest, &mut record)?;
        }
        if let Some(folder) = self.options.logs {
            fs::create_dir_all(folder)?;
            let name = found_name(&record);
            let path = folder.join(format!("{name}.json"));
            fs::write(&path, engine_log.to_string())?;
            record.engine_log = Some(path.display().to_string());
        }
        Ok(record)
    }
}

fn key(record: &Record) -> (u64, String) {
    (record.seed, record.digest.clone().unwrap_or_default())
}

/// Returns a file name for a battle. It contains the battle's number or seed.
fn found_name(record: &Record) -> String {
    match record.battle.as_ref().and_then(|battle| battle.id) {
        Some(id) => id.to_string(),
        None => format!("seed{}-{}", record.seed.cast_signed(), record.digest.as_deref().unwrap_or_default()),
    }
}

/// Returns the number in a file's name, for example in `replay-901942746.json`.
fn id_in(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?.split('.').next()?;
    let digits = name.rsplit(|letter: char| !letter.is_ascii_digit()).next()?;
    digits.parse().ok().filter(|_| digits.len() >= 5)
}

/// Returns the files of a folder in the order of their names. If the path is a file, returns this file.
fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_path_buf()];
    }
    let is_wanted = |path: &PathBuf| {
        let suffix = path.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
        path.is_file() && ["json", "jsonl", "har", "gz"].contains(&suffix)
    };
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_wanted).collect();
    files.sort();
    files
}

/// Returns the text of a file, which may be gzipped.
fn text(path: &Path) -> io::Result<String> {
    let mut bytes = contender_input::read(path, MAX_TEXT)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(bytes.as_slice())
            .take(MAX_TEXT + 1)
            .read_to_end(&mut unpacked)
            .map_err(|error| io::Error::other(format!("cannot unpack the gzip file: {error}")))?;
        if unpacked.len() as u64 > MAX_TEXT {
            return Err(io::Error::other(format!("it has more than {MAX_TEXT} bytes")));
        }
        bytes = unpacked;
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))?;
    Ok(text.trim_start_matches('\u{feff}').to_string())
}

/// A value that may be a battle, and its place in the file.
type Found = (String, Result<Value, BattleError>);

/// Returns all values in a text that may be battles. The text can be a single value, a list, one value per line, or a
/// file with a browser's network requests (HAR).
fn values(text: &str) -> Result<Vec<Found>, BattleError> {
    let error = match parse(text) {
        Ok(value) => return Ok(values_in(value)),
        Err(error) => error,
    };
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let is_list = lines.next().is_some_and(|(_, line)| parse(line).is_ok_and(|value| value.is_object()));
    if !is_list {
        return Err(error);
    }
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    Ok(lines.map(|(number, line): (usize, _)| (format!(":{number}"), parse(line))).collect())
}

fn parse(text: &str) -> Result<Value, BattleError> {
    serde_json::from_str(text).map_err(|error| BattleError::Json(error.to_string()))
}

fn values_in(value: Value) -> Vec<Found> {
    let numbered = |list: Vec<Result<Value, BattleError>>| {
        (1..).zip(list).map(|(number, value): (usize, _)| (format!(", battle {number}"), value)).collect()
    };
    match value {
        Value::Array(list) => numbered(list.into_iter().map(Ok).collect()),
        value => match value.pointer("/log/entries").and_then(Value::as_array) {
            Some(entries) => numbered(entries.iter().filter_map(answer).collect()),
            None => vec![(String::new(), Ok(value))],
        },
    }
}

/// Returns the battle in the answer of a network request that a browser saved (HAR), if there is one.
fn answer(entry: &Value) -> Option<Result<Value, BattleError>> {
    let text = entry.pointer("/response/content/text")?.as_str()?;
    let value = parse(text);
    let is_battle =
        |value: &Value| value.get("frames").or_else(|| value.pointer("/gameResult/frames")).is_some();
    let address = entry.pointer("/request/url").and_then(Value::as_str).unwrap_or_default();
    let is_asked_for = address.contains("gameResult/findByGameId");
    (is_asked_for || value.as_ref().is_ok_and(is_battle)).then_some(value)
}

/// Returns the number of a battle from the text that the user passed to `fetch`: digits, or an address that ends with
/// digits.
#[must_use]
pub fn id_of(text: &str) -> Option<u64> {
    let text = text.split(['?', '#']).next()?.trim_end_matches('/');
    seed::parse(text.rsplit('/').next()?)
}
