//! Compares evaluations with the values of a dataset, turn by turn. The measure is R-squared on games that were not
//! used for any fit.

use super::experimental::EXPERIMENTAL;
use anyhow::{Result, ensure};
use contender_entropy::evaluation::{NAMES, TURNS};
use contender_table::{Table, told};

/// A linear function of some columns, fitted with ordinary least squares.
#[derive(Clone, PartialEq, Debug)]
pub struct LeastSquares {
    /// The value if all columns are 0.
    pub constant: f64,
    /// The effect of one unit of each column.
    pub coefficients: Vec<f64>,
}

/// Singular values below this share of the largest one count as 0. So columns that are constant or follow from others
/// get the shortest solution.
const MIN_SHARE: f64 = 1e-9;
/// Maximum number of sweeps over all pairs of columns; ten are usually enough.
const MAX_SWEEPS: u32 = 60;

impl LeastSquares {
    /// Fits `target` with the columns, which must have the same length.
    #[must_use]
    pub fn fit(columns: &[&[f64]], target: &[f64]) -> LeastSquares {
        let count = target.len().max(1) as f64;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
        // Centred and scaled columns make the solution as exact as possible.
        let means: Vec<f64> = columns.iter().map(|column| mean(column)).collect();
        let deviations: Vec<f64> = columns
            .iter()
            .zip(&means)
            .map(|(column, mean)| {
                let squares: f64 = column.iter().map(|value| (value - mean).powi(2)).sum();
                let deviation = (squares / count).sqrt();
                if deviation > 0.0 { deviation } else { 1.0 }
            })
            .collect();
        let level = mean(target);
        let design: Vec<Vec<f64>> = columns
            .iter()
            .zip(means.iter().zip(&deviations))
            .map(|(column, (mean, deviation))| {
                column.iter().map(|value| (value - mean) / deviation).collect()
            })
            .collect();
        let rest: Vec<f64> = target.iter().map(|value| value - level).collect();
        let coefficients: Vec<f64> = shortest_solution(design, &rest)
            .iter()
            .zip(&deviations)
            .map(|(value, deviation)| value / deviation)
            .collect();
        let shift: f64 = coefficients.iter().zip(&means).map(|(coefficient, mean)| coefficient * mean).sum();
        LeastSquares { constant: level - shift, coefficients }
    }

    /// Returns the predicted value for a row.
    #[must_use]
    pub fn predict(&self, columns: &[&[f64]], row: usize) -> f64 {
        let parts =
            self.coefficients.iter().zip(columns).map(|(coefficient, column)| coefficient * column[row]);
        self.constant + parts.sum::<f64>()
    }
}

/// Returns the coefficients whose weighted sum of columns is closest to a target. If there are several solutions,
/// returns the shortest one.
///
/// The columns are rotated in pairs until all are orthogonal. Their lengths are then the singular values, and the
/// product of all rotations transforms the solution back.
///
/// Source: Hestenes, "Inversion of matrices by biorthogonalization and related results", 1958.
fn shortest_solution(mut columns: Vec<Vec<f64>>, target: &[f64]) -> Vec<f64> {
    let count = columns.len();
    // Row `i` contains the coefficients with which the original columns form the rotated column `i`.
    let mut rotation: Vec<Vec<f64>> =
        (0..count).map(|row| (0..count).map(|at| f64::from(u8::from(row == at))).collect()).collect();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for _ in 0..MAX_SWEEPS {
        let mut is_done = true;
        for second in 1..count {
            for first in 0..second {
                let (a, b) = (&columns[first], &columns[second]);
                let (aa, bb, ab) = (product(a, a), product(b, b), product(a, b));
                if ab.abs() <= 1e-15 * (aa * bb).sqrt() {
                    continue;
                }
                is_done = false;
                let half = (bb - aa) / (2.0 * ab);
                let tangent = half.signum() / (half.abs() + half.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                for rows in [&mut columns, &mut rotation] {
                    let (before, from) = rows.split_at_mut(second);
                    for (a, b) in before[first].iter_mut().zip(&mut from[0]) {
                        (*a, *b) = (cosine * (*a - tangent * *b), cosine * (*b + tangent * *a));
                    }
                }
            }
        }
        if is_done {
            break;
        }
    }
    let squares: Vec<f64> = columns.iter().map(|column| product(column, column)).collect();
    let least = MIN_SHARE.powi(2) * squares.iter().copied().fold(0.0, f64::max);
    let mut solution = vec![0.0; count];
    for ((column, made_of), &square) in columns.iter().zip(&rotation).zip(&squares) {
        if square > least {
            let part = product(column, target) / square;
            solution.iter_mut().zip(made_of).for_each(|(sum, share)| *sum += part * share);
        }
    }
    solution
}

/// The squared errors of a prediction and those of the mean.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Explained {
    /// Sum of the squared errors of the prediction.
    pub errors: f64,
    /// Sum of the squared errors of the turn's mean.
    pub total: f64,
}

