//! The interface for a game whose evaluation can be trained.

mod evaluation;
mod sums;
mod training_guide;

pub use evaluation::{wins, Evaluation, WON};
pub use sums::changes_are_right;
pub use training_guide::TrainingGuide;

use contender_game::{
    contest::{Bot, RandomBot},
    rules::{Game, Player},
    settings::Shipped,
};
use contender_search::{ChanceModel, Heuristics};

/// Converts a sum to a value between -1 (a loss) and 1 (a win). The function is strictly increasing and, unlike the
/// logistic function, gives the same results on every machine.
///
/// ```
/// use contender_value::link;
///
/// assert_eq!(link(0.0), 0.0);
/// assert!(link(2.0) > 0.89 && link(-2.0) < -0.89);
/// ```
#[must_use]
pub fn link(sum: f64) -> f64 {
    sum / (1.0 + sum * sum).sqrt()
}

/// The unit of a weighted sum of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// The result for player 0, from -1 (a loss) to 1 (a win), computed with [`link`]. A search multiplies these values
    /// by [`WON`].
    Wins,
    /// The points that player 0 will win in addition to the [points so far](Features::points_so_far). Search values are
    /// player 0's total points, multiplied by this number.
    Points(i32),
}

impl Unit {
    /// Returns the search value of one unit of the sum.
    #[must_use]
    pub fn of_search(self) -> i32 {
        match self {
            Unit::Wins => WON,
            Unit::Points(of_search) => of_search,
        }
    }

    /// Converts a sum to a value.
    #[must_use]
    pub fn value(self, sum: f64) -> f64 {
        match self {
            Unit::Wins => link(sum),
            Unit::Points(_) => sum,
        }
    }
}

/// A game whose positions have features: properties of a player's position, such as a piece, an open line, a threat or
/// the right to move. A feature has the same value for both players. Use this trait for games with alternating turns
/// and no hidden information.
///
/// Only [`ChanceModel`](Features::ChanceModel), [`COUNT`](Features::COUNT) and [`features`](Features::features) are
/// required. By default, the weights are used by an [`Evaluation`]. A game with a custom evaluation must also implement
/// [`guide`](Features::guide), [`read_weights`](Features::read_weights) and [`write_weights`](Features::write_weights).
/// The weights form one list of numbers. For each stage, the list contains a constant (the bonus for player 0) followed
/// by a weight for each feature.
///
/// The [example of the crate](crate) implements this trait.
pub trait Features: Game + 'static {
    /// [`WithChance`](contender_search::WithChance) if the game has chance nodes, otherwise
    /// [`NoChance`](contender_search::NoChance).
    type ChanceModel: ChanceModel<Self>;
    /// Number of features.
    const COUNT: usize;
    /// Number of stages of the game that have separate weights, in the order of play. The stages of the two players
    /// alternate, so training pulls the weights of stage `n` and stage `n + 2` towards each other. A network has no
    /// stages.
    const STAGES: usize = 1;
    /// The unit of a weighted sum.
    const UNIT: Unit = Unit::Wins;
    /// Whether chance acts so often that all games are different. If so, games in matches start without random
    /// openings. The search then labels positions before a chance outcome instead of after it, because that value takes
    /// all outcomes into account.
    const CHANCE_TEACHES: bool = false;

    /// Calls `add` with the index (below [`COUNT`](Features::COUNT)) of each feature that a player has. If the player
    /// has a feature several times, the function calls `add` several times. The value of a position for a player is the
    /// value of the player's features minus the value of the opponent's features. A network also takes combinations of
    /// features into account.
    fn features(&self, player: Player, add: impl FnMut(usize));

    /// Returns whether a move is noisy, for example a capture: see
    /// [`Tactics::is_noisy`](contender_search::Tactics::is_noisy). Only searches with quiescence use this function.
    fn is_noisy(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Whether [`changes`](Features::changes) is implemented. If `true`, searches update the evaluation's sums move by
    /// move instead of adding up all features of each position. Weights are then rounded to multiples of 1/65536, so
    /// that both methods give the same values.
    const UPDATES: bool = false;

    /// Calls `change` for each feature that a player gains (`true`) or loses (`false`) through a move. The move `mv`
    /// leads from `before` to `after`. A test of the game should compare these changes with
    /// [`features`](Features::features), using [`changes_are_right`](crate::changes_are_right).
    fn changes(before: &Self, mv: Self::Move, after: &Self, change: impl FnMut(Player, usize, bool)) {
        let _ = (before, mv, after, change);
    }

    /// Returns the stage of the game in this position, below [`STAGES`](Features::STAGES).
    fn stage(&self) -> usize {
        0
    }

    /// Returns the points that player 0 has won so far. Values in [`Unit::Points`] are added to these points.
    fn points_so_far(&self) -> i32 {
        0
    }

    /// Returns whether training should use the search result of this position. Return `false` if the position has the
    /// same features as the previous position, or if its value depends on a threat that the features do not contain,
    /// such as a check.
    fn teaches(&self) -> bool {
        true
    }

    /// Returns a hash of everything that can affect the rest of the game, for the search's transposition table. Without
    /// a hash, the search does not use a table.
    fn key(&self) -> Option<u64> {
        None
    }

    /// Creates an evaluation with these weights for searches.
    #[must_use]
    fn guide(weights: &[f32]) -> Box<dyn Heuristics<Self>> {
        Box::new(Evaluation::<Self>::of_weights(weights.to_vec()))
    }

    /// Parses the contents of a file that [`write_weights`](Features::write_weights) wrote.
    ///
    /// # Errors
    /// Returns an error with the reason if the bytes are invalid.
    fn read_weights(bytes: &[u8]) -> Result<Vec<f32>, String> {
        let evaluation = Evaluation::<Self>::read(bytes)?;
        match evaluation.neurons() {
            0 => Ok(evaluation.numbers().to_vec()),
            _ => Err("it is a network, not weights".to_string()),
        }
    }

    /// Formats the weights as a file that the game's bots can read.
    #[must_use]
    fn write_weights(weights: &[f32]) -> Vec<u8> {
        Evaluation::<Self>::of_weights(weights.to_vec()).write()
    }

    /// Returns the name of the bot against which training runs play matches, and the bot.
    #[must_use]
    fn rival(seed: u64) -> (&'static str, Box<dyn Bot<Self, Self::Move>>) {
        ("random", Box::new(RandomBot::new(seed)))
    }

    /// Returns the evaluation that is bundled with the bots: a file with weights or a network, written by `contender
    /// train`. For example: `contender_nn::include_data!("../weights.txt")`. If the list is empty (the default), all
    /// weights are 0.
    #[must_use]
    fn evaluation() -> Vec<u8> {
        Vec::new()
    }
}
