//! The load of this machine: how many games it can play at once without making bots late, and the settings that help
//! if it is too busy.

use crate::text::count;
use contender_game::contest::Contest;
use contender_referee::{TimeSetting, available_cores};
use maud::{Markup, html};
use serde::Deserialize;
use std::time::Duration;

/// Maximum number of times that a game is replayed because a bot lost on time on a busy machine. The forms for new
/// matches and leagues choose it.
pub const REMATCHES: &str = "3";

/// The cores of this machine, and how many of them programs use.
pub struct Machine {
    cores: usize,
    load: f64,
}

impl Machine {
    /// Returns the average load of the last minute. On a system that does not report it, all cores count as free.
    pub fn now() -> Machine {
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        let load = load.and_then(|text| text.split(' ').next()?.parse().ok());
        Machine { cores: available_cores(), load: load.unwrap_or(0.0) }
    }

    /// Returns the number of cores.
    pub fn cores(&self) -> usize {
        self.cores
    }

    /// Returns the number of free cores, at least 1.
    pub fn free(&self) -> usize {
        (self.cores as f64 - self.load).round().clamp(1.0, self.cores as f64) as usize
    }

    /// Returns whether no core is free.
    fn is_busy(&self) -> bool {
        self.load > self.cores as f64 - 0.5
    }

    /// Returns the field for the number of games at once, which begins with the number of free cores if `value` is
    /// empty.
    pub fn games_at_once(&self, value: &str) -> Markup {
        let value = if value.is_empty() { self.free().to_string() } else { value.to_string() };
        html! { p { label { span.label { "Games at once" } (self.jobs_input(&value)) } (self.too_many(&value)) } }
    }

    /// Returns the input of this field.
    pub fn jobs_input(&self, value: &str) -> Markup {
        html! { input type="number" name="jobs" min="1" max="1024" value=(value) data-cores=(self.cores); }
    }

    /// Returns the warning next to the field. It is hidden until the number of games exceeds the number of cores.
    pub fn too_many(&self, value: &str) -> Markup {
        let is_hidden = value.parse().map_or(true, |games: usize| games <= self.cores);
        let cores = count(self.cores as u64, "core", "cores");
        html! { span.too-many role="status" hidden[is_hidden] { "This machine has " (cores) ". More games at once slow each other down, and bots may be late." } }
    }

    /// Returns the notice of a busy machine. `contest` is the game that is played, if it is a bundled or custom game.
    pub fn notice(&self, contest: Option<&dyn Contest>) -> Markup {
        let unit = contest.map_or("move", time_unit);
        html! {
            @if self.is_busy() {
                p.notice.busy {
                    strong { "This machine is busy. " }
                    "Programs use all of its " (self.cores) " cores, so bots may answer late. Wait, play one game at a time, or allow more time per " (unit) "."
                }
            }
        }
    }
}

/// The ways to play on after bots lost on time: one game at a time, or also with more time per move.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Relief {
    One,
    Longer,
}

impl Relief {
    /// Returns the buttons of a form that gives the bots more time. `time` contains the longer time in words, if the
    /// time can be changed, and `games_at_once` is the number of games at once so far, if it is known.
    /// `main` is the main action of the page, if it is one of these.
    pub fn buttons(time: Option<&str>, games_at_once: Option<u16>, main: Option<Relief>) -> Markup {
        html! {
            @if games_at_once != Some(1) { button.primary[main == Some(Relief::One)] type="submit" name="relief" value="one" { "one game at a time" } }
            @if let Some(time) = time {
                button.primary[main == Some(Relief::Longer)] type="submit" name="relief" value="longer" { (time) @if games_at_once != Some(1) { ", one game at a time" } }
            }
        }
    }
}

/// The message for a thinking time that cannot be read.
pub const EXPECTED_TIME: &str =
    "Expected a time with a unit or a percentage of the contest's time, for example 100ms, 3s or 200%.";

/// The words for twice the time, if the answers need no more.
pub const TWICE: &str = "twice the time per move";

/// Returns twice a thinking time, as options and settings contain it. Without a time, the contest's time limits apply.
pub fn longer(time: Option<TimeSetting>) -> String {
    match time {
        None => "200%".to_string(),
        Some(TimeSetting::Share(share)) => format!("{}%", (200.0 * share).min(10_000.0)),
        Some(TimeSetting::Fixed(time)) => format!("{}us", 2 * time.as_micros()),
    }
}

/// Returns a time limit in milliseconds with which an answer that exceeded its limit is in time: half as much again as
/// the time of the answer, and at least twice the limit, rounded up to 1, 2 or 5 with zeros.
pub fn enough(limit: Duration, time: Duration) -> u64 {
    let time = (3 * time / 2).max(2 * limit).as_micros().div_ceil(1000) as u64;
    let steps = (0..9).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u64.pow(zeros)));
    steps.into_iter().find(|step| *step >= time).unwrap_or(time)
}

/// Returns what a typed time is for: a whole game if the contest limits games, or else a move.
pub fn time_unit(contest: &dyn Contest) -> &'static str {
    if contest.info().limits.game.is_some() { "game" } else { "move" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_at_once_leave_the_cores_of_other_programs() {
        let of = |cores, load| Machine { cores, load };
        let free = [(2, 0.0), (2, 0.9), (2, 1.7), (2, 9.0), (16, 3.2), (1, 0.0)];
        assert_eq!(free.map(|(cores, load)| of(cores, load).free()), [2, 1, 1, 1, 13, 1]);
        let is_noted =
            |cores, load| of(cores, load).notice(None).into_string().contains("This machine is busy");
        assert!(is_noted(2, 1.7) && !is_noted(2, 1.2) && !is_noted(1, 0.2));
    }

    #[test]
    fn a_longer_time_is_twice_the_time() {
        let times = ["10%", "100ms", "30s"].map(|text| longer(TimeSetting::parse(text).ok()));
        assert_eq!(times, ["20%", "200000us", "60000000us"]);
        assert!(times.iter().all(|text| TimeSetting::parse(text).is_ok()));
        assert_eq!(longer(None), "200%");
    }

    #[test]
    fn a_late_answer_would_have_been_in_time() {
        let times = [(3.0, 8.0), (3.0, 38.0), (100.0, 101.0), (100.0, 1000.0), (0.2, 0.63)];
        let milliseconds = |time: f64| Duration::from_secs_f64(time / 1000.0);
        let times = times.map(|(limit, time)| enough(milliseconds(limit), milliseconds(time)));
        assert_eq!(times, [20, 100, 200, 2000, 1]);
    }
}
