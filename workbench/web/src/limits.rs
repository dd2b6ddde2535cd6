//! Words for the time limits of matches and leagues.

use crate::machine::time_unit;
use crate::text::{grouped, round_time};
use contender_game::contest::Contest;
use contender_referee::TimeSetting;

/// Returns the time per move, or per game if the contest limits games: `100 ms per move`. `None` if the contest has no
/// limit.
pub fn amount(contest: &dyn Contest, time: Option<TimeSetting>) -> Option<String> {
    let limits = contest.info().limits;
    let limits = time.map_or(limits, |time| time.apply(limits));
    let time = limits.game.or(limits.turn)?;
    Some(format!("{} per {}", round_time(time), time_unit(contest)))
}

/// Returns the time limits and the number of nodes in words. Without a contest, the match command knows its limits.
pub fn words(contest: Option<&dyn Contest>, time: Option<TimeSetting>, nodes: Option<u64>) -> Vec<String> {
    let known = contest.and_then(|contest| amount(contest, time));
    let time = match (time, known) {
        // A bot with a number of nodes ignores the clock.
        (None, _) if nodes.is_some() => None,
        (None, known) => known.map(|known| format!("the contest's time limits, {known}")),
        (Some(TimeSetting::Share(share)), Some(known)) => {
            Some(format!("{known}, {}% of the contest's time", (1e4 * share).round() / 100.0))
        }
        (Some(TimeSetting::Share(share)), None) => {
            Some(format!("{}% of the contest's time", (1e4 * share).round() / 100.0))
        }
        (Some(TimeSetting::Fixed(time)), known) => {
            let limits = contest.map(|contest| contest.info().limits);
            // The first answer has at least the contest's time.
            let first = limits.filter(|limits| limits.game.is_none()).and_then(|limits| limits.first_turn);
            let first = first.filter(|first| *first > time);
            let known = known.unwrap_or_else(|| format!("at least {} per turn", round_time(time)));
            Some(
                known
                    + &first.map_or(String::new(), |first| format!(", {} for the first", round_time(first))),
            )
        }
    };
    let nodes = nodes.map(|nodes| format!("{} nodes per move", grouped(nodes)));
    time.into_iter().chain(nodes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_catalogue::find;

    #[test]
    fn limits_have_their_number() {
        let of = |game: &str, time: &str, nodes| {
            words(find(game).map(|of| of as &dyn Contest), TimeSetting::parse(time).ok(), nodes)
        };
        // The first answer may take the contest's time, even if the other ones have less.
        assert_eq!(of("uttt", "3ms", None), ["3 ms per move, 1 s for the first"]);
        assert_eq!(of("uttt", "2s", None), ["2 s per move"]);
        assert_eq!(of("uttt", "50%", None), ["50 ms per move, 50% of the contest's time"]);
        assert_eq!(of("uttt", "", None), ["the contest's time limits, 100 ms per move"]);
        assert_eq!(of("uttt", "", Some(2000)), ["2,000 nodes per move"]);
        assert_eq!(of("box", "30s", Some(9)), ["30 s per game", "9 nodes per move"]);
        assert_eq!(of("own", "3s", None), ["at least 3 s per turn"]);
        assert_eq!(of("own", "", None), [""; 0]);
    }
}
