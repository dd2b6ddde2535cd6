//! Prints numbers that show how `classic` searches with its current weights.
//!
//! - `explain windows POSITION [DEPTH]`: the results of alpha-beta for windows below, around and above the value.
//! - `explain regret POSITION [DEPTH]`: the loss of each placement of the drawn chip.
//! - `explain opponents GAMES`: the total losses of other bots' moves in games against `classic`.
//!
//! A POSITION is written as in `position`: the rows from the top, then the player to act:
//! `"......./..3..../......./......./......./......./....... o"`.

use contender_entropy::classic::{regret, ClassicSettings, Optimism};
use contender_entropy::evaluation::{LinearGuide, Weights, POINT};
use contender_entropy::{position, Cell, ClassicBot, ExpectimaxBot, GreedyBot, Move, Scoring, State, SIZE};
use contender_game::{
    contest::{Bot, Clock, Limits, RandomBot},
    rules::{Chance, Game, Player, Rng, Turn},
    settings::Shipped,
};
use contender_search::{Bounds, Search, SearchConfig, SearchLimits, TableDepth, WithChance};

const USAGE: &str =
    "explain windows POSITION [DEPTH], explain regret POSITION [DEPTH], or explain opponents GAMES";

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &String| text.parse::<u32>().map_err(|_| USAGE.to_string());
    let depth = || arguments.get(2).map_or(Ok(2), number);
    match &arguments[..] {
        [what, position, ..] if what == "windows" => windows(&read(position)?, depth()?),
        [what, position, ..] if what == "regret" => placements(&read(position)?, depth()?)?,
        [what, games] if what == "opponents" => opponents(u64::from(number(games)?)),
        _ => return Err(USAGE.to_string()),
    }
    Ok(())
}

fn read(position: &str) -> Result<State, String> {
    position::parse_state(position, Scoring::default())
}

/// Returns the search that `classic` judges its opponent with: only sound techniques, and values of exactly the given
/// depth.
fn judge(state: &State) -> Search<State, LinearGuide, WithChance> {
    let config = SearchConfig {
        table_bytes: 8 << 20,
        table_depth: TableDepth::Same,
        history: false,
        evaluate_from: 2,
        ..SearchConfig::FULL
    };
    let mut guide = LinearGuide::new(Weights::shipped());
    guide.focus(state, ClassicSettings::DEFAULT.focus);
    Search::new(guide, config)
}

fn points(value: i32) -> f64 {
    f64::from(value) / f64::from(POINT)
}

fn windows(state: &State, depth: u32) {
    let value = judge(state).value(state, depth);
    println!("value at depth {depth}: {:.2}", points(value));
    println!("| window | answer | says | nodes |\n|---|---|---|---|");
    for (low, high) in [(1, 3), (-1, 1), (-3, -1)] {
        let window = Bounds::new(value + low * POINT, value + high * POINT);
        let mut search = judge(state);
        let answer = search.ask(state, depth, window);
        let says = match Bounds::from_answer(answer, window) {
            bounds if bounds.is_exact() => "the value",
            bounds if bounds.high == answer => "at most this",
            _ => "at least this",
        };
        let [low, high] = [window.low, window.high].map(points);
        println!("| {low:.2} to {high:.2} | {:.2} | {says} | {} |", points(answer), search.stats().nodes);
    }
    let mut search = judge(state);
    search.ask(state, depth, Bounds::ANY);
    println!("| all values | {:.2} | the value | {} |", points(value), search.stats().nodes);
}

fn placements(state: &State, depth: u32) -> Result<(), String> {
    let Some(colour) = state.drawn() else { return Err("the position has no drawn chip".to_string()) };
    let mut search = judge(state);
    let best = points(search.value(state, depth));
    println!(
        "The best placement of a {colour} is worth {best:.2}. What the others give away, chips in brackets:"
    );
    println!("      a     b     c     d     e     f     g");
    for row in 0..SIZE {
        let mut line = String::from(['A', 'B', 'C', 'D', 'E', 'F', 'G'][row]);
        for cell in (0..SIZE).map(|column| Cell::new(row, column)) {
            line += &match state.colour(cell) {
                0 => {
                    let given = regret(&mut search, state, Move::Place(cell), &SearchLimits::depth(depth));
                    format!("{:6.2}", given.expect("nothing stops a search without limit"))
                }
                chip => format!("   [{chip}]"),
            };
        }
        println!("{line}");
    }
    Ok(())
}

/// The numbers of chips on the board at which the sums are printed.
const CHECKPOINTS: [u32; 4] = [10, 18, 26, 42];
/// Node budget of `classic` per move. The opponents search to their own depths.
const NODES: u64 = 2_000;

fn opponents(games: u64) {
    println!("| opponent | as Chaos: 10 | 18 | 26 | 42 | as Order: 10 | 18 | 26 | 42 |\n|---|---|---|---|---|---|---|---|---|");
    for name in ["random", "greedy", "expectimax", "classic:depth=2"] {
        let mut words = name.to_string();
        for player in [Player::One, Player::Zero] {
            let sums: Vec<[f64; 4]> = (0..games).map(|game| given_away(name, player, game)).collect();
            for at in 0..CHECKPOINTS.len() {
                let mean = sums.iter().map(|sum| sum[at]).sum::<f64>() / games as f64;
                let squares: f64 = sums.iter().map(|sum| (sum[at] - mean).powi(2)).sum();
                let error = 1.96 * (squares / games as f64 / (games as f64 - 1.0).max(1.0)).sqrt();
                words += &format!(" | {mean:.0} ± {error:.0}");
            }
        }
        println!("| {words} |");
    }
}

/// Returns the total loss of an opponent's moves in a seat at the checkpoints of one game. `classic` plays as usual.
fn given_away(name: &str, player: Player, seed: u64) -> [f64; 4] {
    let settings = ClassicSettings { optimism: Optimism::Off, ..ClassicSettings::DEFAULT };
    let classic = |depth| ClassicBot::new(ClassicSettings { depth, ..settings }, Weights::shipped());
    let opponent: Box<dyn Bot<State, Move>> = match name {
        "random" => Box::new(RandomBot::new(seed)),
        "greedy" => Box::new(GreedyBot::new()),
        "expectimax" => Box::new(ExpectimaxBot::new(2)),
        _ => Box::new(classic(2)),
    };
    let mut bots = [opponent, Box::new(classic(settings.depth))];
    let mut rng = Rng::new(seed);
    let mut state = State::default();
    let mut search = judge(&state);
    let (mut sum, mut sums) = (0.0, [0.0; 4]);
    loop {
        if let Some(at) = CHECKPOINTS.iter().position(|&chips| chips == state.placed()) {
            sums[at] = sum;
        }
        match state.turn() {
            Turn::Over => return sums,
            Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
            Turn::Player(to_act) => {
                let nodes = (to_act != player).then_some(NODES);
                let clock = Clock::new(Limits { nodes, ..Limits::NONE });
                let mv = bots[usize::from(to_act != player)].choose(&state, to_act, &clock);
                if to_act == player {
                    search.guide().focus(&state, settings.focus);
                    let depth = SearchLimits::depth(settings.judging_depth);
                    sum += f64::from(regret(&mut search, &state, mv, &depth).unwrap_or(0.0));
                }
                state.play(mv);
            }
        }
    }
}
