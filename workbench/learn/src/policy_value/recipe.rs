//! The settings of a training run.

use crate::RecipeError;
use crate::kind::RecipeKind;
use crate::optimiser::{RateSchedule, Schedule};
use crate::training::Length;
use contender_nn::policy_value::SIDES;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All settings of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The kind of recipe, [`RecipeKind::PolicyValue`].
    pub kind: RecipeKind,
    /// The game.
    pub game: String,
    /// Length of the training run.
    pub length: Length,
    /// The sizes of the network.
    pub network: NetworkSize,
    /// The file of the start network, from a training run with the same sizes. By default, training starts from random
    /// parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// Games from which the network imitates a teacher at the start; by default none.
    #[serde(default)]
    pub imitation: Imitation,
    /// Games of the network against itself, after the imitation.
    pub self_play: SelfPlay,
    /// The other players that take part in some of the games.
    #[serde(default)]
    pub pool: Pool,
    /// Settings for learning from the games.
    pub learning: Learning,
    /// Matches during the training run.
    pub matches: MatchSettings,
}

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NetworkSize {
    /// Number of channels in each block, a multiple of 16.
    pub channels: usize,
    /// Number of residual blocks.
    pub blocks: usize,
    /// Number of hidden neurons for the value.
    pub hidden: usize,
    /// Number of sides that have a policy: 1 (the default), or 2 to also predict the opponent's moves.
    #[serde(default = "one")]
    pub sides: usize,
}

/// Rounds of games from which the network learns to imitate a teacher and to predict the winner.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Imitation {
    /// The teacher: a bundled bot, given as `name` or `name:options`, or a network, given as `network:FILE`, whose
    /// policy and value are learned without a search. A bundled bot that needs a network uses the network that is being
    /// trained.
    pub teacher: String,
    /// The teacher's number of nodes per move. Omit it for bots that do not search.
    pub nodes: Option<u64>,
    /// Fraction of turns in which the teacher searches this number of nodes and the network learns from the result.
    #[serde(default = "all")]
    pub deep_share: f64,
    /// The teacher's number of nodes in the other turns. By default, the network moves in these turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fast_nodes: Option<u64>,
    /// Number of turns at the start of a game in which the teacher's moves are drawn according to their probabilities.
    /// Later, its best move is played.
    #[serde(default)]
    pub drawn_turns: u32,
    /// Number of rounds of imitation; 0 for none.
    pub rounds: u64,
    /// Number of games per round.
    pub games: usize,
    /// Fraction of players whose moves the network chooses, so that the teacher gives advice in positions that the
    /// network reaches.
    pub own_share: f64,
    /// Probability of a random move by a player whose moves the teacher chooses.
    pub random_share: f64,
    /// Weight of the teacher's value (if it has one) in the target for the value. The remaining weight belongs to the
    /// result of the game.
    pub value_share: f32,
    /// Average number of times that a decision is learned from.
    pub epochs: u32,
    /// Number of latest decisions that are learned from together. By default, or if a round has more decisions, only
    /// the decisions of the latest round are used. The decisions are stored in files in the training run's folder.
    #[serde(default)]
    pub window: usize,
    /// Whether half of the boards are mirrored vertically.
    #[serde(default)]
    pub mirrored: bool,
    /// The learning rate during the imitation.
    pub rate: Schedule,
}

/// Games of the network against itself.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// Number of games per round. All games are played to the end.
    pub games: usize,
}

/// Past checkpoints and bundled bots as opponents. The network does not learn from their decisions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// Fraction of games in which one player is a past checkpoint or a bundled bot.
    pub share: f64,
    /// Number of rounds between two kept checkpoints.
    pub keep_every: u64,
    /// Maximum number of kept checkpoints. If there are more, a random one is removed.
    pub kept: usize,
    /// Bundled bots. Each is chosen with the same probability as a checkpoint.
    #[serde(default)]
    pub bots: Vec<String>,
    /// Number of nodes per move for these bots.
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
    /// Maximum relative change of a decision's probability. Beyond this limit, the decision has no further effect.
    pub clip: f32,
    /// Maximum mean divergence between the current policy and the policy that made a step's decisions. Beyond this
    /// limit, learning in this round ends.
    pub divergence: f64,
    /// Weight of the policy's entropy in the loss.
    pub entropy: f32,
    /// Weight of the value's squared error in the loss.
    pub value: f32,
    /// Maximum absolute value of a result. With 1, a clear win counts the same as any other win. By default, results
    /// are not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reward_limit: Option<f32>,
    /// Factor by which a reward is multiplied for every turn until it is received.
    pub discount: f32,
    /// Weight of later values in an advantage (lambda).
    pub trace: f32,
    /// Maximum norm of a gradient.
    pub longest: f32,
    /// Fraction that the running mean of the parameters keeps in each step. Saved networks, matches and imitation use
    /// this mean, or the parameters themselves if the fraction is 0.
    #[serde(default)]
    pub average: f32,
}

impl Learning {
    /// Converts the result of a game to a reward.
    pub(super) fn reward(&self, outcome: f32) -> f32 {
        self.reward_limit.map_or(outcome, |limit| outcome.clamp(-limit, limit))
    }
}

/// Matches during the training run, in which the network's policy plays without search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MatchSettings {
    /// Number of rounds between matches.
    pub every: u64,
    /// Number of pairs of games per opponent.
    pub pairs: usize,
    /// Number of pairs in the final match between the best network and the start network. If this number is set, the
    /// run keeps the best network instead of the last one. In matches against other networks, all moves are drawn at
    /// random, so that the games differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_pairs: Option<usize>,
    /// Number of consecutive matches without an improvement after which the run ends; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u32>,
    /// The bundled bots against which the network plays.
    pub opponents: Vec<String>,
    /// Number of nodes per move for the opponents. Omit it for bots that do not search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Whether the network draws its moves at random, as in the games from which it learns. Otherwise it plays the most
    /// probable moves.
    #[serde(default)]
    pub drawn: bool,
}

fn one() -> usize {
    1
}

fn all() -> f64 {
    1.0
}

/// Returns settings without imitation.
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
            rate: Schedule { start: 1e-3, end: 1e-3, curve: RateSchedule::Linear },
        }
    }
}

impl Recipe {
    /// Returns whether a teacher takes part in the games of a round.
    pub(super) fn is_imitating(&self, round: u64) -> bool {
        round < self.imitation.rounds
    }

    /// Returns the number of games in a round.
    pub(super) fn games(&self, round: u64) -> usize {
        if self.is_imitating(round) { self.imitation.games } else { self.self_play.games }
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// Returns an error if the game is not registered or a setting is out of range.
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
