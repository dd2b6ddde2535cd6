//! Parts of pages that show the results of bots.

pub mod layers;
mod on_board;

pub use on_board::{ranks, values_by_square, with_arrows};

use crate::text::{decimal, estimate, grouped, percent};
use contender_catalogue::find;
use contender_game::{
    board::Picture,
    contest::{Analysis, Contest, MoveAnalysis},
    rules::Player,
};
use contender_play::{Record, Seat};
use maud::{Markup, html};
use std::time::Duration;

/// The units that are probabilities of winning. One comes from searches that play games to their end, and one from
/// networks.
pub const SHARES: [&str; 2] = ["share of a win", "wins"];

/// Share of a win below which one decimal place is shown.
const SMALL_SHARE: f64 = 0.0995;

/// Maximum number of moves to list.
const SHOWN: usize = 400;
/// Number of listed moves that are always visible.
const FIRST: usize = 5;
/// Maximum number of lines of a move with several actions.
const ACTIONS: usize = 4;
/// Maximum number of moves of the principal variation; its tooltip has all of them.
const LINE: usize = 8;

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

/// Returns the times of a bot's answers. If the contest has a limit of its own for first answers, they are left out.
pub fn later_times<'a>(game: &str, seat: &'a Seat) -> &'a [Duration] {
    let has_long_first = find(game).is_some_and(|contest| contest.info().limits.first_turn.is_some());
    seat.times.get(usize::from(has_long_first)..).unwrap_or_default()
}

/// Returns the seat and the time of the slowest answer, if the record contains times, without first answers that have a
/// limit of their own.
pub fn slowest(record: &Record) -> Option<(usize, Duration)> {
    let slowest = |seat: &Seat| match seat.times[..] {
        [] => seat.slowest,
        _ => later_times(&record.game, seat).iter().max().copied().unwrap_or_default(),
    };
    let times = record.seats.iter().map(slowest).enumerate();
    times.max_by_key(|(_, time)| *time).filter(|(_, time)| !time.is_zero())
}

/// Returns the seat of the winner, if only one seat has the best rank.
pub fn winner(record: &Record) -> Option<usize> {
    let mut best = (0..record.seats.len()).filter(|&seat| record.seats[seat].rank == 0);
    best.next().filter(|_| best.next().is_none())
}

/// Returns how the winner has won, such as `more small boards`, if the notes of the last board name it.
pub fn aim(last: &Picture) -> Option<&str> {
    last.notes.iter().flatten().find_map(|sign| Some(sign.text.split_once(" wins with ")?.1))
}

/// Returns a name of a bot's inputs in words.
pub fn plain(name: &str) -> String {
    name.replace('_', " ")
}

/// Returns the analysis with its moves in the order of a page. If the bot's order does not follow from a number, the
/// moves with only an upper bound come last, and the greatest bound comes first. A bound above the value of the best
/// move comes from an earlier, shallower search, so it is left out.
pub fn sorted(analysis: &Analysis<String>) -> Analysis<String> {
    let mut sorted = analysis.clone();
    if matches!(Order::of(analysis), Order::Bounds | Order::Unknown) && analysis.strategy.is_empty() {
        let best = analysis.moves.first().and_then(value).unwrap_or(f64::INFINITY);
        let bound = |of: &MoveAnalysis<String>| match (value(of), of.value[1]) {
            (Some(_), _) => f64::INFINITY,
            (None, bound) if bound.is_finite() => bound,
            (None, _) => f64::NEG_INFINITY,
        };
        let others = sorted.moves.get_mut(1..).unwrap_or_default();
        others.sort_by(|one, other| bound(other).total_cmp(&bound(one)));
        for of in others.iter_mut().filter(|of| is_bound(of) && of.value[1] > best) {
            of.value[1] = f64::INFINITY;
        }
        others.sort_by(|one, other| bound(other).total_cmp(&bound(one)));
    }
    sorted
}

/// Returns a move's value; `None` if only bounds are known.
pub fn value(of: &MoveAnalysis<String>) -> Option<f64> {
    let [low, high] = of.value;
    (low.is_finite() && low == high).then_some(low)
}

