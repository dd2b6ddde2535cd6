//! Lines of several series on common axes: their styles, and the names at their ends.

use crate::canvas::{Anchor, Canvas, SERIES, faint, name, spread};
use plotters::style::RGBColor;

/// Maximum number of lines. Each colour is used twice, for a solid and a dashed line. Further lines are not drawn.
pub const MAX_COUNT: usize = 2 * SERIES.len();
/// Maximum number of series for which bands are drawn. With more series, the bands would cover each other.
pub const BANDS: usize = 3;

/// The length of a dash in pixels, and the distance between the starts of two dashes.
const DASH: [f64; 2] = [7.0, 12.0];

/// Returns the colour of a series.
pub fn colour(series: usize) -> RGBColor {
    SERIES[series % SERIES.len()]
}

/// Draws the line of a series.
pub fn line(canvas: &Canvas<'_>, series: usize, points: &[[i32; 2]]) {
    if series < SERIES.len() {
        canvas.line(points, &colour(series), 2);
    } else {
        dashed(canvas, points, colour(series));
    }
}

/// Draws a dashed line.
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
            // Each step is at least a part of a pixel, so that the loop ends despite rounding.
            let next = (way + (end - phase).max(0.1)).min(length);
            if phase < DASH[0] {
                canvas.line(&[at(way), at(next)], &colour, 2);
            }
            way = next;
        }
        gone += length;
    }
}

/// Writes names to the right of `right`. Each name is as close as possible to the end of its line, and is connected
/// with it.
pub fn names(canvas: &Canvas<'_>, right: i32, ends: &[(&str, RGBColor, [i32; 2])]) {
    let heights: Vec<i32> = ends.iter().map(|(_, _, end)| end[1]).collect();
    for (&(words, colour, end), height) in ends.iter().zip(spread(&heights, 16)) {
        canvas.line(&[end, [right + 4, end[1]], [right + 16, height]], &faint(colour, 0.5), 1);
        canvas.coloured(&name(words), [right + 20, height], Anchor::Left, &colour);
    }
}

/// Returns the width of the space that names need to the right of a chart.
pub fn room<'a>(names: impl Iterator<Item = &'a str>) -> i32 {
    26 + crate::canvas::width(names)
}
