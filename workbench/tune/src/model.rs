//! A model of a smooth response (the strength as a function of the parameters) and its uncertainty: a Gaussian process
//! fitted to pairs of points.
//!
//! For each numeric parameter, the model has a linear term, a quadratic term and cosines, of which those with higher
//! frequency have smaller coefficients. For every two numeric parameters, it has a product term, and for every word a
//! term for its advantage over the first word. The signal of a pair is the difference between the response at its two
//! points, so it is linear in the coefficients, and Bayesian least squares applies. A. Solin and S. Särkkä, *Hilbert
//! space methods for reduced-rank Gaussian process regression* (2020), with the quadratic of G. Box and K. Wilson, *On
//! the experimental attainment of optimum conditions* (1951), as the prior mean.

use crate::{Duel, ParameterValues, Space};
use contender_game::rules::Rng;
use contender_stats::{inverse, normal};
use std::f64::consts::PI;

/// Number of cosines per numeric parameter.
const WAVES: usize = 8;
/// The prior scale of a cosine's coefficient is divided by this power of the cosine's frequency, so the response is
/// twice differentiable.
const DECAY: i32 = 3;
/// Number of steps into which a range is divided to find the best position. A parabola then refines the result.
const STEPS: usize = 64;
/// Prior scale of a linear coefficient, relative to a parameter's stake (see [`Plan::stake`](crate::Plan::stake)).
const LINE: f64 = 1.2;
/// Prior scale of a product's coefficient, relative to a parameter's stake.
const PRODUCT: f64 = 0.5;
/// Factors for the recipe's stake, of which the most likely one is chosen.
const SCALES: [f64; 4] = [0.25, 1.0, 4.0, 16.0];
/// Scales of the cosines relative to the quadratic terms, of which the most likely one is chosen. With smaller scales,
/// an asymmetric response would look like a quadratic one.
const ROUGHNESS: [f64; 3] = [1.0, 2.0, 6.0];

/// The terms of one parameter.
#[derive(Clone, Debug)]
struct Axis {
    /// The index of the parameter's first term.
    first: usize,
    is_number: bool,
    /// The positions among which the best one is searched.
    places: Vec<f64>,
    /// The terms at each of these positions.
    rows: Vec<Vec<f64>>,
}

/// The model: the response and its uncertainty, computed from all added pairs.
#[derive(Clone, Debug)]
pub struct ResponseModel {
    axes: Vec<Axis>,
    /// All pairs of numeric parameters. The terms for their products come last.
    products: Vec<[usize; 2]>,
    stake: f64,
    noise: f64,
    /// The least-squares equations: sums over the pairs.
    equations: Vec<f64>,
    right: Vec<f64>,
    /// The posterior mean of the coefficients, their covariance, and the factor of its inverse, as computed by
    /// [`settle`](ResponseModel::settle).
    mean: Vec<f64>,
    covariance: Vec<f64>,
    factor: Vec<f64>,
}

impl ResponseModel {
    /// Creates a model without pairs. The prior assumes that a parameter that is half a range away from its best value
    /// loses about `stake`. `noise` is the standard deviation of a pair's signal.
    pub fn new(space: &Space, stake: f64, noise: f64) -> ResponseModel {
        let mut axes: Vec<Axis> = Vec::new();
        let mut size = 0;
        for parameter in &space.parameters {
            let steps = parameter.values.words().map_or(STEPS, |words| words - 1);
            let places: Vec<f64> = (0..=steps).map(|step| step as f64 / steps as f64).collect();
            let rows: Vec<Vec<f64>> = places.iter().map(|&place| terms(&parameter.values, place)).collect();
            let is_number = parameter.values.words().is_none();
            axes.push(Axis { first: size, is_number, places, rows });
            size += axes[axes.len() - 1].rows[0].len();
        }
        let numbers: Vec<usize> = (0..axes.len()).filter(|&at| axes[at].is_number).collect();
        let two = |(at, &one): (usize, &usize)| numbers[at + 1..].iter().map(move |&other| [one, other]);
        let products: Vec<[usize; 2]> = numbers.iter().enumerate().flat_map(two).collect();
        size += products.len();
        let (equations, right) = (vec![0.0; size * size], vec![0.0; size]);
        let [mean, covariance, factor] = [const { Vec::new() }; 3];
        let mut model =
            ResponseModel { axes, products, stake, noise, equations, right, mean, covariance, factor };
        model.settle();
        model
    }

