//! Prints what each search technique saves: nodes, time and error at equal depth. The argument is how many positions of each game
//! are searched, 50 if there is none; that takes some minutes.

use contender_bench::search::comparison;

fn main() {
    let positions = std::env::args().nth(1).map_or(50, |count| count.parse().expect("a number of positions"));
    let mut first = (String::new(), 0);
    comparison(positions, |line| {
        if line.set != first.0 {
            println!(
                "\n{}\n{:>14} {:>9} {:>9} {:>8} {:>7}  technique",
                line.set, "nodes", "1 in", "knodes/s", "s", "error"
            );
            first = (line.set.clone(), line.nodes);
        }
        let seconds = line.elapsed.as_secs_f64();
        println!(
            "{:>14} {:>9.1} {:>9.0} {:>8.3} {:>7}  {}",
            line.nodes,
            first.1 as f64 / line.nodes as f64,
            line.nodes as f64 / seconds / 1000.0,
            seconds,
            line.error,
            line.name
        );
    });
}
