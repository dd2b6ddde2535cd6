//! The page with the games of one file.

use crate::App;
use crate::league;
use crate::page::{self, Problem, blocking};
use crate::text::query;
use axum::extract::{Query, State};
use axum::response::Html;
use contender_play::{Record, Seat};
use contender_replay::{ReplayError, ReplayedGame, Source, games};
use maud::{Markup, html};
use serde::Deserialize;
use std::sync::Arc;

/// Number of games per page.
const SHOWN: usize = 100;

/// A file, as it is named in addresses.
#[derive(Deserialize, Clone)]
pub struct File {
    /// The path of a file in the project.
    file: Option<String>,
    /// The number of a file that was dropped on a page.
    drop: Option<String>,
    /// The folder of a league. Games are then identified by their numbers in the league.
    league: Option<String>,
}

impl File {
    /// Returns the file's name for display.
    pub fn name(&self, app: &App) -> Result<String, Problem> {
        Ok(match (&self.file, &self.drop) {
            (Some(file), _) => file.clone(),
            (None, Some(number)) => self.dropped(app, number)?.name,
            (None, None) => match &self.league {
                Some(dir) => league::name(dir),
                None => return Err(Problem::bad("The URL does not name a file.")),
            },
        })
    }

    /// Returns the file's path if the file is in the project.
    pub fn path(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Returns whether the file has a game with this number.
    pub fn has_game(&self, app: &App, number: usize) -> bool {
        match (&self.league, number.checked_sub(1)) {
            (_, None) => false,
            (Some(dir), _) => league::record(app, dir, number).is_ok_and(|record| record.is_some()),
            (None, Some(skipped)) => self.games(app, skipped).is_ok_and(|mut games| games.next().is_some()),
        }
    }

    /// Returns the address of the list of games.
    pub fn list(&self) -> String {
        match &self.league {
            Some(dir) => format!("/league?{}", query(&[("dir", dir)])),
            None => self.address("/log", &[]),
        }
    }

    /// Returns a game. In a file, `number` is the game's position, counted from 1.
    pub fn game(&self, app: &App, number: usize) -> Result<ReplayedGame, Problem> {
        self.read(app, number)?.map_err(Problem::bad)
    }

    /// Returns a game, or an error that tells why the game cannot be replayed.
    pub fn read(&self, app: &App, number: usize) -> Result<Result<ReplayedGame, ReplayError>, Problem> {
        let missing = || Problem::not_found(format!("There is no game {number}."));
        if let Some(dir) = &self.league {
            let record = match league::record(app, dir, number)?.ok_or_else(missing)? {
                Ok(record) => record,
                Err(record) => {
                    let reason = "The league has only the result of this game.".to_string();
                    return Ok(Err(ReplayError::WithoutMoves { reason, record }));
                }
            };
            let source = Source::from_bytes(&league::name(dir), record.into_bytes());
            let mut games = games(source, None, 0).map_err(|error| Problem::bad(format!("{error:#}")))?;
            return games.next().ok_or_else(missing);
        }
        let skipped = number.checked_sub(1).ok_or_else(missing)?;
        self.games(app, skipped)?.next().ok_or_else(missing)
    }

    fn dropped(&self, app: &App, number: &str) -> Result<crate::drops::Dropped, Problem> {
        // Numbers begin at 1, so 0 finds nothing.
        app.drops
            .get(number.parse().unwrap_or(0))
            .ok_or_else(|| Problem::not_found("The server no longer keeps this file: drop it again."))
    }

    /// Returns the games after the first `skipped` games.
    pub fn games(
        &self,
        app: &App,
        skipped: usize,
    ) -> Result<Box<dyn Iterator<Item = Result<ReplayedGame, ReplayError>>>, Problem> {
        let source = match (&self.file, &self.drop) {
            (Some(file), _) => {
                let mut source = Source::open(&app.project.file(file)?)
                    .map_err(|error| Problem::bad(format!("{error:#}")))?;
                source.name.clone_from(file);
                source
            }
            (None, Some(number)) => {
                let file = self.dropped(app, number)?;
                Source::from_bytes(&file.name, file.bytes.to_vec())
            }
            (None, None) => return Err(Problem::bad("The URL does not name a file.")),
        };
        games(source, None, skipped).map_err(|error| Problem::bad(format!("{error:#}")))
    }

    /// Returns the query parameters that name this file.
    pub fn pairs(&self) -> Vec<(&'static str, &str)> {
        let named = [("file", &self.file), ("drop", &self.drop), ("league", &self.league)];
        named.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?))).collect()
    }

    /// Returns the address of a page with the parameters of this file and further parameters.
    pub fn address(&self, page: &str, more: &[(&str, &str)]) -> String {
        format!("{page}?{}", query(&[self.pairs().as_slice(), more].concat()))
    }
}

