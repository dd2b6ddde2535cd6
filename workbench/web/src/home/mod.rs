//! The first page: the running commands, the leagues, the latest games and all other files in the project. The page
//! updates itself.

mod empty;
pub mod files;
mod running;

use crate::App;
use crate::chart::sparkline;
use crate::guard::Known;
use crate::league;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use crate::project::{Contents, Entry};
use crate::text::{ago, count, query, size};
use axum::extract::State;
use axum::response::{Html, Response};
use contender_catalogue::{contests, find};
use contender_input::this_program;
use contender_league::Standings;
use files::FileSummary;
use maud::{Markup, PreEscaped, html};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Maximum number of files to list.
const SHOWN: usize = 200;
/// Number of small boards, and number of leagues whose best bots are listed.
const BOARDS: usize = 6;
const LEAGUES: usize = 6;
/// Maximum number of games in a league for which this page computes the best bots.
const MAX_GAMES: usize = 20_000;

pub async fn page(State(app): State<Arc<App>>, Known(is_known): Known) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let content = html! {
            h1 { (app.project.name()) }
            (page::read_only(is_known))
            @if is_known { (actions(app)) }
            div data-live="/home/live" { (parts(app, &app.project.contents(), is_known)) }
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
        let versions: Vec<_> =
            leagues.iter().map(|entry| (version(app, &entry.path), runners(app, &entry.path))).collect();
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

/// The sizes and modification times of a league's files. They change with every game. SQLite writes new games to the
/// `-wal` file first.
type Version = [Option<(u64, SystemTime)>; 3];

fn version(app: &App, dir: &str) -> Option<Version> {
    let folder = app.project.league(dir).ok()?;
    Some(["league.toml", "league.sqlite", "league.sqlite-wal"].map(|file| {
        let data = folder.join(file).metadata().ok()?;
        Some((data.len(), data.modified().ok()?))
    }))
}

/// Returns the number of processes that are playing a league's games.
fn runners(app: &App, dir: &str) -> usize {
    league::open(app, dir).ok().and_then(|(_, store)| store.runners().ok()).unwrap_or(0)
}

/// Returns the buttons for a new game, match or league.
fn actions(app: &App) -> Markup {
    let name = (1..).map(|number| format!("league-{number}")).find(|name| !app.project.path(name).exists());
    let latest = app.project.contents().logs.into_iter().next().map(|entry| app.summaries.of(app, &entry));
    let is_latest = |name: &str| latest.as_ref().is_some_and(|summary| summary.game == name);
    html! {
        div.actions {
            a.button.primary href="/play" { "Play" }
            a.button href="/matches" { "New match" }
            details #new-league {
                summary.button { "New league" }
                form.fields.card action="/league/new" method="post" {
                    p { label { span.label { "Name" } input type="text" name="name" value=(name.unwrap_or_default()) required autocomplete="off" pattern="[A-Za-z0-9_\\-]+" title="Letters, digits, _ and -"; } }
                    p { label { span.label { "Game" } select name="game" {
                        @for contest in contests() { option selected[is_latest(contest.name())] { (contest.name()) } }
                    } } }
                    p { label { span.label { "Bundled bots" } select name="bots" {
                        option value="two" { "the two strongest" } option value="all" { "all" } option value="" { "none" }
                    } } }
                    p { label { span.label { "Your bot" } input type="text" name="command" autocomplete="off" spellcheck="false" placeholder="its command, for example python3 bot.py"; } }
                    p { label { input type="checkbox" name="start" value="1" checked; " Start playing at once" } }
                    details { summary { "External referee" }
                        p { label { span.label { "Referee" } input type="text" name="referee" autocomplete="off" spellcheck="false" placeholder="its name or command"; } }
                        p.legend { "An external referee plays its own game. Add the bots on the league's page." }
                    }
                    p { button.primary type="submit" { "Create the league" } }
                }
            }
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
        section #leagues aria-label="Leagues" {
            @if !contents.leagues.is_empty() {
                h2 { "Leagues" }
                div.cards { @for entry in contents.leagues.iter().take(LEAGUES) { (league_card(app, entry)) } }
                @if contents.leagues.len() > LEAGUES { (folders("/league", &contents.leagues[LEAGUES..])) }
            }
        }
        section #latest aria-label="Latest games" {
            @if logs.iter().any(|(_, summary)| summary.board.is_some()) {
                h2 { "Latest games" }
                div.boards-row { @for (entry, summary) in logs.iter().filter(|(_, summary)| summary.board.is_some()).take(BOARDS) { (small_board(entry, summary)) } }
            }
        }
        section #games aria-label="Recorded games" {
            @if !logs.is_empty() {
                h2 { "Recorded games" }
                p { label { "Filter files " input #search type="search" autocomplete="off"; } }
                div.wide { table.list #logs {
                    thead { tr { th { "File" } th { "Game" } th { "Players" } th.number { "Games" } th title="Games of the first player: won – drawn – lost" { "Result" } th.number { "Size" } th { "Updated" } } }
                    tbody { @for (entry, summary) in &logs { (row(entry, summary)) } }
                } }
                @if contents.logs.len() > SHOWN { p.legend { "And " (contents.logs.len() - SHOWN) " older files." } }
            }
        }
        section #trainings aria-label="Trainings" {
            @if !contents.trainings.is_empty() { h2 { "Trainings" } (folders("/training", &contents.trainings)) }
        }
        section #tunings aria-label="Tunings" {
            @if !contents.tunings.is_empty() { h2 { "Tunings" } (folders("/tuning", &contents.tunings)) }
        }
        section #engine aria-label="Games of CodinGame's engine" {
            @if !contents.engine_logs.is_empty() { h2 { "Games of CodinGame's engine" } (engine_logs(&contents.engine_logs)) }
        }
    }
}

