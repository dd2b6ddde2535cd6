//! Workloads of Spaghetti: random games, undoing moves, iterations of the game's searching bots, and solving positions
//! near the end of the game.

use crate::workload::{Tally, Workload};
use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Game, Rng, Turn, mix},
};
use contender_spaghetti::{
    ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, Move, State, notation,
};

/// Returns the workloads of Spaghetti.
pub fn workloads() -> Vec<Workload> {
    let workload = |name, unit, run, signature_rounds| Workload {
        subject: "spaghetti",
        name,
        unit,
        run,
        signature_rounds,
    };
    vec![
        workload("random games from the empty board (63 tiles)", "games", empty_board, 1_000),
        workload("random games from the contest's start (61 tiles)", "games", contest_start, 1_000),
        workload("make and unmake of every move along random games", "moves", make_unmake, 10),
        workload("iterations of classic, first move", "iterations", classic, 20_000),
        workload(
            "iterations of champion, 45 cells left",
            "iterations",
            |rounds| champion(rounds, 45),
            20_000,
        ),
        workload(
            "iterations of champion, 25 cells left",
            "iterations",
            |rounds| champion(rounds, 25),
            20_000,
        ),
        workload("positions solved, 10 cells left", "positions", |rounds| solve(rounds, 10), 1),
        workload("positions solved, 12 cells left", "positions", |rounds| solve(rounds, 12), 0),
    ]
}

fn empty_board(rounds: u64) -> Tally {
    rollouts(&State::empty(), rounds)
}

fn contest_start(rounds: u64) -> Tally {
    let start = ["bbs", "hbl"].map(|tile| notation::parse_move(tile).expect("the start tile is valid"));
    rollouts(&State::new(start).expect("two cells"), rounds)
}

fn rollouts(start: &State, rounds: u64) -> Tally {
    let mut rng = Rng::new(1);
    let mut checksum = 0u64;
    for _ in 0..rounds {
        let mut state = start.clone();
        let [first, second] = state.rollout(&mut rng, 0, |_| {});
        checksum = checksum.wrapping_mul(31).wrapping_add((first - second) as u64);
    }
    Tally { units: rounds, checksum: mix(&[checksum]) }
}

fn make_unmake(rounds: u64) -> Tally {
    let mut rng = Rng::new(1);
    let mut moves = Vec::new();
    let mut tally = Tally::default();
    for _ in 0..rounds {
        let mut state = State::empty();
        while state.turn() != Turn::Over {
            moves.clear();
            state.moves(&mut moves);
            for &mv in &moves {
                let memo = state.make(mv);
                tally.checksum = tally.checksum.wrapping_mul(31).wrapping_add(state.value() as u64);
                state.unmake(mv, memo);
            }
            tally.units += moves.len() as u64;
            state.play(*rng.choose(&moves));
        }
    }
    tally
}

/// Runs one iteration per round. The tree is discarded after every 20,000 iterations.
fn think(rounds: u64, state: &State, bot: impl Fn() -> Box<dyn Bot<State, Move>>) -> Tally {
    const TURN: u64 = 20_000;
    let mut tally = Tally::default();
    let Turn::Player(player) = state.turn() else { unreachable!("cells are left") };
    while tally.units < rounds {
        let clock = Clock::new(Limits::nodes((rounds - tally.units).min(TURN)));
        let found = bot().analyse(state, player, &clock);
        tally.units += found.count("iterations").max(1);
        let text = found.moves[0].mv.to_string();
        tally.checksum = mix(&[
            tally.checksum,
            found.moves[0].effort,
            u64::from(text.as_bytes()[0]),
            text.as_bytes()[1].into(),
        ]);
    }
    tally
}

fn classic(rounds: u64) -> Tally {
    let start = ["bbs", "hbl"].map(|tile| notation::parse_move(tile).expect("the start tile is valid"));
    let start = State::new(start).expect("two cells");
    think(rounds, &start, || Box::new(ClassicBot::new(ClassicSettings::DEFAULT, 1)))
}

fn champion(rounds: u64, empty: u32) -> Tally {
    let bot = || ChampionBot::new(ChampionSettings::default(), 1);
    think(rounds, &quiet(empty, 1), || Box::new(bot()))
}

/// Solves one position with `empty` empty cells in each round.
fn solve(rounds: u64, empty: u32) -> Tally {
    let mut tally = Tally::default();
    for round in 0..rounds {
        let state = quiet(empty, round);
        let Turn::Player(player) = state.turn() else { unreachable!("cells are left") };
        let settings = ChampionSettings { solve: empty, ..ChampionSettings::default() };
        let found = ChampionBot::new(settings, 1).analyse(&state, player, &Clock::new(Limits::nodes(1)));
        tally.units += found.count("positions solved so far");
        tally.checksum = mix(&[tally.checksum, found.moves[0].value[0] as u64]);
    }
    tally
}

/// Returns a state from a random game in which few paths are finished, as in real games.
fn quiet(empty: u32, seed: u64) -> State {
    let mut rng = Rng::new(seed);
    let mut state = State::empty();
    while state.empty_cells() > empty {
        let mut tries = (0..20).map(|_| state.random_move(&mut rng, &mut Vec::new()));
        let first = tries.next().expect("twenty");
        let mv = if state.gain(first) == 0 {
            first
        } else {
            tries.find(|&mv| state.gain(mv) == 0).unwrap_or(first)
        };
        state.play(mv);
    }
    state
}
