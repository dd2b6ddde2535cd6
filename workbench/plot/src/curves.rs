//! Charts of one number against another: lines, and clouds of points.

use crate::axis::Axis;
use crate::canvas::{BLUE, TITLE, faint, nothing, picture};
use crate::series::{self, MAX_COUNT};

/// A named line.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// The line's name.
    pub name: String,
    /// The points `[x, y]` in ascending order of x.
    pub points: Vec<[f64; 2]>,
}

/// Draws lines with a name at the end of each. Only the first twelve lines are drawn. `titles` are the titles of the
/// horizontal and the vertical axis.
#[must_use]
pub fn curves(title: &str, titles: [&str; 2], curves: &[Curve]) -> String {
    sized(title, titles, curves, [640, 360])
}

/// Draws small curves, for several charts side by side or for a phone.
#[must_use]
pub fn small_curves(title: &str, titles: [&str; 2], curves: &[Curve]) -> String {
    sized(title, titles, curves, [210, 200])
}

/// Draws curves on axes of these lengths.
fn sized(title: &str, titles: [&str; 2], curves: &[Curve], size: [i32; 2]) -> String {
    let curves: Vec<(&str, Vec<[f64; 2]>)> = curves
        .iter()
        .map(|curve| (curve.name.as_str(), finite(&curve.points)))
        .filter(|(_, points)| !points.is_empty())
        .take(MAX_COUNT)
        .collect();
    let (left, top) = (72, TITLE + 36);
    let (right, bottom) = (left + size[0], top + size[1]);
    let values =
        |at: usize| curves.iter().flat_map(move |(_, points)| points.iter().map(move |point| point[at]));
    let Some(x) = Axis::around(values(0), left, right) else { return nothing(title) };
    let Some(y) = Axis::around(values(1), bottom, top) else { return nothing(title) };
    let names = series::room(curves.iter().map(|(name, _)| *name));
    picture([right + names, bottom + 54], title, |canvas| {
        x.draw_below(canvas, top, bottom, titles[0]);
        y.draw_left(canvas, left, right, titles[1]);
        let mut ends = Vec::new();
        for (at, (name, points)) in curves.iter().enumerate() {
            let line: Vec<_> = points.iter().map(|point| [x.place(point[0]), y.place(point[1])]).collect();
            series::line(canvas, at, &line);
            ends.push((*name, series::colour(at), line[line.len() - 1]));
        }
        series::names(canvas, right, &ends);
    })
}

/// Draws the points `[x, y]` as a cloud. `titles` are the titles of the horizontal and the vertical axis.
#[must_use]
pub fn cloud(title: &str, titles: [&str; 2], points: &[[f64; 2]]) -> String {
    let points = finite(points);
    let (left, top, bottom) = (72, TITLE + 36, TITLE + 396);
    let right = left + 640;
    let Some(x) = Axis::around(points.iter().map(|point| point[0]), left, right) else {
        return nothing(title);
    };
    let Some(y) = Axis::around(points.iter().map(|point| point[1]), bottom, top) else {
        return nothing(title);
    };
    picture([right + 24, bottom + 54], title, |canvas| {
        x.draw_below(canvas, top, bottom, titles[0]);
        y.draw_left(canvas, left, right, titles[1]);
        for [across, up] in &points {
            canvas.dot([x.place(*across), y.place(*up)], 2, &faint(BLUE, 0.5));
        }
    })
}

fn finite(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    points.iter().copied().filter(|point| point.iter().all(|value| value.is_finite())).collect()
}
