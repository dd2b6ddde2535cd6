//! The protocol by which runners claim games in a league's file.
//!
//! Several runners on a machine can play games of the same league, and each can be killed at any time. Each game is a
//! row in the file, and the state of the game determines which runner may change it:
//!
//! ```text
//! (no row) ── `claim` finds no planned game and plans a meeting ──► planned
//! planned  ── `claim` by a runner ──► claimed
//! claimed  ── `finish` ──► done
//! claimed  ── `void` ──► void
//! claimed  ── `release`, or the next `claim` of any runner after this runner has died ──► planned
//! ```
//!
//! - `claim` is a single immediate transaction. Only one runner at a time plans and claims games, so no game is claimed
//!   twice.
//! - Every transition out of `claimed` checks that the runner still has the claim. A runner that was mistaken for dead
//!   changes nothing, because its game now belongs to another runner or is done.
//! - A living runner holds a lock on its own file. The system releases the lock when the process dies for any reason.
//!   The ID of a runner and the name of its lock are random, because process IDs are reused and are meaningless in
//!   other namespaces.

use super::reading::games_of;
use super::{Store, bots_of, now};
use crate::game::{LeagueBot, LeagueGame, SeatResult, flaw};
use anyhow::Context;
use contender_game::rules::mix;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

/// A game that a runner has claimed.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub id: i64,
    /// The bots by seat, at least two.
    pub bots: Vec<LeagueBot>,
    pub seed: u64,
    /// The seeds of the bots, by seat.
    pub bot_seeds: Vec<u64>,
}

/// This process, registered as one of the league's runners.
pub(crate) struct Runner {
    /// The ID of the runner in the league's file.
    pub id: i64,
    /// The lock file, which shows that the runner is alive.
    path: PathBuf,
    lock: File,
}

