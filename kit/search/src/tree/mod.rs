//! Depth-first search of a game tree: players' nodes, chance nodes and the horizon.
//!
//! A search of a node with a window (alpha, beta) returns a fail-soft answer, which is an integer. An answer that is at
//! most alpha is an upper bound of the node's value. An answer that is at least beta is a lower bound. Any other answer
//! is the exact value. Windows and answers are from player 0's point of view. A player's node converts them to the
//! mover's point of view and back, so that the same function works for both players.
//!
//! A window whose ends are equal and infinite is a *bounding query*. With both ends at `-INFINITY`, any answer is a
//! lower bound, and player 0 tries only the first move in every node. With both ends at `INFINITY`, any answer is an
//! upper bound.

mod chance;
mod order;
mod player;
mod root;
mod tactical;

pub use tactical::{Tactical, TacticalCounts, TacticalSearch};

use crate::{
    Bounds, ChanceModel, Entry, Heuristics, NoChance, SearchBudget, SearchConfig, SearchLimits, Stats,
    Stopped, TableDepth, TranspositionTable,
};
use chance::Draw;
use contender_game::{
    contest::Analysis,
    rules::{Game, Turn},
};
use order::Ranked;
use root::RootMove;

/// A search for games in which the players take turns: the alpha-beta family, or the *-minimax family for games with
/// chance (`L` = [`WithChance`](crate::WithChance)).
///
/// The transposition table and the history are kept between searches. [`forget`](Search::forget) clears them.
///
/// ```
/// # #[path = "../../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::rules::Player;
/// use contender_search::{Points, Search, SearchConfig, SearchLimits};
///
/// let mut search = Search::<Nim, Points>::new(Points, SearchConfig::FULL);
/// let found = search.search(&Nim { matches: 10, mover: Player::Zero }, &SearchLimits::nodes(10_000));
/// assert_eq!((found.moves[0].mv, found.moves[0].value, found.is_proven()), (2, [1.0, 1.0], true));
/// ```
pub struct Search<G: Game, E, L: ChanceModel<G> = NoChance> {
    guide: E,
    config: SearchConfig,
    /// Whether any move-ordering technique is enabled.
    is_ordered: bool,
    table: Option<TranspositionTable>,
    meter: SearchBudget,
    stats: Stats,
    /// Number of uncertain results: evaluations at the horizon, answers based on such results, and forward pruning. If
    /// this count does not change during a search, the result is also valid at every larger depth.
    horizons: u64,
    /// The working memory of one node. The other vectors are stacks for all nodes on the path.
    moves: Vec<G::Move>,
    outcomes: Vec<(L::Outcome, u32)>,
    ranked: Vec<Ranked<G::Move>>,
    draws: Vec<Draw<L::Outcome>>,
    killers: Vec<[Option<G::Move>; 2]>,
    history: [Vec<i32>; 2],
    /// The principal variations, one for each distance from the root.
    lines: Vec<Vec<G::Move>>,
    roots: Vec<RootMove<G::Move>>,
    /// The functions that visit a state and list its moves if the guide has tactics.
    visit: Option<Node<Self, G>>,
    list: List<E, G>,
}

/// A function that lists the moves of a node. The table stores moves as indices in this list.
type List<E, G> = fn(&E, &G, &mut Vec<<G as Game>::Move>);

/// A function that visits a state: see [`Search::node`].
type Node<S, G> = fn(&mut S, &G, u32, usize, Bounds) -> Visit;

/// A fail-soft answer, or an error if the search was stopped.
type Visit = Result<i32, Stopped>;

/// The table's result for a node, as far as it is valid.
#[derive(Clone, Copy)]
struct Known {
    bounds: Bounds,
    best: Option<u16>,
}

const UNKNOWN: Known = Known { bounds: Bounds::ANY, best: None };

impl<G: Game, E: Heuristics<G>, L: ChanceModel<G>> Search<G, E, L> {
    /// Creates a search with an empty table.
    #[must_use]
    pub fn new(guide: E, config: SearchConfig) -> Self {
        let slots = if config.history { guide.slots() } else { 0 };
        Search {
            table: Some(config.table_bytes).filter(|&bytes| bytes > 0).map(TranspositionTable::new),
            guide,
            is_ordered: config.table_move
                || config.killers
                || config.history
                || config.scores
                || config.evaluate_from > 0,
            config,
            meter: SearchBudget::new(&SearchLimits::NONE),
            stats: Stats::default(),
            horizons: 0,
            moves: Vec::new(),
            outcomes: Vec::new(),
            ranked: Vec::new(),
            draws: Vec::new(),
            killers: Vec::new(),
            history: [vec![0; slots], vec![0; slots]],
            lines: Vec::new(),
            roots: Vec::new(),
            visit: None,
            list: |_, state, moves| state.moves(moves),
        }
    }

    /// Searches within limits. Returns the moves of the player to act with their values, in the evaluation's unit, and
    /// statistics of the search.
    ///
    /// If it is a player's turn, the result always contains a move, even if the search was stopped at once; otherwise
    /// it contains no move. All moves except the best usually have only one bound. The bounds are proven if no line
    /// reached the horizon, and if nothing relevant was pruned.
    pub fn search(&mut self, state: &G, limits: &SearchLimits) -> Analysis<G::Move> {
        self.prepare(limits);
        self.iterate(state, limits)
    }

