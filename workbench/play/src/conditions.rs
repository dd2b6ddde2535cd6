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

/// Keeps the draw of openings apart from other uses of the same seed.
const OPENING_STREAM: u64 = 5;

/// Everything besides bots and seeds that decides a game of a contest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// Time limits for every bot, on the wall clock, from sending a question to reading the answer. Making the process
    /// is not counted, but what a program does before it reads its first question is, as at the judges. A number of
    /// nodes holds for bundled bots: they do not look at the clock then, and have none, so that their games depend on
    /// no machine.
    #[serde(with = "LimitsForm")]
    pub limits: Limits,
    /// Tolerance of late answers: a busy machine is not the bot's fault. 0 by default.
    pub margin: Duration,
    /// Whether time limits also apply to bundled bots with a node budget.
    pub clock_with_nodes: bool,
    /// Rule variants for the judge.
    #[serde(serialize_with = "as_text", deserialize_with = "rules")]
    pub rules: Options,
    /// Complete rules that replace those, one of which a game draws by its seed; none unless set. The conditions of a
    /// single game have its opening as their rules ([`Conditions::for_seed`]).
    #[serde(skip)]
    pub openings: Vec<Options>,
    /// Number of bytes kept of the end of a bot's standard error.
    pub stderr_tail: usize,
    /// Time for an external bot to exit after the farewell. If the judge has no farewell, bots are killed at once.
    pub grace: Duration,
    /// Whether a game continues, as far as the contest's rules allow, after a player has failed. Otherwise it ends at
    /// the first failure, with the points of the position: quicker, but not the contest's result.
    pub play_on: bool,
    /// Maximum number of times that a game is played again, with the same seed, if a bot lost it on time by the
    /// machine's own delay ([`Ending::Overloaded`](crate::Ending::Overloaded)). 0 unless set.
    pub rematches: u32,
    /// Whether external bots may think in their opponents' time. Otherwise the referee pauses each bot, with all its
    /// descendants, outside its turns.
    pub ponder: bool,
    /// Whether simultaneous bots get their questions one after the other, each with the core to itself and its own
    /// time. Otherwise they get them together, and share a core if there are no two.
    pub in_turn: bool,
    /// The resources of external bots; `None` for everything that the user may use.
    pub bounds: Option<Bounds>,
}

impl Conditions {
    /// Returns the contest's own limits and rules, and 10,000 bytes of standard error as CodeCup keeps.
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

    /// Returns the conditions of the one game with this seed.
    #[must_use]
    pub fn for_seed(&self, seed: u64) -> Conditions {
        Conditions { rules: self.rules_of(seed).clone(), openings: Vec::new(), ..self.clone() }
    }

    /// Returns the limits that hold for a program.
    #[must_use]
    pub fn limits_of(&self, program: &Program) -> Limits {
        if program.is_external() { self.limits } else { self.bundled_limits() }
    }

    /// Returns the limits that hold for bundled bots: with a node budget they have a clock only if the user wants one.
    #[must_use]
    pub fn bundled_limits(&self) -> Limits {
        match self.limits.nodes {
            Some(nodes) if !self.clock_with_nodes => Limits::nodes(nodes),
            _ => self.limits,
        }
    }

    /// Returns the number of bots that may think at the same time in a game with this number of first questions.
    #[must_use]
    pub fn thinkers(&self, questions: usize) -> usize {
        match self {
            Conditions { ponder: true, .. } => 2,
            Conditions { in_turn: true, .. } => 1,
            _ => questions.max(1),
        }
    }
}

/// Limits as they are written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Limits")]
struct LimitsForm {
    first_turn: Option<Duration>,
    turn: Option<Duration>,
    game: Option<Duration>,
    nodes: Option<u64>,
}
