//! The settings of a training.

use crate::kind::Kind;
use crate::optimiser::{Curve, Schedule};
use crate::training::Length;
use contender_nn::policy_value::SIDES;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All settings of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// [`Kind::PolicyValue`].
    pub kind: Kind,
    /// The game.
    pub game: String,
    /// Length of the training.
    pub length: Length,
    /// The network's sizes.
    pub network: Network,
    /// A network of these sizes to begin with, the file of another training; random parameters where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// Games of a teacher at the start; none if it is not said.
    #[serde(default)]
    pub imitation: Imitation,
    /// Games after that.
    pub self_play: SelfPlay,
    /// Others who play in some of the games.
    #[serde(default)]
    pub pool: Pool,
    /// Settings for learning from them.
    pub learning: Learning,
    /// Matches on the way.
    pub matches: Matches,
}

/// The network's sizes.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Channels of its blocks: a multiple of 16.
    pub channels: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// Hidden neurons of the value.
    pub hidden: usize,
    /// Sides whose policies it tells: 1, or 2 where the enemy's is to come of the same evaluation. One if it is not
    /// said.
    #[serde(default = "one")]
    pub sides: usize,
}

/// Rounds of games in which the network learns what a teacher would do, and who wins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imitation {
    /// The teacher: a bundled bot of the game, `name` or `name:options`, or `network:FILE`, a network whose own
    /// probabilities and value are learned, without a search. A bot with a network searches with the network that
    /// learns.
    pub teacher: String,
    /// Nodes of the teacher for a move; not given for bots that do not search.
    pub nodes: Option<u64>,
    /// The share of the turns in which the teacher is asked with these nodes and is learned from.
    #[serde(default = "all")]
    pub deep_share: f64,
    /// Nodes of the teacher in the other turns; if it is not said the network moves there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fast_nodes: Option<u64>,
    /// In so many turns at the start the teacher's moves are drawn by its probabilities; later its best move is played.
    #[serde(default)]
    pub drawn_turns: u32,
    /// Rounds; 0 for none.
    pub rounds: u64,
    /// Games of a round.
    pub games: usize,
    /// Share of the players that move as the network does, so that the teacher is asked about what the network runs
    /// into.
    pub own_share: f64,
    /// Probability of a random move of a player that moves as the teacher does.
    pub random_share: f64,
    /// Share of the teacher's value in a value's target, where the teacher has one; the rest is the result.
    pub value_share: f32,
    /// Average number of passes over a decision.
    pub epochs: u32,
    /// So many of the latest decisions are learned from together; those of the newest round alone if there are more, or
    /// if it is not said. They are kept in files of the training's folder.
    #[serde(default)]
    pub window: usize,
    /// Whether half of the boards are seen in a mirror, rows from the last to the first.
    #[serde(default)]
    pub mirrored: bool,
    /// The learning rate over these rounds.
    pub rate: Schedule,
}

/// Games of the network against itself.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// Games of a round, all to their end.
    pub games: usize,
}

/// Former selves and bundled bots, one of whom is a player in a share of the games. Nothing is learned from what they
/// do.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// Share of the games.
    pub share: f64,
    /// A former self is kept every so many rounds.
    pub keep_every: u64,
    /// Maximum number kept; after that a random one is dropped.
    pub kept: usize,
    /// Bundled bots, each as probable as a former self.
    #[serde(default)]
    pub bots: Vec<String>,
    /// Nodes of these bots for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// Settings for learning from a round's decisions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// The rate of Adam over the training.
    pub rate: Schedule,
    /// Decisions of a step.
    pub batch: usize,
    /// Passes over a round's decisions.
    pub epochs: u32,
    /// Limit of the change of a decision's probability; beyond it the decision teaches no more.
    pub clip: f32,
    /// A round's learning ends when the mean divergence of a step's decisions from the policy that took them exceeds
    /// this.
    pub divergence: f64,
    /// Weight of the entropy of choices.
    pub entropy: f32,
    /// Weight of the squared error of values.
    pub value: f32,
    /// The most that a result counts, for and against: 1 where a clear win is to teach no more than any other. What the
    /// game says if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reward_limit: Option<f32>,
    /// Rewards count by this factor less with every turn that they are ahead.
    pub discount: f32,
    /// Share of later values in an advantage (lambda).
    pub trace: f32,
    /// Longest gradient.
    pub longest: f32,
    /// How much of the running mean of the parameters stays with every step: what is written, what plays matches and
    /// what imitates plays with this mean. The parameters themselves if it is 0.
    #[serde(default)]
    pub average: f32,
}

impl Learning {
    /// Returns the reward of a game's result.
    pub(super) fn reward(&self, outcome: f32) -> f32 {
        self.reward_limit.map_or(outcome, |limit| outcome.clamp(-limit, limit))
    }
}

/// Matches of the network's policy alone, without search, while training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matches {
    /// Rounds from one to the next.
    pub every: u64,
    /// Pairs of games against each opponent.
    pub pairs: usize,
    /// Bundled bots.
    pub opponents: Vec<String>,
    /// Their nodes for a move; not given for bots that do not search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Whether the network draws its moves as in the games that it learns from; else it plays the most probable ones.
    #[serde(default)]
    pub drawn: bool,
}

fn one() -> usize {
    1
}

fn all() -> f64 {
    1.0
}

/// No rounds.
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

    /// Says what is wrong with the settings.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(&self) -> Result<(), String> {
        let Recipe { network, imitation, self_play, pool, learning, .. } = self;
        let require = |holds: bool, words: &str| if holds { Ok(()) } else { Err(words.to_string()) };
        let share = |share: f64| (0.0..=1.0).contains(&share);
        let games: Vec<&str> = super::GAMES.all().into_iter().map(|learned| learned.game).collect();
        if !games.contains(&self.game.as_str()) {
            let (game, games) = (&self.game, games.join(", "));
            return Err(format!("`game` is `{game}`; {games} has networks of policy and value"));
        }
        self.length.check()?;
        require((0.0..1.0).contains(&learning.average), "`learning.average` is from 0 to below 1")?;
        require(
            learning.reward_limit.is_none_or(|limit| limit.is_finite() && limit > 0.0),
            "`learning.reward_limit` is above 0",
        )?;
        imitation.rate.check().map_err(|error| format!("[imitation] {error}"))?;
        learning.rate.check().map_err(|error| format!("[learning] {error}"))?;
        require(
            network.channels % 16 == 0 && (16..=256).contains(&network.channels),
            "`network.channels` is a multiple of 16 up to 256",
        )?;
        require(network.blocks <= 40, "`network.blocks` is at most 40")?;
        require((1..=1024).contains(&network.hidden), "`network.hidden` is 1 to 1024")?;
        require((1..=SIDES).contains(&network.sides), "`network.sides` is 1 or 2")?;
        require(
            share(imitation.own_share)
                && share(imitation.random_share)
                && share(imitation.value_share.into())
                && share(imitation.deep_share)
                && share(pool.share),
            "shares are between 0 and 1",
        )?;
        let counts = [imitation.games, self_play.games, learning.batch];
        require(
            counts.iter().all(|count| (1..=1_000_000).contains(count)),
            "numbers of games and decisions are above 0 and at most a million",
        )?;
        require(
            (pool.kept == 0 || pool.keep_every > 0)
                && self.matches.every > 0
                && [imitation.epochs, learning.epochs].iter().all(|&epochs| epochs > 0),
            "`pool.keep_every`, `matches.every` and `epochs` are above 0",
        )
    }
}
