//! The information that one more observation would give. It depends on which bots meet, but not on the results.

use super::linear::fit;

/// The observations so far, for the least-squares model of [`Regression`](super::Regression).
#[derive(Clone, Debug)]
pub struct Design {
    bots: usize,
    /// Covariance of the strengths, row by row, if the errors have variance 1.
    covariance: Vec<f64>,
}

impl Design {
    /// Creates the design for these observations. Each observation is between two bots, which are numbered from 0.
    ///
    /// # Panics
    /// Panics if an observation contains a bot that does not exist.
    #[must_use]
    pub fn new(bots: usize, observations: &[[usize; 2]]) -> Design {
        let observations: Vec<_> = observations.iter().map(|&[a, b]| ([(a, 1.0), (b, -1.0)], 0.0)).collect();
        Design { bots, covariance: fit(bots, std::slice::from_ref(&(0..bots)), &observations).covariance }
    }

    /// Returns by how much one more observation of `a` and `b` would reduce the variance of their difference, in units
    /// of the variance of one observation.
    ///
    /// # Panics
    /// Panics if a bot does not exist.
    #[must_use]
    pub fn gain(&self, a: usize, b: usize) -> f64 {
        let variance = self.with_difference(a, a, b) - self.with_difference(b, a, b);
        variance * variance / (1.0 + variance)
    }

    /// Adds an observation of `a` and `b`.
    ///
    /// # Panics
    /// Panics if a bot does not exist.
    pub fn add(&mut self, a: usize, b: usize) {
        let along: Vec<f64> = (0..self.bots).map(|bot| self.with_difference(bot, a, b)).collect();
        // The Sherman-Morrison formula for the inverse after an update of rank 1.
        let scale = 1.0 + along[a] - along[b];
        for (cell, value) in self.covariance.iter_mut().enumerate() {
            *value -= along[cell / self.bots] * along[cell % self.bots] / scale;
        }
    }

    /// Returns the covariance of a bot's strength with the difference between `a` and `b`.
    fn with_difference(&self, bot: usize, a: usize, b: usize) -> f64 {
        let row = &self.covariance[bot * self.bots..][..self.bots];
        row[a] - row[b]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks gains that are known in closed form. Adding observations one by one gives the same design as adding all
    /// at once.
    #[test]
    fn gains_are_those_of_least_squares() {
        // The variance of two bots that have met n times is 1 / n. The next meeting reduces it by 1 / n - 1 / (n + 1).
        let mut two = Design::new(2, &[[0, 1]]);
        for count in 1..50 {
            let expected = 1.0 / f64::from(count) - 1.0 / f64::from(count + 1);
            assert!((two.gain(0, 1) - expected).abs() < 1e-6, "{count}");
            two.add(1, 0);
        }
        let observations = [[0, 1], [2, 1], [3, 0], [2, 1], [2, 3], [3, 1], [2, 3]];
        let mut grown = Design::new(4, &observations[..3]);
        observations[3..].iter().for_each(|&[a, b]| grown.add(a, b));
        let whole = Design::new(4, &observations);
        for cell in 0..16 {
            let [one, other] = [&whole, &grown].map(|design| design.gain(cell / 4, cell % 4));
            assert!((one - other).abs() < 1e-6, "{one} {other}");
        }
        assert!(whole.gain(0, 1) > whole.gain(2, 3));
        // A meeting of bots that no games connect is most informative.
        assert!(Design::new(3, &[[0, 1]]).gain(0, 2) > 1e6);
    }
}
