//! The page of a tuning run: the gain, the tuned bot with what to do next, the progress, the parameters by number of
//! games, and the effect of each parameter.

mod next;

use crate::App;
use crate::chart::{Chart, PlotLine, bar};
use crate::guard::Known;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use crate::text::{capitalised, count, grouped, query, signed, time_left};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_stats::Interval;
use contender_tune::{LOG, TestResult, TuneStatus, Tuned, status};
use maud::{Markup, html};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;

/// The vertical axis of the chart in which all parameters share one scale.
const SHARED: &str = "% of the range";

/// A tuning run.
#[derive(Deserialize, Clone)]
pub struct Params {
    dir: String,
}

fn read(folder: &Path) -> Result<TuneStatus, Problem> {
    status(folder).map_err(|error| Problem::bad(format!("{error:#}")))
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let status = read(&app.project.tuning(&which.dir)?)?;
        let content = html! {
            (page::crumbs(&[("/#tunings".to_string(), "Tunings".to_string())], if which.dir.is_empty() { "This folder" } else { &which.dir }, None))
            div data-live=(format!("/tuning/live?{}", query(&[("dir", &which.dir)]))) { (parts(app, &status, is_known)) }
        };
        Ok(page::frame("/*", &format!("Tuning of {}", status.subject), Some("/training.js"), &content))
    })
    .await
}

/// Streams the parts of the page while the tuning run continues.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    Known(is_known): Known,
) -> Result<Response, Problem> {
    let folder = app.project.tuning(&which.dir)?;
    let key = format!("/tuning/live?{} {is_known}", query(&[("dir", &which.dir)]));
    let mut seen = None;
    Ok(live::watch(app, key, move |app| {
        let now = folder.join(LOG).metadata().ok().map(|log| log.len());
        if seen == Some(now) {
            return Update::Same;
        }
        // If the log is being written, the next look reads it again.
        let Ok(status) = read(&folder) else { return Update::Same };
        seen = Some(now);
        Update::New(parts(app, &status, is_known))
    }))
}

fn drawn(look: usize, line: &contender_tune::ChartLine) -> PlotLine {
    let (name, points, band) = (line.name.clone(), line.points.clone(), line.band.clone());
    PlotLine { name, look, points, band, ..PlotLine::default() }
}

/// Returns the sentences of a report, which has one per line.
fn sentences(lines: &str) -> Markup {
    html! { @for line in lines.lines().filter(|line| !line.is_empty()) { p.words { (capitalised(line)) "." } } }
}

/// Returns the verdict of the test, and the numbers behind it. Without a verdict, returns the result so far.
fn verdict(status: &TuneStatus) -> [String; 2] {
    let Some(test) = status.tuned.as_ref().and_then(|tuned| tuned.test.as_ref()) else {
        return [status.result.clone(), String::new()];
    };
    let ((gain, interval), unit) = (test.gain, test.unit);
    let verdict = match test.verdict {
        TestResult::Better => format!("{} {unit}: the tuned values are better", signed(gain, 1)),
        TestResult::Worse => format!("{} {unit}: the tuned values are worse", signed(gain, 1)),
        TestResult::NotShown => format!("No gain shown: {} {unit}", signed(gain, 1)),
    };
    let ends = interval.map_or(String::new(), |Interval { low, high }| {
        format!("95% interval {} to {}, ", signed(low, 1), signed(high, 1))
    });
    [verdict, format!("{ends}in {} games against the start values", grouped(test.games))]
}

/// Returns the game and the result of a tuning run in a few words, for a list.
pub fn summary(folder: &Path) -> Option<[String; 2]> {
    let status = status(folder).ok()?;
    let Some(Tuned { game, bots: [bot, _], test, .. }) = status.tuned else {
        let game = status.subject.split(' ').next().unwrap_or_default();
        return Some([game.to_string(), status.result]);
    };
    let result = match test {
        Some(test) => {
            let gain = format!("{} {}", signed(test.gain.0, 1), test.unit);
            let is_shown = test.verdict != TestResult::NotShown;
            format!("{bot}: {}", if is_shown { gain } else { format!("no gain shown ({gain})") })
        }
        None => format!("{bot}, not tested yet"),
    };
    Some([game, result])
}

