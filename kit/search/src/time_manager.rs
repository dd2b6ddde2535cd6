//! Time management: derives the limits of a search from a bot's clock.

use crate::SearchLimits;
use contender_game::{contest::Clock, settings};
use std::time::Duration;

/// The time management of a bot, which divides the time of a game among the turns.
///
/// If only turns have a limit, a turn may take its limit minus the margin. If the game has a limit, a turn takes a
/// share of the remaining time in proportion to the weights of the remaining turns, but never more than the limit per
/// turn. All reserves are fractions of a limit, so that a bot works with any time control.
///
/// ```
/// use contender_game::contest::{Clock, Limits};
/// use contender_search::TimeManager;
/// use std::time::Duration;
///
/// // 30 seconds for the game, of which 1.5 % are reserved, and 50 turns.
/// let clock = Clock::new(Limits::per_game(Duration::from_secs(30)));
/// let limits = TimeManager::EQUAL.limits(&clock, 50);
/// let longest = limits.hard.unwrap() - clock.turn_start();
/// assert!((longest.as_secs_f64() - 0.985 * 30.0 / 50.0).abs() < 0.001);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TimeManager {
    /// The weight of a turn, which must be positive. The bot's first turn has number 0. By default, all weights are
    /// equal; use larger weights for the phase of the game in which depth matters most.
    pub weight: fn(turn: u32) -> f64,
    /// Factor for the time of the first turn, in which the transposition table is still empty. The default is 1.
    pub first_turn: f64,
    /// The fraction of the limit per turn that is reserved for sending the answer and for delays of the operating
    /// system, from 0 to 1.
    pub margin: f64,
    /// The fraction of the limit per game that is reserved for the same purpose and for turns that take longer than
    /// planned, from 0 to 1. If only this reserve is left, the searches of all further turns end as soon as possible.
    pub reserve: f64,
    /// The fraction of a turn's share after which no new iteration starts, because it would rarely finish; from 0 to 1.
    pub soft: f64,
    /// The multiple of a turn's share after which the search is stopped, or earlier if the limit per turn or the
    /// reserve requires it. Usually at least 1, so that a running iteration can finish.
    pub hard: f64,
    /// Number of nodes or iterations per turn if there is no limit.
    pub unlimited: u64,
}

impl TimeManager {
    /// Equal shares, with a margin of 5 % of the limit per turn and a reserve of 1.5 % of the limit per game.
    /// Iterations start only in the first 60 % of a share and are stopped at its end. Without any limit, a turn gets
    /// 100,000 nodes.
    pub const EQUAL: TimeManager = TimeManager {
        weight: |_| 1.0,
        first_turn: 1.0,
        margin: 0.05,
        reserve: 0.015,
        soft: 0.6,
        hard: 1.0,
        unlimited: 100_000,
    };

    /// Returns the limits for the search in the current turn. `turns_left` is the number of the bot's remaining turns,
    /// including this one. If games differ in length, use the number of turns of a long game minus the turns so far,
    /// but at least 8, so that a game that goes on does not run out of time.
    ///
    /// If the bot has a node limit, the search gets this limit and no deadline, so that play is reproducible. Without
    /// any limit, the search gets [`unlimited`](TimeManager::unlimited) nodes and no deadline.
    #[must_use]
    pub fn limits(&self, clock: &Clock, turns_left: u32) -> SearchLimits {
        let limits = clock.limits();
        let turn = clock.turns_before();
        let of_turn = limits.for_turn(turn == 0).map(|limit| limit.mul_f64(1.0 - self.margin));
        let of_game = limits.game.zip(clock.game_left());
        let of_game = of_game.map(|(limit, left)| left.saturating_sub(limit.mul_f64(self.reserve)));
        let share = of_game.map(|usable| usable.mul_f64(self.part(turn, turns_left))).or(of_turn);
        match (limits.nodes, share) {
            (None, Some(share)) => {
                let [soft, hard] = [self.soft, self.hard].map(|part| {
                    let most = [of_turn, of_game].into_iter().flatten();
                    Some(clock.turn_start() + most.fold(share.mul_f64(part), Duration::min))
                });
                SearchLimits { soft, hard, ..SearchLimits::NONE }
            }
            (nodes, _) => SearchLimits::nodes(nodes.unwrap_or(self.unlimited)),
        }
    }

