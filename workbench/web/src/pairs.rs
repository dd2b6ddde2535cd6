//! Pairs of games between two bots, A and B, and A's lead. The games of a pair have the same seed and swapped seats.

use crate::failures::{Tally, are_most};
use crate::text::{all_games, capitalised, count, grouped, signed};
use contender_arena::{Estimate, Results, Score};
use contender_catalogue::find;
use contender_play::{Host, RankedBy, Record};
use contender_referee::ContestHost;
use contender_stats::{GameResult, Interval};
use std::collections::{HashMap, HashSet};

/// Number of pairs that count from which failures in other games hide no result.
const FEW_PAIRS: u64 = 4;

/// The games of a match by pairs. They decide which games count: those of complete pairs in which no bot was late
/// because of the machine's delays.
#[derive(Clone, Default)]
pub struct Pairs {
    /// The games whose partner does not count, by seed and A's seat.
    halves: HashMap<(u64, usize), Half>,
    /// The seeds of games that a bot lost on time because of the machine's delays, with A's seat. Their pairs do not
    /// count.
    late: HashSet<(u64, usize)>,
    /// The numbers of the games that will never count, apart from [`Pairs::halves`].
    left_out: HashSet<usize>,
    /// Number of games that count and that a bot lost by a failure.
    pub failed: u64,
    /// The score of the complete pairs. These are the only games that count.
    pub score: Score,
    /// Results of the same games by A's seat.
    pub by_seat: [Results; 2],
}

/// A game whose partner has not been played, or does not count.
#[derive(Clone)]
struct Half {
    /// The number of the game.
    number: usize,
    /// The points of A and B.
    points: [f64; 2],
    has_failed: bool,
}

/// Whether a game counts in its match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    Counts,
    /// The game will count as soon as its partner is over.
    Waits,
    /// A bot was late in it or in its partner because of the machine's delays, or it is a game of other bots.
    LeftOut,
}

impl Standing {
    /// The name of [`Standing::LeftOut`] in addresses.
    pub const UNCOUNTED: &str = "uncounted";

    /// Returns the name in addresses and the words in lists of a game that does not count.
    pub fn words(self) -> Option<[&'static str; 2]> {
        match self {
            Standing::Counts => None,
            Standing::Waits => Some(["waiting", "without partner"]),
            Standing::LeftOut => Some([Standing::UNCOUNTED, "not counted"]),
        }
    }
}

impl Pairs {
    /// Creates an empty set of pairs for games like this one.
    pub fn like(record: &Record) -> Pairs {
        let ranked_by = match find(&record.game) {
            Some(contest) => ContestHost::new(contest).ranked_by(),
            None if record.is_external() => RankedBy::Wins,
            None => RankedBy::Points,
        };
        Pairs { score: Score::new(ranked_by), ..Pairs::default() }
    }

    /// Adds the number of a game that does not count, for example a game of other bots.
    pub fn leave_out(&mut self, number: usize) {
        self.left_out.insert(number);
    }

    /// Adds a game in which A had this seat. Returns whether a pair is complete with this game.
    pub fn add(&mut self, record: &Record, number: usize, seat: usize) -> bool {
        if record.is_overloaded() {
            self.late.insert((record.seed, seat));
            self.leave_out(number);
            return false;
        }
        self.late.remove(&(record.seed, seat));
        // An external referee always reports ranks, but not always points.
        let points = [seat, 1 - seat].map(|seat| match &record.seats[seat] {
            seat if record.is_external() => -f64::from(seat.rank),
            seat => seat.points.unwrap_or_default(),
        });
        let has_failed = record.seats.iter().any(|seat| seat.ending.is_failure());
        let Some(partner) = self.halves.remove(&(record.seed, 1 - seat)) else {
            let half = Half { number, points, has_failed };
            if let Some(earlier) = self.halves.insert((record.seed, seat), half) {
                self.leave_out(earlier.number);
            }
            return false;
        };
        self.failed += u64::from(partner.has_failed) + u64::from(has_failed);
        self.score.push([partner.points, points]);
        for (seat, [own, other]) in [(1 - seat, partner.points), (seat, points)] {
            self.by_seat[seat].push(GameResult::of(own, other));
        }
        true
    }

