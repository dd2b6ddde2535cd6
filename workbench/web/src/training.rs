//! The page of a training run: the progress, and the metrics as curves. On request, the page also shows the curves of
//! other runs.

use crate::App;
use crate::chart::{COLOURS, Chart, PlotLine};
use crate::live::{self, Update};
use crate::matches::report::bar;
use crate::page::{self, Problem, blocking};
use crate::text::{capitalised, count, grouped, query, time_left};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_learn::Length;
use contender_learn::training::{METRICS, Metrics, Status, metrics, numbers_over, status};
use contender_learn::weights;
use contender_plot::Curve;
use contender_referee::{ContestHost, Host, RankedBy};
use maud::{Markup, html};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Time without a change after which a run may have been stopped. Some runs write a line only every few minutes.
const STALE: Duration = Duration::from_secs(600);
/// Number of log lines to show.
const LINES: usize = 20;
/// Maximum number of metrics to draw, because a line of the log may contain any number of them.
const MAX_COUNT: usize = 36;
/// Maximum number of further results above the charts.
const MAX_CHIPS: usize = 6;
/// The suffixes of the names of an interval's lower and upper end.
const ENDS: [&str; 2] = [", low", ", high"];

/// The units of results: points, shares from 0 to 1, and percentages.
const POINTS: &str = "points per game";
const SHARE: &str = "of the games won";
const PERCENT: &str = "% of the games won";
/// The start of the names of metrics that are results of matches.
const AGAINST: &str = "against ";

/// The strengths of smoothing that the page offers.
const SMOOTHING: [(&str, &str); 4] = [("", "none"), ("0.6", "weak"), ("0.9", "medium"), ("0.97", "strong")];

/// The numbers that the horizontal axis can show: the name, the metric, and the number of units per unit of the metric.
const AXES: [(&str, &str, f64); 5] = [
    ("seconds", "minutes", 60.0),
    ("minutes", "minutes", 1.0),
    ("hours", "minutes", 1.0 / 60.0),
    ("games", "games", 1.0),
    ("processor hours", "processor hours", 1.0),
];
/// Seconds of running time from which the axis shows minutes, and hours, unless the user chooses an axis.
const AXIS_FROM: [f64; 2] = [180.0, 18_000.0];
/// Maximum number of columns of the log that are metrics.
const MAX_COLUMNS: usize = 8;

/// The training runs, the horizontal axis, and the range of the axis to draw.
#[derive(Clone)]
pub struct Params {
    /// The folder of the run, and the folders of the runs with which it is compared.
    dirs: Vec<String>,
    /// The name of the horizontal axis; one of [`AXES`].
    across: &'static str,
    /// The weight of the previous smoothed value in the next one, from 0 to 0.99; 0 means no smoothing.
    smooth: f64,
    /// The first and the last position on the axis; `None` for the whole run.
    from: Option<f64>,
    to: Option<f64>,
}

