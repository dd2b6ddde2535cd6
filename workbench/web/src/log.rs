//! The page with the games of one file.

use crate::App;
use crate::failures;
use crate::files::FileSummary;
use crate::league;
use crate::page::{self, Problem, blocking};
use crate::shown::scores;
use crate::text::{count, grouped, query};
use axum::extract::{Query, State};
use axum::response::Html;
use contender_catalogue::find;
use contender_play::{Record, Seat};
use contender_replay::{ReplayError, ReplayedGame, Source, games};
use maud::{Markup, html};
use serde::Deserialize;
use std::cmp::Ordering;
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

    /// Returns the folder of the league, if the games are those of a league.
    pub fn league(&self) -> Option<&str> {
        self.league.as_deref()
    }

    /// Returns whether the file has a game with this number.
    pub fn has_game(&self, app: &App, number: usize) -> bool {
        match (&self.league, number.checked_sub(1)) {
            (_, None) => false,
            (Some(dir), _) => league::record(app, dir, number).is_ok_and(|record| record.is_some()),
            (None, Some(skipped)) => self.games(app, skipped).is_ok_and(|mut games| games.next().is_some()),
        }
    }

    /// Returns the section of the page's head that the file's pages belong to, as [`page::frame`] takes it.
    pub fn section(&self) -> &'static str {
        if self.league.is_some() { "/leagues/*" } else { "/*" }
    }

    /// Returns the address of the list of games.
    pub fn list(&self) -> String {
        match &self.league {
            Some(dir) => format!("/league?{}", query(&[("dir", dir)])),
            None => self.address("/log", &[]),
        }
    }

    /// Returns the links from a page of one game or player to the pages above it.
    pub fn above(&self, app: &App) -> Result<Vec<(String, String)>, Problem> {
        Ok(match &self.league {
            Some(dir) => league::above(dir).into(),
            None => vec![(self.list(), self.name(app)?)],
        })
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
        let path = which.file.path();
        let has_battles = path.is_some_and(|file| app.project.first_battle(file).is_some());
        let entries = app.project.contents().logs;
        let entry = entries.iter().find(|entry| Some(entry.path.as_str()) == path);
        let summary = entry.map(|entry| app.summaries.of(app, entry));
        let content = content(&which, &name, &games, [has_more, has_battles], summary.as_deref());
        Ok(page::frame("/*", &name, Some("/home.js"), &content))
    })
    .await
}

/// Returns the number of games, the results of the first player, and buttons that lead to the reports.
fn head(which: &Params, has_battles: bool, summary: Option<&FileSummary>) -> Markup {
    let file = which.file.path();
    let players = summary.map_or(&[][..], |summary| &summary.players);
    html! {
        @if let Some(summary) = summary.filter(|summary| summary.games > 0) {
            @let [won, drawn, lost] = summary.results;
            p.chips {
                span.chip { (count(summary.games as u64, "game", "games")) @if summary.has_more { " or more" } " of " (summary.game) }
                @if let Some(first) = players.first().filter(|_| won + drawn + lost > 0 && !summary.is_broken()) {
                    span.legend { (first) ":" }
                    span.chip.win { (grouped(won as u64)) " won" } span.chip { (grouped(drawn as u64)) " drawn" } span.chip.loss { (grouped(lost as u64)) " lost" }
                }
                (failures::chip(summary.failures as u64, summary.games as u64, None))
            }
            @if summary.is_broken() { (failures::notice(&summary.failing, summary.games as u64, &html! {})) }
        }
        p.controls {
            @if let Some(file) = file.filter(|file| file.ends_with(".jsonl")) {
                a.button.primary href=(format!("/match?{}", query(&[("file", file)]))) { "Match report" }
                // Only bundled games can be reviewed.
                @for (_, player) in players.iter().enumerate().filter(|(at, _)| summary.is_some_and(|of| !of.is_of_site && find(&of.game).is_some() && of.may_have_lost(*at))) {
                    a.button href=(format!("/review?{}", query(&[("file", file), ("player", player)]))) { "Why does " (player) " lose?" }
                }
            }
            @if let Some(file) = file.filter(|_| has_battles) {
                a.button href=(format!("/battles?{}", query(&[("file", file)]))) { "Battles by opponent" }
            }
        }
    }
}

