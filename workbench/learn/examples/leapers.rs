//! Weights of leapers, learned from nothing, next to weights that a person wrote in some minutes. Leapers is a game
//! like chess with 326 features.
//!
//! `cargo run -p contender-learn --example leapers -- 15 1 0.8` learns for 15 minutes on one core, with searches of
//! depth 1 and returns with the factor 0.8, and plays 400 games. `nodes` instead of a factor learns from all nodes.
//! `-- speed` compares sums that moves update with sums from scratch.

#[path = "../../bench/examples/tactics/leapers.rs"]
#[allow(dead_code, missing_docs, clippy::large_types_passed_by_value)]
mod leapers;

use contender_game::rules::{Game, Player, Rng, Turn, mix};
use contender_learn::optimiser::average;
use contender_learn::treestrap::games::{Searching, Teacher, exact_search, node, teach};
use contender_learn::treestrap::{Learner, Learning, Node, SelfPlay, Targets};
use contender_search::{
    Bounds, Heuristics, NoChance, Search, SearchConfig, SearchLimits, TableDepth, TacticalConfig,
    TacticalSearch,
};
use contender_stats::Pentanomial;
use contender_value::{Evaluation, Features, Layout, Unit, changes_are_right};
use leapers::{Move, State, WORTH};
use std::time::Instant;

/// The number of the feature for a piece on a cell, as its player sees the board.
fn place(player: Player, piece: u8, cell: u8) -> usize {
    let cell = if player == Player::Zero { cell } else { 63 - cell };
    64 * usize::from(piece) + usize::from(cell)
}

/// The first feature of the pieces in hand, and the right to move.
const HAND: usize = 5 * 64;
const TURN: usize = HAND + 5;

impl Features for State {
    type ChanceModel = NoChance;
    const COUNT: usize = TURN + 1;
    const UPDATES: bool = true;

    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        for cell in 0..64 {
            match self.at(cell) {
                Some((piece, of)) if of == player => add(place(player, piece, cell)),
                _ => {}
            }
        }
        for (piece, &count) in self.hands[player].iter().enumerate() {
            (0..count).for_each(|_| add(HAND + piece));
        }
        if self.mover() == player {
            add(TURN);
        }
    }

    fn changes(before: &State, mv: Move, _: &State, mut change: impl FnMut(Player, usize, bool)) {
        let (player, piece) = (before.mover(), before.piece(mv));
        let from = if mv.from >= 64 { HAND + usize::from(piece) } else { place(player, piece, mv.from) };
        change(player, from, false);
        change(player, place(player, piece, mv.to), true);
        if let Some((taken, other)) = before.at(mv.to) {
            change(other, place(other, taken, mv.to), false);
            // A captured wazir ends the game.
            if taken > 0 {
                change(player, HAND + usize::from(taken), true);
            }
        }
        change(player, TURN, false);
        change(player.other(), TURN, true);
    }

    fn is_noisy(&self, mv: Move) -> bool {
        self.is_capture(mv)
    }

    fn key(&self) -> Option<u64> {
        Some(State::key(self))
    }
}

/// The evaluation of the bench's guide: material, the distance of pieces from the edge, the right to move.
fn by_hand() -> Vec<f32> {
    let mut weights = vec![0.0; 1 + State::COUNT];
    for piece in 1..5u8 {
        let worth = WORTH[usize::from(piece)];
        weights[1 + HAND + usize::from(piece)] = worth as f32 / 400.0;
        for cell in 0..64u8 {
            let [row, column] = [cell / 8, cell % 8].map(|at| i32::from(at.min(7 - at)));
            weights[1 + place(Player::Zero, piece, cell)] = (worth + 5 * (row + column)) as f32 / 400.0;
        }
    }
    weights[1 + TURN] = 10.0 / 400.0;
    weights
}

/// Learns with the settings of the template for this many minutes.
fn learned(minutes: f64, depth: u32, targets: Targets) -> Vec<f32> {
    let learning = Learning {
        rate: None,
        bound_weight: 0.3,
        smoothing: 0.0,
        average: 0.99,
        round: 20,
        passes: 2,
        batch: 256,
    };
    let self_play = SelfPlay { depth, quiescence: 8, random_turns: 10, random_share: 0.3, greedy_share: 0.0 };
    let mut learner = Learner::new(1, State::COUNT);
    let (begin, mut games, mut mean) = (Instant::now(), 0, vec![0.0; 1 + State::COUNT]);
    loop {
        let done = begin.elapsed().as_secs_f64() / (60.0 * minutes);
        let (constant, weights) = learner.turns().next().expect("one stage");
        let weights = [vec![constant], weights].concat();
        average(&mut mean, &weights, learning.average, (games / u64::from(learning.round)) as u32);
        if done >= 1.0 {
            println!("{games} games in {minutes} minutes");
            return mean;
        }
        let mut search = exact_search(Teacher::<State>::new(&weights), self_play.quiescence);
        let mut nodes: Vec<Node> = Vec::new();
        for _ in 0..learning.round {
            games += 1;
            let mut rng = Rng::new(mix(&[1, games]));
            let mut positions = Vec::new();
            let mut see = |state: &State, search: &mut Searching<State, Teacher<State>>| {
                if targets != Targets::Nodes {
                    positions.push(node(state, Bounds::exact(search.value(state, depth))));
                }
            };
            let start = State::start(rng.next_u64());
            let end = teach(start, &mut search, &self_play, &mut rng, &mut see).expect("games end");
            targets.teach(&mut positions, end.value().signum() as f32);
            let searched = search.guide().guide().take();
            nodes.extend(if targets == Targets::Nodes { searched } else { positions });
        }
        let seen = learner.learn(&nodes, &learning, Unit::Wins, done, &mut Rng::new(games));
        if games % 400 == 0 {
            eprintln!("{games} games, {:.1} min, error {:.3}", minutes * done, seen.error());
        }
    }
}