/// The cards of leagues by folder, each with the league's version at the time of drawing.
#[derive(Default)]
pub struct Cards(Mutex<HashMap<String, (Option<Version>, Markup)>>);

/// Returns the card of a league. The card is drawn again only if the league has changed, because computing ratings
/// takes long.
fn league_card(app: &App, entry: &Entry) -> Markup {
    let now = version(app, &entry.path);
    let lock = || app.cards.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, card)) = lock().get(&entry.path).filter(|(known, _)| *known == now && now.is_some()) {
        return card.clone();
    }
    let card = draw_league(app, entry);
    let mut kept = lock();
    if kept.len() >= SHOWN {
        kept.clear();
    }
    kept.insert(entry.path.clone(), (now, card.clone()));
    card
}

fn draw_league(app: &App, entry: &Entry) -> Markup {
    let dir = &entry.path;
    let opened = league::open(app, dir).ok();
    let data = opened
        .as_ref()
        .and_then(|(league, store)| Some((league, store.bots().ok()?, store.games(false).ok()?)));
    html! {
        div.card data-key=(dir) {
            h3 {
                a href=(format!("/league?{}", query(&[("dir", dir)]))) { (if dir.is_empty() { "this folder" } else { dir }) }
                @if let Some((league, ..)) = &data { span.chip { (league.settings.game) } }
            }
            @if let Some((league, bots, games)) = &data {
                @if games.len() <= MAX_GAMES {
                    @let standings = Standings::of(bots, games, league.model(), false);
                    ol.podium {
                        @for row in standings.rows.iter().filter(|row| row.games > 0).take(3) {
                            li {
                                span class=(format!("dot c{}", league::charts::colour(bots, &row.name))) {} " "
                                span.name { (row.name) } " "
                                @if let Some(bot) = bots.iter().find(|bot| bot.name == row.name) {
                                    (sparkline(&league::charts::scores(games, bot.id), league::charts::colour(bots, &row.name), &format!("Win rate of {} by number of games", row.name)))
                                }
                                span.number { (format!("{:+.0}", row.strength)) @if let Some(interval) = row.interval { small { " ± " (format!("{:.0}", interval.reach())) } } }
                            }
                        }
                    }
                }
                p.legend { (count(games.len() as u64, "game", "games")) " · " (count(bots.len() as u64, "bot", "bots")) }
            }
        }
    }
}

fn small_board(entry: &Entry, summary: &FileSummary) -> Markup {
    html! {
        @if let Some((number, board)) = &summary.board {
            a.thumb data-key=(entry.path) href=(format!("/replay?{}", query(&[("file", &entry.path), ("game", &number.to_string())]))) {
                span.picture aria-hidden="true" { (PreEscaped(board)) }
                span.name { (summary.players.join(" – ")) }
                span.legend { (summary.game) @if !summary.points.is_empty() { ", " (summary.points) } }
            }
        }
    }
}

fn row(entry: &Entry, summary: &FileSummary) -> Markup {
    let [wins, draws, losses] = summary.results;
    html! {
        tr data-key=(entry.path) {
            td { a href=(summary.address(&entry.path)) { (entry.path) } }
            td { (summary.game) }
            td { (summary.players.join(" – ")) }
            td.number { @if summary.games > 0 { (summary.games) @if summary.has_more { "+" } } }
            td {
                @if summary.games == 0 { span.legend { "no games" } }
                @else if summary.is_of_site { "battles from CodinGame's site" }
                @else if !summary.points.is_empty() { (summary.points) }
                @else if wins + draws + losses > 0 {
                    @let words = format!("{wins} – {draws} – {losses}");
                    // The losses of the first player are two clicks away.
                    @match summary.players.first().filter(|_| find(&summary.game).is_some() && draws + losses > 0) {
                        Some(player) => a href=(format!("/review?{}", query(&[("file", &entry.path), ("player", player)]))) title=(format!("Why does {player} lose?")) { (words) },
                        None => (words),
                    }
                }
                @if summary.failures > 0 { " " span.chip.bad { (count(summary.failures as u64, "failure", "failures")) } }
            }
            td.number { (size(entry.size)) }
            td { (entry.modified.map_or(String::new(), ago)) }
        }
    }
}

fn folders(page: &str, entries: &[Entry]) -> Markup {
    html! {
        div.wide { table.list {
            thead { tr { th { "Folder" } th { "Updated" } } }
            tbody { @for entry in entries.iter().take(SHOWN) { tr data-key=(entry.path) {
                td { a href=(format!("{page}?{}", query(&[("dir", &entry.path)]))) { (if entry.path.is_empty() { "this folder" } else { &entry.path }) } }
                td { (entry.modified.map_or(String::new(), ago)) }
            } } }
        } }
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
        @if entries.len() > SHOWN { p.legend { "And " (entries.len() - SHOWN) " older files." } }
    }
}

fn open_file(is_known: bool) -> Markup {
    html! {
        section.drop #drop aria-labelledby="open" {
            h2 #open { "Open a file" }
            @if is_known {
                p { "Drop a file with games here, in any form that " code { (this_program()) " replay" } " \
                    reads, or choose a file:" }
                p { label { "File " input type="file" id="file"; } }
                p role="status" id="status" {}
            } @else {
                p { "To open a file from another folder, open the address with the token that \
                     " code { (this_program()) " web" } " printed." }
            }
        }
    }
}
