//! Zero-sum matrix games, and optimal strategies for two players who choose at the same time.
//!
//! The simplex method finds mixed strategies that are exact up to rounding errors. The bounds on the value are computed
//! from the strategies themselves, so each player can rely on its bound despite rounding errors.

/// A solver for matrix games. It stores the latest strategies, and reuses its working memory so that repeated solving
/// does not allocate.
///
/// ```
/// use contender_search::matrix::{Matrix, Solver};
///
/// // Matching pennies with a double stake on heads: the row player wins if both show the same side.
/// let mut solver = Solver::new();
/// let guarantee = solver.solve(Matrix::new(2, 2, &[2.0, -1.0, -1.0, 1.0]));
/// assert!((guarantee.value() - 0.2).abs() < 1e-9 && guarantee.gap() < 1e-9);
/// assert!((solver.row()[0] - 0.4).abs() < 1e-9, "heads with 40 %");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solver {
    row: Vec<f64>,
    column: Vec<f64>,
    tableau: Vec<f64>,
    basis: Vec<usize>,
}

/// A matrix of the row player's payoffs, which the row player maximises: `payoffs[row * columns + column]`.
///
/// ```
/// use contender_search::matrix::Matrix;
///
/// let pennies = Matrix::new(2, 2, &[1.0, -1.0, -1.0, 1.0]);
/// // Always heads loses against tails; equal chances guarantee 0.
/// assert_eq!(pennies.guarantee(&[1.0, 0.0], &[0.5, 0.5]).low, -1.0);
/// assert_eq!(pennies.guarantee(&[0.5, 0.5], &[0.5, 0.5]).low, 0.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    rows: usize,
    columns: usize,
    payoffs: &'a [f64],
}

/// The value that each player's strategy guarantees. The value of the game lies between the two.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guarantee {
    /// The minimum payoff of the row strategy.
    pub low: f64,
    /// The maximum payoff against the column strategy.
    pub high: f64,
}

impl Guarantee {
    /// Returns the midpoint of the two guarantees.
    #[must_use]
    pub fn value(self) -> f64 {
        0.5 * (self.low + self.high)
    }

    /// Returns the difference between the two guarantees, which is 0 for optimal strategies.
    #[must_use]
    pub fn gap(self) -> f64 {
        self.high - self.low
    }
}

impl<'a> Matrix<'a> {
    /// Creates a matrix from these finite payoffs, row by row.
    ///
    /// # Panics
    /// Panics if `rows` or `columns` is 0, or if the number of payoffs is not `rows * columns`.
    #[must_use]
    pub fn new(rows: usize, columns: usize, payoffs: &'a [f64]) -> Matrix<'a> {
        assert!(rows > 0 && columns > 0 && rows * columns == payoffs.len(), "a matrix of {rows} x {columns}");
        Matrix { rows, columns, payoffs }
    }

    fn row(&self, row: usize) -> &'a [f64] {
        &self.payoffs[row * self.columns..][..self.columns]
    }

    /// Returns a row's payoff against a mixed column strategy.
    fn row_payoff(&self, row: usize, column: &[f64]) -> f64 {
        self.row(row).iter().zip(column).map(|(payoff, part)| payoff * part).sum()
    }

    /// Returns the payoff of a mixed row strategy against a single column.
    fn column_payoff(&self, column: usize, row: &[f64]) -> f64 {
        row.iter().enumerate().map(|(at, part)| part * self.payoffs[at * self.columns + column]).sum()
    }

