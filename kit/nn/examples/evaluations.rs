//! Measures the speed of a network as large as that of Cellularena's classic bot, on each of its five board sizes and
//! with every instruction set. Prints the number of evaluations in 50 ms and the multiply-adds per nanosecond, as
//! defined by the network, and also the maximum that the core can do.
//!
//! `cargo run --release -p contender-nn --example evaluations`

use contender_nn::lanes::{Instructions, Kernel, Lanes};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;
use std::time::Instant;

/// Returns the processor time of this thread in seconds if the system reports it, or else the elapsed time.
fn seconds(since: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Number of evaluations for each size, large enough for a time counter that is updated every few milliseconds.
const COUNT: usize = 3_000;

/// A kernel with twelve independent sums in registers.
struct Peak;

impl Peak {
    const SUMS: usize = 12;
    const ROUNDS: usize = 2_000_000;
}

impl Kernel for Peak {
    /// Number of multiply-adds.
    type Output = f64;

    #[inline(always)]
    unsafe fn run<L: Lanes>(self) -> f64 {
        // SAFETY: the caller guarantees that the machine has the instructions.
        unsafe {
            let factor = L::splat(std::hint::black_box(0.5));
            let mut sums = [factor; Peak::SUMS];
            for _ in 0..Peak::ROUNDS {
                for sum in &mut sums {
                    *sum = sum.mul_add(factor, factor);
                }
            }
            std::hint::black_box(sums);
        }
        (Peak::SUMS * Peak::ROUNDS * L::COUNT) as f64
    }
}

/// Returns the number of multiply-adds in an evaluation as defined by the network, without those of taps beyond the
/// edge.
fn multiply_adds(shape: Shape, size: Size) -> f64 {
    let taps = (3 * size.width - 2) * (3 * size.height - 2);
    let of_cell = shape.planes * shape.channels + shape.channels * shape.heads() + shape.hidden + 1;
    (2 * shape.blocks * shape.channels * shape.channels * taps + of_cell * size.width * size.height) as f64
}

fn main() {
    let frame = Size { width: 24, height: 12 };
    let shape = Shape { planes: 93, channels: 32, blocks: 4, sides: 1, actions: 14, hidden: 70, frame };
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
                "{instructions:?} {}x{height}: {:.1} us, {:.0} in 50 ms, {:.1} multiply-adds a ns",
                2 * height,
                1e6 * each,
                0.05 / each,
                multiply_adds(shape, size) / each / 1e9
            );
        }
        println!("{instructions:?}, mean of the sizes: {:.0} in 50 ms", sum / 5.0);
    }
    let start = seconds(since);
    let done: f64 = (0..100).map(|_| Instructions::best().run(Peak)).sum();
    println!("at most {:.1} multiply-adds a ns", done / (seconds(since) - start) / 1e9);
}
