//! Search: the components of bots, for every game that implements the necessary traits.
//!
//! | to search | take |
//! |---|---|
//! | a game whose players move in turn, also with chance | [`Search`]: alpha-beta and *-minimax, [`SearchConfig`] |
//! | a game like chess, with captures and threats | [`TacticalSearch`]: the same with quiescence, reductions, pruning, [`TacticalConfig`] |
//! | the same without any art, to compare with | [`minimax`], [`expectimax`] |
//! | by random games or a policy, with or without chance, hidden state or turns | [`mcts`] |
//! | by an evaluation that judges all children at once | [`best_first`] |
//! | a game in which both choose at once, by an evaluation | [`matrix_tree`], on the matrix games of [`matrix`] |
//! | moves that combine many units' actions | [`combine`] |
//! | and keep the tree from turn to turn | [`TreeCache`] around the search |
//!
//! The knowledge that a search needs beyond the rules depends on how it grows its tree:
//!
//! | told | asked by |
//! |---|---|
//! | [`Heuristics`]: values as integers, orders of moves, keys, bounds | [`Search`], [`minimax`], [`expectimax`] |
//! | [`Tactics`] besides: noisy moves, checks, passes, evaluations that moves update | [`TacticalSearch`] |
//! | [`mcts::LeafEvaluator`]: rewards of both players at a leaf, candidates and their priors | all of [`mcts`] |
//! | [`best_first::ChildEvaluator`]: the values of all children at once | [`best_first`] |
//! | [`matrix_tree::MatrixEvaluator`]: candidates of both players together, payoffs, best responses | [`matrix_tree`] |
//!
//! [`SearchLimits`] limit a search: a [`TimeManager`] derives them from a game's clock, and a [`SearchBudget`] enforces
//! them. Every search returns an [`Analysis`](contender_game::contest::Analysis). Inside a tree, values are integers
//! from player 0's view ([`value`]).
//!
//! Once the working memory has grown, nodes allocate nothing. All randomness comes from explicit seeds, so a sequence
//! of searches with node budgets gives the same results on every machine.
//!
//! Example: Nim with seven sticks, of which a player takes one to three. The search leaves the opponent a multiple of
//! four.
//!
//! ```
//! use contender_game::prelude::*;
//! use contender_search::{NoChance, Points, Search, SearchConfig, SearchLimits};
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
//! let mut search = Search::<Nim, Points, NoChance>::new(Points, SearchConfig::FULL);
//! let analysis = search.search(&Nim { sticks: 7, to_move: Player::Zero }, &SearchLimits::depth(7));
//! assert_eq!(analysis.moves[0].mv, 3);
//! ```

#![forbid(unsafe_code)]

pub mod best_first;
mod budget;
mod chance_model;
pub mod combine;
mod config;
mod expectimax;
mod heuristics;
mod limits;
pub mod matrix;
pub mod matrix_tree;
pub mod mcts;
mod stats;
mod tactical_config;
mod tactics;
mod time_manager;
mod transposition;
mod tree;
mod tree_cache;
pub mod value;

pub use budget::{SearchBudget, Stopped};
pub use chance_model::{draw, ChanceModel, NoChance, WithChance};
pub use config::{Driver, SearchConfig, TableDepth};
pub use expectimax::{expectimax, minimax};
pub use heuristics::{Heuristics, Points, ProbCut};
pub use limits::SearchLimits;
pub use stats::{ChanceCuts, Stats};
pub use tactical_config::TacticalConfig;
pub use tactics::Tactics;
pub use time_manager::{TimeManager, TurnShare};
pub use transposition::{Entry, TranspositionTable, BUCKET_BYTES};
pub use tree::{Search, Tactical, TacticalCounts, TacticalSearch};
pub use tree_cache::{Follow, TreeCache};
pub use value::{Bounds, Mix, INFINITY, LIMIT};