fn parts(app: &App, status: &TuneStatus, is_known: bool) -> Markup {
    // A test may need fewer games than its maximum.
    let is_over = status.tuned.as_ref().is_some_and(|tuned| tuned.test.is_some())
        || status.phases.iter().all(|(_, games, of)| *of > 0 && games >= of);
    let [verdict, amount] = verdict(status);
    let report = &status.report;
    html! {
        section #state aria-label="State" {
            h1 { "Tuning of " (status.subject) }
            p.verdict role="status" { (verdict) @if !amount.is_empty() { " " span.legend { (capitalised(&amount)) "." } } }
            p.legend {
                @if is_over {
                    "Games: " @for (at, (name, games, _)) in status.phases.iter().enumerate() { @if at > 0 { ", " } (grouped(*games)) " for the " (name) } ". "
                }
                "Running time: " (time_left(status.running)) ". Seed: " (status.seed.cast_signed()) "."
                @if let Some(saved) = status.saved { " Saved " (time_left(saved)) " ago." }
            }
        }
        section #next aria-label="Tuned bot" { @if let Some(tuned) = &status.tuned { (next::steps(app, tuned, is_known)) } }
        section #parameters aria-label="Parameters" {
            @if !is_over { (progress(status)) }
            div.charts {
                @for track in &status.values {
                    @if let Some(line) = &track.line {
                        @let title = format!("Best value of {}, with its 95% interval. Allowed: {}", line.name, track.allowed);
                        (Chart { title: &title, across: "games", up: &line.name, lines: &[drawn(0, line)], levels: &[] }.draw())
                    }
                }
                // The values replace the chart in which all parameters share one scale.
                @for picture in status.pictures.iter().filter(|picture| picture.up != SHARED) {
                    @let lines: Vec<PlotLine> = (0..).zip(&picture.lines).map(|(look, line)| drawn(look, line)).collect();
                    (Chart { title: &picture.title, across: &picture.across, up: &picture.up, lines: &lines, levels: &[] }.draw())
                }
            }
        }
        section #report aria-labelledby="report-title" {
            h2 #report-title { "Values" }
            (sentences(&report.before))
            @match &status.tuned {
                Some(tuned) => (values(tuned, status)),
                None => (effects(status)),
            }
            (sentences(&report.after))
            // The first sentence of the page has the result of a single test.
            @if report.tests.trim().lines().count() > 1 { (sentences(&report.tests)) }
        }
    }
}

/// Returns the table of the parameters' values.
fn values(tuned: &Tuned, status: &TuneStatus) -> Markup {
    // The report has a row of names first.
    let effect = |at: usize| status.report.table.get(at + 1).and_then(|row| row.get(3));
    html! {
        div.wide { table.list.prose.labelled tabindex="0" {
            thead { tr { th { "Parameter" } th { "Start" } th { "Tuned" } th { "Best value, 95%" } th { "Effect" } th { "Allowed values" } } }
            tbody { @for (at, value) in tuned.values.iter().enumerate() { tr {
                @let [start, best] = &value.values;
                td data-label="Parameter" { (value.name) }
                td data-label="Start" { (start) }
                td data-label="Tuned" { strong { (best) } }
                td data-label="Best value, 95%" { @match &value.interval { Some([low, high]) => { (low) " to " (high) } None => "–" } }
                td data-label="Effect" { (effect(at).map_or("–", String::as_str)) }
                td data-label="Allowed values" { (status.values.get(at).map_or("–", |of| &of.allowed)) }
            } } }
        } }
    }
}

/// Returns the table of the effects that a screen has measured.
fn effects(status: &TuneStatus) -> Markup {
    html! {
        @if let Some((head, rows)) = status.report.table.split_first() {
            div.wide { table.list.prose.labelled tabindex="0" {
                thead { tr { @for name in head { th { (capitalised(name)) } } } }
                tbody { @for row in rows { tr {
                    @for (cell, name) in row.iter().zip(head) { td data-label=(capitalised(name)) { (cell) } }
                } } }
            } }
        }
    }
}

/// Draws the number of played games of each phase.
fn progress(status: &TuneStatus) -> Markup {
    html! {
        div.card.phases {
            @for (name, games, of) in &status.phases {
                div {
                    p.seat-row {
                        span { (capitalised(name)) }
                        span.number { @if *of > 0 { (grouped(*games)) " of " (count(*of, "game", "games")) } @else { (count(*games, "game", "games")) } }
                    }
                    (bar(*games as f64 / (*of).max(1) as f64))
                }
            }
        }
    }
}
