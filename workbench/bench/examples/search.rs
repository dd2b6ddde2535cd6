//! Prints what each search technique saves: nodes, time and error at equal depth. Takes a few minutes.

use contender_bench::search::comparison;

fn main() {
    let mut first = (String::new(), 0);
    comparison(|line| {
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
