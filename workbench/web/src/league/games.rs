//! The games of a league: all games, the games of a bot or of two bots, or the games with a failure. Failures are shown
//! with the bots' output.

use super::{above, address, bad, name, open};
use crate::App;
use crate::page::{self, Problem, blocking};
use crate::text::{ago, count, grouped, query};
use axum::extract::{Query, State};
use axum::response::Html;
use contender_league::{GameState, LeagueBot, LeagueGame};
use contender_referee::Record;
use maud::{Markup, html};
use serde::Deserialize;
use std::cmp::Ordering;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Number of games per page.
const SHOWN: usize = 100;

/// The selection of games.
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
    /// The result of bot `a`: `won`, `drawn` or `lost`; empty for any result.
    #[serde(default)]
    result: String,
    /// Number of later games to skip before the first listed game.
    #[serde(default)]
    from: usize,
}

/// The possible results of a bot. Each result follows from the comparison of the bot's rank with its opponent's.
const RESULTS: [(&str, Ordering); 3] =
    [("won", Ordering::Less), ("drawn", Ordering::Equal), ("lost", Ordering::Greater)];

/// Returns the form that selects games. `chosen` is the current selection.
pub fn choice(dir: &str, names: &[&str], chosen: Option<&Params>) -> Markup {
    let select = |label: &str, name: &str, chosen: &str| {
        html! { label { (label) " " select name=(name) {
            option value="" { "any bot" }
            @for known in names { option selected[*known == chosen] { (known) } }
        } } }
    };
    let [a, b, result] = chosen.map_or([""; 3], |of| [of.a.as_str(), &of.b, &of.result]);
    html! {
        form.controls action="/league/games" method="get" {
            input type="hidden" name="dir" value=(dir);
            (select("Bot", "a", a)) (select("against", "b", b))
            label { "Result " select name="result" {
                option value="" { "any" }
                @for (name, _) in RESULTS { option selected[name == result] { (name) } }
            } }
            label { input type="checkbox" name="failed" value="1" checked[chosen.is_some_and(|of| !of.failed.is_empty())]; " with a failure" }
            button type="submit" { "Show games" }
        }
    }
}

/// Returns a bot's result in a finished game of two players.
fn result(game: &LeagueGame, bot: i64) -> Option<(&'static str, Ordering)> {
    let own = game.seat_of(bot).filter(|_| game.state == GameState::Done && game.seats.len() == 2)?;
    let other = game.seats.iter().find(|seat| seat.bot != bot)?;
    RESULTS.into_iter().find(|(_, order)| *order == own.rank.cmp(&other.rank))
}

/// A game in the list, with its record if a bot failed.
pub struct Shown {
    pub game: LeagueGame,
    pub record: Option<Record>,
}

/// Returns a table of games with links to their boards. If `of` is set, the table also shows this bot's results.
pub fn table(dir: &str, bots: &[LeagueBot], shown: &[Shown], of: Option<i64>) -> Markup {
    let has_failures = shown.iter().any(|shown| shown.game.has_failed());
    html! {
        @if !shown.is_empty() {
            div.wide { table.list {
                thead { tr {
                    th.number.extra { "Game" } @if of.is_some() { th { "Result" } } th { "Players" } @if of.is_none() { th { "Winner" } }
                    th { "Points" } th.extra { "Played" } @if has_failures { th { "Failure" } }
                } }
                tbody { @for game in shown { (row(dir, bots, game, of, has_failures)) } }
            } }
        }
    }
}

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let (league, store) = open(app, &which.dir)?;
        let game = league.contest().map(|contest| contest.name());
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
        let (a, b) = (a?, b?);
        let wanted: Vec<i64> = [a, b].into_iter().flatten().map(|bot| bot.id).collect();
        let of = a.map(|bot| bot.id);
        let has_result = |game: &LeagueGame| {
            which.result.is_empty()
                || of.is_none()
                || of.is_some_and(|bot| result(game, bot).is_some_and(|(name, _)| name == which.result))
        };
        let is_wanted = |game: &LeagueGame| {
            wanted.iter().all(|&id| game.seat_of(id).is_some())
                && (which.failed.is_empty() || game.has_failed())
                && has_result(game)
        };
        let mut games = store.games(false).map_err(bad)?;
        games.retain(is_wanted);
        let count = games.len();
        let results = of.map(|bot| {
            RESULTS.map(|(_, order)| {
                games.iter().filter(|game| result(game, bot).is_some_and(|of| of.1 == order)).count()
            })
        });
        let shown = games.into_iter().rev().skip(which.from).take(SHOWN).map(|game| {
            let whole = if game.has_failed() { store.game(game.id)? } else { None };
            let record = whole.and_then(|game| Record::from_json(game.record.as_deref()?).ok());
            Ok(Shown { game, record })
        });
        let shown = shown.collect::<anyhow::Result<Vec<_>>>().map_err(bad)?;
        let content = content(&which, game, &bots, &shown, count, of, results);
        Ok(page::frame("/leagues/*", &format!("Games of {}", name(&which.dir)), None, &content))
    })
    .await
}

