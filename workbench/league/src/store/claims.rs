//! The claim protocol of runners on the file of a league.
//!
//! Several runners play games of one league, on one machine, and any of them may be killed at any time. A game is a row
//! whose state says who may change it:
//!
//! ```text
//! (no row) ── `claim` finds no planned game and plans a meeting ──► planned
//! planned  ── `claim` by a runner ──► claimed
//! claimed  ── `finish` ──► done
//! claimed  ── `void` ──► void
//! claimed  ── `release`, or the next `claim` of any runner after this runner has died ──► planned
//! ```
//!
//! - `claim` is one immediate transaction, so only one runner at a time plans and claims games: no game is claimed
//!   twice.
//! - Every way out of `claimed` names the runner, so a runner that was wrongly taken for dead changes nothing: its
//!   game belongs to another runner, or is done.
//! - A living runner holds the lock of its own file. The system releases the lock when the process dies, in whatever
//!   way it dies. The id of a runner and the name of its lock are random: process ids mean nothing in another
//!   namespace, and are used again.

use super::reading::games_of;
use super::{Store, bots_of, now};
use crate::game::{Bot, Game, Seat, flaw};
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
    /// The bots by seat, two or more.
    pub bots: Vec<Bot>,
    pub luck: u64,
    /// Seeds of the bots' own luck, by seat.
    pub bot_seeds: Vec<u64>,
}

/// This process among the runners of a league.
pub(crate) struct Runner {
    /// Its number in the file.
    pub id: i64,
    /// The lock that says that it is alive.
    path: PathBuf,
    lock: File,
}

impl Store {
    /// Claims the next game: one that a dead runner has left, one that is planned, or the first of new meetings, which
    /// `choose` selects by the bots' ids: a game for each rotation of their seats, all with the same pair number.
    /// `None` if no games are left to play.
    pub(crate) fn claim(
        &mut self,
        runner: i64,
        choose: impl FnOnce(&[Bot], &[Game]) -> Vec<Vec<i64>>,
    ) -> anyhow::Result<Option<Claim>> {
        // Nobody else plans from here on, so what is read stays true.
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for dead in dead_runners(&transaction, &self.folder)? {
            transaction.execute(
                "UPDATE games SET state = 'planned', runner = NULL WHERE state = 'claimed' AND runner = ?",
                [dead],
            )?;
            transaction.execute("DELETE FROM runners WHERE id = ? AND id NOT IN (SELECT runner FROM games WHERE runner IS NOT NULL)", [dead])?;
        }
        // Of bots that do not play any more no game is begun.
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
                // Pairs of the same number have the same luck in every league with this seed.
                let luck = mix(&[self.seed, pair as u64]);
                for rotation in 0..meeting.len() {
                    let enter = "INSERT INTO games (pair, luck, state) VALUES (?, ?, 'planned')";
                    transaction.prepare_cached(enter)?.execute(params![pair, luck.to_string()])?;
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
        let Some((id, luck, seats)) = next else {
            transaction.commit()?;
            return Ok(None);
        };
        transaction
            .execute("UPDATE games SET state = 'claimed', runner = ? WHERE id = ?", params![runner, id])?;
        transaction.commit()?;
        let bot_seeds = (1..=seats.len() as u64).map(|seat| mix(&[luck, id as u64, seat])).collect();
        Ok(Some(Claim { id, bots: seats, luck, bot_seeds }))
    }

    /// Enters a finished game. A game that is no longer this runner's, because the runner was taken for dead, is not
    /// entered twice.
    pub(crate) fn finish(
        &mut self,
        runner: i64,
        id: i64,
        seats: &[Seat],
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
            let Seat { rank, points, ending, ms, slowest_ms, .. } = seat;
            transaction
                .prepare_cached(enter)?
                .execute(params![rank, points, ending, ms, slowest_ms, id, at as i64])?;
        }
        Ok(transaction.commit()?)
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

    /// Enters this process as a runner.
    pub(crate) fn register(&mut self) -> anyhow::Result<Runner> {
        // The standard library's hashers start from the system's randomness. SQLite's numbers have 63 bits.
        let id = (RandomState::new().build_hasher().finish() >> 1) as i64;
        let name = format!("{LOCK}{id:016x}{LOCK_END}");
        let path = self.folder.join(&name);
        let lock = File::create_new(&path).and_then(|file| file.lock().map(|()| file));
        let lock = lock.with_context(|| format!("cannot create {}", path.display()))?;
        let enter = "INSERT INTO runners (id, pid, started) VALUES (?, ?, ?)";
        self.connection.execute(enter, params![id, std::process::id(), name])?;
        Ok(Runner { id, path, lock })
    }

    /// Takes a runner out that has nothing claimed.
    pub(crate) fn leave(&mut self, runner: &Runner) -> anyhow::Result<()> {
        self.connection.execute("DELETE FROM runners WHERE id = ?", [runner.id])?;
        let _ = runner.lock.unlock();
        let _ = fs::remove_file(&runner.path);
        Ok(())
    }

    /// Returns the number of running runners, by their locks.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn runners(&self) -> anyhow::Result<usize> {
        living_runners(&self.connection, &self.folder)
    }
}

