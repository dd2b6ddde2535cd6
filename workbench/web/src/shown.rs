//! What bots find out, as pages show it.

use contender_game::{Analysis, Contest, MoveAnalysis, Picture};
use maud::{Markup, html};

/// So many moves are listed.
const SHOWN: usize = 40;

/// For every square the value of the best move through it; nothing where no value is known.
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

/// The value of a move as one number, its middle; a bound is none.
fn value(of: &MoveAnalysis<String>) -> Option<f64> {
    let [low, high] = of.value;
    (low.is_finite() && high.is_finite()).then_some((low + high) / 2.0)
}

/// The moves with their values, the one to play first.
pub fn table(analysis: &Analysis<String>, played: Option<&str>) -> Markup {
    let unit = if analysis.unit.is_empty() { "value" } else { analysis.unit };
    let has_strategy = !analysis.strategy.is_empty();
    html! {
        table.list.found {
            thead { tr {
                th { "Move" } th.number { (unit) } @if has_strategy { th.number { "Probability" } } th.number { "Effort" }
            } }
            tbody {
                @for (at, of) in analysis.moves.iter().enumerate().take(SHOWN) {
                    tr class=[(played == Some(of.mv.as_str())).then_some("played")] {
                        td { (of.mv) @if played == Some(of.mv.as_str()) { " (played)" } }
                        td.number { (of.value_text()) }
                        @if has_strategy { td.number { (format!("{:.0}%", 100.0 * analysis.strategy.get(at).copied().unwrap_or(0.0))) } }
                        td.number { (of.effort) }
                    }
                }
            }
        }
        p.legend { "First the move to play, then in the order of the search: it spends most on what it takes for best." }
        @if analysis.moves.len() > SHOWN { p.legend { "And " (analysis.moves.len() - SHOWN) " more." } }
    }
}

/// What both are expected to play.
pub fn line(analysis: &Analysis<String>) -> Markup {
    html! { @if !analysis.line.is_empty() { p { strong { "Expected play: " } (analysis.line.join(", ")) } } }
}

/// What the evaluation sees, and what the search counted.
pub fn inputs(analysis: &Analysis<String>) -> Markup {
    html! {
        @if !analysis.inputs.is_empty() {
            details #inputs { summary { "What the evaluation sees" } dl {
                @for (name, value) in &analysis.inputs { dt { (name) } dd { (format!("{value:.3}")) } }
            } }
        }
        @if !analysis.counts.is_empty() {
            details #counts { summary { "What the search did" } dl {
                @for (name, count) in &analysis.counts { dt { (name) } dd { (count) } }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_catalogue::find;
    use contender_game::Options;

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
        // What is worth at most 3 may be worth anything below.
        assert_eq!((values[0], values[1]), (Some(1.0), None));
    }
}