/// A file, and the games of it to list.
#[derive(Deserialize)]
pub struct Params {
    #[serde(flatten)]
    file: File,
    /// Number of games to skip.
    #[serde(default)]
    from: usize,
}

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let name = which.file.name(app)?;
        let mut games: Vec<_> = which.file.games(app, which.from)?.take(SHOWN + 1).collect();
        let has_more = games.len() > SHOWN;
        games.truncate(SHOWN);
        let has_battles = which.file.path().is_some_and(|file| app.project.first_battle(file).is_some());
        Ok(page::frame("", &name, None, &content(&which, &name, &games, [has_more, has_battles])))
    })
    .await
}

fn content(
    which: &Params,
    name: &str,
    games: &[Result<ReplayedGame, ReplayError>],
    [has_more, has_battles]: [bool; 2],
) -> Markup {
    let part = |from: usize| which.file.address("/log", &[("from", &from.to_string())]);
    html! {
        p.path { a href="/" { "Home" } " / games" }
        h1 { (name) }
        p.controls {
        @if let Some(file) = which.file.file.as_ref().filter(|file| file.ends_with(".jsonl")) {
            a.button.primary href=(format!("/match?{}", query(&[("file", file)]))) { "Match report" }
        }
        @if let Some(file) = which.file.file.as_ref().filter(|_| has_battles) {
            a.button href=(format!("/battles?{}", query(&[("file", file)]))) { "Battles by opponent" }
        }
        }
        @if games.is_empty() {
            p { "No games were found." }
        } @else {
            div.wide { table.list {
                thead { tr { th.number { "Game" } th { "Players" } th { "Of" } th.number { "Points" } th.number { "Moves" } th { "Failure" } } }
                tbody {
                    @for (number, game) in (which.from + 1..).zip(games) {
                        tr {
                            @match game {
                                Ok(game) => {
                                    @let record = game.record.as_deref();
                                    (row(which, number, game.contest.name(), &players(game), record, Some(game.moves.len())))
                                }
                                Err(ReplayError::WithoutMoves { record, .. }) => {
                                    (row(which, number, &record.game, &record.bots().join(" – "), Some(record), None))
                                }
                                Err(problem) => {
                                    td.number { (number) }
                                    td.failure colspan="5" { (problem) }
                                }
                            }
                        }
                    }
                }
            } }
        }
        nav.controls aria-label="More games" {
            @if which.from > 0 { a.button href=(part(which.from.saturating_sub(SHOWN))) { "← Earlier games" } " " }
            @if has_more { a.button href=(part(which.from + SHOWN)) { "Later games →" } }
        }
    }
}

/// Returns the names of the players of a game. Without names, returns the game's title or its seats.
fn players(game: &ReplayedGame) -> String {
    let seats = game.contest.info().seats;
    match &game.record {
        Some(record) => record.bots().join(" – "),
        None if game.title.is_empty() => seats.join(" – "),
        None => game.title.clone(),
    }
}

fn row(
    which: &Params,
    number: usize,
    game: &str,
    players: &str,
    record: Option<&Record>,
    moves: Option<usize>,
) -> Markup {
    let address = which.file.address("/replay", &[("game", &number.to_string())]);
    html! {
        td.number { a href=(address) { (number) } }
        td { a href=(address) { (players) } }
        td { (game) }
        td.number { @if let Some(record) = record { (scores(record)) } }
        td.number { @if let Some(moves) = moves { (moves) } }
        td.failure {
            @for seat in record.iter().flat_map(|record| &record.seats).filter(|seat| seat.ending.is_failure()) {
                (seat.bot) " " (seat.ending) " "
            }
        }
    }
}

/// Returns the points by seat. If there are no points, returns the ranks, because some referees report only ranks.
pub fn scores(record: &Record) -> String {
    if record.has_points() {
        return record.points_text(" – ");
    }
    let place = |seat: &Seat| {
        ["1st", "2nd", "3rd"]
            .get(seat.rank as usize)
            .map_or_else(|| format!("{}th", seat.rank + 1), ToString::to_string)
    };
    record.seats.iter().map(place).collect::<Vec<_>>().join(" – ")
}
