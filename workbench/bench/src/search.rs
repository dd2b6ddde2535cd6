//! The searches of `contender-search`: nodes and speed of each technique on fixed positions of Entropy, Box, Ultimate
//! Tic-Tac-Toe and Spaghetti.
//!
//! [`comparison`] measures how much each technique saves at equal depth. The default settings are based on it. `cargo
//! run --release -p contender-bench --example search` prints it. [`overruns`] measures how far searches overrun their
//! time limit.

mod overrun;

pub use overrun::{Timed, overruns};

use crate::guides::{BoxScore, SpaghettiScore, UtttBoards};
use crate::workload::{Tally, Workload};
use contender_boxes as boxes;
use contender_entropy as entropy;
use contender_entropy::evaluation::{LinearGuide, Weights};
use contender_game::{
    rules::{Chance, Game, Player, Rng, Turn, mix},
    settings::Shipped,
};
use contender_search::{
    ChanceModel, Driver, Heuristics, NoChance, Points, ProbCut, Search, SearchConfig, SearchLimits,
    TableDepth, WithChance,
};
use contender_spaghetti as spaghetti;
use contender_uttt as uttt;
use std::time::{Duration, Instant};

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
    let states = entropy_states(6, Player::Zero);
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

/// The cost of a combination of techniques on a set of positions.
#[derive(Clone, Debug)]
pub struct Line {
    /// The description of the positions and the depth.
    pub set: String,
    /// The name of the techniques.
    pub name: &'static str,
    /// Total number of nodes.
    pub nodes: u64,
    /// Number of evaluations for move ordering, which do not count as nodes.
    pub ordering: u64,
    /// The total time.
    pub elapsed: Duration,
    /// The largest difference between a value and the exact value, in units of the evaluation.
    pub error: i32,
    /// The share of positions with a value that is not exact.
    pub wrong: f64,
}

/// Measures every technique on the same `positions` of each game, to the same depth. Calls `report` with each line as
/// soon as it is known.
pub fn comparison(positions: u32, mut report: impl FnMut(Line)) {
    for (player, depth) in [(Player::Zero, 3), (Player::Zero, 4), (Player::One, 4)] {
        let states = entropy_states(positions, player);
        let set = format!("Entropy, {} to move, depth {depth}", ["Order", "Chaos"][player]);
        let guides = |state: &entropy::State| {
            let guide = entropy::ScoreGuide::of(state);
            entropy::ScoreGuide { prediction: Some((2, fit(state, guide, 2))), ..guide }
        };
        compare::<_, _, WithChance>(&set, &states, depth, guides, &chance_stack(2000), &mut report);
    }
    for (stage, moves, depth) in [("all stages", usize::MAX, 2), ("the last placements", 12, 3)] {
        let states = box_states(positions, moves);
        let set = format!("Box with known colours, {stage}, depth {depth}");
        let guides = |state: &boxes::OpenColours| {
            let guide = BoxScore::of(state);
            let below = depth - 1;
            BoxScore { prediction: Some((below, fit(state, guide, below))), ..guide }
        };
        compare::<_, _, WithChance>(&set, &states, depth, guides, &chance_stack(200), &mut report);
    }
    for depth in [6, 8] {
        let states = uttt_states(positions);
        let set = format!("Ultimate tic-tac-toe, depth {depth}");
        compare::<_, _, NoChance>(&set, &states, depth, |_| UtttBoards, &alpha_beta_family(), &mut report);
    }
    for depth in [3, 5] {
        let states = spaghetti_states(positions);
        let set = format!("Spaghetti, depth {depth}");
        compare::<_, _, NoChance>(
            &set,
            &states,
            depth,
            |_| SpaghettiScore,
            &alpha_beta_family(),
            &mut report,
        );
    }
}

/// Compares the techniques on Entropy with the evaluation that Entropy's bots use. The baseline is an exact search with
/// pruning, because plain expectimax takes minutes per position.
pub fn comparison_with_evaluation(positions: u32, mut report: impl FnMut(Line)) {
    for (player, depth) in [(Player::Zero, 3), (Player::One, 3), (Player::Zero, 4), (Player::One, 4)] {
        let states = entropy_states(positions, player);
        let set =
            format!("Entropy with its evaluation, {} to move, depth {depth}", ["Order", "Chaos"][player]);
        let guides = |state: &entropy::State| {
            let mut guide = LinearGuide::new(Weights::shipped());
            guide.focus(state, 20);
            guide.predict(state);
            guide
        };
        compare::<_, _, WithChance>(&set, &states, depth, guides, &evaluation_stack(), &mut report);
    }
}

