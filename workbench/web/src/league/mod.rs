//! The pages of a league: the strengths of its bots, and their development. The page shows the league's file, whichever
//! process plays the games.

pub mod bot;
pub mod control;
pub mod games;
mod table;

use crate::App;
use crate::home::query;
use crate::jobs::Report;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, Response};
use contender_league::{Game, League, Pictures, State as BotState, Store};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::sync::Arc;

/// The league, by its folder in the project.
#[derive(Deserialize)]
pub struct Params {
    dir: String,
}

/// Returns the name of a league.
pub fn name(dir: &str) -> String {
    if dir.is_empty() { "the league".to_string() } else { format!("league {dir}") }
}

/// Returns the record of a game in the league, if the game has one.
pub fn record(app: &App, dir: &str, number: usize) -> Result<Option<String>, Problem> {
    let (_, store) = open(app, dir)?;
    let game = store.game(number as i64).map_err(bad)?;
    Ok(game.and_then(|game| game.record))
}

pub fn open(app: &App, dir: &str) -> Result<(League, Store), Problem> {
    let league = League::open(&app.project.league(dir)?).map_err(bad)?;
    let store = Store::open_to_read(&league).map_err(bad)?;
    Ok((league, store))
}

fn bad(error: anyhow::Error) -> Problem {
    Problem::bad(format!("{error:#}"))
}

fn address(page: &str, dir: &str, more: &[(&str, &str)]) -> String {
    format!("{page}?{}", query(&[&[("dir", dir)], more].concat()))
}

/// Returns the key under which the jobs keep the league's runner.
fn job(dir: &str) -> String {
    format!("league {dir}")
}

/// A league at one moment.
struct View<'a> {
    dir: &'a str,
    league: &'a League,
    store: &'a Store,
    /// The state of the runner that this server has started.
    runner: Option<Report>,
    /// Whether the reader may change the league.
    is_known: bool,
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(Params { dir }): Query<Params>,
    headers: HeaderMap,
) -> Result<Html<String>, Problem> {
    let is_known = app.guard.knows(&headers);
    blocking(app, move |app| {
        let (league, store) = open(app, &dir)?;
        let runner = app.jobs.report(&job(&dir));
        let view = View { dir: &dir, league: &league, store: &store, runner, is_known };
        let content = html! {
            p.path {
                a href="/" { "Home" } " / " (name(&dir))
                @if let Some(contest) = league.contest() { " / " a href=(page::rules(contest.name())) { "Rules" } }
            }
            p { label { "Show bots named " input #filter type="search" autocomplete="off"; } }
            div data-live=(address("/league/live", &dir, &[])) { (view.parts().map_err(bad)?) }
            @if is_known { (control::new_bot(&dir)) }
        };
        Ok(page::frame(&name(&dir), Some("/league.js"), &content))
    })
    .await
}

/// Streams the parts of the page as they change.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(Params { dir }): Query<Params>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let is_known = app.guard.knows(&headers);
    let shared = Arc::clone(&app);
    let opening = dir.clone();
    let (league, store) = blocking(app, move |app| open(app, &opening)).await?;
    let mut seen = None;
    let key = format!("{} {is_known}", address("/league/live", &dir, &[]));
    Ok(live::watch(shared, key, move |app| {
        let runner = app.jobs.report(&job(&dir));
        let now = (store.version().ok(), store.runners().ok(), runner.clone());
        if seen.as_ref() == Some(&now) {
            return Update::Same;
        }
        seen = Some(now);
        let view = View { dir: &dir, league: &league, store: &store, runner, is_known };
        // If the file is in use, the next look reads it again.
        view.parts().map_or(Update::Same, Update::New)
    }))
}

impl View<'_> {
    fn parts(&self) -> anyhow::Result<Markup> {
        let (bots, games) = (self.store.bots()?, self.store.games(false)?);
        let contest = self.league.contest();
        let info = contest.map(|contest| contest.info());
        let game = &self.league.settings.game;
        let seats_differ = info.is_some_and(|info| info.seats_differ);
        let pictures = Pictures::of(game, &bots, &games, self.league.model(), seats_differ);
        let standings = pictures.standings();
        // The order does not depend on ratings, because the list may be open while they change.
        let mut names: Vec<&str> = standings.rows.iter().map(|row| row.name.as_str()).collect();
        names.sort_unstable();
        Ok(html! {
            section #state aria-label="State" {
                h1 { "League of " (game) }
                (self.state(&games)?)
            }
            section #standings aria-label="Standings" {
                (table::table(standings, info.map_or(["first", "second"], |info| info.seats), self))
                @if standings.rows.is_empty() { p { "No bots are in it yet." } }
            }
            @if self.is_known { (control::removed(self.dir, &bots)) }
            section #choice aria-labelledby="games-of" {
                h2 #games-of { "Games" }
                (games::choice(self.dir, &names))
            }
            section #pictures aria-label="Pictures" {
                @if standings.games > 0 {
                    div.pictures {
                        figure role="img" tabindex="0" aria-label="Who beats whom" { (PreEscaped(pictures.head_to_head())) }
                        figure role="img" tabindex="0" aria-label="Ratings as games were played" { (PreEscaped(pictures.progress())) }
                    }
                }
            }
        })
    }

    /// Returns the state of the league and the possible actions.
    fn state(&self, games: &[Game]) -> anyhow::Result<Markup> {
        let runners = self.store.runners()?;
        let playing = self.store.bots()?.iter().filter(|bot| bot.state == BotState::Active).count();
        let is_ours = self.runner.as_ref().is_some_and(|runner| runner.is_running);
        let failed = games.iter().filter(|game| game.has_failed()).count();
        let others = runners.saturating_sub(usize::from(is_ours));
        Ok(html! {
            p role="status" {
                (games.len()) " games"
                @if failed > 0 { ", " a.failure href=(address("/league/games", self.dir, &[("failed", "1")])) { (failed) " with a failure" } }
                ", " (playing) " bots playing. "
                @if is_ours { "It is running." } @else if others == 0 { "It is not running." }
                @if others > 0 { " " (others) " other " (if others == 1 { "runner plays" } else { "runners play" }) " it." }
            }
            @if self.is_known { (control::runner(self.dir, is_ours)) }
            @if let Some(runner) = self.runner.as_ref().filter(|runner| !runner.said.is_empty()) {
                details #said open[!is_ours] { summary { "Output of the runner" } pre tabindex="0" { (runner.said) } }
            }
        })
    }
}
