//! The conditions of a contest's games.

use crate::options::{as_text, rules};
use crate::{Bounds, Program};
use contender_game::{
    contest::{Contest, Limits},
    rules::{Rng, mix},
    settings::Options,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The random stream for the choice of openings, which separates it from other uses of the seed.
const OPENING_STREAM: u64 = 5;

/// Everything except bots and seeds that affects the games of a contest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// Time limits for every bot, in wall-clock time, measured from sending a question to reading the answer. The time
    /// does not include creating the process, but it includes the work of a program before it reads its first question,
    /// as on the contest sites. A node budget applies to bundled bots. Unless
    /// [`clock_with_nodes`](Conditions::clock_with_nodes) is set, these bots then have no clock, so that their games do
    /// not depend on the machine.
    #[serde(with = "LimitsForm")]
    pub limits: Limits,
    /// Tolerance for late answers, because a busy machine is not the bot's fault. The default is 0.
    pub margin: Duration,
    /// Whether time limits also apply to bundled bots with a node budget.
    pub clock_with_nodes: bool,
    /// Rule variants for the judge.
    #[serde(serialize_with = "as_text", deserialize_with = "rules")]
    pub rules: Options,
    /// Complete sets of rules, one for each opening, that replace `rules`. The seed of a game selects one of the sets.
    /// Empty by default. In the conditions of a single game, `rules` contains the selected opening
    /// ([`Conditions::for_seed`]).
    #[serde(skip)]
    pub openings: Vec<Options>,
    /// Number of bytes to keep from the end of a bot's standard error.
    pub stderr_tail: usize,
    /// Time for an external bot to exit after the farewell. If the judge has no farewell, bots are killed at once.
    pub grace: Duration,
    /// Whether a game continues after a player has failed, as far as the contest's rules allow. Otherwise the game ends
    /// at the first failure with the points of the current position. This is faster, but differs from the contest's
    /// result.
    pub play_on: bool,
    /// Maximum number of replays, with the same seed, of a game that a bot lost on time because of the machine's delays
    /// ([`Ending::Overloaded`](crate::Ending::Overloaded)). The default is 0.
    pub rematches: u32,
    /// Whether external bots may think during their opponents' turns. Otherwise the referee pauses each bot with all
    /// its descendants outside its turns.
    pub ponder: bool,
    /// Whether simultaneous bots get their questions one after the other, each with the whole core and its own time.
    /// Otherwise the bots get their questions at once, and share a core if there is only one.
    pub in_turn: bool,
    /// The resources of external bots; `None` if they may use everything that the user may.
    pub bounds: Option<Bounds>,
}

impl Conditions {
    /// Returns the contest's own limits and rules, and keeps 10,000 bytes of standard error, like CodeCup.
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

    /// Returns the limits for bundled bots. With a node budget, bundled bots have a clock only if `clock_with_nodes` is
    /// set.
    #[must_use]
    pub fn bundled_limits(&self) -> Limits {
        match self.limits.nodes {
            Some(nodes) if !self.clock_with_nodes => Limits::nodes(nodes),
            _ => self.limits,
        }
    }

    /// Returns the number of bots that may think at the same time, if the game starts with this number of questions.
    #[must_use]
    pub fn thinkers(&self, questions: usize) -> usize {
        match self {
            Conditions { ponder: true, .. } => 2,
            Conditions { in_turn: true, .. } => 1,
            _ => questions.max(1),
        }
    }
}

/// Limits in their serialised form.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Limits")]
struct LimitsForm {
    first_turn: Option<Duration>,
    turn: Option<Duration>,
    game: Option<Duration>,
    nodes: Option<u64>,
}