    /// Returns the numbers of the games whose partner does not count, each with whether it may still count.
    fn halves(&self) -> impl Iterator<Item = (usize, bool)> {
        self.halves.iter().map(|((seed, seat), half)| (half.number, !self.late.contains(&(*seed, 1 - seat))))
    }

    /// Returns the number of games whose partner has not been played yet.
    pub fn waiting(&self) -> u64 {
        self.halves().filter(|(_, waits)| *waits).count() as u64
    }

    /// Returns A's results in the games whose partner has not been played yet.
    pub fn waiting_results(&self) -> Results {
        let mut results = Results::default();
        for ((seed, seat), Half { points: [own, other], .. }) in &self.halves {
            if !self.late.contains(&(*seed, 1 - seat)) {
                results.push(GameResult::of(*own, *other));
            }
        }
        results
    }

    /// Returns the number of games that will never count.
    pub fn uncounted(&self) -> u64 {
        (self.left_out.len() + self.halves().filter(|(_, waits)| !waits).count()) as u64
    }

    /// Returns the number of games that count.
    pub fn counted(&self) -> u64 {
        2 * self.score.pairs()
    }

    /// Returns whether a game counts.
    pub fn standing(&self, number: usize) -> Standing {
        match self.halves().find(|half| half.0 == number) {
            _ if self.left_out.contains(&number) => Standing::LeftOut,
            None => Standing::Counts,
            Some((_, true)) => Standing::Waits,
            Some((_, false)) => Standing::LeftOut,
        }
    }

    /// Returns whether the results say nothing about strength because of failures: in most of the games that count,
    /// or in most of all games as long as only a few pairs count.
    pub fn are_broken(&self, failures: &Tally) -> bool {
        match self.score.pairs() {
            FEW_PAIRS.. => are_most(self.failed, self.counted()),
            _ => failures.is_broken(),
        }
    }

    /// Returns whether games count that no failure decided, so that a review can show how they were lost.
    pub fn are_reviewable(&self) -> bool {
        self.failed < self.counted()
    }

    /// Returns the rule which games count, with the numbers of this match.
    pub fn rule(&self) -> String {
        let counted = self.counted();
        let all = counted + self.waiting() + self.uncounted();
        let failed = match self.failed {
            0 => String::new(),
            failed => format!(
                " A bot that fails in a game that counts loses it ({}).",
                count(failed, "game", "games")
            ),
        };
        if counted == all {
            return format!("{} count.{failed}", capitalised(&all_games(all)));
        }
        format!(
            "{} of {} count: a game counts if both games of its pair are over, and if in neither of them a busy machine \
             made a bot late.{failed}",
            grouped(counted),
            count(all, "game", "games")
        )
    }
}

/// Returns A's lead with its 95% interval: points per game, or the percentage of wins, where a draw counts as half a
/// win.
pub fn estimate(score: &Score) -> Option<(f64, Option<Interval>)> {
    let Estimate { mean, interval, .. } = score.estimate();
    let shown = |value: f64| match score.ranked_by {
        RankedBy::Points | RankedBy::Rank => value,
        RankedBy::Wins => 100.0 * value,
    };
    Some((shown(mean?), interval.map(|interval| interval.map(shown))))
}

/// Returns the value of [`estimate`] between equally strong bots.
pub fn even(score: &Score) -> f64 {
    match score.ranked_by {
        RankedBy::Points | RankedBy::Rank => 0.0,
        RankedBy::Wins => 50.0,
    }
}

/// Returns A's lead in Elo, and the ends of its 95% interval. `None` if the lead is infinite.
pub fn elo(score: &Score) -> Option<[f64; 3]> {
    let elo = score.pentanomial.elo(0.95).filter(|elo| elo.elo.is_finite())?;
    let ends = elo.interval.map_or([f64::NEG_INFINITY, f64::INFINITY], |of| [of.low, of.high]);
    Some([elo.elo, ends[0], ends[1]])
}

