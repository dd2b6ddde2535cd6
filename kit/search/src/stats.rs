//! Statistics of a tree search.

/// Counters of the events in a search.
///
/// ```
/// # #[path = "../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::Player;
/// use contender_search::{Points, Search, SearchConfig, SearchLimits};
///
/// let mut search = Search::<Nim, Points>::new(Points, SearchConfig::FULL);
/// let analysis = search.search(&Nim { matches: 9, mover: Player::Zero }, &SearchLimits::depth(5));
/// assert_eq!(analysis.counts[0].0, "nodes");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Number of visited states of all kinds. A state that is visited twice is counted twice.
    pub nodes: u64,
    /// Number of expanded nodes of players.
    pub player_nodes: u64,
    /// Number of expanded chance nodes.
    pub chance_nodes: u64,
    /// Number of evaluations of states at the horizon and beyond it.
    pub leaves: u64,
    /// Number of evaluations of children for move ordering; these children do not count as nodes.
    pub ordering_evaluations: u64,
    /// Number of states that were looked up in the table.
    pub table_probes: u64,
    /// Number of states that were found in the table.
    pub table_hits: u64,
    /// Number of lookups whose bounds gave the answer at once.
    pub table_cuts: u64,
    /// Number of players' nodes at which a move caused a cut-off.
    pub move_cuts: u64,
    /// Number of cut-offs by the first move. Their share of all cut-offs measures the quality of the move ordering.
    pub first_move_cuts: u64,
    /// Number of null-window searches that had to be repeated.
    pub researches: u64,
    /// Number of cut-offs at chance nodes, by cause.
    pub chance_cuts: ChanceCuts,
}

impl Stats {
    /// Returns the counts with their names, starting with the number of nodes. Omits counts of 0.
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

/// Number of cut-offs at chance nodes for each technique: `[failed low, failed high or solved]`.
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
