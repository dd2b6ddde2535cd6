//! The searches of `contender-search` on fixed positions of Entropy and Spaghetti.

use crate::guides::SpaghettiScore;
use crate::workload::{Tally, Workload};
use contender_entropy as entropy;
use contender_game::rules::{Chance, Game, Player, Rng, Turn, mix};
use contender_search::{Points, Search, SearchConfig, SearchLimits, TableDepth, WithChance};
use contender_spaghetti as spaghetti;

/// Returns the workloads of the searches.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let search = |name, run, signature_rounds| Workload {
        subject: "search",
        name,
        unit: "nodes",
        run,
        signature_rounds,
    };
    vec![
        search("Entropy, expectimax of depth 2", |rounds| entropy_rounds(rounds, SearchConfig::PLAIN), 0),
        search("Entropy, all techniques to depth 3", |rounds| entropy_rounds(rounds, ENTROPY), 2),
        search("Spaghetti, all techniques to depth 3", spaghetti_rounds, 1),
    ]
}

/// The best combination of techniques for Entropy.
const ENTROPY: SearchConfig = SearchConfig { table_depth: TableDepth::Same, ..SearchConfig::FULL };

fn entropy_rounds(rounds: u64, config: SearchConfig) -> Tally {
    let states = entropy_states(6);
    let depth = if config.alpha_beta { 3 } else { 2 };
    let mut tally = Tally::default();
    for _ in 0..rounds {
        for state in &states {
            let mut search = Search::<_, _, WithChance>::new(entropy::ScoreGuide::of(state), config);
            tally.checksum = mix(&[tally.checksum, search.value(state, depth) as u64]);
            tally.units += search.stats().nodes;
        }
    }
    tally
}

fn spaghetti_rounds(rounds: u64) -> Tally {
    let states = spaghetti_states(4);
    let mut tally = Tally::default();
    for _ in 0..rounds {
        for state in &states {
            let mut search = Search::<_, _>::new(SpaghettiScore, SearchConfig::FULL);
            tally.checksum = mix(&[tally.checksum, search.value(state, 3) as u64]);
            tally.units += search.stats().nodes;
        }
    }
    tally
}

/// Returns positions from all stages of the game in which Order must move. Half of the moves before them are the best
/// moves of a search to depth 1; the other half are random.
fn entropy_states(count: u32) -> Vec<entropy::State> {
    let mut rng = Rng::new(1);
    let mut search =
        Search::<_, _, WithChance>::new(Points, SearchConfig { alpha_beta: true, ..SearchConfig::PLAIN });
    let stage = |at: u32| 4 + 42 * (at + 1) / (count + 1);
    (0..count)
        .map(|at| {
            let mut state = entropy::State::default();
            loop {
                match state.turn() {
                    Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
                    Turn::Player(mover) if mover == Player::Zero && state.placed() >= stage(at) => {
                        break state;
                    }
                    Turn::Player(_) if rng.below(2) == 0 => {
                        state.play(search.search(&state, &SearchLimits::depth(1)).moves[0].mv);
                    }
                    Turn::Player(_) => state.play(state.random_move(&mut rng, &mut Vec::new())),
                    Turn::Over => unreachable!("the stage is before the end of the game"),
                }
            }
        })
        .collect()
}

/// Returns positions from all stages of the game that are reached by random moves.
fn spaghetti_states(count: u32) -> Vec<spaghetti::State> {
    let mut rng = Rng::new(2);
    let cells = spaghetti::CELLS as u32;
    (0..count)
        .map(|at| {
            let mut state = spaghetti::State::empty();
            while state.empty_cells() > cells - cells * (at + 1) / (count + 1) {
                state.play(state.random_move(&mut rng, &mut Vec::new()));
            }
            state
        })
        .collect()
}