impl Params {
    /// Reads the parameters of an address. Values that are not numbers are ignored. If the address names no axis,
    /// `usual` chooses one for the first run.
    fn of(pairs: &[(String, String)], usual: impl FnOnce(&str) -> &'static str) -> Result<Params, Problem> {
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
        let across = all("across").next().and_then(|name| AXES.into_iter().find(|axis| axis.0 == name));
        Ok(Params {
            across: across.map_or_else(|| usual(&dirs[0]), |axis| axis.0),
            dirs,
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
    /// The latest lines of the log.
    log: Vec<Metrics>,
    /// Time since the latest change of the run's files.
    changed: Option<Duration>,
    /// The weights learned so far, if the run learns weights of inputs.
    weights: Vec<(String, [Curve; 2])>,
}

impl Run {
    fn curve(&self, name: &str, end: &str) -> Option<&Curve> {
        curve(&self.numbers, name, end)
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
    let status = status(&folder, 0).map_err(|error| Problem::bad(format!("{error:#}")))?;
    let (_, metric, factor) = AXES.into_iter().find(|axis| axis.0 == across).unwrap_or(AXES[1]);
    let mut numbers = numbers_over(&folder, metric);
    numbers.truncate(MAX_COUNT);
    for point in numbers.iter_mut().flat_map(|curve| &mut curve.points) {
        point[0] *= factor;
    }
    let mut log = metrics(&folder);
    log.drain(..log.len().saturating_sub(LINES));
    let changed = folder.join(METRICS).metadata().and_then(|file| file.modified()).ok();
    let changed = changed.and_then(|time| time.elapsed().ok()).into_iter().chain(status.saved).min();
    let name = name(dir);
    let weights = weights::saved(&folder, &format!(", {name}"));
    Ok(Run { name, status, numbers, log, changed, weights })
}

/// Returns the axis for a run if the user has not chosen one.
fn usual_axis(app: &App, dir: &str) -> &'static str {
    let status = app.project.training(dir).ok().and_then(|folder| status(&folder, 0).ok());
    let seconds = status.map_or(AXIS_FROM[0], |status| status.running.as_secs_f64());
    let [minutes, hours] = AXIS_FROM;
    AXES[usize::from(seconds >= minutes) + usize::from(seconds >= hours)].0
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
        let which = Params::of(&pairs, |dir| usual_axis(app, dir))?;
        let runs = runs(app, &which)?;
        let game = game(&runs[0].status).map(|contest| contest.name());
        let content = html! {
            (page::crumbs(&[], &runs[0].name, game))
            h1 { (runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(" and ")) }
            @let [state, curves] = parts(&which, &runs);
            div data-live=(which.address("/training/live")) { (state) }
            (settings(app, &which))
            (curves)
        };
        Ok(page::frame("/*", &format!("Training {}", runs[0].name), Some("/training.js"), &content))
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
    names.sort_by_key(|name| rank(name));
    let state = html! {
        section #state aria-label="State" {
            @for run in runs { (result(run, runs)) }
            @if runs.len() > 1 {
                div.wide { table.list tabindex="0" {
                    thead { tr { th { "Training" } th.extra { "Subject" } th.number.extra { "Seed" } th.number { "Games" } th.number.extra { "Running time" } th { "State" } } }
                    tbody { @for (at, run) in runs.iter().enumerate() { (row(at, run)) } }
                } }
            }
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
                @let weights = weights_of(runs);
                // All charts have the same lines, so there is one legend.
                p.chips { @for (colour, curve) in weights.first().iter().flat_map(|(_, curves)| curves).enumerate() {
                    span.legend { span class=(format!("dot c{}", colour % COLOURS)) {} " " (curve.name) }
                } }
                div.charts.together data-together {
                    @for (name, curves) in weights {
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
                @if runs.len() > 1 { h3 { (run.name) } }
                @if run.log.is_empty() { p { "The log has no lines yet." } } @else { (log(run)) }
            }
        }
    };
    [state, curves]
}

/// Returns how far a run is, in words: the share, the games, and the time left.
fn progress(run: &Run) -> String {
    let Status { games, running, length, .. } = run.status;
    let share = length.share(games, running.as_secs_f64());
    if share >= 1.0 {
        return format!("finished: {} in {}", count(games, "game", "games"), time_left(running));
    }
    let left = running.mul_f64((1.0 / share.max(1e-6) - 1.0).min(1e6));
    let rest = match run.changed.filter(|changed| *changed > STALE) {
        Some(changed) => format!("no progress for {}", time_left(changed)),
        None => format!("{} left", time_left(left)),
    };
    let of = match length {
        Length::Minutes(_) => count(games, "game", "games"),
        Length::Games(all) => format!("{} of {} games", grouped(games), grouped(all)),
    };
    format!("{:.0}% done: {of}, {rest}", 100.0 * share)
}

fn curve<'a>(numbers: &'a [Curve], name: &str, end: &str) -> Option<&'a Curve> {
    numbers.iter().find(|curve| curve.name.strip_suffix(end) == Some(name))
}

/// Describes the change of a metric since the start of a run; `None` if the log has no intervals. `even` is the result
/// of two equal opponents.
fn change(numbers: &[Curve], name: &str, even: f64) -> Option<&'static str> {
    let ends = ENDS.map(|end| curve(numbers, name, end));
    let [low, high] = [ends[0]?, ends[1]?].map(|curve| &curve.points);
    // The first result against the start already comes from a later evaluation.
    let [first_low, first_high] =
        if name == "against start" { [even; 2] } else { [low.first()?[1], high.first()?[1]] };
    Some(match () {
        () if low.last()?[1] > first_high => "Stronger than at the start",
        () if high.last()?[1] < first_low => "Weaker than at the start",
        () => "No clear change since the start",
    })
}