/// Returns the number of running runners, by their locks.
pub(super) fn living_runners(connection: &Connection, folder: &Path) -> anyhow::Result<usize> {
    let mut statement = connection.prepare_cached("SELECT started FROM runners")?;
    let names = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    Ok(names.iter().filter(|name| is_held(folder, name) == Some(true)).count())
}

/// Returns the first planned game: its number, its seed and its bots by seat. A planned game that cannot be played,
/// entered by another program, becomes void.
fn playable(connection: &Connection, bots: &[Bot]) -> anyhow::Result<Option<(i64, u64, Vec<Bot>)>> {
    let planned = "SELECT id, luck FROM games WHERE state = 'planned' ORDER BY id LIMIT 1";
    let next = || {
        let row = connection
            .query_row(planned, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?)));
        row.optional()
    };
    while let Some((id, luck)) = next()? {
        let mut statement =
            connection.prepare_cached("SELECT bot FROM seats WHERE game = ? ORDER BY seat")?;
        let seats = statement.query_map([id], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        let seats: Vec<Seat> = seats.into_iter().map(Seat::planned).collect();
        let bot = |seat: &Seat| bots.iter().find(|bot| bot.id == seat.bot).cloned();
        let luck = luck.and_then(|luck| luck.parse().ok());
        match (luck, seats.iter().map(bot).collect()) {
            (Some(luck), Some(bots)) if flaw(&seats).is_none() => return Ok(Some((id, luck, bots))),
            _ => connection.execute(
                "UPDATE games SET state = 'void', reason = 'planned without bots or luck' WHERE id = ?",
                [id],
            )?,
        };
    }
    Ok(None)
}

/// Prefix and suffix of the names of locks, around the runner's number.
const LOCK: &str = "runner-";
const LOCK_END: &str = ".lock";

/// Returns the lock of this name in a league's folder. Another program may have written any name into the file: only
/// what is a lock is touched.
fn lock_of(folder: &Path, name: &str) -> Option<PathBuf> {
    let number = name.strip_prefix(LOCK)?.strip_suffix(LOCK_END)?;
    let is_number = number.len() == 16 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number.then(|| folder.join(name))
}

/// Returns whether a lock is held, so that its runner lives; `None` if that cannot be seen.
fn is_held(folder: &Path, name: &str) -> Option<bool> {
    let Some(path) = lock_of(folder, name) else { return Some(false) };
    match path.symlink_metadata() {
        Ok(meta) if !meta.is_file() => return Some(false),
        Ok(_) => {}
        Err(error) => return (error.kind() == std::io::ErrorKind::NotFound).then_some(false),
    }
    match File::open(&path).map(|file| file.try_lock()) {
        // A lock that can be had is nobody's.
        Ok(locked) => Some(locked.is_err()),
        Err(error) => (error.kind() == std::io::ErrorKind::NotFound).then_some(false),
    }
}

/// Runners that do not live any more. Their locks are taken away.
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
    use crate::game::State;

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
        // Its file is gone, and it is dead all the same.
        assert_eq!(dead_runners(&store), [dead]);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        drop(lives);
        assert_eq!(dead_runners(&store).len(), 2);
    }

    /// Else what one runner does to a dead one could meet another that came after it.
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

    /// What is written in a file from elsewhere names no file but a lock of this league.
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

    /// Of a meeting of three, games of bots that rest are not begun.
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
        store.set_state("a", State::Paused).unwrap();
        assert!(store.claim(runner.id, |_, _| Vec::new()).unwrap().is_none());
    }

    /// A planned game that makes no sense is void, and the next one is played.
    #[test]
    fn a_foreign_game_stops_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::prepared(Connection::open_in_memory().unwrap(), folder.path(), 1).unwrap();
        for name in ["a", "b"] {
            store
                .add(crate::NewBot { name, command: "random", in_place: true, ..Default::default() })
                .unwrap();
        }
        for (luck, bots) in [("\u{1b}[2J", vec![1, 2]), ("7", vec![1, 1]), ("7", vec![1]), ("7", vec![1, 2])]
        {
            let enter = "INSERT INTO games (pair, luck, state) VALUES (1, ?, 'planned')";
            store.connection.execute(enter, [luck]).unwrap();
            let game = store.connection.last_insert_rowid();
            for (seat, bot) in bots.into_iter().enumerate() {
                let enter = "INSERT INTO seats (game, seat, bot) VALUES (?, ?, ?)";
                store.connection.execute(enter, params![game, seat as i64, bot]).unwrap();
            }
        }
        let runner = store.register().unwrap();
        let claim = store.claim(runner.id, |_, _| Vec::new()).unwrap().unwrap();
        assert_eq!((claim.luck, claim.id), (7, 4));
        assert_eq!(store.games(false).unwrap().len(), 3);
    }
}
