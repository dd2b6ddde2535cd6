//! Reading of games from a league's file. The contents are not trusted, because another program may have written them.

use super::printable;
use crate::game::{GameState, LeagueGame, SeatResult, flaw};
use contender_stats::ratings::MAX_PLAYERS;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Params, Row};

/// The columns of a query for games, in its order.
#[derive(Clone, Copy)]
enum Column {
    Id,
    Pair,
    State,
    Finished,
    Reason,
    Record,
    Seat,
    Bot,
    Rank,
    Points,
    Ending,
    Ms,
    SlowestMs,
}

impl Column {
    /// Returns the name of the column in the file.
    fn name(self) -> &'static str {
        const NAMES: [&str; 13] = [
            "id",
            "pair",
            "state",
            "finished",
            "reason",
            "record",
            "seat",
            "bot",
            "rank",
            "points",
            "ending",
            "ms",
            "slowest_ms",
        ];
        NAMES[self as usize]
    }
}

/// Returns games and their seats in the order in which the games were planned. `condition` is a WHERE clause or empty.
/// Records are long, so they are read only if `with_records` is set.
pub(super) fn games_of(
    connection: &Connection,
    with_records: bool,
    condition: &str,
    params: impl Params,
) -> anyhow::Result<Vec<LeagueGame>> {
    let record = if with_records { "record" } else { "NULL" };
    let query = format!(
        "SELECT games.id, pair, state, finished, reason, {record} AS record, seat, bot, rank, points, ending, ms, slowest_ms
         FROM games LEFT JOIN seats ON seats.game = games.id {condition} ORDER BY games.id, seat"
    );
    let mut statement = connection.prepare_cached(&query)?;
    let mut rows = statement.query(params)?;
    let mut games: Vec<LeagueGame> = Vec::new();
    let mut found = None;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(Column::Id as usize)?;
        if games.last().is_none_or(|game| game.id != id) {
            close(&mut games, found.take());
            let mut cells = Cells { row, flaw: None };
            games.push(game(id, &mut cells));
            found = cells.flaw;
        }
        let game = games.last_mut().expect("a game was just added");
        let mut cells = Cells { row, flaw: found.take() };
        game.seats.extend(seat(&mut cells, game.state == GameState::Done));
        found = cells.flaw;
    }
    close(&mut games, found);
    Ok(games)
}

/// Completes the last game after all its seats have been read. A game that cannot be rated is kept but does not count.
fn close(games: &mut [LeagueGame], found: Option<String>) {
    let Some(game) = games.last_mut().filter(|game| game.state == GameState::Done) else { return };
    if let Some(flaw) = found.or_else(|| flaw(&game.seats)) {
        (game.state, game.reason) = (GameState::Void, Some(flaw));
    }
}

/// Creates a game without seats from a row.
fn game(id: i64, cells: &mut Cells<'_, '_>) -> LeagueGame {
    let state = match cells.row.get_ref(Column::State as usize) {
        Ok(ValueRef::Text(b"done")) => GameState::Done,
        Ok(ValueRef::Text(b"void")) => GameState::Void,
        _ => GameState::Open,
    };
    LeagueGame {
        id,
        pair: cells.number(Column::Pair).map(|pair| pair as i64),
        seats: Vec::new(),
        state,
        finished: cells.number(Column::Finished),
        reason: cells.text(Column::Reason),
        record: cells.record(),
    }
}

/// Creates a seat of a game from a row. If the game is done, the seat has a result.
fn seat(cells: &mut Cells<'_, '_>, is_done: bool) -> Option<SeatResult> {
    let number = cells.number(Column::Seat)?;
    if !(0.0..MAX_PLAYERS as f64).contains(&number) {
        cells.flaw.get_or_insert(format!("it has an invalid seat {number}"));
        return None;
    }
    let bot = cells.number(Column::Bot).unwrap_or_default() as i64;
    let rank = cells.number(Column::Rank);
    if is_done && rank.is_none() {
        cells.flaw.get_or_insert(format!("seat {number} has no rank"));
    }
    Some(SeatResult {
        bot,
        rank: rank.unwrap_or_default() as u32,
        points: cells.number(Column::Points).unwrap_or_default(),
        ending: cells.text(Column::Ending).unwrap_or_default(),
        ms: cells.number(Column::Ms),
        slowest_ms: cells.number(Column::SlowestMs),
    })
}

/// A reader for the cells of a row.
struct Cells<'a, 'b> {
    row: &'a Row<'b>,
    /// A description of the first invalid cell.
    flaw: Option<String>,
}

impl Cells<'_, '_> {
    fn number(&mut self, column: Column) -> Option<f64> {
        match self.row.get_ref(column as usize) {
            Ok(ValueRef::Integer(number)) => Some(number as f64),
            Ok(ValueRef::Real(number)) => Some(number),
            Ok(ValueRef::Null) => None,
            cell => self.bad(column, cell),
        }
    }

    fn text(&mut self, column: Column) -> Option<String> {
        match self.row.get_ref(column as usize) {
            Ok(ValueRef::Text(text)) => Some(printable(&String::from_utf8_lossy(text))),
            Ok(ValueRef::Null) => None,
            cell => self.bad(column, cell),
        }
    }

    fn record(&mut self) -> Option<String> {
        /// Maximum length of a game's record in bytes.
        const MAX_LENGTH: usize = 16 << 20;
        match self.row.get_ref(Column::Record as usize) {
            Ok(ValueRef::Text(text)) if text.len() <= MAX_LENGTH => {
                Some(String::from_utf8_lossy(text).into_owned())
            }
            Ok(ValueRef::Text(text)) => {
                self.flaw.get_or_insert(format!("its record has {} bytes", text.len()));
                None
            }
            Ok(ValueRef::Null) => None,
            cell => self.bad(Column::Record, cell),
        }
    }

    fn bad<T>(&mut self, column: Column, cell: rusqlite::Result<ValueRef<'_>>) -> Option<T> {
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
        let name = column.name();
        let whose = if column as usize > Column::Seat as usize {
            format!("{name} of seat {}", self.row.get::<_, i64>(Column::Seat as usize).unwrap_or(-1))
        } else {
            name.to_string()
        };
        self.flaw.get_or_insert(format!("{whose} is {what}"));
        None
    }
}
