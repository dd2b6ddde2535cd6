//! Search algorithms for bots, for every game that implements the necessary traits.
//!
//! | to search | use |
//! |---|---|
//! | a game whose players take turns, with or without chance | [`Search`]: alpha-beta and *-minimax, [`SearchConfig`] |
//! | a game like chess, with captures and threats | [`TacticalSearch`]: alpha-beta with quiescence, reductions and pruning, [`TacticalConfig`] |
//! | a game by plain search, as a reference for tests | [`minimax`], [`expectimax`] |
//! | any game by random games or a policy; chance, hidden information and simultaneous moves are supported | [`mcts`] |
//! | a game by an evaluation that rates all children of a state at once | [`best_first`] |
//! | a game with simultaneous moves by an evaluation | [`matrix_tree`], on the matrix games of [`matrix`] |
//! | moves that combine the actions of many units | [`combine`] |
//! | and keep the tree between turns | a [`TreeCache`] around the search |
//!
//! Each kind of search needs its own kind of knowledge in addition to the rules:
//!
//! | knowledge | used by |
//! |---|---|
//! | [`Heuristics`]: integer values, move ordering, keys, bounds | [`Search`], [`minimax`], [`expectimax`] |
//! | [`Tactics`] in addition: noisy moves, checks, passes, evaluations that moves update | [`TacticalSearch`] |
//! | [`mcts::LeafEvaluator`]: rewards of both players at a leaf, candidate moves and their priors | all of [`mcts`] |
//! | [`best_first::ChildEvaluator`]: the values of all children at once | [`best_first`] |
//! | [`matrix_tree::MatrixEvaluator`]: candidate moves of both players, payoffs, best responses | [`matrix_tree`] |
//!
//! [`SearchLimits`] limit a search: a [`TimeManager`] derives them from a game's clock, and a [`SearchBudget`] enforces
//! them. Every search returns an [`Analysis`](contender_game::contest::Analysis). Inside a tree, values are integers
//! from player 0's point of view ([`value`]).
//!
//! Once the working memory is large enough, visiting a node allocates no memory. All randomness comes from explicit
//! seeds, so a sequence of searches with node budgets gives the same results on every machine.
//!
//! This example searches a position of Nim with seven matches, of which a player takes one to three per turn. The
//! search finds the move that leaves the opponent a multiple of four.
//!
//! ```
//! use contender_game::prelude::*;
//! use contender_search::{NoChance, Points, Search, SearchConfig, SearchLimits};
//!
//! # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
//! # use toys::Nim;
//! let mut search = Search::<Nim, Points, NoChance>::new(Points, SearchConfig::FULL);
//! let analysis = search.search(&Nim { matches: 7, mover: Player::Zero }, &SearchLimits::depth(7));
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
