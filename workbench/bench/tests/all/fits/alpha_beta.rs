//! With any combination of switches, the searches to a fixed depth are equal to a plain search.

use super::games::Subject;
use contender_game::rules::{Game, Rng, Turn};
use contender_search::{Driver, Search, SearchConfig, SearchLimits, TableDepth};

/// Returns a configuration with random switches.
pub fn switches(rng: &mut Rng) -> SearchConfig {
    let mut on = || rng.below(2) == 0;
    let mut config = SearchConfig {
        alpha_beta: on() || on(),
        null_windows: on(),
        deepening: on(),
        table_bytes: if on() { 1 << 18 } else { 0 },
        table_depth: TableDepth::Same,
        table_move: on(),
        killers: on(),
        history: on(),
        scores: on(),
        star1: on(),
        star_etc: on(),
        chance_table: on(),
        evaluate_from: u32::from(on()) * 2,
        ..SearchConfig::FULL
    };
    config.driver = [Driver::Open, Driver::Aspiration(20), Driver::MtdF][rng.index(3)];
    if config.table_bytes == 0 && config.driver != Driver::Open {
        config.driver = Driver::Aspiration(2000);
    }
    config.star2 = if config.star1 { rng.index(3) } else { 0 };
    config.queries = if config.star1 { rng.below(3) } else { 0 };
    config
}

pub fn search<S: Subject>() {
    let mut rng = Rng::new(1);
    for _ in 0..120 {
        let (state, depth) = S::position(&mut rng);
        let expected = S::plain(&state, depth);
        for config in [SearchConfig::PLAIN, switches(&mut rng), switches(&mut rng)] {
            let mut search = Search::<S::State, S::Heuristics, S::ChanceModel>::new(S::guide(&state), config);
            assert_eq!(search.value(&state, depth), expected, "depth {depth} with {config:?} on {state:?}");
            let Turn::Player(player) = state.turn() else { continue };
            let found = search.search(&state, &SearchLimits::depth(depth));
            let own = f64::from(player.sign() * expected);
            assert_eq!(found.moves[0].value, [own; 2], "{config:?} on {state:?}");
        }
    }
}
