//! Games that a search plays against itself, for positions with features.

use contender_game::{
    contest::{OpenJudge, StateOf, TypedContest},
    rules::Rng,
};
use contender_search::{
    ChanceModel, SearchConfig, TableDepth, TacticalConfig, TacticalSearch, Tactics, draw,
};
use contender_value::Features;

/// The settings of an exact search. The windows are as wide as possible, because null windows would find only bounds.
/// Moves are ordered by evaluations, which works better than iterative deepening at the depths of training.
const EXACT: SearchConfig = SearchConfig {
    null_windows: false,
    deepening: false,
    table_bytes: 1 << 20,
    table_depth: TableDepth::Same,
    evaluate_from: 2,
    ..SearchConfig::FULL
};

/// The settings of a search with a node budget: only the value of the best move must be exact.
const BUDGETED: SearchConfig =
    SearchConfig { null_windows: true, deepening: true, table_depth: TableDepth::AtLeast, ..EXACT };

/// The type of a search with an evaluation or a wrapper around one.
pub type Searching<G, E> = TacticalSearch<G, E, <G as Features>::ChanceModel>;

/// Creates a search that is exact up to its depth. Beyond this depth, it searches at most `quiescence` noisy moves in a
/// row.
#[must_use]
pub fn exact_search<G: Features, E: Tactics<G>>(guide: E, quiescence: u32) -> Searching<G, E> {
    search_with(guide, EXACT, TacticalConfig { quiescence, ..TacticalConfig::NONE })
}

/// Creates a search with a guide's techniques. Without a node budget, it searches to a fixed depth without deepening.
#[must_use]
pub fn tactical_search<G: Features, E: Tactics<G>>(
    guide: E,
    has_budget: bool,
    tactics: TacticalConfig,
) -> Searching<G, E> {
    search_with(guide, if has_budget { BUDGETED } else { EXACT }, tactics)
}

fn search_with<G: Features, E: Tactics<G>>(
    guide: E,
    config: SearchConfig,
    tactics: TacticalConfig,
) -> Searching<G, E> {
    match tactics == TacticalConfig::NONE {
        true => Searching::without_tactics(guide, config),
        false => Searching::with_tactics(guide, config, tactics),
    }
}

/// Maximum number of noisy moves beyond the horizon.
pub const MAX_QUIESCENCE: u32 = 64;

/// Returns the start state for a seed.
pub fn start<C: TypedContest>(seed: u64) -> StateOf<C>
where
    StateOf<C>: Clone,
{
    let judge =
        C::start(seed, C::Rules::default()).expect("the default rules are compatible with each other");
    judge.state().clone()
}

/// Draws a chance outcome and plays it.
pub fn resolve<G: Features>(state: &mut G, rng: &mut Rng) {
    let outcome = draw::<G, G::ChanceModel>(state, rng, &mut Vec::new()).1;
    G::ChanceModel::resolve(state, outcome);
}

/// Returns the error message for a game that is not over after the maximum number of turns.
pub fn endless(turns: usize) -> String {
    format!(
        "the game is endless: it is not over after {turns} turns\nhint: let the rules end the game, for \
         example as a draw, or raise `MAX_TURNS` of the game's states"
    )
}

/// Default number of nodes per move for the bots in a recipe's `opponents`.
pub const OPPONENT_NODES: u64 = 1000;
