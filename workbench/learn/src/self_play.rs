//! Games of a search against itself, for positions with features.

use contender_game::{
    contest::{OpenJudge, StateOf, TypedContest},
    rules::Rng,
};
use contender_search::{
    ChanceModel, SearchConfig, TableDepth, TacticalConfig, TacticalSearch, Tactics, draw,
};
use contender_value::Features;

/// The settings of an exact search. The search windows are as wide as possible, because null windows would only find
/// bounds. At the depths of training, evaluations order moves better than iterative deepening does.
const EXACT: SearchConfig = SearchConfig {
    null_windows: false,
    deepening: false,
    table_bytes: 1 << 20,
    table_depth: TableDepth::Same,
    evaluate_from: 2,
    ..SearchConfig::FULL
};

/// The search of a game with an evaluation or a wrapper around one.
pub type Searching<G, E> = TacticalSearch<G, E, <G as Features>::ChanceModel>;

/// Creates a search that is exact up to its depth. Beyond this depth, it searches at most `quiescence` noisy moves in a
/// row.
#[must_use]
pub fn exact_search<G: Features, E: Tactics<G>>(guide: E, quiescence: u32) -> Searching<G, E> {
    match quiescence {
        0 => Searching::without_tactics(guide, EXACT),
        _ => Searching::with_tactics(guide, EXACT, TacticalConfig { quiescence, ..TacticalConfig::NONE }),
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

/// Returns the error for a game that is not over after the maximum number of turns.
pub fn endless(turns: usize) -> String {
    format!(
        "the game has no end: it continues after {turns} turns\n\
         hint: let the rules end it, for example as a draw, or raise `MAX_TURNS` of the game's states"
    )
}

/// Number of nodes per move for the bots in a recipe's `opponents`, if the recipe does not set it.
pub const OPPONENT_NODES: u64 = 1000;
