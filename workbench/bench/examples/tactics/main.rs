//! Measures the techniques of the tactical search: the nodes that each one saves and its effect on strength, in three
//! games. Also compares the search with one written by hand. `docs/background/searches.md` has the tables.
//!
//!     cargo run --release -p contender-bench --example tactics -- nodes
//!     cargo run --release -p contender-bench --example tactics -- strength [GAME] [PAIRS] [NODES]
//!     cargo run --release -p contender-bench --example tactics -- hand [PAIRS] [NODES]

mod guides;
mod leapers;
mod plain;

use contender_game::rules::{Game, Player, Rng, Turn};
use contender_search::{Driver, SearchConfig, SearchLimits, TacticalConfig, TacticalSearch, Tactics};
use contender_spaghetti as spaghetti;
use contender_uttt as uttt;

/// A game to measure.
trait Subject {
    const NAME: &'static str;
    /// The value of the least valuable piece.
    const UNIT: i32;
    /// The depth for counting nodes.
    const DEPTH: u32;
    type State: Game;
    type Guide: Tactics<Self::State> + Default;
    /// Returns a start position with some random moves.
    fn opening(seed: u64) -> Self::State;
    /// Returns a position from the middle of a game.
    fn middle(seed: u64) -> Self::State;
}

fn with_random_moves<G: Game>(mut state: G, moves: u32, seed: u64) -> G {
    let mut rng = Rng::new(seed);
    for _ in 0..moves {
        if state.turn() != Turn::Over {
            state.play(state.random_move(&mut rng, &mut Vec::new()));
        }
    }
    state
}

struct Leapers;

impl Subject for Leapers {
    const NAME: &'static str = "leapers";
    const UNIT: i32 = 100;
    const DEPTH: u32 = 4;
    type State = leapers::State;
    type Guide = leapers::Guide;

    fn opening(seed: u64) -> leapers::State {
        with_random_moves(leapers::State::start(seed), 2, seed)
    }

    fn middle(seed: u64) -> leapers::State {
        let mut search = TacticalSearch::<leapers::State, leapers::Guide>::tactical(leapers::Guide, 100);
        let mut state = Self::opening(seed);
        for _ in 0..10 + seed % 20 {
            if state.turn() != Turn::Over {
                state.play(search.search(&state, &SearchLimits::nodes(300)).moves[0].mv);
            }
        }
        if state.turn() == Turn::Over { Self::middle(seed + 1000) } else { state }
    }
}

struct UltimateTicTacToe;

impl Subject for UltimateTicTacToe {
    const NAME: &'static str = "uttt";
    const UNIT: i32 = 100;
    const DEPTH: u32 = 7;
    type State = uttt::State;
    type Guide = guides::Uttt;

    fn opening(seed: u64) -> uttt::State {
        with_random_moves(uttt::State::default(), 4, seed)
    }

    fn middle(seed: u64) -> uttt::State {
        with_random_moves(uttt::State::default(), 10 + (seed % 20) as u32, seed)
    }
}

struct Spaghetti;

impl Subject for Spaghetti {
    const NAME: &'static str = "spaghetti";
    const UNIT: i32 = 2;
    const DEPTH: u32 = 4;
    type State = spaghetti::State;
    type Guide = guides::Spaghetti;

    fn opening(seed: u64) -> spaghetti::State {
        with_random_moves(spaghetti::State::default(), 4, seed)
    }

    fn middle(seed: u64) -> spaghetti::State {
        with_random_moves(spaghetti::State::default(), 20 + (seed % 10) as u32, seed)
    }
}

