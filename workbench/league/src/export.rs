//! Export of a league's games for other programs.

use crate::game::{GameState, LeagueGame, SeatResult};
use crate::store::Store;
use contender_table::{Column, Form, Table, Values};
use std::io::Write;

/// The format of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum ExportForm {
    /// CSV with one row per game
    Csv,
    /// Apache Parquet with one row per game
    Parquet,
    /// JSON lines with the full record of each game
    Jsonl,
    /// PGN without moves, for Ordo and BayesElo
    Pgn,
}

impl ExportForm {
    /// Checks that this build can write the format.
    ///
    /// # Errors
    /// Returns an error with a hint if the format is not supported.
    pub fn check(self) -> anyhow::Result<()> {
        match self {
            ExportForm::Parquet => Form::Parquet.check(),
            _ => Ok(()),
        }
    }

    /// Writes all games of a league.
    ///
    /// # Errors
    /// Returns an error if the league's file cannot be read, if the writer fails, or if this build cannot write the
    /// format.
    pub fn write(self, store: &Store, out: impl Write + Send) -> anyhow::Result<()> {
        let bots = store.bots()?;
        let name = |id: i64| bots.iter().find(|bot| bot.id == id).map_or("", |bot| bot.name.as_str());
        let mut out = std::io::BufWriter::new(out);
        let games = store.games(matches!(self, ExportForm::Jsonl))?;
        match self {
            ExportForm::Jsonl => {
                for game in games {
                    if let Some(record) = game.record {
                        writeln!(out, "{record}")?;
                    }
                }
            }
            ExportForm::Pgn => {
                for game in games.iter().filter(|game| game.state == GameState::Done) {
                    if let [white, black] = &game.seats[..] {
                        write!(out, "{}", pgn(game.pair, [white, black], name))?;
                    }
                }
            }
            ExportForm::Csv => rows(&games, name).write_to(&mut out, Form::Csv)?,
            ExportForm::Parquet => {
                rows(&games, name).write_to(&mut out, Form::Parquet)?;
            }
        }
        Ok(out.flush()?)
    }
}

/// Returns a row for each game. The number of columns depends on the maximum number of seats in a game.
fn rows<'a>(games: &'a [LeagueGame], name: impl Fn(i64) -> &'a str) -> Table {
    let options = |of: &dyn Fn(&LeagueGame) -> Option<f64>| Values::Options(games.iter().map(of).collect());
    let mut columns = vec![
        Column::new("game", Values::Integers(games.iter().map(|game| game.id).collect())),
        Column::new("pair", options(&|game| game.pair.map(|pair| pair as f64))),
    ];
    let seats = games.iter().map(|game| game.seats.len()).max().unwrap_or_default().max(2);
    let texts = |seat: usize, of: &dyn Fn(&'a SeatResult) -> &'a str| {
        Values::Texts(games.iter().map(|game| game.seats.get(seat).map_or("", of).to_string()).collect())
    };
    let numbers =
        |seat: usize, of: fn(&SeatResult) -> Option<f64>| options(&|game| game.seats.get(seat).and_then(of));
    for seat in 0..seats {
        columns.push(Column::new(&format!("bot{seat}"), texts(seat, &|seat| name(seat.bot))));
    }
    for seat in 0..seats {
        columns.push(Column::new(&format!("points{seat}"), numbers(seat, |seat| Some(seat.points))));
    }
    for seat in 0..seats {
        columns.push(Column::new(&format!("end{seat}"), texts(seat, &|seat| &seat.ending)));
    }
    for seat in 0..seats {
        columns.push(Column::new(&format!("seconds{seat}"), numbers(seat, |seat| Some(seat.ms? / 1e3))));
    }
    let reasons = games.iter().map(|game| game.reason.clone().unwrap_or_default());
    columns.push(Column::new("void", Values::Texts(reasons.collect())));
    Table { columns }
}

/// Formats a game as PGN without moves: only the seven standard tags and the termination tag.
fn pgn<'a>(pair: Option<i64>, seats: [&SeatResult; 2], name: impl Fn(i64) -> &'a str) -> String {
    let text = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let result = match seats[0].rank.cmp(&seats[1].rank) {
        std::cmp::Ordering::Less => "1-0",
        std::cmp::Ordering::Equal => "1/2-1/2",
        std::cmp::Ordering::Greater => "0-1",
    };
    let has_ended = |ending: &str| seats.iter().any(|seat| seat.ending == ending);
    let termination = match () {
        () if seats.iter().all(|seat| seat.ending == "normal") => "normal",
        () if has_ended("timeout") => "time forfeit",
        () if has_ended("illegal") => "illegal move",
        () => "abandoned",
    };
    let [white, black] = seats.map(|seat| text(name(seat.bot)));
    let round = pair.map_or("-".to_string(), |pair| pair.to_string());
    format!(
        "[Event \"league\"]\n[Site \"-\"]\n[Date \"????.??.??\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
         [Result \"{result}\"]\n[Termination \"{termination}\"]\n\n{result}\n\n"
    )
}
