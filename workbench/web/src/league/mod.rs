//! The pages of a league: the strengths of its bots and how they changed. The pages show the league's file, no matter
//! which process plays the games.

pub mod bot;
pub mod bots;
pub mod cards;
pub mod charts;
pub mod control;
pub mod data;
mod failing;
pub mod games;
pub mod list;
pub mod new;
mod table;

use crate::App;
use crate::failures;
use crate::guard::Known;
use crate::jobs::Report;
use crate::limits;
use crate::listed;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking, command};
use crate::text::{count, grouped, query, quoted};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use charts::LeagueProgress;
use contender_league::{BotState, GameState, League, Standings, Store};
use contender_play::{Ending, Record, ReportedFailure, Seat};
use data::LeagueData;
use failing::Failing;
use maud::{Markup, html};
use serde::Deserialize;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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
/// Maximum number of current games to name, and the number of games per second from which they are not named.
const MAX_CURRENT: usize = 4;
const MAX_SHOWN_RATE: f64 = 2.0;

/// Returns the name of a league.
pub fn name(dir: &str) -> String {
    if dir.is_empty() { "the league".to_string() } else { format!("league {dir}") }
}

/// Returns the name of a league as a title.
pub fn title(dir: &str) -> String {
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

/// Returns the players of a game that is being played.
pub fn playing(app: &App, dir: &str) -> Option<String> {
    let (_, store) = open(app, dir).ok()?;
    let (bots, current) = (store.bots().ok()?, store.current().ok()?);
    Some(current.first()?.names(&bots).join(" – "))
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
    data: &'a LeagueData,
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
        let data = data::of(app, &dir)?;
        let runner = app.jobs.report(&job(&dir));
        let view = View { dir: &dir, league: &league, store: &store, data: &data, runner, is_known };
        let progress = data::progress(app, &dir, &data, league.model(), data.bots.len() > MAX_QUICK);
        let parts = view.parts(progress.as_deref(), None).map_err(bad)?;
        let run = format!("league run --dir {}", quoted(if dir.is_empty() { "." } else { &dir }));
        let [state, runner, table, latest] = parts;
        let content = html! {
            (page::crumbs(&[leagues()], &title(&dir), league.contest().map(|contest| contest.name())))
            (page::read_only(is_known))
            div data-live=(address("/league/live", &dir, &[])) { (state) }
            div.actions {
                (runner)
                @if is_known { (control::new_bot(app, &dir, &league, &data.bots)) }
                @if !data.games.is_empty() { a.button.wide-only href=(address("/league/games", &dir, &[])) { "All games" } }
            }
            (table)
            div.previewed {
                (latest)
                (listed::preview())
            }
            details.terminal { summary { "Play it in a terminal" } (command(&run)) }
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
    let mut begun: Option<(Instant, usize)> = None;
    let key = format!("{} {is_known}", address("/league/live", &dir, &[]));
    Ok(live::watch(shared, key, move |app| {
        let runner = app.jobs.report(&job(&dir));
        let now = (store.version().ok(), store.runners().ok(), runner.clone());
        if seen.as_ref() == Some(&now) {
            return Update::Same;
        }
        seen = Some(now);
        let Ok(data) = data::of(app, &dir) else { return Update::Same };
        let view = View { dir: &dir, league: &league, store: &store, data: &data, runner, is_known };
        let done = data.games.len();
        let (since, before) = *begun.get_or_insert((Instant::now(), done));
        let pace = (done.saturating_sub(before), since.elapsed());
        // If the file is in use, the next look reads it again.
        let progress = data::progress(app, &dir, &data, league.model(), false);
        let parts = view.parts(progress.as_deref(), Some(pace));
        parts.map_or(Update::Same, |parts| Update::New(html! { @for part in parts { (part) } }))
    }))
}

/// Returns the Unix time of a moment in seconds.
fn unix_time(moment: Instant) -> Option<u64> {
    let time = SystemTime::now().checked_sub(moment.elapsed())?;
    Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

impl View<'_> {
    /// Returns the parts of the page: the state, the form of the runner, the standings with their charts, and the
    /// latest games. Without `progress` the charts are left out. `pace` consists of a number of games and the time in
    /// which they were played.
    fn parts(
        &self,
        progress: Option<&LeagueProgress>,
        pace: Option<(usize, Duration)>,
    ) -> anyhow::Result<[Markup; 4]> {
        let LeagueData { bots, games, standings } = self.data;
        let contest = self.league.contest();
        let info = contest.map(|contest| contest.info());
        let game = &self.league.settings.game;
        let failing = Failing::of(bots, games, standings);
        let pair = |a: &str, b: &str| address("/league/games", self.dir, &[("a", a), ("b", b)]);
        let rank = |name: &str| table::rank_of(standings, name).map(|[rank, _]| rank);
        let playing = bots.iter().filter(|bot| bot.state == BotState::Active).count();
        let [failed, late] = failing::counts(games);
        let total = games.len() as u64;
        let is_broken = failures::are_most(failed, total);
        let shown = if is_broken || !failing.is_empty() { [0, 0] } else { [failed, late] };
        let state = html! {
            section #state aria-label="State" {
                h1 { (title(self.dir)) " " span.chip { (game) } }
                @if is_broken { p.verdict { "Too few finished games to rank the bots: " @if 2 * late >= failed { "bots were late in " (late) " of " (count(total, "game", "games")) } @else { (failures::words(failed, total)) } } }
                @else if let Some(verdict) = table::verdict(standings) { p.verdict { (verdict) } }
                // The verdict or the notice has the failures.
                (self.state(shown, playing, pace)?)
                div #failing { (failing.notice(self, standings)) }
            }
        };
        let runners = self.store.runners()?;
        let runner = html! {
            section #runner aria-label="Runner" { @if self.is_known { (control::runner(self.dir, self.league, self.is_ours(), runners, playing, !failing.has_paused())) } }
        };
        let table = html! {
            (self.said())
            section #standings aria-label="Standings" {
                @if standings.rows.len() >= page::MANY {
                    p.controls { label { "Filter bots " input #filter type="search" autocomplete="off" placeholder="name" data-of="bot"; } }
                }
                (table::table(standings, bots, info.map_or(["first", "second"], |info| info.seats), self, progress, is_broken, !failing.names_all()))
                @if standings.rows.is_empty() { p { "No bots yet. Add at least two bots, then start the league." } }
            }
            @if self.is_known { (control::removed(self.dir, bots)) }
            section #pictures aria-label="Charts" {
                @if standings.games > 0 && !is_broken && (table::is_any_ranked(standings) || standings.games >= MIN_CHARTS) {
                    @match progress {
                        Some(progress) => {
                            // Two bots have only one result, and the table has it.
                            @let [has_lines, has_matrix] = [progress.has_trend(), standings.rows.len() > 2];
                            div.charts.pair[has_lines && has_matrix] {
                                @if has_lines { (progress.draw(&charts::looks(bots), standings)) }
                                @if has_matrix { (charts::matrix(bots, games, standings, &rank, &pair)) }
                            }
                        },
                        None => p.legend.later { "The charts follow in a moment." },
                    }
                }
            }
        };
        let latest = html! {
            section #choice aria-labelledby="games-of" {
                @if !games.is_empty() {
                    h2 #games-of { "Latest games" a href=(address("/league/games", self.dir, &[])) { "All games" } }
                    (games::table(self.dir, bots, games.iter().rev().take(LATEST).map(|game| (game, None)), None))
                }
            }
        };
        Ok([state, runner, table, latest])
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

    /// Returns the state of the league. `failed` contains the number of failed games to name, and how
    /// many of them were late.
    fn state(
        &self,
        failed: [u64; 2],
        playing: usize,
        pace: Option<(usize, Duration)>,
    ) -> anyhow::Result<Markup> {
        let games = self.data.games.len();
        let bots = self.data.bots.iter().filter(|bot| bot.state != BotState::Removed).count();
        let runners = self.store.runners()?;
        let is_ours = self.is_ours();
        let others = runners.saturating_sub(usize::from(is_ours));
        let rate =
            pace.map(|(games, time)| games as f64 / time.as_secs_f64().max(1.0)).filter(|rate| *rate > 0.0);
        let failures = address("/league/games", self.dir, &[("failed", "1")]);
        Ok(html! {
            p.chips role="status" {
                @if is_ours { span.chip.good { "Running" } } @else if others == 0 { span.chip.warn { "Stopped" } }
                @if others > 0 { span.chip.good { (count(others as u64, "other runner plays", "other runners play")) } }
                span.chip { (count(games as u64, "game", "games")) }
                span.chip { (count(bots as u64, "bot", "bots")) @if playing < bots { ", " (grouped((bots - playing) as u64)) " paused" } }
                @if let Some(workers) = self.games_at_once().filter(|_| is_ours) { span.chip { (count(workers.into(), "game", "games")) " at once" } }
                @if let Some(rate) = rate.filter(|_| is_ours || others > 0) { span.chip { (crate::text::games_rate(rate)) } }
                @for words in limits::words(self.league.contest(), self.league.settings.time, self.league.settings.nodes) { span.chip { (words) } }
                (failures::chips(failed, games as u64, Some(&failures)))
            }
            @if is_ours && playing < 2 { p.notice { @if bots < 2 { "Add at least two bots: games start when two bots can play." } @else { "No games: two bots must play. Resume a paused bot, or add one." } } }
            @else if is_ours || others > 0 { (self.now(rate)?) }
        })
    }

    /// Returns the games that are being played. Before the first result, they are announced.
    fn now(&self, rate: Option<f64>) -> anyhow::Result<Markup> {
        let is_first = self.data.games.is_empty();
        // If games take less than a second, their names would only flicker.
        if rate.is_some_and(|rate| rate > MAX_SHOWN_RATE) {
            return Ok(html! {});
        }
        let current = self.store.current()?;
        let since = self.runner.as_ref().and_then(|runner| unix_time(runner.since?));
        Ok(html! {
            div.now role="status" {
                @if current.is_empty() && self.data.games.is_empty() { p.live { strong { "Starting games …" } } }
                @for game in current.iter().take(MAX_CURRENT) { p.live {
                    span.legend { "Game " (game.id) }
                    (listed::players(&game.names(&self.data.bots), None, &charts::looks(&self.data.bots)))
                } }
                @if current.len() > MAX_CURRENT { p.legend { "and " (count((current.len() - MAX_CURRENT) as u64, "other game", "other games")) } }
                @if is_first {
                    p.legend {
                        "The standings appear after the first game."
                        @if let Some(since) = since { " Playing for " time data-since=(since) { "0:00" } "." }
                    }
                }
            }
        })
    }

    /// Returns the number of games at once of this server's runner, if it is known.
    fn games_at_once(&self) -> Option<u16> {
        self.runner.as_ref().and_then(|runner| runner.games_at_once).or(self.league.settings.jobs)
    }
}
