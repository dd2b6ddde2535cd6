//! The result of a match in one sentence, as its page shows it.

use super::log::MatchLog;
use crate::pairs::{amount, bound, estimate, even};
use crate::text::{count, decimal, grouped, signed};
use contender_arena::{Results, Score};
use contender_stats::{Decision, Interval, MIN_PAIRS};

/// Minimum number of games of a running match after which its page advises to stop it.
const MIN_GAMES: u64 = 8;

/// Returns the result of the match as one sentence, from A's view.
pub fn sentence(log: &MatchLog, is_running: bool) -> String {
    let Some([a, _]) = log.names.as_ref().filter(|_| log.count > 0) else {
        return "No games yet".to_string();
    };
    if log.is_broken() {
        let yet = if is_running { " yet" } else { "" };
        // The notice below tells how each bot failed.
        let remedy = match (is_running, log.failures.is_mainly_busy()) {
            _ if !log.failures.is_mainly_slow() => "",
            (true, _) if log.count < MIN_GAMES => "",
            (true, true) => ". Stop the match, and play again when the machine is not busy.",
            (true, false) => ". Stop the match, and play again with more time per move.",
            (false, true) => ". Play again when the machine is not busy.",
            (false, false) => ". Play again with more time per move.",
        };
        return format!("No verdict{yet}: {}{remedy}", log.failures.words());
    }
    let score = &log.pairs.score;
    let Some((value, interval)) = estimate(score) else {
        let waiting = log.pairs.waiting_results();
        let Results { wins, draws, losses } = waiting;
        return match is_running {
            true if wins + draws + losses > 0 => {
                let [lead, end] = [standing(a, wins as f64 - losses as f64), score_text(waiting)];
                return format!("{lead} so far, {end} in games without partner");
            }
            true => "No pair is complete yet",
            false => "No verdict: no pair of games with the same seed and swapped seats is complete",
        }
        .to_string();
    };
    let is_open = log.decision() == Some(Decision::PlayOn);
    if is_running && (is_open || log.decision().is_none()) {
        return so_far(a, score);
    }
    let test = if is_open { undecided(log) } else { String::new() };
    decided(a, score, value, interval) + &test
}

/// Returns the reason why the sequential test of a match that has ended is undecided.
fn undecided(log: &MatchLog) -> String {
    let Some((_, ratio, bounds)) = log.test() else { return String::new() };
    let reason = match log.pairs.score.pairs() {
        pairs if pairs < MIN_PAIRS => {
            format!("it decides after at least {MIN_PAIRS} pairs, and {} complete", count(pairs, "is", "are"))
        }
        pairs => {
            let [ratio, bound] = [signed(ratio, 2), decimal(bounds.high, 2)];
            format!("after all {} pairs its LLR is {ratio}, and it decides at ±{bound}", grouped(pairs))
        }
    };
    format!("; its sequential test is undecided ({reason})")
}

/// Returns the lead of `a` in a match that has ended.
fn decided(a: &str, score: &Score, value: f64, interval: Option<Interval>) -> String {
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

/// Returns the lead of `a` in a running match, without a verdict.
fn so_far(a: &str, score: &Score) -> String {
    let Some((value, _)) = estimate(score) else { return String::new() };
    let standing = standing(a, value - even(score));
    let results = score_text(score.results);
    let pairs = count(score.pairs(), "complete pair", "complete pairs");
    // An interval from a few pairs is too narrow for a match that looks at it after every game.
    let amount = amount(score).filter(|_| score.pairs() >= MIN_PAIRS);
    let amount = amount.map_or(String::new(), |amount| format!(": {amount}"));
    format!("{standing} so far, {results} in {pairs}{amount}")
}

/// Returns whether `a` leads.
fn standing(a: &str, lead: f64) -> String {
    match lead {
        lead if lead.abs() < 1e-9 => "Even".to_string(),
        lead if lead > 0.0 => format!("{a} leads"),
        _ => format!("{a} is behind"),
    }
}

/// Formats the numbers of games won, lost and drawn.
fn score_text(Results { wins, draws, losses }: Results) -> String {
    match draws {
        0 => format!("{}–{}", grouped(wins), grouped(losses)),
        draws => format!("{}–{} with {}", grouped(wins), grouped(losses), count(draws, "draw", "draws")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::tests::score;
    use contender_play::RankedBy;

    #[test]
    fn a_running_match_has_no_verdict() {
        let words = |pairs| so_far("a", &score(RankedBy::Wins, pairs));
        assert_eq!(words([4, 0, 0]), "a leads so far, 8–0 in 4 complete pairs");
        assert_eq!(words([1, 0, 2]), "a is behind so far, 2–4 in 3 complete pairs");
        assert_eq!(words([1, 1, 1]), "Even so far, 3–3 in 3 complete pairs");
        let clear = words([30, 15, 5]);
        assert!(clear.starts_with("a leads so far, 75–25 in 50 complete pairs: +"), "{clear}");
    }
}
