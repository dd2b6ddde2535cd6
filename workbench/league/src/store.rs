//! The results on disk: one SQLite file.

use crate::League;
use anyhow::{Context, bail};
use contender_game::mix;
use contender_referee::GameRecord;
use contender_stats::ratings::RatedGame;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// After so many void games in a row two bots do not meet again until one of them is changed.
pub const VOIDS_IN_A_ROW: u32 = 3;

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

/// Whether a bot plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It plays.
    Active,
    /// It rests, and is rated.
    Paused,
    /// It has left; its games stay and count for others.
    Removed,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Paused => "paused",
            State::Removed => "removed",
        }
    }

    fn of(word: &str) -> State {
        match word {
            "active" => State::Active,
            "paused" => State::Paused,
            _ => State::Removed,
        }
    }
}

/// A bot of the league.
#[derive(Clone, PartialEq, Debug)]
pub struct Bot {
    /// Its number in the file.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What is run: a bundled bot with options, or a command.
    pub command: String,
    /// Whether it plays.
    pub state: State,
    /// Its source, kept in the league's folder, and the hash of that.
    pub source: Option<(String, String)>,
    /// When it was added, paused, resumed or removed last, in seconds since 1970.
    pub changed: f64,
}

/// A bot to be added.
#[derive(Clone, Copy, Debug)]
pub struct NewBot<'a> {
    /// Its name, unique in the league.
    pub name: &'a str,
    /// What is run.
    pub command: &'a str,
    /// A file that is copied into the league's folder.
    pub source: Option<&'a Path>,
}

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameState {
    /// Planned, or being played.
    Open,
    /// Played.
    Done,
    /// It could not be played, through no fault of a bot.
    Void,
}

/// A game of the league.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its number in the file.
    pub id: i64,
    /// Games of a pair have the same number.
    pub pair: Option<i64>,
    /// The bots by seat, as their numbers in the file.
    pub bots: [i64; 2],
    /// Contest points by seat.
    pub points: [f64; 2],
    /// How each bot's part ended, in a word; `normal` for a part without a failure.
    pub ends: [String; 2],
    /// Thinking time by seat and the slowest answer, in seconds; `None` where it is not known.
    pub seconds: [Option<f64>; 2],
    /// The slowest answer by seat, in seconds.
    pub slowest: [Option<f64>; 2],
    /// How far it is.
    pub state: GameState,
    /// When it was played, found void or entered, in seconds since 1970.
    pub finished: Option<f64>,
    /// Why it is void.
    pub reason: Option<String>,
    /// All that is known of it, as one object of JSON.
    pub record: Option<String>,
}

