//! Matches: a log of games between two bots and its results, updated while the log grows. A match that is started here
//! is a `contender match` with `--log`. Any other log has the same page.

mod log;
mod series;
mod start;

pub use start::{begin, form, stop};

use crate::App;
use crate::home::query;
use crate::jobs::Report;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, Response};
use contender_arena::Results;
use contender_plot::{Curve, Track, curves, progress};
use contender_referee::RankedBy;
use contender_stats::{Decision, MIN_PAIRS, SequentialTest};
use log::{MatchLog, PlayedGame};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::sync::Arc;

/// The log and its test.
#[derive(Deserialize, Clone)]
pub struct Params {
    file: String,
    /// Number of planned games, if known.
    #[serde(default)]
    games: String,
    /// The hypotheses of a sequential test, `LO,HI`.
    #[serde(default)]
    sprt: String,
}

impl Params {
    fn log(&self, app: &App) -> Result<MatchLog, Problem> {
        Ok(MatchLog::of(&app.project.file(&self.file)?, test(&self.sprt)?))
    }

    fn address(&self, page: &str) -> String {
        format!("{page}?{}", query(&[("file", &self.file), ("games", &self.games), ("sprt", &self.sprt)]))
    }
}

/// Returns the key under which the jobs keep a match.
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
        numbers.ok_or_else(|| Problem::bad("Expected two hypotheses of a test, for example 0,10."))?;
    let error = SequentialTest::ERROR_PROBABILITY;
    SequentialTest::new(low, high, error, error).map(Some).map_err(Problem::bad)
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    headers: HeaderMap,
) -> Result<Html<String>, Problem> {
    let is_known = app.guard.knows(&headers);
    blocking(app, move |app| {
        let mut log = which.log(app)?;
        log.read().map_err(Problem::bad)?;
        let content = html! {
            p.path { a href="/" { "Home" } " / " (which.file) }
            div data-live=(which.address("/match/live")) { (parts(&which, &log, app.jobs.report(&job(&which.file)), is_known)) }
        };
        Ok(page::frame(&which.file, Some("/live.js"), &content))
    })
    .await
}

/// Streams the parts of the page as the log grows.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let is_known = app.guard.knows(&headers);
    let mut log = which.log(&app)?;
    let mut seen = None;
    let key = format!("{} {is_known}", which.address("/match/live"));
    Ok(live::watch(app, key, move |app| {
        let report = app.jobs.report(&job(&which.file));
        let has_grown = log.read().unwrap_or(false);
        if !has_grown && seen.as_ref() == Some(&report) {
            return Update::Same;
        }
        seen = Some(report.clone());
        Update::New(parts(&which, &log, report, is_known))
    }))
}

fn parts(which: &Params, log: &MatchLog, report: Option<Report>, is_known: bool) -> Markup {
    let is_running = report.as_ref().is_some_and(|report| report.is_running);
    html! {
        section #state aria-label="State" {
            h1 {
                @match &log.names {
                    Some([a, b]) => { (a) " against " (b) },
                    None => { (which.file) },
                }
            }
            p role="status" {
                (log.count) @if !which.games.is_empty() { " of " (which.games) } " games"
                @if log.failed > 0 { ", " span.failure { (log.failed) " with a failure" } }
                @if is_running { ". The match is running." } @else { "." }
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
                details #said open[!is_running] { summary { "Output of the match" } pre tabindex="0" { (report.said) } }
            }
        }
        section #result aria-label="Result" { (result(log)) }
        section #pictures aria-label="Pictures" { @if log.course.count() > 1 { (pictures(log)) } }
        section #games aria-labelledby="list" {
            @if log.failed > 0 {
                h2 { @if log.failed > log.failures.len() as u64 { "The first " (log.failures.len()) " games with a failure" } @else { "Games with a failure" } }
                (list(which, log.failures.iter()))
            }
            h2 #list { "Latest games" }
            @if log.latest.is_empty() { p { "None is over yet." } } @else { (list(which, log.latest.iter())) }
            p { a href=(format!("/log?{}", query(&[("file", &which.file)]))) { "All games" } }
        }
    }
}

