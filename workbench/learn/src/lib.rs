//! Learning of evaluations by games of a bot against itself, whatever the way: a recipe says which, and all are trained
//! alike.
//!
//! | question | here |
//! |---|---|
//! | a training as a file | [`Recipe`] |
//! | a training that is stopped and gone on with, its progress and its log | [`train()`], [`training`] |
//! | games of a training that other machines play | [`TrainingOptions::workers`], [`policy_value::act`] |
//! | a linear evaluation, by the nodes of searches | [`treestrap`] |
//! | a network that values positions | [`value_network`] |
//! | a network that values positions and proposes moves | [`policy_value`] |
//! | weights of inputs as lines over the turns | [`weights`] |
//! | the optimiser of all of them | [`optimiser`] |

#![deny(unsafe_code)]

/// The game of `contender new game --kind chance`, which tests learn.
#[cfg(test)]
#[allow(dead_code, missing_docs, clippy::unnecessary_map_or)] // It is for Rust 1.66.
#[path = "../../cli/templates/chance/lib.rs"]
mod digits;
#[cfg(test)]
mod endless;
mod kind;
pub mod optimiser;
pub mod policy_value;
mod recipe;
mod registry;
mod self_play;
/// The template of `--kind turns`.
#[cfg(test)]
#[allow(dead_code, missing_docs)]
#[path = "../../cli/templates/turns/lib.rs"]
mod tictactoe;
pub mod training;
pub mod treestrap;
pub mod value_network;
pub mod weights;

pub use kind::Kind;
pub use recipe::{Leg, Recipe, train};
pub use training::{Event, Length, Outcome, Progress, TrainingOptions};

use contender_game::contest::{StateOf, TypedContest};
use contender_value::Features;

/// Says that evaluations of an author's own game can be learned, weights and networks, before a recipe of it is read:
/// the game of a contest whose positions have [`Features`].
pub fn learns_features<C>()
where
    C: TypedContest + 'static,
    StateOf<C>: Features,
{
    treestrap::learns_weights::<C>();
    value_network::learns::<C>();
}
