//! Small networks with sparse binary inputs, trained by games of a bot against itself on a single core.
//!
//! [`play`] makes samples, [`sample`] keeps them in files, [`train`] fits a network and quantises it for the game's own inference.

pub mod play;
pub mod sample;
pub mod train;
