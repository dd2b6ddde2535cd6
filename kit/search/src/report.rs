//! What a search found and what it cost, as data.

use crate::{Bounds, INFINITY};
use contender_game::{Analysis, MoveAnalysis, Player};
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
    /// Whether the value holds at every depth: no line was cut off by the horizon, and nothing was left out that might matter.
    pub is_solved: bool,
    /// Every move of the root and what the latest iteration found out about it, the best first.
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

    /// The report as a bot's analysis for `player`, who is to act: `scale` steps of the evaluation make one `unit`.
    #[must_use]
    pub fn analysis(self, player: Player, unit: &'static str, scale: f64) -> Analysis<M> {
        let value = |bound: i32| match bound {
            INFINITY => f64::INFINITY,
            bound if bound == -INFINITY => f64::NEG_INFINITY,
            bound => f64::from(bound) / scale,
        };
        let is_proven = self.is_solved;
        let moves = self.moves.into_iter().map(|of| {
            let Bounds { low, high } = of.bounds.seen_by(player);
            MoveAnalysis { mv: of.mv, value: [value(low), value(high)], is_proven, effort: of.nodes }
        });
        Analysis {
            moves: moves.collect(),
            line: self.line,
            unit,
            depth: self.depth,
            counts: self.stats.counts(),
            inputs: Vec::new(),
            elapsed: self.elapsed,
        }
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
    /// The depth, counted from the root, of the iteration that looked at the move last. If the search was stopped, some moves have
    /// the depth of the iteration before.
    pub depth: u32,
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

impl Stats {
    /// The counts with their names, the nodes first; those that are 0 are left out.
    #[must_use]
    pub fn counts(&self) -> Vec<(&'static str, u64)> {
        let cuts = &self.chance_cuts;
        let both = |[low, high]: [u64; 2]| low + high;
        let all = [
            ("nodes", self.nodes),
            ("player nodes", self.player_nodes),
            ("chance nodes", self.chance_nodes),
            ("leaves", self.leaves),
            ("ordering evaluations", self.ordering_evaluations),
            ("table probes", self.table_probes),
            ("table hits", self.table_hits),
            ("cuts by the table", self.table_cuts),
            ("cuts by a move", self.move_cuts),
            ("cuts by the first move", self.first_move_cuts),
            ("null windows repeated", self.researches),
            ("chance cuts by bounds", both(cuts.bounds)),
            ("chance cuts by StarETC", both(cuts.table)),
            ("chance cuts by ChanceProbCut", both(cuts.predictions)),
            ("chance cuts by queries", both(cuts.queries)),
            ("chance cuts by Star2", both(cuts.probes)),
            ("chance cuts by Star1", both(cuts.outcomes)),
        ];
        all.into_iter().filter(|&(_, count)| count > 0).collect()
    }
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
