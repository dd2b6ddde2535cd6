//! The results file of a league, which is an SQLite database.

mod adding;
mod claims;
mod entering;
mod form;
mod reading;

pub use adding::{NewBot, Placed};
pub(crate) use claims::{Claim, Runner};
pub(crate) use entering::ImportedPairs;

use self::reading::games_of;
use crate::game::{BotState, LeagueBot, LeagueGame};
use crate::settings::League;
use anyhow::{Context, bail};
use contender_game::contest::Contest;
use contender_input::this_program;
use contender_referee::Entrant;
use rusqlite::{Connection, OpenFlags, params};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The results file of a league.
pub struct Store {
    connection: Connection,
    folder: PathBuf,
    seed: u64,
}

impl Store {
    /// Opens the results file of a league, and creates it if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or has a different format.
    pub fn open(league: &League) -> anyhow::Result<Store> {
        let path = league.database();
        check_size(&path)?;
        let connection = Connection::open(&path).with_context(|| path.display().to_string())?;
        Store::prepared(connection, &league.folder, league.settings.seed)
            .with_context(|| path.display().to_string())
    }

    /// Opens the results file of a league for reading, even if the file cannot be written.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or has a different format.
    pub fn open_to_read(league: &League) -> anyhow::Result<Store> {
        Store::open(league).or_else(|error| {
            let store = Store::read_only(&league.database(), &league.folder, league.settings.seed);
            // If the file cannot be read either, the first error is more helpful.
            store.map_err(|_| error)
        })
    }

    fn read_only(path: &Path, folder: &Path, seed: u64) -> anyhow::Result<Store> {
        check_size(path)?;
        // In a folder that cannot be written, SQLite cannot create its lock file. It then reads only a database that is
        // declared immutable. This would ignore the write-ahead log, so it is only done if the log is empty.
        let log = PathBuf::from(format!("{}-wal", path.display()));
        let is_whole = log.metadata().map_or(true, |meta| meta.len() == 0);
        let escaped = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let how = if is_whole { "?immutable=1" } else { "?mode=ro" };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let path = format!("file:{escaped}{how}");
        let connection = Connection::open_with_flags(&path, flags)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        let connection = form::prepare_to_read(connection, &path)?;
        Ok(Store { connection, folder: folder.to_path_buf(), seed })
    }

    /// Creates a store in memory, which is lost when the value is dropped. It is used to preview an import before the
    /// games are added to a league.
    ///
    /// # Errors
    /// Returns an error if SQLite cannot create the tables.
    pub fn in_memory() -> anyhow::Result<Store> {
        Store::prepared(Connection::open_in_memory()?, Path::new("."), 1)
    }

    fn prepared(mut connection: Connection, folder: &Path, seed: u64) -> anyhow::Result<Store> {
        connection.busy_timeout(Duration::from_secs(30))?;
        // A file from elsewhere may contain anything in its schema.
        connection.pragma_update(None, "trusted_schema", false)?;
        // With a write-ahead log, readers and runners do not wait for each other, and committed data survives the death
        // of the process. A power cut may lose the last games, but does not damage the file.
        let journal: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if journal != "wal" {
            connection.pragma_update(None, "journal_mode", "WAL")?;
        }
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        form::prepare(&mut connection, folder)?;
        Ok(Store { connection, folder: folder.to_path_buf(), seed })
    }

    /// Pauses, resumes or removes a bot. If the bot no longer plays, its planned games are deleted.
    ///
    /// # Errors
    /// Returns an error if the name is unknown, or if the bot should play but has no command.
    pub fn set_state(&mut self, name: &str, state: BotState) -> anyhow::Result<()> {
        let has_no_command = |bot: &LeagueBot| bot.name == name && bot.command.is_empty();
        if state == BotState::Active && self.bots()?.iter().any(has_no_command) {
            bail!(
                "`{name}` cannot play: the bot was imported with its games and has no command\nhint: add \
                 the bot under another name with `{} league add NAME COMMAND`",
                this_program()
            );
        }
        let changed = self.connection.execute(
            "UPDATE bots SET state = ?, changed = ? WHERE name = ?",
            params![state.word(), now(), name],
        )?;
        if changed == 0 {
            let names: Vec<String> = self.bots()?.into_iter().map(|bot| bot.name).collect();
            bail!("unknown bot `{name}`; available: {}", names.join(", "));
        }
        Ok(())
    }

    /// Renames a bot, which keeps its games. The records of earlier games still contain the old name.
    ///
    /// # Errors
    /// Returns an error if the name is unknown, or if the new name is invalid or already used.
    pub fn rename(&mut self, name: &str, new: &str) -> anyhow::Result<()> {
        check_name(new)?;
        if self.bots()?.iter().any(|bot| bot.name == new) {
            bail!("a bot called `{new}` already exists");
        }
        let changed = self.connection.execute("UPDATE bots SET name = ? WHERE name = ?", [new, name])?;
        if changed == 0 {
            bail!("unknown bot `{name}`");
        }
        Ok(())
    }

