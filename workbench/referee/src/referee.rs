//! The loop of one game.

use crate::{Entrant, GameRecord};
use contender_game::{Contest, Limits, Options};
use std::sync::atomic::AtomicBool;

/// How games are refereed; one value serves any number of games and threads.
#[derive(Clone, Debug)]
pub struct Referee {
    /// Time limits for every bot.
    pub limits: Limits,
    /// Nodes per move for bundled bots.
    pub nodes: Option<u64>,
    /// Rule variants for the judge.
    pub rules: Options,
    /// How many bytes of the end of a bot's standard error are kept.
    pub stderr_tail: usize,
}

/// One game to play.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan<'a> {
    /// Entrants by seat.
    pub players: [&'a Entrant; 2],
    /// Seeds the judge's luck.
    pub luck: u64,
    /// Seeds the random choices of bundled bots, by seat.
    pub bot_seeds: [u64; 2],
}

/// Why a game could not be played at all; no bot is to blame.
#[derive(Debug, thiserror::Error)]
pub enum RefereeError {
    /// The judge does not accept the rules.
    #[error("{0}")]
    Rules(String),
}

impl Referee {
    /// A referee with the contest's own limits.
    #[must_use]
    pub fn of(contest: &dyn Contest) -> Referee {
        Referee { limits: contest.limits(), nodes: None, rules: Options::default(), stderr_tail: 4096 }
    }

    /// Plays one game. `stop` ends it early from another thread, within milliseconds.
    ///
    /// # Errors
    /// Only what is no bot's fault.
    pub fn play(
        &self,
        contest: &dyn Contest,
        plan: GamePlan<'_>,
        stop: &AtomicBool,
    ) -> Result<GameRecord, RefereeError> {
        let _ = (contest, plan, stop);
        Err(RefereeError::Rules("not yet".to_string()))
    }
}
