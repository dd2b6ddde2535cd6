//! Answers that came too late: by how much, and which time limit would have been enough.

use super::Failing;
use crate::text::{round_time, short_time};
use contender_play::{Ending, Seat};
use std::collections::VecDeque;
use std::time::Duration;

/// Maximum number of late answers to keep per failing bot: the latest ones.
const MAX_LATE: usize = 200;
/// The share of late answers for which a suggested time is enough. The rest are outliers.
const TYPICAL: f64 = 0.9;
/// Minimum number of late answers of a bot from which a time is suggested that only rises.
const MIN_STABLE: usize = 8;
/// Time limits below this time may be too short for a bot even if the machine is idle.
const SHORT_LIMIT: Duration = Duration::from_millis(50);

/// Time limits below this time are so short that the delays of any machine make bots late.
pub const VERY_SHORT: Duration = Duration::from_millis(10);

/// An answer that came too late.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LateAnswer {
    /// The time limit. Logs contain it in whole milliseconds, rounded up.
    pub limit: Duration,
    /// The time of the answer.
    pub time: Duration,
    /// Whether the limit is known to be that of a first answer, which is longer than the one of other answers.
    pub is_first: bool,
}

impl LateAnswer {
    /// Returns the late answer that ended a game. `limit` is the exact time limit per move, if it is known.
    pub fn of(seat: &Seat, limit: Option<Duration>) -> Option<LateAnswer> {
        let (Ending::Timeout { limit_ms, overrun_ms } | Ending::Overloaded { limit_ms, overrun_ms, .. }) =
            &seat.ending
        else {
            return None;
        };
        let [logged, overrun] = [*limit_ms, (*overrun_ms)?].map(Duration::from_millis);
        let is_logged = |limit: &Duration| limit.as_micros().div_ceil(1000) == u128::from(*limit_ms);
        // A record with times has the exact time of the answer. The logged times are up to 1 ms longer.
        let is_answer = |time: &Duration| {
            *time <= logged + overrun && *time + Duration::from_millis(2) > logged + overrun
        };
        let is_first = limit.is_some_and(|limit| limit < logged && !is_logged(&limit));
        let limit = limit.filter(is_logged).unwrap_or(logged);
        let time = seat.times.last().copied().filter(is_answer).unwrap_or(logged + overrun);
        Some(LateAnswer { limit, time, is_first })
    }

    /// Returns by how much the answer exceeded its limit.
    pub fn overrun(&self) -> Duration {
        self.time.saturating_sub(self.limit)
    }

    /// Returns the time of the answer as a share of its limit.
    fn ratio(&self) -> f64 {
        self.time.as_secs_f64() / self.limit.as_secs_f64().max(1e-6)
    }
}

/// Returns how a bot failed, with the exact delay of a late answer. `limit` is the exact time limit per move, if it is
/// known.
pub fn exact(seat: &Seat, limit: Option<Duration>) -> String {
    let logged = seat.ending.to_string();
    let (Some(late), Some((before, after))) = (
        LateAnswer::of(seat, limit),
        logged.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(" ms")?.1))),
    ) else {
        return logged;
    };
    // The details begin with the delay and the limit, which the log rounds up to milliseconds.
    let Some((_, rest)) = after.split_once(" ms") else { return logged };
    let delay = match late.overrun() {
        Duration::ZERO => {
            format!("after {}, over a limit below {}", short_time(late.time), round_time(late.limit))
        }
        overrun => format!("{} over the limit of {}", short_time(overrun), round_time(late.limit)),
    };
    format!("{before}({delay}{rest}")
}

/// The late answers of one bot, or of all bots.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LateAnswers {
    /// The latest answers.
    all: VecDeque<LateAnswer>,
    /// The highest typical answer to the shortest limit so far, after [`MIN_STABLE`] answers.
    highest: Option<LateAnswer>,
}

impl LateAnswers {
    /// Returns the late answers of all these bots.
    pub fn of_all(bots: &[Failing]) -> LateAnswers {
        let highest = bots.iter().filter_map(|bot| bot.late.highest);
        LateAnswers {
            all: bots.iter().flat_map(|bot| &bot.late.all).copied().collect(),
            highest: highest.max_by(|one, other| one.ratio().total_cmp(&other.ratio())),
        }
    }

    /// Adds an answer, and forgets the first one if there are too many.
    pub fn add(&mut self, answer: LateAnswer) {
        if self.all.len() == MAX_LATE {
            self.all.pop_front();
        }
        self.all.push_back(answer);
        let Some(shortest) = self.all.iter().map(|of| of.limit).min() else { return };
        let usual = self.filter(|of| of.limit == shortest);
        if usual.all.len() >= MIN_STABLE
            && let Some(typical) = usual.typical()
            && self.highest.is_none_or(|highest| highest.ratio() < typical.ratio())
        {
            self.highest = Some(typical);
        }
    }

