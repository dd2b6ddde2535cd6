//! Registers the games of this workspace that can be learned.
//!
//! This is a separate crate for speed. The code of a training run is generic over the game, so it is compiled in the
//! crate that names the game. This crate is optimised, while the `contender` command is not.

#![forbid(unsafe_code)]

use contender_learn::policy_value::learns_game;
use contender_learn::treestrap::learns_weights;
use contender_learn::value_network::learns_values;

/// Registers the games that can be learned. This function must be called before a recipe for one of these games is
/// read.
pub fn register() {
    learns_game::<contender_cellularena::learning::Cellularena>("cellularena");
    learns_weights::<contender_entropy::Entropy>();
    learns_values::<contender_entropy::learning::Entropy>("entropy");
    learns_values::<contender_uttt::learning::Uttt>("uttt");
}
