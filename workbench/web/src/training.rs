//! The page of a training run: the progress, and the metrics as curves. On request, the page also shows the curves of
//! other runs.

use crate::App;
use crate::chart::{COLOURS, Chart, PlotLine};
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use crate::text::{grouped, query};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_catalogue::find;
use contender_learn::Length;
use contender_learn::training::{METRICS, Status, numbers_over, status};
use contender_learn::weights;
use contender_plot::Curve;
use contender_referee::{ContestHost, Host, RankedBy};
use maud::{Markup, html};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Number of log lines to show.
const LINES: usize = 20;
/// Maximum number of metrics to draw, because a line of the log may contain any number of them.
const MAX_COUNT: usize = 36;
/// Maximum number of further results above the charts.
const MAX_CHIPS: usize = 6;
/// The suffixes of the names of an interval's lower and upper end.
const ENDS: [&str; 2] = [", low", ", high"];

/// The start of the names of metrics that are results of matches.
const AGAINST: &str = "against ";

/// The strengths of smoothing that the page offers.
const SMOOTHING: [(&str, &str); 4] = [("", "none"), ("0.6", "weak"), ("0.9", "medium"), ("0.97", "strong")];

/// The numbers that the horizontal axis can show.
const AXES: [&str; 3] = ["minutes", "games", "processor hours"];

/// The training runs, the horizontal axis, and the range of the axis to draw.
#[derive(Clone)]
pub struct Params {
    /// The folder of the run, and the folders of the runs with which it is compared.
    dirs: Vec<String>,
    across: &'static str,
    /// The weight of the previous smoothed value in the next one, from 0 to 0.99; 0 means no smoothing.
    smooth: f64,
    /// The first and the last position on the axis; `None` for the whole run.
    from: Option<f64>,
    to: Option<f64>,
}

impl Params {
    /// Reads the parameters of an address. Values that are not numbers are ignored.
    fn of(pairs: &[(String, String)]) -> Result<Params, Problem> {
        let all = |name: &'static str| {
            pairs.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
        };
        let number = |name: &'static str| {
            all(name).next().and_then(|value| value.parse().ok()).filter(|value: &f64| value.is_finite())
        };
        let first = all("dir").next().ok_or_else(|| Problem::bad("The address names no training run."))?;
        let mut dirs = vec![first.to_string()];
        for other in all("other").filter(|other| !other.is_empty()) {
            if !dirs.iter().any(|known| known == other) {
                dirs.push(other.to_string());
            }
        }
        let across = all("across").next().and_then(|name| AXES.into_iter().find(|axis| *axis == name));
        Ok(Params {
            dirs,
            across: across.unwrap_or(AXES[0]),
            smooth: number("smooth").unwrap_or(0.0).clamp(0.0, 0.99),
            from: number("from"),
            to: number("to"),
        })
    }

    fn address(&self, page: &str) -> String {
        let numbers = [("smooth", Some(self.smooth)), ("from", self.from), ("to", self.to)];
        let numbers =
            numbers.map(|(name, value)| (name, value.map_or(String::new(), |value| value.to_string())));
        let mut pairs = vec![("dir", self.dirs[0].as_str()), ("across", self.across)];
        pairs.extend(self.dirs[1..].iter().map(|other| ("other", other.as_str())));
        pairs.extend(numbers.iter().map(|(name, value)| (*name, value.as_str())));
        format!("{page}?{}", query(&pairs))
    }

    /// Returns the points of a curve that are in the range to draw, smoothed.
    fn shown(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let mut before = None;
        let smoothed = points.iter().map(|&[place, value]| {
            let value = before.map_or(value, |before| self.smooth * before + (1.0 - self.smooth) * value);
            before = Some(value).filter(|value| value.is_finite());
            [place, value]
        });
        smoothed.filter(|point| self.has(point[0])).collect()
    }

    /// Returns whether a position on the axis is in the range to draw.
    fn has(&self, place: f64) -> bool {
        self.from.is_none_or(|from| place >= from) && self.to.is_none_or(|to| place <= to)
    }
}

/// A training run as read from its folder.
struct Run {
    name: String,
    status: Status,
    /// The numbers in the log as curves over the chosen axis.
    numbers: Vec<Curve>,
    /// The weights learned so far, if the run learns weights of inputs.
    weights: Vec<(String, [Curve; 2])>,
}

impl Run {
    fn curve(&self, name: &str, end: &str) -> Option<&Curve> {
        self.numbers.iter().find(|curve| curve.name.strip_suffix(end) == Some(name))
    }

