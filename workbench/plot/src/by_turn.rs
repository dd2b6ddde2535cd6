//! Charts of numbers by turn: the times of moves, and values that bots print.

use crate::axis::{Axis, plain};
use crate::canvas::{INK, TITLE, faint, nothing, picture};
use crate::series::{self, BANDS, MAX_COUNT};
use contender_stats::percentile;
use std::collections::BTreeMap;

/// The values of one bot in all its games, by turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Turns {
    /// The bot's name.
    pub name: String,
    /// All values in any order, each with its turn.
    pub values: Vec<(u32, f64)>,
}

/// Draws wall-clock times per turn on a logarithmic axis. The times and `limit` are in seconds. For each bot, a line
/// shows the median time in each turn, and a dot shows the slowest move. If there are at most three bots, a band shows
/// the middle 80% of the times. A horizontal line shows the time limit of a turn. Only the first twelve bots are drawn.
#[must_use]
pub fn move_times(title: &str, bots: &[Turns], limit: Option<f64>) -> String {
    let milliseconds = |bot: &Turns| {
        let values = bot.values.iter().filter(|(_, seconds)| *seconds >= 0.0);
        Turns {
            name: bot.name.clone(),
            values: values.map(|&(turn, seconds)| (turn, 1e3 * seconds)).collect(),
        }
    };
    let bots: Vec<Turns> = bots.iter().map(milliseconds).collect();
    draw(
        title,
        ["milliseconds per move", "slowest"],
        &bots,
        limit.map(|limit| 1e3 * limit),
        |values, from, to| Axis::logarithmic(values.iter().copied(), from, to),
    )
}

/// Draws numbers per turn. For each bot, a line shows the median in each turn, and a dot shows the largest number. If
/// there are at most three bots, a band shows the middle 80% of the numbers. Only the first twelve bots are drawn.
#[must_use]
pub fn by_turn(title: &str, unit: &str, bots: &[Turns]) -> String {
    draw(title, [unit, "largest"], bots, None, |values, from, to| {
        Axis::around(values.iter().copied(), from, to)
    })
}

fn draw(
    title: &str,
    [unit, largest]: [&str; 2],
    bots: &[Turns],
    limit: Option<f64>,
    axis: impl Fn(&[f64], i32, i32) -> Option<Axis>,
) -> String {
    let bots: Vec<(&str, Vec<Turn>)> = bots
        .iter()
        .map(|bot| (bot.name.as_str(), turns(&bot.values)))
        .filter(|(_, turns)| !turns.is_empty())
        .take(MAX_COUNT)
        .collect();
    let has_bands = bots.len() <= BANDS;
    let label = format!("{unit}: median, {}{largest}", if has_bands { "middle 80%, " } else { "" });
    let (left, top, bottom) = (72, TITLE + 36, TITLE + 396);
    let right = left + 640;
    let limit = limit.filter(|&limit| limit.is_finite() && limit > 0.0);
    let all = || bots.iter().flat_map(|(_, turns)| turns);
    let values = all()
        .flat_map(|turn| [if has_bands { turn.low } else { turn.median }, turn.largest])
        .chain(limit.filter(|_| !bots.is_empty()));
    let Some(y) = axis(&values.collect::<Vec<_>>(), bottom, top) else { return nothing(title) };
    let Some(x) = Axis::around(all().map(|turn| f64::from(turn.turn)), left, right) else {
        return nothing(title);
    };
    let place = |turn: &Turn, value: f64| [x.place(f64::from(turn.turn)), y.place(value)];
    let words = limit.map(|limit| format!("limit {}", plain(limit, 0.0)));
    let names = series::room(bots.iter().map(|(name, _)| *name).chain(words.as_deref()));
    picture([right + names, bottom + 54], title, |canvas| {
        x.draw_below(canvas, top, bottom, "turn");
        y.draw_left(canvas, left, right, &label);
        for (at, (_, turns)) in bots.iter().enumerate().filter(|_| has_bands) {
            let lower = turns.iter().map(|turn| place(turn, turn.low));
            let upper = turns.iter().rev().map(|turn| place(turn, turn.high));
            canvas.area(&lower.chain(upper).collect::<Vec<_>>(), &faint(series::colour(at), 0.16));
        }
        let mut ends = Vec::new();
        for (at, (name, turns)) in bots.iter().enumerate() {
            let colour = series::colour(at);
            let line: Vec<_> = turns.iter().map(|turn| place(turn, turn.median)).collect();
            series::line(canvas, at, &line);
            turns.iter().for_each(|turn| canvas.dot(place(turn, turn.largest), 2, &faint(colour, 0.7)));
            ends.push((*name, colour, line[line.len() - 1]));
        }
        if let (Some(limit), Some(words)) = (limit, &words) {
            let height = y.place(limit);
            series::dashed(canvas, &[[left, height], [right, height]], INK);
            ends.push((words, INK, [right, height]));
        }
        series::names(canvas, right, &ends);
    })
}

/// The statistics of one turn.
struct Turn {
    turn: u32,
    low: f64,
    median: f64,
    high: f64,
    largest: f64,
}

fn turns(values: &[(u32, f64)]) -> Vec<Turn> {
    let mut by_turn: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for &(turn, value) in values.iter().filter(|(_, value)| value.is_finite()) {
        by_turn.entry(turn).or_default().push(value);
    }
    by_turn
        .into_iter()
        .filter_map(|(turn, mut values)| {
            values.sort_by(f64::total_cmp);
            let at = |share| percentile(&values, share);
            Some(Turn { turn, low: at(0.1)?, median: at(0.5)?, high: at(0.9)?, largest: at(1.0)? })
        })
        .collect()
}