    /// Returns the answers that meet a condition.
    pub fn filter(&self, is_wanted: impl Fn(&LateAnswer) -> bool) -> LateAnswers {
        LateAnswers {
            all: self.all.iter().filter(|of| is_wanted(of)).copied().collect(),
            highest: self.highest.filter(&is_wanted),
        }
    }

    /// Returns the late answer that only a few outliers exceed: the 90th percentile by share of the time limit, rounded
    /// down.
    pub fn typical(&self) -> Option<LateAnswer> {
        let mut all: Vec<LateAnswer> = self.all.iter().copied().collect();
        all.sort_by(|one, other| one.ratio().total_cmp(&other.ratio()));
        all.get((TYPICAL * all.len().saturating_sub(1) as f64) as usize).copied()
    }

    /// Returns whether there are enough answers for a time that only rises, or none that could change it.
    pub fn is_stable(&self) -> bool {
        self.highest.is_some() || self.all.is_empty()
    }

    /// Returns the late answer from which a time limit follows. If the answers are stable, it only gets slower while
    /// more games are played.
    pub fn decisive(&self) -> Option<LateAnswer> {
        self.highest.or_else(|| self.typical())
    }

    /// Returns by how much the latest answer exceeded its limit.
    pub fn latest(&self) -> Option<Duration> {
        self.all.iter().map(LateAnswer::overrun).max()
    }

    /// Returns whether at least half of the answers exceeded a limit that delays of the machine alone can exceed.
    pub fn has_very_short_limit(&self) -> bool {
        let short = self.all.iter().filter(|of| of.limit < VERY_SHORT).count();
        short > 0 && 2 * short >= self.all.len()
    }

    /// Returns the limit that is only known rounded up, because an answer was late although it kept the rounded limit.
    pub fn rounded_limit(&self) -> Option<Duration> {
        self.all.iter().find(|of| of.time <= of.limit).map(|of| of.limit)
    }

    /// Returns whether most of the answers were first answers, which get no more time if there is more time per move.
    pub fn are_first(&self) -> bool {
        2 * self.all.iter().filter(|of| of.is_first).count() > self.all.len()
    }

    /// Returns the shortest time limit that was exceeded in words, if it is so short that it may be too short for a
    /// bot, and at least half of the answers exceeded it.
    pub fn short_limit(&self) -> Option<String> {
        let shortest = self.all.iter().map(|of| of.limit).min()?;
        let are_most = 2 * self.all.iter().filter(|of| of.limit == shortest).count() >= self.all.len();
        let bound = if self.rounded_limit() == Some(shortest) { "less than " } else { "" };
        (shortest < SHORT_LIMIT && are_most).then(|| format!("{bound}{}", round_time(shortest)))
    }

    /// Returns how late the answers were, for each limit that they exceeded, if it is known. `rounded` is a limit that
    /// is only known rounded up.
    pub fn delay(&self, rounded: Option<Duration>) -> Option<String> {
        let mut limits: Vec<Duration> = self.all.iter().map(|of| of.limit).collect();
        limits.sort();
        limits.dedup();
        let delays: Vec<String> = limits
            .into_iter()
            .filter_map(|limit| self.filter(|of| of.limit == limit).delay_over(rounded))
            .collect();
        (!delays.is_empty()).then(|| delays.join("; "))
    }

