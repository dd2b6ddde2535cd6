//! The result of a match in one sentence, as its page shows it.

use super::log::MatchLog;
use crate::pairs::{amount, bound, estimate, even};
use crate::text::{all_games, count, grouped};
use contender_arena::{Results, Score};
use contender_stats::{Decision, Interval, MIN_PAIRS};

/// Returns the result of the match as one sentence, from A's view.
pub fn sentence(log: &MatchLog, is_running: bool) -> String {
    let Some([a, _]) = log.names.as_ref().filter(|_| log.count > 0) else {
        return "No games yet".to_string();
    };
    if log.is_broken() {
        let yet = if is_running { " yet" } else { "" };
        // The notice below tells how many games failed, and why.
        return match 2 * log.overloaded >= log.failed {
            true if log.overloaded == log.count => {
                format!("No verdict{yet}: the machine was too busy in {}", all_games(log.count))
            }
            true => format!(
                "No verdict{yet}: the machine was too busy in {} of {}",
                grouped(log.overloaded),
                count(log.count, "game", "games")
            ),
            false => format!("No verdict{yet}: too many games failed"),
        };
    }
    let score = &log.pairs.score;
    let Some((value, interval)) = estimate(score) else {
        return match is_running {
            true => "No pair is complete yet",
            false => "No verdict: no pair of games with the same seed and swapped seats is complete",
        }
        .to_string();
    };
    let is_open = log.decision() == Some(Decision::PlayOn) || is_running && log.decision().is_none();
    if is_open {
        return so_far(a, score, is_running);
    }
    let Some(interval) = interval else { return "A result needs at least two pairs".to_string() };
    let Interval { low, high } = interval;
    let Results { wins, draws, losses } = score.results;
    let amount = amount(score).unwrap_or_else(|| {
        let games = grouped(wins + draws + losses);
        let is_clear = low > even(score) || high < even(score);
        let bound = bound(score).filter(|_| is_clear);
        let bound = bound.map_or(String::new(), |bound| format!(", {bound} (95% interval)"));
        format!("{} of {games} games won{bound}", grouped(wins))
    });
    let even = even(score);
    if low > even {
        format!("{a} is stronger: {amount}")
    } else if high < even {
        format!("{a} is weaker: {amount}")
    } else if (value - even).abs() < 1e-9 {
        "No difference so far: the results are even".to_string()
    } else {
        let place = if value > even { "leads" } else { "is behind" };
        format!("Undecided: {a} {place} with {amount}, which may be due to chance")
    }
}

/// Returns the lead of `a` in a match that is not decided yet, because it is running or because its sequential test has
/// not ended.
fn so_far(a: &str, score: &Score, is_running: bool) -> String {
    let Some((value, interval)) = estimate(score) else { return String::new() };
    let Results { wins, draws, losses } = score.results;
    let even = even(score);
    let standing = match value - even {
        lead if lead.abs() < 1e-9 => "Even".to_string(),
        lead if lead > 0.0 => format!("{a} leads"),
        _ => format!("{a} is behind"),
    };
    let so_far = if is_running { " so far" } else { "" };
    let results = match draws {
        0 => format!("{}–{}", grouped(wins), grouped(losses)),
        draws => format!("{}–{} with {}", grouped(wins), grouped(losses), count(draws, "draw", "draws")),
    };
    let pairs = count(score.pairs(), "complete pair", "complete pairs");
    // An interval from a few pairs is too narrow for a match that looks at it after every game.
    let amount = amount(score).filter(|_| score.pairs() >= MIN_PAIRS);
    let is_clear = amount.is_some()
        && is_running
        && interval.is_some_and(|interval| interval.low > even || interval.high < even);
    let amount = amount.map_or(String::new(), |amount| format!(": {amount}"));
    let end = if is_clear { "" } else { "; undecided" };
    format!("{standing}{so_far}, {results} in {pairs}{amount}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::tests::score;
    use contender_play::RankedBy;

    #[test]
    fn a_running_match_is_not_decided_by_a_few_pairs() {
        let words = |pairs, is_running| so_far("a", &score(RankedBy::Wins, pairs), is_running);
        assert_eq!(words([4, 0, 0], true), "a leads so far, 8–0 in 4 complete pairs; undecided");
        assert_eq!(words([1, 0, 2], true), "a is behind so far, 2–4 in 3 complete pairs; undecided");
        assert_eq!(words([1, 1, 1], false), "Even, 3–3 in 3 complete pairs; undecided");
        let clear = words([30, 15, 5], true);
        assert!(clear.starts_with("a leads so far, 75–25 in 50 complete pairs: +"), "{clear}");
        assert!(!clear.contains("undecided"), "{clear}");
        // The test of a match that has ended says that the difference is not clear enough.
        assert!(words([30, 15, 5], false).ends_with("; undecided"));
    }
}
