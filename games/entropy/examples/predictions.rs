//! Fits the parameters of ChanceProbCut: how well shallow searches of positions before a draw predict deep searches.
//!
//! For each pair of depths and each stage of the game, the program prints the slope of the regression line. For slope
//! 1, which bots assume, it also prints the offset and the standard deviation of the error, in points. `cargo run
//! --release -p contender-entropy --example predictions [GAMES [network]]` fits the linear evaluation, or the
//! champion's network. 30 games take a few minutes.

use contender_entropy::evaluation::{Linear, Net, Value, ValueGuide, Weights, POINT};
use contender_entropy::State;
use contender_game::{
    rules::{Chance, Game, Rng, Turn},
    settings::Shipped,
};
use contender_search::{Search, SearchConfig, SearchLimits, TableDepth, WithChance};

const MAX_DEPTH: u32 = 4;

/// A state's number of chips, and its value at depth 0, 1, 2, ...
struct Sample {
    placed: u32,
    values: [f64; MAX_DEPTH as usize + 1],
}

fn main() {
    let games = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(30);
    match std::env::args().nth(2).as_deref() {
        Some("network") => fit(Net::shipped(), games),
        _ => fit(Linear::from(Weights::shipped()), games),
    }
}

fn fit<V: Value>(evaluation: V, games: u32) {
    let config = SearchConfig {
        table_depth: TableDepth::Same,
        table_bytes: 8 << 20,
        history: false,
        evaluate_from: 2,
        ..SearchConfig::FULL
    };
    let mut search = Search::<_, _, WithChance>::new(ValueGuide::<V>::new(evaluation), config);
    let mut rng = Rng::new(1);
    let mut samples = Vec::new();
    for game in 0..games {
        play(&mut search, &mut rng, &mut samples);
        eprint!("\r{} of {games} games, {} positions", game + 1, samples.len());
    }
    eprintln!();
    for (shallow, deep) in [(0, 1), (0, 2), (1, 2), (1, 3), (2, 4)] {
        println!("depth {deep} from depth {shallow}");
        println!("  chips  positions  slope  offset  sigma");
        for first in (3..45).step_by(6) {
            let stage = first..first + 6;
            let pairs: Vec<(f64, f64)> = samples
                .iter()
                .filter(|sample| stage.contains(&sample.placed))
                .map(|sample| (sample.values[shallow], sample.values[deep]))
                .collect();
            if pairs.len() > 2 {
                let (slope, offset, sigma) = (slope(&pairs), offset(&pairs), sigma(&pairs));
                println!(
                    "  {first:2}-{:2}  {:9}  {slope:5.3}  {offset:6.2}  {sigma:5.2}",
                    first + 5,
                    pairs.len()
                );
            }
        }
    }
}

/// Plays a game at depth 1, with one move in eight random. Searches every sixth position before a draw to all depths.
fn play<V: Value>(
    search: &mut Search<State, ValueGuide<V>, WithChance>,
    rng: &mut Rng,
    samples: &mut Vec<Sample>,
) {
    let mut state = State::default();
    loop {
        search.guide().focus(&state, 60);
        match state.turn() {
            Turn::Over => return,
            Turn::Chance => {
                if (3..45).contains(&state.placed()) && rng.below(6) == 0 {
                    let mut value = |depth| f64::from(search.value(&state, depth)) / f64::from(POINT);
                    let values = [0, 1, 2, 3, 4].map(&mut value);
                    samples.push(Sample { placed: state.placed(), values });
                }
                state.resolve(state.random_outcome(rng, &mut Vec::new()));
            }
            Turn::Player(_) => {
                let is_random = state.placed() < 4 || rng.below(8) == 0;
                let mv = match search.search(&state, &SearchLimits::depth(1)).moves.first() {
                    Some(best) if !is_random => best.mv,
                    _ => state.random_move(rng, &mut Vec::new()),
                };
                state.play(mv);
            }
        }
    }
}

/// Returns the slope of the least-squares line.
fn slope(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| pairs.iter().map(value).sum::<f64>() / n;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sxx: f64 = pairs.iter().map(|pair| (pair.0 - x).powi(2)).sum();
    let sxy: f64 = pairs.iter().map(|pair| (pair.0 - x) * (pair.1 - y)).sum();
    sxy / sxx
}

/// Returns the mean difference.
fn offset(pairs: &[(f64, f64)]) -> f64 {
    pairs.iter().map(|pair| pair.1 - pair.0).sum::<f64>() / pairs.len() as f64
}

/// Returns the standard deviation of the difference.
fn sigma(pairs: &[(f64, f64)]) -> f64 {
    let offset = offset(pairs);
    let squares: f64 = pairs.iter().map(|pair| (pair.1 - pair.0 - offset).powi(2)).sum();
    (squares / (pairs.len() as f64 - 1.0)).sqrt()
}
