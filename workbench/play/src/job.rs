//! Games in a form that can be sent to another machine.

use crate::{Conditions, Fixture, Program};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game that another machine can play. The same job always gives the same game, unless bots depend on the clock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The version of the workbench. Another version may play the game differently.
    pub version: String,
    /// The bots and the seeds of the game.
    pub fixture: Fixture,
    /// The host that must play the game.
    pub host: HostSpec,
}

/// A host in a form that can be sent to another machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostSpec {
    /// The built-in referee with a contest.
    Contest {
        /// The contest's name.
        game: String,
        /// The conditions of this game.
        conditions: Box<Conditions>,
    },
    /// An external referee, see the crate `foreign`.
    External(ExternalSpec),
}

/// An external referee in a form that can be sent to another machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExternalSpec {
    /// The command that plays one game, or many games in one process.
    pub referee: Program,
    /// The CodinGame league whose rules apply.
    pub league: Option<u32>,
    /// The bots' time limit per turn.
    pub time: Option<Duration>,
    /// The time limit per game.
    pub limit: Duration,
    /// Number of retries after a failure of the referee itself.
    pub retries: u32,
    /// Maximum number of times that a game is replayed because a bot lost on time on a busy machine.
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
