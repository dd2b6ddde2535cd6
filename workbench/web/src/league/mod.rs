//! The pages of a league: the strengths of its bots and how they changed. The pages show the league's file, no matter
//! which process plays the games.

pub mod bot;
pub mod bots;
pub mod cards;
pub mod charts;
pub mod control;
mod failing;
pub mod games;
pub mod new;
mod table;

use crate::App;
use crate::failures;
use crate::guard::Known;
use crate::jobs::Report;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking, command};
use crate::text::{count, query, quoted};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use charts::{LeagueProgress, MAX_MOMENTS};
use contender_league::{BotState, GameState, League, LeagueBot, LeagueGame, Standings, Store};
use contender_play::{Ending, Record, ReportedFailure, Seat};
use maud::{Markup, html};
use serde::Deserialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A league, identified by its folder in the project.
#[derive(Deserialize)]
pub struct Params {
    dir: String,
}

/// Maximum number of bots for which the page contains charts from the start. In a larger league the charts follow with
/// the first update.
const MAX_QUICK: usize = 30;

/// Number of games from which a league without ranks has charts. In fewer games, they would show mostly chance.
const MIN_CHARTS: u64 = 30;

/// Number of games below the table.
const LATEST: usize = 10;

/// Returns the name of a league.
pub fn name(dir: &str) -> String {
    if dir.is_empty() { "the league".to_string() } else { format!("league {dir}") }
}

/// Returns the name of a league as a title.
fn title(dir: &str) -> String {
    if dir.is_empty() { "League".to_string() } else { dir.to_string() }
}

/// Returns the link from a page below a league's page to the league.
pub fn above(dir: &str) -> [(String, String); 2] {
    [leagues(), (address("/league", dir, &[]), title(dir))]
}

/// Returns the link to the page with all leagues.
fn leagues() -> (String, String) {
    ("/leagues".to_string(), "Leagues".to_string())
}

/// Returns the number of decimals of strengths.
fn digits(standings: &Standings) -> usize {
    let [low, high] = standings.ends();
    if high - low > 200.0 { 0 } else { standings.digits() }
}

/// Returns the record of a finished game as text, or only its result if the league has no complete record of the game.
pub fn record(app: &App, dir: &str, number: usize) -> Result<Option<Result<String, Box<Record>>>, Problem> {
    let (league, store) = open(app, dir)?;
    let game = store.game(number as i64).map_err(bad)?.filter(|game| game.state == GameState::Done);
    let Some(game) = game else { return Ok(None) };
    if let Some(text) = game.record.as_ref().filter(|text| Record::from_json(text).is_ok()) {
        return Ok(Some(Ok(text.clone())));
    }
    let bots = store.bots().map_err(bad)?;
    let seats = game.names(&bots).into_iter().zip(&game.seats).map(|(bot, seat)| Seat {
        bot: bot.to_string(),
        rank: seat.rank,
        points: Some(seat.points),
        ending: match seat.has_failed() {
            true => Ending::Reported { failure: ReportedFailure::Other, words: String::new() },
            false => Ending::Normal,
        },
        ..Seat::default()
    });
    let record = Record { game: league.settings.game.clone(), seats: seats.collect(), ..Record::default() };
    Ok(Some(Err(Box::new(record))))
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

/// Returns the key of the job that runs the league.
pub fn job(dir: &str) -> String {
    format!("league {dir}")
}

/// The data of a league at one moment.
struct View<'a> {
    dir: &'a str,
    league: &'a League,
    store: &'a Store,
    /// The state of the runner, if this server started it.
    runner: Option<Report>,
    /// Whether the reader may change the league.
    is_known: bool,
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(Params { dir }): Query<Params>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let (league, store) = open(app, &dir)?;
        let runner = app.jobs.report(&job(&dir));
        let view = View { dir: &dir, league: &league, store: &store, runner, is_known };
        let is_quick = store.bots().map_err(bad)?.len() <= MAX_QUICK;
        let mut progress = LeagueProgress::default();
        let parts = view.parts(is_quick.then_some(&mut progress), None).map_err(bad)?;
        let run = format!("league run --dir {}", quoted(if dir.is_empty() { "." } else { &dir }));
        let bots = store.bots().map_err(bad)?;
        let [state, runner, table] = parts;
        let content = html! {
            (page::crumbs(&[leagues()], &title(&dir), league.contest().map(|contest| contest.name())))
            (page::read_only(is_known))
            div data-live=(address("/league/live", &dir, &[])) { (state) }
            div.actions {
                (runner)
                @if is_known { (control::new_bot(app, &dir, &league, &bots)) }
                a.button href=(address("/league/games", &dir, &[])) { "All games" }
            }
            (table)
            (command(&run))
        };
        Ok(page::frame("/leagues/*", &name(&dir), Some("/league.js"), &content))
    })
    .await
}