impl Store {
    /// Claims the next game: a game abandoned by a dead runner, or otherwise a planned game, or otherwise the first
    /// game of a new meeting, for which `choose` selects the bots' IDs. A meeting has one game for each rotation of the
    /// seats, and all its games have the same pair number. Returns `None` if no games are left to play.
    pub(crate) fn claim(
        &mut self,
        runner: i64,
        choose: impl FnOnce(&[LeagueBot], &[LeagueGame]) -> Vec<Vec<i64>>,
    ) -> anyhow::Result<Option<Claim>> {
        // From here on no other runner can plan games, so the data stays valid.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for dead in dead_runners(&transaction, &self.folder)? {
            transaction.execute(
                "UPDATE games SET state = 'planned', runner = NULL WHERE state = 'claimed' AND runner = ?",
                [dead],
            )?;
            transaction.execute("DELETE FROM runners WHERE id = ? AND id NOT IN (SELECT runner FROM games WHERE runner IS NOT NULL)", [dead])?;
        }
        // No game is started for bots that do not play any more.
        transaction.execute(
            "DELETE FROM games WHERE state = 'planned' AND id IN
                 (SELECT game FROM seats JOIN bots ON bots.id = seats.bot WHERE bots.state <> 'active')",
            [],
        )?;
        let bots = bots_of(&transaction)?;
        let mut next = playable(&transaction, &bots)?;
        if next.is_none() {
            let pair = "SELECT 1 + IFNULL(MAX(pair), 0) FROM games";
            let first: i64 = transaction.query_row(pair, [], |row| row.get(0))?;
            for (pair, meeting) in (first..).zip(choose(&bots, &games_of(&transaction, false, "", [])?)) {
                // Pairs with the same number have the same seed in every league with this seed.
                let seed = mix(&[self.seed, pair as u64]);
                for rotation in 0..meeting.len() {
                    let enter = "INSERT INTO games (pair, luck, state) VALUES (?, ?, 'planned')";
                    transaction.prepare_cached(enter)?.execute(params![pair, seed.to_string()])?;
                    let game = transaction.last_insert_rowid();
                    for seat in 0..meeting.len() {
                        let bot = meeting[(seat + rotation) % meeting.len()];
                        let enter = "INSERT INTO seats (game, seat, bot) VALUES (?, ?, ?)";
                        transaction.prepare_cached(enter)?.execute(params![game, seat as i64, bot])?;
                    }
                }
            }
            next = playable(&transaction, &bots)?;
        }
        let Some((id, seed, seats)) = next else {
            transaction.commit()?;
            return Ok(None);
        };
        transaction
            .execute("UPDATE games SET state = 'claimed', runner = ? WHERE id = ?", params![runner, id])?;
        transaction.commit()?;
        let bot_seeds = (1..=seats.len() as u64).map(|seat| mix(&[seed, id as u64, seat])).collect();
        Ok(Some(Claim { id, bots: seats, seed, bot_seeds }))
    }

    /// Saves a finished game. Saves nothing if the game no longer belongs to this runner, because the runner was
    /// mistaken for dead.
    pub(crate) fn finish(
        &mut self,
        runner: i64,
        id: i64,
        seats: &[SeatResult],
        record: &str,
    ) -> anyhow::Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let changed = transaction.execute(
            "UPDATE games SET state = 'done', runner = NULL, finished = ?, record = ?
             WHERE id = ? AND state = 'claimed' AND runner = ?",
            params![now(), record, id, runner],
        )?;
        for (at, seat) in seats.iter().enumerate().filter(|_| changed > 0) {
            let enter = "UPDATE seats SET rank = ?, points = ?, ending = ?, ms = ?, slowest_ms = ? WHERE game = ? AND seat = ?";
            let SeatResult { rank, points, ending, ms, slowest_ms, .. } = seat;
            transaction
                .prepare_cached(enter)?
                .execute(params![rank, points, ending, ms, slowest_ms, id, at as i64])?;
        }
        Ok(transaction.commit()?)
    }

    /// Saves that a game cannot be played.
    pub(crate) fn void(&mut self, runner: i64, id: i64, reason: &str) -> anyhow::Result<()> {
        self.connection.execute(
            "UPDATE games SET state = 'void', runner = NULL, reason = ?, finished = ? WHERE id = ? AND state = 'claimed' AND runner = ?",
            params![reason, now(), id, runner],
        )?;
        Ok(())
    }

    /// Gives up the claim to a game that has not been played.
    pub(crate) fn release(&mut self, runner: i64, id: i64) -> anyhow::Result<()> {
        self.connection.execute(
            "UPDATE games SET state = 'planned', runner = NULL WHERE id = ? AND state = 'claimed' AND runner = ?",
            params![id, runner],
        )?;
        Ok(())
    }

    /// Registers this process as a runner.
    pub(crate) fn register(&mut self) -> anyhow::Result<Runner> {
        // The standard library seeds its hashers from the system's randomness. SQLite's positive integers have 63 bits.
        let id = (RandomState::new().build_hasher().finish() >> 1) as i64;
        let name = format!("{LOCK}{id:016x}{LOCK_END}");
        let path = self.folder.join(&name);
        let lock = File::create_new(&path).and_then(|file| file.lock().map(|()| file));
        let lock = lock.with_context(|| format!("cannot create {}", path.display()))?;
        let enter = "INSERT INTO runners (id, pid, started) VALUES (?, ?, ?)";
        self.connection.execute(enter, params![id, std::process::id(), name])?;
        Ok(Runner { id, path, lock })
    }

    /// Unregisters a runner that has no claimed games.
    pub(crate) fn leave(&mut self, runner: &Runner) -> anyhow::Result<()> {
        self.connection.execute("DELETE FROM runners WHERE id = ?", [runner.id])?;
        let _ = runner.lock.unlock();
        let _ = fs::remove_file(&runner.path);
        Ok(())
    }

    /// Returns the number of runners that are alive, as shown by their locks.
    ///
    /// # Errors
    /// Returns an error if the league's file cannot be read.
    pub fn runners(&self) -> anyhow::Result<usize> {
        living_runners(&self.connection, &self.folder)
    }
}

/// Returns the number of runners that are alive, as shown by their locks.
pub(super) fn living_runners(connection: &Connection, folder: &Path) -> anyhow::Result<usize> {
    let mut statement = connection.prepare_cached("SELECT started FROM runners")?;
    let names = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    Ok(names.iter().filter(|name| is_held(folder, name) == Some(true)).count())
}

