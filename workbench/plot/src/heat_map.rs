//! A heat map of the results between bots.

use crate::axis::{extremes, plain};
use crate::canvas::{Anchor, BLUE, INK, ORANGE, TITLE, faint, name, nothing, picture, width};
use plotters::style::{RGBColor, WHITE};

/// The results of two bots against each other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meeting {
    /// The lead of the first bot over the second.
    pub ahead: f64,
    /// Number of games.
    pub games: u32,
}

/// Draws the results of every pairing as coloured cells. `cells[row][column]` is the lead of the row's bot over the
/// column's bot, in `unit`. The lead is `None` if the two bots have not played. Blue means that the row's bot is ahead,
/// and orange that it is behind. Larger leads have stronger colours. Rows and columns are in the given order. If the
/// order goes from the strongest bot to the weakest, the upper right is mostly blue. For up to twenty bots the cells
/// contain the leads and the numbers of games.
#[must_use]
pub fn head_to_head(title: &str, unit: &str, names: &[String], cells: &[Vec<Option<Meeting>>]) -> String {
    let bots = names.len();
    let meeting = |row: usize, column: usize| -> Option<Meeting> {
        let known = cells.get(row)?.get(column).copied().flatten();
        known.filter(|meeting| meeting.ahead.is_finite() && row != column)
    };
    let places = || (0..bots).flat_map(|row| (0..bots).map(move |column| (row, column)));
    let Some([low, high]) = extremes(places().filter_map(|(row, column)| Some(meeting(row, column)?.ahead)))
    else {
        return nothing(title);
    };
    let greatest = low.abs().max(high.abs()).max(f64::MIN_POSITIVE);
    let cell: i32 = if bots <= 20 { 46 } else { 15 };
    let has_numbers = bots <= 20;
    let left = 16 + width(names.iter().map(String::as_str));
    let top = TITLE + width(names.iter().map(String::as_str));
    let right = left + cell * bots as i32;
    let bottom = top + cell * bots as i32;
    picture([(right + 24).max(left + 380), bottom + 76], title, |canvas| {
        for (at, bot) in names.iter().enumerate() {
            let middle = cell * at as i32 + cell / 2;
            canvas.text(&name(bot), [left - 8, top + middle], Anchor::Right);
            canvas.upwards(&name(bot), [left + middle, top - 8], Anchor::Left);
        }
        for (row, column) in places() {
            let [x, y] = [left + cell * column as i32, top + cell * row as i32];
            let middle = [x + cell / 2, y + cell / 2];
            match meeting(row, column) {
                Some(Meeting { ahead, games }) => {
                    canvas.box_([x, y], [x + cell - 1, y + cell - 1], &shade(ahead, greatest));
                    if has_numbers {
                        let ink = if (ahead / greatest).abs() > 0.75 { WHITE } else { DARK };
                        let [above, below] = [[middle[0], middle[1] - 8], [middle[0], middle[1] + 9]];
                        canvas.coloured(&plain(ahead, greatest / 99.0), above, Anchor::Middle, &ink);
                        canvas.coloured(&games.to_string(), below, Anchor::Middle, &faint(ink, 0.7));
                    }
                }
                None if row != column => canvas.dot(middle, 1, &faint(INK, 0.6)),
                None => canvas.box_([x, y], [x + cell - 1, y + cell - 1], &faint(INK, 0.25)),
            }
        }
        // The scale, from far behind to far ahead.
        let (steps, step) = (41, 6);
        for at in 0..steps {
            let share = f64::from(at) / f64::from(steps - 1) * 2.0 - 1.0;
            let x = left + at * step;
            canvas.box_([x, bottom + 18], [x + step, bottom + 30], &shade(share * greatest, greatest));
        }
        for (share, at) in [(-1.0, 0), (0.0, steps / 2), (1.0, steps - 1)] {
            let words = plain(share * greatest, greatest / 99.0);
            canvas.text(&words, [left + at * step + step / 2, bottom + 42], Anchor::Middle);
        }
        let words = if has_numbers { format!("{unit}; below: games") } else { unit.to_string() };
        canvas.text(&words, [left, bottom + 62], Anchor::Left);
    })
}

/// The text colour on light cells.
const DARK: RGBColor = RGBColor(32, 35, 40);
/// The colour of a cell for equal bots.
const EVEN: RGBColor = RGBColor(245, 245, 245);

/// Returns a colour between the colour for equal bots and the colour for the largest lead. The colour is opaque, so
/// numbers in cells are legible on any background.
fn shade(value: f64, greatest: f64) -> RGBColor {
    let colour = if value >= 0.0 { BLUE } else { ORANGE };
    let share = (value / greatest).abs().clamp(0.0, 1.0);
    let mix = |from: u8, to: u8| (f64::from(from) + share * (f64::from(to) - f64::from(from))).round() as u8;
    RGBColor(mix(EVEN.0, colour.0), mix(EVEN.1, colour.1), mix(EVEN.2, colour.2))
}
