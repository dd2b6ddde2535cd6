//! The limits of a bot, and its own view of its time.

use std::time::{Duration, Instant};

/// The limits of a bot's answers; `None` means no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time for the first answer of a game, if it differs from later ones.
    pub first_turn: Option<Duration>,
    /// For every answer (every later answer, if `first_turn` is set).
    pub turn: Option<Duration>,
    /// For all answers of one game together.
    pub game: Option<Duration>,
    /// Nodes or iterations for each answer, which make play reproducible: a bot with this limit ignores the clock.
    pub nodes: Option<u64>,
}

impl Limits {
    /// No limit at all.
    pub const NONE: Limits = Limits { first_turn: None, turn: None, game: None, nodes: None };

    /// One limit for all answers of a game together, as on CodeCup.
    #[must_use]
    pub const fn per_game(game: Duration) -> Limits {
        Limits { game: Some(game), ..Limits::NONE }
    }

    /// One limit for the first answer and one for each later answer, as on CodinGame.
    #[must_use]
    pub const fn per_turn(first_turn: Duration, turn: Duration) -> Limits {
        Limits { first_turn: Some(first_turn), turn: Some(turn), ..Limits::NONE }
    }

    /// Returns a number of nodes or iterations for each answer.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::NONE }
    }

    /// Returns the main limit of time: that of the whole game, or of one answer if games have no limit.
    #[must_use]
    pub fn main(&self) -> Option<Duration> {
        self.game.or(self.turn)
    }

    /// Returns these limits scaled to another main limit: if it is shorter, the others shrink in proportion, and none
    /// grows. Without a limit, it becomes the limit of every answer.
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

    /// Returns the limit for one answer, not counting the limit for the game.
    #[must_use]
    pub fn for_turn(&self, is_first: bool) -> Option<Duration> {
        self.first_turn.filter(|_| is_first).or(self.turn)
    }
}

/// A bot's stopwatch over one game; it runs during the bot's turns.
#[derive(Clone, Debug)]
pub struct Clock {
    limits: Limits,
    turn_start: Instant,
    /// Time of the turns before this one.
    used: Duration,
    turns_before: u32,
}

impl Clock {
    /// Creates a clock at the start of a game, in its first turn.
    #[must_use]
    pub fn new(limits: Limits) -> Clock {
        Clock { limits, turn_start: Instant::now(), used: Duration::ZERO, turns_before: 0 }
    }

    /// Returns the clock in the middle of a game, after `turns` turns that took `used`.
    #[must_use]
    pub fn after(mut self, turns: u32, used: Duration) -> Clock {
        self.turns_before = turns;
        self.used = used;
        self
    }

    /// Marks the arrival of a question.
    pub fn start_turn(&mut self) {
        self.turn_start = Instant::now();
    }

    /// Marks the answer: adds this turn's time to the game's.
    pub fn end_turn(&mut self) {
        self.used += self.turn_start.elapsed();
        self.turns_before += 1;
    }

    /// The limits the clock was made with.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Nodes or iterations for this move, if limited.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// Returns the number of questions answered before this one.
    #[must_use]
    pub fn turns_before(&self) -> u32 {
        self.turns_before
    }

    /// Time since this turn's question arrived.
    #[must_use]
    pub fn turn_elapsed(&self) -> Duration {
        self.turn_start.elapsed()
    }

    /// Returns the instant at which this turn's question arrived.
    #[must_use]
    pub fn turn_start(&self) -> Instant {
        self.turn_start
    }

    /// Returns the time that was left for the game when this turn's question arrived, if limited.
    #[must_use]
    pub fn game_left(&self) -> Option<Duration> {
        self.limits.game.map(|limit| limit.saturating_sub(self.used))
    }

    /// Returns the most that this turn may take from its question on: the smaller of the turn's limit and what is left
    /// of the game.
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
