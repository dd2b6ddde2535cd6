//! The order of the moves of an analysis on a page.

use super::{Scale, value};
use contender_game::contest::{Analysis, MoveAnalysis};

/// The number by which a bot orders its moves. The bot plays the first one, unless it mixes several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Value,
    /// The value, in a search that found a mixed strategy. The bot plays the move with the greatest probability.
    Mixed,
    /// The part of the search that was spent on the move.
    Effort,
    /// The first move has a value; for the other moves, the search only proved that they are not better.
    Bounds,
    Unknown,
}

impl Order {
    pub fn of(analysis: &Analysis<String>) -> Order {
        let moves = &analysis.moves;
        // A move that was not searched has no value.
        let values: Option<Vec<f64>> = moves
            .iter()
            .map(|of| value(of).or_else(|| is_unknown(of).then_some(f64::NEG_INFINITY)))
            .collect();
        let values = values.filter(|values| values.first().is_some_and(|value| value.is_finite()));
        let efforts: Vec<u64> = moves.iter().map(|of| of.effort).collect();
        let is_falling = |numbers: &[f64]| numbers.is_sorted_by(|one, next| one >= next);
        let best = moves.first().and_then(value);
        let others = || moves.iter().skip(1);
        let is_below = |of: &MoveAnalysis<String>, best: f64| !of.value[1].is_finite() || of.value[1] <= best;
        let has_efforts = efforts.iter().any(|effort| *effort > 0);
        match values {
            _ if !analysis.strategy.is_empty() => Order::Mixed,
            Some(values) if is_falling(&values) => Order::Value,
            _ if best.is_some_and(|best| others().all(|of| is_below(of, best))) && others().any(is_bound) => {
                Order::Bounds
            }
            Some(values) if Self::has_uncertain_tail(analysis, &values) => Order::Value,
            _ if has_efforts && efforts.is_sorted_by(|one, next| one >= next) => Order::Effort,
            _ => Order::Unknown,
        }
    }

    /// Returns whether the moves are ordered by value, except for those with little effort, which come last.
    fn has_uncertain_tail(analysis: &Analysis<String>, values: &[f64]) -> bool {
        let certain = analysis.moves.iter().take_while(|of| !has_little(analysis, of)).count();
        let tail = || analysis.moves.iter().skip(certain);
        certain > 0
            && [&values[..certain], &values[certain..]]
                .iter()
                .all(|part| part.is_sorted_by(|one, next| one >= next))
            && values.iter().all(|value| *value <= values[0])
            && tail().all(|of| has_little(analysis, of))
    }

