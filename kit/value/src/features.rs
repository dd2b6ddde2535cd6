//! The interface of a game whose evaluation can be learned.

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

/// Converts a sum to a value between -1 (a loss) and 1 (a win). The function is strictly increasing and, unlike the
/// logistic function, gives the same results on every machine.
#[must_use]
pub fn link(sum: f64) -> f64 {
    sum / (1.0 + sum * sum).sqrt()
}

/// The meaning of a weighted sum of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// The winner, from -1 to 1, computed with [`link`]. A search multiplies these values by [`WON`].
    Wins,
    /// The points that player 0 will win in addition to the [points so far](Features::points_so_far). A search uses all
    /// points of player 0, multiplied by this number.
    Points(i32),
}

impl Unit {
    /// Returns the value in a search of one unit of the sum.
    #[must_use]
    pub fn of_search(self) -> i32 {
        match self {
            Unit::Wins => WON,
            Unit::Points(of_search) => of_search,
        }
    }

    /// Returns the value that corresponds to a sum.
    #[must_use]
    pub fn value(self, sum: f64) -> f64 {
        match self {
            Unit::Wins => link(sum),
            Unit::Points(_) => sum,
        }
    }
}

/// A game whose positions have features: properties of a player's position, such as a piece, an open line, a threat or
/// the right to move. A feature has the same value for both players. The trait is for games in which the players take
/// turns and nothing is hidden.
///
/// Only [`ChanceModel`](Features::ChanceModel), [`COUNT`](Features::COUNT) and [`features`](Features::features) are
/// required. By default, an [`Evaluation`] uses the weights. A game with its own evaluation also implements
/// [`guide`](Features::guide), [`read_weights`](Features::read_weights) and [`write_weights`](Features::write_weights).
/// The weights are one list of numbers. For each stage, the list contains a constant, which is the value of being
/// player 0, and a weight for each feature.
pub trait Features: Game + 'static {
    /// [`WithChance`](contender_search::WithChance) if chance acts, otherwise [`NoChance`](contender_search::NoChance).
    type ChanceModel: ChanceModel<Self>;
    /// Number of features.
    const COUNT: usize;
    /// Number of stages of the game with separate weights, in the order of play. If there are several stages, the
    /// stages of the two players alternate: training pulls the weights of stages with a distance of two towards each
    /// other. A network has no stages.
    const STAGES: usize = 1;
    /// The meaning of a weighted sum.
    const UNIT: Unit = Unit::Wins;
    /// Whether chance acts so often that it makes all games different. In this case, games in matches have no random
    /// openings, and the search labels the position before a chance outcome instead of the position after it, because
    /// the value follows from all outcomes.
    const CHANCE_TEACHES: bool = false;

    /// Calls `add` with the number of each feature that a player has, below [`COUNT`](Features::COUNT). A feature that
    /// the player has several times is added as often. The value of a position for a player is the value of the
    /// player's features minus the value of the opponent's features; a network also sees combinations of features.
    fn features(&self, player: Player, add: impl FnMut(usize));

    /// Returns whether a move changes so much that a position should not be evaluated while one can be played, for
    /// example a capture: see [`Tactics::is_noisy`](contender_search::Tactics::is_noisy). Only searches with quiescence
    /// use this method.
    fn is_noisy(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Whether [`changes`](Features::changes) is implemented. If `true`, searches update the evaluation's sums move by
    /// move instead of adding up all features of each position. Weights are then rounded to 1/65536, so that both ways
    /// give equal values.
    const UPDATES: bool = false;

    /// Calls `change` with each feature that a move gives to a player (`true`) or takes from a player (`false`). The
    /// move `mv` leads from `before` to `after`. A test of the game should compare these changes with
    /// [`features`](Features::features), using [`changes_are_right`](crate::changes_are_right).
    fn changes(before: &Self, mv: Self::Move, after: &Self, change: impl FnMut(Player, usize, bool)) {
        let _ = (before, mv, after, change);
    }

    /// Returns the stage of the position, below [`STAGES`](Features::STAGES).
    fn stage(&self) -> usize {
        0
    }

    /// Returns the points that player 0 already has, to which [`Unit::Points`] are added.
    fn points_so_far(&self) -> i32 {
        0
    }

    /// Returns whether weights are learned from the result of the search in this position. Return `false` if the
    /// position has the same features as the position before it.
    fn teaches(&self) -> bool {
        true
    }

    /// Returns a hash of everything that can matter later, for the search's table. Without a hash, the search has no
    /// table.
    fn key(&self) -> Option<u64> {
        None
    }

    /// Returns the evaluation with these weights, in the form in which searches use it.
    #[must_use]
    fn guide(weights: &[f32]) -> Box<dyn Heuristics<Self>> {
        Box::new(Evaluation::<Self>::of_weights(weights.to_vec()))
    }

    /// Reads the weights from the contents of a file that [`write_weights`](Features::write_weights) wrote.
    ///
    /// # Errors
    /// Returns the reason if the bytes are invalid.
    fn read_weights(bytes: &[u8]) -> Result<Vec<f32>, String> {
        let evaluation = Evaluation::<Self>::read(bytes)?;
        match evaluation.neurons() {
            0 => Ok(evaluation.numbers().to_vec()),
            _ => Err("it is a network, not weights".to_string()),
        }
    }

    /// Returns the weights in the format that the game's bots read.
    #[must_use]
    fn write_weights(weights: &[f32]) -> Vec<u8> {
        Evaluation::<Self>::of_weights(weights.to_vec()).write()
    }

    /// Returns the bot that a training run plays matches against, and its name.
    #[must_use]
    fn rival(seed: u64) -> (&'static str, Box<dyn Bot<Self, Self::Move>>) {
        ("random", Box::new(RandomBot::new(seed)))
    }

    /// Returns the evaluation that is shipped with the bots. The evaluation is a file that `train` has written, with
    /// weights or with a network: `contender_nn::include_data!("../weights.txt")`. If there are no bytes, which is the
    /// default, all weights are 0.
    #[must_use]
    fn evaluation() -> Vec<u8> {
        Vec::new()
    }
}
