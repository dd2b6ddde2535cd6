//! Line charts with bands. The server draws them, so they need no script; `chart.js` shows the values under the
//! pointer. Colours are CSS classes, so charts follow the theme.

use crate::colours::{COLOURS, classes, mark, sample};
use maud::{Markup, html};
use serde_json::json;

/// Width and height of the drawing in pixels, and the space for the labels at the left and at the bottom.
const SIZE: [f64; 2] = [360.0, 228.0];
/// Width of a drawing that has half of the page.
const WIDE: f64 = 560.0;
const LEFT: f64 = 46.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 30.0;
/// Width of a letter of a level's name.
const LETTER: f64 = 7.0;

/// Width and height of a line without axes, in pixels.
const SPARK: [f64; 2] = [80.0, 20.0];

/// A line of a chart.
#[derive(Default)]
pub struct PlotLine {
    pub name: String,
    /// The number of the look: the colour and the dashes.
    pub look: usize,
    /// The points `[x, y]` in ascending order of x.
    pub points: Vec<[f64; 2]>,
    /// The band around the line: `[x, low, high]` in ascending order of x; may be empty.
    pub band: Vec<[f64; 3]>,
    /// The points before smoothing, which are drawn faintly; may be empty.
    pub raw: Vec<[f64; 2]>,
}

impl PlotLine {
    /// Returns the intervals of the band that the vertical axis contains: all except the first ones, if they are more
    /// than three times as wide as the last one.
    fn fitting(&self) -> impl Iterator<Item = &[f64; 3]> {
        let width = |band: &[f64; 3]| band[2] - band[1];
        let most = self.band.last().map_or(f64::INFINITY, |last| 3.0 * width(last));
        self.band.iter().skip_while(move |band| width(band) > most)
    }
}

/// A chart. Values that are not finite are left out.
pub struct Chart<'a> {
    pub title: &'a str,
    /// The name of the horizontal axis.
    pub across: &'a str,
    /// The unit or the name of the vertical axis.
    pub up: &'a str,
    pub lines: &'a [PlotLine],
    /// Horizontal lines with names, for example the bounds of a test.
    pub levels: &'a [(&'a str, f64)],
}

/// An axis: the values at its ends, and the positions of the ends in the drawing.
struct Axis {
    values: [f64; 2],
    places: [f64; 2],
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>, places: [f64; 2]) -> Option<Axis> {
        let [low, high] = values
            .filter(|value| value.is_finite())
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
        let values = if low < high { [low, high] } else { [low - 1.0, low + 1.0] };
        low.is_finite().then_some(Axis { values, places })
    }

    fn place(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        let [first, last] = self.places;
        first + (last - first) * (value - low) / (high - low)
    }

    /// Returns round values along the axis, about `count` of them.
    fn ticks(&self, count: f64) -> Vec<f64> {
        let [low, high] = self.values;
        let rough = (high - low) / count;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (low / step).ceil();
        (0..=12)
            .map(|at| (first + f64::from(at)) * step)
            .take_while(|tick| *tick <= high + step * 1e-9)
            .collect()
    }
}

/// Formats a value of an axis with as many digits as necessary.
pub fn label(value: f64) -> String {
    let size = value.abs();
    let text = match size {
        _ if size >= 10_000.0 => format!("{:.0}k", value / 1000.0),
        _ if size >= 10.0 || value.fract() == 0.0 => format!("{:.0}", value + 0.0),
        _ if size >= 0.1 => format!("{:.2}", value).trim_end_matches('0').to_string(),
        _ => format!("{value:.1e}"),
    };
    text.replace('-', "−")
}

