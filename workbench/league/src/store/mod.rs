//! The results on disk: one SQLite file.

mod adding;
mod claims;
mod entering;

pub use adding::{NewBot, Placed};
pub(crate) use claims::{Claim, Runner};
pub(crate) use entering::ImportedPairs;

use crate::game::{Bot, Game, GameState, Seat, State, flaw};
use crate::settings::League;
use anyhow::{Context, bail};
use contender_game::Contest;
use contender_input::this_program;
use contender_referee::Entrant;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The form of the file; a file of another form is refused.
const FORM: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS bots (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    command TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'removed')),
    source TEXT,
    source_sha256 TEXT,
    added INTEGER NOT NULL,
    changed INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS runners (
    id INTEGER PRIMARY KEY,
    pid INTEGER NOT NULL,
    started TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY,
    pair INTEGER,
    luck TEXT,
    zero INTEGER NOT NULL REFERENCES bots (id),
    one INTEGER NOT NULL REFERENCES bots (id),
    state TEXT NOT NULL CHECK (state IN ('planned', 'claimed', 'done', 'void')),
    runner INTEGER REFERENCES runners (id),
    points_zero REAL,
    points_one REAL,
    end_zero TEXT,
    end_one TEXT,
    seconds_zero REAL,
    seconds_one REAL,
    slowest_zero REAL,
    slowest_one REAL,
    finished INTEGER,
    origin TEXT UNIQUE,
    reason TEXT,
    record TEXT
);
CREATE INDEX IF NOT EXISTS games_by_state ON games (state);
";

/// The file of a league.
pub struct Store {
    connection: Connection,
    folder: PathBuf,
    seed: u64,
}

impl Store {
    /// Opens the file of a league, and makes it where there is none.
    ///
    /// # Errors
    /// What SQLite says, or a file of another form.
    pub fn open(league: &League) -> anyhow::Result<Store> {
        let path = league.database();
        check_size(&path)?;
        let connection = Connection::open(&path).with_context(|| path.display().to_string())?;
        Store::prepared(connection, &league.folder, league.settings.seed)
            .with_context(|| path.display().to_string())
    }

    /// Opens the file of a league to read it, which may be one that cannot be written.
    ///
    /// # Errors
    /// What SQLite says, or a file of another form.
    pub fn open_to_read(league: &League) -> anyhow::Result<Store> {
        Store::open(league).or_else(|error| {
            let store = Store::read_only(&league.database(), &league.folder, league.settings.seed);
            // Where it cannot even be read, the first words are the better ones.
            store.map_err(|_| error)
        })
    }

    fn read_only(path: &Path, folder: &Path, seed: u64) -> anyhow::Result<Store> {
        check_size(path)?;
        // Without its lock file, which a folder that cannot be written does not get, SQLite reads only what it is told
        // not to change meanwhile. What is in the write-ahead log only would be missing.
        let log = PathBuf::from(format!("{}-wal", path.display()));
        let is_whole = log.metadata().map_or(true, |meta| meta.len() == 0);
        let escaped = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let how = if is_whole { "?immutable=1" } else { "?mode=ro" };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(format!("file:{escaped}{how}"), flags)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        check_form(&connection)?;
        check_tables(&connection)?;
        Ok(Store { connection, folder: folder.to_path_buf(), seed })
    }