    /// Explains why the moves have this order. `size` names the parts of the search.
    pub fn words(self, analysis: &Analysis<String>, size: &str) -> String {
        let (least, percent) = (sized(least_effort(analysis, self), size), 100.0 * LITTLE);
        match self {
            Order::Value => "the best one first.".to_string(),
            Order::Mixed => format!(
                "the best one first. Both players choose at once, so the search mixes several moves, and the bot plays \
                 the one with the largest share. –: fewer than {least}, too few for a value: the limit is {percent}% of the \
                 most searched move's, and at least {FEW}."
            ),
            Order::Effort => format!(
                "ordered by {size}: the bot plays the move on which it spent most of them. A value after fewer than {least} \
                 (≈) is uncertain, even if it is higher."
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

/// Effort below which a value of a mixed strategy is uncertain, unless no move got more.
const FEW: f64 = 20.0;

/// Returns the effort from which a move's value is certain enough.
pub fn least_effort(analysis: &Analysis<String>, order: Order) -> u64 {
    let most = analysis.moves.iter().map(|of| of.effort).max().unwrap_or(0) as f64;
    let least = LITTLE * most;
    (if order == Order::Mixed { least.max(most.min(FEW)) } else { least }).ceil() as u64
}

/// Formats an effort with its unit.
pub fn sized(effort: u64, size: &str) -> String {
    crate::text::count(effort, size.strip_suffix('s').unwrap_or(size), size)
}

/// Returns whether a small part of the search was spent on a move.
fn has_little(analysis: &Analysis<String>, of: &MoveAnalysis<String>) -> bool {
    !of.is_proven && of.effort < least_effort(analysis, Order::Value)
}

/// Returns whether a move's value comes from a small part of a search that decides by its effort.
pub fn is_uncertain(analysis: &Analysis<String>, order: Order, of: &MoveAnalysis<String>) -> bool {
    match order {
        Order::Effort => has_little(analysis, of),
        Order::Mixed => !of.is_proven && of.effort < least_effort(analysis, order),
        Order::Value => {
            analysis.moves.first().is_some_and(|best| !has_little(analysis, best)) && has_little(analysis, of)
        }
        Order::Bounds | Order::Unknown => false,
    }
}

/// Returns whether the search knows only an upper bound of a move's value.
pub fn is_bound(of: &MoveAnalysis<String>) -> bool {
    !of.value[0].is_finite() && of.value[1].is_finite()
}

/// Returns whether nothing is known about a move's value.
fn is_unknown(of: &MoveAnalysis<String>) -> bool {
    of.value.iter().all(|value| value.is_infinite())
}

pub fn has_bounds(analysis: &Analysis<String>) -> bool {
    analysis.moves.iter().any(is_bound)
}

/// Returns the analysis with its moves in the order of a page: the best move first, and then by value. Moves with
/// little effort come last. If a move has a greater value than the best one, the bot's order stays.
///
/// A search that decides by its effort may have searched other moves almost as much: the best one has the greatest
/// value of them. A search that proves bounds plays the best move of its deepest search. If another move has a greater
/// value or bound, this number comes from an earlier, shallower search, so it is left out.
pub fn sorted(analysis: &Analysis<String>) -> Analysis<String> {
    let mut sorted = analysis.clone();
    if !analysis.strategy.is_empty() {
        return by_value(sorted);
    }
    let is_by_effort = Order::of(analysis) == Order::Effort && !has_bounds(analysis);
    if is_by_effort
        && let Some((at, _)) = well_searched(analysis).max_by(|(at, one), (other, value)| {
            // Of equal values, the first one is the best.
            one.total_cmp(value).then(other.cmp(at))
        })
        && at > 0
    {
        let best = sorted.moves.remove(at);
        sorted.moves.insert(0, best);
        // The principal variation follows the other move.
        sorted.line.clear();
    }
    let Some(best) = sorted.moves.first().and_then(value) else { return sorted };
    let is_greater = |of: &MoveAnalysis<String>| value(of).is_some_and(|value| value > best);
    let is_kept = match Order::of(analysis) {
        Order::Value | Order::Mixed => true,
        Order::Bounds => false,
        Order::Effort | Order::Unknown => !has_bounds(analysis) && analysis.moves.iter().any(is_greater),
    };
    if is_kept {
        return analysis.clone();
    }
    let others = sorted.moves.get_mut(1..).unwrap_or_default();
    if has_bounds(analysis) {
        let is_old = |of: &MoveAnalysis<String>| of.value[1].is_finite() && of.value[1] > best;
        others
            .iter_mut()
            .filter(|of| is_old(of))
            .for_each(|of| of.value = [f64::NEG_INFINITY, f64::INFINITY]);
    }
    // An exact value comes before an equal bound.
    let key = |of: &MoveAnalysis<String>| {
        let [low, high] = of.value;
        let high = if high.is_finite() { high } else { f64::NEG_INFINITY };
        (has_little(analysis, of) && !has_bounds(analysis), high, low == high)
    };
    others.sort_by(|one, other| {
        let [(one_is_little, one, one_is_exact), (is_little, other, is_exact)] = [key(one), key(other)];
        let by_value = other.total_cmp(&one).then(is_exact.cmp(&one_is_exact));
        one_is_little.cmp(&is_little).then(by_value)
    });
    sorted
}

/// Sorts the moves of a search for a mixed strategy by their values. A move that the search hardly tried has no value.
fn by_value(mut analysis: Analysis<String>) -> Analysis<String> {
    analysis.strategy.resize(analysis.moves.len(), 0.0);
    let scale = Scale::of(&analysis);
    let is_uncertain: Vec<bool> =
        analysis.moves.iter().map(|of| is_uncertain(&analysis, Order::Mixed, of)).collect();
    let mut rows: Vec<(MoveAnalysis<String>, f64)> =
        std::mem::take(&mut analysis.moves).into_iter().zip(std::mem::take(&mut analysis.strategy)).collect();
    for ((of, _), _) in rows.iter_mut().zip(is_uncertain).filter(|(_, is_uncertain)| *is_uncertain) {
        of.value = [f64::NEG_INFINITY, f64::INFINITY];
    }
    // Of moves that show the same value, the one that the bot would rather play comes first.
    let known = |of: &MoveAnalysis<String>| value(of).map_or(f64::NEG_INFINITY, |value| scale.rounded(value));
    rows.sort_by(|(one, share), (other, others)| {
        known(other).total_cmp(&known(one)).then(others.total_cmp(share))
    });
    (analysis.moves, analysis.strategy) = rows.into_iter().unzip();
    analysis
}

/// Returns the values of the moves on which a search has spent almost as much as on the first one.
fn well_searched(analysis: &Analysis<String>) -> impl Iterator<Item = (usize, f64)> {
    let most = analysis.moves.iter().map(|of| of.effort).max().unwrap_or(0);
    let found = analysis.moves.iter().enumerate().filter(move |(_, of)| 2 * of.effort >= most);
    found.filter_map(|(at, of)| Some((at, value(of)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves come by value: exact values before equal bounds, older values not at all, and those after little search
    /// last.
    #[test]
    fn moves_are_sorted_by_the_value_shown() {
        let infinite = f64::INFINITY;
        let of = |&(mv, low, high, effort): &(&str, f64, f64, u64)| MoveAnalysis {
            mv: mv.to_string(),
            value: [low, high],
            is_proven: false,
            effort,
        };
        let order = |moves: &[(&str, f64, f64, u64)]| {
            let found = sorted(&Analysis::of(moves.iter().map(of).collect()));
            let scale = Scale::of(&found);
            let shown: Vec<String> =
                found.moves.iter().map(|of| format!("{} {}", of.mv, scale.text(of))).collect();
            (shown, Order::of(&found))
        };
        // A search that cuts off: 9.25 is the best move of the deepest search, and 9.4 is older.
        let found = order(&[
            ("a", 9.25, 9.25, 50),
            ("b", 8.64, 8.64, 40),
            ("c", 8.96, 8.96, 30),
            ("d", -infinite, 8.96, 20),
            ("e", 9.4, 9.4, 10),
            ("f", -infinite, 9.21, 5),
        ]);
        let shown = ["a 9.25", "f ≤ 9.21", "c 8.96", "d ≤ 8.96", "b 8.64", "e –"].map(str::to_string);
        assert_eq!(found, (shown.to_vec(), Order::Bounds));
        // A search that decides by its effort: a value after little search is uncertain.
        let found = order(&[
            ("a", 0.5, 0.5, 100),
            ("b", 0.3, 0.3, 90),
            ("c", 0.4, 0.4, 80),
            ("d", 0.45, 0.45, 2),
            ("e", -infinite, infinite, 0),
        ]);
        let shown = ["a 0.50", "c 0.40", "b 0.30", "d 0.45", "e –"].map(str::to_string);
        assert_eq!(found, (shown.to_vec(), Order::Value));
        // Of moves with almost equal effort, the one with the greatest value is the best.
        let found = order(&[("a", 0.5, 0.5, 100), ("b", 0.3, 0.3, 90), ("c", 0.6, 0.6, 80)]);
        assert_eq!(found, (["c 0.60", "a 0.50", "b 0.30"].map(str::to_string).to_vec(), Order::Value));
        // A greater value after less effort says little, so the bot's order stays.
        let (shown, order) = order(&[("a", 0.5, 0.5, 100), ("b", 0.3, 0.3, 90), ("c", 0.6, 0.6, 30)]);
        assert_eq!((&shown[1][..], order), ("b 0.30", Order::Effort));
    }
}