/// A game that a runner has claimed.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub id: i64,
    /// The bots by seat: name and command.
    pub bots: [(String, String); 2],
    pub luck: u64,
    /// Seeds of the bots' own luck.
    pub bot_seeds: [u64; 2],
}

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
        let connection = Connection::open(&path).with_context(|| path.display().to_string())?;
        Store::prepared(connection, &league.folder, league.settings.seed)
            .with_context(|| path.display().to_string())
    }

    /// A league's games in memory, gone with the value: what an import makes of a file can be seen before a league has it.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn in_memory() -> anyhow::Result<Store> {
        Store::prepared(Connection::open_in_memory()?, Path::new("."), 1)
    }

    fn prepared(connection: Connection, folder: &Path, seed: u64) -> anyhow::Result<Store> {
        connection.busy_timeout(Duration::from_secs(30))?;
        // With a write-ahead log readers and runners do not wait for each other, and what is committed survives the death of the
        // process. A power cut may take the last games, but leaves the file whole.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        let form: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if form != 0 && form != FORM {
            bail!("made by another version (form {form}, this is {FORM})");
        }
        connection.execute_batch(SCHEMA)?;
        connection.pragma_update(None, "user_version", FORM)?;
        Ok(Store { connection, folder: folder.to_path_buf(), seed })
    }

    /// Adds a bot.
    ///
    /// # Errors
    /// A name that is taken or no name, or a source that cannot be kept.
    pub fn add(&mut self, new: NewBot<'_>) -> anyhow::Result<()> {
        let is_name = |letter: char| letter.is_alphanumeric() || "_-.+@#".contains(letter);
        if new.name.is_empty() || !new.name.chars().all(is_name) {
            bail!("`{}` is no name for a bot: letters, digits and _-.+@# are", new.name);
        }
        if let Some(old) = self.bots()?.into_iter().find(|bot| bot.name == new.name) {
            match old.state {
                State::Removed => {
                    bail!("`{}` was removed, and its games stay: choose another name", new.name)
                }
                _ => bail!("there is a bot `{}` already", new.name),
            }
        }
        let source = new.source.map(|path| self.keep(new.name, path)).transpose()?;
        let (file, hash) = source.unzip();
        self.connection.execute(
            "INSERT INTO bots (name, command, state, source, source_sha256, added, changed) VALUES (?, ?, 'active', ?, ?, ?, ?)",
            params![new.name, new.command, file, hash, now(), now()],
        )?;
        Ok(())
    }

    /// Copies a source into the league's folder; its place there and its hash.
    fn keep(&self, name: &str, path: &Path) -> anyhow::Result<(String, String)> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = path.file_name().with_context(|| format!("{} is no file", path.display()))?;
        let place = Path::new("sources").join(name).join(file);
        let full = self.folder.join(&place);
        let written = std::fs::create_dir_all(full.parent().unwrap_or(&self.folder))
            .and_then(|()| std::fs::write(&full, &bytes));
        written.with_context(|| format!("cannot write {}", full.display()))?;
        let hash = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok((place.display().to_string(), hash))
    }

    /// Pauses, resumes or removes a bot. Games that are planned for a bot that does not play are taken back.
    ///
    /// # Errors
    /// An unknown name.
    pub fn set_state(&mut self, name: &str, state: State) -> anyhow::Result<()> {
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

    /// One game with its record.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn game(&self, id: i64) -> anyhow::Result<Option<Game>> {
        let query = format!("SELECT {COLUMNS}, record FROM games WHERE id = ?");
        Ok(self.connection.query_row(&query, [id], game).optional()?)
    }

    /// Takes the next game: one that a dead runner has left, one that is planned, or the first of new pairs, which `choose` names by
    /// the bots' numbers in the file. `None` if nobody is to meet.
    pub(crate) fn claim(
        &mut self,
        runner: i64,
        choose: impl FnOnce(&[Bot], &[Game]) -> Vec<[i64; 2]>,
    ) -> anyhow::Result<Option<Claim>> {
        let dead = self.dead_runners()?;
        // Nobody else plans from here on, so what is read stays true.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for dead in dead {
            transaction.execute(
                "UPDATE games SET state = 'planned', runner = NULL WHERE state = 'claimed' AND runner = ?",
                [dead],
            )?;
            transaction.execute("DELETE FROM runners WHERE id = ? AND id NOT IN (SELECT runner FROM games WHERE runner IS NOT NULL)", [dead])?;
        }
        // Of bots that do not play any more no game is begun.
        transaction.execute(
            "DELETE FROM games WHERE state = 'planned' AND (zero IN (SELECT id FROM bots WHERE state <> 'active') OR one IN (SELECT id FROM bots WHERE state <> 'active'))",
            [],
        )?;
        let planned = |transaction: &rusqlite::Transaction<'_>| {
            transaction
                .query_row(
                    "SELECT id, pair, luck, zero, one FROM games WHERE state = 'planned' ORDER BY id LIMIT 1",
                    [],
                    |row| {
                        Ok((
                            row.get::<_, i64>(0)?,
                            row.get::<_, i64>(1)?,
                            row.get::<_, String>(2)?,
                            [row.get::<_, i64>(3)?, row.get(4)?],
                        ))
                    },
                )
                .optional()
        };
        let mut next = planned(&transaction)?;
        let bots = bots_of(&transaction)?;
        if next.is_none() {
            let pair = "SELECT 1 + IFNULL(MAX(pair), 0) FROM games";
            let first: i64 = transaction.query_row(pair, [], |row| row.get(0))?;
            for (pair, [a, b]) in (first..).zip(choose(&bots, &games_of(&transaction, false, "")?)) {
                // Pairs of the same number have the same luck in every league with this seed.
                let luck = mix(&[self.seed, pair as u64]);
                for [zero, one] in [[a, b], [b, a]] {
                    transaction.execute(
                        "INSERT INTO games (pair, luck, zero, one, state) VALUES (?, ?, ?, ?, 'planned')",
                        params![pair, luck.to_string(), zero, one],
                    )?;
                }
            }
            next = planned(&transaction)?;
        }
        let Some((id, _, luck, seats)) = next else {
            transaction.commit()?;
            return Ok(None);
        };
        transaction
            .execute("UPDATE games SET state = 'claimed', runner = ? WHERE id = ?", params![runner, id])?;
        transaction.commit()?;
        let luck: u64 = luck.parse().with_context(|| format!("game {id}: `{luck}` is no luck"))?;
        let bot = |id: i64| -> anyhow::Result<(String, String)> {
            let bot = bots.iter().find(|bot| bot.id == id).context("a game is between bots of the league")?;
            Ok((bot.name.clone(), bot.command.clone()))
        };
        Ok(Some(Claim {
            id,
            bots: [bot(seats[0])?, bot(seats[1])?],
            luck,
            bot_seeds: [1, 2].map(|seat| mix(&[luck, id as u64, seat])),
        }))
    }

    /// Enters a finished game. A game that is no longer this runner's, because it was taken for dead, is not entered twice.
    pub(crate) fn finish(&mut self, runner: i64, id: i64, game: &Finished) -> anyhow::Result<()> {
        self.connection.execute(
            "UPDATE games SET state = 'done', runner = NULL, points_zero = ?, points_one = ?, end_zero = ?, end_one = ?, seconds_zero = ?,
             seconds_one = ?, slowest_zero = ?, slowest_one = ?, finished = ?, record = ? WHERE id = ? AND state = 'claimed' AND runner = ?",
            params![
                game.points[0],
                game.points[1],
                game.ends[0],
                game.ends[1],
                game.seconds[0],
                game.seconds[1],
                game.slowest[0],
                game.slowest[1],
                now(),
                game.record,
                id,
                runner
            ],
        )?;
        Ok(())
    }

    /// Enters that a game cannot be played.
    pub(crate) fn void(&mut self, runner: i64, id: i64, reason: &str) -> anyhow::Result<()> {
        self.connection.execute(
            "UPDATE games SET state = 'void', runner = NULL, reason = ?, finished = ? WHERE id = ? AND state = 'claimed' AND runner = ?",
            params![reason, now(), id, runner],
        )?;
        Ok(())
    }

    /// Gives a claimed game back unplayed.
    pub(crate) fn release(&mut self, runner: i64, id: i64) -> anyhow::Result<()> {
        self.connection.execute(
            "UPDATE games SET state = 'planned', runner = NULL WHERE id = ? AND state = 'claimed' AND runner = ?",
            params![id, runner],
        )?;
        Ok(())
    }

    /// Enters games from elsewhere in one transaction, with the bots that are missing, paused; how many were new.
    pub(crate) fn import(&mut self, games: &[ImportedGame]) -> anyhow::Result<u64> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut pairs = ImportedPairs::of(&transaction)?;
        let mut new = 0;
        for ImportedGame { names, game, luck, origin, former_origin } in games {
            let mut bots = [0; 2];
            for (id, name) in bots.iter_mut().zip(names) {
                let add = "INSERT OR IGNORE INTO bots (name, command, state, added, changed) VALUES (?, '', 'paused', ?, ?)";
                transaction.prepare_cached(add)?.execute(params![name, now(), now()])?;
                let find = "SELECT id FROM bots WHERE name = ?";
                *id = transaction.prepare_cached(find)?.query_row([name], |row| row.get(0))?;
            }
            let known = "SELECT 1 FROM games WHERE origin = ?1 OR (origin = ?2 AND zero = ?3 AND one = ?4 AND points_zero = ?5
                AND points_one = ?6)";
            let [zero, one] = game.points;
            let is_known = transaction.prepare_cached(known)?.exists(params![
                origin,
                former_origin,
                bots[0],
                bots[1],
                zero,
                one
            ])?;
            if is_known {
                continue;
            }
            let luck = luck.map(|luck| luck.to_string());
            let enter = "INSERT INTO games (pair, luck, zero, one, state, points_zero, points_one, end_zero, end_one, seconds_zero,
                seconds_one, slowest_zero, slowest_one, finished, origin, record)
                VALUES (?, ?, ?, ?, 'done', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
            transaction.prepare_cached(enter)?.execute(params![
                luck.as_ref().map(|luck| pairs.pair_of(luck, bots)),
                luck,
                bots[0],
                bots[1],
                zero,
                one,
                game.ends[0],
                game.ends[1],
                game.seconds[0],
                game.seconds[1],
                game.slowest[0],
                game.slowest[1],
                now(),
                origin,
                game.record
            ])?;
            new += 1;
        }
        transaction.commit()?;
        Ok(new)
    }

    /// Enters this process as a runner.
    pub(crate) fn register(&mut self) -> anyhow::Result<i64> {
        let pid = std::process::id();
        self.connection.execute(
            "INSERT INTO runners (pid, started) VALUES (?, ?)",
            params![pid, start_of(pid).unwrap_or_default()],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Takes a runner out that has nothing claimed.
    pub(crate) fn leave(&mut self, runner: i64) -> anyhow::Result<()> {
        self.connection.execute("DELETE FROM runners WHERE id = ?", [runner])?;
        Ok(())
    }

    fn dead_runners(&self) -> anyhow::Result<Vec<i64>> {
        let mut statement = self.connection.prepare_cached("SELECT id, pid, started FROM runners")?;
        let runners =
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))?;
        let mut dead = Vec::new();
        for runner in runners {
            let (id, pid, started): (i64, u32, String) = runner?;
            if start_of(pid).as_ref() != Some(&started) {
                dead.push(id);
            }
        }
        Ok(dead)
    }
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
            name: row.get(1)?,
            command: row.get(2)?,
            state: State::of(&row.get::<_, String>(3)?),
            source: source.zip(hash),
            changed: row.get(6)?,
        })
    })?;
    Ok(bots.collect::<Result<_, _>>()?)
}