    /// A league's games in memory, gone with the value: what an import makes of a file can be seen before a league has
    /// it.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn in_memory() -> anyhow::Result<Store> {
        Store::prepared(Connection::open_in_memory()?, Path::new("."), 1)
    }

    fn prepared(connection: Connection, folder: &Path, seed: u64) -> anyhow::Result<Store> {
        connection.busy_timeout(Duration::from_secs(30))?;
        // A file from elsewhere may have anything in its schema.
        connection.pragma_update(None, "trusted_schema", false)?;
        // With a write-ahead log readers and runners do not wait for each other, and what is committed survives the
        // death of the process. A power cut may take the last games, but leaves the file whole.
        let journal: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if journal != "wal" {
            connection.pragma_update(None, "journal_mode", "WAL")?;
        }
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        if check_form(&connection)? == 0 {
            connection.execute_batch(SCHEMA)?;
            connection.pragma_update(None, "user_version", FORM)?;
        }
        check_tables(&connection)?;
        // The seats after the second; a file without them is a league, too.
        if !has_more(&connection) {
            connection.execute_batch("ALTER TABLE games ADD COLUMN more TEXT")?;
        }
        Ok(Store { connection, folder: folder.to_path_buf(), seed })
    }

    /// Pauses, resumes or removes a bot. Games that are planned for a bot that does not play are taken back.
    ///
    /// # Errors
    /// An unknown name, or a bot without a command that should play.
    pub fn set_state(&mut self, name: &str, state: State) -> anyhow::Result<()> {
        let has_no_command = |bot: &Bot| bot.name == name && bot.command.is_empty();
        if state == State::Active && self.bots()?.iter().any(has_no_command) {
            bail!(
                "`{name}` cannot play: it came with imported games and has no command\n\
                 hint: add it under another name: {} league add NAME COMMAND",
                this_program()
            );
        }
        let changed = self.connection.execute(
            "UPDATE bots SET state = ?, changed = ? WHERE name = ?",
            params![state.word(), now(), name],
        )?;
        if changed == 0 {
            let names: Vec<String> = self.bots()?.into_iter().map(|bot| bot.name).collect();
            bail!("there is no bot `{name}`; there are: {}", names.join(", "));
        }
        Ok(())
    }

    /// Gives a bot another name. Its games stay its own; the records of those that are played keep the old name.
    ///
    /// # Errors
    /// An unknown name, or a new one that is taken or no name.
    pub fn rename(&mut self, name: &str, new: &str) -> anyhow::Result<()> {
        check_name(new)?;
        if self.bots()?.iter().any(|bot| bot.name == new) {
            bail!("there is a bot `{new}` already");
        }
        let changed = self.connection.execute("UPDATE bots SET name = ? WHERE name = ?", [new, name])?;
        if changed == 0 {
            bail!("there is no bot `{name}`");
        }
        Ok(())
    }

    /// The bot of that name as a referee takes it; its command runs in the league's folder.
    ///
    /// # Errors
    /// No bot of that name, or one that cannot be run; what SQLite says.
    pub fn entrant(&self, contest: &dyn Contest, name: &str) -> anyhow::Result<Entrant> {
        let bots = self.bots()?;
        let Some(bot) = bots.iter().find(|bot| bot.name == name) else {
            let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
            bail!("the league has no bot `{name}`; it has: {}", names.join(", "));
        };
        Ok(bot.entrant(Some(contest), &self.folder)?)
    }

    /// All bots in the order of adding, removed ones included.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn bots(&self) -> anyhow::Result<Vec<Bot>> {
        bots_of(&self.connection)
    }

    /// Finished and void games in the order of planning; with their records if asked for, which are long.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn games(&self, with_records: bool) -> anyhow::Result<Vec<Game>> {
        games_of(&self.connection, with_records, "WHERE state IN ('done', 'void')")
    }

    /// Changes whenever the file does, by whomever.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn version(&self) -> anyhow::Result<(i64, u64)> {
        let others = self.connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
        Ok((others, self.connection.total_changes()))
    }

    /// One game with its record.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn game(&self, id: i64) -> anyhow::Result<Option<Game>> {
        let query = format!("SELECT {} FROM games WHERE id = ?", columns(&self.connection, true));
        Ok(self.connection.query_row(&query, [id], game).optional()?)
    }
}

/// Refuses a file without contents: after an interrupted copy or on a full disk games may have been there.
fn check_size(path: &Path) -> anyhow::Result<()> {
    if path.metadata().is_ok_and(|meta| meta.len() == 0) {
        bail!("{} is empty: put back a copy of it, or delete it to begin anew", path.display());
    }
    Ok(())
}

/// The form of a file; 0 for one that is new.
fn check_form(connection: &Connection) -> anyhow::Result<i64> {
    let form: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if form != 0 && form != FORM {
        bail!("made by another version (form {form}, this is {FORM})");
    }
    Ok(form)
}

