//! The options of the tree search, one for each technique.

/// The techniques of a [`Search`](crate::Search). The techniques change the number of nodes that a search visits, not
/// its result; only [`prob_cut`](SearchConfig::prob_cut), [`margin`](SearchConfig::margin) and [`TableDepth::AtLeast`]
/// change values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchConfig {
    /// Prunes at players' nodes; without it, the search is plain expectimax.
    ///
    /// Source: Knuth, Moore, "An analysis of alpha-beta pruning", 1975; the fail-soft form is Fishburn's, 1983.
    pub alpha_beta: bool,
    /// Searches all moves except the first with a null window first (principal variation search).
    ///
    /// Source: Marsland, Campbell, "Parallel search of strongly ordered game trees", 1982.
    pub null_windows: bool,
    /// The windows with which each iteration searches the root.
    pub driver: Driver,
    /// Searches depths 1, 2, 3, ... instead of only the last depth. Each iteration orders the moves of the next one.
    pub deepening: bool,
    /// The size of the transposition table in bytes; 0 for none. The table needs
    /// [`Heuristics::key`](crate::Heuristics::key).
    pub table_bytes: usize,
    /// The table entries whose bounds may be used.
    pub table_depth: TableDepth,
    /// Tries the table's move first.
    pub table_move: bool,
    /// Then tries the two moves that last caused a cut at the same distance from the root.
    ///
    /// Source: Akl, Newborn, "The principal continuation and the killer heuristic", 1977.
    pub killers: bool,
    /// Orders moves with equal scores by how often they caused a cut anywhere. This technique needs
    /// [`Heuristics::slots`](crate::Heuristics::slots).
    ///
    /// Source: Schaeffer, "The history heuristic", 1983.
    pub history: bool,
    /// Orders moves by [`Heuristics::score`](crate::Heuristics::score).
    pub scores: bool,
    /// Orders moves by the evaluation of the states that they lead to, instead of by `scores`, if at least this many
    /// decisions are left; 0 disables it.
    pub evaluate_from: u32,
    /// Prunes at chance nodes with the bounds of outcomes that are not yet searched (Star1).
    ///
    /// Source: Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983.
    pub star1: bool,
    /// Before Star1, searches this many moves after each outcome to bound its value (Star2, with this probing factor);
    /// 0 disables it. Needs `star1`.
    ///
    /// Source: Ballard, 1983; Hauk, Buro, Schaeffer, "Rediscovering *-minimax search", 2004.
    pub star2: usize,
    /// Before Star2, takes the bounds of all outcomes from the table (StarETC). Needs `star1`.
    ///
    /// Source: Veness, Blair, "Effective use of transposition tables in stochastic game tree search", 2007.
    pub star_etc: bool,
    /// Also keeps the bounds of chance nodes in the table.
    pub chance_table: bool,
    /// Bounds every outcome from both sides by searches with an infinite window, at chance nodes with at least this
    /// many decisions left; 0 disables it. In such a search, one player tries only the first move in every node. Needs
    /// `star1`.
    ///
    /// Source: bounding queries, proposed by Tomek Czajka for CodeCup's game Entropy.
    pub queries: u32,
    /// Cuts at chance nodes if shallow searches predict a cut with this many standard deviations; 0 disables it. Not
    /// sound. This technique needs `star1` and [`Heuristics::prob_cut`](crate::Heuristics::prob_cut).
    ///
    /// Source: Schadd, Winands, Uiterwijk, "ChanceProbCut: forward pruning in chance nodes", 2009. Here, the test is
    /// made after each outcome with the predictions so far, as in Star1.
    pub prob_cut: f64,
    /// If moves are ordered by evaluations ([`evaluate_from`](SearchConfig::evaluate_from)), skips moves whose
    /// evaluation is lower than the best evaluation by more than this margin; 0 disables the margin. The table's move,
    /// killers and all moves of the root are never skipped. Not sound.
    ///
    /// Source: the plausible moves of Shannon's type B, "Programming a computer for playing chess", 1950.
    pub margin: u32,
}

/// The windows with which each iteration searches the root. All drivers give the same value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// Searches once, with an open window.
    Open,
    /// Searches with a window of this half width around the value of the last iteration, and with a wider window after
    /// each failure.
    Aspiration(u32),
    /// Searches with null windows, starting at the last iteration's value: MTD(f). This method needs a table to be
    /// fast.
    ///
    /// Source: Plaat, Schaeffer, Pijls, de Bruin, "Best-first fixed-depth minimax algorithms", 1996.
    MtdF,
}

/// The table entries that may answer for a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableDepth {
    /// Entries of the same depth: the search finds the same value as plain expectimax.
    Same,
    /// Entries of at least the same depth: values may come from deeper searches.
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

    /// The best techniques for most games: principal variation search with a table of 16 MiB and all orderings, Star2
    /// with StarETC.
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
