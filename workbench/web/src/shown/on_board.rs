//! The values of an analysis on its board: numbers on squares, bounds, arrows and ranks.

use super::{Scale, value};
use contender_game::{
    board::{Ink, Line, Look, Picture},
    contest::{Analysis, Contest},
};

/// Returns the square on which a page shows a move's value: a piece moves to the last square.
fn shown_square(contest: &dyn Contest, picture: &Picture, mv: &str) -> Option<usize> {
    let squares = contest.squares(picture, mv);
    if squares.len() == 2 { squares.last().copied() } else { squares.first().copied() }
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
        let Some(square) = shown_square(contest, picture, mv) else { continue };
        let is_free = values[square].is_none() && shown.squares[square] == picture.squares[square];
        let sign = &mut shown.squares[square].sign;
        if is_free && sign.look == Look::Letter {
            // The gap after the sign keeps the numbers in the middle.
            let gap = "\u{2007}".repeat(length - text.chars().count());
            (sign.text, sign.ink) = (text.replacen('≤', &format!("≤{gap}"), 1), Ink::Dim);
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
        let square = shown_square(contest, picture, &of.mv);
        let (Some(value), Some(square)) = (value(of), square) else { continue };
        values[square] = Some(values[square].map_or(value, |best| best.max(value)));
    }
    values
}

/// Returns the picture with arrows for those of the three best moves that go from one square to another. A move whose
/// value is not known has no arrow.
pub fn with_arrows(contest: &dyn Contest, picture: &Picture, analysis: &Analysis<String>) -> Picture {
    let mut picture = picture.clone();
    let best = analysis.moves.iter().take(3).filter(|of| value(of).is_some());
    let squares = best.map(|of| contest.squares(&picture, &of.mv));
    let arrows = squares.filter_map(|squares| match squares[..] {
        [from, to] if from != to => Some(Line { from, to, ink: Ink::Plain, is_arrow: true }),
        _ => None,
    });
    let arrows: Vec<Line> = arrows.collect();
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
        let is_arrow = matches!(squares[..], [from, to] if from != to);
        let Some(&square) = squares.iter().find(|square| !taken.contains(square)) else { continue };
        if !is_arrow {
            ranks.push((square, at + 1));
            taken.push(square);
        }
    }
    ranks
}
