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
//! This example represents Nim as a map of one row with a stick in each cell. A move takes one to three sticks.
//!
//! ```
//! use contender_game::prelude::*;
//! use contender_nn::{planes::Planes, winograd::Size};
//! use contender_puct::{Learnable, Place};
//! use contender_search::NoChance;
//!
//! # #[derive(Clone)]
//! # struct Nim {
//! #     sticks: u8,
//! #     to_move: Player,
//! # }
//! #
//! # impl Game for Nim {
//! #     type Move = u8;
//! #
//! #     fn turn(&self) -> Turn {
//! #         if self.sticks == 0 { Turn::Over } else { Turn::Player(self.to_move) }
//! #     }
//! #
//! #     fn moves(&self, moves: &mut Vec<u8>) {
//! #         moves.extend(1..=self.sticks.min(3));
//! #     }
//! #
//! #     fn play(&mut self, taken: u8) {
//! #         self.sticks -= taken;
//! #         self.to_move = self.to_move.other();
//! #     }
//! #
//! #     /// The player who took the last stick has won.
//! #     fn points(&self) -> [i32; 2] {
//! #         match self.turn() {
//! #             Turn::Over if self.to_move == Player::Zero => [0, 1],
//! #             Turn::Over => [1, 0],
//! #             _ => [0, 0],
//! #         }
//! #     }
//! # }
//! impl Learnable for Nim {
//!     type Move = u8;
//!     type ChanceModel = NoChance;
//!     const BOARD: Size = Size { width: 8, height: 1 };
//!     const PLANES: usize = 1;
//!     const ACTIONS: usize = 3;
//!
//!     fn encode(&self, _player: Player, input: &mut Planes) {
//!         for cell in 0..8 {
//!             if cell < self.sticks {
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
//! assert_eq!(Nim { sticks: 5, to_move: Player::Zero }.place(Player::Zero, 2), Place::Cell(0, 1));
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