/// Returns the first planned game: its ID, its seed and its bots by seat. Planned games that cannot be played, because
/// another program has written them, become void.
fn playable(
    connection: &Connection,
    bots: &[LeagueBot],
) -> anyhow::Result<Option<(i64, u64, Vec<LeagueBot>)>> {
    let planned = "SELECT id, luck FROM games WHERE state = 'planned' ORDER BY id LIMIT 1";
    let next = || {
        let row = connection
            .query_row(planned, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?)));
        row.optional()
    };
    while let Some((id, seed)) = next()? {
        let mut statement =
            connection.prepare_cached("SELECT bot FROM seats WHERE game = ? ORDER BY seat")?;
        let seats = statement.query_map([id], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        let seats: Vec<SeatResult> = seats.into_iter().map(SeatResult::planned).collect();
        let bot = |seat: &SeatResult| bots.iter().find(|bot| bot.id == seat.bot).cloned();
        let seed = seed.and_then(|seed| seed.parse().ok());
        match (seed, seats.iter().map(bot).collect()) {
            (Some(seed), Some(bots)) if flaw(&seats).is_none() => return Ok(Some((id, seed, bots))),
            _ => connection.execute(
                "UPDATE games SET state = 'void', reason = 'planned without bots or a seed' WHERE id = ?",
                [id],
            )?,
        };
    }
    Ok(None)
}

/// The beginning of a lock's name, which is followed by the runner's number.
const LOCK: &str = "runner-";
const LOCK_END: &str = ".lock";

/// Returns the path of a lock in a league's folder. Accepts only names that locks can have, because another program may
/// have written any name into the file.
fn lock_of(folder: &Path, name: &str) -> Option<PathBuf> {
    let number = name.strip_prefix(LOCK)?.strip_suffix(LOCK_END)?;
    let is_number = number.len() == 16 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number.then(|| folder.join(name))
}

/// Returns whether a lock is held, which means that its runner is alive, or `None` if this is unknown.
fn is_held(folder: &Path, name: &str) -> Option<bool> {
    let Some(path) = lock_of(folder, name) else { return Some(false) };
    match path.symlink_metadata() {
        Ok(meta) if !meta.is_file() => return Some(false),
        Ok(_) => {}
        Err(error) => return (error.kind() == std::io::ErrorKind::NotFound).then_some(false),
    }
    match File::open(&path).map(|file| file.try_lock()) {
        // If the lock can be acquired, no runner holds it.
        Ok(locked) => Some(locked.is_err()),
        Err(error) => (error.kind() == std::io::ErrorKind::NotFound).then_some(false),
    }
}