/// Returns the last and the first result against an opponent in words.
fn compared(last: f64, first: f64, unit: &str, opponent: &str) -> String {
    if unit == SHARE {
        return compared(100.0 * last, 100.0 * first, PERCENT, opponent);
    }
    if unit != POINTS {
        return format!("{} {unit} against {opponent}, {} at first", number(last), number(first));
    }
    let side = |value: f64| if value < 0.0 { "behind" } else { "ahead" };
    let of = if last < 0.0 { "" } else { " of" };
    let turn = if side(first) == side(last) { String::new() } else { format!(" {}", side(first)) };
    let [now, then] = [last, first].map(|value| number(value.abs()));
    format!("{now} {unit} {}{of} {opponent}, {then}{turn} at first", side(last))
}

/// Returns the most important result of a run as one sentence, its state as another one, and further facts and results
/// as chips.
fn result(run: &Run, runs: &[Run]) -> Markup {
    let mut found: Vec<(&str, String, String)> = Vec::new();
    for curve in run.numbers.iter().filter(|curve| !ENDS.iter().any(|end| curve.name.ends_with(end))) {
        let unit = unit(&curve.name, runs);
        let [first, last] =
            [curve.points.first(), curve.points.last()].map(|point| point.map_or(f64::NAN, |point| point[1]));
        let short = format!("{}: from {} to {}", curve.name, number(first), number(last));
        let long = curve.name.strip_prefix(AGAINST).map(|opponent| {
            let even = match unit.as_str() {
                SHARE => 0.5,
                POINTS => 0.0,
                _ => 50.0,
            };
            let change =
                change(&run.numbers, &curve.name, even).map_or(String::new(), |words| format!("{words}: "));
            change + &compared(last, first, &unit, opponent)
        });
        found.push((&curve.name, long.unwrap_or_else(|| short.clone()), short));
    }
    found.sort_by_key(|(name, ..)| rank(name));
    let status = &run.status;
    let share = status.length.share(status.games, status.running.as_secs_f64());
    html! {
        p.verdict role="status" {
            @if runs.len() > 1 { (run.name) ": " }
            (found.first().map_or("No results yet", |(_, long, _)| long))
        }
        @if share < 1.0 { (bar(share)) }
        p.result { (capitalised(&progress(run))) "." }
        @if runs.len() == 1 {
            p.chips {
                span.chip { (status.subject) } span.chip { "seed " (status.seed.cast_signed()) }
                @if share < 1.0 { span.chip { "running time " (time_left(status.running)) } }
                @if let Some(saved) = status.saved { span.chip { "saved " (time_left(saved)) " ago" } }
            }
            @if found.len() > 1 {
                p.chips { @for (.., short) in found.iter().skip(1).take(MAX_CHIPS) { span.chip { (short) } } }
            }
        }
    }
}

