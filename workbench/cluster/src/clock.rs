//! Time limits on machines with different speeds.

use async_nats::HeaderMap;
use contender_game::contest::Limits;
use contender_play::{Conditions, Fixture};

/// The handling of timed games on machines with different speeds. Speeds are measured with a fixed workload, see
/// [`WorkerSettings`](crate::WorkerSettings).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum SpeedRule {
    /// Every machine plays with the same time limits.
    #[default]
    Any,
    /// Only machines with this speed play, with a tolerance of 10%.
    Same(f64),
    /// Time limits are scaled so that bots can do as much work as on a machine with this speed. A slower machine gets
    /// more time.
    Scaled(f64),
}

impl SpeedRule {
    /// The name of the header in a job.
    pub(crate) const HEADER: &str = "Contender-Clock";

    pub(crate) fn words(self) -> Option<String> {
        match self {
            SpeedRule::Any => None,
            SpeedRule::Same(speed) => Some(format!("same {speed}")),
            SpeedRule::Scaled(speed) => Some(format!("scaled {speed}")),
        }
    }

    /// Returns the clock of a job with these headers.
    pub(crate) fn of(headers: Option<&HeaderMap>) -> SpeedRule {
        let words = headers.and_then(|headers| headers.get(SpeedRule::HEADER));
        let Some((kind, speed)) = words.and_then(|words| words.as_str().split_once(' ')) else {
            return SpeedRule::Any;
        };
        match (kind, speed.parse()) {
            ("same", Ok(speed)) => SpeedRule::Same(speed),
            ("scaled", Ok(speed)) => SpeedRule::Scaled(speed),
            _ => SpeedRule::Any,
        }
    }

    /// Returns the factor for the time limits of a game on a machine with the speed `own`.
    ///
    /// # Errors
    /// Returns the reason why this machine must not play the game.
    pub(crate) fn factor(self, own: Option<f64>) -> Result<f64, String> {
        let (SpeedRule::Same(asked) | SpeedRule::Scaled(asked)) = self else { return Ok(1.0) };
        let own = own.filter(|own| *own > 0.0).ok_or("the speed of this machine is unknown")?;
        let share = own / asked;
        // Jobs of bundled bots need no signature, so the speed may be wrong, and a time must not be multiplied by an
        // extreme factor.
        if !(0.01..=100.0).contains(&share) {
            return Err(format!("implausible speed: {share:.4} times that of the coordinator's machine"));
        }
        match self {
            SpeedRule::Same(_) if (share - 1.0).abs() > 0.1 => Err(format!(
                "this machine is {share:.2} times as fast as the coordinator's, but `--same-machines` \
                 requires equally fast machines"
            )),
            SpeedRule::Same(_) | SpeedRule::Any => Ok(1.0),
            SpeedRule::Scaled(_) => Ok(1.0 / share),
        }
    }
}

/// Returns whether the course of a game depends on the speed of its machine, because at least one bot has a time limit.
pub(crate) fn has_clock(conditions: &Conditions, fixture: &Fixture) -> bool {
    fixture.seats.iter().any(|bot| {
        let Limits { first_turn, turn, game, nodes: _ } = conditions.limits_of(&bot.program);
        [first_turn, turn, game].iter().any(Option::is_some)
    })
}

/// Multiplies all time limits by a factor.
pub(crate) fn scale(limits: &mut Limits, by: f64) {
    let Limits { first_turn, turn, game, nodes: _ } = limits;
    for time in [first_turn, turn, game].into_iter().flatten() {
        *time = time.mul_f64(by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_travels_and_is_scaled_by_speed() {
        for clock in [SpeedRule::Any, SpeedRule::Same(812_000.5), SpeedRule::Scaled(0.25)] {
            let mut headers = HeaderMap::new();
            if let Some(words) = clock.words() {
                headers.insert(SpeedRule::HEADER, words.as_str());
            }
            assert_eq!(SpeedRule::of(Some(&headers)), clock);
        }
        assert_eq!(SpeedRule::of(None), SpeedRule::Any);
        for (clock, own, factor) in [
            (SpeedRule::Any, None, Some(1.0)),
            (SpeedRule::Same(100.0), Some(109.0), Some(1.0)),
            (SpeedRule::Same(100.0), Some(89.0), None),
            (SpeedRule::Same(100.0), None, None),
            (SpeedRule::Scaled(100.0), Some(50.0), Some(2.0)),
            (SpeedRule::Scaled(100.0), Some(0.0), None),
            (SpeedRule::Scaled(-100.0), Some(50.0), None),
            (SpeedRule::Scaled(1e300), Some(50.0), None),
            (SpeedRule::Scaled(f64::NAN), Some(50.0), None),
        ] {
            assert_eq!(clock.factor(own).ok(), factor, "{clock:?} {own:?}");
        }
    }
}