    /// Returns the bot with this name as an entrant for a referee. The bot's command runs in the league's folder.
    ///
    /// # Errors
    /// Returns an error if the bot is unknown or cannot be run, or if the league's file cannot be read.
    pub fn entrant(&self, contest: &dyn Contest, name: &str) -> anyhow::Result<Entrant> {
        let bots = self.bots()?;
        let Some(bot) = bots.iter().find(|bot| bot.name == name) else {
            let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
            bail!("unknown bot `{name}`; available: {}", names.join(", "));
        };
        Ok(bot.entrant(Some(contest), &self.folder)?)
    }

    /// Returns all bots in the order in which they were added, including removed ones.
    ///
    /// # Errors
    /// Returns an error if the league's file cannot be read.
    pub fn bots(&self) -> anyhow::Result<Vec<LeagueBot>> {
        bots_of(&self.connection)
    }

    /// Returns finished and void games in the order in which they were planned. Records are long, so they are included
    /// only if `with_records` is set.
    ///
    /// # Errors
    /// Returns an error if the league's file cannot be read.
    pub fn games(&self, with_records: bool) -> anyhow::Result<Vec<LeagueGame>> {
        games_of(&self.connection, with_records, "WHERE state IN ('done', 'void')", [])
    }

    /// Returns whether any game is finished or void. This is faster than reading all games.
    ///
    /// # Errors
    /// Returns an error if the league's file cannot be read.
    pub fn has_games(&self) -> anyhow::Result<bool> {
        let query = "SELECT EXISTS (SELECT 1 FROM games WHERE state IN ('done', 'void'))";
        Ok(self.connection.query_row(query, [], |row| row.get(0))?)
    }

    /// Returns the games that runners are playing.
    ///
    /// # Errors
    /// Returns an error if the league's file cannot be read.
    pub fn current(&self) -> anyhow::Result<Vec<LeagueGame>> {
        games_of(&self.connection, false, "WHERE state = 'claimed'", [])
    }

    /// Returns a version number of the file, which changes whenever any process changes the contents.
    ///
    /// # Errors
    /// Returns an error if the league's file cannot be read.
    pub fn version(&self) -> anyhow::Result<(i64, u64)> {
        let others = self.connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
        Ok((others, self.connection.total_changes()))
    }

    /// Returns one game with its record.
    ///
    /// # Errors
    /// Returns an error if the league's file cannot be read.
    pub fn game(&self, id: i64) -> anyhow::Result<Option<LeagueGame>> {
        Ok(games_of(&self.connection, true, "WHERE games.id = ?", [id])?.pop())
    }
}

/// Returns an error if the file is empty, because it may have lost its games in an interrupted copy or on a full disk.
fn check_size(path: &Path) -> anyhow::Result<()> {
    if path.metadata().is_ok_and(|meta| meta.len() == 0) {
        bail!(
            "{} is empty\nhint: restore the file from a backup, or delete the file to start again",
            path.display()
        );
    }
    Ok(())
}

/// Removes control characters from a text that another program wrote, and shortens it for display.
fn printable(text: &str) -> String {
    const MAX_LENGTH: usize = 2000;
    if text.len() <= MAX_LENGTH && text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return text.to_string();
    }
    text.chars()
        .take(MAX_LENGTH)
        .map(|letter| if letter.is_control() { '\u{fffd}' } else { letter })
        .collect()
}

/// Removes characters that control a terminal from a command. Keeps newlines and tabs, because a command may contain a
/// whole program.
fn runnable(command: &str) -> String {
    let is_kept = |letter: char| !letter.is_control() || "\n\t".contains(letter);
    command.chars().map(|letter| if is_kept(letter) { letter } else { '\u{fffd}' }).collect()
}

/// Checks the name of a bot. The names `.` and `..` are not allowed, because folders are named after bots.
fn check_name(name: &str) -> anyhow::Result<()> {
    let is_letter = |letter: char| letter.is_alphanumeric() || "_-.+@#".contains(letter);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_letter) {
        bail!("invalid bot name {name:?}: expected letters, digits and _-.+@#, not starting with a dot");
    }
    Ok(())
}

fn bots_of(connection: &Connection) -> anyhow::Result<Vec<LeagueBot>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, command, state, source, source_sha256, changed FROM bots ORDER BY id",
    )?;
    let bots = statement.query_map([], |row| {
        let source: Option<String> = row.get(4)?;
        let hash: Option<String> = row.get(5)?;
        Ok(LeagueBot {
            id: row.get(0)?,
            name: printable(&row.get::<_, String>(1)?),
            command: runnable(&row.get::<_, String>(2)?),
            state: BotState::of(&row.get::<_, String>(3)?),
            source: source.map(|source| printable(&source)).zip(hash),
            changed: row.get(6)?,
        })
    })?;
    Ok(bots.collect::<Result<_, _>>()?)
}

/// Returns the Unix time in seconds. The time is accurate to a microsecond, so that a bot's changes and games have a
/// definite order.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
