//! Small networks for games, trained by games of a bot against itself on a single core.
//!
//! Each game has a module that plays games, and a network in floating point that is quantised for the game's own inference. Shared are
//! the files of positions ([`records`]) and the fit to them ([`fit`]).

#![forbid(unsafe_code)]

pub mod entropy;
pub mod fit;
pub mod records;
pub mod uttt;
