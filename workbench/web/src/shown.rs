//! Parts of pages that show the results of bots.

use crate::text::{decimal, grouped};
use contender_game::{
    board::{Ink, Line, Picture},
    contest::{Analysis, Contest, MoveAnalysis},
    rules::Player,
};
use contender_play::{Record, Seat};
use maud::{Markup, html};

/// Number of moves to list.
const SHOWN: usize = 40;
/// Number of listed moves that are always visible.
const FIRST: usize = 5;
/// Maximum number of lines of a move with several actions.
const ACTIONS: usize = 4;

/// Returns the points by seat. If there are no points, returns the ranks, because some referees report only ranks.
pub fn scores(record: &Record) -> String {
    if record.has_points() {
        return record.points_text(" – ");
    }
    let place = |seat: &Seat| {
        ["1st", "2nd", "3rd"]
            .get(seat.rank as usize)
            .map_or_else(|| format!("{}th", seat.rank + 1), ToString::to_string)
    };
    record.seats.iter().map(place).collect::<Vec<_>>().join(" – ")
}

/// Returns the value of the best move through each square, or `None` for a square without a known value.
pub fn values_by_square(
    contest: &dyn Contest,
    picture: &Picture,
    analysis: &Analysis<String>,
) -> Vec<Option<f64>> {
    let mut values: Vec<Option<f64>> = vec![None; picture.squares.len()];
    for of in &analysis.moves {
        let squares = contest.squares(picture, &of.mv);
        let (Some(value), Some(&square)) = (value(of), squares.first()) else { continue };
        values[square] = Some(values[square].map_or(value, |best| best.max(value)));
    }
    values
}

/// Returns the picture with arrows for the three best moves that go from one square to another.
pub fn with_arrows(contest: &dyn Contest, picture: &Picture, analysis: &Analysis<String>) -> Picture {
    let mut picture = picture.clone();
    let squares = analysis.moves.iter().take(3).map(|of| contest.squares(&picture, &of.mv));
    let arrows = squares.filter_map(|squares| match squares[..] {
        [from, to] if from != to => Some(Line { from, to, ink: Ink::Plain, is_arrow: true }),
        _ => None,
    });
    let arrows: Vec<Line> = arrows.collect();
    picture.lines.extend(arrows);
    picture
}

/// Returns the middle of a move's value; `None` if the value is only a bound.
fn value(of: &MoveAnalysis<String>) -> Option<f64> {
    let [low, high] = of.value;
    (low.is_finite() && high.is_finite()).then_some((low + high) / 2.0)
}

/// Returns the value of the position for seat 0 as a number from 0 to 1, or `None` if the unit of the values has no
/// such range.
pub fn share_of_zero(analysis: &Analysis<String>, player: Player) -> Option<f64> {
    let value = value(analysis.moves.first()?)?;
    let own = match analysis.unit {
        "share of a win" | "wins" => value,
        "lead from -1 to 1" => (1.0 + value) / 2.0,
        _ => return None,
    };
    Some(if player == Player::Zero { own } else { 1.0 - own })
}

/// Returns the bot, the seat and the size of the search.
pub fn headline(analysis: &Analysis<String>, bot: &str, seat: &str) -> String {
    let size = analysis.counts.first().map_or_else(String::new, |&(unit, count)| {
        let depth = if analysis.depth > 0 { format!(", depth {}", analysis.depth) } else { String::new() };
        format!("{depth}, {} {unit} in {:.2} s", grouped(count), analysis.elapsed.as_secs_f64())
    });
    format!("{bot} for {seat}{size}")
}

/// Returns the actions of a player, with the number of times that each one is repeated.
pub fn repeated(text: &str) -> Vec<(&str, usize)> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    for action in text.split("; ").map(str::trim) {
        match found.last_mut() {
            Some((last, times)) if *last == action => *times += 1,
            _ => found.push((action, 1)),
        }
    }
    found
}

/// Returns the cell of a move, with one line for each action. The cell of a long move shows only the first actions.
fn cell(mv: &str, is_played: bool) -> Markup {
    let actions = repeated(mv);
    let shown = if actions.len() > ACTIONS { ACTIONS - 1 } else { actions.len() };
    html! {
        td.move title=[(actions.len() > 1).then_some(mv)] {
            @if actions.len() == 1 { (mv) } @else {
                @for (action, times) in &actions[..shown] {
                    span.action { (action) @if *times > 1 { " ×" (times) } " " }
                }
                @if shown < actions.len() { span.action { "+" (actions.len() - shown) " more" } }
            }
            @if is_played { " (played)" }
        }
    }
}

