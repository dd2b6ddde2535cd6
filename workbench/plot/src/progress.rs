//! Estimates as they grow with the games.

use crate::axis::Axis;
use crate::canvas::{Anchor, INK, SERIES, TITLE, faint, name, nothing, picture, spread, width};
use contender_stats::Interval;

/// One bot's estimates.
#[derive(Clone, PartialEq, Debug)]
pub struct Track {
    /// The bot.
    pub name: String,
    /// Its estimates in ascending order of games.
    pub points: Vec<Point>,
}

/// An estimate after some games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// How many games had been played.
    pub games: u64,
    /// The estimate, in the picture's unit.
    pub value: f64,
    /// Its interval, where it is known.
    pub interval: Option<Interval>,
}

/// Estimates as lines with their intervals as bands, over the number of games. The first six tracks are coloured and named at their ends; more
/// are thin and grey, to show the field.
#[must_use]
pub fn progress(title: &str, unit: &str, tracks: &[Track]) -> String {
    let tracks: Vec<(&Track, Vec<Point>)> = tracks
        .iter()
        .map(|track| {
            (track, track.points.iter().copied().filter(|point| point.value.is_finite()).collect::<Vec<_>>())
        })
        .filter(|(_, points)| !points.is_empty())
        .collect();
    let (left, top, bottom) = (72, TITLE + 36, TITLE + 396);
    let right = left + 640;
    let named = &tracks[..tracks.len().min(SERIES.len())];
    // The first intervals are wide beyond use; the axis is as wide as the estimates and the last intervals ask for.
    let values = tracks.iter().flat_map(|(_, points)| points.iter().map(|point| point.value));
    let last = named.iter().filter_map(|(_, points)| points.last()?.interval).flat_map(|i| [i.low, i.high]);
    let games = tracks.iter().flat_map(|(_, points)| points.iter().map(|point| point.games as f64));
    let Some(y) = Axis::around(values.chain(last), bottom, top) else { return nothing(title) };
    let Some(x) = Axis::around(games, left, right) else { return nothing(title) };
    let names = width(named.iter().map(|(track, _)| track.name.as_str()));
    let place = |point: &Point, value: f64| [x.place(point.games as f64), y.place(value)];
    picture([right + 14 + names, bottom + 54], title, |canvas| {
        x.draw_below(canvas, top, bottom, "games");
        y.draw_left(canvas, left, right, unit);
        for (_, points) in &tracks[named.len()..] {
            let line: Vec<_> = points.iter().map(|point| place(point, point.value)).collect();
            canvas.line(&line, &faint(INK, 0.35), 1);
        }
        for ((_, points), colour) in named.iter().zip(SERIES) {
            let known: Vec<(&Point, Interval)> =
                points.iter().filter_map(|point| Some((point, point.interval?))).collect();
            let lower = known.iter().map(|(point, interval)| place(point, interval.low));
            let upper = known.iter().rev().map(|(point, interval)| place(point, interval.high));
            canvas.area(&lower.chain(upper).collect::<Vec<_>>(), &faint(colour, 0.16));
        }
        for ((_, points), colour) in named.iter().zip(SERIES) {
            let line: Vec<_> = points.iter().map(|point| place(point, point.value)).collect();
            canvas.line(&line, &colour, 2);
        }
        let ends: Vec<i32> =
            named.iter().map(|(_, points)| y.place(points[points.len() - 1].value)).collect();
        for (((track, _), colour), end) in named.iter().zip(SERIES).zip(spread(&ends, 16)) {
            canvas.coloured(&name(&track.name), [right + 8, end], Anchor::Left, &colour);
        }
    })
}
