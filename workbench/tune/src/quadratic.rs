//! A quadratic response fitted to pairs of points: strength as a function of the parameters, with what is known of its coefficients.
//!
//! A pair's signal is the difference of the strengths of its two points, so it is linear in the coefficients: weighted least squares,
//! with a prior that keeps few pairs from claiming much. Box and Wilson, *On the experimental attainment of optimum conditions*, 1951.

use crate::{Duel, Space, Values};
use contender_game::Rng;
use contender_stats::{Interval, factor, inverse, normal, percentile};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Responses that are drawn from what is known of the coefficients, for intervals.
const DRAWS: usize = 400;
/// Rounds over all parameters in search of the best point.
const ROUNDS: usize = 60;

/// A term of the response.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Term {
    /// The parameter's place, from -1 to 1.
    Linear(usize),
    /// Its square.
    Square(usize),
    /// The product of the places of two.
    Product(usize, usize),
    /// 1 where the parameter has this word.
    Word(usize, usize),
}

/// The form of a response over a space.
#[derive(Clone, PartialEq, Debug)]
pub struct Quadratic {
    space: Space,
    terms: Vec<Term>,
}

/// A response that was fitted, or drawn from what is known.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// Of the terms.
    pub coefficients: Vec<f64>,
    /// Of the coefficients, row by row.
    covariance: Vec<f64>,
    /// The standard deviation of a pair's signal around the fit.
    pub noise: f64,
}

/// What a parameter does, whatever the others are.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// How much stronger the bot is at the greatest value than at the least; of words, at the best than at the first.
    pub across: f64,
    /// 95% interval of that.
    pub across_interval: Interval,
    /// How likely games would tell at least this much of a parameter that does nothing.
    pub chance: f64,
}

impl Quadratic {
    /// Linear terms and squares of all numbers, a term for every word but the first, and with `has_products` those of any two numbers.
    #[must_use]
    pub fn new(space: &Space, has_products: bool) -> Quadratic {
        let mut terms = Vec::new();
        let numbers: Vec<usize> =
            (0..space.len()).filter(|&at| space.parameters[at].values.words().is_none()).collect();
        for (at, parameter) in space.parameters.iter().enumerate() {
            match &parameter.values {
                Values::Numbers { .. } => terms.extend([Term::Linear(at), Term::Square(at)]),
                Values::Words(words) => terms.extend((1..words.len()).map(|word| Term::Word(at, word))),
            }
        }
        if has_products {
            let two = numbers.iter().flat_map(|&one| {
                numbers.iter().filter(move |&&other| other > one).map(move |&other| (one, other))
            });
            terms.extend(two.map(|(one, other)| Term::Product(one, other)));
        }
        Quadratic { space: space.clone(), terms }
    }

    /// How many coefficients it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether it has none, which no space has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The terms at a point: the strength there is their sum, each times its coefficient.
    pub(crate) fn terms_at(&self, point: &[f64]) -> Vec<f64> {
        let t = |at: usize| 2.0 * point[at] - 1.0;
        let value = |term: &Term| match *term {
            Term::Linear(at) => t(at),
            Term::Square(at) => t(at).powi(2),
            Term::Product(one, other) => t(one) * t(other),
            Term::Word(at, word) => {
                f64::from(u8::from(self.space.parameters[at].values.at(point[at]).round() as usize == word))
            }
        };
        self.terms.iter().map(value).collect()
    }

    /// The terms of A less those of B.
    pub(crate) fn apart(&self, duel: &Duel) -> Vec<f64> {
        let [a, b] = [0, 1].map(|side| self.terms_at(&duel.points[side]));
        a.iter().zip(b).map(|(a, b)| a - b).collect()
    }

    /// The strength at a point by these coefficients; only differences mean anything.
    #[must_use]
    pub fn strength(&self, coefficients: &[f64], point: &[f64]) -> f64 {
        dot(coefficients, &self.terms_at(point))
    }

