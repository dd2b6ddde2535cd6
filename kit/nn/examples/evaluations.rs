//! Evaluations in a second of the 98 thousand parameter network, full board and mean of the five sizes.
use contender_nn::lanes::Instructions;
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;
use std::time::Instant;

fn main() {
    let frame = Size { width: 24, height: 12 };
    let shape = Shape { planes: 93, channels: 32, blocks: 4, actions: 14, hidden: 70, frame };
    let parameters: Vec<f32> =
        (0..shape.parameters()).map(|at| ((at * 7919) % 1000) as f32 / 10000.0 - 0.05).collect();
    let network = Network::new(shape, &parameters);
    for instructions in Instructions::all() {
        for height in 8..=12 {
            let size = Size { width: 2 * height, height };
            let mut input = Planes::new(size);
            (0..21).for_each(|at| input.spread(at, 0.5));
            for cell in 0..size.width * size.height {
                (0..3).for_each(|at| input.set(((cell * 31 + at * 17) % 93) as u16, 1.0));
                input.end_cell();
            }
            let mut work = Workspace::new(shape);
            let mut best = f64::MAX;
            for _ in 0..20 {
                let start = Instant::now();
                for _ in 0..50 {
                    network.evaluate(instructions, &input, &mut work);
                }
                best = best.min(start.elapsed().as_secs_f64() / 50.0);
            }
            println!(
                "{instructions:?} {}x{height}: {:.1} us, {:.0} in 50 ms ({})",
                2 * height,
                1e6 * best,
                0.05 / best,
                work.value
            );
        }
    }
}
