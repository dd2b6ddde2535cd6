//! The entries of the search: pages, games, files, leagues and their bots.

use crate::App;
use crate::league;
use crate::page::{Problem, blocking};
use crate::text::query;
use axum::Json;
use axum::extract::State;
use contender_catalogue::contests;
use serde::Serialize;
use std::sync::Arc;

/// Maximum number of entries of each kind. A longer list would load slowly.
const MAX_COUNT: usize = 500;

/// A page that the search can find.
#[derive(Serialize)]
pub struct Entry {
    name: String,
    kind: &'static str,
    address: String,
}

pub async fn entries(State(app): State<Arc<App>>) -> Result<Json<Vec<Entry>>, Problem> {
    blocking(app, |app| Ok(Json(all(app)))).await
}

fn all(app: &App) -> Vec<Entry> {
    let entry = |name: String, kind, address| Entry { name, kind, address };
    let mut entries = vec![entry("Home".to_string(), "page", "/".to_string())];
    for contest in contests() {
        let game = contest.name();
        for (page, words) in
            [("play", "Play"), ("matches", "New match of"), ("analyse", "Analyse"), ("rules", "Rules of")]
        {
            entries.push(entry(format!("{words} {game}"), "action", format!("/{page}?game={game}")));
        }
    }
    let contents = app.project.contents();
    for folder in contents.leagues.iter().take(MAX_COUNT) {
        let dir = &folder.path;
        entries.push(entry(league::name(dir), "league", format!("/league?{}", query(&[("dir", dir)]))));
        let bots = league::open(app, dir).ok().and_then(|(_, store)| store.bots().ok()).unwrap_or_default();
        entries.extend(bots.into_iter().take(MAX_COUNT).map(|bot| {
            let address = format!("/league/bot?{}", query(&[("dir", dir), ("name", &bot.name)]));
            entry(format!("{} of {}", bot.name, league::name(dir)), "bot", address)
        }));
    }
    let folders = [("training", "/training", &contents.trainings), ("tuning", "/tuning", &contents.tunings)];
    for (kind, page, list) in folders {
        entries.extend(list.iter().take(MAX_COUNT).map(|folder| {
            let name = if folder.path.is_empty() { "this folder" } else { &folder.path };
            entry(name.to_string(), kind, format!("{page}?{}", query(&[("dir", &folder.path)])))
        }));
    }
    for (kind, page, list) in
        [("games", "/log", &contents.logs), ("engine's game", "/engine", &contents.engine_logs)]
    {
        entries.extend(list.iter().take(MAX_COUNT).map(|file| {
            entry(file.path.clone(), kind, format!("{page}?{}", query(&[("file", &file.path)])))
        }));
    }
    entries
}