impl Chart<'_> {
    /// Draws the chart with its title and its legend.
    pub fn draw(&self) -> Markup {
        self.with_width(SIZE[0], "chart")
    }

    /// Draws the chart for a card as wide as half of the page.
    pub fn draw_wide(&self) -> Markup {
        self.with_width(WIDE, "chart half")
    }

    fn with_width(&self, width: f64, class: &str) -> Markup {
        let height = SIZE[1];
        let points = || self.lines.iter().flat_map(|line| line.points.iter().chain(&line.raw));
        let bands = || self.lines.iter().flat_map(|line| &line.band);
        let levels = self.levels.iter().map(|(_, level)| *level);
        // The names of levels are at the right of the lines and intervals, so they cover none of them.
        let letters = self.levels.iter().map(|(name, _)| name.chars().count()).max();
        let right = width - letters.map_or(0.0, |letters| LETTER * letters as f64 + 6.0);
        let x = Axis::around(points().map(|point| point[0]), [LEFT, right - 8.0]);
        let ends = self.lines.iter().flat_map(PlotLine::fitting).flat_map(|band| [band[1], band[2]]);
        let heights = points().map(|point| point[1]).chain(ends).chain(levels);
        let y = Axis::around(heights, [height - BOTTOM, TOP]);
        // A single value is no curve.
        let is_curve = self.lines.iter().any(|line| line.points.len().max(line.raw.len()) > 1);
        let (Some(x), Some(y), true) = (x, y, is_curve) else {
            return html! { figure class=(class) { figcaption { (self.title) } p.legend { "Not enough values yet." } } };
        };
        let up = |value: f64| y.place(value.clamp(y.values[0], y.values[1]));
        let data = json!({
            "x": [x.values[0], x.values[1], x.places[0], x.places[1]],
            "y": [TOP, height - BOTTOM],
            "across": self.across,
            "lines": self.lines.iter().map(|line| json!({"name": line.name, "look": classes(line.look), "points": line.points})).collect::<Vec<_>>(),
        });
        let has_dashes = self.lines.iter().any(|line| line.look >= COLOURS);
        html! {
            figure class=(class) data-chart=(data) {
                figcaption { (self.title) }
                @if self.lines.len() > 1 {
                    p.chips { @for line in self.lines { span.legend { @if has_dashes { (sample(line.look)) " " } (mark(line.look)) " " (line.name) } } }
                }
                svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(format!("{}, over {}", self.title, self.across)) {
                    text.axis x="2" y="9" { (self.up) }
                    text.axis.below x=((LEFT + width) / 2.0) y=(height - 7.0) { (self.across) }
                    @for tick in y.ticks(4.0) {
                        line.grid x1=(LEFT) x2=(px(right)) y1=(px(up(tick))) y2=(px(up(tick))) {}
                        text.tick.before x=(LEFT - 6.0) y=(px(up(tick))) { (label(tick)) }
                    }
                    @for tick in x.ticks(5.0).into_iter().filter(|tick| self.across != "games" || tick.fract() == 0.0) {
                        text.tick.below x=(px(x.place(tick))) y=(height - BOTTOM + 14.0) { (label(tick)) }
                    }
                    @for (name, level) in self.levels {
                        line.level x1=(LEFT) x2=(px(right)) y1=(px(up(*level))) y2=(px(up(*level))) {}
                        text.tick.level-name x=(width - 2.0) y=(px(up(*level))) { (name) }
                    }
                    @if bands().next().is_some() {
                        @for line in self.lines.iter().filter(|line| line.band.len() > 1) {
                            @let known = || line.band.iter().filter(|band| band.iter().all(|value| value.is_finite()));
                            @let lower = known().map(|band| [band[0], band[1]]);
                            @let upper = known().rev().map(|band| [band[0], band[2]]);
                            polygon class=(format!("band {}", classes(line.look))) points=(path(lower.chain(upper), &x, up)) {}
                        }
                    }
                    @for line in self.lines.iter().filter(|line| !line.raw.is_empty()) {
                        polyline class=(format!("line raw {}", classes(line.look))) points=(path(line.raw.iter().copied(), &x, up)) {}
                    }
                    @for line in self.lines {
                        polyline class=(format!("line {}", classes(line.look))) points=(path(line.points.iter().copied(), &x, up)) {}
                    }
                }
            }
        }
    }
}

/// Draws values as a small line without axes. The values at the edges differ by at least `span`. Values that are not
/// finite are left out.
pub fn sparkline(values: &[f64], span: f64, look: usize, label: &str) -> Markup {
    let [width, height] = SPARK;
    let places = [height - 2.0, 2.0];
    let y = Axis::around(values.iter().copied(), places).map(|axis| {
        let [low, high] = axis.values;
        let rest = if span.is_finite() { (span - (high - low)).max(0.0) / 2.0 } else { 0.0 };
        Axis { values: [low - rest, high + rest], places }
    });
    let x = Axis { values: [0.0, values.len().saturating_sub(1).max(1) as f64], places: [1.0, width - 1.0] };
    html! {
        @if let Some(y) = y.filter(|_| values.len() > 1) {
            svg.spark viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img" aria-label=(label) {
                polyline class=(format!("line {}", classes(look))) points=(path((0..).zip(values).map(|(at, value)| [f64::from(at), *value]), &x, |value| y.place(value))) {}
            }
        }
    }
}

