//! The time plan of `classic` and `champion`.

use crate::shape::Shape;
use crate::State;
use contender_game::contest::Clock;
use contender_search::{SearchLimits, TimeManager};

/// Divides the time of a game equally among the turns, and keeps 0.9 s of the contest's 30 s in reserve.
pub fn limits(state: &State, clock: &Clock) -> SearchLimits {
    let manager = TimeManager { reserve: 0.03, soft: 1.0, unlimited: 10_000, ..TimeManager::EQUAL };
    manager.limits(clock, Shape::of(state).turns_left())
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::contest::Limits;
    use std::time::Duration;

    #[test]
    fn time_and_its_reserve_are_shares_of_the_limit() {
        let state = State::new([0, 1], crate::Tile::from_index(0));
        let share = |seconds: u64| {
            let clock = Clock::new(Limits::per_game(Duration::from_secs(seconds)));
            limits(&state, &clock).hard.unwrap() - clock.turn_start()
        };
        // 30 s minus 0.9 s, for 13 turns.
        assert_eq!(share(30).as_millis(), (30_000 - 900) / 13);
        assert_eq!(share(300).as_millis(), (300_000 - 9_000) / 13);
    }
}
