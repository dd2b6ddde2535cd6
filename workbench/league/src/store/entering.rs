//! Games from elsewhere on their way into the file of a league.

use super::{Store, now};
use crate::game::ImportedGame;
use rusqlite::{Connection, TransactionBehavior, params};
use std::collections::{HashMap, VecDeque};

impl Store {
    /// The imported games that have no partner.
    pub(crate) fn imported_pairs(&self) -> anyhow::Result<ImportedPairs> {
        ImportedPairs::of(&self.connection)
    }

    /// Enters games from elsewhere in one transaction, with the bots that are missing, paused; how many were new.
    pub(crate) fn import(
        &mut self,
        games: &[ImportedGame],
        pairs: &mut ImportedPairs,
    ) -> anyhow::Result<u64> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Runners have planned others meanwhile.
        let next: i64 = transaction.query_row(NEXT_PAIR, [], |row| row.get(0))?;
        pairs.next = pairs.next.max(next);
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
}

const NEXT_PAIR: &str = "SELECT 1 + IFNULL(MAX(pair), 0) FROM games";

/// Finds for an imported game the other one of its pair.
#[derive(Default)]
pub(crate) struct ImportedPairs {
    /// Pairs of which one game is there, by its luck and its bots by seat.
    halves: HashMap<(String, [i64; 2]), VecDeque<i64>>,
    next: i64,
}

impl ImportedPairs {
    fn of(connection: &Connection) -> anyhow::Result<ImportedPairs> {
        let next = connection.query_row(NEXT_PAIR, [], |row| row.get(0))?;
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

    /// The pair of a new game: that of the first game of the same bots with the same luck and exchanged seats that has
    /// no partner, or its own. A match that is played again has pairs of the same luck.
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