impl Explained {
    /// Returns the share of the variance that the prediction explains; `None` without variance.
    #[must_use]
    pub fn r_squared(self) -> Option<f64> {
        (self.total > 0.0).then(|| 1.0 - self.errors / self.total)
    }
}

/// A model and its quality.
#[derive(Clone, PartialEq, Debug)]
pub struct FittedModel {
    /// The model's name.
    pub name: String,
    /// Results by turn, on the test games.
    pub turns: Vec<Explained>,
    /// Fits by turn; empty for a model that is not fitted here.
    pub fits: Vec<LeastSquares>,
    /// Predictions and true values of the test games, by turn.
    pub predictions: Vec<Vec<[f64; 2]>>,
}

impl FittedModel {
    /// Returns the mean absolute error of the predictions in points; `None` without predictions.
    #[must_use]
    pub fn mean_error(&self) -> Option<f64> {
        let rows = self.predictions.iter().flatten();
        let count = rows.clone().count();
        (count > 0).then(|| rows.map(|row| (row[0] - row[1]).abs()).sum::<f64>() / count as f64)
    }

    /// Returns R-squared over all turns. The variance is relative to each turn's own mean, so that knowing the turn
    /// explains nothing. Turns without variance are left out, such as the first turn, in which the board is always
    /// empty.
    #[must_use]
    pub fn over_all(&self) -> Option<f64> {
        let turns = || self.turns.iter().filter(|turn| turn.total > 0.0);
        let sum = |of: fn(&Explained) -> f64| turns().map(of).sum();
        Explained { errors: sum(|turn| turn.errors), total: sum(|turn| turn.total) }.r_squared()
    }
}

/// One game in this many is a test game, which no fit uses.
const HOLD_OUT: u64 = 4;

/// The values of a dataset, by turn.
pub struct Data {
    names: Vec<String>,
    turns: Vec<TurnData>,
    games: usize,
}

#[derive(Clone, Default)]
struct TurnData {
    fitted: Part,
    held_out: Part,
}

#[derive(Clone, Default)]
struct Part {
    columns: Vec<Vec<f64>>,
    heuristic: Vec<f64>,
    network: Vec<f64>,
    minimax: Vec<f64>,
}

impl Data {
    /// Takes the rows with a known value.
    ///
    /// # Errors
    /// Returns an error if a column is missing, or if there are too few games for a fit.
    pub fn new(table: &Table) -> Result<Data> {
        let names: Vec<String> = std::iter::once("points")
            .chain(NAMES)
            .chain(EXPERIMENTAL.iter().map(|&(name, _)| name))
            .map(str::to_string)
            .collect();
        let column = |name: &str| told(name, table.numbers(name)?);
        let columns = names.iter().map(|name| column(name)).collect::<Result<Vec<_>>>()?;
        let [games, turns] = [column("gameid")?, column("turn")?];
        let [heuristic, network] = [column("heuristic")?, column("network")?];
        let part = || Part { columns: vec![Vec::new(); names.len()], ..Part::default() };
        let mut data = vec![TurnData { fitted: part(), held_out: part() }; TURNS];
        let mut seen = std::collections::BTreeSet::new();
        for (row, minimax) in table.numbers("minimax")?.into_iter().enumerate() {
            let Some(minimax) = minimax else { continue };
            let (game, turn) = (games[row] as u64, turns[row] as usize);
            ensure!(turn < TURNS, "row {}: turn {turn} is none of 0 to {}", row + 1, TURNS - 1);
            seen.insert(game);
            let part = if game % HOLD_OUT == 0 { &mut data[turn].held_out } else { &mut data[turn].fitted };
            part.columns.iter_mut().zip(&columns).for_each(|(to, from)| to.push(from[row]));
            part.heuristic.push(heuristic[row]);
            part.network.push(network[row]);
            part.minimax.push(minimax);
        }
        let least = 4 * names.len();
        ensure!(
            seen.len() >= least,
            "only {} games have values; a fit of {} columns takes {least} at least",
            seen.len(),
            names.len()
        );
        Ok(Data { names, turns: data, games: seen.len() })
    }

