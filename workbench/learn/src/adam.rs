//! Adam, the optimiser of the learning.

use serde::{Deserialize, Serialize};

/// How fast the running mean of gradients forgets.
const FIRST: f64 = 0.9;
/// How fast the running mean of their squares forgets.
const SECOND: f64 = 0.999;
/// Keeps a step finite where there has been no gradient.
const LEAST: f64 = 1e-8;

/// The state of Adam for some parameters: running means of their gradients and of the squares of these.
///
/// Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1 with its default decays.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adam {
    first: Vec<f64>,
    second: Vec<f64>,
    steps: i32,
}

impl Adam {
    /// The state before the first step.
    #[must_use]
    pub fn new(parameters: usize) -> Adam {
        Adam { first: vec![0.0; parameters], second: vec![0.0; parameters], steps: 0 }
    }

    /// For how many parameters it is.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.first.len()
    }

    /// Takes the gradient of the loss and returns what to add to each parameter: about `rate` at most, against the gradient.
    ///
    /// # Panics
    /// If there are not as many numbers as parameters.
    pub fn step(&mut self, gradient: &[f64], rate: f64) -> Vec<f64> {
        assert_eq!(gradient.len(), self.first.len(), "a gradient has a number for each parameter");
        self.steps += 1;
        // Both means start at 0: without the correction the first steps would be far too small.
        let [first_missing, second_missing] = [FIRST, SECOND].map(|decay| 1.0 - decay.powi(self.steps));
        let moments = self.first.iter_mut().zip(&mut self.second);
        let steps = gradient.iter().zip(moments).map(|(&gradient, (first, second))| {
            *first = FIRST * *first + (1.0 - FIRST) * gradient;
            *second = SECOND * *second + (1.0 - SECOND) * gradient * gradient;
            -rate * (*first / first_missing) / ((*second / second_missing).sqrt() + LEAST)
        });
        steps.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two parameters, gradients (2, 0), (4, 0) and (-1, 3), computed by hand from the paper's algorithm.
    #[test]
    fn steps_equal_those_by_hand() {
        let mut adam = Adam::new(2);
        let close = |steps: Vec<f64>, expected: [f64; 2]| {
            assert!(
                steps.iter().zip(expected).all(|(step, expected)| (step - expected).abs() < 1e-6),
                "{steps:?}"
            );
        };
        // m = 0.2, v = 0.004; corrected 2 and 4.
        close(adam.step(&[2.0, 0.0], 0.1), [-0.1, 0.0]);
        // m = 0.18 + 0.4 = 0.58, v = 0.003996 + 0.016 = 0.019996; corrected 0.58 / 0.19 = 3.052632 and 0.019996 / 0.001999 =
        // 10.003002, whose root is 3.162753.
        close(adam.step(&[4.0, 0.0], 0.1), [-0.096518_17, 0.0]);
        // First: m = 0.522 - 0.1 = 0.422, v = 0.019976004 + 0.001 = 0.020976004; corrected 0.422 / 0.271 = 1.557196 and
        // 0.020976004 / 0.002997001 = 6.998998, root 2.645562. Second: m = 0.3, v = 0.009; corrected 1.107011 and 3.003002, root 1.732917.
        close(adam.step(&[-1.0, 3.0], 0.1), [-0.058860_7, -0.063881_4]);
    }

    #[test]
    fn a_valley_is_found() {
        let mut adam = Adam::new(1);
        let mut at = 5.0;
        for round in 0..2_000 {
            at += adam.step(&[2.0 * (at - 1.0)], 0.1 / (1.0 + f64::from(round) / 100.0))[0];
        }
        assert!((at - 1.0).abs() < 1e-3, "{at}");
    }
}
