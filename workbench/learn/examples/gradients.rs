//! Measures the number of positions per second of processor time that a network learns from: forward, backward and Adam
//! at batch 128, on one thread. The network is the classic bot's, the positions are from random Cellularena games, and
//! the loss contains one choice of each masked policy.
//!
//! `cargo run --release -p contender-learn --example gradients [BATCHES]`

use contender_cellularena::network::encoder::encode;
use contender_cellularena::network::policy::Choices;
use contender_cellularena::network::{Symmetry, View, shape};
use contender_cellularena::{State, map};
use contender_game::rules::{Player, Rng, Simultaneous};
use contender_learn::optimiser::Adam;
use contender_learn::policy_value::engine::{Engine, Example, LossTerms, Output, OutputGradient};
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use std::time::Instant;

struct Position(State, View);

impl Example for Position {
    fn encode(&self, input: &mut Planes) {
        encode(&self.0, &self.1, input);
    }

    fn size(&self) -> Size {
        Size { width: self.0.width(), height: self.0.height() }
    }

    fn loss(&self, output: &Output<'_>, delta: &mut OutputGradient<'_>) -> LossTerms {
        let mut picks = Vec::new();
        Choices::new(&self.0, self.1).list(&mut picks);
        let all: f32 = picks.iter().map(|&pick| output.logits[usize::from(pick)].exp()).sum();
        for &pick in &picks {
            delta.logits[usize::from(pick)] = output.logits[usize::from(pick)].exp() / all;
        }
        if let Some(&first) = picks.first() {
            delta.logits[usize::from(first)] -= 1.0;
        }
        delta.value = output.value;
        LossTerms::default()
    }
}

/// Returns this thread's processor time in seconds if the system reports it, and otherwise the wall-clock time.
fn seconds(since: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn main() {
    let batches = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20);
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    while positions.len() < 1280 {
        let mut state = map::generate(rng.next_u64() as i64 | 1).expect("every seed but 0 has a map");
        let symmetry = Symmetry::of(&state);
        while !state.is_over() {
            let view = View::new(&state, Player::BOTH[rng.index(2)], symmetry);
            positions.push(Position(state.clone(), view));
            let moves = Player::BOTH.map(|player| state.random_move(player, &mut rng));
            state.play([&moves[0], &moves[1]]);
        }
    }
    rng.shuffle(&mut positions);
    let shape = shape(32, 4, 70, 1);
    let mut parameters: Vec<f32> = (0..shape.parameters()).map(|_| 0.1 * (rng.unit() as f32 - 0.5)).collect();
    let mut adam = Adam::new(parameters.len());
    let mut engine = Engine::new(shape, &parameters, 1);
    let mut gradient = vec![0.0; parameters.len()];
    let since = Instant::now();
    let before = seconds(since);
    for at in 0..batches {
        let batch: Vec<&Position> =
            (0..128).map(|number| &positions[(128 * at + number) % positions.len()]).collect();
        engine.gradient(&batch, &mut gradient);
        adam.step(&mut parameters, &mut gradient, 1e-4);
        engine.set(&parameters);
    }
    println!("{:.0} positions a second of the processor", (128 * batches) as f64 / (seconds(since) - before));
}
