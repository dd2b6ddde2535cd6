//! Import of games from match logs, tables published by CodeCup, and psyleague's files.

use crate::game::{ImportedGame, SeatResult, flaw, ranked, seats_of_ranks, seats_of_record};
use crate::store::{ImportedPairs, Store};
use anyhow::{Context, bail};
use contender_foreign::GameOutput;
use contender_game::contest::Contest;
use contender_referee::Record;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The progress of an import.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// Number of games that are new in the league.
    pub new: u64,
    /// Number of games that the league already contains.
    pub known: u64,
    /// The first [`MAX_PROBLEMS`] skipped lines, with their positions and the reasons.
    pub problems: Vec<String>,
    /// Number of skipped lines.
    pub passed_over: u64,
    /// Number of bytes read.
    pub bytes: u64,
}

/// Maximum number of skipped lines that are reported individually.
pub const MAX_PROBLEMS: usize = 1000;

/// Number of games, or of bytes of input, that are committed together. Committed games are kept even if the import
/// fails later.
const BATCH: usize = 10_000;
const BATCH_BYTES: u64 = 16 << 20;

/// Maximum length of a line in bytes. Longer lines are skipped.
const MAX_LINE: u64 = 16 << 20;

/// Imports the games from a file into the league. Skips games that the league already contains, and lines that are not
/// games. If the rules are known, also skips games that violate the rules. Unknown bots are added and paused. Two games
/// with the same seed and swapped seats become a pair, as in `contender match`. The closure `observe` receives the
/// progress from time to time, and can stop the import by returning `false`.
///
/// The first line of the file determines its format:
///
/// - JSON lines with [`Record`]s
/// - JSON lines from psyleague (`.games`), with games of two or more players, for which only the ranks count
/// - CSV with either one row per game (`User1`, `Score1`, `Status1`, ...) or one row per player in a game (`Game`,
///   `User`, `Score`, `Status`)
///
/// # Errors
/// Returns an error if the file cannot be read or has an unknown format, or if the league's file cannot be read or
/// written.
pub fn import(
    store: &mut Store,
    path: &Path,
    game: &str,
    observe: &mut dyn FnMut(&Imported) -> bool,
) -> anyhow::Result<Imported> {
    let at = path.display().to_string();
    let file = contender_input::open(path).with_context(|| format!("cannot read {at}"))?;
    Import::new(store, &at, game, observe).read(BufReader::new(file)).with_context(|| format!("reading {at}"))
}

/// Imports games from a text, like [`import`]. `at` is the name of the text in problem reports.
///
/// # Errors
/// Returns an error if the text has an unknown format, or if the league's file cannot be read or written.
pub fn import_text(store: &mut Store, text: &str, at: &str, game: &str) -> anyhow::Result<Imported> {
    Import::new(store, at, game, &mut |_| true).read(text.as_bytes())
}

/// Skips the remaining part of the line, and returns the number of skipped bytes.
fn skip_line(text: &mut impl BufRead) -> std::io::Result<u64> {
    let mut skipped = 0;
    loop {
        let piece = text.fill_buf()?;
        let end = piece.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(piece.len(), |end| end + 1);
        text.consume(length);
        skipped += length as u64;
        if end.is_some() || length == 0 {
            return Ok(skipped);
        }
    }
}

/// An import in progress.
struct Import<'a> {
    store: &'a mut Store,
    pairs: ImportedPairs,
    at: &'a str,
    game: &'a str,
    contest: Option<&'static dyn Contest>,
    observe: &'a mut dyn FnMut(&Imported) -> bool,
    imported: Imported,
    batch: Vec<ImportedGame>,
    /// Number of bytes that had been read when the last batch was committed.
    entered: u64,
}