/// A bot's search of a match.
type Searcher = TacticalSearch<State, Evaluation<State>, NoChance>;

fn searcher(weights: &[f32]) -> Searcher {
    let tactics = TacticalConfig { quiescence: 16, ..TacticalConfig::NONE };
    Searcher::with_tactics(Evaluation::of_weights(weights.to_vec()), SearchConfig::FULL, tactics)
}

/// Plays pairs of games with equal nodes from random arrangements.
fn match_of(first: &[f32], second: &[f32], pairs: u64, nodes: u64) -> Pentanomial {
    let mut results = Pentanomial::default();
    for pair in 0..pairs {
        let half_points: i32 = Player::BOTH
            .into_iter()
            .map(|seat| {
                let mut players = [searcher(first), searcher(second)];
                let mut state = State::start(mix(&[pair, 99]));
                while let Turn::Player(player) = state.turn() {
                    let search = &mut players[usize::from(player != seat)];
                    let mv = search.search(&state, &SearchLimits::nodes(nodes)).moves[0].mv;
                    state.play(mv);
                }
                1 + seat.sign() * state.value().signum()
            })
            .sum();
        results.counts[half_points as usize] += 1;
    }
    results
}

/// Evaluates every position from scratch.
struct Recomputed(Evaluation<State>);

impl Heuristics<State> for Recomputed {
    fn evaluate(&mut self, state: &State) -> i32 {
        self.0.evaluate(state)
    }

    fn finished(&mut self, state: &State) -> i32 {
        Heuristics::finished(&mut self.0, state)
    }

    fn key(&self, state: &State) -> Option<u64> {
        Some(state.key())
    }
}

fn speed() {
    let config = SearchConfig { table_depth: TableDepth::Same, ..SearchConfig::FULL };
    for neurons in [0, 16, 64] {
        let mut rng = Rng::new(1);
        let evaluation = match neurons {
            0 => Evaluation::of_weights(by_hand()),
            _ => {
                let count = Layout::new(State::COUNT, neurons).count();
                Evaluation::network(neurons, (0..count).map(|_| rng.unit() as f32 - 0.5).collect())
            }
        };
        let mut updated = Search::<State, _>::new(evaluation.clone(), config);
        let mut recomputed = Search::<State, _>::new(Recomputed(evaluation), config);
        let states: Vec<State> = (0..8).map(State::start).collect();
        let limits = SearchLimits::nodes(200_000);
        let time = |search: &mut dyn FnMut(&State) -> u64| {
            let begin = Instant::now();
            let nodes: u64 = states.iter().map(search).sum();
            nodes as f64 / begin.elapsed().as_secs_f64() / 1e6
        };
        let mut both = [0.0; 2];
        both[0] = time(&mut |state| {
            recomputed.search(state, &limits);
            recomputed.stats().nodes
        });
        both[1] = time(&mut |state| {
            updated.search(state, &limits);
            updated.stats().nodes
        });
        println!("{neurons:3} neurons: {:.2} million nodes/s from scratch, {:.2} updated", both[0], both[1]);
    }
}

fn main() {
    changes_are_right(State::start, 20);
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("speed") => speed(),
        minutes => {
            let minutes = minutes.unwrap_or("15").parse().expect("a number of minutes");
            let depth = words.get(1).map_or(1, |depth| depth.parse().expect("a depth"));
            let targets = match words.get(2).map(String::as_str) {
                Some("nodes") => Targets::Nodes,
                factor => Targets::Return(factor.unwrap_or("0.8").parse().expect("`nodes` or a factor")),
            };
            let weights = learned(minutes, depth, targets);
            for (piece, cells) in weights[1..].chunks(64).take(5).enumerate() {
                let mean: f32 = cells.iter().sum::<f32>() / 64.0;
                let spread = (cells.iter().map(|cell| (cell - mean).powi(2)).sum::<f32>() / 64.0).sqrt();
                let hand = weights[1 + HAND + piece];
                println!("piece {piece}: {mean:.2} on the board, spread {spread:.2}, {hand:.2} in hand");
            }
            for nodes in [1000, 5000] {
                let results = match_of(&weights, &by_hand(), 100, nodes);
                let (mean, interval) = (results.scores().mean(), results.interval(0.95));
                println!(
                    "{nodes} nodes a move: {mean:?} of the points against weights by hand, {interval:?}"
                );
            }
        }
    }
}
