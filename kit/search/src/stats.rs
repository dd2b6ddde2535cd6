//! Statistics of a tree search.

/// Counts of what a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// States visited, of all kinds; a state visited twice counts twice.
    pub nodes: u64,
    /// Expanded nodes of players.
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
    /// Cuts by the bounds of the evaluation alone.
    pub bounds: [u64; 2],
    /// Cuts by the table (StarETC).
    pub table: [u64; 2],
    /// Cuts by predictions (ChanceProbCut).
    pub predictions: [u64; 2],
    /// Cuts by queries with an infinite window.
    pub queries: [u64; 2],
    /// Cuts by probes of single moves (Star2).
    pub probes: [u64; 2],
    /// Cuts by outcomes that were fully searched (Star1).
    pub outcomes: [u64; 2],
}
