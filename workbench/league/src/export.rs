//! All games of a league for other programs.

use crate::game::{Game, GameState};
use crate::store::Store;
use contender_table::{Column, Form, Table, Values};
use std::io::Write;

/// What all games are written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum ExportForm {
    /// A row for each game
    Csv,
    /// The same as Apache Parquet
    Parquet,
    /// The records, one object of JSON a line
    Jsonl,
    /// Games without moves, for Ordo and BayesElo
    Pgn,
}

impl ExportForm {
    /// Says whether this build writes the form.
    ///
    /// # Errors
    /// If not, with the remedy.
    pub fn check(self) -> anyhow::Result<()> {
        match self {
            ExportForm::Parquet => Form::Parquet.check(),
            _ => Ok(()),
        }
    }

    /// Writes all games of a league.
    ///
    /// # Errors
    /// What SQLite says, what the writer says, or a form that this build does not write.
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
                for game in games.iter().filter(|game| game.state == GameState::Done && game.more.is_empty())
                {
                    write!(out, "{}", pgn(game, game.bots.map(name)))?;
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

/// A row for each game.
fn rows<'a>(games: &'a [Game], name: impl Fn(i64) -> &'a str) -> Table {
    let texts = |of: &dyn Fn(&'a Game) -> &'a str| {
        Values::Texts(games.iter().map(|game| of(game).to_string()).collect())
    };
    let options = |of: &dyn Fn(&Game) -> Option<f64>| Values::Options(games.iter().map(of).collect());
    let mut columns = vec![
        Column::new("game", Values::Integers(games.iter().map(|game| game.id).collect())),
        Column::new("pair", options(&|game| game.pair.map(|pair| pair as f64))),
        Column::new("bot0", texts(&|game| name(game.bots[0]))),
        Column::new("bot1", texts(&|game| name(game.bots[1]))),
        Column::new("points0", Values::Numbers(games.iter().map(|game| game.points[0]).collect())),
        Column::new("points1", Values::Numbers(games.iter().map(|game| game.points[1]).collect())),
        Column::new("end0", texts(&|game| &game.ends[0])),
        Column::new("end1", texts(&|game| &game.ends[1])),
        Column::new("seconds0", options(&|game| game.seconds[0])),
        Column::new("seconds1", options(&|game| game.seconds[1])),
    ];
    // Seats after the second one, where there are any; games of two have nothing there.
    for at in 0..games.iter().map(|game| game.more.len()).max().unwrap_or(0) {
        let named = |what: &str| format!("{what}{}", at + 2);
        columns.extend([
            Column::new(&named("bot"), texts(&|game| game.more.get(at).map_or("", |seat| name(seat.bot)))),
            Column::new(&named("points"), options(&|game| game.more.get(at).map(|seat| seat.points))),
            Column::new(&named("end"), texts(&|game| game.more.get(at).map_or("", |seat| &seat.end))),
        ]);
    }
    columns.push(Column::new("void", texts(&|game| game.reason.as_deref().unwrap_or_default())));
    Table { columns }
}

/// A game without its moves: the seven tags and how it ended.
fn pgn(game: &Game, bots: [&str; 2]) -> String {
    let text = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let result = match game.points[0].total_cmp(&game.points[1]) {
        std::cmp::Ordering::Greater => "1-0",
        std::cmp::Ordering::Equal => "1/2-1/2",
        std::cmp::Ordering::Less => "0-1",
    };
    let has_ended = |end: &str| game.ends.iter().any(|of| of == end);
    let termination = match () {
        () if game.ends.iter().all(|end| end == "normal") => "normal",
        () if has_ended("timeout") => "time forfeit",
        () if has_ended("illegal") => "illegal move",
        () => "abandoned",
    };
    let [white, black] = bots.map(text);
    let round = game.pair.map_or("-".to_string(), |pair| pair.to_string());
    format!(
        "[Event \"league\"]\n[Site \"-\"]\n[Date \"????.??.??\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
         [Result \"{result}\"]\n[Termination \"{termination}\"]\n\n{result}\n\n"
    )
}
