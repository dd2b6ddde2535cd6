//! Least squares, and other linear algebra that ratings need, for dense symmetric matrices with up to a few hundred
//! rows.

use std::ops::Range;

/// A small number that keeps the equations solvable if some parameters are not connected by observations. It is too
/// small to affect connected parameters.
const RIDGE: f64 = 1e-9;

/// The result of a least-squares fit.
pub(super) struct Fit {
    pub coefficients: Vec<f64>,
    /// Covariance of the coefficients, row by row, if the errors have variance 1.
    pub covariance: Vec<f64>,
    /// The variance of the errors; `None` if there are too few observations.
    pub error_variance: Option<f64>,
    /// Degrees of freedom: the number of observations minus the number of estimated parameters.
    pub freedom: f64,
}

/// Fits `parameters` coefficients to observations. An observation is a value, and a list of parameters with their
/// factors. Within each of the `groups` of parameters only differences have a meaning, so the mean of each group is set
/// to zero.
pub(super) fn fit<const TERMS: usize>(
    parameters: usize,
    groups: &[Range<usize>],
    observations: &[([(usize, f64); TERMS], f64)],
) -> Fit {
    let size = parameters;
    let mut normal = vec![0.0; size * size];
    for (terms, _) in observations {
        for &(row, factor) in terms {
            for &(column, other) in terms {
                normal[row * size + column] += factor * other;
            }
        }
    }
    for parameter in 0..size {
        normal[parameter * size + parameter] += RIDGE;
    }
    // Pulling the sum of a group towards zero fixes the level, which the observations leave open.
    for group in groups {
        let pull = 1.0 / group.len().max(1) as f64;
        for row in group.clone() {
            for column in group.clone() {
                normal[row * size + column] += pull;
            }
        }
    }
    let mut covariance = inverse(size, normal);
    let mut coefficients = vec![0.0; size];
    // The second pass corrects the effect of the ridge on the first pass.
    for _ in 0..2 {
        let mut rest = vec![0.0; size];
        for (terms, value) in observations {
            let error = value - predicted(terms, &coefficients);
            terms.iter().for_each(|&(at, factor)| rest[at] += factor * error);
        }
        for row in 0..size {
            coefficients[row] +=
                (0..size).map(|column| covariance[row * size + column] * rest[column]).sum::<f64>();
        }
    }
    for group in groups {
        centre(&mut coefficients[group.clone()]);
        for row in covariance.chunks_mut(size.max(1)) {
            centre(&mut row[group.clone()]);
        }
        for column in 0..size {
            let mut along: Vec<f64> = group.clone().map(|row| covariance[row * size + column]).collect();
            centre(&mut along);
            group.clone().zip(along).for_each(|(row, value)| covariance[row * size + column] = value);
        }
    }
    let freedom = observations.len() as f64 - (size as f64 - groups.len() as f64);
    let squares: f64 =
        observations.iter().map(|(terms, value)| (value - predicted(terms, &coefficients)).powi(2)).sum();
    let error_variance = (freedom > 0.0).then(|| squares / freedom);
    Fit { coefficients, covariance, error_variance, freedom }
}

fn predicted(terms: &[(usize, f64)], coefficients: &[f64]) -> f64 {
    terms.iter().map(|&(at, factor)| factor * coefficients[at]).sum()
}

/// Subtracts the mean from all values.
pub(super) fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

/// Returns the lower triangular factor of a symmetric matrix without negative eigenvalues (Cholesky decomposition),
/// computed in place. If a pivot is 0 up to rounding, its column is set to zero.
pub(super) fn factor(size: usize, mut lower: Vec<f64>) -> Vec<f64> {
    let largest = (0..size).map(|at| lower[at * size + at]).fold(0.0, f64::max);
    for row in 0..size {
        for column in 0..=row {
            let dot: f64 = (0..column).map(|k| lower[row * size + k] * lower[column * size + k]).sum();
            let rest = lower[row * size + column] - dot;
            lower[row * size + column] = if row == column {
                if rest > 1e-14 * largest { rest.sqrt() } else { 0.0 }
            } else {
                let pivot = lower[column * size + column];
                if pivot > 0.0 { rest / pivot } else { 0.0 }
            };
        }
        lower[row * size + row + 1..(row + 1) * size].fill(0.0);
    }
    lower
}

/// Returns the inverse of a symmetric positive definite matrix with `size` rows.
#[must_use]
pub fn inverse(size: usize, matrix: Vec<f64>) -> Vec<f64> {
    let lower = factor(size, matrix);
    let mut inverse = vec![0.0; size * size];
    let mut solution = vec![0.0; size];
    for unit in 0..size {
        for row in 0..size {
            let dot: f64 = (0..row).map(|k| lower[row * size + k] * solution[k]).sum();
            solution[row] = (if row == unit { 1.0 } else { 0.0 } - dot) / lower[row * size + row];
        }
        for row in (0..size).rev() {
            let dot: f64 = (row + 1..size).map(|k| lower[k * size + row] * solution[k]).sum();
            solution[row] = (solution[row] - dot) / lower[row * size + row];
        }
        (0..size).for_each(|row| inverse[row * size + unit] = solution[row]);
    }
    inverse
}
