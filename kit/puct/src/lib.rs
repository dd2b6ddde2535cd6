//! Networks that value positions and propose moves, for any game: the interface for games, and bots that play with a
//! network.
//!
//! | purpose | item |
//! |---|---|
//! | a game's input for the network, and the index of each move among its outputs | [`Learnable`] |
//! | the same interface for a game whose turn is a list of choices, or whose network has several policies | [`LearnedGame`] |
//! | a network with the memory for evaluations | [`Oracle`] |
//! | a bot for games with turns and without hidden information: PUCT with a network | [`PuctBot`] |
//! | a bot for all other games: only the policy | [`PolicyBot`] |
//! | the network that is bundled with a bot, or read from a file | [`Net`] |
//! | the bytes of such a file | [`weights`] |
//!
//! A game implements [`Learnable`]. `contender train` trains the network with games of the bot against itself. The bot
//! then plays with the network's file, and is packed with it.

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
