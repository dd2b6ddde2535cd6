//! Monte Carlo tree search: a tree grown where it pays, its leaves judged by random games or by an evaluation.
//!
//! | for | take |
//! |---|---|
//! | moves in turn, chance nodes explicit in the tree | [`Mcts`] |
//! | chance or hidden cards sampled anew in every iteration, not in the tree | [`OpenLoop`] |
//! | both players at once | [`Decoupled`] |
//!
//! All take rewards of both players from a [`Judgement`], so each player maximises its own: win rates, points, or own scores of
//! games that are not zero-sum (max-n). Which child an iteration follows is a [`Select`]: [`Uct`] with its optional terms, or [`Puct`].
//!
//! Sources: Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006 (UCT); Browne et al., "A survey of Monte Carlo tree search
//! methods", 2012; each term and option names its own.
//!
//! The nodes lie in one vector of fixed capacity; a node's children are neighbours in it. When it is full the tree stops growing
//! and the search goes on. No iteration allocates once the working space has grown.

mod decoupled;
mod judgement;
mod open_loop;
mod search;
mod select;
mod tree;

pub use decoupled::{Decoupled, MixedFindings, Outlook};
pub use judgement::{win_rewards, Judgement, RandomGames};
pub use open_loop::OpenLoop;
pub(crate) use search::iterations_left;
pub use search::{Config, Expansion, Mcts, Widening};
pub use select::{Arm, Bias, Puct, Select, Uct};
pub use tree::NODE_BYTES;

use contender_game::{Analysis, MoveAnalysis, Player};
use std::time::Duration;

/// What a Monte Carlo search found and what it cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Findings<M> {
    /// The move to play: the one with the best proven reward if it is best of all, else the most visited. `None` if there is none.
    pub best: Option<M>,
    /// Every move of the root, the most visited first.
    pub moves: Vec<MoveFindings<M>>,
    /// The most visited moves from the root on.
    pub line: Vec<M>,
    /// Iterations of this search.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// The longest path of an iteration in the tree, in moves and outcomes.
    pub deepest: u32,
    /// Whether the search ended before its allowance because no other move could come first any more.
    pub stopped_early: bool,
    /// The time it took.
    pub elapsed: Duration,
}

/// What was found out about a move of the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveFindings<M> {
    /// The move.
    pub mv: M,
    /// How many iterations went through it, those of earlier searches of a reused tree included.
    pub visits: u32,
    /// The mean reward of the player who makes it; 0 without visits.
    pub reward: f32,
    /// The reward of both players if it is proven.
    pub proven: Option<[f32; 2]>,
}

impl<M> Findings<M> {
    /// The findings as the analysis of a bot for `player`, who is to act; `unit` is what rewards are.
    #[must_use]
    pub fn analysis(self, player: Player, unit: &'static str) -> Analysis<M> {
        let moves = self.moves.into_iter().map(|of| {
            let reward = of.proven.map_or(of.reward, |rewards| rewards[player]);
            let value = if of.visits > 0 || of.proven.is_some() {
                [f64::from(reward); 2]
            } else {
                [f64::NEG_INFINITY, f64::INFINITY]
            };
            MoveAnalysis { mv: of.mv, value, is_proven: of.proven.is_some(), effort: u64::from(of.visits) }
        });
        Analysis {
            moves: moves.collect(),
            line: self.line,
            unit,
            depth: 0,
            counts: vec![
                ("iterations", self.iterations),
                ("nodes in the tree", self.nodes as u64),
                ("longest path", u64::from(self.deepest)),
                ("stopped early", u64::from(self.stopped_early)),
            ],
            inputs: Vec::new(),
            elapsed: self.elapsed,
        }
    }
}

impl<M> MixedFindings<M> {
    /// What was found for `player` as the analysis of a bot; `unit` is what rewards are. The moves' shares of the effort are the
    /// strategy.
    #[must_use]
    pub fn analysis(mut self, player: Player, unit: &'static str) -> Analysis<M> {
        let moves = std::mem::take(&mut self.moves[player]).into_iter().map(|(mv, visits, reward)| {
            let value = [f64::from(reward); 2];
            MoveAnalysis { mv, value, is_proven: false, effort: u64::from(visits) }
        });
        Analysis {
            moves: moves.collect(),
            line: Vec::new(),
            unit,
            depth: 0,
            counts: vec![("iterations", self.iterations), ("nodes in the tree", self.nodes as u64)],
            inputs: Vec::new(),
            elapsed: self.elapsed,
        }
    }
}
