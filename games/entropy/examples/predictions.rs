//! Fits the parameters of ChanceProbCut: how well shallow searches predict deep ones where Chaos is to place a drawn chip.
//!
//! Prints for each pair of depths and each stage of the game the regression line and the standard deviation of its error, in points.
//! `cargo run --release -p contender-entropy --example predictions [GAMES]`; 100 games take some minutes.

use contender_entropy::evaluation::{LinearGuide, Weights, POINT};
use contender_entropy::State;
use contender_game::{Chance, Game, Player, Rng, Turn};
use contender_search::{Allowance, Config, Fair, Search, TableDepth};

const DEEPEST: u32 = 4;

/// A state's number of chips and its value at depth 1, 2, ...
struct Sample {
    placed: u32,
    values: [f64; DEEPEST as usize],
}

fn main() {
    let games = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    let config = Config {
        table_depth: TableDepth::Same,
        table_bytes: 8 << 20,
        history: false,
        evaluate_from: 2,
        ..Config::FULL
    };
    let mut search = Search::<_, _, Fair>::new(LinearGuide::new(Weights::shipped()), config);
    let mut rng = Rng::new(1);
    let mut samples = Vec::new();
    for game in 0..games {
        play(&mut search, &mut rng, &mut samples);
        eprint!("\r{} of {games} games, {} positions", game + 1, samples.len());
    }
    eprintln!();
    for (shallow, deep) in [(1, 2), (1, 3), (2, 4), (3, 4)] {
        println!("depth {deep} from depth {shallow}");
        println!("  chips  positions  slope  offset  sigma");
        for first in (3..45).step_by(6) {
            let stage = first..first + 6;
            let pairs: Vec<(f64, f64)> = samples
                .iter()
                .filter(|sample| stage.contains(&sample.placed))
                .map(|sample| (sample.values[shallow - 1], sample.values[deep - 1]))
                .collect();
            if pairs.len() > 2 {
                let (slope, offset, sigma) = regress(&pairs);
                println!(
                    "  {first:2}-{:2}  {:9}  {slope:5.3}  {offset:6.2}  {sigma:5.2}",
                    first + 5,
                    pairs.len()
                );
            }
        }
    }
}

/// Plays a game of depth 1, one move in eight random, and searches every sixth position of Chaos to all depths.
fn play(search: &mut Search<State, LinearGuide, Fair>, rng: &mut Rng, samples: &mut Vec<Sample>) {
    let mut state = State::default();
    loop {
        match state.turn() {
            Turn::Over => return,
            Turn::Chance => state.resolve(state.random_outcome(rng, &mut Vec::new())),
            Turn::Player(player) => {
                search.guide().focus(&state, 60);
                if player == Player::One && (3..45).contains(&state.placed()) && rng.below(6) == 0 {
                    let values =
                        [1, 2, 3, 4].map(|depth| f64::from(search.value(&state, depth)) / f64::from(POINT));
                    samples.push(Sample { placed: state.placed(), values });
                }
                let is_random = state.placed() < 4 || rng.below(8) == 0;
                let mv = match search.search(&state, &Allowance::depth(1)).best {
                    Some(best) if !is_random => best,
                    _ => state.random_move(rng, &mut Vec::new()),
                };
                state.play(mv);
            }
        }
    }
}

/// Slope and offset of the line of least squares, and the standard deviation around it.
fn regress(pairs: &[(f64, f64)]) -> (f64, f64, f64) {
    let n = pairs.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| pairs.iter().map(value).sum::<f64>() / n;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sxx: f64 = pairs.iter().map(|pair| (pair.0 - x).powi(2)).sum();
    let sxy: f64 = pairs.iter().map(|pair| (pair.0 - x) * (pair.1 - y)).sum();
    let slope = sxy / sxx;
    let offset = y - slope * x;
    let squares: f64 = pairs.iter().map(|pair| (pair.1 - offset - slope * pair.0).powi(2)).sum();
    (slope, offset, (squares / (n - 2.0)).sqrt())
}