/// Returns the finite end of the interval of A's infinite lead in Elo, for example `at least +486 Elo`. `None` if the
/// lead is finite, or if wins don't count.
pub fn bound(score: &Score) -> Option<String> {
    let lead = score.pentanomial.elo(0.95).filter(|lead| lead.elo.is_infinite())?;
    let (words, end) = match lead.interval? {
        Interval { low, .. } if lead.elo > 0.0 => ("at least", low),
        Interval { high, .. } => ("at most", high),
    };
    (score.ranked_by == RankedBy::Wins && end.is_finite()).then(|| format!("{words} {} Elo", signed(end, 0)))
}

/// Returns A's lead with its interval: in points per game, or in Elo if that is finite.
pub fn amount(score: &Score) -> Option<String> {
    match score.ranked_by {
        RankedBy::Points | RankedBy::Rank => {
            let (value, interval) = estimate(score)?;
            let Interval { low, high } = interval?;
            let digits = point_digits(high - low);
            let [value, low, high] = [value, low, high].map(|value| signed(value, digits));
            Some(format!("{value} points per game (95% interval {low} to {high})"))
        }
        RankedBy::Wins => elo(score).map(lead_text),
    }
}

/// Returns the number of decimal places of a lead in points whose interval has this width.
fn point_digits(width: f64) -> usize {
    match width {
        _ if width >= 20.0 => 0,
        _ if width >= 2.0 => 1,
        _ => 2,
    }
}

/// Formats an end of an interval in Elo.
fn elo_end(value: f64) -> String {
    match value {
        _ if value.is_finite() => signed(value, 0),
        _ if value > 0.0 => "∞".to_string(),
        _ => "-∞".to_string(),
    }
}

/// Formats a lead in Elo with its interval.
fn lead_text([lead, low, high]: [f64; 3]) -> String {
    format!("{} Elo (95% interval {} to {})", signed(lead, 0), elo_end(low), elo_end(high))
}

/// The verdict on a match as a list shows it.
pub struct Short {
    /// `stronger`, `weaker` or `undecided`.
    pub word: &'static str,
    /// The 95% interval of A's lead with its unit, for example `+186 to +306 Elo`, or its finite end if the lead is
    /// infinite. Empty if both ends are infinite.
    pub range: String,
    /// The lead with its whole interval.
    pub details: String,
}