/// Streams the parts of the page as they change.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(Params { dir }): Query<Params>,
    Known(is_known): Known,
) -> Result<Response, Problem> {
    let shared = Arc::clone(&app);
    let opening = dir.clone();
    let (league, store) = blocking(app, move |app| open(app, &opening)).await?;
    let mut seen = None;
    let mut progress = LeagueProgress::default();
    let mut begun: Option<(Instant, usize)> = None;
    let key = format!("{} {is_known}", address("/league/live", &dir, &[]));
    Ok(live::watch(shared, key, move |app| {
        let runner = app.jobs.report(&job(&dir));
        let now = (store.version().ok(), store.runners().ok(), runner.clone());
        if seen.as_ref() == Some(&now) {
            return Update::Same;
        }
        seen = Some(now);
        let view = View { dir: &dir, league: &league, store: &store, runner, is_known };
        let done = view.done().unwrap_or(0);
        let (since, before) = *begun.get_or_insert((Instant::now(), done));
        let pace = (done.saturating_sub(before), since.elapsed());
        // If the file is in use, the next look reads it again.
        let parts = view.parts(Some(&mut progress), Some(pace));
        parts.map_or(Update::Same, |[state, runner, table]| Update::New(html! { (state) (runner) (table) }))
    }))
}

impl View<'_> {
    /// Returns the number of finished games.
    fn done(&self) -> anyhow::Result<usize> {
        Ok(self.store.games(false)?.len())
    }

    /// Returns the parts of the page: the state, the form of the runner, and everything below the actions. Without
    /// `progress` the charts are left out. `pace` consists of a number of games and the time in which they were
    /// played.
    fn parts(
        &self,
        mut progress: Option<&mut LeagueProgress>,
        pace: Option<(usize, Duration)>,
    ) -> anyhow::Result<[Markup; 3]> {
        let (bots, games) = (self.store.bots()?, self.store.games(false)?);
        let contest = self.league.contest();
        let info = contest.map(|contest| contest.info());
        let game = &self.league.settings.game;
        let seats_differ = info.is_some_and(|info| info.seats_differ);
        let standings = Standings::of(&bots, &games, self.league.model(), seats_differ);
        if let Some(progress) = progress.as_deref_mut().filter(|_| standings.games > 0) {
            progress.update(&bots, &games, self.league.model(), &standings, MAX_MOMENTS);
        }
        let progress = progress.as_deref();
        // The order does not depend on ratings, because the list may be open while they change.
        let mut names: Vec<&str> = standings.rows.iter().map(|row| row.name.as_str()).collect();
        names.sort_unstable();
        let pair = |a: &str, b: &str| address("/league/games", self.dir, &[("a", a), ("b", b)]);
        let playing = bots.iter().filter(|bot| bot.state == BotState::Active).count();
        let failed = games.iter().filter(|game| game.has_failed()).count() as u64;
        let is_broken = failures::are_most(failed, games.len() as u64);
        let state = html! {
            section #state aria-label="State" {
                h1 { (title(self.dir)) " " span.chip { (game) } }
                @if is_broken { p.verdict { "Too few finished games to rank the bots: " (failures::words(failed, games.len() as u64)) } }
                (self.state(&bots, &games, playing, pace)?)
                div #failing { (failing::notice(self, &bots, &games, &standings)) }
            }
        };
        let jobs = self.league.settings.jobs;
        let runners = self.store.runners()?;
        let runner = html! {
            section #runner aria-label="Runner" { @if self.is_known { (control::runner(self.dir, self.is_ours(), runners, playing, jobs, failing::paused_names(&bots, &games).is_empty())) } }
        };
        let table = html! {
            (self.said())
            section #standings aria-label="Standings" {
                @if standings.rows.len() >= page::MANY {
                    p.controls { label { "Filter bots " input #filter type="search" autocomplete="off"; } }
                }
                (table::table(&standings, &bots, info.map_or(["first", "second"], |info| info.seats), self, progress, is_broken))
                @if standings.rows.is_empty() { p { "No bots yet. Add at least two bots, then start the league." } }
            }
            @if self.is_known { (control::removed(self.dir, &bots)) }
            section #pictures aria-label="Charts" {
                @if standings.games > 0 && !is_broken && (table::is_any_ranked(&standings) || standings.games >= MIN_CHARTS) {
                    @match progress {
                        Some(progress) => div.charts.pair {
                            @if progress.has_lines() { (progress.draw(&charts::looks(&bots), &standings)) }
                            // Two bots have only one result, and the table has it.
                            @if standings.rows.len() > 2 { (charts::matrix(&bots, &games, &standings, &pair)) }
                        },
                        None => p.legend { "The charts follow in a moment." },
                    }
                }
            }
            section #choice aria-labelledby="games-of" {
                @if !games.is_empty() {
                    h2 #games-of { "Latest games" }
                    (games::table(self.dir, &bots, games.iter().rev().take(LATEST).map(|game| (game, None)), None))
                    (games::choice(self.dir, &names, None))
                }
            }
        };
        Ok([state, runner, table])
    }

    fn said(&self) -> Markup {
        html! {
            section #said aria-label="Output of the runner" {
                @if let Some(runner) = self.runner.as_ref().filter(|runner| !runner.said.is_empty()) {
                    details open[!self.is_ours()] { summary { "Output of the runner" } pre tabindex="0" { (runner.said) } }
                }
            }
        }
    }

    /// Returns whether this server plays the league's games.
    fn is_ours(&self) -> bool {
        self.runner.as_ref().is_some_and(|runner| runner.is_running)
    }

    /// Returns the state of the league.
    fn state(
        &self,
        bots: &[LeagueBot],
        games: &[LeagueGame],
        playing: usize,
        pace: Option<(usize, Duration)>,
    ) -> anyhow::Result<Markup> {
        let runners = self.store.runners()?;
        let is_ours = self.is_ours();
        let failed = games.iter().filter(|game| game.has_failed()).count();
        let others = runners.saturating_sub(usize::from(is_ours));
        let rate =
            pace.map(|(games, time)| games as f64 / time.as_secs_f64().max(1.0)).filter(|rate| *rate > 0.0);
        let failures = address("/league/games", self.dir, &[("failed", "1")]);
        Ok(html! {
            p.chips role="status" {
                @if is_ours { span.chip.good { "Running" } } @else if others == 0 { span.chip.warn { "Stopped" } }
                @if others > 0 { span.chip.good { (count(others as u64, "other runner plays", "other runners play")) } }
                span.chip { (count(games.len() as u64, "game", "games")) }
                span.chip { (count(playing as u64, "active bot", "active bots")) }
                @if let Some(workers) = self.games_at_once().filter(|_| is_ours) { span.chip { (count(workers.into(), "game", "games")) " at once" } }
                @if let Some(rate) = rate.filter(|_| is_ours || others > 0) { span.chip { (format!("{rate:.1} games/s")) } }
                (failures::chip(failed as u64, games.len() as u64, Some(&failures)))
            }
            @if is_ours && playing < 2 { p.notice { "Add at least two bots: games start when two bots can play." } }
            @else if games.is_empty() && (is_ours || others > 0) { (self.first(bots)?) }
        })
    }

    /// Returns the state of a league whose first games are not over yet: the games that are being played.
    fn first(&self, bots: &[LeagueBot]) -> anyhow::Result<Markup> {
        let current = self.store.current()?;
        let players = current.iter().map(|game| game.names(bots).join(" – ")).collect::<Vec<_>>().join(", ");
        Ok(html! {
            div.first role="status" {
                p {
                    @if current.is_empty() {
                        strong { "Starting games …" }
                        @if let Some(workers) = self.games_at_once() { " " (count(workers.into(), "game", "games")) " at once." }
                    } @else {
                        strong { "Playing the first " (if current.len() == 1 { "game" } else { "games" }) " …" } " " (players) "."
                    }
                    " The standings appear after the first game."
                }
                progress aria-label="Waiting for the first result" {}
            }
        })
    }

    /// Returns the number of games at once of this server's runner, if it is known.
    fn games_at_once(&self) -> Option<u16> {
        self.runner.as_ref().and_then(|runner| runner.games_at_once).or(self.league.settings.jobs)
    }
}