    /// Fits to pairs: of each the terms of A less those of B, its signal, and its weight. `belief` is what the coefficients are taken to be
    /// before the first pair ([`Quadratic::belief`]), `noise` the standard deviation of a signal where so few pairs do not tell it.
    pub(crate) fn fit<'a>(
        &self,
        pairs: impl Iterator<Item = (&'a [f64], f64, f64)> + Clone,
        belief: &[[f64; 2]],
        noise: f64,
    ) -> Fit {
        let size = self.len();
        let mut normal = vec![0.0; size * size];
        // With weights of its own for the covariance: the noise of a pair does not fall with its weight.
        let mut squared = vec![0.0; size * size];
        let mut right = vec![0.0; size];
        for (row, signal, weight) in pairs.clone() {
            for (i, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                let weighted = weight * x;
                right[i] += weighted * signal;
                for (j, y) in row[..=i].iter().enumerate() {
                    normal[i * size + j] += weighted * y;
                    squared[i * size + j] += weight * weighted * y;
                }
            }
        }
        for i in 0..size {
            for j in 0..i {
                normal[j * size + i] = normal[i * size + j];
                squared[j * size + i] = squared[i * size + j];
            }
            let [mean, deviation] = belief[i];
            let strength = (noise / deviation).powi(2);
            normal[i * size + i] += strength;
            squared[i * size + i] += strength;
            right[i] += strength * mean;
        }
        let inverse = inverse(size, normal);
        let coefficients: Vec<f64> = inverse.chunks(size).map(|row| dot(row, &right)).collect();
        let (mut total, mut squares) = (0.0, 0.0);
        for (row, signal, weight) in pairs {
            total += weight;
            squares += weight * (signal - dot(row, &coefficients)).powi(2);
        }
        // The first guess counts for some pairs more than there are coefficients.
        let guess = size as f64 + 10.0;
        let freedom = (total - size as f64).max(0.0);
        let noise = ((squares + guess * noise * noise) / (freedom + guess)).sqrt();
        let half = product(size, &inverse, &squared);
        let covariance =
            product(size, &half, &inverse).into_iter().map(|value| noise * noise * value).collect();
        Fit { coefficients, covariance, noise }
    }

    /// What may be believed of the coefficients before the first pair, mean and standard deviation, if half a range away from its best value
    /// a parameter costs about `stake`: tops are believed in, wherever they are.
    pub(crate) fn belief(&self, stake: f64) -> Vec<[f64; 2]> {
        let of = |term: &Term| match term {
            // The slope in the middle, where the top may be at an end or beyond.
            Term::Linear(_) => [0.0, 2.0 * stake],
            Term::Square(_) => [-stake, stake],
            Term::Product(..) | Term::Word(..) => [0.0, stake],
        };
        self.terms.iter().map(of).collect()
    }

    /// Nothing is believed.
    pub(crate) fn no_belief(&self, noise: f64) -> Vec<[f64; 2]> {
        vec![[0.0, 1e3 * noise]; self.len()]
    }

    /// The point with the greatest strength: every parameter in turn to its best, exactly, from several beginnings.
    #[must_use]
    pub fn best(&self, coefficients: &[f64], near: &[f64]) -> Vec<f64> {
        let count = self.space.len();
        let corners = (0..1_usize << count.min(4))
            .map(|corner| (0..count).map(|at| f64::from(u8::from(corner >> at & 1 == 1))).collect());
        let beginnings = [near.to_vec(), vec![0.5; count]].into_iter().chain(corners);
        let climbed = beginnings.map(|beginning| {
            let point = self.climb(coefficients, self.space.settle(&beginning));
            (self.strength(coefficients, &point), point)
        });
        let best = climbed.reduce(|best, other| if other.0 > best.0 + 1e-12 { other } else { best });
        best.map_or_else(|| near.to_vec(), |(_, point)| point)
    }

    fn climb(&self, coefficients: &[f64], mut point: Vec<f64>) -> Vec<f64> {
        for _ in 0..ROUNDS {
            let mut moved = 0.0_f64;
            for at in 0..point.len() {
                let place = self.best_place(coefficients, &point, at);
                moved = moved.max((place - point[at]).abs());
                point[at] = place;
            }
            if moved < 1e-7 {
                break;
            }
        }
        point
    }

