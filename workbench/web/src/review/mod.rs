//! The page "Why does my bot lose?": the failures and the most costly moves of a player in all games of a log or a
//! league, as `contender review` finds them.

mod job;
mod report;

pub use job::Reviews;

use crate::App;
use crate::guard::Known;
use crate::league;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking, command};
use crate::text::{query, quoted};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_play::{Record, read_log};
use maud::html;
use serde::Deserialize;
use std::io::BufReader;
use std::sync::Arc;

/// Maximum number of games to read. If a league has more games, only the latest games are read.
const MAX_GAMES: usize = 2_000;

/// Query parameters: the source of the games, and the player to review.
#[derive(Deserialize, Clone)]
pub struct Params {
    /// A log in the project.
    file: Option<String>,
    /// The folder of a league.
    league: Option<String>,
    /// The player; empty for the first player of the first game.
    #[serde(default)]
    player: String,
}

/// The games of a review.
pub struct Games {
    pub contest: &'static dyn Contest,
    pub player: String,
    pub records: Vec<Record>,
    /// The number of each game in its file or league.
    pub numbers: Vec<usize>,
    /// The names of all players.
    pub players: Vec<String>,
}

impl Params {
    fn address(&self, page: &str, player: &str) -> String {
        let named = [("file", &self.file), ("league", &self.league)];
        let mut pairs: Vec<(&str, &str)> =
            named.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))).collect();
        pairs.push(("player", player));
        format!("{page}?{}", query(&pairs))
    }

    /// Returns the address of a position in a game.
    fn replay(&self, game: usize, turn: usize) -> String {
        let (game, turn) = (game.to_string(), turn.to_string());
        let source = match (&self.league, &self.file) {
            (Some(dir), _) => ("league", dir.as_str()),
            (None, file) => ("file", file.as_deref().unwrap_or_default()),
        };
        format!("/replay?{}", query(&[source, ("game", &game), ("turn", &turn)]))
    }

    /// Returns the name of the file or league.
    fn source(&self) -> String {
        self.league.as_deref().map_or_else(|| self.file.clone().unwrap_or_default(), league::name)
    }

    fn read(&self, app: &App) -> Result<Vec<(usize, Record)>, Problem> {
        if let Some(dir) = &self.league {
            let (_, store) = league::open(app, dir)?;
            let games = store.games(true).map_err(|error| Problem::bad(format!("{error:#}")))?;
            let whole = games.into_iter().rev().filter_map(|game| {
                Some((usize::try_from(game.id).ok()?, Record::from_json(game.record.as_deref()?).ok()?))
            });
            return Ok(whole.take(MAX_GAMES).collect());
        }
        let file = self.file.as_deref().ok_or_else(|| Problem::bad("The URL does not name a file."))?;
        let file = contender_input::open(&app.project.file(file)?).map_err(Problem::bad)?;
        let games = (1..).zip(read_log(BufReader::new(file)));
        Ok(games.filter_map(|(number, record)| Some((number, record.ok()?))).take(MAX_GAMES).collect())
    }

    fn games(&self, app: &App) -> Result<Games, Problem> {
        let (numbers, records): (Vec<usize>, Vec<Record>) = self.read(app)?.into_iter().unzip();
        let first = records.first().ok_or_else(|| Problem::not_found("There are no games to review yet."))?;
        let contest = find(&first.game).ok_or_else(|| {
            Problem::bad(format!(
                "{} is not a bundled game, so no bundled bot can judge the moves.",
                first.game
            ))
        })?;
        let mut players: Vec<String> = records.iter().flat_map(Record::bots).map(str::to_string).collect();
        players.sort();
        players.dedup();
        let player = if self.player.is_empty() { first.seats[0].bot.clone() } else { self.player.clone() };
        if !players.contains(&player) {
            return Err(Problem::not_found(format!("{player} has no games in {}.", self.source())));
        }
        Ok(Games { contest, player, records, numbers, players })
    }
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let games = which.games(app)?;
        let found = app.reviews.find(&which.address("", &games.player));
        let back = match (&which.league, &which.file) {
            (Some(dir), _) => format!("/league?{}", query(&[("dir", dir)])),
            (None, file) => format!("/match?{}", query(&[("file", file.as_deref().unwrap_or_default())])),
        };
        let content = html! {
            p.path { a href="/" { "Home" } " / " a href=(back) { (which.source()) } " / review" }
            h1 { "Why does " (games.player) " lose?" }
            form.controls action="/review" method="get" {
                @if let Some(file) = &which.file { input type="hidden" name="file" value=(file); }
                @if let Some(dir) = &which.league { input type="hidden" name="league" value=(dir); }
                label { "Player " select name="player" {
                    @for name in &games.players { option selected[*name == games.player] { (name) } }
                } }
                button type="submit" { "Show" }
            }
            (page::read_only(is_known))
            (report::failures(&which, &games))
            div data-live=[is_known.then(|| which.address("/review/live", &games.player))] {
                (report::parts(&which, &games, found.as_deref(), is_known))
            }
            @if let Some(file) = &which.file {
                (command(&format!("review {} --player {}", quoted(file), quoted(&games.player))))
            }
        };
        Ok(page::frame("", &format!("Why does {} lose?", games.player), Some("/live.js"), &content))
    })
    .await
}

/// Starts the review unless it is running or complete, and streams its progress and its results.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    known: Known,
) -> Result<Response, Problem> {
    known.require()?;
    let (which, games, job) = blocking(Arc::clone(&app), move |app| {
        let games = Arc::new(which.games(app)?);
        let job = app.reviews.start(&which.address("", &games.player), &games)?;
        Ok((which, games, job))
    })
    .await?;
    let key = which.address("/review/live", &games.player);
    let mut seen = None;
    Ok(live::watch(app, key, move |_| {
        let now = job.progress();
        if seen == Some(now) {
            return Update::Same;
        }
        seen = Some(now);
        Update::New(report::parts(&which, &games, Some(&job), true))
    }))
}
