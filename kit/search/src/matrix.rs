//! Zero-sum matrix games: what both should do who choose at the same time.
//!
//! Two ways: the simplex method, exact up to rounding and best for small matrices, and regret matching, which never fails and can
//! be stopped at any time. Both give mixed strategies, and the value's bounds are computed from the strategies themselves: whatever
//! went on before, each player is sure of its bound.

/// Solves matrix games and keeps the strategies; holds working space, so that repeated solving does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    row: Vec<f64>,
    column: Vec<f64>,
    tableau: Vec<f64>,
    basis: Vec<usize>,
    regret: [Vec<f64>; 2],
    current: [Vec<f64>; 2],
}

/// A matrix of payoffs to the row player, who maximises; `payoffs[row * columns + column]`.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    rows: usize,
    columns: usize,
    payoffs: &'a [f64],
}

/// What both players can be sure of with the strategies found; the value of the game lies between.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guarantee {
    /// What the row strategy gets at least.
    pub low: f64,
    /// What the column strategy allows at most.
    pub high: f64,
}

impl Guarantee {
    /// The middle between both.
    #[must_use]
    pub fn value(self) -> f64 {
        0.5 * (self.low + self.high)
    }

    /// How far the strategies are from optimal, together.
    #[must_use]
    pub fn gap(self) -> f64 {
        self.high - self.low
    }
}

impl<'a> Matrix<'a> {
    /// The matrix with these finite payoffs, row by row.
    ///
    /// # Panics
    /// If there is no row, no column, or their product is not the number of payoffs.
    #[must_use]
    pub fn new(rows: usize, columns: usize, payoffs: &'a [f64]) -> Matrix<'a> {
        assert!(rows > 0 && columns > 0 && rows * columns == payoffs.len(), "a matrix of {rows} x {columns}");
        Matrix { rows, columns, payoffs }
    }

    fn row(&self, row: usize) -> &'a [f64] {
        &self.payoffs[row * self.columns..][..self.columns]
    }

    /// What a row gets against a mixed column strategy.
    fn row_payoff(&self, row: usize, column: &[f64]) -> f64 {
        self.row(row).iter().zip(column).map(|(payoff, part)| payoff * part).sum()
    }

    /// What a mixed row strategy gets against a column.
    fn column_payoff(&self, column: usize, row: &[f64]) -> f64 {
        row.iter().enumerate().map(|(at, part)| part * self.payoffs[at * self.columns + column]).sum()
    }

    /// What these strategies guarantee.
    ///
    /// # Panics
    /// If a strategy is not as long as its side of the matrix.
    #[must_use]
    pub fn guarantee(&self, row: &[f64], column: &[f64]) -> Guarantee {
        assert!(row.len() == self.rows && column.len() == self.columns, "strategies of another matrix");
        Guarantee {
            low: (0..self.columns).map(|at| self.column_payoff(at, row)).fold(f64::INFINITY, f64::min),
            high: (0..self.rows).map(|at| self.row_payoff(at, column)).fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// A row and a column that are best against each other, if there are: then nobody needs to mix.
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
    /// A solver without working space yet.
    #[must_use]
    pub fn new() -> Solver {
        Solver::default()
    }

    /// The probabilities of the rows in the latest solution.
    #[must_use]
    pub fn row(&self) -> &[f64] {
        &self.row
    }

    /// The probabilities of the columns in the latest solution.
    #[must_use]
    pub fn column(&self) -> &[f64] {
        &self.column
    }

    /// Solves by looking for a saddle point and else by the simplex method; the gap is of the order of rounding errors.
    ///
    /// Source: Dantzig, "A proof of the equivalence of the programming problem and the game problem", 1951; Bland's rule against
    /// cycling.
    pub fn solve(&mut self, matrix: Matrix<'_>) -> Guarantee {
        if let Some((row, column)) = matrix.saddle() {
            pure(&mut self.row, matrix.rows, row);
            pure(&mut self.column, matrix.columns, column);
        } else {
            self.simplex(matrix);
        }
        matrix.guarantee(&self.row, &self.column)
    }

    /// With payoffs shifted and scaled into 1..=2: maximise the sum of y where A y <= 1, y >= 0. Then y and the dual solution,
    /// each scaled to add up to 1, are the strategies.
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

    /// Solves by regret matching⁺ with alternating updates and linear averaging, for this many rounds or until the gap is at most
    /// `tolerance` (looked at every 16 rounds).
    ///
    /// Source: Tammelin, Burch, Johanson, Bowling, "Solving heads-up limit Texas hold'em", 2015.
    pub fn regret_matching(&mut self, matrix: Matrix<'_>, rounds: u32, tolerance: f64) -> Guarantee {
        for (side, size) in [matrix.rows, matrix.columns].into_iter().enumerate() {
            self.regret[side].clear();
            self.regret[side].resize(size, 0.0);
            self.current[side].clear();
            self.current[side].resize(size, 1.0 / size as f64);
        }
        // Sums of the strategies so far; scaled only at the end.
        for (sum, size) in [(&mut self.row, matrix.rows), (&mut self.column, matrix.columns)] {
            sum.clear();
            sum.resize(size, 1.0 / size as f64);
        }
        for round in 1..=rounds {
            let [row, column] = &mut self.current;
            update(&mut self.regret[0], row, |at| matrix.row_payoff(at, column));
            update(&mut self.regret[1], column, |at| -matrix.column_payoff(at, row));
            let share = 2.0 / (f64::from(round) + 1.0);
            for (mean, now) in [(&mut self.row, &*row), (&mut self.column, &*column)] {
                mean.iter_mut().zip(now).for_each(|(mean, now)| *mean += share * (now - *mean));
            }
            if round % 16 == 0 && matrix.guarantee(&self.row, &self.column).gap() <= tolerance {
                break;
            }
        }
        matrix.guarantee(&self.row, &self.column)
    }
}

/// One step of a player: regrets grow by what each choice would have gained and never fall below 0; the strategy follows them.
fn update(regret: &mut [f64], strategy: &mut [f64], payoff: impl Fn(usize) -> f64) {
    let mean: f64 = strategy.iter().enumerate().map(|(at, part)| part * payoff(at)).sum();
    for (at, regret) in regret.iter_mut().enumerate() {
        *regret = (*regret + payoff(at) - mean).max(0.0);
    }
    strategy.copy_from_slice(regret);
    normalise(strategy);
}

fn pure(strategy: &mut Vec<f64>, len: usize, at: usize) {
    strategy.clear();
    strategy.resize(len, 0.0);
    strategy[at] = 1.0;
}

/// Scales to a sum of 1; uniform if all are 0.
fn normalise(strategy: &mut [f64]) {
    let sum: f64 = strategy.iter().sum();
    if sum > 0.0 {
        strategy.iter_mut().for_each(|part| *part /= sum);
    } else {
        strategy.fill(1.0 / strategy.len() as f64);
    }
}
