//! The conditions under which a contest's games are played.

use crate::options::{as_text, rules};
use crate::{Program, ResourceLimits};
use contender_game::{
    contest::{Contest, Limits},
    rules::{Rng, mix},
    settings::Options,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The number of the random stream that chooses openings. It keeps this choice independent of other uses of the seed.
const OPENING_STREAM: u64 = 5;

/// Everything except bots and seeds that affects the games of a contest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// The time limits for every bot, in wall-clock time from sending a question to reading the answer. The time does
    /// not include creating the process, but includes the program's work before it reads its first question, as on the
    /// contest sites. A node budget applies to bundled bots. Unless [`clock_with_nodes`](Conditions::clock_with_nodes)
    /// is set, these bots then have no clock, so that their games do not depend on the machine.
    #[serde(with = "LimitsForm")]
    pub limits: Limits,
    /// The tolerance for late answers, because delays of a busy machine are not the bot's fault. The default is 0.
    pub margin: Duration,
    /// Whether time limits also apply to bundled bots with a node budget.
    pub clock_with_nodes: bool,
    /// Rule variants for the judge.
    #[serde(serialize_with = "as_text", deserialize_with = "rules")]
    pub rules: Options,
    /// The openings, each as a complete set of rules that replaces `rules`; empty by default. The seed of a game
    /// selects one of them. In the conditions of a single game ([`Conditions::for_seed`]), `rules` contains the
    /// selected opening.
    #[serde(skip)]
    pub openings: Vec<Options>,
    /// Number of bytes that are kept from the end of a bot's standard error output.
    pub stderr_tail: usize,
    /// The time that an external bot has to exit after the judge's farewell. If the judge sends no farewell, bots are
    /// killed at once.
    pub grace: Duration,
    /// Whether a game continues after a player has failed, if the contest's rules allow this. Otherwise, the game ends
    /// at the first failure with the points of the current position, which is faster but may differ from the contest's
    /// result.
    pub play_on: bool,
    /// Maximum number of times that a game is replayed with the same seed, if a bot lost it on time because of the
    /// machine's delays ([`Ending::Overloaded`](crate::Ending::Overloaded)). The default is 0.
    pub rematches: u32,
    /// Whether external bots may think during their opponents' turns. Otherwise, the referee pauses each bot and all
    /// its child processes outside the bot's turns.
    pub ponder: bool,
    /// Whether, in simultaneous games, the bots get their questions one after the other, so that each bot has a whole
    /// core. Otherwise they get the questions at the same time, and share a core if there is only one.
    pub in_turn: bool,
    /// The limits on external bots' resources. With `None`, bots may do everything that the user may do.
    pub bounds: Option<ResourceLimits>,
}

impl Conditions {
    /// Returns the default conditions of a contest: its limits and rules, with 10,000 bytes of standard error output
    /// kept, as on CodeCup.
    #[must_use]
    pub fn of(contest: &dyn Contest) -> Conditions {
        Conditions {
            limits: contest.info().limits,
            margin: Duration::ZERO,
            clock_with_nodes: false,
            rules: Options::rules(),
            openings: Vec::new(),
            stderr_tail: 10_000,
            grace: Duration::from_millis(100),
            play_on: true,
            rematches: 0,
            ponder: false,
            in_turn: false,
            bounds: None,
        }
    }

    /// Returns the rules of the game with this seed.
    #[must_use]
    pub fn rules_of(&self, seed: u64) -> &Options {
        match &self.openings[..] {
            [] => &self.rules,
            openings => &openings[Rng::new(mix(&[seed, OPENING_STREAM])).index(openings.len())],
        }
    }

    /// Returns the conditions for the single game with this seed.
    #[must_use]
    pub fn for_seed(&self, seed: u64) -> Conditions {
        Conditions { rules: self.rules_of(seed).clone(), openings: Vec::new(), ..self.clone() }
    }

    /// Returns the limits for a program.
    #[must_use]
    pub fn limits_of(&self, program: &Program) -> Limits {
        if program.is_external() { self.limits } else { self.bundled_limits() }
    }

    /// Returns the limits for bundled bots. Bundled bots with a node budget have a clock only if `clock_with_nodes` is
    /// set.
    #[must_use]
    pub fn bundled_limits(&self) -> Limits {
        match self.limits.nodes {
            Some(nodes) if !self.clock_with_nodes => Limits::nodes(nodes),
            _ => self.limits,
        }
    }

    /// Returns the number of bots that may think at the same time. `questions` is the number of questions at the start
    /// of the game.
    #[must_use]
    pub fn thinkers(&self, questions: usize) -> usize {
        match self {
            Conditions { ponder: true, .. } => 2,
            Conditions { in_turn: true, .. } => 1,
            _ => questions.max(1),
        }
    }
}

/// The serialised form of limits.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Limits")]
struct LimitsForm {
    first_turn: Option<Duration>,
    turn: Option<Duration>,
    game: Option<Duration>,
    nodes: Option<u64>,
}