/// Games in the order of planning; `condition` is a WHERE clause or nothing.
fn games_of(connection: &Connection, with_records: bool, condition: &str) -> anyhow::Result<Vec<Game>> {
    let record = if with_records { "record" } else { "NULL" };
    let query = format!("SELECT {COLUMNS}, {record} FROM games {condition} ORDER BY id");
    let mut statement = connection.prepare_cached(&query)?;
    let games = statement.query_map([], game)?;
    Ok(games.collect::<Result<_, _>>()?)
}

/// A finished game as it is entered.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Finished {
    pub points: [f64; 2],
    pub ends: [String; 2],
    pub seconds: [Option<f64>; 2],
    pub slowest: [Option<f64>; 2],
    pub record: Option<String>,
}

impl Finished {
    /// A game that we have refereed.
    pub fn of(record: &GameRecord) -> Finished {
        let seats = record.seats.each_ref();
        Finished {
            points: record.points.map(f64::from),
            ends: seats.map(|seat| seat.ending.name().to_string()),
            seconds: seats.map(|seat| Some(seat.wall.as_secs_f64())),
            slowest: seats.map(|seat| Some(seat.slowest.as_secs_f64())),
            record: Some(record.to_json()),
        }
    }

    /// Whether a bot failed.
    pub fn has_failure(&self) -> bool {
        self.ends.iter().any(|end| end != "normal")
    }
}

