//! Ultimate Tic-Tac-Toe: games, positions, and the network of the champion.

pub mod play;
pub mod sample;
pub mod train;