/// A combination of techniques.
type Setup = (&'static str, SearchConfig, TacticalConfig);

/// Returns the base, which is the exact search with quiescence, then the base with each technique added alone, and
/// finally all techniques together.
fn setups(unit: i32) -> Vec<Setup> {
    let full = SearchConfig { table_bytes: 8 << 20, ..SearchConfig::FULL };
    let all = TacticalConfig::of_unit(unit);
    let none = TacticalConfig::NONE;
    let base = TacticalConfig { quiescence: all.quiescence, ..none };
    let aspiration = SearchConfig { driver: Driver::Aspiration(unit.unsigned_abs()), ..full };
    let late_moves = TacticalConfig { late_moves: all.late_moves, ..base };
    vec![
        ("base: quiescence", full, base),
        ("no quiescence", full, none),
        ("delta margin", full, TacticalConfig { delta_margin: all.delta_margin, ..base }),
        ("null move", full, TacticalConfig { null_move: all.null_move, ..base }),
        ("check extension", full, TacticalConfig { check_extension: true, ..base }),
        ("late move reductions", full, late_moves),
        ("late move pruning", full, TacticalConfig { late_move_pruning: all.late_move_pruning, ..base }),
        ("futility margin", full, TacticalConfig { futility_margin: all.futility_margin, ..base }),
        ("beta margin", full, TacticalConfig { beta_margin: all.beta_margin, ..base }),
        ("unknown reduction", full, TacticalConfig { unknown_reduction: true, ..base }),
        ("replies", full, TacticalConfig { replies: true, ..base }),
        ("aspiration", aspiration, base),
        ("kept line", full, TacticalConfig { keeps_line: true, ..base }),
        ("all", aspiration, all),
    ]
}

fn search<S: Subject>((_, config, tactics): Setup) -> TacticalSearch<S::State, S::Guide> {
    TacticalSearch::with_tactics(S::Guide::default(), config, tactics)
}

/// Counts the nodes to a depth, summed over positions.
fn nodes<S: Subject>(positions: u64) {
    println!("{}: nodes to depth {}, {positions} positions", S::NAME, S::DEPTH);
    let mut first = 0;
    for setup in setups(S::UNIT) {
        let total: u64 = (0..positions)
            .map(|seed| {
                let mut search = search::<S>(setup);
                search.search(&S::middle(seed), &SearchLimits::depth(S::DEPTH));
                search.stats().nodes
            })
            .sum();
        if first == 0 {
            first = total;
        }
        println!("{:24} {total:>12} {:>6.2}", setup.0, total as f64 / first as f64);
    }
}

/// Returns the share of the game won by a seat: 1, one half or 0.
fn share<G: Game>(state: &G, seat: Player) -> f64 {
    0.5 + 0.5 * f64::from((state.value() * seat.sign()).signum())
}

/// The function that chooses the moves of one side.
type Chooser<'a, G> = &'a mut dyn FnMut(&G) -> <G as Game>::Move;

/// Plays pairs of games, and returns the wins, draws and losses of the first player.
fn play<G: Game>(pairs: u64, opening: impl Fn(u64) -> G, players: [Chooser<'_, G>; 2]) -> [u32; 3] {
    let mut results = [0; 3];
    for game in 0..2 * pairs {
        let seat = Player::BOTH[(game % 2) as usize];
        let mut state = opening(game / 2);
        while let Turn::Player(player) = state.turn() {
            let mv = players[usize::from(player != seat)](&state);
            state.play(mv);
        }
        results[(2.0 - 2.0 * share(&state, seat)) as usize] += 1;
    }
    results
}

fn report(name: &str, [wins, draws, losses]: [u32; 3]) {
    let games = f64::from(wins + draws + losses);
    let share = (f64::from(wins) + 0.5 * f64::from(draws)) / games;
    let squares = f64::from(wins) * (1.0 - share).powi(2)
        + f64::from(draws) * (0.5 - share).powi(2)
        + f64::from(losses) * share.powi(2);
    let error = 1.96 * (squares / games / games).sqrt();
    println!("{name:24} {wins:>4} {draws:>4} {losses:>4}  {:5.1} % +- {:.1}", 100.0 * share, 100.0 * error);
}

/// Plays each technique against the base with equal nodes.
fn strength<S: Subject>(pairs: u64, nodes: u64, only: Option<&str>) {
    println!("{}: {} games against the base at {nodes} nodes a move", S::NAME, 2 * pairs);
    let limits = SearchLimits::nodes(nodes);
    let all = setups(S::UNIT);
    for &setup in &all[1..] {
        if only.is_some_and(|only| only != setup.0) {
            continue;
        }
        let (mut one, mut other) = (search::<S>(setup), search::<S>(all[0]));
        let results = play(
            pairs,
            S::opening,
            [&mut |state| one.search(state, &limits).moves[0].mv, &mut |state| {
                other.search(state, &limits).moves[0].mv
            }],
        );
        report(setup.0, results);
    }
}

/// Plays the kit's search against the one written by hand, with equal nodes.
fn hand(pairs: u64, nodes: u64, only: Option<&str>) {
    println!("leapers: {} games against the search written by hand at {nodes} nodes a move", 2 * pairs);
    let limits = SearchLimits::nodes(nodes);
    let all = setups(Leapers::UNIT);
    let exact =
        ("exact search", SearchConfig { table_bytes: 8 << 20, ..SearchConfig::FULL }, TacticalConfig::NONE);
    for setup in [all[all.len() - 1], all[0], exact]
        .into_iter()
        .filter(|setup| only.is_none_or(|only| only == setup.0))
    {
        let (mut kit, mut plain) = (search::<Leapers>(setup), plain::Plain::new());
        let (mut kit_depths, mut plain_depths, mut searches) = (0, 0, 0);
        let results = play(
            pairs,
            Leapers::opening,
            [
                &mut |state| {
                    let found = kit.search(state, &limits);
                    kit_depths += found.depth;
                    searches += 1;
                    found.moves[0].mv
                },
                &mut |state| {
                    let (mv, took) = plain.search(state, nodes, 60);
                    plain_depths += took.len() as u32;
                    mv
                },
            ],
        );
        report(setup.0, results);
        println!(
            "mean depths {:?}",
            [kit_depths, plain_depths].map(|depth| f64::from(depth) / f64::from(searches))
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, default: u64| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    match arguments.first().map(String::as_str) {
        Some("nodes") => {
            nodes::<Leapers>(20);
            nodes::<UltimateTicTacToe>(20);
            nodes::<Spaghetti>(10);
        }
        Some("strength") => {
            let (pairs, nodes) = (number(2, 100), number(3, 2_000));
            let only = arguments.get(4).map(String::as_str);
            let game = arguments.get(1).map_or("all", String::as_str);
            if ["all", Leapers::NAME].contains(&game) {
                strength::<Leapers>(pairs, nodes, only);
            }
            if ["all", UltimateTicTacToe::NAME].contains(&game) {
                strength::<UltimateTicTacToe>(pairs, nodes, only);
            }
            if ["all", Spaghetti::NAME].contains(&game) {
                strength::<Spaghetti>(pairs, nodes, only);
            }
        }
        Some("hand") => hand(number(1, 100), number(2, 20_000), arguments.get(3).map(String::as_str)),
        _ => println!("nodes | strength [GAME] [PAIRS] [NODES] | hand [PAIRS] [NODES]"),
    }
}
