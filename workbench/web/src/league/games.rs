//! The games of a league: all games, those of a bot or of a pair, or those with a failure, with the bots' output.

use super::{address, bad, name, open};
use crate::App;
use crate::page::{self, Problem, blocking};
use crate::text::{ago, query};
use axum::extract::{Query, State};
use axum::response::Html;
use contender_league::{Bot, Game, GameState};
use contender_referee::Record;
use maud::{Markup, html};
use serde::Deserialize;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Number of games per page.
const SHOWN: usize = 100;

/// The games to list.
#[derive(Deserialize)]
pub struct Params {
    dir: String,
    /// A bot that plays in the games.
    #[serde(default)]
    a: String,
    /// Another bot that plays in the games.
    #[serde(default)]
    b: String,
    /// If this text is not empty, only games with a failure are listed.
    #[serde(default)]
    failed: String,
    /// Number of later games to skip.
    #[serde(default)]
    from: usize,
}

/// Returns the form that selects games.
pub fn choice(dir: &str, names: &[&str]) -> Markup {
    let select = |label: &str, name: &str| {
        html! { label { (label) " " select name=(name) {
            option value="" { "any bot" }
            @for known in names { option { (known) } }
        } } }
    };
    html! {
        form.controls action="/league/games" method="get" {
            input type="hidden" name="dir" value=(dir);
            (select("Of", "a")) (select("and", "b"))
            button type="submit" { "Show" }
        }
    }
}

/// A game of the list, with its record if a bot failed.
pub struct Shown {
    pub game: Game,
    pub record: Option<Record>,
}

/// Returns a table of games, each with a link to its board.
pub fn table(dir: &str, bots: &[Bot], shown: &[Shown]) -> Markup {
    html! {
        @if !shown.is_empty() {
            div.wide { table.list {
                thead { tr { th.number { "Game" } th { "Who" } th.number { "Points" } th { "Failed" } th { "Played" } } }
                tbody { @for game in shown { (row(dir, bots, game)) } }
            } }
        }
    }
}

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let (_, store) = open(app, &which.dir)?;
        let bots = store.bots().map_err(bad)?;
        let wanted = [&which.a, &which.b].map(|wanted| match wanted.as_str() {
            "" => Ok(None),
            name => bots
                .iter()
                .find(|bot| bot.name == name)
                .map(Some)
                .ok_or_else(|| Problem::not_found(format!("There is no bot {name}."))),
        });
        let [a, b] = wanted;
        let wanted: Vec<i64> = [a?, b?].into_iter().flatten().map(|bot| bot.id).collect();
        let is_wanted = |game: &Game| {
            wanted.iter().all(|&id| game.seat_of(id).is_some())
                && (which.failed.is_empty() || game.has_failed())
        };
        let mut games = store.games(false).map_err(bad)?;
        games.retain(is_wanted);
        let count = games.len();
        let shown = games.into_iter().rev().skip(which.from).take(SHOWN).map(|game| {
            let whole = if game.has_failed() { store.game(game.id)? } else { None };
            let record = whole.and_then(|game| Record::from_json(game.record.as_deref()?).ok());
            Ok(Shown { game, record })
        });
        let shown = shown.collect::<anyhow::Result<Vec<_>>>().map_err(bad)?;
        Ok(page::frame("", "Games", None, &content(&which, &bots, &shown, count)))
    })
    .await
}

fn content(which: &Params, bots: &[Bot], shown: &[Shown], count: usize) -> Markup {
    let who: Vec<&str> = [which.a.as_str(), &which.b].into_iter().filter(|name| !name.is_empty()).collect();
    let part = |from: usize| {
        let from = from.to_string();
        address(
            "/league/games",
            &which.dir,
            &[("a", &which.a), ("b", &which.b), ("failed", &which.failed), ("from", &from)],
        )
    };
    html! {
        p.path { a href=(address("/league", &which.dir, &[])) { (name(&which.dir)) } " / games" }
        h1 {
            @if !which.failed.is_empty() { "Failures" } @else { "Games" }
            @if !who.is_empty() { " of " (who.join(" and ")) }
        }
        p.legend { (count) " games, the latest first" @if which.from > 0 { ", from the " (which.from + 1) "th" } "." }
        (table(&which.dir, bots, shown))
        nav aria-label="Pages" {
            @if which.from > 0 { a href=(part(which.from.saturating_sub(SHOWN))) { "← later games" } " " }
            @if count > which.from + SHOWN { a href=(part(which.from + SHOWN)) { "earlier games →" } }
        }
    }
}

fn row(dir: &str, bots: &[Bot], Shown { game, record }: &Shown) -> Markup {
    let names = game.names(bots);
    let replay = format!("/replay?{}", query(&[("league", dir), ("game", &game.id.to_string())]));
    let played = game
        .finished
        .map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds.clamp(0.0, 1e12)));
    html! {
        tr {
            td.number { @if game.state == GameState::Done { a href=(replay) { (game.id) } } @else { (game.id) } }
            td { (names.join(" – ")) }
            td.number { @if game.state == GameState::Done { (game.result().replace(" - ", " – ")) } }
            td.failure {
                @if game.state == GameState::Void { "void: " (game.reason.as_deref().unwrap_or_default()) }
                @match record {
                    Some(record) => @for (name, seat) in names.iter().zip(&record.seats).filter(|(_, seat)| seat.ending.is_failure()) {
                        p { (name) " " (seat.ending) }
                        @if !seat.stderr.is_empty() { details { summary { "Standard error" } pre tabindex="0" { (seat.stderr) } } }
                    },
                    None => @for (name, seat) in names.iter().zip(&game.seats).filter(|(_, seat)| seat.has_failed()) {
                        p { (name) ": " (seat.ending) }
                    },
                }
            }
            td { (played.map_or(String::new(), ago)) }
        }
    }
}