    /// Returns the values that these strategies guarantee.
    ///
    /// # Panics
    /// Panics if a strategy does not have as many entries as the matrix has rows or columns.
    #[must_use]
    pub fn guarantee(&self, row: &[f64], column: &[f64]) -> Guarantee {
        assert!(row.len() == self.rows && column.len() == self.columns, "strategies of another matrix");
        Guarantee {
            low: (0..self.columns).map(|at| self.column_payoff(at, row)).fold(f64::INFINITY, f64::min),
            high: (0..self.rows).map(|at| self.row_payoff(at, column)).fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// Returns a saddle point: a row and a column that are best responses to each other, if they exist. The players
    /// then do not need mixed strategies.
    fn saddle(&self) -> Option<(usize, usize)> {
        let worst = |row: usize| self.row(row).iter().copied().fold(f64::INFINITY, f64::min);
        let (mut best_row, mut low) = (0, worst(0));
        for row in 1..self.rows {
            if worst(row) > low {
                (best_row, low) = (row, worst(row));
            }
        }
        let column = (0..self.columns)
            .find(|&column| (0..self.rows).all(|row| self.payoffs[row * self.columns + column] <= low))?;
        Some((best_row, column))
    }
}

impl Solver {
    /// Creates a solver with empty working memory.
    #[must_use]
    pub fn new() -> Solver {
        Solver::default()
    }

    /// Returns the probabilities of the rows in the latest solution.
    #[must_use]
    pub fn row(&self) -> &[f64] {
        &self.row
    }

    /// Returns the probabilities of the columns in the latest solution.
    #[must_use]
    pub fn column(&self) -> &[f64] {
        &self.column
    }

    /// Solves the game: uses a saddle point if there is one, and otherwise the simplex method. The gap of the result is
    /// 0 except for rounding errors.
    ///
    /// Source: Dantzig, "A proof of the equivalence of the programming problem and the game problem", 1951; Bland's
    /// rule against cycling.
    pub fn solve(&mut self, matrix: Matrix<'_>) -> Guarantee {
        if let Some((row, column)) = matrix.saddle() {
            pure(&mut self.row, matrix.rows, row);
            pure(&mut self.column, matrix.columns, column);
        } else {
            self.simplex(matrix);
        }
        matrix.guarantee(&self.row, &self.column)
    }

    /// Shifts and scales the payoffs into the range 1 to 2, and maximises the sum of y subject to A y <= 1, y >= 0. The
    /// strategies are y and the dual solution, each scaled to a sum of 1.
    fn simplex(&mut self, matrix: Matrix<'_>) {
        let Matrix { rows, columns, payoffs } = matrix;
        let low = payoffs.iter().copied().fold(f64::INFINITY, f64::min);
        let high = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Columns of the tableau: y, slack variables, right-hand side. The last row is the objective.
        let stride = columns + rows + 1;
        self.tableau.clear();
        self.tableau.resize((rows + 1) * stride, 0.0);
        self.basis.clear();
        self.basis.extend(columns..columns + rows);
        for row in 0..rows {
            let line = &mut self.tableau[row * stride..][..stride];
            for (cell, payoff) in line.iter_mut().zip(matrix.row(row)) {
                *cell = 1.0 + (payoff - low) / (high - low);
            }
            line[columns + row] = 1.0;
            line[stride - 1] = 1.0;
        }
        self.tableau[rows * stride..][..columns].fill(-1.0);

        // Rounding could defeat Bland's rule; a bound on the number of steps makes sure of an end.
        for _ in 0..50 * (rows + columns) {
            let objective = &self.tableau[rows * stride..][..columns + rows];
            let Some(enter) = objective.iter().position(|&gain| gain < -1e-12) else { break };
            let ratio = |row: usize| {
                let by = self.tableau[row * stride + enter];
                (by > 1e-12).then(|| self.tableau[row * stride + stride - 1] / by)
            };
            let leave = (0..rows).filter_map(|row| Some((ratio(row)?, self.basis[row], row)));
            let least = leave.reduce(|a, b| if (b.0, b.1) < (a.0, a.1) { b } else { a });
            let Some((_, _, leave)) = least else { break };
            self.pivot(rows, stride, leave, enter);
            self.basis[leave] = enter;
        }
        self.column.clear();
        self.column.resize(columns, 0.0);
        for row in 0..rows {
            if self.basis[row] < columns {
                self.column[self.basis[row]] = self.tableau[row * stride + stride - 1].max(0.0);
            }
        }
        self.row.clear();
        self.row.extend(self.tableau[rows * stride + columns..][..rows].iter().map(|dual| dual.max(0.0)));
        normalise(&mut self.row);
        normalise(&mut self.column);
    }

    fn pivot(&mut self, rows: usize, stride: usize, leave: usize, enter: usize) {
        let scale = 1.0 / self.tableau[leave * stride + enter];
        for cell in &mut self.tableau[leave * stride..][..stride] {
            *cell *= scale;
        }
        for row in (0..=rows).filter(|&row| row != leave) {
            let factor = self.tableau[row * stride + enter];
            if factor != 0.0 {
                for at in 0..stride {
                    self.tableau[row * stride + at] -= factor * self.tableau[leave * stride + at];
                }
            }
        }
    }
}

fn pure(strategy: &mut Vec<f64>, len: usize, at: usize) {
    strategy.clear();
    strategy.resize(len, 0.0);
    strategy[at] = 1.0;
}

/// Scales a strategy to a sum of 1. If all numbers are 0, makes it uniform.
fn normalise(strategy: &mut [f64]) {
    let sum: f64 = strategy.iter().sum();
    if sum > 0.0 {
        strategy.iter_mut().for_each(|part| *part /= sum);
    } else {
        strategy.fill(1.0 / strategy.len() as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    const NEAR: f64 = 1e-9;

    #[test]
    fn matrices_known_by_hand() {
        let mut solver = Solver::new();
        // Rock, paper, scissors, with a double win for rock.
        let payoffs = [0.0, -1.0, 2.0, 1.0, 0.0, -1.0, -2.0, 1.0, 0.0];
        let found = solver.solve(Matrix::new(3, 3, &payoffs));
        assert!(found.value().abs() < NEAR && found.gap() < NEAR, "{found:?}");
        for (part, expected) in solver.row().iter().zip([0.25, 0.5, 0.25]) {
            assert!((part - expected).abs() < NEAR, "{:?}", solver.row());
        }
        // Matching pennies with payoffs 3, -1, -2, 4: value (3*4 - 2) / 10.
        let found = solver.solve(Matrix::new(2, 2, &[3.0, -1.0, -2.0, 4.0]));
        assert!((found.value() - 1.0).abs() < NEAR);
        // A saddle point needs no mixing.
        let found = solver.solve(Matrix::new(2, 3, &[5.0, 3.0, 4.0, 9.0, 1.0, 0.0]));
        assert_eq!(
            (found.low, found.high, solver.row(), solver.column()),
            (3.0, 3.0, &[1.0, 0.0][..], &[0.0, 1.0, 0.0][..])
        );
    }

    /// The strategies prove the value, which lies between their guarantees; the gap is a rounding error.
    #[test]
    fn random_matrices_are_solved() {
        let mut rng = Rng::new(1);
        let mut solver = Solver::new();
        for _ in 0..3_000 {
            let (rows, columns) = (1 + rng.index(8), 1 + rng.index(8));
            let range = [2, 10, 1_000_000][rng.index(3)];
            let payoffs: Vec<f64> = (0..rows * columns).map(|_| f64::from(rng.below(range)) - 1.0).collect();
            let found = solver.solve(Matrix::new(rows, columns, &payoffs));
            assert!(
                found.gap().abs() < NEAR * f64::from(range),
                "{found:?} for {rows} x {columns} {payoffs:?}"
            );
            for strategy in [solver.row(), solver.column()] {
                assert!(strategy.iter().all(|&part| part >= 0.0));
                assert!((strategy.iter().sum::<f64>() - 1.0).abs() < NEAR);
            }
        }
    }
}
