//! Evaluations that are learned: a game says which features its positions have, and `contender train` what each is
//! worth.
//!
//! | for | take |
//! |---|---|
//! | what a player has in a position | [`Features`] |
//! | what a position is worth by that, for alpha-beta and Monte Carlo tree search | [`Evaluation`] |
//! | values of such a search as chances of winning | [`wins`] |
//! | the numbers of a network, for who learns them | [`Layout`] |
//! | a network of a game's own | [`ValueLearnedGame`] |

#![forbid(unsafe_code)]

mod features;
mod file;
mod layout;
mod learned_game;

pub use features::{link, wins, Evaluation, Features, Unit, WON};
pub use file::MAX_NEURONS;
pub use layout::Layout;
pub use learned_game::{Model, Record, ValueLearnedGame};
