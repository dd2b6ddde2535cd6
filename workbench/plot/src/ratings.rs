//! Charts of ratings, one bot per row.

use crate::axis::Axis;
use crate::canvas::{Anchor, BLUE, INK, TITLE, faint, name, nothing, picture, width};
use contender_stats::Interval;

/// A bot's rating.
#[derive(Clone, PartialEq, Debug)]
pub struct Rating {
    /// The bot's name.
    pub name: String,
    /// The rating, in the chart's unit.
    pub value: f64,
    /// The rating's interval, if known.
    pub interval: Option<Interval>,
}

const ROW: i32 = 19;
const PLOT: i32 = 560;
const FIGURES: i32 = 120;

/// Draws each rating as a dot, its interval as a bar, and its number on the right, starting with the strongest bot.
/// `unit` is the title of the axis, including the confidence of the intervals: `points per game, 95% intervals`.
#[must_use]
pub fn ratings(title: &str, unit: &str, bots: &[Rating]) -> String {
    let mut bots: Vec<&Rating> = bots.iter().filter(|bot| bot.value.is_finite()).collect();
    bots.sort_by(|a, b| b.value.total_cmp(&a.value));
    let left = 16 + 30 + width(bots.iter().map(|bot| bot.name.as_str()));
    let values = bots.iter().flat_map(|bot| {
        [bot.value].into_iter().chain(bot.interval.into_iter().flat_map(|i| [i.low, i.high]))
    });
    let Some(axis) = Axis::around(values, left, left + PLOT) else { return nothing(title) };
    let bottom = TITLE + ROW * bots.len() as i32 + 6;
    let right = left + PLOT;
    picture([right + FIGURES, bottom + 52], title, |canvas| {
        for at in (0..bots.len() as i32).step_by(2) {
            let top = TITLE + ROW * at;
            canvas.box_([12, top], [right + FIGURES - 12, top + ROW], &faint(INK, 0.07));
        }
        axis.draw_below(canvas, TITLE - 4, bottom, unit);
        for (at, bot) in bots.iter().enumerate() {
            let y = TITLE + ROW * at as i32 + ROW / 2;
            canvas.coloured(&format!("{}", at + 1), [36, y], Anchor::Right, &faint(INK, 0.8));
            canvas.text(&name(&bot.name), [46, y], Anchor::Left);
            let x = axis.place(bot.value);
            let mut words = format!("{:.1}", bot.value + 0.0);
            if let Some(interval) = bot.interval {
                let [low, high] = [interval.low, interval.high].map(|end| axis.place(end));
                canvas.box_([low, y - 3], [high.max(low + 1), y + 3], &faint(BLUE, 0.4));
                words += &format!(" ± {:.1}", interval.reach());
            }
            canvas.dot([x, y], 4, &BLUE);
            canvas.text(&words.replace('-', "−"), [right + FIGURES - 18, y], Anchor::Right);
        }
    })
}