    /// Adds a pair, which takes effect at the next [`settle`](ResponseModel::settle).
    pub fn take(&mut self, duel: &Duel, signal: f64) {
        let row = self.apart(&duel.points[0], &duel.points[1]);
        let weight = 1.0 / (self.noise * self.noise);
        for (at, x) in row.iter().enumerate() {
            self.right[at] += weight * x * signal;
            let sums = self.equations[at * row.len()..].iter_mut();
            row.iter().zip(sums).for_each(|(y, sum)| *sum += weight * x * y);
        }
    }

    /// Computes the posterior from all pairs, with the prior under which the pairs are most likely.
    pub fn settle(&mut self) {
        let size = self.right.len();
        let mut most = f64::NEG_INFINITY;
        for (scale, roughness) in
            SCALES.iter().flat_map(|&scale| ROUGHNESS.map(|roughness| (scale, roughness)))
        {
            let (mut precision, mut right) = (self.equations.clone(), self.right.clone());
            // The recipe's stake is the most likely scale a priori.
            let mut likelihood = -0.5 * (scale.ln() / SCALES[2].ln()).powi(2);
            for (at, [mean, deviation]) in
                self.expected(self.stake * scale, roughness).into_iter().enumerate()
            {
                let weight = 1.0 / (deviation * deviation);
                precision[at * size + at] += weight;
                right[at] += mean * weight;
                likelihood -= deviation.ln() + 0.5 * mean * mean * weight;
            }
            let factor = factor(size, &precision);
            for at in 0..size {
                let row = &factor[at * size..=at * size + at];
                right[at] = (right[at] - dot(&row[..at], &right[..at])) / row[at];
                likelihood += 0.5 * right[at] * right[at] - row[at].ln();
            }
            if likelihood > most {
                most = likelihood;
                self.mean = back(&factor, right);
                self.covariance = inverse(size, precision);
                self.factor = factor;
            }
        }
    }

    /// Returns the prior mean and standard deviation of every coefficient.
    fn expected(&self, stake: f64, roughness: f64) -> Vec<[f64; 2]> {
        let own = self.axes.iter().flat_map(|axis| {
            (0..axis.rows[0].len()).map(move |term| match (axis.is_number, term) {
                (false, _) => [0.0, stake],
                (true, 0) => [0.0, LINE * stake],
                (true, 1) => [-stake, stake],
                (true, term) => [0.0, roughness * stake / ((term - 1) as f64).powi(DECAY)],
            })
        });
        own.chain(self.products.iter().map(|_| [0.0, PRODUCT * stake])).collect()
    }

    /// Returns the terms of point `a` minus the terms of point `b`.
    fn apart(&self, a: &[f64], b: &[f64]) -> Vec<f64> {
        let own = self.axes.iter().zip(a.iter().zip(b)).flat_map(|(axis, (&a, &b))| axis.apart(a, b));
        let product = |point: &[f64], [one, other]: [usize; 2]| t(point[one]) * t(point[other]);
        own.chain(self.products.iter().map(|&of| product(a, of) - product(b, of))).collect()
    }

    /// Returns the advantage of `a` over `b`, and its standard error.
    pub fn difference(&self, a: &[f64], b: &[f64]) -> [f64; 2] {
        let apart = self.apart(a, b);
        [dot(&self.mean, &apart), self.variance(&apart, &apart, 0).max(0.0).sqrt()]
    }

    /// Returns how much the variance of the slope at `place` would decrease if bots with the parameter at `low` and at
    /// `high` played `pairs` pairs of games.
    pub fn tells(&self, parameter: usize, place: f64, [low, high]: [f64; 2], pairs: f64) -> f64 {
        let axis = &self.axes[parameter];
        let step = 1.0 / STEPS as f64;
        let (slope, row) = (axis.apart(place + step, place - step), axis.apart(high, low));
        let told = self.variance(&slope, &row, axis.first);
        told * told / (self.noise * self.noise / pairs + self.variance(&row, &row, axis.first))
    }

    /// Returns the covariance of two weighted sums of coefficients, starting with the coefficient `first`.
    fn variance(&self, a: &[f64], b: &[f64], first: usize) -> f64 {
        let size = self.mean.len();
        let row = |at: usize| &self.covariance[(first + at) * size + first..];
        a.iter().enumerate().map(|(at, x)| x * dot(b, row(at))).sum()
    }

