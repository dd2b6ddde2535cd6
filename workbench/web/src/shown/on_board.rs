//! The values of an analysis on its board: numbers on squares, bounds, arrows and ranks.

use super::order::{Order, is_uncertain};
use super::value;
use contender_game::{
    board::{Ink, Line, Picture},
    contest::{Analysis, Contest},
};

/// Returns the squares on which a page shows a move's value: a piece moves to the last square, and each action of a
/// turn has a square of its own.
fn shown_squares(contest: &dyn Contest, picture: &Picture, mv: &str) -> Vec<usize> {
    let squares = contest.squares(picture, mv);
    match squares[..] {
        _ if has_actions(mv) => squares,
        [_, to] => vec![to],
        _ => squares.into_iter().take(1).collect(),
    }
}

/// Returns whether a move consists of several actions, each with a square of its own.
fn has_actions(mv: &str) -> bool {
    mv.contains(';')
}

/// Returns the start and the end of the way of a piece that a move moves.
fn way(contest: &dyn Contest, picture: &Picture, mv: &str) -> Option<[usize; 2]> {
    match contest.squares(picture, mv)[..] {
        [from, to] if from != to && !has_actions(mv) => Some([from, to]),
        _ => None,
    }
}

/// Returns the value of the best move to each square, or `None` for a square without a known value. An uncertain value
/// that is greater than that of the best move is left out, because its square would look like the best one.
pub fn values_by_square(
    contest: &dyn Contest,
    picture: &Picture,
    analysis: &Analysis<String>,
) -> Vec<Option<f64>> {
    let mut values: Vec<Option<f64>> = vec![None; picture.squares.len()];
    let order = Order::of(analysis);
    let best = analysis.moves.first().and_then(value).unwrap_or(f64::INFINITY);
    for of in &analysis.moves {
        let Some(value) = value(of).filter(|value| *value <= best || !is_uncertain(analysis, order, of))
        else {
            continue;
        };
        for square in shown_squares(contest, picture, &of.mv) {
            values[square] = Some(values[square].map_or(value, |best| best.max(value)));
        }
    }
    values
}

/// Returns the picture with arrows for those of the three best moves that go from one square to another. A move whose
/// value is not known has no arrow, and no arrow crosses a square with a number.
pub fn with_arrows(contest: &dyn Contest, picture: &Picture, analysis: &Analysis<String>) -> Picture {
    let mut picture = picture.clone();
    let values = values_by_square(contest, &picture, analysis);
    let is_free = |ends: &[usize; 2]| between(picture.columns.len(), *ends).all(|at| values[at].is_none());
    let best = analysis.moves.iter().take(3).filter(|of| value(of).is_some());
    let ways = best.filter_map(|of| way(contest, &picture, &of.mv)).filter(is_free);
    let arrows: Vec<Line> =
        ways.map(|[from, to]| Line { from, to, ink: Ink::Plain, is_arrow: true }).collect();
    picture.lines.extend(arrows);
    picture
}

/// Returns the squares between the ends of a way along a row, a column or a diagonal.
fn between(columns: usize, ends: [usize; 2]) -> impl Iterator<Item = usize> {
    let [from, to] = ends.map(|at| [at / columns.max(1), at % columns.max(1)]);
    let [down, right] = [0, 1].map(|axis| to[axis] as isize - from[axis] as isize);
    let steps = down.abs().max(right.abs());
    let is_straight = down == 0 || right == 0 || down.abs() == right.abs();
    let at = move |step: isize| {
        let [row, column] =
            [(0, down), (1, right)].map(|(axis, way)| from[axis] as isize + step * way.signum());
        row as usize * columns + column as usize
    };
    (1..if is_straight { steps } else { 0 }).map(at)
}

/// Returns squares of the second and the third best move with these ranks. The first move is drawn as its pieces, and
/// moves from one square to another are drawn as arrows.
pub fn ranks(contest: &dyn Contest, picture: &Picture, analysis: &Analysis<String>) -> Vec<(usize, usize)> {
    let Some(best) = analysis.moves.first() else { return Vec::new() };
    let mut taken = contest.squares(picture, &best.mv);
    let mut ranks = Vec::new();
    for (at, of) in analysis
        .moves
        .iter()
        .enumerate()
        .take(3)
        .skip(1)
        .filter(|(_, of)| of.effort > 0 && value(of).is_some())
    {
        let squares = contest.squares(picture, &of.mv);
        let is_arrow = way(contest, picture, &of.mv).is_some();
        let Some(&square) = squares.iter().find(|square| !taken.contains(square)) else { continue };
        if !is_arrow {
            ranks.push((square, at + 1));
            taken.push(square);
        }
    }
    ranks
}