/// Returns the IDs of the runners that are no longer alive, and removes their locks.
fn dead_runners(connection: &Connection, folder: &Path) -> anyhow::Result<Vec<i64>> {
    let mut statement = connection.prepare_cached("SELECT id, started FROM runners")?;
    let runners = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let mut dead = Vec::new();
    for runner in runners {
        let (id, name): (i64, String) = runner?;
        if is_held(folder, &name) != Some(false) {
            continue;
        }
        if let Some(path) =
            lock_of(folder, &name).filter(|path| path.symlink_metadata().is_ok_and(|meta| meta.is_file()))
        {
            let _ = fs::remove_file(path);
        }
        dead.push(id);
    }
    Ok(dead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BotState;

    #[test]
    fn a_runner_is_dead_as_soon_as_nobody_holds_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::prepared(Connection::open_in_memory().unwrap(), folder.path(), 1).unwrap();
        let [leaves, dies, lives] = [(); 3].map(|()| store.register().unwrap());
        let dead_runners = |store: &Store| dead_runners(&store.connection, &store.folder).unwrap();
        assert_eq!((dead_runners(&store), store.runners().unwrap()), (vec![], 3));
        store.leave(&leaves).unwrap();
        let dead = dies.id;
        drop(dies);
        assert_eq!(store.runners().unwrap(), 1);
        assert_eq!(dead_runners(&store), [dead]);
        // Even after its file is removed, the runner still counts as dead.
        assert_eq!(dead_runners(&store), [dead]);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        drop(lives);
        assert_eq!(dead_runners(&store).len(), 2);
    }

    /// Checks that no runner's number is reused. Otherwise, a change meant for a dead runner could affect a new runner.
    #[test]
    fn no_number_of_a_runner_is_given_twice() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::prepared(Connection::open_in_memory().unwrap(), folder.path(), 1).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..50 {
            let runner = store.register().unwrap();
            assert!(seen.insert(runner.id));
            store.leave(&runner).unwrap();
        }
    }

    /// If a league file comes from another machine, names in it are only accepted if they are locks of this league.
    #[test]
    fn a_foreign_file_takes_away_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let league = folder.path().join("league");
        fs::create_dir_all(league.join("runner-0123456789abcdef.lock")).unwrap();
        let precious = [
            "thesis.txt",
            "league/league.toml",
            "league/runner-0.lock",
            "league/runner-zzzzzzzzzzzzzzzz.lock",
        ];
        for file in precious {
            fs::write(folder.path().join(file), "x").unwrap();
        }
        let store = Store::prepared(Connection::open_in_memory().unwrap(), &league, 1).unwrap();
        let absolute = folder.path().join("thesis.txt").display().to_string();
        let names = [
            "../thesis.txt",
            &absolute,
            "league.toml",
            "runner-0.lock",
            "runner-zzzzzzzzzzzzzzzz.lock",
            "runner-../../thesis.txt.lock",
            "runner-0123456789abcdef.lock",
            "",
            "\u{1b}[2J",
        ];
        for (id, name) in names.iter().enumerate() {
            let enter = "INSERT INTO runners (id, pid, started) VALUES (?, 1, ?)";
            store.connection.execute(enter, params![id as i64, name]).unwrap();
        }
        assert_eq!(store.runners().unwrap(), 0);
        assert_eq!(dead_runners(&store.connection, &store.folder).unwrap().len(), names.len());
        for file in precious {
            assert!(folder.path().join(file).is_file(), "{file} is gone");
        }
    }

    /// In a meeting of three bots, games of paused bots are not started.
    #[test]
    fn no_game_of_a_bot_that_rests_is_begun() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::prepared(Connection::open_in_memory().unwrap(), folder.path(), 1).unwrap();
        for name in ["a", "b", "c"] {
            store
                .add(crate::NewBot { name, command: "random", in_place: true, ..Default::default() })
                .unwrap();
        }
        let runner = store.register().unwrap();
        let claim = store.claim(runner.id, |_, _| vec![vec![1, 2, 3]]).unwrap().unwrap();
        assert_eq!(claim.bots.iter().map(|bot| bot.id).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(claim.bot_seeds.len(), 3);
        store.set_state("a", BotState::Paused).unwrap();
        assert!(store.claim(runner.id, |_, _| Vec::new()).unwrap().is_none());
    }

    /// An invalid planned game becomes void, and the next one is played.
    #[test]
    fn a_foreign_game_stops_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::prepared(Connection::open_in_memory().unwrap(), folder.path(), 1).unwrap();
        for name in ["a", "b"] {
            store
                .add(crate::NewBot { name, command: "random", in_place: true, ..Default::default() })
                .unwrap();
        }
        for (seed, bots) in [("\u{1b}[2J", vec![1, 2]), ("7", vec![1, 1]), ("7", vec![1]), ("7", vec![1, 2])]
        {
            let enter = "INSERT INTO games (pair, luck, state) VALUES (1, ?, 'planned')";
            store.connection.execute(enter, [seed]).unwrap();
            let game = store.connection.last_insert_rowid();
            for (seat, bot) in bots.into_iter().enumerate() {
                let enter = "INSERT INTO seats (game, seat, bot) VALUES (?, ?, ?)";
                store.connection.execute(enter, params![game, seat as i64, bot]).unwrap();
            }
        }
        let runner = store.register().unwrap();
        let claim = store.claim(runner.id, |_, _| Vec::new()).unwrap().unwrap();
        assert_eq!((claim.seed, claim.id), (7, 4));
        assert_eq!(store.games(false).unwrap().len(), 3);
    }
}
