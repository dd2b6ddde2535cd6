//! The table of the moves of an analysis with their values, and the order of its rows.

use super::order::{Order, has_bounds, is_bound, is_uncertain, least_effort, sized};
use super::{Scale, repeated, value};
use crate::text::grouped;
use contender_game::contest::{Analysis, Contest, MoveAnalysis};
use maud::{Markup, html};

/// Maximum number of moves to list.
const SHOWN: usize = 400;
/// Number of listed moves that are always visible.
const FIRST: usize = 5;
/// Maximum number of lines of a move with several actions.
const ACTIONS: usize = 4;

/// Returns the cell of a move in words, with one line for each action. The cell of a long move shows only the first
/// actions, unless it is the best move.
fn cell(contest: &dyn Contest, mv: &str, is_best: bool, is_played: bool) -> Markup {
    let words = contest.move_words(mv);
    let actions = repeated(&words);
    let shown = if actions.len() > ACTIONS && !is_best { ACTIONS - 1 } else { actions.len() };
    html! {
        td.move title=[(words != mv || actions.len() > 1).then_some(mv)] {
            @if actions.len() == 1 { (words) } @else {
                @for (action, times) in &actions[..shown] {
                    span.action { (action) @if *times > 1 { " ×" (times) } " " }
                }
                @if shown < actions.len() { span.action { "+" (actions.len() - shown) " more" } }
            }
            @if is_played { @if actions.len() == 1 { " (played)" } @else { span.action.note { "(played)" } } }
        }
    }
}

/// Returns the table of moves with their values. The move to play comes first.
pub fn table(
    contest: &dyn Contest,
    analysis: &Analysis<String>,
    played: Option<&str>,
    ranks: &[(usize, usize)],
) -> Markup {
    let scale = Scale::of(analysis);
    let unit = match scale.name {
        "lead from -1 to 1" => "lead",
        "points" => "lead in points",
        name => name,
    };
    let meaning = if scale.sign.is_empty() {
        scale.meaning()
    } else {
        "Estimated chance to win against an equally strong bot".to_string()
    };
    let has_strategy = !analysis.strategy.is_empty();
    // A solver reports no effort by move.
    let has_efforts = analysis.moves.iter().any(|of| of.effort > 0);
    // The unit of the search's size, of which each move has a share.
    let size = analysis.counts.first().map_or("nodes", |&(name, _)| name);
    let order = Order::of(analysis);
    let shown_order = if matches!(order, Order::Bounds | Order::Mixed) { Order::Value } else { order };
    let sorted = |by: Order| (shown_order == by && analysis.moves.len() > 1).then_some("descending");
    let by = |by: Order| if order == by { "number effort by" } else { "number effort" };
    let head = html! {
        thead { tr {
            th { "Move" } th.number title=(meaning) aria-sort=[sorted(Order::Value)] { (unit) }
            @if has_strategy { th.number title="Share of the move in the mixed strategy that the search found" { "share" } }
            @if has_efforts { th class=(by(Order::Effort)) aria-sort=[sorted(Order::Effort)] { (size) } }
        } }
    };
    let class = |at: usize, of: &MoveAnalysis<String>| match (at, played == Some(of.mv.as_str())) {
        (0, true) => Some("best played"),
        (0, false) => Some("best"),
        (_, is_played) => is_played.then_some("played"),
    };
    let row = |(at, of): (usize, &MoveAnalysis<String>)| {
        let (text, is_uncertain) = (scale.text(of), is_uncertain(analysis, order, of));
        html! {
            tr data-move=(of.mv) data-value=[value(of)] data-rank=[ranks.iter().find(|(_, rank)| *rank == at + 1).map(|(_, rank)| rank)] class=[class(at, of)] {
                (cell(contest, &of.mv, at == 0, played == Some(of.mv.as_str())))
                @if is_uncertain { td.number.unsure title=(format!("Uncertain: only {}", sized(of.effort, size))) { @if text != "–" { "≈" } (text) } }
                @else { td.number.bound[is_bound(of)] { (text) } }
                @if has_strategy { td.number { (rate(analysis.strategy.get(at).copied().unwrap_or(0.0))) } }
                @if has_efforts { td class=(by(Order::Effort)) { (grouped(of.effort)) } }
            }
        }
    };
    let count = analysis.moves.len();
    let rows = || analysis.moves.iter().enumerate().take(SHOWN);
    // The played move is always visible.
    let is_played = |(_, of): &(usize, &MoveAnalysis<String>)| played == Some(of.mv.as_str());
    let unsearched = played.filter(|_| !analysis.moves.iter().enumerate().any(|found| is_played(&found)));
    html! {
        table.found { (head) tbody {
            @for found in rows().take(FIRST) { (row(found)) }
            @if let Some(found) = analysis.moves.iter().enumerate().skip(FIRST).find(is_played) { (row(found)) }
            @if let Some(mv) = unsearched {
                tr.played data-move=(mv) title="The bot did not search this move" {
                    (cell(contest, mv, false, true))
                    td.number { "–" }
                    @if has_strategy { td.number { "–" } }
                    @if has_efforts { td class=(by(Order::Effort)) { "–" } }
                }
            }
        } }
        @if count > FIRST {
            details #others {
                summary { "Show " (crate::text::count((count - FIRST) as u64, "more move", "more moves")) }
                table.found { (head) tbody { @for found in rows().skip(FIRST).filter(|found| !is_played(found)) { (row(found)) } } }
                @if count > SHOWN { p.legend { "And " (count - SHOWN) " more." } }
            }
        }
        @if count > 1 {
            p.legend.order {
                @if count > FIRST { (FIRST) " of the " (count) " moves that the bot considered, " } @else { "The " (count) " moves that the bot considered, " }
                (order.words(analysis, size))
                @if order == Order::Value && analysis.moves.iter().any(|of| is_uncertain(analysis, order, of)) {
                    " Values after fewer than " (sized(least_effort(analysis, order), size)) " (≈) are uncertain and come last."
                }
                @if order != Order::Bounds && has_bounds(analysis) {
                    " ≤ is an upper bound at which the search was cut off: the true value may be much lower."
                }
                @if matches!(order, Order::Bounds | Order::Unknown) && analysis.moves.iter().any(|of| !of.value[1].is_finite()) {
                    " –: not yet compared with the best move at this depth."
                }
            }
        }
    }
}