/// Returns the page's content. `results` are the numbers of all selected games that bot `a` won, drew and lost.
fn content(
    which: &Params,
    game: Option<&str>,
    bots: &[LeagueBot],
    shown: &[Shown],
    number: usize,
    of: Option<i64>,
    results: Option<[usize; 3]>,
) -> Markup {
    let mut names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
    names.sort_unstable();
    let who: Vec<&str> = [which.a.as_str(), &which.b].into_iter().filter(|name| !name.is_empty()).collect();
    let part = |from: usize| {
        let from = from.to_string();
        address(
            "/league/games",
            &which.dir,
            &[
                ("a", &which.a),
                ("b", &which.b),
                ("failed", &which.failed),
                ("result", &which.result),
                ("from", &from),
            ],
        )
    };
    html! {
        (page::crumbs(&above(&which.dir), "Games", game))
        h1 {
            @if !which.failed.is_empty() { "Failures" } @else { "Games" }
            @if !who.is_empty() { " of " (who.join(" and ")) }
        }
        (choice(&which.dir, &names, Some(which)))
        @if let Some(results) = results {
            p.chips {
                span.legend { (which.a) ":" }
                @let [won, drawn, lost] = results.map(|number| grouped(number as u64));
                span.chip.win { (won) " won" } span.chip { (drawn) " drawn" } span.chip.loss { (lost) " lost" }
                @if results[2] > 0 && game.is_some() { a.button.small href=(format!("/review?{}", query(&[("league", &which.dir), ("player", &which.a), ("against", &which.b)]))) { "Why does " (which.a) " lose?" } }
            }
        }
        p.legend {
            @if number == 0 { "No games match." }
            @else if number > SHOWN {
                "Games " (grouped(which.from as u64 + 1)) " to " (grouped(number.min(which.from + SHOWN) as u64)) " of " (grouped(number as u64)) ", newest first."
            }
            @else { (count(number as u64, "game", "games")) @if number > 1 { ", newest first" } "." }
            @if of.is_none() && !which.result.is_empty() { " To filter by result, choose a bot." }
        }
        (table(&which.dir, bots, shown, of))
        nav.controls aria-label="More games" {
            @if which.from > 0 { a.button href=(part(which.from.saturating_sub(SHOWN))) { "← Newer games" } " " }
            @if number > which.from + SHOWN { a.button href=(part(which.from + SHOWN)) { "Older games →" } }
        }
    }
}

/// Returns a failure without its details, which are in parentheses.
fn short(ending: &str) -> &str {
    ending.split(" (").next().unwrap_or(ending)
}

fn row(
    dir: &str,
    bots: &[LeagueBot],
    Shown { game, record }: &Shown,
    of: Option<i64>,
    has_failures: bool,
) -> Markup {
    let names = game.names(bots);
    let is_done = game.state == GameState::Done;
    let mut best =
        names.iter().zip(&game.seats).filter(|(_, seat)| is_done && seat.rank == 0).map(|(name, _)| *name);
    let winner = match (best.next(), best.next()) {
        (Some(winner), None) => winner,
        (Some(_), Some(_)) => "draw",
        (None, _) => "",
    };
    let replay = format!("/replay?{}", query(&[("league", dir), ("game", &game.id.to_string())]));
    let played = game
        .finished
        .map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds.clamp(0.0, 1e12)));
    html! {
        tr {
            td.number.extra { @if is_done { a href=(replay) { (game.id) } } @else { (game.id) } }
            @if let Some(bot) = of {
                td { @match result(game, bot) {
                    Some((_, Ordering::Less)) => span.chip.win { "W" },
                    Some((_, Ordering::Greater)) => span.chip.loss { "L" },
                    Some((_, Ordering::Equal)) => span.chip { "D" },
                    None => {},
                } }
            }
            td { @if is_done { a href=(replay) { (names.join(" – ")) } } @else { (names.join(" – ")) } }
            @if of.is_none() { td { @if winner == "draw" { span.chip { "draw" } } @else if !winner.is_empty() { span.chip.win { (winner) } } } }
            td.points { @if is_done { (game.result().replace(" - ", " – ")) } }
            td.extra { (played.map_or(String::new(), ago)) }
            @if has_failures { td.failure {
                @if game.state == GameState::Void { "void: " (game.reason.as_deref().unwrap_or_default()) }
                @match record {
                    Some(record) => @for (name, seat) in names.iter().zip(&record.seats).filter(|(_, seat)| seat.ending.is_failure()) {
                        p title=(seat.ending) { (name) " " (short(&seat.ending.to_string())) }
                        @if !seat.stderr.is_empty() { details { summary { "Standard error" } pre tabindex="0" { (seat.stderr) } } }
                    },
                    None => @for (name, seat) in names.iter().zip(&game.seats).filter(|(_, seat)| seat.has_failed()) {
                        p title=(seat.ending) { (name) " " (short(&seat.ending)) }
                    },
                }
            } }
        }
    }
}
