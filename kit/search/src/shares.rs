//! From a game's clock to the allowance of one search.

use crate::Allowance;
use contender_game::Clock;
use std::time::Duration;

/// How a bot divides the time of a game among its turns.
///
/// Where only each turn is limited, a turn takes its limit but for the margin. Where the game is limited, a turn takes a share of
/// what is left, by the weights of the turns to come, and never more than its own limit.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// How much a turn weighs, by its number (0 for the bot's first): equal shares by default, more in the phase of the game
    /// where depth decides. Positive.
    pub weight: fn(turn: u32) -> f64,
    /// The first turn's share is multiplied by this, for its empty table; 1 by default.
    pub first_turn: f64,
    /// Kept back in each turn for answering, and for the system to wake the bot up.
    pub margin: Duration,
    /// Kept back of the game's time, against turns that take longer than they should; a turn that finds only this left gets no
    /// time, and its search ends as soon as it can.
    pub reserve: Duration,
    /// No iteration starts after this part of the share, because it would hardly end; 0 to 1.
    pub soft: f64,
    /// The search stops after this many shares (but in time for the judge, and before the reserve), so that an iteration may end;
    /// at least 1.
    pub hard: f64,
}

impl Shares {
    /// Equal shares with a margin of 5 ms a turn and a reserve of 200 ms; iterations start in the first 60 % of a share and stop
    /// at the end of it.
    pub const EQUAL: Shares = Shares {
        weight: |_| 1.0,
        first_turn: 1.0,
        margin: Duration::from_millis(5),
        reserve: Duration::from_millis(200),
        soft: 0.6,
        hard: 1.0,
    };

    /// What the turn that the clock is in may take, if the bot will have `turns_left` turns, this one included.
    ///
    /// A bot with a node budget gets that and no deadline, so that its play is reproducible.
    #[must_use]
    pub fn allow(&self, clock: &Clock, turns_left: u32) -> Allowance {
        if let Some(nodes) = clock.nodes() {
            return Allowance::nodes(nodes);
        }
        let Some(limit) = clock.turn_limit() else { return Allowance::NONE };
        let times = self.times(limit, clock.game_left(), clock.turns_before(), turns_left.max(1));
        let [soft, hard] = times.map(|time| Some(clock.turn_start() + time));
        Allowance { soft, hard, ..Allowance::NONE }
    }

    /// The soft and the hard limit of a turn that may take `limit`, with so much `left` for the game.
    fn times(&self, limit: Duration, left: Option<Duration>, turn: u32, turns_left: u32) -> [Duration; 2] {
        let mut most = limit.saturating_sub(self.margin);
        let mut share = most;
        if let Some(left) = left {
            most = most.min(left.saturating_sub(self.reserve).saturating_sub(self.margin));
            share = self.share(left, turn, turns_left);
        }
        [self.soft.clamp(0.0, 1.0), self.hard.max(1.0)].map(|part| share.mul_f64(part).min(most))
    }

    /// This turn's share of the time `left` for the game.
    fn share(&self, left: Duration, turn: u32, turns_left: u32) -> Duration {
        let weigh = |turn: u32| {
            let extra = if turn == 0 { self.first_turn } else { 1.0 };
            (self.weight)(turn).max(f64::MIN_POSITIVE) * extra.max(f64::MIN_POSITIVE)
        };
        let total: f64 = (turn..turn.saturating_add(turns_left)).map(weigh).sum();
        let usable = left.saturating_sub(self.reserve).saturating_sub(self.margin.saturating_mul(turns_left));
        usable.mul_f64((weigh(turn) / total).min(1.0))
    }
}

impl Default for Shares {
    fn default() -> Shares {
        Shares::EQUAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::Limits;

    const MS: Duration = Duration::from_millis(1);

    fn clock(limits: Limits) -> Clock {
        Clock::new(limits)
    }

    fn hard(shares: &Shares, clock: &Clock, turns_left: u32) -> Duration {
        shares.allow(clock, turns_left).hard.unwrap() - clock.turn_start()
    }

    #[test]
    fn a_game_limit_is_shared_equally() {
        let clock = clock(Limits::per_game(30_000 * MS));
        // 30 s less the reserve of 0.2 s, less 50 margins of 5 ms, in 50 parts.
        assert_eq!(hard(&Shares::EQUAL, &clock, 50), 591 * MS);
        assert_eq!(
            Shares::EQUAL.allow(&clock, 50).soft.unwrap() - clock.turn_start(),
            Duration::from_micros(354_600)
        );
    }

    #[test]
    fn weights_move_time_between_phases_and_the_first_turn_may_get_more() {
        let limits = Limits::per_game(10_000 * MS);
        let shares = Shares { margin: Duration::ZERO, reserve: Duration::ZERO, ..Shares::EQUAL };
        let first = Shares { first_turn: 3.0, ..shares };
        assert_eq!(hard(&first, &clock(limits), 8), 3_000 * MS);
        let late = Shares { weight: |turn| if turn < 2 { 1.0 } else { 4.0 }, ..shares };
        assert_eq!(hard(&late, &clock(limits), 4), 1_000 * MS);
        let mut third = clock(limits);
        third.end_turn();
        third.end_turn();
        let time = hard(&late, &third, 2);
        assert!(time > 4_990 * MS && time <= 5_000 * MS, "{time:?}");
    }

    #[test]
    fn a_turn_limit_holds_whatever_the_share() {
        let shares = Shares::EQUAL;
        assert_eq!(hard(&shares, &clock(Limits::per_turn(1_000 * MS, 100 * MS)), 30), 995 * MS);
        let both = Limits { first_turn: None, turn: Some(100 * MS), ..Limits::per_game(10_000 * MS) };
        assert_eq!(hard(&shares, &clock(both), 1), 95 * MS);
        assert_eq!(
            hard(&Shares { hard: 5.0, ..shares }, &clock(Limits::per_turn(600 * MS, 600 * MS)), 1),
            595 * MS
        );
        assert_eq!(hard(&shares, &clock(Limits::per_game(100 * MS)), 10), Duration::ZERO);
    }

    /// Every turn takes all it may, to the last.
    #[test]
    fn the_reserve_is_left_at_the_end_and_every_turn_has_time() {
        let weights: [fn(u32) -> f64; 3] =
            [|_| 1.0, |turn| if turn < 40 { 1.2 } else { 0.3 }, |turn| 1.0 + f64::from(turn)];
        for weight in weights {
            for turns in [1, 2, 10, 50] {
                let shares = Shares { weight, hard: 1.5, ..Shares::EQUAL };
                let mut left = 30_000 * MS;
                for turn in 0..turns {
                    let [soft, hard] = shares.times(left, Some(left), turn, turns - turn);
                    assert!(soft > Duration::ZERO && soft <= hard, "{soft:?} in turn {turn} of {turns}");
                    left -= hard + shares.margin;
                }
                assert!(left >= shares.reserve, "{left:?} after {turns} turns");
            }
        }
    }

    #[test]
    fn a_node_budget_or_no_limit_sets_no_deadline() {
        let limits = Limits::per_game(600 * MS);
        let counted = Clock::new(Limits { nodes: Some(70), ..limits });
        assert_eq!(Shares::EQUAL.allow(&counted, 9), Allowance::nodes(70));
        assert_eq!(Shares::EQUAL.allow(&clock(Limits::NONE), 9), Allowance::NONE);
    }
}