fn compare<G: Game, E: Heuristics<G>, L: ChanceModel<G>>(
    set: &str,
    states: &[G],
    depth: u32,
    guide: impl Fn(&G) -> E,
    stack: &[(&'static str, SearchConfig)],
    report: &mut impl FnMut(Line),
) {
    let mut exact: Vec<i32> = Vec::new();
    for &(name, config) in stack {
        let set = set.to_string();
        let mut line =
            Line { set, name, nodes: 0, ordering: 0, elapsed: Duration::ZERO, error: 0, wrong: 0.0 };
        for (at, state) in states.iter().enumerate() {
            let mut search = Search::<G, E, L>::new(guide(state), config);
            let start = Instant::now();
            let value = search.value(state, depth);
            line.elapsed += start.elapsed();
            line.nodes += search.stats().nodes;
            line.ordering += search.stats().ordering_evaluations;
            match exact.get(at) {
                Some(&exact) => {
                    line.error = line.error.max((value - exact).abs());
                    line.wrong += f64::from(u8::from(value != exact)) / states.len() as f64;
                }
                None => exact.push(value),
            }
        }
        report(line);
    }
}

/// Returns the configurations from plain expectimax to all techniques, each with one technique more than the previous
/// one. Variants of the last configuration follow. `width` is half the width of an aspiration window.
fn chance_stack(width: u32) -> Vec<(&'static str, SearchConfig)> {
    let alpha_beta = SearchConfig { alpha_beta: true, ..SearchConfig::PLAIN };
    let ordered = SearchConfig { scores: true, ..alpha_beta };
    let star1 = SearchConfig { star1: true, ..ordered };
    let star2 = SearchConfig { star2: 1, ..star1 };
    let table = with_table(star2);
    let etc = SearchConfig { star_etc: true, ..table };
    let history = SearchConfig { history: true, ..etc };
    let killers = SearchConfig { killers: true, ..history };
    let pvs = SearchConfig { null_windows: true, ..killers };
    let queries = SearchConfig { queries: 2, ..pvs };
    vec![
        ("expectimax", SearchConfig::PLAIN),
        ("alpha-beta within turns", alpha_beta),
        ("Star1, unordered", SearchConfig { star1: true, ..alpha_beta }),
        ("Star2, unordered", SearchConfig { star1: true, star2: 1, ..alpha_beta }),
        ("Star1 + ordering by score", star1),
        ("Star2 + ordering", star2),
        ("Star2 with 3 probes + ordering", SearchConfig { star2: 3, ..star1 }),
        ("+ table and deepening", table),
        ("+ StarETC", etc),
        ("+ history", history),
        ("+ killers", killers),
        ("+ null windows", pvs),
        ("+ bounding queries", queries),
        ("bounding queries instead of Star2", SearchConfig { star2: 0, ..queries }),
        ("null windows + ChanceProbCut, t = 1", SearchConfig { prob_cut: 1.0, ..pvs }),
        ("null windows + ChanceProbCut, t = 2", SearchConfig { prob_cut: 2.0, ..pvs }),
        ("MTD(f)", SearchConfig { driver: Driver::MtdF, ..killers }),
        ("aspiration of 2 points", SearchConfig { driver: Driver::Aspiration(width), ..pvs }),
    ]
}

/// Returns the configuration with a transposition table whose moves are searched first, and with iterative deepening.
fn with_table(config: SearchConfig) -> SearchConfig {
    SearchConfig {
        table_bytes: 16 << 20,
        table_depth: TableDepth::Same,
        table_move: true,
        deepening: true,
        chance_table: true,
        ..config
    }
}

/// Returns the configurations for an evaluation that is fast enough to order moves, each with one technique more than
/// the previous one. Variants of the last configuration follow.
fn evaluation_stack() -> Vec<(&'static str, SearchConfig)> {
    let star2 = SearchConfig { alpha_beta: true, scores: true, star1: true, star2: 1, ..SearchConfig::PLAIN };
    let ordered = SearchConfig { evaluate_from: 2, ..star2 };
    let table = with_table(ordered);
    let etc = SearchConfig { star_etc: true, ..table };
    let pvs = SearchConfig { null_windows: true, ..etc };
    let killers = SearchConfig { killers: true, ..pvs };
    vec![
        ("Star2, moves ordered by points", star2),
        ("Star2, moves ordered by the evaluation", ordered),
        ("+ table and deepening", table),
        ("+ StarETC", etc),
        ("+ null windows", pvs),
        ("+ killers", killers),
        ("+ history", SearchConfig { history: true, ..killers }),
        ("killers, MTD(f)", SearchConfig { null_windows: false, driver: Driver::MtdF, ..killers }),
        ("killers, aspiration of 2 points", SearchConfig { driver: Driver::Aspiration(2000), ..killers }),
        ("killers, bounding queries", SearchConfig { queries: 2, ..killers }),
        ("killers, ChanceProbCut, t = 1.5", SearchConfig { prob_cut: 1.5, ..killers }),
    ]
}

fn alpha_beta_family() -> Vec<(&'static str, SearchConfig)> {
    let plain = SearchConfig { alpha_beta: true, ..SearchConfig::PLAIN };
    let table = SearchConfig {
        table_bytes: 16 << 20,
        table_depth: TableDepth::Same,
        table_move: true,
        deepening: true,
        scores: true,
        ..plain
    };
    let full = SearchConfig { killers: true, history: true, ..table };
    vec![
        ("alpha-beta, unordered", plain),
        ("alpha-beta + ordering by score", SearchConfig { scores: true, ..plain }),
        ("+ table and deepening", table),
        ("+ killers and history", full),
        ("+ null windows (PVS)", SearchConfig { null_windows: true, ..full }),
        ("PVS + aspiration of 3", SearchConfig { null_windows: true, driver: Driver::Aspiration(3), ..full }),
        ("MTD(f)", SearchConfig { driver: Driver::MtdF, ..full }),
    ]
}

/// Returns the regression of a chance node's value at `depth` on the node's evaluation. The data are states a few
/// random moves after `root`.
fn fit<G: Chance, E: Heuristics<G> + Copy>(root: &G, mut guide: E, depth: u32) -> ProbCut {
    let mut rng = Rng::new(3);
    let mut search = Search::<_, _, WithChance>::new(guide, ENTROPY);
    let mut pairs = Vec::new();
    while pairs.len() < 200 {
        let mut state = root.clone();
        let mut moves = 1 + rng.below(2);
        while moves > 0 || state.turn() != Turn::Chance {
            match state.turn() {
                Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
                Turn::Over => break,
                Turn::Player(_) => {
                    moves = moves.saturating_sub(1);
                    state.play(state.random_move(&mut rng, &mut Vec::new()));
                }
            }
        }
        pairs.push((f64::from(guide.evaluate(&state)), f64::from(search.value(&state, depth))));
    }
    let n = pairs.len() as f64;
    let mean = |part: fn(&(f64, f64)) -> f64| pairs.iter().map(part).sum::<f64>() / n;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let xx = pairs.iter().map(|pair| (pair.0 - x).powi(2)).sum::<f64>().max(1.0);
    let slope = (pairs.iter().map(|pair| (pair.0 - x) * (pair.1 - y)).sum::<f64>() / xx).max(0.1);
    let offset = y - slope * x;
    let residual = pairs.iter().map(|pair| (pair.1 - slope * pair.0 - offset).powi(2)).sum::<f64>() / n;
    ProbCut { depth: 0, slope, offset, sigma: residual.sqrt() }
}

/// Returns positions from all stages with `player` to move. Half of the moves before these positions are the best moves
/// of a search with depth 1, and the other half are random.
fn entropy_states(count: u32, player: Player) -> Vec<entropy::State> {
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
                    Turn::Player(mover) if mover == player && state.placed() >= stage(at) => break state,
                    Turn::Player(_) if rng.below(2) == 0 => {
                        state.play(search.search(&state, &SearchLimits::depth(1)).moves[0].mv);
                    }
                    Turn::Player(_) => state.play(state.random_move(&mut rng, &mut Vec::new())),
                    Turn::Over => unreachable!("the stage is before the end"),
                }
            }
        })
        .collect()
}

/// Returns positions from all stages after random placements, each with at most `most_moves` legal moves.
fn box_states(count: u32, most_moves: usize) -> Vec<boxes::OpenColours> {
    let mut rng = Rng::new(5);
    let mut states = Vec::new();
    while states.len() < count as usize {
        let mut state = boxes::OpenColours(boxes::State::random(&mut rng));
        let mut course = Vec::new();
        while state.turn() != Turn::Over {
            state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
            let mut moves = Vec::new();
            state.moves(&mut moves);
            if moves.len() <= most_moves {
                course.push(state.clone());
            }
            state.play(*rng.choose(&moves));
        }
        if !course.is_empty() {
            states.push(rng.choose(&course).clone());
        }
    }
    states
}

/// Returns positions from all stages after random moves.
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

/// Returns positions from all stages after random moves.
fn uttt_states(count: u32) -> Vec<uttt::State> {
    let mut rng = Rng::new(4);
    (0..count)
        .map(|at| {
            loop {
                let mut state = uttt::State::default();
                while state.plies() < 40 * at / count && state.turn() != Turn::Over {
                    state.play(state.random_move(&mut rng, &mut Vec::new()));
                }
                if state.turn() != Turn::Over {
                    break state;
                }
            }
        })
        .collect()
}
