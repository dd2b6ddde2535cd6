//! The page of a training run: how it stands in one sentence, the metrics as curves, and the log. On request, the page
//! also shows the curves of other runs.

mod compare;
pub mod next;
mod report;
mod run;
mod units;

use crate::App;
use crate::guard::Known;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_learn::training::METRICS;
use maud::{Markup, html};
use report::parts;
use run::{AXES, Params, name, runs, usual_axis};
use std::path::Path;
use std::sync::Arc;
use units::game;

/// The strengths of smoothing that the page offers.
const SMOOTHING: [(&str, &str); 4] = [("", "none"), ("0.6", "weak"), ("0.9", "medium"), ("0.97", "strong")];

pub async fn page(
    State(app): State<Arc<App>>,
    Query(pairs): Query<Vec<(String, String)>>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let which = Params::of(&pairs, |dir| usual_axis(app, dir))?;
        let runs = runs(app, &which)?;
        let game = game(&runs[0].status).map(|contest| contest.name());
        let content = html! {
            @let names = runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(" and ");
            (page::crumbs(&[("/#trainings".to_string(), "Trainings".to_string())], &names, game))
            h1 { (if runs.len() > 1 { "Trainings " } else { "Training " }) (names) }
            @let [state, curves, log] = parts(&which, &runs);
            div data-live=(which.address("/training/live")) { (state) }
            @if let [run] = &runs[..] { (next::steps(app, run, &which.dirs[0], is_known)) }
            (settings(app, &which))
            (curves)
            (log)
        };
        Ok(page::frame("/*", &format!("Training {}", runs[0].name), Some("/training.js"), &content))
    })
    .await
}

/// Returns the game and the result of a run in a few words, for a list.
pub fn summary(app: &App, dir: &str) -> Option<[String; 2]> {
    let pairs = [("dir".to_string(), dir.to_string())];
    let which = Params::of(&pairs, |_| AXES[0].0).ok()?;
    Some(report::summary(runs(app, &which).ok()?.first()?))
}

/// Returns the form in which the user chooses the runs and how their curves are drawn.
fn settings(app: &App, which: &Params) -> Markup {
    let others = app.project.contents().trainings;
    let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    html! {
        details.settings open[others.len() > which.dirs.len() || which.is_zoomed()] {
            summary { @if others.len() > 1 { "Compare with other trainings, zoom or smooth" } @else { "Zoom or smooth" } }
            form.card action="/training" method="get" {
            input type="hidden" name="dir" value=(which.dirs[0]);
            @if others.len() > 1 {
                fieldset.runs {
                    legend { "Compare with" }
                    @for other in others.iter().filter(|other| other.path != which.dirs[0]) {
                        @let chosen = which.dirs.contains(&other.path);
                        label { input type="checkbox" name="other" value=(other.path) checked[chosen]; " " (name(&other.path)) }
                    }
                }
            }
            div.controls {
                label { "Horizontal axis " select name="across" {
                    @for (axis, ..) in AXES { option value=(axis) selected[which.across == axis] { (axis) } }
                } }
                label { "Smoothing " select name="smooth" {
                    @for (weight, words) in SMOOTHING {
                        option value=(weight) selected[weight.parse().unwrap_or(0.0) == which.smooth] { (words) }
                    }
                } }
                label { "From " input type="number" name="from" min="0" step="any" value=(text(which.from)) placeholder="start"; }
                label { "to " input type="number" name="to" min="0" step="any" value=(text(which.to)) placeholder="end"; }
                button type="submit" { "Show" }
                @if which.from.or(which.to).is_some() {
                    a.button href=(Params { from: None, to: None, ..which.clone() }.address("/training")) { "Whole run" }
                }
                span.legend { "To zoom in, drag over a chart." }
            }
        }
        }
    }
}

/// Streams the parts of the page while the training runs continue.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let which = Params::of(&pairs, |dir| usual_axis(&app, dir))?;
    let folders = which.dirs.iter().map(|dir| app.project.training(dir)).collect::<Result<Vec<_>, _>>()?;
    let mut seen = None;
    let key = which.address("/training/live");
    Ok(live::watch(app, key, move |app| {
        let now: Vec<_> = folders.iter().map(|folder| version(folder)).collect();
        if seen.as_ref() == Some(&now) {
            return Update::Same;
        }
        // If a file is being written, the next look reads it again.
        let Ok(runs) = runs(app, &which) else { return Update::Same };
        seen = Some(now);
        let parts = parts(&which, &runs);
        Update::New(html! { @for part in parts { (part) } })
    }))
}

/// Returns a version that changes whenever the training run has made progress.
fn version(folder: &Path) -> [Option<(u64, std::time::SystemTime)>; 2] {
    ["checkpoint.json", METRICS].map(|file| {
        let meta = folder.join(file).metadata().ok()?;
        Some((meta.len(), meta.modified().ok()?))
    })
}