/// The way in which the values of an analysis are shown: as percentages if they are probabilities of winning.
pub struct Scale {
    /// The name of the values.
    pub name: &'static str,
    pub factor: f64,
    /// Number of decimal places: values are estimates, so they have about two digits.
    pub digits: usize,
    pub sign: &'static str,
}

impl Scale {
    pub fn of(analysis: &Analysis<String>) -> Scale {
        let values = analysis.moves.iter().flat_map(|of| of.value).filter(|value| value.is_finite());
        let most = values.fold(0.0_f64, |most, value| most.max(value.abs()));
        match analysis.unit {
            unit if SHARES.contains(&unit) => {
                // In a lost position, only the decimal place tells the moves apart.
                let digits = usize::from(most > 0.0 && most < SMALL_SHARE);
                Scale { name: "win chance", factor: 100.0, digits, sign: "%" }
            }
            unit => {
                let name = if unit.is_empty() { "value" } else { unit };
                let digits = if most < 10.0 { 2 } else { 1 };
                Scale { name, factor: 1.0, digits, sign: "" }
            }
        }
    }

    /// Returns the least difference between the values with the weakest and the strongest shade on a board.
    pub fn span(&self) -> f64 {
        match self.name {
            "win chance" => 5.0,
            "points" => 0.5,
            "lead from -1 to 1" => 0.1,
            _ => 0.0,
        }
    }

    /// Describes the values.
    pub fn meaning(&self) -> String {
        match self.name {
            "points" => "lead in points".to_string(),
            name => name.to_string(),
        }
    }

    /// Formats a move's value or its bounds.
    pub fn text(&self, of: &MoveAnalysis<String>) -> String {
        let [low, high] = of.value;
        let text = |value: f64| decimal(self.factor * value, self.digits);
        let sign = self.sign;
        let proven = if of.is_proven { " proven" } else { "" };
        match (low.is_finite(), high.is_finite()) {
            // Only a proven game is certain.
            (true, true) if low == high && !sign.is_empty() && !of.is_proven => match low {
                small if (0.005..SMALL_SHARE).contains(&small) => format!("{:.1}%", 100.0 * small),
                share => percent(share),
            },
            (true, true) if low == high => format!("{}{sign}{proven}", text(low)),
            // Bounds that allow every value say nothing.
            (true, true) if !sign.is_empty() && low <= 0.0 && high >= 1.0 => "–".to_string(),
            (true, true) => format!("{} to {}{sign}{proven}", text(low), text(high)),
            (true, false) => format!("≥ {}{sign}{proven}", text(low)),
            (false, true) => format!("≤ {}{sign}{proven}", text(high)),
            (false, false) => "–".to_string(),
        }
    }
}