impl<'a> Import<'a> {
    fn new(
        store: &'a mut Store,
        at: &'a str,
        game: &'a str,
        observe: &'a mut dyn FnMut(&Imported) -> bool,
    ) -> Import<'a> {
        let (pairs, contest) = (ImportedPairs::default(), contender_catalogue::find(game));
        let (imported, batch) = (Imported::default(), Vec::new());
        Import { store, pairs, at, game, contest, observe, imported, batch, entered: 0 }
    }

    fn read(mut self, mut text: impl BufRead) -> anyhow::Result<Imported> {
        self.pairs = self.store.imported_pairs()?;
        let first = text.fill_buf()?;
        if first.starts_with(b"{") {
            self.lines(text)?;
        } else if first.starts_with(b"Game,") {
            self.table(text)?;
        } else {
            bail!(
                "{}:1: unknown format: expected a log of games (JSON lines) or a published table (CSV)",
                self.at
            );
        }
        self.enter()?;
        Ok(self.imported)
    }

    /// Adds a game, or records the reason why it is skipped. Returns whether the import should continue.
    fn take(
        &mut self,
        game: Result<ImportedGame, String>,
        place: impl FnOnce() -> String,
    ) -> anyhow::Result<bool> {
        match game {
            Ok(game) => self.batch.push(game),
            Err(reason) => {
                self.imported.passed_over += 1;
                if self.imported.problems.len() < MAX_PROBLEMS {
                    self.imported.problems.push(format!("{}:{}:{reason}", self.at, place()));
                }
            }
        }
        let is_full = self.batch.len() >= BATCH || self.imported.bytes - self.entered >= BATCH_BYTES;
        if is_full { self.enter() } else { Ok(true) }
    }

    /// Commits all games that were read since the last batch. Returns whether the import should continue.
    fn enter(&mut self) -> anyhow::Result<bool> {
        if self.batch.is_empty() {
            return Ok(true);
        }
        let new = self.store.import(&self.batch, &mut self.pairs)?;
        self.imported.new += new;
        self.imported.known += self.batch.len() as u64 - new;
        self.batch.clear();
        self.entered = self.imported.bytes;
        Ok((self.observe)(&self.imported))
    }

    /// Imports JSON lines.
    fn lines(&mut self, mut text: impl BufRead) -> anyhow::Result<()> {
        let mut origins = Origins::default();
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            if text.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            self.imported.bytes += bytes.len() as u64;
            if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
                self.imported.bytes += skip_line(&mut text)?;
                let reason = format!(" a line of more than {MAX_LINE} bytes");
                if !self.take(Err(reason), || number.to_string())? {
                    break;
                }
                continue;
            }
            let line = String::from_utf8_lossy(&bytes);
            if line.trim().is_empty() {
                continue;
            }
            let read = self.line(line.trim_end(), &mut origins);
            let read = read.and_then(|game| game.checked().map_err(|reason| format!(" {reason}")));
            if !self.take(read, || number.to_string())? {
                break;
            }
        }
        Ok(())
    }

    fn line(&self, line: &str, origins: &mut Origins) -> Result<ImportedGame, String> {
        match Record::from_json(line) {
            // Games from contests have two seats with points.
            Ok(record) if record.game.is_empty() || record.seats.len() != 2 || !record.has_points() => self
                .report(line, origins)
                .unwrap_or_else(|| Err(" not a game of a two-player contest".to_string())),
            Ok(record) if record.game != self.game => {
                Err(format!(" a game of {}, but this is a {} league", record.game, self.game))
            }
            Ok(record) if record.interrupted => Err(" the game was interrupted".to_string()),
            Ok(record) => {
                if let Some(contest) = self.contest {
                    record.check(contest).map_err(|reason| format!(" {reason}"))?;
                }
                Ok(ImportedGame {
                    names: record.bots().into_iter().map(str::to_string).collect(),
                    seats: seats_of_record(&record, true),
                    // Keep the line, because it may contain unknown keys.
                    record: Some(line.to_string()),
                    seed: Some(record.seed),
                    origin: origins.of("log", line),
                    former_origin: None,
                })
            }
            Err(error) => self
                .report(line, origins)
                .unwrap_or_else(|| Err(format!("{}: {}", error.column.max(1), error.reason))),
        }
    }

    /// Parses a game in psyleague's format, or returns `None` if the line is not a game.
    fn report(&self, line: &str, origins: &mut Origins) -> Option<Result<ImportedGame, String>> {
        let report = GameOutput::read(line).ok()?;
        Some(psyleague(&report, origins.of("psyleague", line)).map_err(|reason| format!(" {reason}")))
    }

    /// Imports a published table.
    fn table(&mut self, text: impl BufRead) -> anyhow::Result<()> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
        let header = reader.headers().with_context(|| self.at.to_string())?.clone();
        let Some(form) = Form::of(&header) else {
            bail!(
                "{}:1: missing columns: expected User1, Score1, Status1, User2, Score2, Status2, or \
                 Game, User, Score, Status",
                self.at
            );
        };
        let (mut origins, mut former_origins) = (Origins::default(), Origins::default());
        let mut open: HashMap<String, Open> = HashMap::new();
        for row in reader.records() {
            let row = match row {
                Ok(row) => row,
                Err(error) if error.is_io_error() => return Err(error.into()),
                Err(error) => {
                    self.take(Err(format!(" {error}")), || "0".to_string())?;
                    continue;
                }
            };
            let line = row.position().map_or(0, csv::Position::line) as usize;
            self.imported.bytes = row.position().map_or(0, csv::Position::byte);
            let content = row.iter().collect::<Vec<_>>().join(",");
            let side = |columns: [usize; 3]| {
                let [name, points, status] = columns.map(|column| row.get(column).map(str::to_string));
                Some([name?, points?, status?])
            };
            let complete = match form {
                Form::Games([zero, one]) => side(zero)
                    .zip(side(one))
                    .map(|(zero, one)| ([zero, one], origins.of("table", &content), None)),
                Form::Players(game, columns) => match row.get(game).zip(side(columns)) {
                    None => None,
                    Some((game, side)) => {
                        let Some(first) = open.remove(game) else {
                            open.insert(game.to_string(), Open { line, side, content });
                            continue;
                        };
                        let both = format!("{}\n{content}", first.content);
                        // Older leagues identify such a game by its second row alone.
                        let former = former_origins.of("table", &content);
                        Some(([first.side, side], origins.of("table", &both), Some(former)))
                    }
                },
            };
            let read = match complete {
                Some((sides, origin, former)) => published(sides, origin, former),
                None => Err(format!("{} fields, but the header has {}", row.len(), header.len())),
            };
            let read = read.and_then(ImportedGame::checked).map_err(|reason| format!(" {reason}"));
            if !self.take(read, || line.to_string())? {
                return Ok(());
            }
        }
        self.refuse_incomplete(open.into_values().collect())
    }

    /// Reports the rows of a table whose games have no second row.
    fn refuse_incomplete(&mut self, mut rows: Vec<Open>) -> anyhow::Result<()> {
        rows.sort_unstable_by_key(|row| row.line);
        for Open { line, side: [user, ..], .. } in rows {
            let reason = format!(" the opponent of {user} is missing");
            self.take(Err(reason), || line.to_string())?;
        }
        Ok(())
    }
}