    /// Returns the best point of the posterior mean.
    pub fn best(&self) -> Vec<f64> {
        self.best_of(&self.mean)
    }

    /// Draws responses from the posterior. Returns the best point of each response, and its advantage over `point` in
    /// this response.
    pub fn draws(&self, count: usize, point: &[f64], rng: &mut Rng) -> Vec<(Vec<f64>, f64)> {
        let draw = |_| {
            let spread = (0..self.mean.len()).map(|_| normal(rng)).collect();
            let spread = back(&self.factor, spread);
            let drawn: Vec<f64> = self.mean.iter().zip(spread).map(|(mean, apart)| mean + apart).collect();
            let best = self.best_of(&drawn);
            let gain = dot(&drawn, &self.apart(&best, point));
            (best, gain)
        };
        (0..count).map(draw).collect()
    }

    /// Returns the best point of a response, which is found by optimising one parameter at a time until none changes.
    fn best_of(&self, coefficients: &[f64]) -> Vec<f64> {
        let line = |axis: &Axis| -> Vec<f64> {
            axis.rows.iter().map(|row| dot(row, &coefficients[axis.first..])).collect()
        };
        let lines: Vec<Vec<f64>> = self.axes.iter().map(line).collect();
        let of_products = &coefficients[coefficients.len() - self.products.len()..];
        let mut point: Vec<f64> =
            self.axes.iter().zip(&lines).map(|(axis, line)| axis.top(line, 0.0)).collect();
        for _ in 0..30 {
            let mut moved = 0.0_f64;
            for at in (0..point.len()).filter(|&at| self.axes[at].is_number) {
                let others = self.products.iter().zip(of_products).map(|(&[one, other], value)| match at {
                    at if at == one => value * t(point[other]),
                    at if at == other => value * t(point[one]),
                    _ => 0.0,
                });
                let place = self.axes[at].top(&lines[at], others.sum());
                moved = moved.max((place - point[at]).abs());
                point[at] = place;
            }
            if moved < 1e-4 {
                break;
            }
        }
        point
    }
}

impl Axis {
    /// Returns the terms at position `a` minus the terms at position `b`.
    fn apart(&self, a: f64, b: f64) -> Vec<f64> {
        let terms = |place: f64| match self.is_number {
            true => of_number(place),
            false => self.rows[(place * (self.rows.len() - 1) as f64).round() as usize].clone(),
        };
        terms(a).iter().zip(terms(b)).map(|(a, b)| a - b).collect()
    }

    /// Returns the position that maximises the sum of a one-parameter response and a linear term with this slope.
    fn top(&self, line: &[f64], slope: f64) -> f64 {
        let height = |step: usize| line[step] + slope * t(self.places[step]);
        let top = (1..line.len()).fold(0, |top, step| if height(step) > height(top) { step } else { top });
        let place = self.places[top];
        if !self.is_number || top == 0 || top + 1 == line.len() {
            return place;
        }
        let [before, here, after] = [top - 1, top, top + 1].map(height);
        let bend = before - 2.0 * here + after;
        if bend < 0.0 { place + 0.5 * (before - after) / bend / STEPS as f64 } else { place }
    }
}

/// Returns the terms of a parameter at a position.
fn terms(values: &ParameterValues, place: f64) -> Vec<f64> {
    match values.words() {
        None => of_number(place),
        Some(words) => {
            let word = values.at(place).round() as usize;
            (1..words).map(|of| f64::from(u8::from(of == word))).collect()
        }
    }
}

fn of_number(place: f64) -> Vec<f64> {
    let waves = (1..=WAVES).map(|wave| (wave as f64 * PI * place).cos());
    [t(place), t(place).powi(2)].into_iter().chain(waves).collect()
}

/// Maps a position to the range from -1 to 1.
fn t(place: f64) -> f64 {
    2.0 * place - 1.0
}

/// Returns the Cholesky factor of a positive definite matrix: the lower triangular matrix whose product with its
/// transpose is the given matrix.
fn factor(size: usize, matrix: &[f64]) -> Vec<f64> {
    let mut lower = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..=row {
            let [one, other] = [row, column].map(|at| &lower[at * size..at * size + column]);
            let rest = matrix[row * size + column] - dot(one, other);
            lower[row * size + column] = match row == column {
                true => rest.max(f64::MIN_POSITIVE).sqrt(),
                false => rest / lower[column * size + column],
            };
        }
    }
    lower
}

