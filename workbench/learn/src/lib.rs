//! Training of evaluations by self-play. A recipe selects the kind of evaluation; all kinds are trained with the same
//! commands.
//!
//! | topic | module or type |
//! |---|---|
//! | a training run as a file | [`Recipe`] |
//! | running, stopping and resuming, progress and log | [`train()`], [`training`] |
//! | games on other machines | [`TrainingOptions::workers`], [`policy_value::act`] |
//! | a linear evaluation, learned from the nodes of searches | [`treestrap`] |
//! | a network that evaluates positions | [`value_network`] |
//! | a network that evaluates positions and proposes moves | [`policy_value`] |
//! | the best version, and the end of a run | `best` |
//! | the weights of inputs by turn, as curves | [`weights`] |
//! | the optimiser of all kinds | [`optimiser`] |

#![deny(unsafe_code)]

mod best;
/// The game of `contender new game --kind chance`, which the tests train on.
#[cfg(test)]
#[allow(dead_code, missing_docs, clippy::unnecessary_map_or)] // The template supports Rust 1.66.
#[path = "../../cli/templates/chance/lib.rs"]
mod digits;
#[cfg(test)]
mod endless;
mod error;
#[cfg(test)]
mod interrupted;
mod kind;
pub mod optimiser;
pub mod policy_value;
mod recipe;
mod registry;
mod self_play;
/// The game of `contender new game --kind turns`, which the tests train on.
#[cfg(test)]
#[allow(dead_code, missing_docs)]
#[path = "../../cli/templates/turns/lib.rs"]
mod tictactoe;
pub mod training;
pub mod treestrap;
pub mod value_network;
pub mod weights;

pub use error::RecipeError;
pub use kind::RecipeKind;
#[cfg(feature = "schema")]
pub use recipe::schema;
pub use recipe::{ChainRun, Recipe, train};
pub use training::{Event, Length, Outcome, TrainingOptions, TrainingProgress};

use contender_game::contest::{MoveOf, Notation, StateOf, TypedContest};
use contender_value::{Evaluation, Features, TrainingGuide};

/// Registers a custom game whose positions have [`Features`], so that weights and networks can be trained for the game.
/// This function must be called before a recipe for the game is read.
pub fn learns_features<C>()
where
    C: TypedContest + 'static,
    StateOf<C>: Features<Move = MoveOf<C>> + Notation,
{
    learns_features_with::<C, Evaluation<StateOf<C>>>();
}

/// Registers a custom game like [`learns_features`]. Searches with the guide `E` play and label the games of a value
/// network's training run, so that they know the tactics of the game.
pub fn learns_features_with<C, E>()
where
    C: TypedContest + 'static,
    StateOf<C>: Features<Move = MoveOf<C>> + Notation,
    E: TrainingGuide<StateOf<C>>,
{
    treestrap::learns_weights::<C>();
    value_network::learns::<C, E>();
}
