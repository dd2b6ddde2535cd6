//! The games of this workspace that are learned: the one place where their trainings are entered.
//!
//! It is a crate of its own for the sake of speed. What a training runs is generic in the game, so it is compiled where
//! the game is named, and the command is compiled without optimisation.

#![forbid(unsafe_code)]

use contender_learn::policy_value::learns_game;
use contender_learn::treestrap::learns_weights;
use contender_learn::value_network::learns_values;

/// Says that these games can be learned, before a recipe of one is read.
pub fn register() {
    learns_game::<contender_cellularena::learning::Cellularena>("cellularena");
    learns_weights::<contender_entropy::Entropy>();
    learns_values::<contender_entropy::learning::Entropy>("entropy");
    learns_values::<contender_uttt::learning::Uttt>("uttt");
}
