//! Tests in late positions: the solver is exact, and the searching bots find the moves that it demands.
//!
//! Each line of `tactics.txt` has a task (`win`, or `block` if all other moves lose), the moves that solve it, and the
//! position. The file is made by `cargo test -p contender-uttt --release --test all -- --ignored tactics`.

use crate::solver::{after, brute_force, moves, Solver};
use contender_game::{
    contest::{Bot, Clock, Limits, Notation},
    rules::{Game, Rng, Turn},
    settings::Shipped,
};
use contender_uttt::value_network::ValueNetwork;
use contender_uttt::{
    position, ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, Move, State, UctBot, UctSettings,
};
use std::fmt::Write;

const POSITIONS: &str = include_str!("../tactics.txt");

/// Returns a position from a random game with at most `cells` playable cells, or `None` if the game ended earlier.
fn late_state(rng: &mut Rng, cells: u32) -> Option<State> {
    let mut state = State::default();
    loop {
        let playable: u32 =
            (0..9).filter(|b| state.open() >> b & 1 == 1).map(|b| state.empty(b).count_ones()).sum();
        if state.turn() == Turn::Over {
            return None;
        }
        if playable <= cells {
            return Some(state);
        }
        state.play(state.random_move(rng, &mut Vec::new()));
    }
}

#[test]
fn the_solver_agrees_with_brute_force() {
    let mut rng = Rng::new(1);
    let mut solver = Solver::new(u64::MAX);
    let mut seen = [0; 3];
    for _ in 0..3_000 {
        if let Some(state) = late_state(&mut rng, 9) {
            let value = brute_force(&state);
            assert_eq!(solver.solve(&state), Some(value), "{}", position::write_state(&state));
            seen[(value + 1) as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

struct Tactic {
    is_block: bool,
    state: State,
    solutions: Vec<Move>,
}

fn tactics() -> Vec<Tactic> {
    let parse = |line: &str| {
        let pieces: Vec<&str> = line.split(" | ").collect();
        let state = position::parse_state(pieces[2]).unwrap();
        let solutions = pieces[1].split(", ").map(|mv| state.clone().read_record(mv).unwrap()).collect();
        Tactic { is_block: pieces[0] == "block", state, solutions }
    };
    POSITIONS.lines().filter(|line| !line.starts_with('#')).map(parse).collect()
}

/// Returns how many of the wins and of the blocks a bot finds.
fn solved(new_bot: impl Fn(u64) -> Box<dyn Bot<State, Move>>) -> [usize; 2] {
    let clock = Clock::new(Limits::nodes(50_000));
    let mut found = [0; 2];
    for (seed, tactic) in tactics().into_iter().enumerate() {
        let mv = new_bot(seed as u64).choose(&tactic.state, tactic.state.mover(), &clock);
        found[usize::from(tactic.is_block)] += usize::from(tactic.solutions.contains(&mv));
    }
    found
}

#[test]
fn searches_find_forced_wins_and_blocks() {
    assert_eq!(solved(|seed| Box::new(UctBot::new(UctSettings::SOLVER, seed))), [25, 25]);
    let [wins, blocks] =
        solved(|_| Box::new(ChampionBot::new(ChampionSettings::default(), ValueNetwork::shipped())));
    assert!(wins == 25 && blocks >= 24, "the champion finds {wins} wins and {blocks} blocks");
    let [wins, blocks] = solved(|seed| Box::new(UctBot::new(UctSettings::DEFAULT, seed)));
    assert!(wins >= 22 && blocks >= 20, "plain UCT finds {wins} wins and {blocks} blocks");
    // With the write-up's parameters a draw is worth no more than a loss, so the bot has no reason to block.
    let draws = ClassicSettings { draw: 0.5, ..ClassicSettings::default() };
    let [wins, blocks] = solved(|seed| Box::new(ClassicBot::new(draws, seed)));
    assert!(wins >= 19 && blocks >= 15, "the classic bot finds {wins} wins and {blocks} blocks");
}

/// Returns the task and its solutions, if these are few and no move wins at once.
fn tactic(state: &State, solver: &mut Solver) -> Option<(&'static str, Vec<Move>)> {
    let moves = moves(state);
    let sign = state.mover().sign();
    let mut values = Vec::new();
    for &mv in &moves {
        let next = after(state, mv);
        if next.turn() == Turn::Over {
            return None;
        }
        values.push(sign * solver.solve(&next)?);
    }
    let best = *values.iter().max()?;
    let solutions: Vec<Move> =
        moves.iter().zip(&values).filter(|&(_, &value)| value == best).map(|(&mv, _)| mv).collect();
    let only_losses = values.iter().all(|&value| value == best || value == -1);
    let kind = match best {
        1 => "win",
        0 if only_losses => "block",
        _ => return None,
    };
    Some((kind, solutions)).filter(|(_, solutions)| 3 * solutions.len() <= moves.len())
}

#[test]
#[ignore = "writes tactics.txt"]
fn make() {
    let mut rng = Rng::new(2026);
    let mut solver = Solver::new(300_000);
    let mut text = "# what | the moves that do it | position; see tactics.rs\n".to_string();
    let mut counts = [0, 0];
    while counts != [25, 25] {
        let cells = 18 + rng.below(8);
        let Some(state) = late_state(&mut rng, cells) else { continue };
        let Some((kind, solutions)) = tactic(&state, &mut solver) else { continue };
        let count = &mut counts[usize::from(kind == "block")];
        if *count < 25 {
            *count += 1;
            let solutions: Vec<String> = solutions.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "{kind} | {} | {}", solutions.join(", "), position::write_state(&state));
        }
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tactics.txt"), text).unwrap();
}
