//! The parts of a training's page: how the run stands in one sentence, the curves, and the log.

use super::compare;
use super::run::{ENDS, Params, Run, curve};
use super::units::{AGAINST, POINTS, SHARE, game, number, unit};
use crate::chart::{Chart, PlotLine, bar};
use crate::colours::{COLOURS, mark, sample};
use crate::text::{capitalised, count, grouped, since, time_left};
use contender_learn::Length;
use contender_learn::training::{Metrics, Status};
use contender_plot::Curve;
use maud::{Markup, html};
use std::time::Duration;

/// Time without a change after which a run may have been stopped. Some runs write a line only every few minutes.
const STALE: Duration = Duration::from_secs(600);
/// Maximum number of columns of the log that are metrics.
const MAX_COLUMNS: usize = 8;

/// Returns the state of the runs, their curves, and everything below the form.
pub fn parts(which: &Params, runs: &[Run]) -> [Markup; 3] {
    let names = names(runs);
    // One, two or four charts have two columns.
    let is_half = matches!(names.len(), 1 | 2 | 4);
    let state = html! {
        section #state aria-label="State" {
            @if let [run] = runs { (result(run, runs)) } @else {
                @if let Some([verdict, numbers]) = compare::verdict(runs, &names) { p.verdict role="status" { (verdict) " " small.legend { (numbers) } } }
                @else if let Some(words) = together(runs) { p.verdict role="status" { (words) } }
                div.wide { table.list.prose.labelled tabindex="0" {
                    thead { tr { th { "Training" } th { "Result" } th { "Method and game" } th.number { "Seed" } th.number { "Games" } th.number { "Running time" } th { "State" } } }
                    tbody { @for (at, run) in runs.iter().enumerate() { (row(at, run, runs)) } }
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
                    @let title = title(name);
                    @let chart = Chart { title: &title, across: which.across, up: &unit(name, runs), lines: &lines, levels: &[] };
                    (if is_half { chart.draw_wide() } else { chart.draw() })
                }
            }
        }
    };
    let log = html! {
        (weights(runs))
        section #log aria-label="Log" {
            @for run in runs {
                details {
                    summary { "Log" @if runs.len() > 1 { " of " (run.name) } ": the last " (count(run.log.len() as u64, "line", "lines")) }
                    @if run.log.is_empty() { p { "The log has no lines yet." } } @else { (log(run)) }
                }
            }
        }
    };
    [html! { (state) (compare::settings(runs)) }, curves, log]
}

/// Returns the names of all metrics. The ends of an interval are a band around its value.
fn names(runs: &[Run]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for curve in runs.iter().flat_map(|run| &run.numbers) {
        let is_end = ENDS.iter().any(|end| {
            let value = curve.name.strip_suffix(end);
            value.is_some_and(|name| runs.iter().any(|run| run.curve(name, "").is_some()))
        });
        if !is_end && !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    names.sort_by_key(|name| rank(name));
    names
}

fn weights(runs: &[Run]) -> Markup {
    html! {
        section #weights aria-label="Weights" {
            @if runs.iter().any(|run| !run.weights.is_empty()) {
                details { summary { "Learned weights: the weight of each input over the turns of a game" }
                @let weights = weights_of(runs);
                // All charts have the same lines, so there is one legend.
                p.chips { @for line in weights.first().iter().flat_map(|(_, lines)| lines) {
                    span.legend { (sample(line.look)) " " (line.name) }
                } }
                div.charts.together data-together {
                    @for (name, lines) in weights {
                        (Chart { title: name, across: "turns of a game", up: "weight", lines: &lines, levels: &[] }.draw())
                    }
                }
                }
            }
        }
    }
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

/// Describes the change of a metric since the start of a run; `None` if the log has no intervals. `even` is the result
/// of two equal opponents.
fn change(numbers: &[Curve], name: &str, even: f64) -> Option<&'static str> {
    let ends = ENDS.map(|end| curve(numbers, name, end));
    let [low, high] = [ends[0]?, ends[1]?].map(|curve| &curve.points);
    // The first result against the start already comes from a later evaluation.
    let [first_low, first_high] =
        if name == "against start" { [even; 2] } else { [low.first()?[1], high.first()?[1]] };
    Some(match () {
        () if low.last()?[1] > first_high => "clearly more than at the start",
        () if high.last()?[1] < first_low => "clearly less than at the start",
        () => "no clear change since the start",
    })
}

