//! Monte Carlo tree search: an asymmetric tree whose leaves are evaluated by random games or by an evaluation function.
//!
//! | for games with | use |
//! |---|---|
//! | alternating moves, and chance nodes stored in the tree | [`Mcts`] |
//! | alternating moves, and chance or hidden cards resampled in every iteration | [`OpenLoop`] |
//! | simultaneous moves | [`Decoupled`] |
//!
//! All searches get the rewards of both players from a [`LeafEvaluator`], and each player maximises its own reward. A
//! reward can be a win rate, points, or a player's score in a game that is not zero-sum (max-n). A [`Select`] chooses
//! the child that an iteration follows: [`Uct`] with its optional terms, or [`Puct`].
//!
//! Sources: Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006 (UCT); Browne et al., "A survey of Monte
//! Carlo tree search methods", 2012; the documentation of each term and option names its own source.
//!
//! The value of a move is the mean reward of the player who makes it, or the proven reward if there is one. A move's
//! effort is the number of iterations through the move, including those of earlier searches if the tree was kept.
//!
//! All nodes are stored in one vector of fixed capacity, with the children of a node next to each other. When the
//! vector is full, the tree stops growing, but the search continues. Once the working memory is large enough,
//! iterations allocate no memory.

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
