//! Training runs: their progress and their metrics as curves, on request together with those of another run.

use crate::App;
use crate::chart::{Chart, Line};
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use crate::text::query;
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_learn::Length;
use contender_learn::training::{METRICS, Status, numbers, status};
use contender_learn::weights;
use contender_plot::Curve;
use maud::{Markup, html};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Number of log lines to show.
const LINES: usize = 20;
/// Maximum number of metrics to draw; a line of the log may contain any number of them.
const MAX_COUNT: usize = 36;
/// The suffixes of the names for the lower and upper ends of an interval.
const ENDS: [&str; 2] = [", low", ", high"];

/// The offered strengths of smoothing.
const SMOOTHING: [(&str, &str); 4] = [("", "none"), ("0.6", "weak"), ("0.9", "medium"), ("0.97", "strong")];

/// The training run, another one to compare it with, and the part of the curves to draw.
#[derive(Deserialize, Clone)]
pub struct Params {
    dir: String,
    #[serde(default)]
    other: Option<String>,
    /// The weight of the earlier values in each smoothed value, from 0 to 0.99; empty for none.
    #[serde(default)]
    smooth: String,
    /// The first and the last minute; empty for the whole run.
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
}

impl Params {
    /// Returns the folders of the run and of the other run, if one is chosen.
    fn dirs(&self) -> Vec<&str> {
        let other = self.other.as_deref().filter(|other| *other != self.dir && *other != "-");
        std::iter::once(self.dir.as_str()).chain(other).collect()
    }

    fn address(&self, page: &str) -> String {
        let other = self.other.as_deref().unwrap_or("-");
        let pairs = [("dir", self.dir.as_str()), ("other", other), ("smooth", &self.smooth)];
        format!("{page}?{}", query(&[pairs.as_slice(), &[("from", &self.from), ("to", &self.to)]].concat()))
    }

    /// Returns the part of a curve to draw, smoothed.
    fn shown(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let weight = self.smooth.parse().unwrap_or(0.0_f64).clamp(0.0, 0.99);
        let mut before = None;
        let smoothed = points.iter().map(|&[minute, value]| {
            let value = before.map_or(value, |before| weight * before + (1.0 - weight) * value);
            before = Some(value).filter(|value| value.is_finite());
            [minute, value]
        });
        smoothed.filter(|point| self.has(point[0])).collect()
    }

    /// Returns whether a minute is in the part to draw.
    fn has(&self, minute: f64) -> bool {
        self.from.parse().map_or(true, |from: f64| minute >= from)
            && self.to.parse().map_or(true, |to: f64| minute <= to)
    }
}

/// A training run, as read from its folder.
struct Run {
    name: String,
    status: Status,
    /// The numbers of the log as curves over minutes.
    numbers: Vec<Curve>,
    /// The weights learned so far, if the run learns weights of inputs.
    weights: Vec<(String, [Curve; 2])>,
}

impl Run {
    fn curve(&self, name: &str, end: &str) -> Option<&Curve> {
        self.numbers.iter().find(|curve| curve.name.strip_suffix(end) == Some(name))
    }

    /// Returns a number of the log as a line, with its interval as a band if the log has both ends.
    fn line(&self, name: &str, colour: usize, which: &Params) -> Option<Line> {
        let points = which.shown(&self.curve(name, "")?.points);
        let band = match ENDS.map(|end| self.curve(name, end)) {
            [Some(low), Some(high)] => {
                let both = low.points.iter().zip(&high.points);
                both.map(|(low, high)| [low[0], low[1], high[1]]).filter(|band| which.has(band[0])).collect()
            }
            _ => Vec::new(),
        };
        Some(Line { name: self.name.clone(), colour, points, band })
    }
}

fn name(dir: &str) -> String {
    if dir.is_empty() { "this folder".to_string() } else { dir.to_string() }
}

fn run(app: &App, dir: &str) -> Result<Run, Problem> {
    let folder = app.project.training(dir)?;
    let status = status(&folder, LINES).map_err(|error| Problem::bad(format!("{error:#}")))?;
    let mut numbers = numbers(&folder);
    numbers.truncate(MAX_COUNT);
    let name = name(dir);
    let weights = weights::saved(&folder, &format!(", {name}"));
    Ok(Run { name, status, numbers, weights })
}

pub async fn page(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let runs = which.dirs().into_iter().map(|dir| run(app, dir)).collect::<Result<Vec<_>, _>>()?;
        let others = app.project.contents().trainings;
        let content = html! {
            p.path { a href="/" { "Home" } " / training" }
            form.controls action="/training" method="get" {
                input type="hidden" name="dir" value=(which.dir);
                label { "Compare with " select name="other" {
                    option value="-" { "none" }
                    @for other in others.iter().filter(|other| other.path != which.dir) {
                        option value=(other.path) selected[which.other.as_ref() == Some(&other.path)] { (name(&other.path)) }
                    }
                } }
                label { "Smoothing " select name="smooth" {
                    @for (weight, words) in SMOOTHING { option value=(weight) selected[which.smooth == weight] { (words) } }
                } }
                label { "Minutes " input type="number" name="from" min="0" step="any" value=(which.from) placeholder="first"; }
                label { "to " input type="number" name="to" min="0" step="any" value=(which.to) placeholder="last"; }
                button type="submit" { "Show" }
            }
            div data-live=(which.address("/training/live")) { (parts(&which, &runs)) }
        };
        Ok(page::frame("", &format!("Training {}", runs[0].name), Some("/training.js"), &content))
    })
    .await
}