    /// Returns a number in the log as a line. If the log contains both ends of an interval, the line has a band.
    fn line(&self, name: &str, colour: usize, which: &Params) -> Option<PlotLine> {
        let all = &self.curve(name, "")?.points;
        let points = which.shown(all);
        let raw = all.iter().copied().filter(|point| which.smooth > 0.0 && which.has(point[0])).collect();
        let band = match ENDS.map(|end| self.curve(name, end)) {
            [Some(low), Some(high)] => {
                let both = low.points.iter().zip(&high.points);
                both.map(|(low, high)| [low[0], low[1], high[1]]).filter(|band| which.has(band[0])).collect()
            }
            _ => Vec::new(),
        };
        Some(PlotLine { name: self.name.clone(), colour, points, band, raw })
    }
}

fn name(dir: &str) -> String {
    if dir.is_empty() { "this folder".to_string() } else { dir.to_string() }
}

fn run(app: &App, dir: &str, across: &str) -> Result<Run, Problem> {
    let folder = app.project.training(dir)?;
    let status = status(&folder, LINES).map_err(|error| Problem::bad(format!("{error:#}")))?;
    let mut numbers = numbers_over(&folder, across);
    numbers.truncate(MAX_COUNT);
    let name = name(dir);
    let weights = weights::saved(&folder, &format!(", {name}"));
    Ok(Run { name, status, numbers, weights })
}

/// Reads all chosen training runs.
fn runs(app: &App, which: &Params) -> Result<Vec<Run>, Problem> {
    which.dirs.iter().map(|dir| run(app, dir, which.across)).collect()
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let which = Params::of(&pairs)?;
        let runs = runs(app, &which)?;
        let content = html! {
            p.path { a href="/" { "Home" } " / training" }
            h1 { (runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(" and ")) }
            @let [state, curves] = parts(&which, &runs);
            div data-live=(which.address("/training/live")) { (state) }
            (settings(app, &which))
            (curves)
        };
        Ok(page::frame("", &format!("Training {}", runs[0].name), Some("/training.js"), &content))
    })
    .await
}

/// Returns the form in which the user chooses the runs and how their curves are drawn.
fn settings(app: &App, which: &Params) -> Markup {
    let others = app.project.contents().trainings;
    let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    html! {
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
                label { "Axis " select name="across" {
                    @for axis in AXES { option value=(axis) selected[which.across == axis] { (axis) } }
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

/// Streams the parts of the page while the training runs continue.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let which = Params::of(&pairs)?;
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
        let [state, curves] = parts(&which, &runs);
        Update::New(html! { (state) (curves) })
    }))
}

/// Returns a version that changes whenever the training run has made progress.
fn version(folder: &Path) -> [Option<(u64, std::time::SystemTime)>; 2] {
    ["checkpoint.json", METRICS].map(|file| {
        let meta = folder.join(file).metadata().ok()?;
        Some((meta.len(), meta.modified().ok()?))
    })
}

