//! A quadratic response fitted to pairs of points: the strength as a function of the parameters, with the uncertainty
//! of its coefficients.
//!
//! A pair's signal is the difference between the strengths of its two points, so it is linear in the coefficients, and
//! least squares applies. G. Box and K. Wilson, *On the experimental attainment of optimum conditions* (1951).

use crate::{Duel, ParameterValues, Space};
use contender_stats::{Interval, inverse, normal_quantile};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// A small number that is added to the diagonal of the equations. A coefficient about which there is no information
/// then becomes 0, with an error so large that no conclusion is possible.
const RIDGE: f64 = 1e-6;

/// A term of the response.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Term {
    /// The position of a parameter, from -1 to 1.
    Linear(usize),
    /// The square of a parameter's position.
    Square(usize),
    /// 1 if the parameter has this word, otherwise 0.
    Word(usize, usize),
}

/// The form of the response: linear and square terms of each numeric parameter, and one term for each value of a word
/// parameter except its first value.
#[derive(Clone, PartialEq, Debug)]
pub struct Quadratic {
    space: Space,
    terms: Vec<Term>,
}

/// A fitted response.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The coefficients of the terms.
    pub coefficients: Vec<f64>,
    /// The covariance matrix of the coefficients, row by row.
    covariance: Vec<f64>,
}

/// The effect of a parameter, independent of the other parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// The advantage of the largest value over the smallest value or, for words, of the best word over the first word.
    pub across: f64,
    /// The 95% interval of `across`.
    pub across_interval: Interval,
    /// The p-value: the probability that a parameter without an effect would appear to have an effect of at least this
    /// size.
    pub chance: f64,
}

impl Quadratic {
    /// Creates the form of the response for these parameters.
    #[must_use]
    pub fn new(space: &Space) -> Quadratic {
        let mut terms = Vec::new();
        for (at, parameter) in space.parameters.iter().enumerate() {
            match &parameter.values {
                ParameterValues::Numbers { .. } => terms.extend([Term::Linear(at), Term::Square(at)]),
                ParameterValues::Words(words) => {
                    terms.extend((1..words.len()).map(|word| Term::Word(at, word)));
                }
            }
        }
        Quadratic { space: space.clone(), terms }
    }

    /// Returns the terms at a point. The strength is the sum of the terms times their coefficients.
    fn terms_at(&self, point: &[f64]) -> Vec<f64> {
        let t = |at: usize| 2.0 * point[at] - 1.0;
        let value = |term: &Term| match *term {
            Term::Linear(at) => t(at),
            Term::Square(at) => t(at).powi(2),
            Term::Word(at, word) => {
                f64::from(u8::from(self.space.parameters[at].values.at(point[at]).round() as usize == word))
            }
        };
        self.terms.iter().map(value).collect()
    }

    /// Returns the terms at point `a` minus the terms at point `b`.
    fn apart(&self, a: &[f64], b: &[f64]) -> Vec<f64> {
        self.terms_at(a).iter().zip(self.terms_at(b)).map(|(a, b)| a - b).collect()
    }

    /// Fits the response to pairs and their signals. Returns `None` if there are too few pairs to estimate the noise.
    #[must_use]
    pub fn fit(&self, pairs: &[(Duel, f64)]) -> Option<Fit> {
        let size = self.terms.len();
        if pairs.len() <= size {
            return None;
        }
        let rows: Vec<Vec<f64>> = pairs.iter().map(|(Duel { points: [a, b] }, _)| self.apart(a, b)).collect();
        let mut normal = vec![0.0; size * size];
        let mut right = vec![0.0; size];
        for (row, (_, signal)) in rows.iter().zip(pairs) {
            for (i, x) in row.iter().enumerate() {
                right[i] += x * signal;
                row.iter().zip(&mut normal[i * size..]).for_each(|(y, sum)| *sum += x * y);
            }
        }
        (0..size).for_each(|i| normal[i * size + i] += RIDGE);
        let inverse = inverse(size, normal);
        let coefficients: Vec<f64> = inverse.chunks(size).map(|row| dot(row, &right)).collect();
        let residuals = rows.iter().zip(pairs).map(|(row, (_, signal))| signal - dot(row, &coefficients));
        let variance =
            residuals.map(|residual| residual * residual).sum::<f64>() / (pairs.len() - size) as f64;
        let covariance = inverse.into_iter().map(|value| variance * value).collect();
        Some(Fit { coefficients, covariance })
    }

    /// Returns the effect of each parameter in a fit.
    #[must_use]
    pub fn effects(&self, fit: &Fit) -> Vec<Effect> {
        (0..self.space.len()).map(|at| self.effect(fit, at)).collect()
    }

