//! Evaluations that are learned: a game says which features its positions have, and `contender train` what each is
//! worth.
//!
//! | for | take |
//! |---|---|
//! | what a player has in a position | [`Features`] |
//! | what a position is worth by that, for alpha-beta and Monte Carlo tree search | [`Evaluation`] |
//! | values of such a search as chances of winning | [`wins`] |
//! | the numbers of a network, for who learns them | [`Layout`] |

#![forbid(unsafe_code)]

mod evaluation;
mod features;
mod file;
mod layout;

pub use evaluation::{link, wins, Evaluation, WON};
pub use features::Features;
pub use file::MOST_NEURONS;
pub use layout::Layout;
