//! What a search found and what it cost, as data.

use crate::Bounds;
use std::time::Duration;

/// The result of a search. Values are from player 0's view in the evaluation's unit.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// The best move; `None` if it is not a player's turn.
    pub best: Option<M>,
    /// The value that the deepest completed iteration found for the root (0 if none was completed).
    pub value: i32,
    /// The depth of that iteration in decisions; 0 if none was completed.
    pub depth: u32,
    /// Whether the value holds at every depth: no line was cut off by the horizon.
    pub is_solved: bool,
    /// Every move of the root and what the last iteration found out about it, the best first.
    pub moves: Vec<RootMove<M>>,
    /// What both players are expected to play, the best move first. It ends where chance acts.
    pub line: Vec<M>,
    /// What the search did.
    pub stats: Stats,
    /// The time it took.
    pub elapsed: Duration,
}

impl<M> Report<M> {
    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> f64 {
        self.stats.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// A move at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// What is known of the value after it. All but the best move usually have one bound: see
    /// [`Config::all_moves`](crate::Config::all_moves).
    pub bounds: Bounds,
    /// Nodes spent on it, in all iterations.
    pub nodes: u64,
}

/// Counts of what a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// States visited, of all kinds; a state visited twice counts twice.
    pub nodes: u64,
    /// Of these: players' nodes that were expanded.
    pub player_nodes: u64,
    /// Chance nodes that were expanded.
    pub chance_nodes: u64,
    /// Evaluations of states at the horizon and beyond it.
    pub leaves: u64,
    /// Evaluations of children to order moves by; these children are not counted as nodes.
    pub ordering_evaluations: u64,
    /// States looked up in the table.
    pub table_probes: u64,
    /// Those found.
    pub table_hits: u64,
    /// Those whose bounds answered at once.
    pub table_cuts: u64,
    /// Players' nodes cut by a move.
    pub move_cuts: u64,
    /// Those cut by the first move: their share measures the ordering.
    pub first_move_cuts: u64,
    /// Null-window searches that had to be repeated.
    pub researches: u64,
    /// Chance nodes cut, by cause.
    pub chance_cuts: ChanceCuts,
}

/// Chance nodes cut, by what gave the bounds; `[failed low, failed high or solved]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChanceCuts {
    /// By the bounds of the evaluation alone.
    pub bounds: [u64; 2],
    /// By the table (StarETC).
    pub table: [u64; 2],
    /// By predictions (ChanceProbCut).
    pub predictions: [u64; 2],
    /// By queries with an infinite window.
    pub queries: [u64; 2],
    /// By probes of single moves (Star2).
    pub probes: [u64; 2],
    /// By outcomes fully searched (Star1).
    pub outcomes: [u64; 2],
}
