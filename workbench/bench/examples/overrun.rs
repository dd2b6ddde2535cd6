//! Measures how far searches overrun their time limit:
//! `cargo run --release -p contender-bench --example overrun [MOVES] [MS]` runs 1,000 searches of 100 ms with each kind
//! of search, on positions from all stages, and prints the largest overrun of each kind. The goal is at most 1 ms on an
//! idle core.

use contender_bench::search::{self, Timed};
use std::time::Duration;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |what: &str, usual: u32| {
        arguments.next().map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{what}: a number")))
    };
    let moves = number("moves", 1_000);
    let limit = Duration::from_millis(u64::from(number("milliseconds", 100)));
    println!(
        "{:>9} {:>9} {:>9} {:>6}  search, {moves} moves of {limit:?}",
        "most ms", "99% ms", "median", "late"
    );
    search::overruns(moves, limit, |Timed { name, mut overruns }| {
        overruns.sort_unstable();
        let at = |part: f64| {
            let index = (part * (overruns.len() - 1) as f64).round() as usize;
            overruns[index].as_secs_f64() * 1e3
        };
        let late = overruns.iter().filter(|&&over| over > Duration::from_millis(1)).count();
        println!("{:>9.3} {:>9.3} {:>9.3} {late:>6}  {name}", at(1.0), at(0.99), at(0.5));
    });
}
