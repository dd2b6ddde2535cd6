//! A game in a form that can be sent to another machine.

use crate::{Conditions, Fixture, Program};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game that another machine can play. Equal jobs give equal games, unless bots depend on the clock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The version of the workbench, because another version may play the game differently.
    pub version: String,
    /// The bots and the seeds.
    pub fixture: Fixture,
    /// The host of the game.
    pub host: HostSpec,
}

/// A host in a form that can be sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostSpec {
    /// The built-in referee with a contest.
    Contest {
        /// The contest's name.
        game: String,
        /// The conditions for this game.
        conditions: Box<Conditions>,
    },
    /// An external referee, see the crate `foreign`.
    External(ExternalSpec),
}

/// An external referee in a form that can be sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExternalSpec {
    /// The command that plays one game, or many games in one process.
    pub referee: Program,
    /// The league on CodinGame.
    pub league: Option<u32>,
    /// A bot's time per turn.
    pub time: Option<Duration>,
    /// Maximum time per game.
    pub limit: Duration,
    /// Number of retries after a failure of the referee itself.
    pub retries: u32,
    /// Maximum number of replays of a game that a bot lost on time on a busy machine.
    pub rematches: u32,
    /// Whether the worker must also send the referee's log.
    pub wants_log: bool,
}

impl Job {
    /// Creates a job for this version of the workbench.
    #[must_use]
    pub fn new(fixture: &Fixture, host: HostSpec) -> Job {
        Job { version: env!("CARGO_PKG_VERSION").to_string(), fixture: fixture.clone(), host }
    }
}
