//! Registers the games of this workspace that can be learned.
//!
//! This is a separate crate for speed. The code of a training run is generic over the game, so it is compiled in the
//! crate that names the game. This crate is optimised, while the `contender` command is not.

#![forbid(unsafe_code)]

/// Registers the games that can be learned. This function must be called before a recipe for one of these games is
/// read.
#[cfg(feature = "games")]
pub fn register() {
    use contender_learn::policy_value::learns_game;
    use contender_learn::treestrap::learns_weights;
    use contender_learn::value_network::learns_values;
    learns_game::<contender_cellularena::learning::Cellularena>("cellularena");
    learns_weights::<contender_entropy::Entropy>();
    learns_values::<contender_entropy::learning::Entropy>("entropy");
    learns_values::<contender_uttt::learning::Uttt>("uttt");
}

/// Registers no games, because this program contains none of this workspace.
#[cfg(not(feature = "games"))]
pub fn register() {}