fn px(value: f64) -> String {
    format!("{value:.1}")
}

fn path(points: impl Iterator<Item = [f64; 2]>, x: &Axis, up: impl Fn(f64) -> f64) -> String {
    let finite = points.filter(|point| point.iter().all(|value| value.is_finite()));
    finite
        .map(|[across, value]| format!("{:.1},{:.1}", x.place(across), up(value)))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Draws a progress bar; `share` is from 0 to 1.
pub fn bar(share: f64) -> Markup {
    html! { svg.bar viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" { rect width=(format!("{:.1}", 100.0 * share.clamp(0.0, 1.0))) height="6" {} } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_labels_and_odd_values_are_left_out() {
        let axis = Axis::around([3.0, f64::NAN, 97.0].into_iter(), [0.0, 94.0]).unwrap();
        assert_eq!(axis.ticks(4.0), [50.0]);
        assert_eq!(axis.ticks(6.0), [20.0, 40.0, 60.0, 80.0]);
        assert_eq!(axis.place(50.0), 47.0);
        assert_eq!([12_500.0, 40.0, -0.25, 0.0].map(label), ["12k", "40", "−0.25", "0"]);
        let line = |points: Vec<[f64; 2]>| PlotLine {
            name: "<b>".to_string(),
            look: 9,
            points,
            band: vec![[0.0, f64::NEG_INFINITY, 1.0]; 2],
            ..PlotLine::default()
        };
        let draw = |points: Vec<[f64; 2]>| {
            let lines = [line(points)];
            Chart { title: "t", across: "games", up: "Elo", lines: &lines, levels: &[("bound", 2.0)] }
                .draw()
                .into_string()
        };
        // The name of a level is at the right of the axis, at the level.
        let text = draw(vec![[0.0, 1.0], [2.0, 3.0]]);
        assert!(text.contains("line class=\"level\" x1=\"46\" x2=\"319.0\""), "{text}");
        assert!(text.contains("class=\"tick level-name\" x=\"358\""), "{text}");
        assert!(draw(vec![]).contains("Not enough values yet"));
        let text = draw(vec![[0.0, 1.0], [1.0, f64::INFINITY], [2.0, 3.0]]);
        assert!(
            text.contains(">Elo</text>") && text.contains(">games</text>"),
            "both axes are named: {text}"
        );
        assert!(
            text.contains("line c1 s1")
                && !text.contains("inf")
                && !text.contains("NaN")
                && !text.contains("<b>"),
            "{text}"
        );
    }

    /// The axis contains the intervals, except wide ones at the start.
    #[test]
    fn axes_contain_the_intervals() {
        let fitting = |widths: &[f64]| {
            let band = widths.iter().map(|width| [0.0, -width, 0.0]).collect();
            PlotLine { band, ..PlotLine::default() }.fitting().count()
        };
        assert_eq!([fitting(&[3.0, 2.0, 1.0]), fitting(&[4.0, 3.5, 2.0, 5.0, 1.0]), fitting(&[])], [3, 3, 0]);
    }

    #[test]
    fn a_sparkline_needs_two_values() {
        let draw = |values: &[f64]| sparkline(values, 0.0, 9, "strength").into_string();
        assert_eq!([draw(&[]), draw(&[1.0]), draw(&[f64::NAN; 2])], ["", "", ""]);
        let text = draw(&[0.0, f64::NAN, 10.0]);
        assert!(text.contains("line c1 s1") && text.contains("points=\"1.0,18.0 79.0,2.0\""), "{text}");
        // Changes that are small compared with the interval stay small.
        let text = sparkline(&[0.0, 4.0], 16.0, 0, "strength").into_string();
        assert!(text.contains("points=\"1.0,12.0 79.0,8.0\""), "{text}");
    }
}