fn content(
    which: &Params,
    name: &str,
    games: &[Result<ReplayedGame, ReplayError>],
    [has_more, has_battles]: [bool; 2],
    summary: Option<&FileSummary>,
) -> Markup {
    let part = |from: usize| which.file.address("/log", &[("from", &from.to_string())]);
    let rows: Vec<Row<'_>> =
        (which.from.saturating_add(1)..).zip(games).map(|(number, game)| Row::of(number, game)).collect();
    let mut kinds: Vec<&str> = rows.iter().map(|row| row.game).filter(|game| !game.is_empty()).collect();
    kinds.dedup();
    let is_mixed = kinds.len() > 1;
    let has_failures = rows.iter().any(|row| !row.failure.is_empty());
    let is_broken = summary.is_some_and(FileSummary::is_broken);
    let leader = summary.filter(|_| !is_broken).and_then(FileSummary::leader);
    let cells = Columns {
        is_mixed,
        has_failures,
        is_broken,
        has_results: rows.iter().any(|row| row.record.is_some()),
        leader,
    };
    html! {
        (page::crumbs(&[], name, kinds.first().filter(|_| !is_mixed).and_then(|kind| find(kind)).map(|contest| contest.name())))
        h1 { (name) }
        (head(which, has_battles, summary))
        @if rows.is_empty() {
            p { "No games were found." }
        } @else {
            @if rows.len() >= page::MANY {
                div.controls {
                    label { "Filter these games " input #search type="search" autocomplete="off" placeholder="a bot, a result"; }
                    @if leader.is_some() { @for word in ["won", "drew", "lost"] { button.small type="button" data-filter=(word) { (word) } } }
                }
            }
            div.wide { table.list #logs {
                thead { tr {
                    th.number { "#" } th { "Players" }
                    @if cells.has_results { @if !is_broken { th { (leader.unwrap_or("Winner")) } } th { "Points" } }
                    th.number.extra { "Moves" }
                    @if is_mixed { th { "Game" } }
                    @if has_failures { th { "Failure" } }
                } }
                tbody { @for row in &rows { (row.draw(which, &cells)) } }
            } }
        }
        nav.controls aria-label="More games" {
            @if which.from > 0 { a.button href=(part(which.from.saturating_sub(SHOWN))) { "← Earlier games" } " " }
            @if has_more { a.button href=(part(which.from + SHOWN)) { "Later games →" } }
        }
    }
}

/// The columns that not every table of games has.
struct Columns<'a> {
    /// Whether the file has games of different kinds.
    is_mixed: bool,
    has_failures: bool,
    has_results: bool,
    /// Whether most games failed, so that the winners say nothing.
    is_broken: bool,
    /// The player whose results are shown, instead of the winners.
    leader: Option<&'a str>,
}

/// A game, as the table shows it.
struct Row<'a> {
    number: usize,
    game: &'a str,
    players: String,
    record: Option<&'a Record>,
    moves: Option<usize>,
    /// A description of the failures, or the reason why the game cannot be read.
    failure: String,
}

impl Row<'_> {
    fn of(number: usize, game: &Result<ReplayedGame, ReplayError>) -> Row<'_> {
        match game {
            Ok(game) => {
                let record = game.record.as_deref();
                let (name, moves) = (game.contest.name(), Some(game.moves.len()));
                Row { number, game: name, players: players(game), record, moves, failure: failures(record) }
            }
            Err(ReplayError::WithoutMoves { record, .. }) => {
                let (players, failure) = (record.bots().join(" – "), failures(Some(record)));
                Row { number, game: &record.game, players, record: Some(record), moves: None, failure }
            }
            Err(problem) => Row {
                number,
                game: "",
                players: String::new(),
                record: None,
                moves: None,
                failure: problem.to_string(),
            },
        }
    }

    fn draw(&self, which: &Params, columns: &Columns<'_>) -> Markup {
        let address = which.file.address("/replay", &[("game", &self.number.to_string())]);
        html! {
            tr {
                td.number { @if self.players.is_empty() { (self.number) } @else { a href=(address) { (self.number) } } }
                td { a href=(address) { (self.players) } }
                @if columns.has_results {
                    @if !columns.is_broken { td { @match (columns.leader, self.record) {
                        (Some(leader), Some(record)) => (result(record, leader)),
                        (None, Some(record)) => (winner(record)),
                        (_, None) => {}
                    } } }
                    td.points { (self.record.map_or(String::new(), scores)) }
                }
                td.number.extra { @if let Some(moves) = self.moves { (moves) } }
                @if columns.is_mixed { td { (self.game) } }
                @if columns.has_failures { td.failure { (self.failure) } }
            }
        }
    }
}

/// Returns a player's result in a game as a chip.
fn result(record: &Record, player: &str) -> Markup {
    let own = record.seats.iter().find(|seat| seat.bot == player).map(|seat| seat.rank);
    let other = record.seats.iter().find(|seat| seat.bot != player).map(|seat| seat.rank);
    html! {
        @match own.zip(other).map(|(own, other)| own.cmp(&other)) {
            Some(Ordering::Less) => span.chip.win { "won" },
            Some(Ordering::Equal) => span.chip { "drew" },
            Some(Ordering::Greater) => span.chip.loss { "lost" },
            None => {}
        }
    }
}

/// Returns the name of the winner. If several seats have the best rank, returns "draw".
fn winner(record: &Record) -> String {
    let best: Vec<&Seat> = record.seats.iter().filter(|seat| seat.rank == 0).collect();
    match best[..] {
        [one] => one.bot.clone(),
        _ => "draw".to_string(),
    }
}

fn failures(record: Option<&Record>) -> String {
    let seats = record.into_iter().flat_map(|record| &record.seats);
    let failed =
        seats.filter(|seat| seat.ending.is_failure()).map(|seat| format!("{} {}", seat.bot, seat.ending));
    failed.collect::<Vec<_>>().join("; ")
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