/// Returns an opponent in words.
fn opponent(name: &str) -> &str {
    match name {
        "start" => "its first version",
        "previous" => "the previous checkpoint",
        "best" => "the best earlier checkpoint",
        name => name,
    }
}

/// Returns the title of a metric's chart.
fn title(name: &str) -> String {
    match (name.strip_prefix(AGAINST), name) {
        (Some(other), _) => format!("Against {}", opponent(other)),
        (None, "error") => "Prediction error".to_string(),
        (None, name) => capitalised(name),
    }
}

/// Returns a result against an opponent as a sentence. The two values are the first and the last one.
fn compared(name: &str, [first, last]: [f64; 2], unit: &str, change: Option<&str>) -> String {
    let other = opponent(name.strip_prefix(AGAINST).unwrap_or(name));
    let (now, then) = if unit == POINTS {
        let then = number(first.abs());
        // The place at the start is named if it was another one.
        let then = match (first < 0.0, last < 0.0) {
            (true, false) => format!("{then} behind"),
            (false, true) => format!("{then} ahead"),
            _ => then,
        };
        let points = number(last.abs());
        let now = match last < 0.0 {
            true => format!("is {points} {unit} behind {other}"),
            false => format!("leads {other} by {points} {unit}"),
        };
        (now, then)
    } else {
        let factor = if unit == SHARE { 100.0 } else { 1.0 };
        let [first, last] = [first, last].map(|value| number(factor * value));
        (format!("wins {last}% of the games against {other}"), format!("{first}%"))
    };
    let change = change.map_or_else(|| format!("{then} at the start"), |words| format!("{words} ({then})"));
    format!("The trained bot {now}, {change}")
}

/// Describes the change of a metric that is not the result of a match.
fn described(name: &str, [first, last]: [f64; 2]) -> String {
    let verb = match last.total_cmp(&first) {
        std::cmp::Ordering::Less => "fell",
        std::cmp::Ordering::Equal => "stayed",
        std::cmp::Ordering::Greater => "rose",
    };
    format!("{} {verb} from {} to {}", title(name), number(first), number(last))
}

/// Returns the most important result of a run as one sentence.
fn sentence(run: &Run, runs: &[Run]) -> Option<String> {
    let mut curves: Vec<&Curve> =
        run.numbers.iter().filter(|curve| !ENDS.iter().any(|end| curve.name.ends_with(end))).collect();
    curves.sort_by_key(|curve| rank(&curve.name));
    let curve = curves.first()?;
    let ends = [curve.points.first()?[1], curve.points.last()?[1]];
    if !curve.name.starts_with(AGAINST) {
        return Some(described(&curve.name, ends));
    }
    let unit = unit(&curve.name, runs);
    let even = match unit.as_str() {
        SHARE => 0.5,
        POINTS => 0.0,
        _ => 50.0,
    };
    Some(compared(&curve.name, ends, &unit, change(&run.numbers, &curve.name, even)))
}

/// Returns the latest values of the most important metric that all runs have.
fn together(runs: &[Run]) -> Option<String> {
    let names = names(runs);
    let name = names.into_iter().find(|name| runs.iter().all(|run| run.curve(name, "").is_some()))?;
    let value = |run: &Run| Some(format!("{} {}", run.name, number(run.curve(name, "")?.points.last()?[1])));
    let values = runs.iter().map(value).collect::<Option<Vec<_>>>()?.join(", ");
    let unit = unit(name, runs);
    let unit = if name.starts_with(AGAINST) { format!(" {unit}") } else { String::new() };
    Some(format!("{}: {values}{unit}", title(name)))
}

/// Returns the game and the result of a run in a few words, for a list.
pub fn summary(run: &Run) -> [String; 2] {
    let share = run.status.length.share(run.status.games, run.status.running.as_secs_f64());
    let result = sentence(run, std::slice::from_ref(run)).unwrap_or_else(|| "No results yet".to_string());
    let result = capitalised(result.strip_prefix("The trained bot ").unwrap_or(&result));
    let result = if share < 1.0 { format!("{result}; {:.0}% done", 100.0 * share) } else { result };
    [game(&run.status).map_or(String::new(), |contest| contest.name().to_string()), result]
}

