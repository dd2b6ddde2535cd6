//! How long moves take.

use crate::axis::Axis;
use crate::canvas::{Anchor, INK, ORANGE, SERIES, TITLE, faint, name, nothing, picture, spread, width};
use contender_stats::percentile;
use std::collections::BTreeMap;

/// The times of one bot's moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Times {
    /// The bot.
    pub name: String,
    /// Turn and wall-clock seconds of every move of every game, in any order.
    pub moves: Vec<(u32, f64)>,
}

/// Times by turn, on a logarithmic axis: the median of each turn as a line, the middle 80% as a band and the slowest of each turn as a
/// dot; with a limit, in seconds, as a line across. The first six bots are shown.
#[must_use]
pub fn move_times(title: &str, bots: &[Times], limit: Option<f64>) -> String {
    let bots: Vec<(&str, Vec<Turn>)> = bots
        .iter()
        .map(|bot| (bot.name.as_str(), turns(&bot.moves)))
        .filter(|(_, turns)| !turns.is_empty())
        .take(SERIES.len())
        .collect();
    let (left, top, bottom) = (72, TITLE + 36, TITLE + 396);
    let right = left + 640;
    let limit = limit.filter(|&limit| limit.is_finite() && limit > 0.0);
    let all = || bots.iter().flat_map(|(_, turns)| turns);
    let seconds = all().flat_map(|turn| [turn.low, turn.slowest]).chain(limit.filter(|_| !bots.is_empty()));
    let Some(y) = Axis::logarithmic(seconds.map(|s| 1000.0 * s), bottom, top) else { return nothing(title) };
    let Some(x) = Axis::around(all().map(|turn| f64::from(turn.turn)), left, right) else {
        return nothing(title);
    };
    let place = |turn: &Turn, seconds: f64| [x.place(f64::from(turn.turn)), y.place(1000.0 * seconds)];
    let names = width(bots.iter().map(|(name, _)| *name)).max(60);
    picture([right + 14 + names, bottom + 54], title, |canvas| {
        x.draw_below(canvas, top, bottom, "turn");
        y.draw_left(canvas, left, right, "milliseconds a move: median, middle 80%, slowest");
        for ((_, turns), colour) in bots.iter().zip(SERIES) {
            let lower = turns.iter().map(|turn| place(turn, turn.low));
            let upper = turns.iter().rev().map(|turn| place(turn, turn.high));
            canvas.area(&lower.chain(upper).collect::<Vec<_>>(), &faint(colour, 0.16));
        }
        for ((_, turns), colour) in bots.iter().zip(SERIES) {
            canvas.line(&turns.iter().map(|turn| place(turn, turn.median)).collect::<Vec<_>>(), &colour, 2);
            turns.iter().for_each(|turn| canvas.dot(place(turn, turn.slowest), 2, &faint(colour, 0.7)));
        }
        if let Some(limit) = limit {
            let height = y.place(1000.0 * limit);
            for from in (left..right).step_by(12) {
                canvas.line(&[[from, height], [(from + 7).min(right), height]], &ORANGE, 2);
            }
            canvas.coloured("limit", [right + 8, height], Anchor::Left, &INK);
        }
        let ends: Vec<i32> = bots
            .iter()
            .map(|(_, turns)| place(&turns[turns.len() - 1], turns[turns.len() - 1].median)[1])
            .collect();
        for (((bot, _), colour), end) in bots.iter().zip(SERIES).zip(spread(&ends, 16)) {
            canvas.coloured(&name(bot), [right + 8, end], Anchor::Left, &colour);
        }
    })
}

/// The times of one turn, in seconds.
struct Turn {
    turn: u32,
    low: f64,
    median: f64,
    high: f64,
    slowest: f64,
}

fn turns(moves: &[(u32, f64)]) -> Vec<Turn> {
    let mut by_turn: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for &(turn, seconds) in moves.iter().filter(|(_, seconds)| seconds.is_finite() && *seconds >= 0.0) {
        by_turn.entry(turn).or_default().push(seconds);
    }
    by_turn
        .into_iter()
        .filter_map(|(turn, mut times)| {
            times.sort_by(f64::total_cmp);
            let at = |share| percentile(&times, share);
            Some(Turn { turn, low: at(0.1)?, median: at(0.5)?, high: at(0.9)?, slowest: at(1.0)? })
        })
        .collect()
}