    /// Returns the current turn's share of the remaining time. `turns_left` counts the remaining turns, including this
    /// one.
    fn part(&self, turn: u32, turns_left: u32) -> f64 {
        let weigh = |turn: u32| (self.weight)(turn) * if turn == 0 { self.first_turn } else { 1.0 };
        let total: f64 = (turn..turn + turns_left.max(1)).map(weigh).sum();
        weigh(turn) / total
    }
}

impl Default for TimeManager {
    fn default() -> TimeManager {
        TimeManager::EQUAL
    }
}

settings! {
    /// The time setting of a bot, for contests that limit each turn.
    ///
    /// ```
    /// use contender_game::contest::{Clock, Limits};
    /// use contender_search::TurnShare;
    /// use std::time::Duration;
    ///
    /// let clock = Clock::new(Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(100)));
    /// let first_turn = TurnShare::of(0.5).limits(&clock).hard.unwrap() - clock.turn_start();
    /// assert_eq!(first_turn.as_millis(), 500);
    /// ```
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct TurnShare {
        /// Share of a turn's time that is used.
        time: f64 = 0.9, 0.01..=1.0;
    }
}

impl TurnShare {
    /// Creates the setting with this fraction.
    #[must_use]
    pub const fn of(time: f64) -> TurnShare {
        TurnShare { time }
    }

    /// Converts the setting to a time manager whose margin is the unused part of the limit per turn.
    #[must_use]
    pub fn manager(self) -> TimeManager {
        TimeManager { margin: 1.0 - self.time, ..TimeManager::EQUAL }
    }

