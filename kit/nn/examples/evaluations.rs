//! Evaluations in 50 ms of the network of Cellularena's classic bot on each of its five board sizes, with every instruction set.
//!
//! `cargo run --release -p contender-nn --example evaluations`

use contender_nn::lanes::Instructions;
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;
use std::time::Instant;

/// Seconds of processor time of this thread where the system tells them, of the clock elsewhere.
fn seconds(since: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Evaluations of each size: enough for a counter that is brought up to date every few milliseconds.
const COUNT: usize = 3_000;

fn main() {
    let frame = Size { width: 24, height: 12 };
    let shape = Shape { planes: 93, channels: 32, blocks: 4, actions: 14, hidden: 70, frame };
    let parameters: Vec<f32> =
        (0..shape.parameters()).map(|at| ((at * 7919) % 1000) as f32 / 10000.0 - 0.05).collect();
    let network = Network::new(shape, &parameters);
    let since = Instant::now();
    for instructions in Instructions::all() {
        let mut sum = 0.0;
        for height in 8..=12 {
            let size = Size { width: 2 * height, height };
            let mut input = Planes::new(size);
            (0..21).for_each(|at| input.spread(at, 0.5));
            for cell in 0..size.width * size.height {
                (0..3).for_each(|at| input.set(((cell * 31 + at * 17) % 93) as u16, 1.0));
                input.end_cell();
            }
            let mut work = Workspace::new(shape);
            let start = seconds(since);
            for _ in 0..COUNT {
                network.evaluate(instructions, &input, &mut work);
            }
            let each = (seconds(since) - start) / COUNT as f64;
            sum += 0.05 / each;
            println!(
                "{instructions:?} {}x{height}: {:.1} us, {:.0} in 50 ms",
                2 * height,
                1e6 * each,
                0.05 / each
            );
        }
        println!("{instructions:?}, mean of the sizes: {:.0} in 50 ms", sum / 5.0);
    }
}