/// Returns the table of the latest metrics, the newest first. The ends of an interval follow its value.
fn log(run: &Run) -> Markup {
    let is_end = |name: &str| ENDS.iter().any(|end| name.ends_with(end));
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in run.log.iter().flat_map(Metrics::iter) {
        if !is_end(name) && !["minutes", "processor hours", "games"].contains(&name) && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names.sort_by_key(|name| rank(name));
    names.truncate(MAX_COLUMNS);
    html! {
        div.wide { table.list.prose.labelled tabindex="0" {
            thead { tr { th.number { "Time" } th.number { "Games" } @for name in &names { th.number { (name) } } } }
            tbody { @for line in run.log.iter().rev() { tr {
                td.number data-label="Time" { (line.get("minutes").map_or(String::new(), clock)) }
                td.number data-label="Games" { (line.get("games").map_or(String::new(), |games| grouped(games as u64))) }
                @for name in &names { td.number data-label=(name) {
                    span { (line.get(name).map_or(String::new(), number))
                    @if let [Some(low), Some(high)] = ENDS.map(|end| line.get(&format!("{name}{end}"))) {
                        small { " [" (number(low)) ", " (number(high)) "]" }
                    } }
                } }
            } } }
        } }
    }
}

/// Returns the place of a metric among all metrics. Results of matches come first, and results against a bundled bot
/// before those against an earlier version.
fn rank(name: &str) -> u32 {
    match name.strip_prefix(AGAINST) {
        Some("previous" | "best") => 1,
        Some(_) => 0,
        None => 2,
    }
}

/// Formats a number of minutes as `h:mm:ss` or `m:ss`.
fn clock(minutes: f64) -> String {
    let seconds = (60.0 * minutes) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
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

/// Returns the game of a run.
fn game(status: &Status) -> Option<&'static dyn Contest> {
    status.subject.split([' ', ',']).find_map(find)
}

/// Returns the unit of a metric. The results of matches are points, or the share of the games won; any other metric is
/// named in its title.
fn unit(name: &str, runs: &[Run]) -> String {
    let is_by_points = runs.iter().any(|run| {
        game(&run.status).is_some_and(|contest| ContestHost::new(contest).ranked_by() == RankedBy::Points)
    });
    let points = || runs.iter().filter_map(|run| run.curve(name, "")).flat_map(|curve| &curve.points);
    let is_share = points().all(|point| (0.0..=1.0).contains(&point[1]));
    match name.starts_with(AGAINST) {
        true if is_share => SHARE.to_string(),
        true if is_by_points => POINTS.to_string(),
        true => PERCENT.to_string(),
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

fn row(colour: usize, run: &Run) -> Markup {
    let Run { name, status, .. } = run;
    html! { tr {
        td { span class=(format!("dot c{}", colour % COLOURS)) {} " " (name) }
        td.extra { (status.subject) } td.number.extra { (status.seed.cast_signed()) }
        td.number { (grouped(status.games)) } td.number.extra { (time_left(status.running)) }
        td { (progress(run)) }
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
            Params::of(&pairs, |_| "minutes")
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
        assert_eq!([0.0474, 1.5, 59.99, 61.0].map(clock), ["0:02", "1:30", "59:59", "1:01:00"]);
        let run = |low: [f64; 2], high: [f64; 2]| {
            let curve = |end: &str, [first, last]: [f64; 2]| Curve {
                name: format!("against greedy{end}"),
                points: vec![[0.0, first], [1.0, last]],
            };
            [curve(ENDS[0], low), curve(ENDS[1], high)].to_vec()
        };
        let words = |low, high| change(&run(low, high), "against greedy", 1.0);
        assert_eq!(words([0.0, 3.0], [2.0, 5.0]), Some("Stronger than at the start"));
        assert_eq!(words([3.0, 0.0], [5.0, 2.0]), Some("Weaker than at the start"));
        assert_eq!(words([3.0, 0.0], [5.0, 4.0]), Some("No clear change since the start"));
        assert_eq!(change(&[], "against greedy", 1.0), None);
        // Results against the start are compared with an even result, not with the first of them.
        let mut since = run([0.6, 0.6], [0.9, 0.8]);
        since.iter_mut().for_each(|curve| curve.name = curve.name.replace("greedy", "start"));
        assert_eq!(change(&since, "against start", 0.5), Some("Stronger than at the start"));
        assert_eq!(
            compared(0.75, 0.7, SHARE, "start"),
            "75.0 % of the games won against start, 70.0 at first"
        );
        assert_eq!(
            [[34.6, 53.6], [-3.0, 5.0]].map(|[last, first]| compared(last, first, POINTS, "greedy")),
            [
                "34.6 points per game ahead of greedy, 53.6 at first",
                "3.00 points per game behind greedy, 5.00 ahead at first"
            ]
        );
        let [place, value] = high.shown(&[[1.0, 0.0], [2.0, 100.0], [3.0, f64::NAN]])[0];
        assert!(place == 2.0 && (value - 1.0).abs() < 1e-9, "{place} {value}");
    }
}