/// Solves the equations of the transposed factor.
fn back(factor: &[f64], mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for at in (0..size).rev() {
        right[at] /= factor[at * size + at];
        let known = right[at];
        right[..at].iter_mut().zip(&factor[at * size..]).for_each(|(value, below)| *value -= below * known);
    }
    right
}

/// Returns the dot product, over the length of the shorter slice.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameter;

    fn duel(parameters: usize, rng: &mut Rng) -> Duel {
        Duel { points: [0, 1].map(|_| (0..parameters).map(|_| rng.unit()).collect()) }
    }

    /// Responses without noise: a quadratic and a quartic one, and a parameter with one word that is better than the
    /// others.
    #[test]
    fn the_best_point_is_found_where_there_is_no_noise() {
        let mut space = Space::plain(2);
        let words = ["a", "b", "c"].map(str::to_string).to_vec();
        space.parameters.push(Parameter {
            name: "word".to_string(),
            values: ParameterValues::Words(words),
            start: 0.0,
        });
        for power in [2, 4] {
            let strength = |p: &[f64]| {
                let [x, y] = [p[0] - 0.7, p[1] - 0.4];
                let word = if p[2] == 0.5 { 5.0 } else { 0.0 };
                word - 100.0 * (x.powi(power) + y.powi(2) + 0.5 * x * y)
            };
            // Computed by hand: the slope in y is 0 at y = -x / 4, and the rest is an even function of x.
            let (mut model, mut rng) = (ResponseModel::new(&space, 20.0, 0.1), Rng::new(1));
            for _ in 0..400 {
                let mut duel = duel(3, &mut rng);
                duel.points.iter_mut().for_each(|point| point[2] = f64::from(rng.below(3)) / 2.0);
                let signal = strength(&duel.points[0]) - strength(&duel.points[1]);
                model.take(&duel, signal);
            }
            model.settle();
            let best = model.best();
            let loss = if power == 2 {
                strength(&[0.7, 0.4, 0.5]) - strength(&best)
            } else {
                // The maximum over a fine grid.
                let all = (0..=100)
                    .flat_map(|x| (0..=100).map(move |y| [f64::from(x) / 100.0, f64::from(y) / 100.0, 0.5]));
                all.map(|point| strength(&point)).fold(f64::NEG_INFINITY, f64::max) - strength(&best)
            };
            assert!(loss < 0.05 && best[2] == 0.5, "{power}: {best:?} {loss}");
            let [gain, error] = model.difference(&[0.7, 0.4, 0.5], &[0.2, 0.9, 0.0]);
            let truth = strength(&[0.7, 0.4, 0.5]) - strength(&[0.2, 0.9, 0.0]);
            assert!((gain - truth).abs() < 0.5 && error < 0.5, "{gain} {truth} {error}");
        }
    }

    /// The posterior solves the equations, checked with their inverse and a sum over all coefficients.
    #[test]
    fn what_is_known_solves_the_equations() {
        let (mut model, mut rng) = (ResponseModel::new(&Space::plain(2), 20.0, 50.0), Rng::new(2));
        for _ in 0..50 {
            let signal = 50.0 * normal(&mut rng);
            model.take(&duel(2, &mut rng), signal);
        }
        model.settle();
        let size = model.mean.len();
        let found = SCALES.iter().flat_map(|scale| ROUGHNESS.map(|roughness| (*scale, roughness))).any(
            |(scale, roughness)| {
                let expected = model.expected(20.0 * scale, roughness);
                (0..size).all(|row| {
                    let weight = 1.0 / expected[row][1].powi(2);
                    let left = dot(&model.equations[row * size..(row + 1) * size], &model.mean)
                        + weight * model.mean[row];
                    (left - model.right[row] - weight * expected[row][0]).abs() < 1e-9
                })
            },
        );
        assert!(found, "{:?}", model.mean);
        // The draws have the covariance of the posterior.
        let base = [0.5, 0.5];
        let draws: Vec<f64> = (0..4_000)
            .map(|_| {
                let spread = back(&model.factor, (0..size).map(|_| normal(&mut rng)).collect());
                dot(&spread, &model.apart(&[0.9, 0.1], &base))
            })
            .collect();
        let deviation = (draws.iter().map(|x| x * x).sum::<f64>() / 4_000.0).sqrt();
        let [_, error] = model.difference(&[0.9, 0.1], &base);
        assert!((deviation / error - 1.0).abs() < 0.05, "{deviation} {error}");
    }
}