/// A game from elsewhere.
pub(crate) struct ImportedGame {
    pub names: [String; 2],
    pub game: Finished,
    /// What it shares with the other game of its pair, if it is known.
    pub luck: Option<u64>,
    /// Tells it from all other games, so that it is entered once.
    pub origin: String,
    /// Another name that a league may know it by; not for sure, as other games may share it.
    pub former_origin: Option<String>,
}

/// Finds for an imported game the other one of its pair.
struct ImportedPairs {
    /// Pairs of which one game is there, by its luck and its bots by seat.
    halves: HashMap<(String, [i64; 2]), VecDeque<i64>>,
    next: i64,
}

impl ImportedPairs {
    fn of(connection: &Connection) -> anyhow::Result<ImportedPairs> {
        let next =
            connection.query_row("SELECT 1 + IFNULL(MAX(pair), 0) FROM games", [], |row| row.get(0))?;
        let mut pairs = ImportedPairs { halves: HashMap::new(), next };
        let mut statement = connection.prepare(
            "SELECT luck, zero, one, pair FROM games WHERE origin IS NOT NULL AND pair IS NOT NULL GROUP BY pair
             HAVING COUNT(*) = 1 ORDER BY pair",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let half = (row.get(0)?, [row.get(1)?, row.get(2)?]);
            pairs.halves.entry(half).or_default().push_back(row.get(3)?);
        }
        Ok(pairs)
    }

