//! The settings of a training run.

use crate::RecipeError;
use crate::kind::Kind;
use crate::optimiser::{Curve, Schedule};
use crate::training::Length;
use contender_nn::policy_value::SIDES;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All settings of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// [`Kind::PolicyValue`].
    pub kind: Kind,
    /// The game.
    pub game: String,
    /// Length of the training run.
    pub length: Length,
    /// The network's sizes.
    pub network: Network,
    /// The file of the start network, which a training run with the same sizes has written; by default, the parameters
    /// are random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// Games of a teacher at the start; by default none.
    #[serde(default)]
    pub imitation: Imitation,
    /// Games after the imitation.
    pub self_play: SelfPlay,
    /// Other players that take part in some of the games.
    #[serde(default)]
    pub pool: Pool,
    /// Settings for learning from the games.
    pub learning: Learning,
    /// Matches during the training run.
    pub matches: Matches,
}

/// The network's sizes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Number of channels in each block, a multiple of 16.
    pub channels: usize,
    /// Number of residual blocks.
    pub blocks: usize,
    /// Number of hidden neurons for the value.
    pub hidden: usize,
    /// Number of sides with a policy: 1 by default, or 2 to predict the opponent's policy with the same evaluation.
    #[serde(default = "one")]
    pub sides: usize,
}

/// Rounds of games in which the network learns a teacher's moves and the winner.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Imitation {
    /// The teacher: a bundled bot of the game, `name` or `name:options`, or `network:FILE`, a network whose
    /// probabilities and value are learned without a search. A teacher that needs a network uses the network that is
    /// being trained.
    pub teacher: String,
    /// The teacher's nodes per move; absent for bots that do not search.
    pub nodes: Option<u64>,
    /// The share of turns in which the teacher searches with these nodes and the network learns from the result.
    #[serde(default = "all")]
    pub deep_share: f64,
    /// The teacher's nodes in the other turns; by default the network moves there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fast_nodes: Option<u64>,
    /// Number of turns at the start in which the teacher's moves are drawn from its probabilities; later its best move
    /// is played.
    #[serde(default)]
    pub drawn_turns: u32,
    /// Number of rounds; 0 for none.
    pub rounds: u64,
    /// Number of games per round.
    pub games: usize,
    /// Share of players that move like the network, so that the teacher is asked about positions that the network
    /// reaches.
    pub own_share: f64,
    /// Probability of a random move for a player that moves like the teacher.
    pub random_share: f64,
    /// Share of the teacher's value in the value's target, if the teacher has one; the rest is the game's result.
    pub value_share: f32,
    /// Average number of passes over a decision.
    pub epochs: u32,
    /// Number of the latest decisions to learn from together. By default, or if a round has more decisions, only those
    /// of the newest round are used. These decisions are kept in files in the training run's folder.
    #[serde(default)]
    pub window: usize,
    /// Whether half of the boards are mirrored, with the rows from last to first.
    #[serde(default)]
    pub mirrored: bool,
    /// The learning rate during imitation.
    pub rate: Schedule,
}

/// Games of the network against itself.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// Number of games per round, all played to their end.
    pub games: usize,
}

/// Past checkpoints and bundled bots, one of which plays in a share of the games. The network does not learn from their
/// decisions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// Share of the games in which a past checkpoint or a bundled bot plays.
    pub share: f64,
    /// Number of rounds between two kept checkpoints.
    pub keep_every: u64,
    /// Maximum number of kept checkpoints; beyond it, a random one is dropped.
    pub kept: usize,
    /// Bundled bots, each as probable as a checkpoint.
    #[serde(default)]
    pub bots: Vec<String>,
    /// Nodes per move of these bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// Settings for learning from a round's decisions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// Adam's learning rate over the training run.
    pub rate: Schedule,
    /// Number of decisions per step.
    pub batch: usize,
    /// Number of passes over a round's decisions.
    pub epochs: u32,
    /// Limit for the change of a decision's probability; beyond it the decision has no further effect.
    pub clip: f32,
    /// Limit for the mean divergence of a step's decisions from the policy that made them; beyond it the round's
    /// learning ends.
    pub divergence: f64,
    /// Weight of the entropy of choices.
    pub entropy: f32,
    /// Weight of the squared error of values.
    pub value: f32,
    /// Maximum absolute value of a result: with 1, a clear win counts no more than any other win. By default the game's
    /// own values are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reward_limit: Option<f32>,
    /// Factor by which a reward shrinks for every turn until it is received.
    pub discount: f32,
    /// Share of later values in an advantage (lambda).
    pub trace: f32,
    /// Maximum norm of a gradient.
    pub longest: f32,
    /// Share of the running mean of the parameters that each step keeps. Saved networks, matches and imitation use this
    /// mean. With 0, they use the parameters themselves.
    #[serde(default)]
    pub average: f32,
}