/// Formats the probability of a move.
fn rate(share: f64) -> String {
    match 100.0 * share {
        percent if percent <= 0.0 => "–".to_string(),
        percent if percent < 0.5 => "<1%".to_string(),
        percent => format!("{percent:.0}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SHARES, sorted, values_by_square, with_arrows};
    use super::*;
    use contender_catalogue::find;
    use contender_game::settings::Options;

    #[test]
    fn rare_moves_are_not_shown_as_impossible() {
        assert_eq!([0.0, 0.002, 0.006, 0.944].map(rate), ["–", "<1%", "1%", "94%"]);
    }

    #[test]
    fn a_long_move_is_shortened() {
        let uttt = find("uttt").unwrap();
        let [short, long] =
            ["A ; B ; C ; D", "A ; B ; C ; D ; E"].map(|mv| cell(uttt, mv, false, false).into_string());
        assert!(short.contains(">D ") && !short.contains("more"), "{short}");
        assert!(long.contains(">C ") && !long.contains(">D ") && long.contains(">+2 more"), "{long}");
        assert!(long.contains("title=\"A ; B ; C ; D ; E\""), "{long}");
        // The best move is always complete.
        let best = cell(uttt, "A ; B ; C ; D ; E", true, false).into_string();
        assert!(best.contains(">E ") && !best.contains("more"), "{best}");
        assert_eq!(
            cell(uttt, "4 4", true, true).into_string(),
            "<td class=\"move\" title=\"4 4\">r4 c4 (played)</td>"
        );
        // The code of a move is next to its words.
        let words = cell(find("box").unwrap(), "Ik364521v", true, false).into_string();
        assert_eq!(words, "<td class=\"move\" title=\"Ik364521v\">Ik vertical</td>");
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
            of("AcAd", [0.0, 1.0]),
        ]);
        let values = values_by_square(contest, &picture, &found);
        // A piece moves to its second square. A move with only an upper bound of 3 may be worth much less, so it has no
        // value. The same is true for any bounds, so that the board and the table show equal values.
        assert_eq!(values[..4], [None, Some(1.0), None, None]);
        // If the search proved that the other moves are not better, the list begins with the greatest bound.
        let bounded = Analysis::of(vec![
            MoveAnalysis { effort: 1, ..of("AaAb", [3.0; 2]) },
            MoveAnalysis { effort: 1, ..of("AaAc", [-infinite, 2.0]) },
            MoveAnalysis { effort: 2, ..of("AaAd", [-infinite, 3.0]) },
        ]);
        let bounded = sorted(&bounded);
        let moves: Vec<&str> = bounded.moves.iter().map(|of| of.mv.as_str()).collect();
        assert_eq!(moves, ["AaAb", "AaAd", "AaAc"]);
        let values = values_by_square(contest, &picture, &bounded);
        assert_eq!(values[..4], [None, Some(3.0), None, None]);
        // A bound above the value of the best move is from an earlier search.
        let old = sorted(&Analysis::of(vec![
            of("AaAb", [3.0; 2]),
            MoveAnalysis { effort: 9, ..of("AaAc", [-infinite, 3.5]) },
            MoveAnalysis { effort: 2, ..of("AaAd", [-infinite, 2.5]) },
        ]));
        let shown: Vec<String> = old.moves.iter().map(|of| Scale::of(&old).text(of)).collect();
        assert_eq!(shown, ["3.00", "≤ 2.50", "–"]);
        assert_eq!(with_arrows(contest, &picture, &old).lines.len(), picture.lines.len() + 1);
        // An arrow never crosses a number.
        let slides = Analysis::of(vec![of("AaAd", [3.0; 2]), of("AaCa", [2.0; 2]), of("AaAb", [1.0; 2])]);
        assert_eq!(with_arrows(contest, &picture, &slides).lines.len(), picture.lines.len() + 2);
        let text = table(contest, &old, None, &[]).into_string();
        assert!(text.contains("–: not yet compared"), "{text}");
        let share = Scale::of(&Analysis { unit: SHARES[0], ..Analysis::of(vec![]) });
        let lead = Scale::of(&Analysis { unit: "points", ..Analysis::of(vec![]) });
        let text = |value| [&share, &lead].map(|scale| scale.text(&of("AaAb", value)));
        assert_eq!(text([0.5984, 0.5984]), ["60%", "0.60"]);
        assert_eq!(text([0.0, 1.0]), ["–", "0.00 to 1.00"]);
        assert_eq!(text([0.25, 0.5]), ["25 to 50%", "0.25 to 0.50"]);
        assert_eq!(text([0.25, infinite]), ["≥ 25%", "≥ 0.25"]);
        // An estimate is not certain, and a long number has one decimal place.
        assert_eq!(text([0.0, 0.0]), ["<1%", "0.00"]);
        assert_eq!(text([0.0312, 0.0312]), ["3.1%", "0.03"]);
        let large = Scale::of(&Analysis::of(vec![of("AaAb", [71.26; 2]), of("AaAc", [-infinite, 3.0])]));
        assert_eq!(large.text(&of("AaAb", [71.26; 2])), "71.3");
    }

    /// A solver reports no effort by move, so the table has no such column. Only the best move is bold.
    #[test]
    fn a_column_without_numbers_is_left_out() {
        let moves = (0..7).map(|at| MoveAnalysis {
            mv: format!("m{at}"),
            value: [4.0; 2],
            is_proven: true,
            effort: 0,
        });
        let found = Analysis { counts: vec![("positions", 9)], ..Analysis::of(moves.collect()) };
        let text = table(find("uttt").unwrap(), &found, None, &[]).into_string();
        assert!(!text.contains("effort") && text.matches("class=\"best\"").count() == 1, "{text}");
    }

    /// The bot plays the first move, whose value may be lower than that of a move that it hardly searched.
    #[test]
    fn the_order_of_moves_is_explained() {
        let of =
            |value: [f64; 2], effort| MoveAnalysis { mv: "a".to_string(), value, is_proven: false, effort };
        let found = |moves: &[(f64, u64)]| {
            Analysis::of(moves.iter().map(|&(value, effort)| of([value; 2], effort)).collect())
        };
        let text = |found: &Analysis<String>| table(find("uttt").unwrap(), found, None, &[]).into_string();
        let by_value = found(&[(0.5, 1), (0.4, 9), (0.4, 1)]);
        assert_eq!(Order::of(&by_value), Order::Value);
        assert!(text(&by_value).contains("The 3 moves that the bot considered, the best one first"));
        assert!(!text(&by_value).contains('≈'));
        let many = found(&[(0.5, 1); 40]);
        assert!(text(&many).contains("5 of the 40 moves that the bot considered, the best one first"));
        let by_effort = found(&[(0.5, 1000), (0.8, 20), (0.45, 10)]);
        assert_eq!(Order::of(&by_effort), Order::Effort);
        // The played move is among the first ones, once, even if the bot did not search it.
        let moves = (0..9).map(|at| MoveAnalysis { mv: format!("m{at}"), ..of([0.5; 2], 1) });
        let nine = Analysis::of(moves.collect());
        let first = |played: &str| {
            let text = table(find("uttt").unwrap(), &nine, Some(played), &[]).into_string();
            assert_eq!(text.matches("(played)").count(), 1, "{text}");
            text.split("</table>").next().unwrap().matches(&format!("data-move=\"{played}\"")).count()
        };
        assert_eq!(["m0", "m7", "other"].map(first), [1; 3]);
        let shown = text(&by_effort);
        assert!(
            shown.contains("<th class=\"number effort by\" aria-sort=\"descending\">nodes")
                && shown.contains("≈0.80"),
            "{shown}"
        );
        assert!(shown.contains(">0.50<") && shown.contains("ordered by nodes"), "{shown}");
        // If both players choose at once, the order is that of the values, and a move with few tries has none.
        let mixed = Analysis { strategy: vec![0.7, 0.3, 0.0], ..found(&[(0.4, 30), (0.8, 31), (0.9, 1)]) };
        assert_eq!(Order::of(&mixed), Order::Mixed);
        let mixed = sorted(&mixed);
        assert_eq!(mixed.strategy, [0.3, 0.7, 0.0]);
        let shown = text(&mixed);
        let at = |part: &str| shown.find(part).unwrap_or_else(|| panic!("{part} in {shown}"));
        assert!(shown.contains("–: fewer than 20 nodes, too few for a value: the limit is 5% of"), "{shown}");
        assert!(at("aria-sort=\"descending\">value") < at(">0.80<") && at(">0.80<") < at(">0.40<"));
        assert!(at(">0.40<") < at("title=\"Uncertain: only 1 node\">–<") && !shown.contains("0.90"));
        // The values of these moves look the same.
        let equal = Analysis { strategy: vec![0.2, 0.8], ..found(&[(0.403, 30), (0.401, 50)]) };
        assert_eq!(sorted(&equal).strategy, [0.8, 0.2]);
        // Without any move that was tried often, the one with most tries has a value.
        let early = Analysis { strategy: vec![0.5, 0.5], ..found(&[(0.4, 3), (0.9, 2)]) };
        let values: Vec<_> = sorted(&early).moves.iter().map(value).collect();
        assert_eq!(values, [Some(0.4), None]);
        let bounds = Analysis::of(vec![
            of([3.0; 2], 90),
            of([f64::NEG_INFINITY, 2.0], 4),
            of([f64::NEG_INFINITY, 3.0], 5),
        ]);
        assert_eq!(Order::of(&bounds), Order::Bounds);
        let shown = text(&sorted(&bounds));
        assert!(shown.contains("proved that the move is not better"), "{shown}");
        assert!(shown.contains("<td class=\"number bound\">≤ 3.00<"), "{shown}");
        assert!(shown.find("≤ 3.00") < shown.find("≤ 2.00"), "{shown}");
        assert!(shown.contains("aria-sort=\"descending\">value"), "{shown}");
        assert_eq!(Order::of(&found(&[(0.5, 1), (0.8, 2)])), Order::Unknown);
        assert!(!text(&found(&[(0.5, 1)])).contains("first"));
    }
}
