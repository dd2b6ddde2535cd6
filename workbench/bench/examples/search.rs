//! Prints how much each search technique saves: nodes, time and error at equal depth. The first argument is the number
//! of positions per game, by default 50, which takes a quarter of an hour. With the second argument `evaluation`,
//! Entropy is searched with its bots' evaluation instead.

use contender_bench::search::{Line, comparison, comparison_with_evaluation};

fn main() {
    let positions = std::env::args().nth(1).map_or(50, |count| count.parse().expect("a number of positions"));
    let mut first = (String::new(), 0);
    let print = |line: Line| {
        if line.set != first.0 {
            println!(
                "\n{}\n{:>14} {:>9} {:>9} {:>8} {:>7} {:>6}  technique",
                line.set, "nodes", "1 in", "knodes/s", "s", "error", "wrong"
            );
            first = (line.set.clone(), line.nodes);
        }
        let seconds = line.elapsed.as_secs_f64();
        println!(
            "{:>14} {:>9.1} {:>9.0} {:>8.3} {:>7} {:>5.0}%  {}",
            line.nodes,
            first.1 as f64 / line.nodes as f64,
            line.nodes as f64 / seconds / 1000.0,
            seconds,
            line.error,
            100.0 * line.wrong,
            line.name
        );
    };
    match std::env::args().nth(2).as_deref() {
        Some("evaluation") => comparison_with_evaluation(positions, print),
        Some(other) => eprintln!("`evaluation` is all that may be said, not `{other}`"),
        None => comparison(positions, print),
    }
}