impl Learning {
    /// Returns the reward of a game's result.
    pub(super) fn reward(&self, outcome: f32) -> f32 {
        self.reward_limit.map_or(outcome, |limit| outcome.clamp(-limit, limit))
    }
}

/// Matches of the network's policy without search during the training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Matches {
    /// Number of rounds between matches.
    pub every: u64,
    /// Number of pairs of games against each opponent.
    pub pairs: usize,
    /// Number of pairs in the last match, of the best network against the start. If this number is set, the run keeps
    /// the best network instead of the last one. In matches against the best network and the start network, all moves
    /// are drawn, so that the games differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_pairs: Option<usize>,
    /// The run ends after this number of matches in a row that did not improve the network; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u32>,
    /// Bundled bots.
    pub opponents: Vec<String>,
    /// Nodes per move of the opponents; absent for bots that do not search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Whether the network draws its moves, as in the games that it learns from; otherwise it plays the most probable
    /// ones.
    #[serde(default)]
    pub drawn: bool,
}

fn one() -> usize {
    1
}

fn all() -> f64 {
    1.0
}

/// No imitation.
impl Default for Imitation {
    fn default() -> Imitation {
        Imitation {
            teacher: "random".to_string(),
            nodes: None,
            deep_share: all(),
            fast_nodes: None,
            drawn_turns: 0,
            rounds: 0,
            games: 1,
            own_share: 0.0,
            random_share: 0.0,
            value_share: 0.0,
            epochs: 1,
            window: 0,
            mirrored: false,
            rate: Schedule { start: 1e-3, end: 1e-3, curve: Curve::Linear },
        }
    }
}

impl Recipe {
    /// Returns whether the games of a round have a teacher.
    pub(super) fn is_imitating(&self, round: u64) -> bool {
        round < self.imitation.rounds
    }

    /// Returns the number of games of a round.
    pub(super) fn games(&self, round: u64) -> usize {
        if self.is_imitating(round) { self.imitation.games } else { self.self_play.games }
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// Returns an error if the game is not registered, or a setting is outside its range.
    pub fn check(&self) -> Result<(), RecipeError> {
        let Recipe { network, imitation, self_play, pool, learning, matches, .. } = self;
        super::GAMES.find(&self.game)?;
        self.length.check()?;
        imitation.rate.check().map_err(|error| error.within("imitation"))?;
        learning.rate.check().map_err(|error| error.within("learning"))?;
        let limit_is_fine = learning.reward_limit.is_none_or(|limit| limit.is_finite() && limit > 0.0);
        let unless = RecipeError::unless;
        unless((0.0..1.0).contains(&learning.average), "learning.average", "at least 0 and less than 1")?;
        unless(limit_is_fine, "learning.reward_limit", "a number above 0")?;
        let channels_are_fine = network.channels % 16 == 0 && (16..=256).contains(&network.channels);
        unless(channels_are_fine, "network.channels", "a multiple of 16, at most 256")?;
        unless(network.blocks <= 40, "network.blocks", "at most 40")?;
        unless((1..=1024).contains(&network.hidden), "network.hidden", "1 to 1024")?;
        unless((1..=SIDES).contains(&network.sides), "network.sides", "1 or 2")?;
        for (key, share) in [
            ("imitation.own_share", imitation.own_share),
            ("imitation.random_share", imitation.random_share),
            ("imitation.value_share", imitation.value_share.into()),
            ("imitation.deep_share", imitation.deep_share),
            ("pool.share", pool.share),
        ] {
            unless((0.0..=1.0).contains(&share), key, "a number from 0 to 1")?;
        }
        for (key, count) in [
            ("imitation.games", imitation.games),
            ("self_play.games", self_play.games),
            ("learning.batch", learning.batch),
        ] {
            unless((1..=1_000_000).contains(&count), key, "1 to 1000000")?;
        }
        unless(pool.kept == 0 || pool.keep_every > 0, "pool.keep_every", "at least 1")?;
        unless(matches.every > 0, "matches.every", "at least 1")?;
        let ends_early = matches.patience.is_some() && matches.last_pairs.is_none();
        unless(!ends_early, "matches.patience", "`last_pairs` in the same section")?;
        unless(imitation.epochs > 0, "imitation.epochs", "at least 1")?;
        unless(learning.epochs > 0, "learning.epochs", "at least 1")
    }
}