    /// The best place of one parameter where the others stay.
    fn best_place(&self, coefficients: &[f64], point: &[f64], at: usize) -> f64 {
        let mut places = vec![0.0, 1.0];
        match self.space.parameters[at].values.words() {
            Some(words) => places = (0..words).map(|word| word as f64 / (words - 1) as f64).collect(),
            None => {
                let (mut slope, mut square) = (0.0, 0.0);
                for (term, &coefficient) in self.terms.iter().zip(coefficients) {
                    match *term {
                        Term::Linear(of) if of == at => slope += coefficient,
                        Term::Square(of) if of == at => square += coefficient,
                        Term::Product(one, other) if one == at => {
                            slope += coefficient * (2.0 * point[other] - 1.0)
                        }
                        Term::Product(one, other) if other == at => {
                            slope += coefficient * (2.0 * point[one] - 1.0)
                        }
                        _ => {}
                    }
                }
                if square < 0.0 {
                    places.push(((1.0 - slope / (2.0 * square)) / 2.0).clamp(0.0, 1.0));
                }
            }
        }
        let mut trial = point.to_vec();
        let strengths = places.into_iter().map(|place| {
            trial[at] = place;
            (self.strength(coefficients, &trial), place)
        });
        strengths
            .reduce(|best, other| if other.0 > best.0 { other } else { best })
            .map_or(point[at], |(_, place)| place)
    }

    /// What each parameter does at `point`, by a fit.
    #[must_use]
    pub fn effects(&self, fit: &Fit) -> Vec<Effect> {
        (0..self.space.len()).map(|at| self.effect(fit, at)).collect()
    }

    fn effect(&self, fit: &Fit, at: usize) -> Effect {
        let own: Vec<usize> = (0..self.len())
            .filter(|&term| match self.terms[term] {
                Term::Linear(of) | Term::Square(of) | Term::Word(of, _) => of == at,
                Term::Product(..) => false,
            })
            .collect();
        // Over the range a linear term counts twice and a square not at all.
        let strongest = own
            .iter()
            .copied()
            .reduce(|best, term| if fit.coefficients[term] > fit.coefficients[best] { term } else { best });
        let shown = match self.terms[own[0]] {
            Term::Linear(_) => own[0],
            _ => strongest.unwrap_or(own[0]),
        };
        let factor = if matches!(self.terms[shown], Term::Linear(_)) { 2.0 } else { 1.0 };
        let across = factor * fit.coefficients[shown];
        let reach = contender_stats::normal_quantile(0.95)
            * factor
            * fit.covariance[shown * self.len() + shown].max(0.0).sqrt();
        // Wald's test of all the parameter's coefficients at once.
        let size = own.len();
        let block =
            own.iter().flat_map(|&i| own.iter().map(move |&j| fit.covariance[i * self.len() + j])).collect();
        let inverse = inverse(size, block);
        let values: Vec<f64> = own.iter().map(|&term| fit.coefficients[term]).collect();
        let distance: f64 =
            inverse.chunks(size).zip(&values).map(|(row, value)| value * dot(row, &values)).sum();
        let chance = ChiSquared::new(size as f64).map_or(1.0, |of| 1.0 - of.cdf(distance.max(0.0)));
        Effect { across, across_interval: Interval { low: across - reach, high: across + reach }, chance }
    }

    /// How much stronger `a` is than `b`, and the standard error of that.
    #[must_use]
    pub fn difference(&self, fit: &Fit, a: &[f64], b: &[f64]) -> [f64; 2] {
        let apart: Vec<f64> = self.terms_at(a).iter().zip(self.terms_at(b)).map(|(a, b)| a - b).collect();
        let variance: f64 =
            fit.covariance.chunks(self.len()).zip(&apart).map(|(row, x)| x * dot(row, &apart)).sum();
        [dot(&fit.coefficients, &apart), variance.max(0.0).sqrt()]
    }

    /// What is known of the best point: for each parameter the 95% interval of its best place, and how much worse than the best `answer` is at
    /// most, with 95% confidence.
    #[must_use]
    pub fn known(&self, fit: &Fit, answer: &[f64], rng: &mut Rng) -> (Vec<Interval>, f64) {
        let size = self.len();
        let lower = factor(size, fit.covariance.clone());
        let mut places: Vec<Vec<f64>> = vec![Vec::new(); self.space.len()];
        let mut losses = Vec::new();
        for _ in 0..DRAWS {
            let normals: Vec<f64> = (0..size).map(|_| normal(rng)).collect();
            let drawn: Vec<f64> = (0..size)
                .map(|row| {
                    fit.coefficients[row] + dot(&lower[row * size..=row * size + row], &normals[..=row])
                })
                .collect();
            let best = self.best(&drawn, answer);
            losses.push(self.strength(&drawn, &best) - self.strength(&drawn, answer));
            places.iter_mut().zip(best).for_each(|(places, place)| places.push(place));
        }
        let intervals = places.into_iter().map(|mut places| {
            places.sort_by(f64::total_cmp);
            let end = |share| percentile(&places, share).unwrap_or(f64::NAN);
            Interval { low: end(0.025), high: end(0.975) }
        });
        let intervals = intervals.collect();
        losses.sort_by(f64::total_cmp);
        (intervals, percentile(&losses, 0.95).unwrap_or(f64::NAN))
    }
}

