//! Matches: a log of games between two bots, and what it says, as it grows. A match that is started here is a `contender match` with
//! `--log`, and any other log has the same page.

mod start;
mod tally;

pub use start::{begin, form, stop};

use crate::App;
use crate::home::query;
use crate::jobs::Report;
use crate::live::{self, CALM, Look};
use crate::page::{self, Problem, blocking};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, Response};
use contender_arena::RankedBy;
use contender_plot::{Curve, Point, Track, curves, progress};
use contender_stats::{Decision, Interval, LEAST_PAIRS, SequentialTest};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::sync::Arc;
use tally::{PlayedGame, Tally};

/// So many of the latest games are listed, and of those with a failure.
const SHOWN: usize = 30;
/// Pictures have about so many points.
const POINTS: usize = 300;

/// Which log, and with which test.
#[derive(Deserialize, Clone)]
pub struct Which {
    file: String,
    /// How many games are to come in all, where it is known.
    #[serde(default)]
    games: String,
    /// The hypotheses of a sequential test, `LO,HI`.
    #[serde(default)]
    sprt: String,
}

impl Which {
    fn tally(&self, app: &App) -> Result<Tally, Problem> {
        Ok(Tally::of(&app.project.file(&self.file)?, test(&self.sprt)?))
    }

    fn address(&self, page: &str) -> String {
        format!("{page}?{}", query(&[("file", &self.file), ("games", &self.games), ("sprt", &self.sprt)]))
    }
}

/// What a match is called among the jobs.
fn job(file: &str) -> String {
    format!("match {file}")
}

fn test(hypotheses: &str) -> Result<Option<SequentialTest>, Problem> {
    if hypotheses.trim().is_empty() {
        return Ok(None);
    }
    let numbers = hypotheses
        .split_once(',')
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    let (low, high) =
        numbers.ok_or_else(|| Problem::bad("The hypotheses of a test are two numbers: 0,10."))?;
    SequentialTest::new(low, high, 0.05, 0.05).map(Some).map_err(Problem::bad)
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(which): Query<Which>,
    headers: HeaderMap,
) -> Result<Html<String>, Problem> {
    let is_known = app.guard.knows(&headers);
    blocking(app, move |app| {
        let mut tally = which.tally(app)?;
        tally.read().map_err(Problem::bad)?;
        let content = html! {
            p.path { a href="/" { "Home" } " / " (which.file) }
            div data-live=(which.address("/match/live")) { (parts(&which, &tally, app.jobs.report(&job(&which.file)), is_known)) }
        };
        Ok(page::frame(&which.file, Some("/live.js"), &content))
    })
    .await
}

/// The parts of the page as the log grows.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(which): Query<Which>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let is_known = app.guard.knows(&headers);
    let mut tally = which.tally(&app)?;
    let mut seen = None;
    Ok(live::follow(app, CALM, move |app| {
        let report = app.jobs.report(&job(&which.file));
        let has_grown = tally.read().unwrap_or(false);
        if !has_grown && seen.as_ref() == Some(&report) {
            return Look::Same;
        }
        seen = Some(report.clone());
        Look::New(parts(&which, &tally, report, is_known))
    }))
}

fn parts(which: &Which, tally: &Tally, report: Option<Report>, is_known: bool) -> Markup {
    let is_running = report.as_ref().is_some_and(|report| report.is_running);
    let failed: Vec<&PlayedGame> = tally.games.iter().filter(|game| !game.failure.is_empty()).collect();
    let latest: Vec<&PlayedGame> = tally.games.iter().rev().take(SHOWN).collect();
    html! {
        section #state aria-label="State" {
            h1 {
                @match &tally.names {
                    Some([a, b]) => { (a) " against " (b) },
                    None => { (which.file) },
                }
            }
            p role="status" {
                (tally.games.len()) @if !which.games.is_empty() { " of " (which.games) } " games"
                @if !failed.is_empty() { ", " span.failure { (failed.len()) " with a failure" } }
                @if is_running { ". They are being played." } @else { "." }
            }
            @if is_running && is_known {
                form.controls action="/match/stop" method="post" {
                    input type="hidden" name="file" value=(which.file);
                    input type="hidden" name="games" value=(which.games);
                    input type="hidden" name="sprt" value=(which.sprt);
                    button type="submit" { "Stop" }
                }
            }
            @if let Some(report) = report.filter(|report| !report.said.is_empty()) {
                details #said open[!is_running] { summary { "What the match says" } pre { (report.said) } }
            }
        }
        section #result aria-label="Result" { (result(tally)) }
        section #pictures aria-label="Pictures" { @if tally.course.len() > 1 { (pictures(tally)) } }
        section #games aria-labelledby="list" {
            @if !failed.is_empty() {
                h2 { "Games with a failure" }
                (list(which, &failed[..failed.len().min(SHOWN)]))
            }
            h2 #list { "Latest games" }
            @if latest.is_empty() { p { "None is over yet." } } @else { (list(which, &latest)) }
            p { a href=(format!("/log?{}", query(&[("file", &which.file)]))) { "All games" } }
        }
    }
}

