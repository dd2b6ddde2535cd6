//! Networks that evaluate positions and propose moves. This crate contains the interface for games, and bots that play
//! with a network.
//!
//! | purpose | item |
//! |---|---|
//! | the network's input for a position, and the network's output for each move | [`Learnable`] |
//! | the same interface for a game whose turn is a list of choices, or whose network has several policies | [`LearnedGame`] |
//! | a network with working memory and a cache | [`Oracle`] |
//! | a bot for games with alternating turns and no hidden information: PUCT with a network | [`PuctBot`] |
//! | a bot for all other games: the policy without search | [`PolicyBot`] |
//! | a network that is bundled with a bot or read from a file | [`Net`] |
//! | the format of network files | [`weights`] |
//!
//! A game implements [`Learnable`]. `contender train` trains a network with games that the bot plays against itself.
//! The bot then plays with the network file, and `contender pack` includes the file.
//!
//! This example represents Nim as a map of one row with a match in each cell. A move takes one to three matches.
//!
//! ```
//! use contender_game::prelude::*;
//! use contender_nn::{planes::Planes, winograd::Size};
//! use contender_puct::{Learnable, Net, Place, PuctBot, PuctSettings};
//! use contender_search::NoChance;
//!
//! # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
//! # use toys::Nim;
//! impl Learnable for Nim {
//!     type Move = u8;
//!     type ChanceModel = NoChance;
//!     const BOARD: Size = Size { width: 8, height: 1 };
//!     const PLANES: usize = 1;
//!     const ACTIONS: usize = 3;
//!
//!     fn encode(&self, _player: Player, input: &mut Planes) {
//!         for cell in 0..8 {
//!             if cell < self.matches {
//!                 input.set(0, 1.0);
//!             }
//!             input.end_cell();
//!         }
//!     }
//!
//!     fn place(&self, _player: Player, taken: u8) -> Place {
//!         Place::Cell(0, usize::from(taken) - 1)
//!     }
//! }
//!
//! let state = Nim { matches: 5, mover: Player::Zero };
//! assert_eq!(state.place(Player::Zero, 2), Place::Cell(0, 1));
//!
//! // An untrained network: the search alone finds the winning move.
//! let network = FromFile::<Net<Nim>>::default().get();
//! let mut bot = PuctBot::<Nim>::new(PuctSettings::DEFAULT, network, 1);
//! assert_eq!(bot.choose(&state, Player::Zero, &Clock::new(Limits::nodes(1000))), 1);
//! ```

#![forbid(unsafe_code)]

mod bot;
mod learnable;
mod learned_game;
mod oracle;
mod policy;
pub mod weights;

pub use bot::{PuctBot, PuctSettings};
pub use learnable::{shape, Learnable, Place, Sequential};
pub use learned_game::{BotOf, LearnedGame, Pick, StrategySearch, TurnChoices};
pub use oracle::{softmax, Net, Oracle, Said};
pub use policy::{PolicyBot, PolicySettings};
