//! Saving of imported games in a league's file.

use super::reading::games_of;
use super::{Store, now};
use crate::game::{ImportedGame, SeatResult};
use rusqlite::{Connection, TransactionBehavior, params};
use std::collections::{HashMap, VecDeque};

impl Store {
    /// Returns the imported games that have no partner yet.
    pub(crate) fn imported_pairs(&self) -> anyhow::Result<ImportedPairs> {
        ImportedPairs::of(&self.connection)
    }

    /// Saves imported games in one transaction. Unknown bots are added and paused. Returns the number of new games.
    pub(crate) fn import(
        &mut self,
        games: &[ImportedGame],
        pairs: &mut ImportedPairs,
    ) -> anyhow::Result<u64> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Runners may have planned other pairs in the meantime.
        let next: i64 = transaction.query_row(NEXT_PAIR, [], |row| row.get(0))?;
        pairs.next = pairs.next.max(next);
        let mut new = 0;
        for game in games {
            let mut seats = game.seats.clone();
            for (seat, name) in seats.iter_mut().zip(&game.names) {
                let add = "INSERT OR IGNORE INTO bots (name, command, state, added, changed) VALUES (?, '', 'paused', ?, ?)";
                transaction.prepare_cached(add)?.execute(params![name, now(), now()])?;
                let find = "SELECT id FROM bots WHERE name = ?";
                seat.bot = transaction.prepare_cached(find)?.query_row([name], |row| row.get(0))?;
            }
            if is_known(&transaction, game, &seats)? {
                continue;
            }
            let bots: Vec<i64> = seats.iter().map(|seat| seat.bot).collect();
            let seed = game.seed.map(|seed| seed.to_string());
            let pair = seed.as_ref().map(|seed| pairs.pair_of(seed, bots));
            let enter = "INSERT INTO games (pair, luck, state, finished, origin, record) VALUES (?, ?, 'done', ?, ?, ?)";
            let row = params![pair, seed, now(), game.origin, game.record];
            transaction.prepare_cached(enter)?.execute(row)?;
            let number = transaction.last_insert_rowid();
            for (at, seat) in seats.iter().enumerate() {
                let enter = "INSERT INTO seats (game, seat, bot, rank, points, ending, ms, slowest_ms)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
                let SeatResult { bot, rank, points, ending, ms, slowest_ms } = seat;
                transaction
                    .prepare_cached(enter)?
                    .execute(params![number, at as i64, bot, rank, points, ending, ms, slowest_ms])?;
            }
            new += 1;
        }
        transaction.commit()?;
        Ok(new)
    }
}

/// Returns whether the league already contains a game with the same identity. If the identity comes from an older
/// version, the bots and points must also be equal.
fn is_known(connection: &Connection, game: &ImportedGame, seats: &[SeatResult]) -> anyhow::Result<bool> {
    let has = |origin: &str| -> rusqlite::Result<bool> {
        connection.prepare_cached("SELECT 1 FROM games WHERE origin = ?")?.exists([origin])
    };
    if has(&game.origin)? {
        return Ok(true);
    }
    let Some(former) = game.former_origin.as_ref() else { return Ok(false) };
    if !has(former)? {
        return Ok(false);
    }
    let result = |seats: &[SeatResult]| seats.iter().map(|seat| (seat.bot, seat.points)).collect::<Vec<_>>();
    let others = games_of(connection, false, "WHERE origin = ?", [former])?;
    Ok(others.iter().any(|other| result(&other.seats) == result(seats)))
}

const NEXT_PAIR: &str = "SELECT 1 + IFNULL(MAX(pair), 0) FROM games";

/// A finder for the partners of imported games in their pairs.
#[derive(Default)]
pub(crate) struct ImportedPairs {
    /// The pairs with only one game, by the game's seed and its bots.
    halves: HashMap<(String, Vec<i64>), VecDeque<i64>>,
    next: i64,
}

impl ImportedPairs {
    fn of(connection: &Connection) -> anyhow::Result<ImportedPairs> {
        let next = connection.query_row(NEXT_PAIR, [], |row| row.get(0))?;
        let mut pairs = ImportedPairs { halves: HashMap::new(), next };
        let mut statement = connection.prepare(
            "SELECT id, luck, pair FROM games WHERE origin IS NOT NULL AND pair IS NOT NULL GROUP BY pair
             HAVING COUNT(*) = 1 ORDER BY pair",
        )?;
        let mut seats = connection.prepare("SELECT bot FROM seats WHERE game = ? ORDER BY seat")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let bots = seats.query_map([row.get::<_, i64>(0)?], |row| row.get(0))?;
            let half = (row.get(1)?, bots.collect::<Result<_, _>>()?);
            pairs.halves.entry(half).or_default().push_back(row.get(2)?);
        }
        Ok(pairs)
    }

    /// Returns the pair number for a new game. The game joins the pair of the first game with the same bots, the same
    /// seed, swapped seats and no partner. Otherwise, it starts a new pair. Several pairs can have the same seed if a
    /// match was played again.
    fn pair_of(&mut self, seed: &str, bots: Vec<i64>) -> i64 {
        let exchanged = bots.iter().rev().copied().collect();
        let partners = self.halves.get_mut(&(seed.to_string(), exchanged));
        if let Some(pair) = partners.and_then(VecDeque::pop_front) {
            return pair;
        }
        let pair = self.next;
        self.next += 1;
        self.halves.entry((seed.to_string(), bots)).or_default().push_back(pair);
        pair
    }
}
