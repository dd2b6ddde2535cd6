//! Monte Carlo tree search: an asymmetric tree whose leaves are evaluated by random games or by an evaluation function.
//!
//! | for | take |
//! |---|---|
//! | moves in turn, chance nodes explicit in the tree | [`Mcts`] |
//! | chance or hidden cards sampled again in every iteration, not in the tree | [`OpenLoop`] |
//! | both players at once | [`Decoupled`] |
//!
//! All searches take the rewards of both players from a [`LeafEvaluator`], and each player maximises its own reward:
//! win rates, points, or the players' scores in games that are not zero-sum (max-n). A [`Select`] chooses the child
//! that an iteration follows: [`Uct`] with its optional terms, or [`Puct`].
//!
//! Sources: Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006 (UCT); Browne et al., "A survey of Monte
//! Carlo tree search methods", 2012; each term and option has its own source.
//!
//! A move's value is the mean reward of the player who makes it, or the proven reward. A move's effort is the number of
//! iterations through the move, including those of earlier searches if the tree was kept.
//!
//! The nodes are stored in one vector of fixed capacity, in which the children of a node are adjacent. When the vector
//! is full, the tree stops growing, but the search continues. Once the working memory has grown, iterations allocate
//! nothing.

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
