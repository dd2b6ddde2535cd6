//! Networks that value positions and propose moves, for any game: what the game says for it, and bots that play with
//! it.
//!
//! | for | take |
//! |---|---|
//! | what a network sees of a position, and which of its numbers a move has | [`Learnable`] |
//! | the same for a game whose turn is a list of choices, or whose network tells several policies | [`LearnedGame`] |
//! | a network with the memory to ask it | [`Oracle`] |
//! | a bot for games in turn that hide nothing: PUCT over a network | [`PuctBot`] |
//! | a bot for all others: the policy alone | [`PolicyBot`] |
//! | the network that a bot is shipped with, or reads from a file | [`Net`] |
//! | the bytes of such a file | [`weights`] |
//!
//! A game implements [`Learnable`]; `contender train` learns the network by games of the bot against itself, and the
//! same bot plays with the file and is packed with it.

#![forbid(unsafe_code)]

mod bot;
mod learnable;
mod learned_game;
mod oracle;
mod policy;
pub mod weights;

pub use bot::{PuctBot, PuctSettings};
pub use learnable::{shape, Learnable, Place, Sequential};
pub use learned_game::{BotOf, Choices, LearnedGame, Pick, Search};
pub use oracle::{Net, Oracle, Said};
pub use policy::{PolicyBot, PolicySettings};
