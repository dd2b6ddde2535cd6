//! Trainable evaluations. A game lists the features of its positions, and `contender train` learns the value of each
//! feature.
//!
//! | purpose | item |
//! |---|---|
//! | the features of a position | [`Features`] |
//! | the evaluation of positions, for alpha-beta and Monte Carlo tree search | [`Evaluation`] |
//! | the tactics of the search that plays the games of a training run | [`TrainingGuide`] |
//! | incremental updates of an evaluation | [`Features::UPDATES`], [`Features::changes`], [`changes_are_right`] |
//! | winning probabilities from search values | [`wins`] |
//! | the order of a network's numbers, for trainers | [`Layout`] |
//! | a custom network for a game | [`ValueLearnedGame`] |
//!
//! This example is Nim with one feature. A player has the feature if it is the opponent's turn and the number of
//! matches is a multiple of four.
//!
//! ```
//! use contender_game::prelude::*;
//! use contender_search::NoChance;
//! use contender_value::{Evaluation, Features};
//!
//! # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
//! # use toys::Nim;
//! impl Features for Nim {
//!     type ChanceModel = NoChance;
//!     const COUNT: usize = 1;
//!
//!     fn features(&self, player: Player, mut add: impl FnMut(usize)) {
//!         if self.mover != player && self.matches % 4 == 0 {
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

pub use features::{changes_are_right, link, wins, Evaluation, Features, TrainingGuide, Unit, WON};
pub use file::MAX_NEURONS;
pub use layout::Layout;
pub use learned_game::{Model, Record, ValueLearnedGame};
pub use pairs::{bundled_bot, pairs, Bundled, Chooser, Maker, Opponent, Pairs};
