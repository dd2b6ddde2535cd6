//! The tactical search: players' nodes with pruning, reductions and extensions, and a quiescence search beyond the
//! horizon.
//!
//! The root, chance nodes and the table are shared with the plain search. [`Search::visit`](super::Search) points to
//! this search's function for a node. The children of the root and of chance nodes start a new path, at which the
//! partial sums of an evaluation [begin](crate::Heuristics::begin).

mod moves;
mod node;
mod quiescence;

use super::{Search, Visit};
use crate::{
    Bounds, ChanceModel, Driver, Heuristics, NoChance, ProbCut, SearchConfig, TacticalConfig, Tactics,
};
use contender_game::rules::Game;

/// A [`Search`] for games like chess, with the techniques of [`TacticalConfig`]: quiescence, null move, reductions,
/// extensions and pruning. [`Search::tactical`] creates such a search.
pub type TacticalSearch<G, E, L = NoChance> = Search<G, Tactical<E>, L>;

/// A guide with [`Tactics`], and the working memory of the techniques that use them.
#[derive(Clone, Debug)]
pub struct Tactical<E> {
    guide: E,
    config: TacticalConfig,
    /// The steps that led to the current node, one for each distance from the root.
    path: Vec<Step>,
    /// Two tables of counters for pairs of moves: a move after the opponent's previous move, and a move after the
    /// player's own previous move.
    replies: [Vec<i16>; 2],
    reply_slots: usize,
    /// The current iteration's depth, measured from the root.
    iteration: usize,
    counts: TacticalCounts,
}

/// The step that led to a node.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The root or chance.
    Begin,
    /// A move, given by its index in the continuation history.
    Move(usize),
    /// A pass.
    Pass,
}

/// Counts of how often each technique had an effect since the search was created.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TacticalCounts {
    /// Number of states visited beyond the horizon.
    pub quiescence_nodes: u64,
    /// Number of nodes cut off by a null move.
    pub null_move_cuts: u64,
    /// Number of nodes cut off by their evaluation.
    pub evaluation_cuts: u64,
    /// Number of nodes at which moves were skipped.
    pub pruned_nodes: u64,
    /// Number of moves searched to a reduced depth.
    pub reductions: u64,
    /// Number of these moves that had to be searched again.
    pub repeated_reductions: u64,
    /// Number of nodes searched deeper because of a check.
    pub extensions: u64,
}

impl<E> Tactical<E> {
    /// Returns the guide itself.
    pub fn guide(&mut self) -> &mut E {
        &mut self.guide
    }

    /// Returns the configuration of the techniques.
    #[must_use]
    pub fn config(&self) -> &TacticalConfig {
        &self.config
    }

    /// Returns the counts of all techniques since the search was created.
    #[must_use]
    pub fn counts(&self) -> TacticalCounts {
        self.counts
    }

    fn new<G: Game>(guide: E, config: TacticalConfig) -> Tactical<E>
    where
        E: Tactics<G>,
    {
        let reply_slots = if config.replies { guide.reply_slots() } else { 0 };
        let table = vec![0; reply_slots * reply_slots];
        Tactical {
            guide,
            config,
            path: Vec::new(),
            replies: [table.clone(), table],
            reply_slots,
            iteration: 0,
            counts: TacticalCounts::default(),
        }
    }

    fn step(&mut self, ply: usize, step: Step) {
        if self.path.len() <= ply {
            self.path.resize(ply + 1, Step::Begin);
        }
        self.path[ply] = step;
    }
}

