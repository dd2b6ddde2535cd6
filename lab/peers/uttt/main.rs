//! The speed of our rules compared with another program:
//! `cargo run --release --manifest-path lab/peers/uttt/Cargo.toml`.

use board_game::board::{Board, BoardMoves};
use board_game::games::sttt::STTTBoard;
use contender_bench::{Workload, measure, workloads};
use internal_iterator::InternalIterator;
use rand::SeedableRng;
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_secs(1);

fn main() {
    println!("Ultimate Tic-Tac-Toe, millions a second on one core; ratio to board-game 0.8.2");
    let peer_games = per_second(peer_random_games);
    let peer_perft = per_second(|| peer_perft(&STTTBoard::default(), 6));
    for workload in workloads().into_iter().filter(|workload: &Workload| workload.subject == "uttt") {
        // Only workloads that both programs support: the other program has no searches, and its random games do not
        // look for winning moves.
        let peer = match workload.name {
            "random games" => peer_games,
            "perft of depth 6" => peer_perft,
            _ => continue,
        };
        let speed = measure(&workload, TIME).per_second();
        println!(
            "{:<28} {:>10.2}   board-game {:>10.2}   ratio {:>6.1}",
            workload.name,
            speed / 1e6,
            peer / 1e6,
            speed / peer
        );
    }
}

/// Repeats work for a fixed time and returns the units per second. `work` returns the number of its units.
fn per_second(mut work: impl FnMut() -> u64) -> f64 {
    work();
    let start = Instant::now();
    let mut units = 0;
    while start.elapsed() < TIME {
        units += work();
    }
    units as f64 / start.elapsed().as_secs_f64()
}

fn peer_random_games() -> u64 {
    let mut rng = rand::rngs::SmallRng::seed_from_u64(1);
    for _ in 0..10_000 {
        let mut board = STTTBoard::default();
        while !board.is_done() {
            let mv = board.random_available_move(&mut rng).unwrap();
            board.play(mv).unwrap();
        }
        std::hint::black_box(board.outcome());
    }
    10_000
}

fn peer_perft(board: &STTTBoard, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let Ok(moves) = board.available_moves() else { return 0 };
    if depth == 1 {
        return moves.count() as u64;
    }
    let mut total = 0;
    moves.for_each(|mv| total += peer_perft(&board.clone_and_play(mv).unwrap(), depth - 1));
    total
}
