//! What runners do with the file of a league: they claim games, play them, and enter what came of it.
//!
//! A runner that is alive holds the lock of a file of its own. The system lets it go when the process dies, however it dies, and the
//! games it was playing are free again. Its number and the name of its lock are drawn by lot: numbers of processes mean nothing in
//! another namespace, and are given again.

use super::{Store, bots_of, games_of, now};
use crate::game::{Bot, Finished, Game};
use anyhow::Context;
use contender_game::mix;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

/// A game that a runner has claimed.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub id: i64,
    /// The bots by seat.
    pub bots: [Bot; 2],
    pub luck: u64,
    /// Seeds of the bots' own luck.
    pub bot_seeds: [u64; 2],
}

/// This process among the runners of a league.
pub(crate) struct Runner {
    /// Its number in the file.
    pub id: i64,
    /// The lock that says that it is alive.
    lock: File,
}

impl Store {
    /// Takes the next game: one that a dead runner has left, one that is planned, or the first of new pairs, which `choose` names by
    /// the bots' numbers in the file. `None` if nobody is to meet.
    pub(crate) fn claim(
        &mut self,
        runner: i64,
        choose: impl FnOnce(&[Bot], &[Game]) -> Vec<[i64; 2]>,
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
        let bot = |id: i64| {
            bots.iter().find(|bot| bot.id == id).cloned().context("a game is between bots of the league")
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

    /// Enters this process as a runner.
    pub(crate) fn register(&mut self) -> anyhow::Result<Runner> {
        // The standard library's hashers start from the system's randomness. SQLite's numbers have 63 bits.
        let id = (RandomState::new().build_hasher().finish() >> 1) as i64;
        let name = format!("runner-{id:016x}.lock");
        let path = self.lock_of(&name);
        let lock = File::create_new(&path).and_then(|file| file.lock().map(|()| file));
        let lock = lock.with_context(|| format!("cannot make {}", path.display()))?;
        let enter = "INSERT INTO runners (id, pid, started) VALUES (?, ?, ?)";
        self.connection.execute(enter, params![id, std::process::id(), name])?;
        Ok(Runner { id, lock })
    }

    /// Takes a runner out that has nothing claimed.
    pub(crate) fn leave(&mut self, runner: &Runner) -> anyhow::Result<()> {
        let find = "SELECT started FROM runners WHERE id = ?";
        let name: Option<String> =
            self.connection.query_row(find, [runner.id], |row| row.get(0)).optional()?;
        self.connection.execute("DELETE FROM runners WHERE id = ?", [runner.id])?;
        let _ = runner.lock.unlock();
        if let Some(name) = name {
            let _ = fs::remove_file(self.lock_of(&name));
        }
        Ok(())
    }

    /// How many runners play, as far as their locks say.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn runners(&self) -> anyhow::Result<usize> {
        let mut statement = self.connection.prepare_cached("SELECT started FROM runners")?;
        let names = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        // A lock that can be had is nobody's.
        let is_held =
            |name: &String| File::open(self.lock_of(name)).is_ok_and(|file| file.try_lock().is_err());
        Ok(names.iter().filter(|name| is_held(name)).count())
    }

    fn lock_of(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Runners that do not live any more.
fn dead_runners(connection: &Connection, folder: &Path) -> anyhow::Result<Vec<i64>> {
    let mut statement = connection.prepare_cached("SELECT id, started FROM runners")?;
    let runners = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let mut dead = Vec::new();
    for runner in runners {
        let (id, name): (i64, String) = runner?;
        let path = folder.join(&name);
        // A lock that can be had is nobody's.
        match File::open(&path).map(|file| file.try_lock()) {
            Ok(Err(_)) => continue,
            Ok(Ok(())) => {
                let _ = fs::remove_file(&path);
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => continue,
        }
        dead.push(id);
    }
    Ok(dead)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
