//! The options of the tree search. Each technique has its own option.

/// The techniques of a [`Search`](crate::Search). The techniques change how many nodes a search visits, but not its
/// result. Only [`prob_cut`](SearchConfig::prob_cut), [`margin`](SearchConfig::margin) and [`TableDepth::AtLeast`]
/// change values.
///
/// ```
/// use contender_search::{Driver, SearchConfig};
///
/// let small = SearchConfig { table_bytes: 1 << 20, driver: Driver::MtdF, ..SearchConfig::FULL };
/// assert!(small.alpha_beta && small.star1);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchConfig {
    /// Alpha-beta pruning at players' nodes. Without pruning, the search is plain expectimax.
    ///
    /// Source: Knuth, Moore, "An analysis of alpha-beta pruning", 1975; the fail-soft form is Fishburn's, 1983.
    pub alpha_beta: bool,
    /// Searches all moves except the first with a null window first (principal variation search).
    ///
    /// Source: Marsland, Campbell, "Parallel search of strongly ordered game trees", 1982.
    pub null_windows: bool,
    /// The windows that each iteration uses at the root.
    pub driver: Driver,
    /// Searches depths 1, 2, 3, ... instead of only the last depth. Each iteration orders the moves of the next one.
    pub deepening: bool,
    /// The size of the transposition table in bytes; 0 for none. The table needs
    /// [`Heuristics::key`](crate::Heuristics::key).
    pub table_bytes: usize,
    /// The table entries whose bounds may be used.
    pub table_depth: TableDepth,
    /// Tries the move from the table first.
    pub table_move: bool,
    /// Tries two killer moves next: the moves that last caused a cut-off at the same distance from the root.
    ///
    /// Source: Akl, Newborn, "The principal continuation and the killer heuristic", 1977.
    pub killers: bool,
    /// Orders moves with equal scores by how often they caused a cut-off anywhere in the tree. This technique needs
    /// [`Heuristics::slots`](crate::Heuristics::slots).
    ///
    /// Source: Schaeffer, "The history heuristic", 1983.
    pub history: bool,
    /// Orders moves by [`Heuristics::score`](crate::Heuristics::score).
    pub scores: bool,
    /// Minimum remaining depth at which moves are ordered by the evaluation of the resulting states instead of by
    /// `scores`; 0 disables this ordering.
    pub evaluate_from: u32,
    /// Prunes at chance nodes, using bounds for the outcomes that have not been searched yet (Star1).
    ///
    /// Source: Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983.
    pub star1: bool,
    /// Probing factor of Star2: before Star1, this many moves after each outcome are searched to bound the outcome's
    /// value. 0 disables Star2. Needs `star1`.
    ///
    /// Source: Ballard, 1983; Hauk, Buro, Schaeffer, "Rediscovering *-minimax search", 2004.
    pub star2: usize,
    /// Before Star2, looks up bounds for all outcomes in the table (StarETC). Needs `star1`.
    ///
    /// Source: Veness, Blair, "Effective use of transposition tables in stochastic game tree search", 2007.
    pub star_etc: bool,
    /// Also stores the bounds of chance nodes in the table.
    pub chance_table: bool,
    /// Minimum remaining depth of chance nodes at which bounding queries are made; 0 disables them. Queries bound every
    /// outcome from both sides by searches with an infinite window, in which one player tries only the first move in
    /// every node. Needs `star1`.
    ///
    /// Source: bounding queries, proposed by Tomek Czajka for CodeCup's game Entropy.
    pub queries: u32,
    /// Cuts off chance nodes if shallow searches predict a cut-off at this confidence, in standard deviations; 0
    /// disables this technique. It can change values. This technique needs `star1` and
    /// [`Heuristics::prob_cut`](crate::Heuristics::prob_cut).
    ///
    /// Source: Schadd, Winands, Uiterwijk, "ChanceProbCut: forward pruning in chance nodes", 2009. This implementation
    /// tests after each outcome, using the predictions made so far, as in Star1.
    pub prob_cut: f64,
    /// If moves are ordered by evaluations ([`evaluate_from`](SearchConfig::evaluate_from)), skips moves whose
    /// evaluation is more than this margin below the best evaluation; 0 disables skipping. Never skips the table's
    /// move, killers or moves at the root. This technique can change values.
    ///
    /// Source: the plausible moves in Shannon's type B strategy, "Programming a computer for playing chess", 1950.
    pub margin: u32,
}

/// The windows that an iteration uses at the root. All drivers give the same value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// One search with an open window.
    Open,
    /// Searches with a window of this half-width around the value of the previous iteration. The window is widened
    /// after each failure.
    Aspiration(u32),
    /// Null-window searches that start at the previous iteration's value: MTD(f). It is fast only with a transposition
    /// table.
    ///
    /// Source: Plaat, Schaeffer, Pijls, de Bruin, "Best-first fixed-depth minimax algorithms", 1996.
    MtdF,
}

/// The table entries that can replace a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableDepth {
    /// Entries of exactly the same depth. The search then finds the same value as plain expectimax.
    Same,
    /// Entries of at least the same depth. Values may then come from deeper searches.
    AtLeast,
}

impl SearchConfig {
    /// Plain expectimax, with all techniques off.
    pub const PLAIN: SearchConfig = SearchConfig {
        alpha_beta: false,
        null_windows: false,
        driver: Driver::Open,
        deepening: false,
        table_bytes: 0,
        table_depth: TableDepth::Same,
        table_move: false,
        killers: false,
        history: false,
        scores: false,
        evaluate_from: 0,
        star1: false,
        star2: 0,
        star_etc: false,
        chance_table: false,
        queries: 0,
        prob_cut: 0.0,
        margin: 0,
    };

    /// The best techniques for most games: principal variation search with a 16 MiB table, all move orderings, Star2
    /// and StarETC.
    pub const FULL: SearchConfig = SearchConfig {
        alpha_beta: true,
        null_windows: true,
        deepening: true,
        table_bytes: 16 << 20,
        table_depth: TableDepth::AtLeast,
        table_move: true,
        killers: true,
        history: true,
        scores: true,
        star1: true,
        star2: 1,
        star_etc: true,
        chance_table: true,
        ..SearchConfig::PLAIN
    };
}

impl Default for SearchConfig {
    fn default() -> SearchConfig {
        SearchConfig::FULL
    }
}
