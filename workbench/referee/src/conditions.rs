//! Under what conditions games are played, as people choose them: on a command line, or in a file of settings.

use crate::{Bounds, Isolation, Referee};
use contender_game::{Contest, Limits, Options};
use serde::Deserialize;
use std::time::Duration;

/// How games are played, as far as it may be chosen.
#[derive(Clone, Default, Debug)]
pub struct Conditions {
    /// In place of the contest's time.
    pub time: Option<TimeSetting>,
    /// Nodes or iterations per move of bundled bots, at least 1.
    pub nodes: Option<u64>,
    /// Rule variants.
    pub rules: Options,
}

impl Conditions {
    /// A referee for a contest under these conditions.
    ///
    /// # Errors
    /// No nodes, or rules that the contest does not have, in words for the user.
    pub fn referee(self, contest: &dyn Contest) -> Result<Referee, String> {
        let mut referee = Referee::of(contest);
        if let Some(time) = self.time {
            referee.limits = time.apply(referee.limits);
            referee.clock_with_nodes = true;
        }
        if self.nodes == Some(0) {
            return Err("nodes are a number from 1".to_string());
        }
        referee.nodes = self.nodes;
        // A judge is made once to find out now whether it takes the rules.
        let mut untaken = self.rules.clone();
        contest.judge(1, &mut untaken).and_then(|_| untaken.finish())?;
        referee.rules = self.rules;
        Ok(referee)
    }
}

/// What external programs may use, as far as it may be chosen.
#[derive(Clone, Copy, Default, Debug)]
pub struct Processes {
    /// Whether they are kept from the network and from files outside their folder, and what they use is bounded: [`Bounds::strict`].
    pub isolate: bool,
    /// Memory in MiB, 1 to [`Processes::MOST_MEMORY`].
    pub memory: Option<u64>,
}

impl Processes {
    /// The most memory that can be chosen, in MiB: 16 TiB.
    pub const MOST_MEMORY: u64 = 1 << 24;

    /// What keeps them to it; `None` where nothing is chosen.
    ///
    /// # Errors
    /// No memory or more than the most, or an isolation that cannot be made, in words for the user.
    pub fn isolation(self) -> Result<Option<Isolation>, String> {
        if self.memory.is_some_and(|mib| !(1..=Processes::MOST_MEMORY).contains(&mib)) {
            return Err(format!("memory is a number of MiB from 1 to {}", Processes::MOST_MEMORY));
        }
        let mut bounds = if self.isolate { Bounds::strict() } else { Bounds::NONE };
        bounds.memory = self.memory.map(|mib| mib << 20).or(bounds.memory);
        if bounds == Bounds::NONE {
            return Ok(None);
        }
        Isolation::new(&bounds).map(Some).map_err(|error| format!("bots cannot be isolated: {error}"))
    }
}

/// A choice of thinking time.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum TimeSetting {
    /// In place of the contest's limit per game, or per turn where that is what it has.
    Fixed(Duration),
    /// A share of every limit of the contest.
    Share(f64),
}

impl TimeSetting {
    /// Reads `30s`, `100ms` or `10%`.
    ///
    /// # Errors
    /// What is wanted instead, in words for the user.
    pub fn parse(text: &str) -> Result<TimeSetting, String> {
        if let Some(percent) = text.strip_suffix('%') {
            return match percent.trim().parse::<f64>() {
                Ok(percent) if percent > 0.0 && percent <= 10_000.0 => {
                    Ok(TimeSetting::Share(percent / 100.0))
                }
                _ => Err("a share of the time is a number above 0 and `%`, for example 10%".to_string()),
            };
        }
        match humantime::parse_duration(text) {
            Ok(time) if !time.is_zero() => Ok(TimeSetting::Fixed(time)),
            _ => Err("a time is a number above 0 with a unit, for example 30s or 100ms".to_string()),
        }
    }

    /// The limits to play under, given the contest's.
    #[must_use]
    pub fn apply(self, contest: Limits) -> Limits {
        match self {
            TimeSetting::Fixed(time) if contest.game.is_some() => Limits { game: Some(time), ..contest },
            TimeSetting::Fixed(time) => Limits {
                first_turn: contest.first_turn.map(|first| first.max(time)),
                turn: Some(time),
                ..contest
            },
            TimeSetting::Share(share) => {
                let scale = |limit: Option<Duration>| limit.map(|limit| limit.mul_f64(share));
                Limits {
                    first_turn: scale(contest.first_turn),
                    turn: scale(contest.turn),
                    game: scale(contest.game),
                    ..contest
                }
            }
        }
    }
}

impl TryFrom<String> for TimeSetting {
    type Error = String;

    fn try_from(text: String) -> Result<TimeSetting, String> {
        TimeSetting::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let codecup = Limits::per_game(Duration::from_secs(30));
        let codingame = Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(100));
        let apply = |text: &str, limits| TimeSetting::parse(text).unwrap().apply(limits);
        assert_eq!(apply("3s", codecup), Limits::per_game(Duration::from_secs(3)));
        assert_eq!(apply("10%", codecup), Limits::per_game(Duration::from_secs(3)));
        assert_eq!(
            apply("50ms", codingame),
            Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(50))
        );
        assert_eq!(
            apply("50%", codingame),
            Limits::per_turn(Duration::from_millis(500), Duration::from_millis(50))
        );
        for bad in ["", "0s", "-1%", "0%", "soon", "100"] {
            assert!(TimeSetting::parse(bad).is_err(), "{bad}");
        }
    }
}