/// Streams the parts of the page while the training runs continue.
pub async fn live(State(app): State<Arc<App>>, Query(which): Query<Params>) -> Result<Response, Problem> {
    let folders =
        which.dirs().into_iter().map(|dir| app.project.training(dir)).collect::<Result<Vec<_>, _>>()?;
    let mut seen = None;
    let key = which.address("/training/live");
    Ok(live::watch(app, key, move |app| {
        let now: Vec<_> = folders.iter().map(|folder| version(folder)).collect();
        if seen.as_ref() == Some(&now) {
            return Update::Same;
        }
        let runs: Result<Vec<_>, _> = which.dirs().into_iter().map(|dir| run(app, dir)).collect();
        // If a file is being written, the next look reads it again.
        let Ok(runs) = runs else { return Update::Same };
        seen = Some(now);
        Update::New(parts(&which, &runs))
    }))
}

/// Returns a version that changes when the training run continues.
fn version(folder: &Path) -> [Option<(u64, std::time::SystemTime)>; 2] {
    ["checkpoint.json", METRICS].map(|file| {
        let meta = folder.join(file).metadata().ok()?;
        Some((meta.len(), meta.modified().ok()?))
    })
}

fn parts(which: &Params, runs: &[Run]) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for curve in runs.iter().flat_map(|run| &run.numbers) {
        // The ends of an interval are a band around its value.
        let is_end = ENDS.iter().any(|end| {
            curve
                .name
                .strip_suffix(end)
                .is_some_and(|name| runs.iter().any(|run| run.curve(name, "").is_some()))
        });
        if !is_end && !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    // The results of matches come first.
    names.sort_by_key(|name| !name.starts_with("against"));
    html! {
        section #state aria-label="State" {
            h1 { (runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(" and ")) }
            div.wide { table.list tabindex="0" {
                thead { tr { th { "Training" } th { "Of" } th.number { "Seed" } th.number { "Games" } th.number { "Running" } th.number { "Done" } th { "Saved" } } }
                tbody { @for run in runs { (row(run)) } }
            } }
        }
        section #curves aria-label="Curves" {
            div.charts data-together data-zoom {
                @for name in names {
                    @let lines: Vec<Line> = runs.iter().enumerate().filter_map(|(at, run)| run.line(name, at, which)).collect();
                    (Chart { title: name, across: "minutes", lines: &lines, levels: &[] }.draw())
                }
            }
        }
        section #weights aria-label="Weights" {
            @if runs.iter().any(|run| !run.weights.is_empty()) {
                h2 { "Learned weights: the weight of each input over the turns of a game" }
                div.charts data-together {
                    @for (name, curves) in weights_of(runs) {
                        @let lines: Vec<Line> = (0..).zip(curves).map(|(colour, curve)| Line { name: curve.name, colour, points: curve.points, band: Vec::new() }).collect();
                        (Chart { title: name, across: "turns", lines: &lines, levels: &[] }.draw())
                    }
                }
            }
        }
        section #log aria-labelledby="log-title" {
            h2 #log-title { "Log" }
            @for run in runs {
                @if runs.len() > 1 { p { (run.name) } }
                @if run.status.log.is_empty() { p { "The log has no lines yet." } } @else { pre tabindex="0" { (run.status.log.join("\n")) } }
            }
        }
    }
}

/// Returns every input with its curves from all runs.
fn weights_of(runs: &[Run]) -> Vec<(&str, Vec<Curve>)> {
    let mut inputs: Vec<(&str, Vec<Curve>)> = Vec::new();
    for (name, lines) in runs.iter().flat_map(|run| &run.weights) {
        match inputs.iter_mut().find(|(known, _)| known == name) {
            Some((_, all)) => all.extend_from_slice(lines),
            None => inputs.push((name.as_str(), lines.to_vec())),
        }
    }
    inputs
}

fn row(Run { name, status, .. }: &Run) -> Markup {
    let minutes = |time: Duration| format!("{:.1} min", time.as_secs_f64() / 60.0);
    let length = match status.length {
        Length::Minutes(minutes) => format!("{minutes} min"),
        Length::Games(games) => format!("{games} games"),
    };
    let share = status.length.share(status.games, status.running.as_secs_f64()).min(1.0);
    html! { tr {
        td { (name) } td { (status.subject) } td.number { (status.seed.cast_signed()) } td.number { (status.games) } td.number { (minutes(status.running)) }
        td.number { (format!("{:.0}% of {length}", 100.0 * share)) }
        td { @if let Some(saved) = status.saved { (minutes(saved)) " ago" } }
    } }
}