/// Refuses a file that is no league's: tables that are missing, or that views and triggers stand in for.
fn check_tables(connection: &Connection) -> anyhow::Result<()> {
    let mut statement = connection.prepare("SELECT type, name FROM sqlite_master WHERE type <> 'index'")?;
    let parts = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let parts = parts.collect::<Result<Vec<(String, String)>, _>>()?;
    const REMEDY: &str = "this is no file of a league: put back a copy of it, or delete it to begin anew";
    if let Some((kind, name)) = parts.iter().find(|(kind, _)| kind != "table") {
        bail!("it has a {kind} `{}`; {REMEDY}", printable(name));
    }
    for table in ["bots", "runners", "games"] {
        if !parts.iter().any(|(_, name)| name == table) {
            bail!("there is no table `{table}`; {REMEDY}");
        }
        let columns = SCHEMA.split(&format!("EXISTS {table} (")).nth(1).unwrap_or_default();
        let columns = columns.split(");").next().unwrap_or_default().lines();
        let names = columns.filter_map(|line| line.split_whitespace().next()).collect::<Vec<_>>().join(", ");
        connection
            .prepare(&format!("SELECT {names} FROM {table}"))
            .with_context(|| format!("the table `{table}` lacks a column; {REMEDY}"))?;
    }
    Ok(())
}

/// What another program may have written, for people: without control characters, and cut where it is long.
fn printable(text: &str) -> String {
    const LONGEST: usize = 2000;
    text.chars().take(LONGEST).map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

/// A command without what steers a terminal. Lines and tabs stay: a program may be all in its command.
fn runnable(command: &str) -> String {
    let is_kept = |letter: char| !letter.is_control() || "\n\t".contains(letter);
    command.chars().map(|letter| if is_kept(letter) { letter } else { '\u{fffd}' }).collect()
}

/// Names become folders, of which `.` and `..` are no new ones.
fn check_name(name: &str) -> anyhow::Result<()> {
    let is_letter = |letter: char| letter.is_alphanumeric() || "_-.+@#".contains(letter);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_letter) {
        bail!("{name:?} is no name for a bot: letters, digits and _-.+@# are, and the first is no dot");
    }
    Ok(())
}

fn bots_of(connection: &Connection) -> anyhow::Result<Vec<Bot>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, command, state, source, source_sha256, changed FROM bots ORDER BY id",
    )?;
    let bots = statement.query_map([], |row| {
        let source: Option<String> = row.get(4)?;
        let hash: Option<String> = row.get(5)?;
        Ok(Bot {
            id: row.get(0)?,
            name: printable(&row.get::<_, String>(1)?),
            command: runnable(&row.get::<_, String>(2)?),
            state: State::of(&row.get::<_, String>(3)?),
            source: source.map(|source| printable(&source)).zip(hash),
            changed: row.get(6)?,
        })
    })?;
    Ok(bots.collect::<Result<_, _>>()?)
}

/// Games in the order of planning; `condition` is a WHERE clause or nothing.
fn games_of(connection: &Connection, with_records: bool, condition: &str) -> anyhow::Result<Vec<Game>> {
    let query = format!("SELECT {} FROM games {condition} ORDER BY id", columns(connection, with_records));
    let mut statement = connection.prepare_cached(&query)?;
    let games = statement.query_map([], game)?;
    Ok(games.collect::<Result<_, _>>()?)
}

/// Whether the file may have games of more than two.
fn has_more(connection: &Connection) -> bool {
    connection.prepare_cached("SELECT more FROM games LIMIT 0").is_ok()
}

/// The columns of every query that [`game`] reads; the record, which is long, only if asked for.
fn columns(connection: &Connection, with_records: bool) -> String {
    let record = if with_records { "record" } else { "NULL AS record" };
    let more = if has_more(connection) { "more" } else { "NULL AS more" };
    format!(
        "id, pair, zero, one, points_zero, points_one, end_zero, end_one, seconds_zero, seconds_one, slowest_zero, \
         slowest_one, state, finished, reason, {more}, {record}"
    )
}

