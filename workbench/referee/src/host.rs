//! Our referee as a host of the games of one contest.

use crate::{GamePlan, Isolation, Referee};
use contender_game::{Contest, JudgeSite};
use contender_play::{Entrant, Fixture, GameError, Host, PlayedUnder, RankedBy, Record, play_on_threads};
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A contest under a referee's conditions, played here or on the referee's machines.
#[derive(Clone)]
pub struct ContestHost<'a> {
    /// The contest.
    pub contest: &'a dyn Contest,
    /// The conditions.
    pub referee: Referee,
}

impl<'a> ContestHost<'a> {
    /// A contest under its own conditions.
    #[must_use]
    pub fn new(contest: &'a dyn Contest) -> ContestHost<'a> {
        ContestHost { contest, referee: Referee::of(contest) }
    }
}

/// The parts of a fixture that the referee takes; `None` if the fixture has not two seats.
fn plan(fixture: &Fixture) -> Option<GamePlan<'_>> {
    let [zero, one] = fixture.seats.as_slice() else { return None };
    let seed = |seat: usize| fixture.bot_seeds.get(seat).copied().unwrap_or_default();
    Some(GamePlan { players: [zero, one], luck: fixture.seed, bot_seeds: [seed(0), seed(1)] })
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

    /// CodeCup adds up points, CodinGame counts wins.
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
        let referee = &self.referee;
        let seconds = |limit: Option<Duration>| limit.map(|limit| limit.as_secs_f64());
        PlayedUnder {
            first_turn_seconds: seconds(referee.limits.first_turn),
            turn_seconds: seconds(referee.limits.turn),
            game_seconds: seconds(referee.limits.game),
            margin_seconds: referee.margin.as_secs_f64(),
            nodes: referee.limits.nodes,
            timed: bots.iter().map(|bot| referee.limits_of(&bot.program) == referee.limits).collect(),
            rules: referee.rules.to_string(),
            play_on: referee.play_on,
            jobs: 1,
        }
    }

    fn identity(&self) -> String {
        let Referee { limits, margin, clock_with_nodes, play_on, ponder, in_turn, rematches, .. } =
            &self.referee;
        format!(
            "{:?}, {:?}, {:?}",
            (limits, margin, clock_with_nodes, play_on, ponder, in_turn, rematches),
            (self.referee.rules.to_string(), &self.referee.openings),
            self.referee.isolation.as_ref().map(Isolation::bounds),
        )
    }

    fn idle_cpu(&self) -> Duration {
        self.referee.idle.cpu()
    }

    fn play(&self, fixture: &Fixture, stop: &AtomicBool) -> Result<Record, GameError> {
        let plan = plan(fixture).ok_or_else(|| {
            GameError::void(format!("a game of {} has two bots, not {}", self.game(), fixture.seats.len()))
        })?;
        let record = self.referee.play(self.contest, plan, stop)?;
        if record.interrupted { Err(GameError::Stopped) } else { Ok(record) }
    }

    fn play_all(
        &self,
        threads: usize,
        games: u64,
        fixture: &(dyn Fn(u64) -> Option<Fixture> + Sync),
        stop: &AtomicBool,
        collect: &mut dyn FnMut(u64, Result<Record, GameError>) -> ControlFlow<()>,
    ) {
        if let Some(machines) = &self.referee.machines {
            let job = |index| Some(self.referee.job(self.contest, plan(&fixture(index)?)?));
            return machines.share_out(games, stop, &job, &mut |index, result| {
                collect(index, result.map_err(GameError::void))
            });
        }
        play_on_threads(self, threads, games, fixture, stop, collect);
    }
}
