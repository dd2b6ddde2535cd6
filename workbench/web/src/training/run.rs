//! The training runs that a page shows, as read from their folders and the page's address.

use crate::App;
use crate::chart::PlotLine;
use crate::page::Problem;
use crate::text::query;
use contender_learn::training::{METRICS, Metrics, Status, metrics, numbers_over, status};
use contender_learn::weights;
use contender_plot::Curve;
use std::time::Duration;

/// Number of log lines to show.
const LINES: usize = 20;
/// Maximum number of metrics to draw, because a line of the log may contain any number of them.
const MAX_COUNT: usize = 36;
/// The suffixes of the names of an interval's lower and upper end.
pub const ENDS: [&str; 2] = [", low", ", high"];

/// The numbers that the horizontal axis can show: the name, the metric, and the number of units per unit of the metric.
pub const AXES: [(&str, &str, f64); 5] = [
    ("seconds", "minutes", 60.0),
    ("minutes", "minutes", 1.0),
    ("hours", "minutes", 1.0 / 60.0),
    ("games", "games", 1.0),
    ("processor hours", "processor hours", 1.0),
];
/// Seconds of running time from which the axis shows minutes, and hours, unless the user chooses an axis.
const AXIS_FROM: [f64; 2] = [180.0, 18_000.0];

/// The training runs, the horizontal axis, and the range of the axis to draw.
#[derive(Clone)]
pub struct Params {
    /// The folder of the run, and the folders of the runs with which it is compared.
    pub dirs: Vec<String>,
    /// The name of the horizontal axis; one of [`AXES`].
    pub across: &'static str,
    /// The weight of the previous smoothed value in the next one, from 0 to 0.99; 0 means no smoothing.
    pub smooth: f64,
    /// The first and the last position on the axis; `None` for the whole run.
    pub from: Option<f64>,
    pub to: Option<f64>,
}

impl Params {
    /// Reads the parameters of an address. Values that are not numbers are ignored. If the address names no axis,
    /// `usual` chooses one for the first run.
    pub fn of(
        pairs: &[(String, String)],
        usual: impl FnOnce(&str) -> &'static str,
    ) -> Result<Params, Problem> {
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
            // Runs of different speeds are comparable by their games.
            across: match across {
                Some(axis) => axis.0,
                None if dirs.len() > 1 => "games",
                None => usual(&dirs[0]),
            },
            dirs,
            smooth: number("smooth").unwrap_or(0.0).clamp(0.0, 0.99),
            from: number("from"),
            to: number("to"),
        })
    }

    /// Returns whether the user has chosen a smoothing or a range.
    pub fn is_zoomed(&self) -> bool {
        self.smooth > 0.0 || self.from.or(self.to).is_some()
    }

    pub fn address(&self, page: &str) -> String {
        let numbers = [("smooth", Some(self.smooth)), ("from", self.from), ("to", self.to)];
        let numbers =
            numbers.map(|(name, value)| (name, value.map_or(String::new(), |value| value.to_string())));
        let mut pairs = vec![("dir", self.dirs[0].as_str()), ("across", self.across)];
        pairs.extend(self.dirs[1..].iter().map(|other| ("other", other.as_str())));
        pairs.extend(numbers.iter().map(|(name, value)| (*name, value.as_str())));
        format!("{page}?{}", query(&pairs))
    }

    /// Returns the points of a curve that are in the range to draw, smoothed.
    pub fn shown(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
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
pub struct Run {
    pub name: String,
    pub status: Status,
    /// The numbers in the log as curves over the chosen axis.
    pub numbers: Vec<Curve>,
    /// The latest lines of the log.
    pub log: Vec<Metrics>,
    /// Time since the latest change of the run's files.
    pub changed: Option<Duration>,
    /// The weights learned so far, if the run learns weights of inputs.
    pub weights: Vec<(String, [Curve; 2])>,
}

impl Run {
    pub fn curve(&self, name: &str, end: &str) -> Option<&Curve> {
        curve(&self.numbers, name, end)
    }

    /// Returns a number in the log as a line. If the log contains both ends of an interval, the line has a band.
    pub fn line(&self, name: &str, look: usize, which: &Params) -> Option<PlotLine> {
        let all = &self.curve(name, "")?.points;
        let points = which.shown(all);
        let raw = all.iter().copied().filter(|point| which.smooth > 0.0 && which.has(point[0])).collect();
        // The intervals are those of the values before smoothing.
        let band = match ENDS.map(|end| self.curve(name, end)) {
            [Some(low), Some(high)] if which.smooth == 0.0 => {
                let both = low.points.iter().zip(&high.points);
                both.map(|(low, high)| [low[0], low[1], high[1]]).filter(|band| which.has(band[0])).collect()
            }
            _ => Vec::new(),
        };
        Some(PlotLine { name: self.name.clone(), look, points, band, raw })
    }
}

pub fn name(dir: &str) -> String {
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
pub fn usual_axis(app: &App, dir: &str) -> &'static str {
    let status = app.project.training(dir).ok().and_then(|folder| status(&folder, 0).ok());
    let seconds = status.map_or(AXIS_FROM[0], |status| status.running.as_secs_f64());
    let [minutes, hours] = AXIS_FROM;
    AXES[usize::from(seconds >= minutes) + usize::from(seconds >= hours)].0
}

/// Reads all chosen training runs.
pub fn runs(app: &App, which: &Params) -> Result<Vec<Run>, Problem> {
    which.dirs.iter().map(|dir| run(app, dir, which.across)).collect()
}

/// Returns the curve of a metric, or of an end of its interval.
pub fn curve<'a>(numbers: &'a [Curve], name: &str, end: &str) -> Option<&'a Curve> {
    numbers.iter().find(|curve| curve.name.strip_suffix(end) == Some(name))
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
            (vec!["a".to_string(), "b".to_string()], "games", 0.0)
        );
        assert_eq!((odd.from, odd.to), (None, None));
        let high = params("dir=a&smooth=7&from=2").unwrap();
        assert_eq!((high.across, high.smooth), ("minutes", 0.99));
        let [place, value] = high.shown(&[[1.0, 0.0], [2.0, 100.0], [3.0, f64::NAN]])[0];
        assert!(place == 2.0 && (value - 1.0).abs() < 1e-9, "{place} {value}");
    }
}
