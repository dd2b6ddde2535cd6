//! Trainable evaluations. A game lists the features of its positions, and `contender train` learns the value of each
//! feature.
//!
//! | purpose | item |
//! |---|---|
//! | the features of a position | [`Features`] |
//! | the evaluation of positions, for alpha-beta and Monte Carlo tree search | [`Evaluation`] |
//! | incremental updates of an evaluation | [`Features::UPDATES`], [`Features::changes`], [`changes_are_right`] |
//! | winning probabilities from search values | [`wins`] |
//! | the order of a network's numbers, for trainers | [`Layout`] |
//! | a custom network for a game | [`ValueLearnedGame`] |
//!
//! This example is Nim with one feature. A player has the feature if it is the opponent's turn and the number of sticks
//! is a multiple of four.
//!
//! ```
//! use contender_game::prelude::*;
//! use contender_search::NoChance;
//! use contender_value::{Evaluation, Features};
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
//! impl Features for Nim {
//!     type ChanceModel = NoChance;
//!     const COUNT: usize = 1;
//!
//!     fn features(&self, player: Player, mut add: impl FnMut(usize)) {
//!         if self.to_move != player && self.sticks % 4 == 0 {
//!             add(0);
//!         }
//!     }
//! }
//!
//! // The weights: the value of being player 0, and one number for each feature.
//! let evaluation = Evaluation::<Nim>::of_weights(vec![0.0, 1.0]);
//! let file = evaluation.write();
//! assert_eq!(Nim::read_weights(&file), Ok(vec![0.0, 1.0]));
//! ```

#![forbid(unsafe_code)]

mod features;
mod file;
mod layout;
mod learned_game;
mod pairs;

pub use features::{changes_are_right, link, wins, Evaluation, Features, Unit, WON};
pub use file::MAX_NEURONS;
pub use layout::Layout;
pub use learned_game::{Model, Record, ValueLearnedGame};
pub use pairs::{bundled_bot, pairs, Bundled, Chooser, Maker, Opponent, Pairs};
