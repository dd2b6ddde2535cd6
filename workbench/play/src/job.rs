//! A game in a form that can be sent to another machine.

use crate::{Conditions, Fixture, Program};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A game that another machine can play: two jobs that are equal give the same game, as far as bots do not depend on
/// the clock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The version of the workbench: another one may play another game.
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
    /// Our referee with a contest.
    Contest {
        /// The contest's name.
        game: String,
        /// The conditions of this game.
        conditions: Box<Conditions>,
    },
    /// An external referee: see the crate `foreign`.
    External(ExternalSpec),
}

/// An external referee in a form that can be sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExternalSpec {
    /// The command that plays a game, or game after game in one process.
    pub referee: Program,
    /// CodinGame's league.
    pub league: Option<u32>,
    /// A bot's time for a turn.
    pub time: Option<Duration>,
    /// Maximum time of a game.
    pub limit: Duration,
    /// Number of retries after a failure of the referee itself.
    pub retries: u32,
    /// Maximum number of replays of a game that a bot lost on time on a busy machine.
    pub rematches: u32,
    /// Whether the worker must send the referee's log.
    pub wants_log: bool,
}

impl Job {
    /// Creates a game of this version of the workbench.
    #[must_use]
    pub fn new(fixture: &Fixture, host: HostSpec) -> Job {
        Job { version: env!("CARGO_PKG_VERSION").to_string(), fixture: fixture.clone(), host }
    }
}
