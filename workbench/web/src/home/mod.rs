//! The first page: the running commands, the leagues, the latest games and all other files in the project. The page
//! updates itself.

mod empty;
mod running;
pub mod runs;

use crate::App;
use crate::files::FileSummary;
use crate::guard::Known;
use crate::league;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use crate::pairs::Standing;
use crate::project::{Contents, Entry};
use crate::text::{ago, count, grouped, query, size, why_lost};
use crate::{matches, training, tunings};
use axum::extract::State;
use axum::response::{Html, Response};
use contender_catalogue::find;
use contender_input::this_program;

use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

/// Maximum number of files to list.
const SHOWN: usize = 200;
/// Number of files that are shown until the user asks for all or filters.
const FIRST: usize = 8;
/// Number of small boards.
const BOARDS: usize = 6;

pub async fn page(State(app): State<Arc<App>>, Known(is_known): Known) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let content = html! {
            h1 { (app.project.name()) }
            (page::read_only(is_known))
            @if is_known { (actions()) }
            div.overview data-live="/home/live" { (parts(app, &app.project.contents(), is_known)) }
            (open_file(is_known))
            @if app.cluster.is_some() { p { a href="/workers" { "Workers of the cluster" } } }
        };
        Ok(page::frame("/", &app.project.name(), Some("/home.js"), &content))
    })
    .await
}

/// Streams the parts of the page whenever files change or commands run.
pub async fn live(State(app): State<Arc<App>>, Known(is_known): Known) -> Response {
    let mut seen = None;
    live::watch(app, format!("/home/live {is_known}"), move |app| {
        let contents = app.project.contents();
        let files = |entries: &[Entry]| -> Vec<_> {
            entries.iter().map(|entry| (entry.path.clone(), entry.size, entry.modified)).collect()
        };
        let Contents { logs, engine_logs, leagues, trainings, tunings, .. } = &contents;
        let versions: Vec<_> = leagues
            .iter()
            .map(|entry| (league::cards::version(app, &entry.path), runners(app, &entry.path)))
            .collect();
        let now = (
            [logs, engine_logs, leagues, trainings, tunings].map(|list| files(list)),
            versions,
            app.jobs.running(),
        );
        if seen.as_ref() == Some(&now) {
            return Update::Same;
        }
        seen = Some(now);
        Update::New(parts(app, &contents, is_known))
    })
}

/// Returns the number of processes that are playing a league's games.
fn runners(app: &App, dir: &str) -> usize {
    league::open(app, dir).ok().and_then(|(_, store)| store.runners().ok()).unwrap_or(0)
}

/// Returns the buttons for a new game, match or league.
fn actions() -> Markup {
    html! {
        div.actions.even {
            a.button.primary href="/play" { "Play" }
            a.button href="/matches/new" { "New match" }
            a.button href="/leagues/new" { "New league" }
            a.button href="#drop" { "Open a file" }
        }
    }
}

fn parts(app: &App, contents: &Contents, is_known: bool) -> Markup {
    let logs: Vec<(&Entry, Arc<FileSummary>)> =
        contents.logs.iter().take(SHOWN).map(|entry| (entry, app.summaries.of(app, entry))).collect();
    let is_empty = contents.logs.is_empty()
        && contents.leagues.is_empty()
        && contents.trainings.is_empty()
        && contents.tunings.is_empty()
        && contents.engine_logs.is_empty();
    html! {
        section #empty aria-label="First steps" { @if is_empty { (empty::steps()) } }
        (running::cards(app, contents, is_known))
        (matches::latest_matches(app, &contents.logs))
        section #leagues aria-label="Leagues" {
            @if !contents.leagues.is_empty() { h2 { "Leagues" } (league::cards::newest(app, contents)) }
        }
        section #latest aria-label="Latest games" {
            // A game that failed shows the position of the failure, which few readers look for here.
            @let drawn = || logs.iter().filter(|(_, summary)| summary.board.is_some());
            @let played: Vec<_> = drawn().filter(|(_, summary)| !summary.has_failed_last).take(BOARDS).collect();
            @let shown = if played.is_empty() { drawn().take(BOARDS).collect() } else { played };
            @if !shown.is_empty() {
                h2 { "Latest games" }
                div.boards-row { @for (entry, summary) in shown { (small_board(entry, summary)) } }
            }
        }
        section #games aria-label="Recorded games" {
            @if !logs.is_empty() {
                h2 { "Recorded games" }
                @if logs.len() >= page::MANY { p { label { "Filter files " input #search type="search" autocomplete="off" placeholder="a bot, a game, a file" data-of="file"; } } }
                div.wide { table.list.files #logs {
                    thead { tr { th { "File" } th { "Players" } th { "Result" } th.number { "Games" } th { "Game" } th { "Updated" } th.number { "Size" } } }
                    tbody { @for ((entry, summary), is_more) in logs.iter().zip(folded(&logs)) { (row(entry, summary, is_more)) } }
                } }
                @if folded(&logs).contains(&true) { p { label { input #all-files type="checkbox" autocomplete="off"; " Show all " (logs.len()) " files" @if logs.iter().any(|(_, summary)| summary.is_in_matches()) { ", with those of the matches" } } } }
                @if contents.logs.len() > SHOWN { p.legend { "And " (count((contents.logs.len() - SHOWN) as u64, "older file", "older files")) "." } }
            }
        }
        section #trainings aria-label="Trainings" {
            @if !contents.trainings.is_empty() { h2 { "Trainings" } (runs::list(app, "/training", &contents.trainings, &|dir| training::summary(app, dir))) }
        }
        section #tunings aria-label="Tunings" {
            @if !contents.tunings.is_empty() { h2 { "Tunings" } (runs::list(app, "/tuning", &contents.tunings, &|dir| tunings::summary(&app.project.tuning(dir).ok()?))) }
        }
        section #engine aria-label="Games of CodinGame's engine" {
            @if !contents.engine_logs.is_empty() { h2 { "Games of CodinGame's engine" } (engine_logs(&contents.engine_logs)) }
        }
    }
}