/// Returns the table of moves with their values. The move to play comes first.
pub fn table(analysis: &Analysis<String>, played: Option<&str>) -> Markup {
    let unit = match analysis.unit {
        "" => "value",
        "share of a win" => "win",
        "lead from -1 to 1" => "lead",
        unit => unit,
    };
    let has_strategy = !analysis.strategy.is_empty();
    // The unit of the search's size, of which each move has a share.
    let size = analysis.counts.first().map_or("nodes", |&(name, _)| name);
    let head = html! {
        thead { tr {
            th { "Move" } th.number title=(analysis.unit) { (unit) }
            @if has_strategy { th.number title="Probability that the bot plays the move" { "prob." } }
            th.number { (size) }
        } }
    };
    let row = |(at, of): (usize, &MoveAnalysis<String>)| {
        html! {
            tr class=[(played == Some(of.mv.as_str())).then_some("played")] {
                (cell(&of.mv, played == Some(of.mv.as_str())))
                td.number { (of.value_text()) }
                @if has_strategy { td.number { (format!("{:.0}%", 100.0 * analysis.strategy.get(at).copied().unwrap_or(0.0))) } }
                td.number { (grouped(of.effort)) }
            }
        }
    };
    let count = analysis.moves.len();
    let rows = || analysis.moves.iter().enumerate().take(SHOWN);
    html! {
        table.found { (head) tbody { @for found in rows().take(FIRST) { (row(found)) } } }
        @if count > FIRST {
            details #others {
                summary { (crate::text::count((count - FIRST) as u64, "other move", "other moves")) }
                table.found { (head) tbody { @for found in rows().skip(FIRST) { (row(found)) } } }
                @if count > SHOWN { p.legend { "And " (count - SHOWN) " more." } }
                p.legend { "The moves are in the order of the search, which spends most of its time on the best moves." }
            }
        }
    }
}

/// Returns the principal variation.
pub fn line(analysis: &Analysis<String>) -> Markup {
    html! { @if !analysis.line.is_empty() { p { strong { "Principal variation: " } (analysis.line.join(", ")) } } }
}

/// Returns the terms of the evaluation and the statistics of the search.
pub fn inputs(analysis: &Analysis<String>) -> Markup {
    html! {
        @if !analysis.inputs.is_empty() {
            details #inputs { summary { "Terms of the evaluation" } dl {
                @for (name, value) in &analysis.inputs { dt { (name) } dd { (decimal(*value, 3)) } }
            } }
        }
        @if !analysis.counts.is_empty() {
            details #counts { summary { "Statistics of the search" } dl {
                @for (name, count) in &analysis.counts { dt { (name) } dd { (grouped(*count)) } }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_catalogue::find;
    use contender_game::settings::Options;

    #[test]
    fn repeated_actions_are_counted() {
        assert_eq!(repeated("WAIT; WAIT ; GROW 1; WAIT"), [("WAIT", 2), ("GROW 1", 1), ("WAIT", 1)]);
        assert_eq!(repeated("one"), [("one", 1)]);
    }

    #[test]
    fn a_long_move_is_shortened() {
        let [short, long] = ["A ; B ; C ; D", "A ; B ; C ; D ; E"].map(|mv| cell(mv, false).into_string());
        assert!(short.contains(">D ") && !short.contains("more"), "{short}");
        assert!(long.contains(">C ") && !long.contains(">D ") && long.contains(">+2 more"), "{long}");
        assert!(long.contains("title=\"A ; B ; C ; D ; E\""), "{long}");
        assert_eq!(cell("4 4", true).into_string(), "<td class=\"move\">4 4 (played)</td>");
    }

    #[test]
    fn a_square_has_the_value_of_its_best_move() {
        let contest = find("entropy").unwrap();
        let picture = contest.judge(1, &mut Options::rules()).unwrap().picture(None);
        let of = |mv: &str, value| MoveAnalysis { mv: mv.to_string(), value, is_proven: false, effort: 1 };
        let infinite = f64::INFINITY;
        let found = Analysis::of(vec![
            of("AaAb", [1.0, 1.0]),
            of("AaAc", [-infinite, 3.0]),
            of("AbAc", [-infinite, infinite]),
        ]);
        let values = values_by_square(contest, &picture, &found);
        // A move with only an upper bound of 3 may be worth much less, so it has no value.
        assert_eq!((values[0], values[1]), (Some(1.0), None));
    }
}