fn result(log: &MatchLog) -> Markup {
    let Some([a, _]) = &log.names else { return html! {} };
    let Results { wins, draws, losses } = log.results;
    let (what, unit, digits) = match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => ("Ahead by", " points a game", 2),
        RankedBy::Wins => ("Wins, draws as halves", "%", 1),
    };
    let number = |value: f64| match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => format!("{value:+.digits$}"),
        RankedBy::Wins => format!("{value:.digits$}"),
    };
    html! {
        table.figures { tbody {
            tr { th scope="row" { "Pairs" } td { (log.score.pairs()) } }
            tr { th scope="row" { (a) ": won, drawn, lost" } td { (wins) " – " (draws) " – " (losses) } }
            @if let Some((value, interval)) = log.estimate() {
                tr { th scope="row" { (what) } td {
                    strong { (number(value)) } (unit)
                    @if let Some(interval) = interval { ", 95% interval " (number(interval.low)) " to " (number(interval.high)) }
                } }
            }
            @if let (RankedBy::Wins, Some(elo)) = (log.score.ranked_by, log.score.pentanomial.elo(0.95)) {
                tr { th scope="row" { "Elo" } td { strong { (format!("{:+.0}", elo.elo)) } } }
            }
            @if let Some((test, ratio, bounds)) = log.test() {
                @let [low, high] = test.hypotheses();
                tr { th scope="row" { "Test of " (format!("{low:+} against {high:+}")) } td {
                    "log-likelihood ratio " strong { (format!("{ratio:.2}")) } (format!(" between {:.2} and {:.2}: ", bounds.low, bounds.high))
                    @match test.decide(ratio, log.score.pairs()) {
                        Decision::PlayOn if log.score.pairs() < MIN_PAIRS => (format!("not decided before {MIN_PAIRS} pairs.")),
                        Decision::PlayOn => "not decided.",
                        Decision::AcceptH0 => (format!("{low:+} is accepted.")),
                        Decision::AcceptH1 => (format!("{high:+} is accepted.")),
                    }
                } }
            }
        } }
    }
}

fn pictures(log: &MatchLog) -> Markup {
    let [a, b] = log.names.as_ref().map_or(["", ""], |names| names.each_ref().map(String::as_str));
    let (title, unit) = match log.score.ranked_by {
        RankedBy::Points | RankedBy::Rank => (format!("{a} ahead of {b}"), "points a game"),
        RankedBy::Wins => (format!("{a} against {b}"), "% won; a draw counts as half"),
    };
    let moments = || log.course.items();
    let track =
        Track { name: "95% interval".to_string(), points: moments().map(|moment| moment.estimate).collect() };
    let ratios = moments().filter_map(|moment| Some([(moment.estimate.games / 2) as f64, moment.ratio?]));
    let ratios: Vec<[f64; 2]> = ratios.collect();
    html! {
        div.pictures {
            figure role="img" tabindex="0" aria-label="The estimate and its interval as games were played" { (PreEscaped(progress(&title, unit, &[track]))) }
            @if let (Some((_, _, bounds)), true) = (log.test(), ratios.len() > 1) {
                @let last = log.score.pairs() as f64;
                @let flat = |name: &str, y: f64| Curve { name: name.to_string(), points: vec![[1.0, y], [last, y]] };
                @let ratio = Curve { name: "ratio".to_string(), points: ratios };
                figure role="img" tabindex="0" aria-label="The sequential test as pairs were played" {
                    (PreEscaped(curves("Sequential test", ["pairs", "log-likelihood ratio"], &[ratio, flat("accepts the higher", bounds.high), flat("accepts the lower", bounds.low)])))
                }
            }
        }
    }
}

fn list<'a>(which: &Params, games: impl Iterator<Item = &'a PlayedGame>) -> Markup {
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
