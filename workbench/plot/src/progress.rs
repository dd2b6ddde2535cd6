//! Charts of estimates by number of games.

use crate::axis::Axis;
use crate::canvas::{TITLE, faint, nothing, picture};
use crate::series::{self, BANDS, MAX_COUNT};
use contender_stats::Interval;

/// One bot's estimates.
#[derive(Clone, PartialEq, Debug)]
pub struct Track {
    /// The bot's name.
    pub name: String,
    /// The estimates in ascending order of games.
    pub points: Vec<ProgressPoint>,
}

/// An estimate after a certain number of games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProgressPoint {
    /// Number of games played.
    pub games: u64,
    /// The estimate, in the chart's unit.
    pub value: f64,
    /// The estimate's interval, if known.
    pub interval: Option<Interval>,
}

/// Draws each bot's estimates as a line over the number of games, with the bot's name at the end. If there are at most
/// three tracks, the intervals are shown as bands. Only the first twelve tracks are drawn.
#[must_use]
pub fn progress(title: &str, unit: &str, tracks: &[Track]) -> String {
    let tracks: Vec<(&Track, Vec<ProgressPoint>)> = tracks
        .iter()
        .map(|track| {
            (track, track.points.iter().copied().filter(|point| point.value.is_finite()).collect::<Vec<_>>())
        })
        .filter(|(_, points)| !points.is_empty())
        .take(MAX_COUNT)
        .collect();
    let has_bands = tracks.len() <= BANDS;
    let (left, top, bottom) = (72, TITLE + 36, TITLE + 396);
    let right = left + 640;
    // The first intervals are too wide to be useful, so the axis covers only the estimates and the last intervals.
    let values = tracks.iter().flat_map(|(_, points)| points.iter().map(|point| point.value));
    let last = tracks
        .iter()
        .filter(|_| has_bands)
        .filter_map(|(_, points)| points.last()?.interval)
        .flat_map(|i| [i.low, i.high]);
    let games = tracks.iter().flat_map(|(_, points)| points.iter().map(|point| point.games as f64));
    let Some(y) = Axis::around(values.chain(last), bottom, top) else { return nothing(title) };
    let Some(x) = Axis::around(games, left, right) else { return nothing(title) };
    let names = series::room(tracks.iter().map(|(track, _)| track.name.as_str()));
    let place = |point: &ProgressPoint, value: f64| [x.place(point.games as f64), y.place(value)];
    picture([right + names, bottom + 54], title, |canvas| {
        x.draw_below(canvas, top, bottom, "games");
        y.draw_left(canvas, left, right, unit);
        for (at, (_, points)) in tracks.iter().enumerate().filter(|_| has_bands) {
            let known: Vec<(&ProgressPoint, Interval)> =
                points.iter().filter_map(|point| Some((point, point.interval?))).collect();
            let lower = known.iter().map(|(point, interval)| place(point, interval.low));
            let upper = known.iter().rev().map(|(point, interval)| place(point, interval.high));
            canvas.area(&lower.chain(upper).collect::<Vec<_>>(), &faint(series::colour(at), 0.16));
        }
        let mut ends = Vec::new();
        for (at, (track, points)) in tracks.iter().enumerate() {
            let line: Vec<_> = points.iter().map(|point| place(point, point.value)).collect();
            series::line(canvas, at, &line);
            ends.push((track.name.as_str(), series::colour(at), line[line.len() - 1]));
        }
        series::names(canvas, right, &ends);
    })
}