/// Returns the results of the runs, and everything below the form.
fn parts(which: &Params, runs: &[Run]) -> [Markup; 2] {
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
    names.sort_by_key(|name| !name.starts_with(AGAINST));
    let state = html! {
        section #state aria-label="State" {
            @for run in runs { (result(run, runs)) }
            div.wide { table.list tabindex="0" {
                thead { tr { th { "Training" } th { "Subject" } th.number { "Seed" } th.number { "Games" } th.number { "Running" } th.number { "Done" } th { "Saved" } } }
                tbody { @for (at, run) in runs.iter().enumerate() { (row(at, run)) } }
            } }
        }
    };
    let curves = html! {
        section #curves aria-label="Curves" {
            @if names.is_empty() { p.notice { "The curves appear after the second line of metrics." } }
            div.charts data-together data-zoom {
                @for name in names {
                    @let lines: Vec<PlotLine> = runs.iter().enumerate().filter_map(|(at, run)| run.line(name, at, which)).collect();
                    (Chart { title: name, across: which.across, up: &unit(name, runs), lines: &lines, levels: &[] }.draw())
                }
            }
        }
        section #weights aria-label="Weights" {
            @if runs.iter().any(|run| !run.weights.is_empty()) {
                details { summary { "Learned weights: the weight of each input over the turns of a game" }
                div.charts data-together {
                    @for (name, curves) in weights_of(runs) {
                        @let lines: Vec<PlotLine> = (0..).zip(curves).map(|(colour, curve)| PlotLine { name: curve.name, colour, points: curve.points, ..PlotLine::default() }).collect();
                        (Chart { title: name, across: "turns of a game", up: "weight", lines: &lines, levels: &[] }.draw())
                    }
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
    };
    [state, curves]
}

/// Returns the latest result of a run as one sentence, and its other latest results as chips. A match against a bundled
/// bot says more than one against an earlier version.
fn result(run: &Run, runs: &[Run]) -> Markup {
    let is_end = |name: &str| ENDS.iter().any(|end| name.ends_with(end));
    let last = |curve: &Curve| curve.points.last().map_or(f64::NAN, |point| point[1]);
    let mut found: Vec<(&str, String)> = Vec::new();
    for curve in run.numbers.iter().filter(|curve| !is_end(&curve.name)) {
        let text =
            match (curve.name.strip_prefix(AGAINST), ENDS.map(|end| run.curve(&curve.name, end).map(last))) {
                (Some(opponent), [Some(low), Some(high)]) => {
                    let unit = unit(&curve.name, runs);
                    format!(
                        "{} {unit} [{}, {}] against {opponent}",
                        number(last(curve)),
                        number(low),
                        number(high)
                    )
                }
                (Some(opponent), _) => {
                    format!("{} {} against {opponent}", number(last(curve)), unit(&curve.name, runs))
                }
                (None, _) => {
                    let first = curve.points.first().map_or(f64::NAN, |point| point[1]);
                    format!("{} {}, at first {}", curve.name, number(last(curve)), number(first))
                }
            };
        found.push((&curve.name, text));
    }
    let rank = |name: &str| match name.strip_prefix(AGAINST) {
        Some("previous" | "best") => 1,
        Some(_) => 0,
        None => 2,
    };
    found.sort_by_key(|(name, _)| rank(name));
    let first = found.first().map_or("no results yet", |(_, text)| text);
    html! {
        p.verdict role="status" {
            @if runs.len() > 1 { (run.name) ": " }
            "After " (grouped(run.status.games)) " games: " (first)
        }
        @if runs.len() == 1 && found.len() > 1 {
            p.chips { @for (_, text) in found.iter().skip(1).take(MAX_CHIPS) { span.chip { (text) } } }
        }
    }
}

/// Formats a number with three digits that matter.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// Returns the unit of a metric. The results of matches are points, or the share of the games won; any other metric is
/// named in its title.
fn unit(name: &str, runs: &[Run]) -> String {
    let is_by_points = runs.iter().any(|run| {
        let games = run.status.subject.split([' ', ',']).filter_map(find);
        games.into_iter().any(|contest| ContestHost::new(contest).ranked_by() == RankedBy::Points)
    });
    let points = || runs.iter().filter_map(|run| run.curve(name, "")).flat_map(|curve| &curve.points);
    let is_share = points().all(|point| (0.0..=1.0).contains(&point[1]));
    match name.starts_with(AGAINST) {
        true if is_share => "of the games won".to_string(),
        true if is_by_points => "points per game".to_string(),
        true => "% of the games won".to_string(),
        false => String::new(),
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

fn row(colour: usize, Run { name, status, .. }: &Run) -> Markup {
    let minutes = |time: Duration| format!("{:.1} min", time.as_secs_f64() / 60.0);
    let length = match status.length {
        Length::Minutes(minutes) => format!("{minutes} min"),
        Length::Games(games) => format!("{games} games"),
    };
    let share = status.length.share(status.games, status.running.as_secs_f64()).min(1.0);
    html! { tr {
        td { span class=(format!("dot c{}", colour % COLOURS)) {} " " (name) } td { (status.subject) } td.number { (status.seed.cast_signed()) } td.number { (grouped(status.games)) } td.number { (minutes(status.running)) }
        td.number { (format!("{:.0}% of {length}", 100.0 * share)) }
        td { @if let Some(saved) = status.saved { (minutes(saved)) " ago" } }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Odd values in an address count as absent, and a run is drawn once.
    #[test]
    fn odd_parameters_are_left_out() {
        let params = |text: &str| {
            let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
            let pairs: Vec<_> = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
            Params::of(&pairs)
        };
        assert!(params("other=b").is_err());
        let odd =
            params("dir=a&smooth=nan&from=inf&to=x&across=lines&other=b&other=a&other=b&other=").unwrap();
        assert_eq!(
            (odd.dirs, odd.across, odd.smooth),
            (vec!["a".to_string(), "b".to_string()], "minutes", 0.0)
        );
        assert_eq!((odd.from, odd.to), (None, None));
        let high = params("dir=a&smooth=7&from=2").unwrap();
        assert_eq!(high.smooth, 0.99);
        let [place, value] = high.shown(&[[1.0, 0.0], [2.0, 100.0], [3.0, f64::NAN]])[0];
        assert!(place == 2.0 && (value - 1.0).abs() < 1e-9, "{place} {value}");
    }
}
