//! Lines of several series over one axis: how each looks, and their names at their ends.

use crate::canvas::{Anchor, Canvas, SERIES, faint, name, spread};
use plotters::style::RGBColor;

/// Number of lines that can be told apart: each colour occurs twice, solid and dashed. Further lines are not drawn.
pub const MAX_COUNT: usize = 2 * SERIES.len();
/// More bands than these over each other are mud; lines alone are drawn then.
pub const BANDS: usize = 3;

/// The pixels of a dash, and of it with the gap after it.
const DASH: [f64; 2] = [7.0, 12.0];

/// Returns the colour of a series.
pub fn colour(series: usize) -> RGBColor {
    SERIES[series % SERIES.len()]
}

/// Draws a series' line.
pub fn line(canvas: &Canvas<'_>, series: usize, points: &[[i32; 2]]) {
    if series < SERIES.len() {
        canvas.line(points, &colour(series), 2);
    } else {
        dashed(canvas, points, colour(series));
    }
}

/// A line in dashes.
pub fn dashed(canvas: &Canvas<'_>, points: &[[i32; 2]], colour: RGBColor) {
    let mut gone = 0.0;
    for two in points.windows(2) {
        let [from, to] = [two[0].map(f64::from), two[1].map(f64::from)];
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let at = |way: f64| {
            [0, 1].map(|axis| (from[axis] + (to[axis] - from[axis]) * way / length).round() as i32)
        };
        let mut way = 0.0;
        while way < length {
            let phase: f64 = (gone + way) % DASH[1];
            let end = if phase < DASH[0] { DASH[0] } else { DASH[1] };
            // At least a part of a pixel, so that it ends whatever is rounded.
            let next = (way + (end - phase).max(0.1)).min(length);
            if phase < DASH[0] {
                canvas.line(&[at(way), at(next)], &colour, 2);
            }
            way = next;
        }
        gone += length;
    }
}

/// Writes names to the right of `right`, each as near as possible to the end of its line, and joined to it.
pub fn names(canvas: &Canvas<'_>, right: i32, ends: &[(&str, RGBColor, [i32; 2])]) {
    let heights: Vec<i32> = ends.iter().map(|(_, _, end)| end[1]).collect();
    for (&(words, colour, end), height) in ends.iter().zip(spread(&heights, 16)) {
        canvas.line(&[end, [right + 4, end[1]], [right + 16, height]], &faint(colour, 0.5), 1);
        canvas.coloured(&name(words), [right + 20, height], Anchor::Left, &colour);
    }
}

/// Returns the room that names take right of a plot.
pub fn room<'a>(names: impl Iterator<Item = &'a str>) -> i32 {
    26 + crate::canvas::width(names)
}
