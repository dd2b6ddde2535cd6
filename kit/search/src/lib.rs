//! Search: the parts from which bots are made, for every game whose traits fit.
//!
//! | to search | take |
//! |---|---|
//! | a game whose players move in turn, with or without chance | [`Search`]: the alpha-beta and *-minimax families, switch by switch in [`SearchConfig`] |
//! | the same without any art, to compare with | [`minimax`], [`expectimax`] |
//! | by random games or a policy, with or without chance, hidden state or turns | [`mcts`] |
//! | by an evaluation that judges all children at once | [`best_first`] |
//! | a fixed "my move, chance, reply" with an evaluation that all outcomes share | [`layers`] |
//! | a game in which both choose at once, by an evaluation | [`matrix_tree`], on the matrix games of [`matrix`] |
//! | moves that combine many units' actions | [`combine`] |
//! | and keep the tree from turn to turn | [`Kept`] around the search |
//!
//! What a search must know of a game beyond its rules is in [`Evaluate`] and [`Guide`]; how long it may think is an [`Allowance`],
//! which [`Shares`] takes from a game's clock; what it found is an [`Analysis`](contender_game::Analysis), whichever search it is. Inside a
//! tree values are integers from player 0's view ([`value`]).
//!
//! Nothing allocates in a node once the working space has grown, and nothing is random but by an explicit seed: the same searches
//! with node budgets, one after the other, give the same results on every machine.

#![forbid(unsafe_code)]

mod allowance;
pub mod best_first;
pub mod combine;
mod config;
mod expectimax;
mod guide;
mod kept;
pub mod layers;
mod luck;
pub mod matrix;
pub mod matrix_tree;
pub mod mcts;
mod shares;
mod stats;
mod transposition;
mod tree;
pub mod value;

pub use allowance::{Allowance, Meter, Stopped};
pub use config::{Driver, SearchConfig, TableDepth};
pub use expectimax::{expectimax, minimax};
pub use guide::{Evaluate, Guide, Points, ProbCut};
pub use kept::{Follow, Kept};
pub use luck::{Fair, Luck, Sure};
pub use shares::Shares;
pub use stats::{ChanceCuts, Stats};
pub use transposition::{Entry, TranspositionTable, BUCKET_BYTES};
pub use tree::Search;
pub use value::{Bounds, Mix, INFINITY, LIMIT};
