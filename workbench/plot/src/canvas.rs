//! Parts that all pictures share: the canvas, its colours and its text.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontStyle, FontTransform, IntoFont, RGBAColor, RGBColor, ShapeStyle, TextStyle,
};

/// The colour of text. It is legible on white and on black.
pub const INK: RGBColor = RGBColor(112, 118, 128);
/// The blue of a single series.
pub const BLUE: RGBColor = SERIES[0];
/// The orange that contrasts with blue.
pub const ORANGE: RGBColor = RGBColor(213, 94, 0);
/// Colours from the palette of Okabe and Ito. Black and yellow are left out, because each is invisible on one of the
/// backgrounds.
pub const SERIES: [RGBColor; 6] = [
    RGBColor(0, 119, 187),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(222, 150, 0),
    RGBColor(70, 170, 225),
];

/// Height of the title area in pixels.
pub const TITLE: i32 = 46;

/// The size of letters in the drawing library's unit, which is 12 pixels, and the width of a letter.
const LETTERS: f64 = 15.0;
const LETTER: f64 = 6.8;
const MAX_NAME: usize = 28;

/// The part of a text that is placed at the given point.
#[derive(Clone, Copy)]
pub enum Anchor {
    Left,
    Middle,
    Right,
}

/// A canvas whose coordinates are pixels from the upper left corner.
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// Creates a picture with this width, height and title, and draws its content.
pub fn picture(size: [i32; 2], title: &str, draw: impl FnOnce(&Canvas<'_>)) -> String {
    let mut text = String::new();
    {
        let size = size.map(|side| u32::try_from(side).unwrap_or(1));
        let canvas = Canvas { area: SVGBackend::with_string(&mut text, size.into()).into_drawing_area() };
        canvas.styled(title, [16, 24], Anchor::Left, 18.0, true, FontTransform::None, &INK);
        draw(&canvas);
        drawn(canvas.area.present());
    }
    text
}

/// Returns a picture with a message that there is no data.
pub fn nothing(title: &str) -> String {
    picture([480, 120], title, |canvas| canvas.text("no data to show", [16, 66], Anchor::Left))
}

/// Unwraps the result of a drawing operation, which cannot fail because the output is a string.
fn drawn<E: std::error::Error + Send + Sync>(result: Result<(), DrawingAreaErrorKind<E>>) {
    result.expect("writing to a string cannot fail");
}

impl Canvas<'_> {
    pub fn line(&self, points: &[[i32; 2]], colour: &impl Color, width: u32) {
        let style = colour.stroke_width(width);
        drawn(self.area.draw(&PathElement::new(tuples(points), style)));
    }

    pub fn area(&self, outline: &[[i32; 2]], colour: &impl Color) {
        drawn(self.area.draw(&Polygon::new(tuples(outline), colour.filled())));
    }

    pub fn box_(&self, from: [i32; 2], to: [i32; 2], colour: &impl Color) {
        let style: ShapeStyle = colour.filled();
        drawn(self.area.draw(&Rectangle::new([from.into(), to.into()], style)));
    }

    pub fn dot(&self, at: [i32; 2], radius: i32, colour: &impl Color) {
        drawn(self.area.draw(&plotters::element::Circle::new(at.into(), radius, colour.filled())));
    }

    pub fn text(&self, text: &str, at: [i32; 2], anchor: Anchor) {
        self.coloured(text, at, anchor, &INK);
    }

    pub fn coloured(&self, text: &str, at: [i32; 2], anchor: Anchor, colour: &impl Color) {
        self.styled(text, at, anchor, LETTERS, false, FontTransform::None, colour);
    }

    /// Draws a text that runs upwards from the given point.
    pub fn upwards(&self, text: &str, at: [i32; 2], anchor: Anchor) {
        self.styled(text, at, anchor, LETTERS, false, FontTransform::Rotate270, &INK);
    }

    #[allow(clippy::too_many_arguments)]
    fn styled(
        &self,
        text: &str,
        at: [i32; 2],
        anchor: Anchor,
        size: f64,
        is_bold: bool,
        turn: FontTransform,
        colour: &impl Color,
    ) {
        let horizontal = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let weight = if is_bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = ("sans-serif", size, weight).into_font().transform(turn);
        let style = TextStyle::from(font).color(colour).pos(Pos::new(horizontal, VPos::Center));
        drawn(self.area.draw(&Text::new(shown(text), at.into(), style)));
    }
}

fn tuples(points: &[[i32; 2]]) -> Vec<(i32, i32)> {
    points.iter().map(|&point| point.into()).collect()
}

/// Returns a colour with the given opacity, from 0 to 1.
pub fn faint(colour: RGBColor, opacity: f64) -> RGBAColor {
    colour.mix(opacity)
}

/// Replaces characters that XML does not allow.
fn shown(text: &str) -> String {
    let is_text = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if is_text(c) { c } else { ' ' }).collect()
}

/// Shortens a name so that it fits into its column.
pub fn name(name: &str) -> String {
    if name.chars().count() <= MAX_NAME {
        return name.to_string();
    }
    name.chars().take(MAX_NAME - 1).chain(['…']).collect()
}

/// Returns the approximate width of the widest of these names after shortening.
pub fn width<'a>(names: impl Iterator<Item = &'a str>) -> i32 {
    let longest = names.map(|text| name(text).chars().count()).max().unwrap_or(0);
    (longest as f64 * LETTER).ceil() as i32 + 10
}

/// Returns positions for labels. They are as close as possible to the wanted positions without overlapping.
pub fn spread(wanted: &[i32], apart: i32) -> Vec<i32> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&at| wanted[at]);
    // Blocks of touching labels: the sum of their wanted first places, and their number. Each block is centred on the
    // wanted places of its labels.
    let mut blocks: Vec<(i64, i64)> = Vec::new();
    let apart = i64::from(apart);
    for &at in &order {
        let mut block = (i64::from(wanted[at]), 1);
        while let Some(&(sum, count)) = blocks.last() {
            if sum / count + apart * count <= block.0 / block.1 {
                break;
            }
            blocks.pop();
            // The later block is counted from the start of the earlier block.
            block = (sum + block.0 - block.1 * count * apart, count + block.1);
        }
        blocks.push(block);
    }
    let placed = blocks.iter().flat_map(|&(sum, count)| (0..count).map(move |at| sum / count + at * apart));
    let mut places = vec![0; wanted.len()];
    order.iter().zip(placed).for_each(|(&at, place)| places[at] = place as i32);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_lie_on_each_other() {
        assert_eq!(spread(&[10, 100, 50], 14), [10, 100, 50]);
        assert_eq!(spread(&[50, 50], 14), [43, 57]);
        for wanted in [vec![5; 20], (0..20).collect(), (0..20).map(|i| i * i % 37).collect::<Vec<i32>>()] {
            let mut places = spread(&wanted, 14);
            places.sort_unstable();
            assert!(places.windows(2).all(|two| two[1] - two[0] >= 14), "{places:?}");
        }
    }

    #[test]
    fn hostile_names_are_made_harmless() {
        let text = picture([200, 100], "<b>&\"\u{0}\u{1b}[1m", |canvas| {
            canvas.text(&name(&"x".repeat(999)), [0, 0], Anchor::Left);
        });
        assert!(
            !text.contains("<b>")
                && !text.contains('\u{1b}')
                && !text.contains('\u{0}')
                && !text.contains(&"x".repeat(40))
        );
        assert!(text.contains("&lt;b&gt;&amp;"));
    }
}
