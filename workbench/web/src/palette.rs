//! The entries of the search: pages, games, files, leagues and their bots.

use crate::App;
use crate::files::newest_game;
use crate::league;
use crate::page::{Problem, blocking};
use crate::text::{query, why_lost};
use axum::Json;
use axum::extract::State;
use contender_catalogue::contests;
use serde::Serialize;
use std::sync::Arc;

/// Maximum number of entries of each kind. A longer list would load slowly.
const MAX_COUNT: usize = 500;

/// Maximum number of files that are read for the names of their players.
const MAX_SUMMARIES: usize = 50;

/// A page that the search can find.
#[derive(Serialize)]
pub struct Entry {
    name: String,
    kind: &'static str,
    address: String,
    /// The keys that lead to the page, if it has some.
    keys: &'static str,
    /// Further words with which the search finds the entry.
    words: &'static str,
}

pub async fn entries(State(app): State<Arc<App>>) -> Result<Json<Vec<Entry>>, Problem> {
    blocking(app, |app| Ok(Json(all(app)))).await
}

/// Returns all entries. The search shows entries that fit equally well in this order: leagues, bots and files come
/// before actions, and each kind is sorted by time, the newest first.
fn all(app: &App) -> Vec<Entry> {
    let entry = |name: String, kind, address| Entry { name, kind, address, keys: "", words: "" };
    let pages = [
        ("Home", "/", "g h"),
        ("Matches", "/matches", "g m"),
        ("Leagues", "/leagues", "g l"),
        ("Analyse a position", "/analyse", "g a"),
        ("Play a game", "/play", "g p"),
    ];
    let mut entries: Vec<Entry> = pages
        .map(|(name, address, keys)| Entry {
            name: name.to_string(),
            kind: "page",
            address: address.to_string(),
            keys,
            words: "",
        })
        .into();
    entries.push(entry("New match".to_string(), "action", "/matches/new".to_string()));
    entries.push(entry("New league".to_string(), "action", "/leagues/new".to_string()));
    let contents = app.project.contents();
    let mut bots = Vec::new();
    for folder in contents.leagues.iter().take(MAX_COUNT) {
        let dir = &folder.path;
        let name = if dir.is_empty() { "this folder" } else { dir };
        entries.push(Entry {
            words: "bots ranks",
            ..entry(name.to_string(), "league", format!("/league?{}", query(&[("dir", dir)])))
        });
        let known = league::open(app, dir).ok().and_then(|(_, store)| store.bots().ok()).unwrap_or_default();
        bots.extend(known.into_iter().take(MAX_COUNT).map(|bot| {
            let address = format!("/league/bot?{}", query(&[("dir", dir), ("name", &bot.name)]));
            entry(format!("{} of {}", bot.name, league::name(dir)), "bot", address)
        }));
    }
    entries.extend(bots);
    let mut reviews = Vec::new();
    // A match is also found by its players.
    for (at, file) in contents.logs.iter().take(MAX_COUNT).enumerate() {
        let summary = (at < MAX_SUMMARIES).then(|| app.summaries.of(app, file));
        if summary.as_ref().is_some_and(|summary| summary.games == 0) {
            continue;
        }
        let is_match = summary.as_ref().is_some_and(|summary| summary.is_match());
        let lost = summary.as_ref().filter(|of| is_match && of.games > 1 && !of.is_broken());
        for (seat, player) in lost.iter().flat_map(|of| of.players.iter().enumerate()) {
            if lost.is_some_and(|of| of.may_have_lost(seat)) {
                let address = format!("/review?{}", query(&[("file", &file.path), ("player", player)]));
                reviews.push(entry(format!("{} ({})", why_lost(player), file.path), "action", address));
            }
        }
        let players = summary.filter(|summary| summary.first().is_some());
        let players = players.map(|summary| format!(" ({})", summary.players.join(" – ")));
        let name = format!("{}{}", file.path, players.unwrap_or_default());
        let page = if is_match { "/match" } else { "/log" };
        entries.push(entry(
            name,
            if is_match { "match" } else { "games" },
            format!("{page}?{}", query(&[("file", &file.path)])),
        ));
    }
    entries.extend(contents.engine_logs.iter().take(MAX_COUNT).map(|file| {
        entry(file.path.clone(), "engine's game", format!("/engine?{}", query(&[("file", &file.path)])))
    }));
    let folders = [("training", "/training", &contents.trainings), ("tuning", "/tuning", &contents.tunings)];
    for (kind, page, list) in folders {
        entries.extend(list.iter().take(MAX_COUNT).map(|folder| {
            let name = if folder.path.is_empty() { "this folder" } else { &folder.path };
            entry(name.to_string(), kind, format!("{page}?{}", query(&[("dir", &folder.path)])))
        }));
    }
    let newest = newest_game(app).name();
    let mut games: Vec<&str> = contests().iter().map(|contest| contest.name()).collect();
    games.sort_by_key(|game| *game != newest);
    for game in games {
        for (page, words) in [
            ("play", "Play"),
            ("matches/new", "New match of"),
            ("leagues/new", "New league of"),
            ("analyse", "Analyse"),
            ("rules", "Rules of"),
        ] {
            entries.push(entry(format!("{words} {game}"), "action", format!("/{page}?game={game}")));
        }
    }
    entries.extend(reviews);
    for contest in contests() {
        let game = contest.name();
        entries.extend(contest.info().bots.iter().map(|bot| {
            let address = format!("/matches/new?{}", query(&[("game", game), ("with", bot.name)]));
            entry(format!("New match with {} ({game})", bot.name), "action", address)
        }));
    }
    entries
}