impl ImportedGame {
    /// Checks that the game can be added to a league: all names can be displayed, and the game can be rated.
    fn checked(self) -> Result<ImportedGame, String> {
        if let Some(name) = self.names.iter().find(|name| name.is_empty() || name.contains(char::is_control))
        {
            return Err(format!("invalid bot name {name:?}"));
        }
        // Bots are compared by name as long as they have no numbers in the file.
        let number =
            |name: &String| self.names.iter().position(|other| other == name).unwrap_or_default() as i64;
        let with_number =
            |(seat, name): (&SeatResult, &String)| SeatResult { bot: number(name), ..seat.clone() };
        let seats: Vec<SeatResult> = self.seats.iter().zip(&self.names).map(with_number).collect();
        flaw(&seats).map_or(Ok(self), Err)
    }
}

/// A generator for the identities of games. An identity is a hash of the content, with a counter for games with equal
/// content.
#[derive(Default)]
struct Origins(HashMap<String, u64>);

impl Origins {
    fn of(&mut self, kind: &str, content: &str) -> String {
        let hash: String =
            Sha256::digest(content.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let name = format!("{kind}:{hash}");
        let count = self.0.entry(name.clone()).or_insert(0);
        *count += 1;
        format!("{name}:{count}")
    }
}

/// Converts a line of psyleague's `.games`. Values that bots printed are converted to the format of records.
fn psyleague(report: &GameOutput, origin: String) -> Result<ImportedGame, String> {
    let players = report.players.len();
    if report.ranks.len() != players {
        return Err(format!("{} ranks for {players} bots", report.ranks.len()));
    }
    if players < 2 {
        return Err(format!("a game with only {players} players"));
    }
    let ending = |seat: usize| if report.has_failed(seat) { "failure" } else { "normal" }.to_string();
    let attributes = report.attributes();
    let record = json!({ "ranks": report.ranks, "errors": report.errors, "attributes": attributes });
    Ok(ImportedGame {
        names: report.players.clone(),
        seats: seats_of_ranks(&report.ranks, ending),
        record: Some(record.to_string()),
        seed: None,
        origin,
        former_origin: None,
    })
}

/// The layout of a published table, with the columns for the name, points and status of each player. Other columns are
/// ignored.
#[derive(Clone, Copy)]
enum Form {
    /// One row per game.
    Games([[usize; 3]; 2]),
    /// One row per player. The first number is the column with the game's name.
    Players(usize, [usize; 3]),
}

impl Form {
    fn of(header: &csv::StringRecord) -> Option<Form> {
        let column = |name: &str| header.iter().position(|field| field == name);
        let columns = |names: [&str; 3]| {
            let [name, points, status] = names.map(column);
            Some([name?, points?, status?])
        };
        let zero = columns(["User1", "Score1", "Status1"]);
        match zero.zip(columns(["User2", "Score2", "Status2"])) {
            Some((zero, one)) => Some(Form::Games([zero, one])),
            None => Some(Form::Players(column("Game")?, columns(["User", "Score", "Status"])?)),
        }
    }
}

/// The row of a game's first player, stored until the second player's row is read.
struct Open {
    line: usize,
    side: [String; 3],
    content: String,
}

/// Converts a game from a published table, given the name, the points and the status of each player.
fn published(
    sides: [[String; 3]; 2],
    origin: String,
    former_origin: Option<String>,
) -> Result<ImportedGame, String> {
    let seat = |[_, points, status]: &[String; 3]| {
        let ending = match status.as_str() {
            "WIN" | "DRAW" | "LOSE" => "normal".to_string(),
            failure => failure.to_lowercase(),
        };
        Some(SeatResult { points: points.parse().ok()?, ending, ..SeatResult::planned(0) })
    };
    let Some(seats) = sides.iter().map(seat).collect() else {
        let [[_, zero, _], [_, one, _]] = sides;
        return Err(format!("`{zero}` or `{one}` is not a number"));
    };
    let names = sides.into_iter().map(|[name, ..]| name).collect();
    Ok(ImportedGame { names, seats: ranked(seats), record: None, seed: None, origin, former_origin })
}
