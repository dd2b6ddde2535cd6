//! The built-in referee as a host for the games of one contest.

use crate::Referee;
use contender_game::contest::{Contest, JudgeSite};
use contender_play::{
    Conditions, Entrant, Fixture, GameError, Host, HostSpec, Job, PlayedUnder, RankedBy, Record,
};
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A contest and a referee with its conditions.
#[derive(Clone)]
pub struct ContestHost<'a> {
    /// The contest.
    pub contest: &'a dyn Contest,
    /// The referee with the conditions.
    pub referee: Referee,
}

impl<'a> ContestHost<'a> {
    /// Creates a host with the contest's standard conditions.
    #[must_use]
    pub fn new(contest: &'a dyn Contest) -> ContestHost<'a> {
        ContestHost { contest, referee: Referee::of(contest) }
    }
}

impl Host for ContestHost<'_> {
    fn game(&self) -> &str {
        self.contest.name()
    }

    fn seats(&self) -> RangeInclusive<usize> {
        2..=2
    }

    fn seat_name(&self, seat: usize) -> String {
        self.contest.info().seats.get(seat).map_or_else(|| format!("seat {seat}"), ToString::to_string)
    }

    /// Returns the criterion of the contest's site: CodeCup adds up points, and CodinGame counts wins.
    fn ranked_by(&self) -> RankedBy {
        match self.contest.info().site {
            JudgeSite::CodeCup => RankedBy::Points,
            JudgeSite::CodinGame => RankedBy::Wins,
        }
    }

    fn has_points(&self) -> bool {
        true
    }

    fn conditions(&self, bots: &[&Entrant]) -> PlayedUnder {
        let conditions = &self.referee.conditions;
        let seconds = |limit: Option<Duration>| limit.map(|limit| limit.as_secs_f64());
        PlayedUnder {
            first_turn_seconds: seconds(conditions.limits.first_turn),
            turn_seconds: seconds(conditions.limits.turn),
            game_seconds: seconds(conditions.limits.game),
            margin_seconds: conditions.margin.as_secs_f64(),
            nodes: conditions.limits.nodes,
            timed: bots.iter().map(|bot| conditions.limits_of(&bot.program) == conditions.limits).collect(),
            rules: conditions.rules.to_string(),
            play_on: conditions.play_on,
            jobs: 1,
        }
    }

    fn identity(&self) -> String {
        let Conditions { limits, margin, clock_with_nodes, play_on, ponder, in_turn, rematches, .. } =
            &self.referee.conditions;
        format!(
            "{:?}, {:?}, {:?}",
            (limits, margin, clock_with_nodes, play_on, ponder, in_turn, rematches),
            (self.referee.conditions.rules.to_string(), &self.referee.conditions.openings),
            self.referee.conditions.bounds.as_ref(),
        )
    }

    fn idle_cpu(&self) -> Duration {
        self.referee.resources.idle.cpu()
    }

    fn job(&self, fixture: &Fixture) -> Result<Job, GameError> {
        let conditions = Box::new(self.referee.conditions.for_seed(fixture.seed));
        Ok(Job::new(fixture, HostSpec::Contest { game: self.game().to_string(), conditions }))
    }

    fn play(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<Record, GameError> {
        let record = self.referee.play(self.contest, fixture, stop)?;
        if record.interrupted { Err(GameError::Stopped) } else { Ok(record) }
    }
}
