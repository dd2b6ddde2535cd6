//! The page of a tuning run: the progress, the parameters by number of games, and the effect of each parameter.

use crate::App;
use crate::chart::{Chart, PlotLine};
use crate::live::{self, Update};
use crate::matches::report::bar;
use crate::page::{self, Problem, blocking};
use crate::text::{capitalised, count, grouped, query, time_left};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_tune::{LOG, TuneStatus, status};
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

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let status = read(&app.project.tuning(&which.dir)?)?;
        let content = html! {
            (page::crumbs(&[], if which.dir.is_empty() { "This folder" } else { &which.dir }, None))
            div data-live=(format!("/tuning/live?{}", query(&[("dir", &which.dir)]))) { (parts(&status)) }
        };
        Ok(page::frame("/*", &format!("Tuning of {}", status.subject), Some("/training.js"), &content))
    })
    .await
}

/// Streams the parts of the page while the tuning run continues.
pub async fn live(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Response, Problem> {
    let folder = app.project.tuning(&which.dir)?;
    let key = format!("/tuning/live?{}", query(&[("dir", &which.dir)]));
    let mut seen = None;
    Ok(live::watch(app, key, move |_| {
        let now = folder.join(LOG).metadata().ok().map(|log| log.len());
        if seen == Some(now) {
            return Update::Same;
        }
        // If the log is being written, the next look reads it again.
        let Ok(status) = read(&folder) else { return Update::Same };
        seen = Some(now);
        Update::New(parts(&status))
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

fn parts(status: &TuneStatus) -> Markup {
    let tested = status.result.split_once(": ").filter(|(verdict, _)| !verdict.starts_with("Best values"));
    // A test may need fewer games than its maximum.
    let is_over = tested.is_some() || status.phases.iter().all(|(_, games, of)| *of > 0 && games >= of);
    let (verdict, amount) = match tested {
        Some((verdict, amount)) => (format!("{verdict}."), amount),
        None => (status.result.clone(), ""),
    };
    let report = &status.report;
    html! {
        section #state aria-label="State" {
            h1 { "Tuning of " (status.subject) }
            p.verdict role="status" { (verdict) @if !amount.is_empty() { " " span.legend { (capitalised(amount)) } } }
            p.legend {
                @if is_over {
                    "Games: " @for (at, (name, games, _)) in status.phases.iter().enumerate() { @if at > 0 { ", " } (grouped(*games)) " for the " (name) } ". "
                }
                "Running time: " (time_left(status.running)) ". Seed: " (status.seed.cast_signed()) "."
                @if let Some(saved) = status.saved { " Saved " (time_left(saved)) " ago." }
            }
        }
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
            @if let Some((head, rows)) = report.table.split_first() {
                @let has_allowed = status.values.len() == rows.len();
                div.wide { table.list.prose.labelled tabindex="0" {
                    thead { tr { @for name in head { th { (capitalised(name)) } } @if has_allowed { th { "Allowed values" } } } }
                    tbody { @for (at, row) in rows.iter().enumerate() { tr {
                        @for (cell, name) in row.iter().zip(head) { td data-label=(capitalised(name)) { (cell) } }
                        @if has_allowed { td data-label="Allowed values" { (status.values[at].allowed) } }
                    } } }
                } }
            }
            (sentences(&report.after))
            // The first sentence of the page has the result of a single test.
            @if report.tests.trim().lines().count() > 1 { (sentences(&report.tests)) }
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
