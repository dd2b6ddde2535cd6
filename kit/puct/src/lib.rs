//! Networks that value positions and propose moves, for any game whose players move in turn: what the game says for it,
//! and a bot that searches with it.
//!
//! | for | take |
//! |---|---|
//! | what a network sees of a position, and which of its numbers a move has | [`Learnable`] |
//! | a network with the memory to ask it | [`Oracle`] |
//! | a bot: PUCT over a network | [`PuctBot`] |
//! | the network that a bot is shipped with, or reads from a file | [`Net`] |
//! | the bytes of such a file | [`weights`] |
//!
//! A game implements [`Learnable`]; `contender train` learns the network by games of [`PuctBot`] against itself, and
//! the same bot plays with the file and is packed with it.

#![forbid(unsafe_code)]

mod bot;
mod learnable;
mod oracle;
pub mod weights;

pub use bot::{PuctBot, PuctSettings};
pub use learnable::{shape, Learnable, Place};
pub use oracle::{Net, Oracle, Said};
