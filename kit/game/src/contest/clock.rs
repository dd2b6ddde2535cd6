//! Limits for a bot, and the clock with which the bot measures its time.

use std::time::{Duration, Instant};

/// The limits for a bot's answers. `None` means no limit.
///
/// ```
/// use contender_game::contest::Limits;
/// use std::time::Duration;
///
/// let codingame = Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(100));
/// assert_eq!(codingame.for_turn(true), Some(Duration::from_millis(1000)));
/// // At a tenth of the time, the first turn is shorter, too.
/// let short = codingame.with_main(Duration::from_millis(10));
/// assert_eq!(short.for_turn(true), Some(Duration::from_millis(100)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time for the first answer of a game, if it differs from the time for later answers.
    pub first_turn: Option<Duration>,
    /// Time for every answer, or for every later answer if `first_turn` is set.
    pub turn: Option<Duration>,
    /// Total time for all answers of a game.
    pub game: Option<Duration>,
    /// Maximum number of nodes or iterations per answer. A bot with this limit ignores the clock, so its play is
    /// reproducible.
    pub nodes: Option<u64>,
}

impl Limits {
    /// No limits.
    pub const NONE: Limits = Limits { first_turn: None, turn: None, game: None, nodes: None };

    /// Creates limits with a total time for all answers of a game, as on CodeCup.
    #[must_use]
    pub const fn per_game(game: Duration) -> Limits {
        Limits { game: Some(game), ..Limits::NONE }
    }

    /// Creates limits with a time for the first answer and a time for each later answer, as on CodinGame.
    #[must_use]
    pub const fn per_turn(first_turn: Duration, turn: Duration) -> Limits {
        Limits { first_turn: Some(first_turn), turn: Some(turn), ..Limits::NONE }
    }

    /// Creates limits with a maximum number of nodes or iterations per answer.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::NONE }
    }

    /// Returns the main time limit: the limit for the whole game if there is one, otherwise the limit for one answer.
    #[must_use]
    pub fn main(&self) -> Option<Duration> {
        self.game.or(self.turn)
    }

    /// Returns these limits with another main limit. If the new limit is shorter than the old one, the other limits
    /// shrink in proportion. If the new limit is longer, the other limits stay as they are. If there was no main limit,
    /// `time` becomes the limit for every answer.
    #[must_use]
    pub fn with_main(self, time: Duration) -> Limits {
        let Some(main) = self.main() else { return Limits { turn: Some(time), ..self } };
        let share = (time.as_secs_f64() / main.as_secs_f64().max(f64::MIN_POSITIVE)).min(1.0);
        let scaled = Limits {
            first_turn: self.first_turn.map(|limit| limit.mul_f64(share)),
            turn: self.turn.map(|limit| limit.mul_f64(share)),
            ..self
        };
        if self.game.is_some() {
            Limits { game: Some(time), ..scaled }
        } else {
            Limits { turn: Some(time), ..scaled }
        }
    }

    /// Returns the time limit for one answer, ignoring the limit for the game.
    #[must_use]
    pub fn for_turn(&self, is_first: bool) -> Option<Duration> {
        self.first_turn.filter(|_| is_first).or(self.turn)
    }
}

/// A stopwatch that measures a bot's thinking time during one game.
///
/// ```
/// use contender_game::contest::{Clock, Limits};
/// use std::time::Duration;
///
/// let mut clock = Clock::new(Limits::per_game(Duration::from_secs(30)));
/// clock.start_turn();
/// // Think...
/// clock.end_turn();
/// assert_eq!(clock.turns_before(), 1);
/// assert!(clock.game_left().unwrap() <= Duration::from_secs(30));
/// ```
#[derive(Clone, Debug)]
pub struct Clock {
    limits: Limits,
    turn_start: Instant,
    /// Total time of the turns before this one.
    used: Duration,
    turns_before: u32,
}

impl Clock {
    /// Creates the clock for a new game and starts the first turn.
    #[must_use]
    pub fn new(limits: Limits) -> Clock {
        Clock { limits, turn_start: Instant::now(), used: Duration::ZERO, turns_before: 0 }
    }

    /// Sets the clock to the middle of a game, after `turns` turns that took `used` in total.
    #[must_use]
    pub fn after(mut self, turns: u32, used: Duration) -> Clock {
        self.turns_before = turns;
        self.used = used;
        self
    }

    /// Starts a turn. Call this function when a question arrives.
    pub fn start_turn(&mut self) {
        self.turn_start = Instant::now();
    }

    /// Ends a turn and adds its duration to the time used in the game. Call this function when the answer is ready.
    pub fn end_turn(&mut self) {
        self.used += self.turn_start.elapsed();
        self.turns_before += 1;
    }

    /// Returns the limits of the clock.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the limit of nodes or iterations for this move, if any.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// Returns the number of turns before the current one.
    #[must_use]
    pub fn turns_before(&self) -> u32 {
        self.turns_before
    }

    /// Returns the time since the current turn started.
    #[must_use]
    pub fn turn_elapsed(&self) -> Duration {
        self.turn_start.elapsed()
    }

    /// Returns the instant at which the current turn started.
    #[must_use]
    pub fn turn_start(&self) -> Instant {
        self.turn_start
    }

    /// Returns the time that was left for the whole game when the current turn started, or `None` if the game has no
    /// time limit.
    #[must_use]
    pub fn game_left(&self) -> Option<Duration> {
        self.limits.game.map(|limit| limit.saturating_sub(self.used))
    }

    /// Returns the time limit for the current turn, measured from its start. This is the limit per turn or the time
    /// left for the game, whichever is smaller.
    #[must_use]
    pub fn turn_limit(&self) -> Option<Duration> {
        let turn = self.limits.for_turn(self.turns_before == 0);
        match (turn, self.game_left()) {
            (Some(turn), Some(game)) => Some(turn.min(game)),
            (turn, game) => turn.or(game),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn first_turn_differs_from_later_ones() {
        let mut clock = Clock::new(Limits::per_turn(1000 * MS, 100 * MS));
        assert_eq!(clock.turn_limit(), Some(1000 * MS));
        clock.end_turn();
        assert_eq!(clock.turn_limit(), Some(100 * MS));
    }

    #[test]
    fn another_time_scales_all_limits_and_lengthens_only_its_own() {
        let turns = Limits::per_turn(1000 * MS, 100 * MS);
        assert_eq!(turns.with_main(5 * MS), Limits::per_turn(50 * MS, 5 * MS));
        assert_eq!(turns.with_main(300 * MS), Limits::per_turn(1000 * MS, 300 * MS));
        let game = Limits { turn: Some(20 * MS), ..Limits::per_game(200 * MS) };
        assert_eq!(game.with_main(20 * MS), Limits { turn: Some(2 * MS), ..Limits::per_game(20 * MS) });
        assert_eq!(Limits::nodes(7).with_main(MS), Limits { turn: Some(MS), ..Limits::nodes(7) });
        assert_eq!((game.main(), turns.main()), (Some(200 * MS), Some(100 * MS)));
    }

    #[test]
    fn game_limit_shrinks_and_caps_the_turn() {
        let limits = Limits { turn: Some(20 * MS), ..Limits::per_game(30 * MS) };
        let clock = Clock::new(limits);
        assert_eq!(clock.turn_limit(), Some(20 * MS));
        assert_eq!(clock.clone().after(1, 25 * MS).turn_limit(), Some(5 * MS));
        assert_eq!(clock.after(2, 99 * MS).turn_limit(), Some(Duration::ZERO));
    }
}
