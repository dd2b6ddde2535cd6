//! The comparison of training runs: the difference of their results with its interval, and the settings that differ.

use super::run::{ENDS, Run};
use super::units::{AGAINST, PERCENT, POINTS, SHARE, number, unit};
use crate::colours::mark;
use crate::text::{count, signed};
use contender_stats::Interval;
use maud::{Markup, html};

/// A result with its interval, if the log has one.
#[derive(Clone, Copy)]
struct Outcome {
    value: f64,
    interval: Option<Interval>,
}

impl Outcome {
    fn last(run: &Run, name: &str) -> Option<Outcome> {
        let last = |end: &str| Some(run.curve(name, end)?.points.last()?[1]);
        let [low, high] = ENDS.map(last);
        Some(Outcome { value: last("")?, interval: low.zip(high).map(|(low, high)| Interval { low, high }) })
    }

    /// Returns the difference of two independent results. Its interval combines both intervals (Zou and Donner, 2008,
    /// "Construction of confidence limits about effect measures").
    fn minus(self, other: Outcome) -> Outcome {
        let value = self.value - other.value;
        let interval = self.interval.zip(other.interval).map(|(own, others)| Interval {
            low: value - (self.value - own.low).hypot(others.high - other.value),
            high: value + (own.high - self.value).hypot(other.value - others.low),
        });
        Outcome { value, interval }
    }
}

/// Returns the verdict about the best run and the next one, and the numbers behind it, for the first metric that is a
/// result against a bot that all runs have played; `None` if there is no such metric.
pub fn verdict(runs: &[Run], names: &[&str]) -> Option<[String; 2]> {
    // These opponents are versions of the run itself.
    let is_shared = |name: &str| {
        name.strip_prefix(AGAINST).is_some_and(|other| !["start", "previous", "best"].contains(&other))
    };
    let name =
        names.iter().find(|name| is_shared(name) && runs.iter().all(|run| run.curve(name, "").is_some()))?;
    let outcomes = runs.iter().map(|run| Some((run.name.as_str(), Outcome::last(run, name)?)));
    let mut outcomes = outcomes.collect::<Option<Vec<_>>>()?;
    outcomes.sort_by(|(_, one), (_, other)| other.value.total_cmp(&one.value));
    Some(words(&outcomes, name.strip_prefix(AGAINST)?, &unit(name, runs)))
}

/// Returns the verdict about results in descending order.
fn words(outcomes: &[(&str, Outcome)], opponent: &str, unit: &str) -> [String; 2] {
    let [(best, first), (next, second), ..] = outcomes else { return Default::default() };
    let factor = if unit == SHARE { 100.0 } else { 1.0 };
    let gap = first.minus(*second);
    let ends = gap.interval.map(|Interval { low, high }| [low, high].map(|end| factor * end));
    // The difference has as many digits as the results, so that the reader can subtract them.
    let shown = |of: &Outcome| number(factor * of.value).parse().unwrap_or(factor * of.value);
    let digits =
        |of: &Outcome| number(factor * of.value).split_once('.').map_or(0, |(_, digits)| digits.len());
    let digits = digits(first).max(digits(second)).min(2);
    let amount = format!("{:.digits$}", shown(first) - shown(second));
    let ends = ends.map_or(String::new(), |ends| {
        let [low, high] = ends.map(|end| signed(end, digits));
        format!(" (95% interval {low} to {high})")
    });
    let verdict = match unit {
        POINTS => format!("{best} is {amount} points per game stronger than {next}{ends}"),
        _ => format!("{best} wins {amount} percentage points more of its games than {next}{ends}"),
    };
    let chance = match gap.interval {
        Some(interval) if interval.low > 0.0 => "The difference is clear.",
        Some(_) => "The difference may be chance.",
        None => "The logs have no intervals, so the difference may be chance.",
    };
    let each: Vec<String> =
        outcomes.iter().map(|(name, of)| format!("{name} {}", number(factor * of.value))).collect();
    let unit = if unit == POINTS { POINTS } else { PERCENT };
    [format!("{verdict}. {chance}"), format!("Against {opponent}: {} {unit}.", each.join(", "))]
}

/// Returns the settings of the recipes. Those that differ are in a table, and all others in a list that is closed.
pub fn settings(runs: &[Run]) -> Markup {
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in runs.iter().flat_map(|run| &run.status.settings) {
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    let value = |run: &Run, key: &str| {
        let settings = run.status.settings.iter();
        settings
            .filter(|(known, _)| known == key)
            .map(|(_, value)| value.clone())
            .next()
            .unwrap_or("–".to_string())
    };
    let (differing, equal): (Vec<&str>, Vec<&str>) =
        keys.into_iter().partition(|key| runs.iter().any(|run| value(run, key) != value(&runs[0], key)));
    html! {
        section #recipe aria-label="Settings" {
            @if runs.len() > 1 && differing.is_empty() && !equal.is_empty() { p { "The settings of these trainings are the same." } }
            @if !differing.is_empty() {
                div.wide { table.list.prose.labelled tabindex="0" {
                    thead { tr { th { "Different settings" } @for (at, run) in runs.iter().enumerate() { th.number { (mark(at)) " " (run.name) } } } }
                    tbody { @for key in &differing { tr {
                        td data-label="Setting" { code { (key) } }
                        @for run in runs { td.number data-label=(run.name) { strong { (value(run, key)) } } }
                    } } }
                } }
            }
            @if !equal.is_empty() {
                details {
                    summary { @if runs.len() > 1 { (count(equal.len() as u64, "equal setting", "equal settings")) } @else { "Settings" } }
                    dl.recipe { @for key in &equal { div { dt { code { (key) } } dd { (value(&runs[0], key)) } } } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_an_interval() {
        let of = |value: f64, reach: f64| Outcome {
            value,
            interval: Some(Interval { low: value - reach, high: value + reach }),
        };
        let pair = |one: Outcome, other: Outcome| words(&[("a", one), ("b", other)], "greedy", POINTS);
        assert_eq!(
            pair(of(53.0, 3.0), of(43.0, 4.0)),
            [
                "a is 10.0 points per game stronger than b (95% interval +5.0 to +15.0). The difference is clear.",
                "Against greedy: a 53.0, b 43.0 points per game."
            ]
        );
        let [verdict, _] = pair(of(53.0, 12.0), of(43.0, 9.0));
        assert!(verdict.ends_with("−5.0 to +25.0). The difference may be chance."), "{verdict}");
        // The exact difference is 10.96.
        let [verdict, each] = pair(of(53.24, 3.0), of(42.28, 4.0));
        assert!(
            verdict.starts_with("a is 10.9 points") && each.contains("a 53.2, b 42.3"),
            "{verdict} {each}"
        );
        let unknown = Outcome { value: 0.5, interval: None };
        let [verdict, ends] = words(&[("a", of(0.75, 0.1)), ("b", unknown)], "greedy", SHARE);
        assert_eq!(
            verdict,
            "a wins 25.0 percentage points more of its games than b. The logs have no intervals, so the difference may be chance."
        );
        assert_eq!(ends, "Against greedy: a 75.0, b 50.0 % of the games won.");
    }
}