/// Returns how a run stands: the most important result as one sentence, the progress, and the origin.
fn result(run: &Run, runs: &[Run]) -> Markup {
    let status = &run.status;
    let share = status.length.share(status.games, status.running.as_secs_f64());
    html! {
        p.verdict role="status" { (sentence(run, runs).unwrap_or_else(|| "No results yet".to_string())) }
        @if share < 1.0 { (bar(share)) }
        p.legend {
            (capitalised(&progress(run))) ". Method and game: " (status.subject) ". Seed: " (status.seed.cast_signed()) "."
            @if let Some(saved) = status.saved { " Saved " (since(saved)) "." }
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
            thead { tr { th.number { "Time" } th.number { "Games" } @for name in &names { th.number { (title(name)) } } } }
            tbody { @for line in run.log.iter().rev() { tr {
                td.number data-label="Time" { (line.get("minutes").map_or(String::new(), clock)) }
                td.number data-label="Games" { (line.get("games").map_or(String::new(), |games| grouped(games as u64))) }
                @for name in &names { td.number data-label=(title(name)) {
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

/// Returns every input with its curves from all runs.
fn weights_of(runs: &[Run]) -> Vec<(&str, Vec<PlotLine>)> {
    let mut inputs: Vec<(&str, Vec<PlotLine>)> = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        for (name, curves) in &run.weights {
            // A training has one colour on the whole page. Its second line has dashes.
            let line = |(side, curve): (usize, &Curve)| PlotLine {
                name: curve.name.clone(),
                look: at % COLOURS + COLOURS * side,
                points: curve.points.clone(),
                ..PlotLine::default()
            };
            let lines = curves.iter().enumerate().map(line);
            match inputs.iter_mut().find(|(known, _)| known == name) {
                Some((_, all)) => all.extend(lines),
                None => inputs.push((name.as_str(), lines.collect())),
            }
        }
    }
    inputs
}

fn row(look: usize, run: &Run, runs: &[Run]) -> Markup {
    let Run { name, status, .. } = run;
    let is_finished = status.length.share(status.games, status.running.as_secs_f64()) >= 1.0;
    html! { tr {
        td data-label="Training" { span { (mark(look)) " " (name) } }
        td data-label="Result" { (sentence(run, runs).unwrap_or_else(|| "No results yet".to_string())) }
        td data-label="Method and game" { (status.subject) } td.number.wide-only data-label="Seed" { (status.seed.cast_signed()) }
        td.number data-label="Games" { (grouped(status.games)) } td.number.wide-only data-label="Running time" { (time_left(status.running)) }
        td data-label="State" { @if is_finished { "Finished" } @else { (capitalised(&progress(run))) } }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_described_in_one_sentence() {
        assert_eq!([0.0474, 1.5, 59.99, 61.0].map(clock), ["0:02", "1:30", "59:59", "1:01:00"]);
        let run = |low: [f64; 2], high: [f64; 2]| {
            let curve = |end: &str, [first, last]: [f64; 2]| Curve {
                name: format!("against greedy{end}"),
                points: vec![[0.0, first], [1.0, last]],
            };
            [curve(ENDS[0], low), curve(ENDS[1], high)].to_vec()
        };
        let words = |low, high| change(&run(low, high), "against greedy", 1.0);
        assert_eq!(words([0.0, 3.0], [2.0, 5.0]), Some("clearly more than at the start"));
        assert_eq!(words([3.0, 0.0], [5.0, 2.0]), Some("clearly less than at the start"));
        assert_eq!(words([3.0, 0.0], [5.0, 4.0]), Some("no clear change since the start"));
        assert_eq!(change(&[], "against greedy", 1.0), None);
        // Results against the start are compared with an even result, not with the first of them.
        let mut since = run([0.6, 0.6], [0.9, 0.8]);
        since.iter_mut().for_each(|curve| curve.name = curve.name.replace("greedy", "start"));
        assert_eq!(change(&since, "against start", 0.5), Some("clearly more than at the start"));
        assert_eq!(
            compared("against start", [0.7, 0.75], SHARE, None),
            "The trained bot wins 75.0% of the games against its first version, 70.0% at the start"
        );
        assert_eq!(
            compared("against greedy", [53.6, 34.6], POINTS, Some("clearly less than at the start")),
            "The trained bot leads greedy by 34.6 points per game, clearly less than at the start (53.6)"
        );
        assert_eq!(
            compared("against best", [5.0, -3.0], POINTS, Some("no clear change since the start")),
            "The trained bot is 3.00 points per game behind the best earlier checkpoint, no clear change since the start (5.00 ahead)"
        );
        assert_eq!(described("value error", [0.25, 0.031]), "Value error fell from 0.25 to 0.0310");
        assert_eq!(
            ["against previous", "error", "loss"].map(title),
            ["Against the previous checkpoint", "Prediction error", "Loss"]
        );
    }
}
