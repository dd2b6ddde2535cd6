//! Monte Carlo tree search: an asymmetric tree whose leaves are judged by random games or by an evaluation.
//!
//! | for | take |
//! |---|---|
//! | moves in turn, chance nodes explicit in the tree | [`Mcts`] |
//! | chance or hidden cards sampled again in every iteration, not in the tree | [`OpenLoop`] |
//! | both players at once | [`Decoupled`] |
//!
//! All take rewards of both players from a [`LeafEvaluator`], so each player maximises its own: win rates, points, or
//! own scores of games that are not zero-sum (max-n). A [`Select`] chooses the child that an iteration follows: [`Uct`]
//! with its optional terms, or [`Puct`].
//!
//! Sources: Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006 (UCT); Browne et al., "A survey of Monte
//! Carlo tree search methods", 2012; each term and option names its own.
//!
//! A move's value is the mean reward of the player who makes it, or its proven one; its effort is how many iterations
//! went through it, those of earlier searches of a kept tree included.
//!
//! The nodes lie in one vector of fixed capacity; a node's children are neighbours in it. When it is full the tree
//! stops growing and the search goes on. No iteration allocates once the working space has grown.

mod decoupled;
mod evaluator;
mod open_loop;
mod search;
mod select;
mod tree;

pub use decoupled::Decoupled;
pub use evaluator::{win_rewards, LeafEvaluator, RandomGames};
pub use open_loop::OpenLoop;
pub use search::{Expansion, FinalMove, Mcts, MctsConfig};
pub use select::{Arm, Puct, Select, Uct};
