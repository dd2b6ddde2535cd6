//! Matches: a log of games between two bots, and what it says, as it grows. A match that is started here is a `contender match` with
//! `--log`, and any other log has the same page.

mod series;
mod start;
mod tally;

pub use start::{begin, form, stop};

use crate::App;
use crate::home::query;
use crate::jobs::Report;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, Response};
use contender_arena::RankedBy;
use contender_plot::{Curve, Track, curves, progress};
use contender_stats::{Decision, Interval, LEAST_PAIRS, SequentialTest};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::sync::Arc;
use tally::{PlayedGame, Tally};

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
    let key = format!("{} {is_known}", which.address("/match/live"));
    Ok(live::watch(app, key, move |app| {
        let report = app.jobs.report(&job(&which.file));
        let has_grown = tally.read().unwrap_or(false);
        if !has_grown && seen.as_ref() == Some(&report) {
            return Update::Same;
        }
        seen = Some(report.clone());
        Update::New(parts(&which, &tally, report, is_known))
    }))
}

fn parts(which: &Which, tally: &Tally, report: Option<Report>, is_known: bool) -> Markup {
    let is_running = report.as_ref().is_some_and(|report| report.is_running);
    html! {
        section #state aria-label="State" {
            h1 {
                @match &tally.names {
                    Some([a, b]) => { (a) " against " (b) },
                    None => { (which.file) },
                }
            }
            p role="status" {
                (tally.count) @if !which.games.is_empty() { " of " (which.games) } " games"
                @if tally.failed > 0 { ", " span.failure { (tally.failed) " with a failure" } }
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
        section #pictures aria-label="Pictures" { @if tally.course.count() > 1 { (pictures(tally)) } }
        section #games aria-labelledby="list" {
            @if tally.failed > 0 {
                h2 { @if tally.failed > tally.failures.len() as u64 { "The first " (tally.failures.len()) " games with a failure" } @else { "Games with a failure" } }
                (list(which, tally.failures.iter()))
            }
            h2 #list { "Latest games" }
            @if tally.latest.is_empty() { p { "None is over yet." } } @else { (list(which, tally.latest.iter())) }
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
    let moments = || tally.course.items();
    let track =
        Track { name: "95% interval".to_string(), points: moments().map(|moment| moment.estimate).collect() };
    let ratios = moments().filter_map(|moment| Some([(moment.estimate.games / 2) as f64, moment.ratio?]));
    let ratios: Vec<[f64; 2]> = ratios.collect();
    html! {
        div.pictures {
            figure role="img" aria-label="The estimate and its interval as games were played" { (PreEscaped(progress(&title, unit, &[track]))) }
            @if let (Some((_, _, bounds)), true) = (tally.test(), ratios.len() > 1) {
                @let last = tally.difference.count() as f64;
                @let flat = |name: &str, y: f64| Curve { name: name.to_string(), points: vec![[1.0, y], [last, y]] };
                @let ratio = Curve { name: "ratio".to_string(), points: ratios };
                figure role="img" aria-label="The sequential test as pairs were played" {
                    (PreEscaped(curves("Sequential test", ["pairs", "log-likelihood ratio"], &[ratio, flat("accepts the higher", bounds.high), flat("accepts the lower", bounds.low)])))
                }
            }
        }
    }
}

fn list<'a>(which: &Which, games: impl Iterator<Item = &'a PlayedGame>) -> Markup {
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