    /// Returns the limits for the search in the current turn.
    #[must_use]
    pub fn limits(self, clock: &Clock) -> SearchLimits {
        self.manager().limits(clock, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::contest::Limits;

    const MS: Duration = Duration::from_millis(1);

    fn hard(manager: &TimeManager, clock: &Clock, turns_left: u32) -> Duration {
        manager.limits(clock, turns_left).hard.unwrap() - clock.turn_start()
    }

    fn near(time: Duration, expected: Duration) -> bool {
        time + Duration::from_micros(1) > expected && expected + Duration::from_micros(1) > time
    }

    #[test]
    fn a_game_limit_is_shared_equally() {
        let clock = Clock::new(Limits::per_game(30_000 * MS));
        // 30 s less 1.5 %, in 50 parts.
        assert!(near(hard(&TimeManager::EQUAL, &clock, 50), 591 * MS));
        let soft = TimeManager::EQUAL.limits(&clock, 50).soft.unwrap() - clock.turn_start();
        assert!(near(soft, Duration::from_micros(354_600)));
    }

    #[test]
    fn weights_move_time_between_phases_and_the_first_turn_may_get_more() {
        let clock = || Clock::new(Limits::per_game(10_000 * MS));
        let manager = TimeManager { reserve: 0.0, ..TimeManager::EQUAL };
        let first = TimeManager { first_turn: 3.0, ..manager };
        assert!(near(hard(&first, &clock(), 8), 3_000 * MS));
        let late = TimeManager { weight: |turn| if turn < 2 { 1.0 } else { 4.0 }, ..manager };
        assert!(near(hard(&late, &clock(), 4), 1_000 * MS));
        let mut third = clock();
        third.end_turn();
        third.end_turn();
        let time = hard(&late, &third, 2);
        assert!(time > 4_990 * MS && time <= 5_000 * MS, "{time:?}");
    }

    #[test]
    fn a_turn_limit_holds_whatever_the_share() {
        let clock = |limits| Clock::new(limits);
        let manager = TimeManager::EQUAL;
        assert!(near(hard(&manager, &clock(Limits::per_turn(1_000 * MS, 100 * MS)), 30), 950 * MS));
        let share = TurnShare::of(0.9).manager();
        assert!(near(hard(&share, &clock(Limits::per_turn(1_000 * MS, 100 * MS)), 1), 900 * MS));
        let both = Limits { turn: Some(100 * MS), ..Limits::per_game(10_000 * MS) };
        assert!(near(hard(&manager, &clock(both), 1), 95 * MS));
        let more = TimeManager { hard: 5.0, ..manager };
        assert!(near(hard(&more, &clock(Limits::per_turn(600 * MS, 600 * MS)), 1), 570 * MS));
        assert!(near(hard(&more, &clock(Limits::per_game(600 * MS)), 1), 591 * MS));
    }

    /// Returns the maximum time of each turn in a game, if every earlier turn has taken its maximum.
    fn plan(manager: &TimeManager, limits: Limits, turns: u32) -> Vec<Duration> {
        let mut used = Duration::ZERO;
        let mut plan = Vec::new();
        for turn in 0..turns {
            let clock = Clock::new(limits).after(turn, used);
            let time = hard(manager, &clock, turns - turn);
            plan.push(time);
            used += time;
        }
        plan
    }

    #[test]
    fn every_turn_has_time_at_a_hundredth_of_the_clock_and_the_reserve_is_left_at_the_end() {
        let weights: [fn(u32) -> f64; 3] =
            [|_| 1.0, |turn| if turn < 40 { 1.2 } else { 0.3 }, |turn| 1.0 + f64::from(turn)];
        for weight in weights {
            for (turns, percent) in
                [1, 2, 10, 50].into_iter().flat_map(|turns| [1, 5, 20, 100].map(|p| (turns, p)))
            {
                let manager = TimeManager { weight, hard: 1.5, ..TimeManager::EQUAL };
                let limit = 300 * percent * MS;
                let plan = plan(&manager, Limits::per_game(limit), turns);
                assert_eq!(plan.len(), turns as usize);
                assert!(!plan.contains(&Duration::ZERO), "{plan:?} of {turns} turns at {percent} %");
                let used: Duration = plan.iter().sum();
                assert!(used <= limit.mul_f64(1.0 - manager.reserve), "{used:?} after {turns} turns");
            }
        }
    }

    /// The time manager uses no absolute times: with a part of the clock, all times of the plan shrink by the same
    /// factor.
    #[test]
    fn a_part_of_the_clock_makes_the_same_plan_so_much_shorter() {
        let late: fn(u32) -> f64 = |turn| 1.0 + f64::from(turn);
        let all = [
            TimeManager::EQUAL,
            TimeManager {
                weight: late,
                first_turn: 3.0,
                reserve: 1.0 / 30.0,
                soft: 0.45,
                hard: 1.5,
                ..TimeManager::EQUAL
            },
            TurnShare::of(0.84).manager(),
        ];
        for manager in all {
            let limits = |percent: u32| match manager.margin > 0.1 {
                true => Limits::per_turn(1_000 * percent * MS, 50 * percent * MS),
                false => Limits::per_game(30_000 * percent * MS),
            };
            let whole = plan(&manager, limits(100), 25);
            for percent in [1, 5, 20] {
                let part = plan(&manager, limits(percent), 25);
                for (part, whole) in part.into_iter().zip(&whole) {
                    assert!(near(part, *whole * percent / 100), "{part:?} at {percent} % of {whole:?}");
                }
            }
        }
    }

    #[test]
    fn a_limit_of_nodes_or_none_sets_no_deadline() {
        let counted = Clock::new(Limits { nodes: Some(70), ..Limits::per_game(600 * MS) });
        assert_eq!(TimeManager::EQUAL.limits(&counted, 9), SearchLimits::nodes(70));
        assert_eq!(TimeManager::EQUAL.limits(&Clock::new(Limits::NONE), 9), SearchLimits::nodes(100_000));
    }
}