impl Short {
    /// Returns the verdict on these pairs, or `None` if they are too few.
    pub fn of(score: &Score) -> Option<Short> {
        let Interval { low, high } = estimate(score)?.1?;
        let even = even(score);
        let word = match () {
            () if low > even => "stronger",
            () if high < even => "weaker",
            () => "undecided",
        };
        let range = match score.ranked_by {
            RankedBy::Points | RankedBy::Rank => {
                let [low, high] = [low, high].map(|end| signed(end, point_digits(high - low)));
                format!("{low} to {high} points")
            }
            RankedBy::Wins => match elo(score) {
                Some([_, low, high]) => format!("{} to {} Elo", elo_end(low), elo_end(high)),
                None => bound(score).unwrap_or_default(),
            },
        };
        Some(Short { word, range, details: amount(score).unwrap_or_default() })
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use contender_play::{Ending, Seat};

    /// Returns the score of pairs between bots, of which A wins both games, one game or no game.
    pub fn score(ranked_by: RankedBy, [both, one, none]: [usize; 3]) -> Score {
        let mut score = Score::new(ranked_by);
        let pairs = [([[1.0, 0.0]; 2], both), ([[1.0, 0.0], [0.0, 1.0]], one), ([[0.0, 1.0]; 2], none)];
        for (points, count) in pairs {
            (0..count).for_each(|_| score.push(points));
        }
        score
    }

    #[test]
    fn a_list_shows_a_verdict_with_its_interval() {
        let of = |ranked_by, pairs| Short::of(&score(ranked_by, pairs)).unwrap();
        let clear = of(RankedBy::Wins, [30, 15, 5]);
        assert!(clear.range.starts_with('+') && clear.range.ends_with(" Elo"), "{}", clear.range);
        assert_eq!(clear.word, "stronger");
        assert!(clear.details.contains("95% interval"), "{}", clear.details);
        let open = of(RankedBy::Wins, [6, 5, 5]);
        assert!(open.word == "undecided" && open.range.starts_with('−') && open.range.contains(" to +"));
        let all = of(RankedBy::Wins, [9, 0, 0]);
        assert_eq!(all.word, "stronger");
        assert!(all.range.starts_with("at least +") && all.range.ends_with(" Elo"), "{}", all.range);
        let none = of(RankedBy::Wins, [0, 0, 9]);
        assert!(none.word == "weaker" && none.range.starts_with("at most −"), "{}", none.range);
        let points = of(RankedBy::Points, [0, 5, 25]);
        assert!(points.word == "weaker" && points.range.starts_with("−0."), "{}", points.range);
        assert!(Short::of(&score(RankedBy::Wins, [1, 0, 0])).is_none());
    }

    /// Failures in games that do not count hide no result, as soon as a few pairs count.
    #[test]
    fn failures_hide_results_only_in_games_that_count() {
        let mut failures = Tally::default();
        (failures.games, failures.failed) = (20, 12);
        let broken = |count, failed| {
            let pairs = Pairs { score: score(RankedBy::Wins, [count, 0, 0]), failed, ..Pairs::default() };
            pairs.are_broken(&failures)
        };
        assert_eq!(
            [(3, 0), (4, 0), (4, 3), (4, 4)].map(|(pairs, failed)| broken(pairs, failed)),
            [true, false, false, true]
        );
    }

    /// Each game counts, waits for its partner, or is left out. A failure counts only in a game that counts.
    #[test]
    fn one_rule_decides_which_games_count() {
        let mut pairs = Pairs { score: Score::new(RankedBy::Wins), ..Pairs::default() };
        let busy = || Ending::Overloaded { limit_ms: 1, overrun_ms: Some(1), delay_ms: 1, stolen_ms: 0 };
        let slow = || Ending::Timeout { limit_ms: 1, overrun_ms: Some(1) };
        let game = |seed, ending| {
            let seats = vec![Seat { ending, ..Seat::default() }, Seat::default()];
            Record { seed, seats, ..Record::default() }
        };
        let games = [
            (game(1, slow()), 0),
            (game(1, busy()), 1),
            (game(2, slow()), 0),
            (game(2, Ending::Normal), 1),
            (game(3, slow()), 0),
        ];
        for (at, (record, seat)) in games.iter().enumerate() {
            pairs.add(record, at + 1, *seat);
        }
        pairs.leave_out(6);
        use Standing::{Counts, LeftOut, Waits};
        let standings: Vec<Standing> = (1..=6).map(|number| pairs.standing(number)).collect();
        assert_eq!(standings, [LeftOut, LeftOut, Counts, Counts, Waits, LeftOut]);
        assert_eq!([pairs.counted(), pairs.waiting(), pairs.uncounted(), pairs.failed], [2, 1, 3, 1]);
        // The partner of game 1 was late, so only game 5 waits.
        assert_eq!(pairs.waiting_results(), Results { draws: 1, ..Results::default() });
        let rule = pairs.rule();
        assert!(rule.starts_with("2 of 6 games count: ") && rule.ends_with("loses it (1 game)."), "{rule}");
        let mut whole = Pairs { score: Score::new(RankedBy::Wins), ..Pairs::default() };
        games[2..4].iter().enumerate().for_each(|(at, (record, seat))| _ = whole.add(record, at, *seat));
        let short = "Both games count. A bot that fails in a game that counts loses it (1 game).";
        assert_eq!(whole.rule(), short);
        // The late game is played again, so its pair counts.
        pairs.add(&game(1, Ending::Normal), 7, 1);
        assert_eq!([1, 2, 7].map(|number| pairs.standing(number)), [Counts, LeftOut, Counts]);
        assert_eq!(pairs.failed, 2);
    }

    #[test]
    fn a_wide_interval_has_fewer_decimal_places() {
        assert_eq!([0.4, 2.0, 19.0, 300.0].map(point_digits), [2, 1, 1, 0]);
    }
}