/// A game of the file. One that no rating can take, entered or damaged by another program, stays and counts for
/// nothing.
fn game(row: &Row<'_>) -> rusqlite::Result<Game> {
    let mut cells = Cells { row, flaw: None };
    let [id, zero, one] = ["id", "zero", "one"].map(|name| cells.number(name).unwrap_or_default() as i64);
    let points = ["points_zero", "points_one"].map(|name| cells.number(name).unwrap_or_default());
    let ends = ["end_zero", "end_one"].map(|name| cells.text(name).unwrap_or_default());
    let seconds = ["seconds_zero", "seconds_one"].map(|name| cells.number(name));
    let slowest = ["slowest_zero", "slowest_one"].map(|name| cells.number(name));
    let state = match cells.text("state").as_deref() {
        Some("done") => GameState::Done,
        Some("void") => GameState::Void,
        _ => GameState::Open,
    };
    let (pair, finished) = (cells.number("pair").map(|pair| pair as i64), cells.number("finished"));
    let (reason, record) = (cells.text("reason"), cells.record());
    let text = cells.text("more");
    let more = text.map_or(Some(Vec::new()), |text| Seat::read_all(&text));
    let is_whole = more.is_some();
    let more = more.unwrap_or_default();
    let bots: Vec<i64> = [zero, one].into_iter().chain(more.iter().map(|seat| seat.bot)).collect();
    let is_against_itself = (1..bots.len()).any(|at| bots[..at].contains(&bots[at]));
    let all: Vec<f64> = points.into_iter().chain(more.iter().map(|seat| seat.points)).collect();
    let flaw = match state {
        GameState::Done if !is_whole => Some("its further seats cannot be read".to_string()),
        GameState::Done => cells.flaw.or_else(|| flaw(is_against_itself, &all)),
        _ => None,
    };
    Ok(Game {
        id,
        pair,
        bots: [zero, one],
        points,
        ends,
        seconds,
        slowest,
        more,
        state: if flaw.is_some() { GameState::Void } else { state },
        finished,
        reason: flaw.or(reason),
        record,
    })
}

/// The cells of a row, in which another program may have written anything.
struct Cells<'a, 'b> {
    row: &'a Row<'b>,
    /// The first cell that is not what it should be.
    flaw: Option<String>,
}

impl Cells<'_, '_> {
    fn number(&mut self, name: &str) -> Option<f64> {
        match self.row.get_ref(name) {
            Ok(ValueRef::Integer(number)) => Some(number as f64),
            Ok(ValueRef::Real(number)) => Some(number),
            Ok(ValueRef::Null) => None,
            cell => self.bad(name, cell),
        }
    }

    fn text(&mut self, name: &str) -> Option<String> {
        match self.row.get_ref(name) {
            Ok(ValueRef::Text(text)) => Some(printable(&String::from_utf8_lossy(text))),
            Ok(ValueRef::Null) => None,
            cell => self.bad(name, cell),
        }
    }

    fn record(&mut self) -> Option<String> {
        /// No game is recorded in more bytes.
        const LONGEST: usize = 16 << 20;
        match self.row.get_ref("record") {
            Ok(ValueRef::Text(text)) if text.len() <= LONGEST => {
                Some(String::from_utf8_lossy(text).into_owned())
            }
            Ok(ValueRef::Text(text)) => {
                self.flaw.get_or_insert(format!("its record has {} bytes", text.len()));
                None
            }
            Ok(ValueRef::Null) => None,
            cell => self.bad("record", cell),
        }
    }

    fn bad<T>(&mut self, name: &str, cell: rusqlite::Result<ValueRef<'_>>) -> Option<T> {
        let what = match cell {
            Ok(ValueRef::Text(text)) => {
                format!("`{}`", printable(&String::from_utf8_lossy(&text[..text.len().min(40)])))
            }
            Ok(ValueRef::Blob(bytes)) => format!("{} bytes", bytes.len()),
            Ok(ValueRef::Integer(number)) => number.to_string(),
            Ok(ValueRef::Real(number)) => number.to_string(),
            Ok(ValueRef::Null) => "nothing".to_string(),
            Err(error) => printable(&error.to_string()),
        };
        self.flaw.get_or_insert(format!("{name} is {what}"));
        None
    }
}

/// Seconds since 1970. They are exact to less than a microsecond: what is done to a bot is to come before or after its
/// games.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