    /// Returns how late these answers were, which exceeded one limit.
    fn delay_over(&self, rounded: Option<Duration>) -> Option<String> {
        let mut all: Vec<LateAnswer> = self.all.iter().copied().collect();
        all.sort_by_key(|of| of.time);
        let most = *all.last()?;
        let middle = [(all.len() - 1) / 2, all.len() / 2].map(|at| all[at].overrun());
        let median = (middle[0] + middle[1]) / 2;
        let [median_time, time] = [median, most.overrun()].map(short_time);
        let limit = round_time(most.limit);
        Some(match self.all.len() {
            _ if rounded == Some(most.limit) => format!("the slowest after {}", short_time(most.time)),
            1 => format!("{time} over the limit of {limit}"),
            2 => format!("at most {time} over the limit of {limit}"),
            _ if most.overrun() > median => {
                format!("median {median_time}, slowest {time} over the limit of {limit}")
            }
            _ => format!("at most {time} over the limit of {limit}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(limit_ms: u64, overrun_ms: u64) -> Seat {
        let ending = Ending::Timeout { limit_ms, overrun_ms: Some(overrun_ms) };
        Seat { ending, ..Seat::default() }
    }

    fn answers(all: impl IntoIterator<Item = (u64, u64)>, limit: Option<Duration>) -> LateAnswers {
        let mut late = LateAnswers::default();
        for (limit_ms, overrun_ms) in all {
            late.add(LateAnswer::of(&seat(limit_ms, overrun_ms), limit).unwrap());
        }
        late
    }

    /// Delays are compared with the limit. A few outliers don't decide the suggested time.
    #[test]
    fn a_late_bot_has_its_delay() {
        let delay = |all: &[(u64, u64)]| {
            let late = answers(all.iter().copied(), None);
            (late.delay(None).unwrap(), late.typical().unwrap().time.as_millis())
        };
        let of = |words: &str, time| (words.to_string(), time);
        assert_eq!(LateAnswers::default().typical(), None);
        assert_eq!(delay(&[(3, 5), (3, 5)]), of("at most 5.0 ms over the limit of 3 ms", 8));
        let outlier = "median 5.0 ms, slowest 900 ms over the limit of 3 ms";
        assert_eq!(delay(&[(3, 5), (3, 5), (3, 900)]), of(outlier, 8));
        let ten: Vec<(u64, u64)> = (1..=10).map(|overrun| (100, overrun)).collect();
        assert_eq!(delay(&ten).1, 109);
        let many = answers((0..2 * MAX_LATE).map(|_| (3, 1)), None);
        assert_eq!(many.all.len(), MAX_LATE);
    }

    /// A log rounds limits and delays up to whole milliseconds, and the exact times of the answers are next to them.
    #[test]
    fn delays_are_not_rounded_to_milliseconds() {
        let late = |limit_ms, overrun_ms, micros, exact: Option<u64>| {
            let times = vec![Duration::from_micros(90), Duration::from_micros(micros)];
            let seat = Seat { times, ..seat(limit_ms, overrun_ms) };
            let mut late = LateAnswers::default();
            late.add(LateAnswer::of(&seat, exact.map(Duration::from_micros)).unwrap());
            (late.delay(late.rounded_limit()).unwrap(), late.short_limit().unwrap())
        };
        let of = |delay: &str, limit: &str| (delay.to_string(), limit.to_string());
        assert_eq!(late(1, 1, 630, Some(200)), of("0.43 ms over the limit of 0.2 ms", "0.2 ms"));
        assert_eq!(late(1, 1, 630, None), of("the slowest after 0.63 ms", "less than 1 ms"));
        assert_eq!(late(1, 5, 5300, None), of("4.3 ms over the limit of 1 ms", "1 ms"));
        // A first move has a limit of its own.
        assert_eq!(late(20, 5, 24_600, Some(200)), of("4.6 ms over the limit of 20 ms", "20 ms"));
    }

    /// A suggested time only rises after enough answers. Before, it follows them.
    #[test]
    fn a_suggested_time_only_rises() {
        let of = |overruns: &[u64]| {
            let late = answers(overruns.iter().map(|overrun| (10, *overrun)), None);
            (late.decisive().unwrap().time.as_millis(), late.is_stable())
        };
        let few = [9, 1, 1, 1, 1, 1, 1];
        assert_eq!([of(&few[..1]), of(&few)], [(19, false), (11, false)]);
        let many = [few.as_slice(), &[9; 9], &[1; 190]].concat();
        assert_eq!([of(&many[..7 + 9]), of(&many)], [(19, true); 2]);
    }

    /// All pages have the exact delays.
    #[test]
    fn a_delay_is_exact_in_words() {
        let words = |ending, micros, limit: Option<u64>| {
            let times = vec![Duration::from_micros(micros)];
            exact(&Seat { times, ending, ..Seat::default() }, limit.map(Duration::from_micros))
        };
        let late = || Ending::Timeout { limit_ms: 1, overrun_ms: Some(1) };
        assert_eq!(words(late(), 1480, None), "loses on time (0.48 ms over the limit of 1 ms)");
        assert_eq!(words(late(), 630, Some(200)), "loses on time (0.43 ms over the limit of 0.2 ms)");
        assert_eq!(words(late(), 630, None), "loses on time (after 0.63 ms, over a limit below 1 ms)");
        let busy = Ending::Overloaded { limit_ms: 20, overrun_ms: Some(2), delay_ms: 7, stolen_ms: 0 };
        let busy = words(busy, 21_400, None);
        assert!(
            busy.ends_with("(1.4 ms over the limit of 20 ms; the bot waited 7 ms for its core)"),
            "{busy}"
        );
        let silent = Ending::Timeout { limit_ms: 9, overrun_ms: None };
        assert_eq!(words(silent.clone(), 0, None), silent.to_string());
    }

    /// Delays are compared with the limits that they exceeded. More time per move helps no first answer.
    #[test]
    fn first_answers_are_apart() {
        let limit = Some(Duration::from_millis(20));
        let first = [(20, 3), (1000, 650), (1000, 219)];
        let late = answers(first, limit);
        let words = "3.0 ms over the limit of 20 ms; at most 650 ms over the limit of 1 s";
        assert_eq!(late.delay(None).unwrap(), words);
        assert!(late.are_first() && late.short_limit().is_none());
        let late = answers(first.into_iter().chain([(20, 3), (20, 3)]), limit);
        assert!(!late.are_first() && late.short_limit().is_some());
    }

    #[test]
    fn only_short_limits_may_be_too_short() {
        assert_eq!(answers([(100, 9)], None).short_limit(), None);
        let both = answers([(100, 9), (1, 9)], None);
        assert_eq!(both.short_limit().unwrap(), "1 ms", "the limit of a first move is longer");
    }
}
