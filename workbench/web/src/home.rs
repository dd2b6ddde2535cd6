//! The first page: the contents of the project.

use crate::App;
use crate::page::{self, Problem, blocking};
use crate::project::{Contents, Entry};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Html;
use contender_catalogue::contests;
use contender_input::this_program;
use contender_play::Record;
use contender_replay::{Game, Source};
use maud::{Markup, html};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Maximum number of files to list.
const SHOWN: usize = 200;

pub async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Html<String>, Problem> {
    let is_known = app.guard.knows(&headers);
    blocking(app, move |app| {
        let name = app.project.name();
        let contents = app.project.contents();
        let logs: Vec<Log<'_>> = contents.logs.iter().take(SHOWN).map(|entry| Log::of(app, entry)).collect();
        Ok(page::frame(&name, Some("/home.js"), &content(app, &contents, &logs, is_known)))
    })
    .await
}

/// A file of recorded games, with its first game.
struct Log<'a> {
    entry: &'a Entry,
    /// The first game, or the reason why it cannot be shown.
    first: Result<Game, String>,
    /// Its first game, if that is a battle of the site.
    battle: Option<Record>,
    has_more: bool,
}

impl Log<'_> {
    fn of<'a>(app: &App, entry: &'a Entry) -> Log<'a> {
        let games = app.project.file(&entry.path).map_err(|problem| problem.words().to_string());
        let games = games.and_then(|path| Source::open(&path).map_err(|error| format!("{error:#}")));
        let games = games.and_then(|source| {
            contender_replay::games(source, None, 0).map_err(|error| format!("{error:#}"))
        });
        match games {
            Err(problem) => Log { entry, first: Err(problem), battle: None, has_more: false },
            Ok(mut games) => {
                let first = games.next().map(|game| game.map_err(|error| error.to_string()));
                let first = first.unwrap_or_else(|| Err("no games yet".to_string()));
                let battle = app.project.first_battle(&entry.path);
                Log { entry, first, battle, has_more: games.next().is_some() }
            }
        }
    }

    /// Returns the address of its games.
    fn address(&self) -> String {
        let page = if self.battle.is_some() { "battles" } else { "log" };
        format!("/{page}?{}", query(&[("file", &self.entry.path)]))
    }

    /// Returns the table cells with the game, the players and the result of the file's first game.
    fn cells(&self) -> Markup {
        let Ok(game) = &self.first else {
            return html! {
                @match &self.battle {
                    Some(battle) => { td { (battle.game) } td { (battle.bots().join(" – ")) } td { "battles of the site" } }
                    None => { td {} td.path colspan="2" { "no recorded games" } }
                }
            };
        };
        html! {
            td { (game.contest.name()) }
            td {
                @match &game.record {
                    Some(record) => { (record.bots().join(" – ")) },
                    None => (game.title),
                }
            }
            td {
                @if self.has_more { "many games" }
                @else if let Some(record) = &game.record {
                    (record.points_text(" – "))
                    @if record.seats.iter().any(|seat| seat.ending.is_failure()) { " " span.failure { "a failure" } }
                }
            }
        }
    }
}

fn content(app: &App, contents: &Contents, logs: &[Log<'_>], is_known: bool) -> Markup {
    html! {
        h1 { (app.project.name()) }
        @if app.cluster.is_some() { p { a href="/workers" { "Workers" } } }
        (folders("Leagues", "/league", &contents.leagues))
        @if is_known { (new_league()) }
        (folders("Trainings", "/training", &contents.trainings))
        (folders("Tunings", "/tuning", &contents.tunings))
        section aria-labelledby="games" {
            h2 id="games" { "Recorded games" }
            @if logs.is_empty() {
                p { "This folder has no files with games yet. " code { (this_program()) " match GAME A B --log games.jsonl" } " writes one." }
            } @else {
                p { label { "Search " input #search type="search" autocomplete="off"; } }
                table.list #logs {
                    thead { tr { th { "File" } th { "Game" } th { "Who" } th { "Result" } th.number { "Size" } th { "Written" } } }
                    tbody {
                        @for log in logs {
                            tr {
                                td { a href=(log.address()) { (log.entry.path) } }
                                (log.cells())
                                td.number { (size(log.entry.size)) }
                                td { (log.entry.modified.map_or(String::new(), ago)) }
                            }
                        }
                    }
                }
                @if contents.logs.len() > SHOWN { p { "And " (contents.logs.len() - SHOWN) " older ones." } }
            }
        }
        @if !contents.engine_logs.is_empty() {
            section aria-labelledby="engine" {
                h2 id="engine" { "Games of CodinGame's engine" }
                (files(&contents.engine_logs, |file| format!("/engine?{}", query(&[("file", file)]))))
            }
        }
        section.drop #drop aria-labelledby="open" {
            h2 id="open" { "Another file" }
            @if is_known {
                p { "Drop a file with games here, in any form that " code { (this_program()) " replay" } " reads, or choose one:" }
                p { label { "File " input type="file" id="file"; } }
                p role="status" id="status" {}
            } @else {
                p { "To look at files from elsewhere, open the address with the token that " code { (this_program()) " web" } " printed." }
            }
        }
    }
}

/// Returns the form for a new league.
fn new_league() -> Markup {
    html! {
        form.controls action="/league/new" method="post" {
            label { "New league, in a folder " input type="text" name="name" required autocomplete="off" pattern="[A-Za-z0-9_\\-]+" title="Letters, digits, _ and -"; }
            label { "of " select name="game" { @for contest in contests() { option { (contest.name()) } } } }
            button type="submit" { "Make" }
        }
    }
}

/// Returns a table of files, each with a link to its page.
fn files(entries: &[Entry], page: impl Fn(&str) -> String) -> Markup {
    html! {
        table.list {
            thead { tr { th { "File" } th.number { "Size" } th { "Written" } } }
            tbody {
                @for entry in entries.iter().take(SHOWN) {
                    tr {
                        td { a href=(page(&entry.path)) { (entry.path) } }
                        td.number { (size(entry.size)) }
                        td { (entry.modified.map_or(String::new(), ago)) }
                    }
                }
            }
        }
        @if entries.len() > SHOWN {
            p { "And " (entries.len() - SHOWN) " older ones." }
        }
    }
}

/// Returns a table of folders, each with a link to its page.
fn folders(title: &str, page: &str, entries: &[Entry]) -> Markup {
    html! {
        @if !entries.is_empty() {
            section aria-label=(title) {
                h2 { (title) }
                table.list {
                    thead { tr { th { "Folder" } th { "Written" } } }
                    tbody {
                        @for entry in entries.iter().take(SHOWN) {
                            tr {
                                td { a href=(format!("{page}?{}", query(&[("dir", &entry.path)]))) {
                                    (if entry.path.is_empty() { "this folder" } else { &entry.path })
                                } }
                                td { (entry.modified.map_or(String::new(), ago)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns names and values as the query part of an address.
pub fn query(pairs: &[(&str, &str)]) -> String {
    let encoded = |text: &str| -> String {
        let letter = |byte: u8| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        };
        text.bytes().map(letter).collect()
    };
    pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&")
}

fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

pub fn ago(time: SystemTime) -> String {
    let seconds = time.elapsed().unwrap_or(Duration::ZERO).as_secs();
    match seconds {
        0..60 => "just now".to_string(),
        60..7200 => format!("{} minutes ago", seconds / 60),
        7200..172_800 => format!("{} hours ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}