    /// Returns only the value of a state at a depth, with the configured driver and deepening. Once the working memory
    /// is large enough, the search allocates no memory.
    pub fn value(&mut self, state: &G, depth: u32) -> i32 {
        self.prepare(&SearchLimits::depth(depth));
        let first = if self.config.deepening { depth.min(1) } else { depth };
        let mut value = None;
        for depth in first..=depth {
            value =
                self.drive(state, depth, value, |search, window| search.enter(state, depth, 0, window)).ok();
        }
        value.expect("nothing stops a search without limit")
    }

    /// Searches any state with one window, and returns the fail-soft answer (see [`Bounds::from_answer`]).
    ///
    /// `window` is open, with `low < high`. Alternatively, both ends are `-INFINITY` for a quick lower bound, or
    /// `INFINITY` for a quick upper bound.
    pub fn ask(&mut self, state: &G, depth: u32, window: Bounds) -> i32 {
        self.prepare(&SearchLimits::depth(depth));
        self.enter(state, depth, 0, window).expect("nothing stops a search without limit")
    }

    /// Returns the statistics of the latest search.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats { nodes: self.meter.nodes(), ..self.stats }
    }

    /// Returns the guide of the search.
    pub fn guide(&mut self) -> &mut E {
        &mut self.guide
    }

    /// Returns the configuration of the search.
    #[must_use]
    pub fn config(&self) -> &SearchConfig {
        &self.config
    }

    /// Returns the transposition table, if there is one.
    #[must_use]
    pub fn table(&self) -> Option<&TranspositionTable> {
        self.table.as_ref()
    }

    /// Clears the table and the history, for a new game or for comparable measurements.
    pub fn forget(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        for history in &mut self.history {
            history.fill(0);
        }
    }

    fn prepare(&mut self, limits: &SearchLimits) {
        self.meter = SearchBudget::new(limits);
        self.stats = Stats::default();
        if let Some(table) = &mut self.table {
            table.age();
        }
        // A search that was stopped leaves its stacks as they were.
        self.ranked.clear();
        self.draws.clear();
        self.killers.fill([None; 2]);
        for history in &mut self.history {
            history.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// Visits the root or a state after a chance outcome, which no move of a visited node leads to.
    #[inline]
    fn enter(&mut self, state: &G, depth: u32, ply: usize, window: Bounds) -> Visit {
        self.guide.begin(ply, state);
        self.node(state, depth, ply, window)
    }

    /// Visits a state of any kind. `ply` is the distance from the root.
    #[inline]
    fn node(&mut self, state: &G, depth: u32, ply: usize, window: Bounds) -> Visit {
        if let Some(visit) = self.visit {
            return visit(self, state, depth, ply, window);
        }
        match state.turn() {
            Turn::Player(player) if depth > 0 => self.player(state, player, depth, ply, window, usize::MAX),
            Turn::Chance if depth > 0 => self.chance(state, depth, ply, window),
            turn => self.leaf(state, turn == Turn::Over, ply, window),
        }
    }

    fn leaf(&mut self, state: &G, is_over: bool, ply: usize, window: Bounds) -> Visit {
        self.meter.count()?;
        self.stats.leaves += 1;
        self.horizons += u64::from(!is_over);
        let value = match is_over {
            true => self.guide.finished(state),
            false => self.guide.evaluate_at(ply, state, window),
        };
        debug_assert!(Bounds::VALUES.contains(value), "a state is worth {value}");
        Ok(value)
    }

    /// Makes room in the working memory for a node at this distance from the root and for its child.
    fn reach(&mut self, ply: usize) {
        if self.lines.len() < ply + 2 {
            self.lines.resize_with(ply + 2, Vec::new);
            self.killers.resize(ply + 2, [None; 2]);
        }
    }

    /// Returns the key of a state, if there is a table.
    #[inline]
    fn key(&self, state: &G) -> Option<u64> {
        self.table.as_ref()?;
        self.guide.key(state)
    }

    /// Returns the part of the table's result for a state that is valid at this depth.
    #[inline]
    fn look_up(&mut self, key: Option<u64>, depth: u32) -> Known {
        let (Some(key), Some(table)) = (key, &self.table) else { return UNKNOWN };
        self.stats.table_probes += 1;
        let Some(entry) = table.find(key) else { return UNKNOWN };
        self.stats.table_hits += 1;
        let stored = u32::from(entry.depth);
        let counts = match self.config.table_depth {
            TableDepth::Same => stored == depth || (entry.is_solved && stored < depth),
            TableDepth::AtLeast => stored >= depth || entry.is_solved,
        };
        if !counts {
            return Known { bounds: Bounds::ANY, best: entry.best };
        }
        self.horizons += u64::from(!entry.is_solved && entry.bounds != Bounds::ANY);
        Known { bounds: entry.bounds, best: entry.best }
    }

    /// Stores the bounds that a search to `depth` has found. `horizons` is the counter's value before this search.
    #[inline]
    fn keep(&mut self, key: Option<u64>, depth: u32, horizons: u64, bounds: Bounds, best: Option<u16>) {
        if bounds == Bounds::ANY && best.is_none() {
            return;
        }
        if let (Some(key), Some(table)) = (key, &mut self.table) {
            let is_solved = self.horizons == horizons;
            table.put(key, Entry { bounds, depth: depth.min(255) as u8, is_solved, best });
        }
    }
}

/// Returns the part of a window that lies within known bounds. A query keeps its window.
#[inline]
fn narrowed(window: Bounds, known: Bounds) -> Bounds {
    let both = window.intersect(known);
    if both.low < both.high {
        both
    } else {
        window
    }
}