    fn effect(&self, fit: &Fit, at: usize) -> Effect {
        let size = self.terms.len();
        let own: Vec<usize> = (0..size)
            .filter(|&term| match self.terms[term] {
                Term::Linear(of) | Term::Square(of) | Term::Word(of, _) => of == at,
            })
            .collect();
        // From one end of the range to the other, a linear term counts twice and a square cancels out.
        let (shown, factor) = match self.terms[own[0]] {
            Term::Linear(_) => (own[0], 2.0),
            _ => {
                let best =
                    |best, term| if fit.coefficients[term] > fit.coefficients[best] { term } else { best };
                (own.iter().copied().fold(own[0], best), 1.0)
            }
        };
        let across = factor * fit.coefficients[shown];
        let reach = normal_quantile(0.95) * factor * fit.covariance[shown * size + shown].max(0.0).sqrt();
        // Wald's test of all coefficients of the parameter at once.
        let block =
            own.iter().flat_map(|&i| own.iter().map(move |&j| fit.covariance[i * size + j])).collect();
        let inverse = inverse(own.len(), block);
        let values: Vec<f64> = own.iter().map(|&term| fit.coefficients[term]).collect();
        let distance: f64 =
            inverse.chunks(own.len()).zip(&values).map(|(row, value)| value * dot(row, &values)).sum();
        let chance = ChiSquared::new(own.len() as f64).map_or(1.0, |of| 1.0 - of.cdf(distance.max(0.0)));
        Effect { across, across_interval: Interval { low: across - reach, high: across + reach }, chance }
    }

    /// Returns the advantage of `a` over `b`, and its standard error.
    #[must_use]
    pub fn difference(&self, fit: &Fit, a: &[f64], b: &[f64]) -> [f64; 2] {
        let apart = self.apart(a, b);
        let variance: f64 =
            fit.covariance.chunks(apart.len()).zip(&apart).map(|(row, x)| x * dot(row, &apart)).sum();
        [dot(&fit.coefficients, &apart), variance.max(0.0).sqrt()]
    }
}

/// Returns the dot product.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;
    use contender_stats::normal;

    fn pairs(
        count: usize,
        parameters: usize,
        rng: &mut Rng,
        signal: impl Fn(&Duel, &mut Rng) -> f64,
    ) -> Vec<(Duel, f64)> {
        let pair = |_| {
            let duel = Duel { points: [0, 1].map(|_| (0..parameters).map(|_| rng.unit()).collect()) };
            let signal = signal(&duel, rng);
            (duel, signal)
        };
        (0..count).map(pair).collect()
    }

    #[test]
    fn a_response_without_noise_is_found_exactly() {
        let form = Quadratic::new(&Space::plain(2));
        let truth = |p: &[f64]| {
            let [x, y] = [2.0 * p[0] - 1.0, 2.0 * p[1] - 1.0];
            3.0 * x - 5.0 * x * x - y - 4.0 * y * y
        };
        let pairs = pairs(60, 2, &mut Rng::new(3), |duel, _| truth(&duel.points[0]) - truth(&duel.points[1]));
        let fit = form.fit(&pairs).unwrap();
        for (found, true_value) in fit.coefficients.iter().zip([3.0, -5.0, -1.0, -4.0]) {
            assert!((found - true_value).abs() < 1e-5, "{fit:?}");
        }
        let [gain, error] = form.difference(&fit, &[0.65, 0.4], &[0.0, 1.0]);
        assert!((gain - (truth(&[0.65, 0.4]) - truth(&[0.0, 1.0]))).abs() < 1e-5 && error < 1e-5);
        assert_eq!(form.fit(&pairs[..4]), None);
    }

    /// If no parameter has an effect, one effect in twenty is significant at 5%, and 95 of 100 intervals contain 0.
    #[test]
    fn effects_that_are_none_are_rarely_shown() {
        let form = Quadratic::new(&Space::plain(3));
        let mut rng = Rng::new(4);
        let (mut shown, mut missed) = (0, 0);
        let rounds = 400;
        for _ in 0..rounds {
            let pairs = pairs(100, 3, &mut rng, |_, rng| 30.0 * normal(rng));
            for effect in form.effects(&form.fit(&pairs).unwrap()) {
                shown += u32::from(effect.chance < 0.05);
                missed += u32::from(!effect.across_interval.contains(0.0));
            }
        }
        let share = |count: u32| f64::from(count) / f64::from(3 * rounds);
        assert!((0.035..0.07).contains(&share(shown)), "{}", share(shown));
        assert!((0.035..0.07).contains(&share(missed)), "{}", share(missed));
    }
}