fn small_board(entry: &Entry, summary: &FileSummary) -> Markup {
    html! {
        @if let Some((number, board)) = &summary.board {
            a.thumb data-key=(entry.path) href=(format!("/replay?{}", query(&[("file", &entry.path), ("game", &number.to_string())]))) {
                span.picture aria-hidden="true" { (PreEscaped(board)) }
                span.name { (summary.players.join(" – ")) }
                span.legend {
                    (summary.game)
                    @if let Some(words) = uncounted(summary, *number) { ": " (words) } @else if !summary.last.is_empty() { ": " (summary.last) }
                }
            }
        }
    }
}

/// Returns the words for a game that will never count.
fn uncounted(summary: &FileSummary, number: usize) -> Option<&'static str> {
    let standing = summary.standing(number);
    standing.words().filter(|_| standing == Standing::LeftOut).map(|[_, words]| words)
}

/// Returns which of many files are shown only on request: the matches, which have a list of their own, and all but the
/// first ones of the other files.
fn folded(logs: &[(&Entry, Arc<FileSummary>)]) -> Vec<bool> {
    let mut shown = 0;
    let is_folded = |summary: &FileSummary| {
        shown += usize::from(!summary.is_in_matches());
        logs.len() > FIRST && (summary.is_in_matches() || shown > FIRST)
    };
    logs.iter().map(|(_, summary)| &**summary).map(is_folded).collect()
}

fn row(entry: &Entry, summary: &FileSummary, is_more: bool) -> Markup {
    let [_, draws, losses] = summary.results;
    html! {
        tr.more[is_more] data-key=(entry.path) {
            td { a href=(summary.address(&entry.path)) { (entry.path) } }
            td.players { (summary.names()) }
            td.result {
                (summary.result())
                // The losses of the player are two clicks away.
                @if let Some(player) = summary.players.first().filter(|_| find(&summary.game).is_some() && summary.games > 1 && !summary.is_broken() && draws + losses > 0 && !summary.is_of_site) {
                    " " a href=(format!("/review?{}", query(&[("file", &entry.path), ("player", player)]))) title=(why_lost(player)) { @if losses > 0 { "Show losses" } @else { "Show draws" } }
                }
            }
            td.number.extra { @if summary.games > 0 { (grouped(summary.games as u64)) @if summary.has_more { "+" } } }
            td.extra { (summary.game) }
            td.updated { (entry.modified.map_or(String::new(), ago)) }
            td.number.extra { (size(entry.size)) }
        }
    }
}

fn engine_logs(entries: &[Entry]) -> Markup {
    html! {
        div.wide { table.list {
            thead { tr { th { "File" } th.number { "Size" } th { "Updated" } } }
            tbody { @for entry in entries.iter().take(SHOWN) { tr data-key=(entry.path) {
                td { a href=(format!("/engine?{}", query(&[("file", &entry.path)]))) { (entry.path) } }
                td.number { (size(entry.size)) }
                td { (entry.modified.map_or(String::new(), ago)) }
            } } }
        } }
        @if entries.len() > SHOWN { p.legend { "And " (count((entries.len() - SHOWN) as u64, "older file", "older files")) "." } }
    }
}

fn open_file(is_known: bool) -> Markup {
    html! {
        section.drop #drop aria-labelledby="open" {
            h2 #open { "Open a file" }
            @if is_known {
                p { "Drop a file with games here, or " label.button { "choose a file" input type="file" id="file"; } }
                p.legend { "All formats of " code { (this_program()) " replay" } " can be opened." }
                p role="status" id="status" {}
            } @else {
                p { "To open a file from another folder, open the address with the token that \
                     " code { (this_program()) " web" } " printed." }
            }
        }
    }
}