fn result(tally: &Tally) -> Markup {
    let Some([a, _]) = &tally.names else { return html! {} };
    let [wins, draws, losses] = tally.results;
    let range = |interval: Interval, digits: usize, unit: &str| {
        format!("{:+.digits$}{unit} to {:+.digits$}{unit}", interval.low, interval.high)
    };
    html! {
        table.figures { tbody {
            tr { th scope="row" { "Pairs" } td { (tally.difference.count()) } }
            tr { th scope="row" { (a) ": won, drawn, lost" } td { (wins) " – " (draws) " – " (losses) } }
            @if let (RankedBy::Points, Some(mean)) = (tally.ranked_by, tally.difference.mean()) {
                tr { th scope="row" { "Ahead by" } td {
                    strong { (format!("{mean:+.2}")) } " points a game"
                    @if let Some(interval) = tally.difference.interval(0.95) { ", 95% interval " (range(interval, 2, "")) }
                } }
            }
            @if let (RankedBy::Wins, Some((rate, interval))) = (tally.ranked_by, tally.win_rate()) {
                tr { th scope="row" { "Wins, draws as halves" } td {
                    strong { (format!("{rate:.1}%")) } (format!(", 95% interval {:.1}% to {:.1}%", interval.low, interval.high))
                } }
            }
            @if let (RankedBy::Wins, Some(elo)) = (tally.ranked_by, tally.pentanomial.elo(0.95)) {
                tr { th scope="row" { "Elo" } td {
                    strong { (format!("{:+.0}", elo.elo)) }
                    @if let Some(interval) = elo.interval { ", 95% interval " (range(interval, 0, "")) }
                } }
            }
            @if let Some((test, ratio, bounds)) = tally.test() {
                @let [low, high] = test.hypotheses();
                tr { th scope="row" { "Test of " (format!("{low:+} against {high:+}")) } td {
                    "log-likelihood ratio " strong { (format!("{ratio:.2}")) } (format!(" between {:.2} and {:.2}: ", bounds.low, bounds.high))
                    @match test.decide(ratio, tally.difference.count()) {
                        Decision::PlayOn if tally.difference.count() < LEAST_PAIRS => (format!("not decided before {LEAST_PAIRS} pairs.")),
                        Decision::PlayOn => "not decided.",
                        Decision::AcceptH0 => (format!("{low:+} is accepted.")),
                        Decision::AcceptH1 => (format!("{high:+} is accepted.")),
                    }
                } }
            }
        } }
    }
}

fn pictures(tally: &Tally) -> Markup {
    let [a, b] = tally.names.as_ref().map_or(["", ""], |names| names.each_ref().map(String::as_str));
    let (title, unit) = match tally.ranked_by {
        RankedBy::Points => (format!("{a} ahead of {b}"), "points a game"),
        RankedBy::Wins => (format!("{a} against {b}"), "% of wins, draws as halves"),
    };
    let points: Vec<Point> = thinned(&tally.course);
    let estimate = progress(&title, unit, &[Track { name: "95% interval".to_string(), points }]);
    html! {
        div.pictures {
            figure role="img" aria-label="The estimate and its interval as games were played" { (PreEscaped(estimate)) }
            @if let (Some((_, _, bounds)), true) = (tally.test(), tally.ratios.len() > 1) {
                @let last = tally.ratios.len() as f64;
                @let flat = |name: &str, y: f64| Curve { name: name.to_string(), points: vec![[1.0, y], [last, y]] };
                @let ratio = Curve { name: "ratio".to_string(), points: thinned(&tally.ratios) };
                figure role="img" aria-label="The sequential test as pairs were played" {
                    (PreEscaped(curves("Sequential test", ["pairs", "log-likelihood ratio"], &[ratio, flat("accepts the higher", bounds.high), flat("accepts the lower", bounds.low)])))
                }
            }
        }
    }
}

/// About [`POINTS`] of these, the last among them.
fn thinned<T: Copy>(all: &[T]) -> Vec<T> {
    let step = all.len().div_ceil(POINTS).max(1);
    let mut thinned: Vec<T> = all.iter().rev().step_by(step).copied().collect();
    thinned.reverse();
    thinned
}

fn list(which: &Which, games: &[&PlayedGame]) -> Markup {
    html! {
        table.list {
            thead { tr { th.number { "Game" } th { "Who" } th.number { "Points" } td {} } }
            tbody { @for game in games { tr {
                @let number = game.number.to_string();
                td.number { a href=(format!("/replay?{}", query(&[("file", &which.file), ("game", &number)]))) { (number) } }
                td { (game.players[0]) " – " (game.players[1]) }
                td.number { (game.points[0]) " – " (game.points[1]) }
                td.failure { (game.failure) }
            } } }
        }
    }
}