/// Returns the value of the position for seat 0 as a number from 0 to 1, or `None` if the unit of the values has no
/// such range.
pub fn share_of_zero(analysis: &Analysis<String>, player: Player) -> Option<f64> {
    let value = value(analysis.moves.first()?)?;
    let own = match analysis.unit {
        unit if SHARES.contains(&unit) => value,
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

/// Returns the actions of both players, if this is a move in which both acted at once.
pub fn sides(mv: &str) -> Option<[&str; 2]> {
    mv.strip_prefix("0: ")?.split_once(" | 1: ").map(<[&str; 2]>::from)
}

/// Returns a move in words. If both players acted at once, each player's part keeps its place.
pub fn words(contest: &dyn Contest, mv: &str) -> String {
    match sides(mv) {
        Some([one, other]) => format!("0: {} | 1: {}", contest.move_words(one), contest.move_words(other)),
        None => contest.move_words(mv),
    }
}

/// Returns a player's move in words on one line. Repeated actions are counted.
pub fn repeated_words(contest: &dyn Contest, mv: &str) -> String {
    let words = contest.move_words(mv);
    let times = |times: usize| if times > 1 { format!(" ×{times}") } else { String::new() };
    let actions = repeated(&words).into_iter().map(|(action, count)| format!("{action}{}", times(count)));
    actions.collect::<Vec<_>>().join(" · ")
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

/// The number by which a bot orders its moves. The bot plays the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Value,
    /// The probability of the move in the mixed strategy that the search found.
    Rate,
    /// The part of the search that was spent on the move.
    Effort,
    /// The first move has a value; for the other moves, the search only proved that they are not better.
    Bounds,
    Unknown,
}

impl Order {
    fn of(analysis: &Analysis<String>) -> Order {
        let values: Option<Vec<f64>> = analysis.moves.iter().map(value).collect();
        let efforts: Vec<u64> = analysis.moves.iter().map(|of| of.effort).collect();
        let is_falling = |numbers: &[f64]| numbers.is_sorted_by(|one, next| one >= next);
        let best = analysis.moves.first().and_then(value);
        let others = || analysis.moves.iter().skip(1);
        let is_below = |of: &MoveAnalysis<String>, best: f64| !of.value[1].is_finite() || of.value[1] <= best;
        match values {
            Some(values) if is_falling(&values) => Order::Value,
            _ if !analysis.strategy.is_empty() && is_falling(&analysis.strategy) => Order::Rate,
            _ if best.is_some_and(|best| others().all(|of| is_below(of, best))) && others().any(is_bound) => {
                Order::Bounds
            }
            _ if efforts.iter().any(|effort| *effort > 0)
                && efforts.is_sorted_by(|one, next| one >= next) =>
            {
                Order::Effort
            }
            _ => Order::Unknown,
        }
    }

    /// Explains why the moves have this order. `size` names the parts of the search.
    fn words(self, size: &str) -> String {
        match self {
            Order::Value => "the best one first.".to_string(),
            Order::Rate => format!(
                "ordered by their share, not by value: both players choose at once, so the search mixes several moves. \
                 The bot plays the first one. A value after few {size} (≈) is uncertain, even if it is higher."
            ),
            Order::Effort => format!(
                "ordered by {size}: the bot plays the move on which it spent most of them. A value after few {size} (≈) \
                 is uncertain, even if it is higher."
            ),
            Order::Bounds => {
                "the best one first. ≤ is an upper bound: the search proved that the move is not better than the \
                 best one and stopped there, so its value may be much lower."
                .to_string()
            }
            Order::Unknown => {
                "in the order of the search, which spends most of its time on the best ones.".to_string()
            }
        }
    }
}

/// Share of the effort of the first move below which a value is uncertain.
const LITTLE: f64 = 0.05;

/// Returns whether a move's value comes from a small part of a search that decides by its effort.
fn is_uncertain(analysis: &Analysis<String>, order: Order, of: &MoveAnalysis<String>) -> bool {
    let most = analysis.moves.iter().map(|of| of.effort).max().unwrap_or(0) as f64;
    matches!(order, Order::Rate | Order::Effort) && !of.is_proven && (of.effort as f64) < LITTLE * most
}

/// Returns whether the search knows only an upper bound of a move's value.
fn is_bound(of: &MoveAnalysis<String>) -> bool {
    !of.value[0].is_finite() && of.value[1].is_finite()
}

fn has_bounds(analysis: &Analysis<String>) -> bool {
    analysis.moves.iter().any(is_bound)
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
    // The unit of the search's size, of which each move has a share.
    let size = analysis.counts.first().map_or("nodes", |&(name, _)| name);
    let order = Order::of(analysis);
    let shown_order = if order == Order::Bounds { Order::Value } else { order };
    let sorted = |by: Order| (shown_order == by && analysis.moves.len() > 1).then_some("descending");
    let by = |by: Order| if order == by { "number effort by" } else { "number effort" };
    let head = html! {
        thead { tr {
            th { "Move" } th.number title=(meaning) aria-sort=[sorted(Order::Value)] { (unit) }
            @if has_strategy { th.number title="Share of the move in the mixed strategy that the search found" aria-sort=[sorted(Order::Rate)] { "share" } }
            th class=(by(Order::Effort)) aria-sort=[sorted(Order::Effort)] { (size) }
        } }
    };
    let row = |(at, of): (usize, &MoveAnalysis<String>)| {
        let (text, is_uncertain) = (scale.text(of), is_uncertain(analysis, order, of));
        html! {
            tr data-move=(of.mv) data-value=[value(of)] data-rank=[ranks.iter().find(|(_, rank)| *rank == at + 1).map(|(_, rank)| rank)] class=[(played == Some(of.mv.as_str())).then_some("played")] {
                (cell(contest, &of.mv, at == 0, played == Some(of.mv.as_str())))
                @if is_uncertain && text != "–" { td.number.unsure title=(format!("Uncertain: only {} {size}", grouped(of.effort))) { "≈" (text) } }
                @else { td.number.bound[is_bound(of)] { (text) } }
                @if has_strategy { td.number { (rate(analysis.strategy.get(at).copied().unwrap_or(0.0))) } }
                td class=(by(Order::Effort)) { (grouped(of.effort)) }
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
                    td class=(by(Order::Effort)) { "–" }
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
                (order.words(size))
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

/// Returns the start of the principal variation.
pub fn line(contest: &dyn Contest, analysis: &Analysis<String>) -> Markup {
    let moves: Vec<String> = analysis.line.iter().take(LINE).map(|mv| words(contest, mv)).collect();
    let more = if analysis.line.len() > LINE { " …" } else { "" };
    html! { @if !moves.is_empty() { p title=(analysis.line.join(", ")) { strong { "Principal variation: " } (moves.join(" · ")) (more) } } }
}

/// Returns the terms of the evaluation and the statistics of the search.
pub fn inputs(analysis: &Analysis<String>) -> Markup {
    html! {
        @if !analysis.inputs.is_empty() {
            details #inputs { summary { "Terms of the evaluation" } dl {
                @for (name, value) in &analysis.inputs { dt { (plain(name)) } dd { (estimate(*value)) } }
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
    use contender_game::settings::Options;

    /// CodinGame gives more time for the first move, so it says nothing about the later limit.
    #[test]
    fn first_moves_with_a_limit_of_their_own_are_not_the_slowest() {
        let slowest = |game: &str| {
            let text = r#","seed":1,"players":["a","b"],"scores":[0,1],"times_ms":[[900,5,7],[950,3]]}"#;
            slowest(&Record::from_json(&format!(r#"{{"game":"{game}"{text}"#)).unwrap()).unwrap()
        };
        assert_eq!(slowest("uttt"), (0, Duration::from_millis(7)));
        assert_eq!(slowest("box"), (1, Duration::from_millis(950)));
    }

    #[test]
    fn repeated_actions_are_counted() {
        assert_eq!(repeated("WAIT; WAIT ; GROW 1; WAIT"), [("WAIT", 2), ("GROW 1", 1), ("WAIT", 1)]);
        assert_eq!(repeated("one"), [("one", 1)]);
    }

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

    /// The best move, a move on the same square and one that was not searched have no rank on the board.
    #[test]
    fn the_next_best_moves_have_ranks() {
        let contest = find("spaghetti").unwrap();
        let picture = contest.judge(1, &mut Options::rules()).unwrap().picture(None);
        let found = |moves: &[(&str, u64)]| {
            let of = |&(mv, effort): &(&str, u64)| MoveAnalysis {
                mv: mv.to_string(),
                value: [0.5; 2],
                is_proven: false,
                effort,
            };
            ranks(contest, &picture, &Analysis::of(moves.iter().map(of).collect()))
        };
        let at = |mv: &str| contest.squares(&picture, mv)[0];
        assert_eq!(
            found(&[("aal", 9), ("abl", 5), ("acl", 4), ("adl", 3)]),
            [(at("abl"), 2), (at("acl"), 3)]
        );
        assert_eq!(found(&[("aal", 9), ("aar", 5), ("acl", 4)]), [(at("acl"), 3)]);
        assert_eq!(found(&[("aal", 9), ("abl", 0)]), []);
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
        let by_rate = Analysis { strategy: vec![0.7, 0.3, 0.0], ..found(&[(0.4, 30), (0.8, 31), (0.9, 1)]) };
        assert_eq!(Order::of(&by_rate), Order::Rate);
        let shown = text(&by_rate);
        assert!(
            shown.contains("aria-sort=\"descending\">share")
                && shown.contains(">0.80<")
                && shown.contains("≈0.90"),
            "{shown}"
        );
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
