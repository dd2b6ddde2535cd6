//! The fit of a network's numbers: batches in random order, Adam, a rate that falls like a cosine.

use contender_game::Rng;

/// A network that learns.
pub trait Model {
    /// What it learns from.
    type Example;

    /// All its numbers.
    fn numbers(&mut self) -> &mut [f32];

    /// Adds the gradient of an example's loss, times `share`, and returns the loss.
    fn learn(&self, example: &Self::Example, share: f32, rng: &mut Rng, gradient: &mut [f32]) -> f64;

    /// Puts numbers back into their range after a step.
    fn restrict(&mut self);
}

/// How a network is fitted.
#[derive(Clone, Copy, Debug)]
pub struct Fitting {
    /// Passes over the examples.
    pub epochs: u32,
    /// Examples of a step, at least 1.
    pub batch: usize,
    /// Adam's rate at the start; it falls to nothing like a cosine.
    pub rate: f32,
}

impl Fitting {
    /// Fits a network to examples; `progress` hears after each epoch its number and the mean loss of it.
    pub fn fit<M: Model>(
        &self,
        model: &mut M,
        examples: &[M::Example],
        rng: &mut Rng,
        mut progress: impl FnMut(u32, f64, &M),
    ) {
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        let mut gradient = vec![0.0; model.numbers().len()];
        let mut adam = Adam::new(gradient.len());
        let steps = self.epochs as usize * examples.len().div_ceil(self.batch);
        for epoch in 1..=self.epochs {
            rng.shuffle(&mut order);
            let mut loss = 0.0;
            for batch in order.chunks(self.batch) {
                let share = 1.0 / batch.len() as f32;
                for &number in batch {
                    loss += model.learn(&examples[number as usize], share, rng, &mut gradient);
                }
                let done = adam.steps as f32 / steps as f32;
                let rate = self.rate * 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
                adam.step(model.numbers(), &mut gradient, rate);
                model.restrict();
            }
            progress(epoch, loss / examples.len() as f64, model);
        }
    }
}

/// Adam: running means of gradients and of their squares.
///
/// Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015.
struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(numbers: usize) -> Adam {
        Adam { first: vec![0.0; numbers], second: vec![0.0; numbers], steps: 0 }
    }

    /// One step, which also clears the gradient.
    fn step(&mut self, numbers: &mut [f32], gradient: &mut [f32], rate: f32) {
        const DECAYS: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let scale = rate * (1.0 - DECAYS[1].powi(self.steps)).sqrt() / (1.0 - DECAYS[0].powi(self.steps));
        let means = self.first.iter_mut().zip(&mut self.second);
        for ((number, gradient), (first, second)) in numbers.iter_mut().zip(gradient).zip(means) {
            *first += (1.0 - DECAYS[0]) * (*gradient - *first);
            *second += (1.0 - DECAYS[1]) * (*gradient * *gradient - *second);
            *number -= scale * *first / (second.sqrt() + 1e-8);
            *gradient = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line through points.
    struct Line([f32; 2]);

    impl Model for Line {
        type Example = (f32, f32);

        fn numbers(&mut self) -> &mut [f32] {
            &mut self.0
        }

        fn learn(&self, &(x, y): &(f32, f32), share: f32, _: &mut Rng, gradient: &mut [f32]) -> f64 {
            let error = self.0[0] + self.0[1] * x - y;
            gradient[0] += share * error;
            gradient[1] += share * error * x;
            f64::from(error * error) / 2.0
        }

        fn restrict(&mut self) {
            self.0[1] = self.0[1].min(1.5);
        }
    }

    #[test]
    fn a_line_is_found_within_its_range() {
        let fitting = Fitting { epochs: 300, batch: 4, rate: 0.1 };
        for (slope, found) in [(-2.0, -2.0), (1.0, 1.0), (3.0, 1.5)] {
            let points: Vec<(f32, f32)> =
                (-10..=10).map(|x| x as f32 / 10.0).map(|x| (x, 0.5 + slope * x)).collect();
            let mut line = Line([0.0; 2]);
            let mut heard = 0;
            fitting.fit(&mut line, &points, &mut Rng::new(1), |epoch, _, _| heard = epoch);
            assert_eq!(heard, 300);
            assert!((line.0[0] - 0.5).abs() < 0.01 && (line.0[1] - found).abs() < 0.01, "{:?}", line.0);
        }
    }

    /// The first two steps with gradients 2 and 4, by hand from the paper.
    #[test]
    fn steps_are_those_of_the_paper() {
        let mut adam = Adam::new(1);
        let mut number = [0.0];
        adam.step(&mut number, &mut [2.0], 0.1);
        assert!((number[0] + 0.1).abs() < 1e-6, "the first step is the rate, {number:?}");
        adam.step(&mut number, &mut [4.0], 0.1);
        // Means 0.58 / 0.19 and 0.019996 / 0.001999.
        let expected = -0.1 - 0.1 * (0.58 / 0.19) / (0.019_996f32 / 0.001_999).sqrt();
        assert!((number[0] - expected).abs() < 1e-5, "{number:?}, not {expected}");
    }
}