    /// Returns the number of games with values.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }

    /// Returns the model of the evaluation that the dataset was made with.
    #[must_use]
    pub fn learned(&self) -> FittedModel {
        self.as_it_is("learned", |part| &part.heuristic)
    }

    /// Returns the model of the network.
    #[must_use]
    pub fn network(&self) -> FittedModel {
        self.as_it_is("network", |part| &part.network)
    }

    fn as_it_is(&self, name: &str, values: impl Fn(&Part) -> &[f64]) -> FittedModel {
        let mut model =
            FittedModel { name: name.to_string(), turns: vec![], fits: vec![], predictions: vec![] };
        for turn in &self.turns {
            let part = &turn.held_out;
            model.judge(
                values(part).iter().zip(&part.minimax).map(|(&prediction, &value)| [prediction, value]),
            );
        }
        model
    }

    /// Fits these columns for each turn with least squares.
    ///
    /// # Errors
    /// Returns an error if a column does not exist.
    pub fn least_squares<'a>(&'a self, name: &str, columns: &[&str]) -> Result<FittedModel> {
        let mut chosen = Vec::new();
        for column in columns {
            let at = self.names.iter().position(|name| name == column);
            chosen.push(at.ok_or_else(|| anyhow::anyhow!("there is no input `{column}`"))?);
        }
        let mut model =
            FittedModel { name: name.to_string(), turns: vec![], fits: vec![], predictions: vec![] };
        for turn in &self.turns {
            let select = |part: &'a Part| -> Vec<&'a [f64]> {
                chosen.iter().map(|&at| part.columns[at].as_slice()).collect()
            };
            let (fitted, held_out) = (select(&turn.fitted), select(&turn.held_out));
            let fit = LeastSquares::fit(&fitted, &turn.fitted.minimax);
            let minimax = &turn.held_out.minimax;
            model.judge((0..minimax.len()).map(|row| [fit.predict(&held_out, row), minimax[row]]));
            model.fits.push(fit);
        }
        Ok(model)
    }

    /// Returns all models that a report compares: the points alone, the learned evaluation, the network, least squares
    /// with the inputs, and least squares with each experimental input in addition.
    ///
    /// # Errors
    /// Never returns an error with the columns of this crate.
    pub fn models(&self) -> Result<Vec<FittedModel>> {
        let inputs: Vec<&str> = std::iter::once("points").chain(NAMES).collect();
        let mut models = vec![
            self.least_squares("points alone", &["points"])?,
            self.learned(),
            self.network(),
            self.least_squares("least squares", &inputs)?,
        ];
        for (name, _) in EXPERIMENTAL {
            let with: Vec<&str> = inputs.iter().copied().chain([*name]).collect();
            models.push(self.least_squares(&format!("  and {name}"), &with)?);
        }
        let all: Vec<&str> = inputs.into_iter().chain(EXPERIMENTAL.iter().map(|&(name, _)| name)).collect();
        models.push(self.least_squares("  and all of these", &all)?);
        Ok(models)
    }
}

impl FittedModel {
    /// Adds the predictions and true values of the next turn.
    pub(super) fn judge(&mut self, rows: impl Iterator<Item = [f64; 2]>) {
        let rows: Vec<[f64; 2]> = rows.collect();
        let mean = rows.iter().map(|row| row[1]).sum::<f64>() / rows.len().max(1) as f64;
        let squares = |of: &dyn Fn(&[f64; 2]) -> f64| rows.iter().map(|row| of(row).powi(2)).sum();
        self.turns.push(Explained {
            errors: squares(&|row| row[0] - row[1]),
            total: squares(&|row| row[1] - mean),
        });
        self.predictions.push(rows);
    }
}
