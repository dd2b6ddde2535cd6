//! The format of a league's file: the tables, checks for files from other sources, and the conversion of files in the
//! previous format.

use super::claims::living_runners;
use anyhow::{Context, bail};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::fs;
use std::path::Path;

/// The number of the current file format. Files in newer formats cause an error.
pub(super) const FORM: i64 = 2;
/// The number of the previous format, in which a game has two seats, and a text contains all additional seats.
const BEFORE: i64 = 1;

/// The SQL statements that create the tables. A seat has no result until its game has been played.
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
    state TEXT NOT NULL CHECK (state IN ('planned', 'claimed', 'done', 'void')),
    runner INTEGER REFERENCES runners (id),
    finished INTEGER,
    origin TEXT UNIQUE,
    reason TEXT,
    record TEXT
);
CREATE TABLE IF NOT EXISTS seats (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    bot INTEGER NOT NULL REFERENCES bots (id),
    rank INTEGER,
    points REAL,
    ending TEXT,
    ms REAL,
    slowest_ms REAL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS games_by_state ON games (state);
";

/// The file name for the copy of a file in the previous format.
const COPY: &str = "league.sqlite.form-1";
const TABLES: [&str; 4] = ["bots", "runners", "games", "seats"];

/// Creates the tables in a new file. Converts a file in the previous format, after saving a copy in the league's
/// folder, `folder`.
pub(super) fn prepare(connection: &mut Connection, folder: &Path) -> anyhow::Result<()> {
    match form(connection)? {
        0 => {
            connection.execute_batch(SCHEMA)?;
            connection.pragma_update(None, "user_version", FORM)?;
        }
        FORM => {}
        _ => {
            // Foreign keys are off, because rows that another program has added may have invalid references. They are
            // kept.
            connection.pragma_update(None, "foreign_keys", false)?;
            migrate(connection, folder)
                .context("its games cannot be converted to the format of this version")?;
        }
    }
    check_tables(connection)?;
    // When a planned game is deleted, its seats are deleted too.
    Ok(connection.pragma_update(None, "foreign_keys", true)?)
}

/// Prepares a connection to a file in either format for reading only. A file in the previous format is converted in
/// memory.
pub(super) fn prepare_to_read(connection: Connection, path: &str) -> anyhow::Result<Connection> {
    if form(&connection)? == FORM {
        check_tables(&connection)?;
        return Ok(connection);
    }
    check_parts(&connection, &TABLES[..3])?;
    let flags = OpenFlags::default() | OpenFlags::SQLITE_OPEN_URI;
    let mut copy = Connection::open_in_memory_with_flags(flags)?;
    copy.pragma_update(None, "trusted_schema", false)?;
    copy.execute("ATTACH ? AS file", [path])?;
    for table in &TABLES[..3] {
        copy.execute_batch(&format!("CREATE TABLE {table} AS SELECT * FROM file.{table}"))?;
    }
    copy.execute_batch("DETACH file")?;
    copy.pragma_update(None, "user_version", BEFORE)?;
    prepare(&mut copy, Path::new("."))?;
    Ok(copy)
}

/// Returns the format of a file, or 0 if the file is new.
fn form(connection: &Connection) -> anyhow::Result<i64> {
    let form: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if ![0, BEFORE, FORM].contains(&form) {
        bail!("made by another version (its format is {form}, but this version needs {FORM})");
    }
    Ok(form)
}

/// Writes a copy of a file in the previous format.
fn keep_copy(file: &str, folder: &Path) -> anyhow::Result<()> {
    let copy = folder.join(COPY);
    let part = folder.join(format!("{COPY}.part"));
    let _ = fs::remove_file(&part);
    let reader = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    reader.execute("VACUUM INTO ?", [part.display().to_string()])?;
    let kept = fs::rename(&part, &copy).with_context(|| format!("cannot write {}", copy.display()));
    let _ = fs::remove_file(&part);
    kept
}

/// Converts a file from the previous format to the current one in a single transaction. If the process dies during the
/// conversion, the file does not change.
fn migrate(connection: &mut Connection, folder: &Path) -> anyhow::Result<()> {
    // A database in memory has no path.
    let file = connection.path().filter(|path| !path.is_empty()).map(str::to_string);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have converted the file in the meantime.
    if form(&transaction)? == FORM {
        return Ok(());
    }
    check_parts(&transaction, &TABLES[..3])?;
    if let Some(file) = file {
        if living_runners(&transaction, folder)? > 0 {
            bail!("a runner of an older version is using it: stop this runner first");
        }
        // No process can write during this transaction, so the copy contains the current state of the file.
        keep_copy(&file, folder)?;
    }
    // Files from even older versions have only two seats per game.
    let has_more = transaction.prepare("SELECT more FROM games LIMIT 0").is_ok();
    transaction.execute_batch("DROP INDEX IF EXISTS games_by_state; ALTER TABLE games RENAME TO former;")?;
    transaction.execute_batch(SCHEMA)?;
    transaction.execute_batch(
        "INSERT INTO games SELECT id, pair, luck, state, runner, finished, origin, reason, record FROM former;",
    )?;
    for (seat, name) in ["zero", "one"].into_iter().enumerate() {
        // A value that is not a number is kept unchanged, and is reported later as the flaw of the game.
        let ms = |column: &str| {
            format!(
                "CASE WHEN typeof({column}_{name}) IN ('integer', 'real') THEN 1000.0 * {column}_{name} ELSE {column}_{name} END"
            )
        };
        transaction.execute_batch(&format!(
            "INSERT INTO seats SELECT id, {seat}, {name}, NULL, points_{name}, end_{name}, {}, {} FROM former;",
            ms("seconds"),
            ms("slowest")
        ))?;
    }
    if has_more {
        transaction.execute_batch(&format!(
            "UPDATE games SET state = 'void', reason = 'its further seats cannot be read'
                 WHERE id IN (SELECT former.id FROM former WHERE NOT {IS_LIST_OF_SEATS});
             UPDATE former SET more = NULL WHERE NOT {IS_LIST_OF_SEATS};
             INSERT INTO seats
                 SELECT former.id, 2 + of.key, IFNULL(of.value ->> 0, 0), NULL, of.value ->> 1, of.value ->> 2, NULL, NULL
                 FROM former, json_each(former.more) AS of;"
        ))?;
    }
    transaction.execute_batch(&format!(
        "UPDATE seats SET rank = (SELECT COUNT(*) FROM seats AS other WHERE other.game = seats.game AND other.points > seats.points)
             WHERE points IS NOT NULL;
         DROP TABLE former;
         PRAGMA user_version = {FORM};"
    ))?;
    Ok(transaction.commit()?)
}

/// SQL condition: `more`, in which the previous format keeps further seats, is missing or is a JSON list of lists.
const IS_LIST_OF_SEATS: &str = "CASE WHEN more IS NULL THEN 1 WHEN NOT json_valid(more) THEN 0
    ELSE json_type(more) = 'array' AND NOT EXISTS (SELECT 1 FROM json_each(more) WHERE type <> 'array') END";

/// Returns an error if the file is not a league's file, because tables are missing or have been replaced by views or
/// triggers.
fn check_tables(connection: &Connection) -> anyhow::Result<()> {
    check_parts(connection, &TABLES)?;
    for table in TABLES {
        let columns = SCHEMA.split(&format!("EXISTS {table} (")).nth(1).unwrap_or_default();
        let columns = columns.split(");").next().unwrap_or_default().lines();
        let names = columns.filter_map(|line| line.split_whitespace().next());
        let names: Vec<&str> = names.filter(|name| name.starts_with(char::is_lowercase)).collect();
        connection
            .prepare(&format!("SELECT {} FROM {table}", names.join(", ")))
            .with_context(|| format!("missing column in the table `{table}`; {REMEDY}"))?;
    }
    Ok(())
}

const REMEDY: &str =
    "not a league file\nhint: restore the file from a backup, or delete the file to start again";

fn check_parts(connection: &Connection, tables: &[&str]) -> anyhow::Result<()> {
    let mut statement = connection.prepare("SELECT type, name FROM sqlite_master WHERE type <> 'index'")?;
    let parts = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let parts = parts.collect::<Result<Vec<(String, String)>, _>>()?;
    if let Some((kind, name)) = parts.iter().find(|(kind, _)| kind != "table") {
        bail!("unexpected {kind} `{}`; {REMEDY}", super::printable(name));
    }
    match tables.iter().find(|table| parts.iter().all(|(_, name)| name != *table)) {
        Some(table) => bail!("missing table `{table}`; {REMEDY}"),
        None => Ok(()),
    }
}