    /// The pair of a new game: that of the first game of the same bots with the same luck and exchanged seats that has no partner, or
    /// its own. A match that is played again has pairs of the same luck.
    fn pair_of(&mut self, luck: &str, [zero, one]: [i64; 2]) -> i64 {
        let partners = self.halves.get_mut(&(luck.to_string(), [one, zero]));
        if let Some(pair) = partners.and_then(VecDeque::pop_front) {
            return pair;
        }
        let pair = self.next;
        self.next += 1;
        self.halves.entry((luck.to_string(), [zero, one])).or_default().push_back(pair);
        pair
    }
}

const COLUMNS: &str = "id, pair, zero, one, points_zero, points_one, end_zero, end_one, seconds_zero, seconds_one, slowest_zero, \
slowest_one, state, finished, reason";

fn game(row: &Row<'_>) -> rusqlite::Result<Game> {
    let bots: [i64; 2] = [row.get(2)?, row.get(3)?];
    let points: [Option<f64>; 2] = [row.get(4)?, row.get(5)?];
    let points = points.map(Option::unwrap_or_default);
    let ends: [Option<String>; 2] = [row.get(6)?, row.get(7)?];
    let state: String = row.get(12)?;
    let state = match state.as_str() {
        "done" => GameState::Done,
        "void" => GameState::Void,
        _ => GameState::Open,
    };
    // A file may hold games that no rating can take, entered by another program: they stay, and count for nothing.
    let flaw = if state == GameState::Done { flaw(bots[0] == bots[1], points) } else { None };
    Ok(Game {
        id: row.get(0)?,
        pair: row.get(1)?,
        bots,
        points,
        ends: ends.map(Option::unwrap_or_default),
        seconds: [row.get(8)?, row.get(9)?],
        slowest: [row.get(10)?, row.get(11)?],
        state: if flaw.is_some() { GameState::Void } else { state },
        finished: row.get(13)?,
        reason: flaw.or(row.get(14)?),
        record: row.get(15)?,
    })
}

/// Why a finished game cannot be rated: it is a bot's against itself, or its points are no numbers to reckon with.
pub(crate) fn flaw(is_against_itself: bool, points: [f64; 2]) -> Option<String> {
    /// More points than any contest gives, and few enough that their squares can be added up.
    const MOST: f64 = 1e12;
    let is_odd = |points: &f64| points.is_nan() || points.abs() > MOST;
    if is_against_itself {
        return Some("a game of a bot against itself".to_string());
    }
    points.iter().find(|points| is_odd(points)).map(|points| format!("{points} points"))
}

impl Game {
    /// The game as ratings see it, bots by the places of their numbers in `bots`; `None` if it is not finished or a bot is not there.
    #[must_use]
    pub fn rated(&self, bots: &[i64]) -> Option<RatedGame> {
        let place = |id: i64| bots.iter().position(|&bot| bot == id);
        if self.state != GameState::Done {
            return None;
        }
        Some(RatedGame {
            players: [place(self.bots[0])?, place(self.bots[1])?],
            points: self.points,
            pair: self.pair.map(|pair| pair as u64),
        })
    }
}

/// When a process started, in clock ticks since the machine did; with the process's number that names it for good. `None` if there is
/// none.
fn start_of(pid: u32) -> Option<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let is_dead = matches!(fields.next(), Some("Z" | "X"));
    let ticks = fields.nth(18)?;
    (!is_dead).then(|| format!("{} {ticks}", boot.trim()))
}

/// Seconds since 1970. They are exact to less than a microsecond: what is done to a bot is to come before or after its games.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}