impl<G: Game, E: Tactics<G>, L: ChanceModel<G>> Search<G, Tactical<E>, L> {
    /// Creates a search with the usual techniques for a game whose least valuable piece is worth `unit` in the guide's
    /// values. The search uses all techniques that do not change values, aspiration windows of one unit, and
    /// [`TacticalConfig::of_unit`].
    ///
    /// ```
    /// use contender_game::rules::{Game, Player};
    /// use contender_search::{Heuristics, SearchLimits, TacticalSearch, Tactics};
    /// # #[path = "../../../../game/tests/toy_games/mod.rs"] mod toys;
    /// # use toys::Nim;
    ///
    /// struct Guide;
    ///
    /// impl Heuristics<Nim> for Guide {
    ///     fn evaluate(&mut self, _: &Nim) -> i32 {
    ///         0
    ///     }
    ///     fn finished(&mut self, state: &Nim) -> i32 {
    ///         1000 * state.value()
    ///     }
    /// }
    ///
    /// impl Tactics<Nim> for Guide {
    ///     /// With four matches left or fewer the end is near.
    ///     fn is_noisy(&self, state: &Nim, _: u8) -> bool {
    ///         state.matches <= 4
    ///     }
    ///     fn decisive(&self) -> i32 {
    ///         1000
    ///     }
    /// }
    ///
    /// let mut search = TacticalSearch::<Nim, Guide>::tactical(Guide, 100);
    /// let found = search.search(&Nim { matches: 10, mover: Player::Zero }, &SearchLimits::nodes(10_000));
    /// assert_eq!(found.moves[0].mv, 2);
    /// ```
    #[must_use]
    pub fn tactical(guide: E, unit: i32) -> Self {
        let driver = Driver::Aspiration(unit.unsigned_abs());
        Search::with_tactics(
            guide,
            SearchConfig { driver, ..SearchConfig::FULL },
            TacticalConfig::of_unit(unit),
        )
    }

    /// Creates a search with these techniques. The order of moves is: the table's move, noisy moves by
    /// [`Heuristics::score`], killers, and the other moves by the histories. [`SearchConfig::evaluate_from`] and
    /// [`SearchConfig::margin`] have no effect.
    #[must_use]
    pub fn with_tactics(guide: E, config: SearchConfig, tactics: TacticalConfig) -> Self {
        let mut search = Search::new(Tactical::new(guide, tactics), config);
        search.visit = Some(Self::begin);
        search.list = |tactical, state, moves| {
            let is_check = tactical.config.check_extension && tactical.guide.is_check(state);
            tactical.list(state, is_check, moves);
        };
        search
    }

    /// Creates a search of this type without tactics. The search visits the same nodes as [`Search::new`], in the same
    /// order.
    #[must_use]
    pub fn without_tactics(guide: E, config: SearchConfig) -> Self {
        Search::new(Tactical::new(guide, TacticalConfig::NONE), config)
    }

    /// Visits the root, or a state after a chance outcome.
    fn begin(&mut self, state: &G, depth: u32, ply: usize, window: Bounds) -> Visit {
        self.guide.guide.begin(ply, state);
        self.guide.step(ply, Step::Begin);
        self.guide.iteration = ply + depth as usize;
        self.walk(state, depth, ply, window)
    }
}

impl<G: Game, E: Tactics<G>> Heuristics<G> for Tactical<E> {
    fn evaluate(&mut self, state: &G) -> i32 {
        self.guide.evaluate(state)
    }

    fn finished(&mut self, state: &G) -> i32 {
        self.guide.finished(state)
    }

    fn bounds(&self, state: &G, depth: u32) -> Bounds {
        self.guide.bounds(state, depth)
    }

    fn key(&self, state: &G) -> Option<u64> {
        self.guide.key(state)
    }

    fn slots(&self) -> usize {
        self.guide.slots()
    }

    fn slot(&self, state: &G, mv: G::Move) -> usize {
        self.guide.slot(state, mv)
    }

    fn score(&mut self, state: &G, mv: G::Move) -> i32 {
        self.guide.score(state, mv)
    }

    fn found(&mut self, state: &G, depth: u32, bounds: Bounds) {
        self.guide.found(state, depth, bounds);
    }

    fn prob_cut(&self, state: &G, depth: u32) -> Option<ProbCut> {
        self.guide.prob_cut(state, depth)
    }

    fn begin(&mut self, ply: usize, state: &G) {
        self.guide.begin(ply, state);
    }

    fn follow(&mut self, ply: usize, before: &G, mv: G::Move, after: &G) {
        self.guide.follow(ply, before, mv, after);
    }

    fn evaluate_at(&mut self, ply: usize, state: &G, window: Bounds) -> i32 {
        self.guide.evaluate_at(ply, state, window)
    }
}
