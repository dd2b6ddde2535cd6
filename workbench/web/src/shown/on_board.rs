//! The values of an analysis on its board: numbers on squares, bounds, arrows and ranks.

use super::{Scale, value};
use contender_game::{
    board::{Ink, Line, Look, Picture},
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

/// Returns the picture with the upper bounds of the moves whose values the search does not know, such as `≤1.2`.
pub fn with_bounds(contest: &dyn Contest, picture: &Picture, analysis: &Analysis<String>) -> Picture {
    let mut shown = picture.clone();
    let (scale, values) = (Scale::of(analysis), values_by_square(contest, picture, analysis));
    let bounds: Vec<(&str, String)> = analysis
        .moves
        .iter()
        .filter(|of| value(of).is_none() && of.value[1].is_finite())
        .map(|of| (of.mv.as_str(), scale.text(of).replace(' ', "")))
        .collect();
    // Texts of equal lengths have equal sizes.
    let length = bounds.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
    // The greatest bounds come first.
    for (mv, text) in &bounds {
        for square in shown_squares(contest, picture, mv) {
            let is_free = values[square].is_none() && shown.squares[square] == picture.squares[square];
            let sign = &mut shown.squares[square].sign;
            if is_free && sign.look == Look::Letter {
                // The gap after the sign keeps the numbers in the middle.
                let gap = "\u{2007}".repeat(length - text.chars().count());
                (sign.text, sign.ink) = (text.replacen('≤', &format!("≤{gap}"), 1), Ink::Dim);
            }
        }
    }
    shown
}

/// Returns the value of the best move to each square, or `None` for a square without a known value.
pub fn values_by_square(
    contest: &dyn Contest,
    picture: &Picture,
    analysis: &Analysis<String>,
) -> Vec<Option<f64>> {
    let mut values: Vec<Option<f64>> = vec![None; picture.squares.len()];
    for of in &analysis.moves {
        let Some(value) = value(of) else { continue };
        for square in shown_squares(contest, picture, &of.mv) {
            values[square] = Some(values[square].map_or(value, |best| best.max(value)));
        }
    }
    values
}

/// Returns the picture with arrows for those of the three best moves that go from one square to another. A move whose
/// value is not known has no arrow.
pub fn with_arrows(contest: &dyn Contest, picture: &Picture, analysis: &Analysis<String>) -> Picture {
    let mut picture = picture.clone();
    let best = analysis.moves.iter().take(3).filter(|of| value(of).is_some());
    let ways = best.filter_map(|of| way(contest, &picture, &of.mv));
    let arrows: Vec<Line> =
        ways.map(|[from, to]| Line { from, to, ink: Ink::Plain, is_arrow: true }).collect();
    picture.lines.extend(arrows);
    picture
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
