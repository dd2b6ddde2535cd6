//! The interface through which an evaluation can learn a game.

mod evaluation;
mod sums;

pub use evaluation::{wins, Evaluation, WON};
pub use sums::changes_are_right;

use contender_game::{
    contest::{Bot, RandomBot},
    rules::{Game, Player},
    settings::Shipped,
};
use contender_search::{ChanceModel, Heuristics};

/// Returns the value of a sum, between -1, a loss, and 1, a win. It is strictly increasing, and the same on every
/// machine, unlike the logistic function.
#[must_use]
pub fn link(sum: f64) -> f64 {
    sum / (1.0 + sum * sum).sqrt()
}

/// The meaning of a weighted sum of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// The winner, from -1 to 1, by [`link`]. Values of a search are [`WON`] times that.
    Wins,
    /// Points that player 0 will have beyond [those of now](Features::points_so_far). Values of a search are all his
    /// points, times this number.
    Points(i32),
}

impl Unit {
    /// Returns the units of a search's value per unit of the sum.
    #[must_use]
    pub fn of_search(self) -> i32 {
        match self {
            Unit::Wins => WON,
            Unit::Points(of_search) => of_search,
        }
    }

    /// Returns the value that a sum says.
    #[must_use]
    pub fn value(self, sum: f64) -> f64 {
        match self {
            Unit::Wins => link(sum),
            Unit::Points(_) => sum,
        }
    }
}

/// A game whose positions have features: what a player has there, a piece, an open line, a threat, the right to move.
/// Each is worth the same to either player. For games in turn that hide nothing.
///
/// Only [`ChanceModel`](Features::ChanceModel), [`COUNT`](Features::COUNT) and [`features`](Features::features) must be
/// stated. The weights are those of an [`Evaluation`] then. A game with an evaluation of its own states
/// [`guide`](Features::guide), [`read_weights`](Features::read_weights) and [`write_weights`](Features::write_weights)
/// too. Weights are one list of numbers: for each stage a constant, what it is worth to be player 0, and a weight for
/// each feature.
pub trait Features: Game + 'static {
    /// [`WithChance`](contender_search::WithChance) if chance acts, otherwise [`NoChance`](contender_search::NoChance).
    type ChanceModel: ChanceModel<Self>;
    /// Number of features.
    const COUNT: usize;
    /// Number of stages of the game with their own weights, in the order of play. If there are several, the players'
    /// stages alternate: training pulls the weights of stages that are two apart towards each other. A network has no
    /// stages.
    const STAGES: usize = 1;
    /// The meaning of a weighted sum.
    const UNIT: Unit = Unit::Wins;
    /// Whether chance acts so often that it alone makes games different. Then games have no random openings in matches,
    /// and a position before chance acts is searched instead of the one after it: its value is known from all outcomes.
    const CHANCE_TEACHES: bool = false;

    /// Names each feature that a player has, a number below [`COUNT`](Features::COUNT); one that he has several times
    /// is named as often. The position is worth to him what he has, less what the opponent has; a network sees what
    /// goes together, too.
    fn features(&self, player: Player, add: impl FnMut(usize));

    /// Returns whether a move changes so much that a position should not be evaluated while one can be played, for
    /// example a capture: see [`Tactics::is_noisy`](contender_search::Tactics::is_noisy). For searches with quiescence.
    fn is_noisy(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Whether [`changes`](Features::changes) says what a move changes. Then searches update the evaluation's sums move
    /// by move instead of adding up all features of each position, and weights are rounded to 1/65536, so that both
    /// ways give equal values.
    const UPDATES: bool = false;

    /// Names each feature that a move gives a player, with `true`, or takes from it, with `false`. `after` is the
    /// position that `mv` leads to from `before`. A test of the game should compare it with
    /// [`features`](Features::features): [`changes_are_right`](crate::changes_are_right).
    fn changes(before: &Self, mv: Self::Move, after: &Self, change: impl FnMut(Player, usize, bool)) {
        let _ = (before, mv, after, change);
    }

    /// Returns the stage of the position, below [`STAGES`](Features::STAGES).
    fn stage(&self) -> usize {
        0
    }

    /// Returns the points that player 0 has already, on top of which [`Unit::Points`] are.
    fn points_so_far(&self) -> i32 {
        0
    }

    /// Returns whether weights are learned from the search's result in the position. Not if it has the same features as
    /// the position before it.
    fn teaches(&self) -> bool {
        true
    }

    /// Returns a hash of everything that can matter later, for the search's table; without it there is none.
    fn key(&self) -> Option<u64> {
        None
    }

    /// Returns the evaluation by weights, as searches ask for it.
    #[must_use]
    fn guide(weights: &[f32]) -> Box<dyn Heuristics<Self>> {
        Box::new(Evaluation::<Self>::of_weights(weights.to_vec()))
    }

    /// Returns the weights of a file that [`write_weights`](Features::write_weights) wrote.
    ///
    /// # Errors
    /// The reason why the bytes are invalid.
    fn read_weights(bytes: &[u8]) -> Result<Vec<f32>, String> {
        let evaluation = Evaluation::<Self>::read(bytes)?;
        match evaluation.neurons() {
            0 => Ok(evaluation.numbers().to_vec()),
            _ => Err("it is a network, not weights".to_string()),
        }
    }

    /// Weights as the game's bots read them.
    #[must_use]
    fn write_weights(weights: &[f32]) -> Vec<u8> {
        Evaluation::<Self>::of_weights(weights.to_vec()).write()
    }

    /// Returns the bot that matches of a training are played against, and its name.
    #[must_use]
    fn rival(seed: u64) -> (&'static str, Box<dyn Bot<Self, Self::Move>>) {
        ("random", Box::new(RandomBot::new(seed)))
    }

    /// Returns the evaluation that bots are shipped with. It is a file that `train` has written, with weights or a
    /// network: `contender_nn::include_data!("../weights.txt")`. If there are no bytes, which is the default, all
    /// weights are 0.
    #[must_use]
    fn evaluation() -> Vec<u8> {
        Vec::new()
    }
}