/// The sum of products.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The product of two square matrices.
fn product(size: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut result = vec![0.0; size * size];
    for i in 0..size {
        for k in 0..size {
            let x = a[i * size + k];
            (0..size).for_each(|j| result[i * size + j] += x * b[k * size + j]);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::plain_space;

    /// Pairs without noise give the response back, and its best point is that of a fine grid.
    #[test]
    fn a_response_without_noise_is_found_exactly() {
        let space = plain_space(2);
        let form = Quadratic::new(&space, true);
        let truth = |p: &[f64]| {
            let [x, y] = [2.0 * p[0] - 1.0, 2.0 * p[1] - 1.0];
            3.0 * x - 5.0 * x * x - y - 4.0 * y * y + 2.0 * x * y
        };
        let mut rng = Rng::new(3);
        let duels: Vec<Duel> =
            (0..60).map(|_| Duel { points: [0, 1].map(|_| vec![rng.unit(), rng.unit()]) }).collect();
        let rows: Vec<Vec<f64>> = duels.iter().map(|duel| form.apart(duel)).collect();
        let signals = duels.iter().map(|duel| truth(&duel.points[0]) - truth(&duel.points[1]));
        let signals: Vec<f64> = signals.collect();
        let pairs = rows.iter().zip(&signals).map(|(row, &signal)| (row.as_slice(), signal, 1.0));
        let fit = form.fit(pairs, &form.no_belief(1e3), 1.0);
        let best = form.best(&fit.coefficients, &[0.0, 0.0]);
        let grid =
            (0..=200).flat_map(|i| (0..=200).map(move |j| [f64::from(i) / 200.0, f64::from(j) / 200.0]));
        let slow = grid.max_by(|a, b| truth(a).total_cmp(&truth(b))).unwrap();
        assert!(best.iter().zip(slow).all(|(a, b)| (a - b).abs() < 0.006), "{best:?} {slow:?}");
        let [gain, _] = form.difference(&fit, &best, &[0.5, 0.5]);
        assert!((gain - (truth(&best) - truth(&[0.5, 0.5]))).abs() < 1e-6);
    }

    /// Where nothing matters, one in twenty effects is said to be shown at 5%, and intervals hold 0 in 95 of 100.
    #[test]
    fn effects_that_are_none_are_rarely_shown() {
        let space = plain_space(3);
        let form = Quadratic::new(&space, false);
        let mut rng = Rng::new(4);
        let (mut shown, mut missed) = (0, 0);
        let rounds = 400;
        for _ in 0..rounds {
            let duels: Vec<Duel> = (0..100)
                .map(|_| Duel { points: [0, 1].map(|_| (0..3).map(|_| rng.unit()).collect()) })
                .collect();
            let signals: Vec<f64> = duels.iter().map(|_| 30.0 * normal(&mut rng)).collect();
            let rows: Vec<Vec<f64>> = duels.iter().map(|duel| form.apart(duel)).collect();
            let pairs = rows.iter().zip(&signals).map(|(row, &signal)| (row.as_slice(), signal, 1.0));
            let fit = form.fit(pairs, &form.no_belief(30.0), 30.0);
            for effect in form.effects(&fit) {
                shown += u32::from(effect.chance < 0.05);
                missed += u32::from(!effect.across_interval.contains(0.0));
            }
        }
        let share = |count: u32| f64::from(count) / f64::from(3 * rounds);
        assert!((0.035..0.065).contains(&share(shown)), "{}", share(shown));
        assert!((0.035..0.065).contains(&share(missed)), "{}", share(missed));
    }
}
