//! Games in which both choose at once: the payoff matrix at every node.
//!
//! A node's value is that of the matrix game whose payoffs are its children's values, so both play mixed strategies. Searching
//! [`InTurn`](contender_game::InTurn) with [`Search`](crate::Search) is the cheap alternative: a pessimistic value for who leads.

use crate::matrix::{Guarantee, Matrix, Solver};
use crate::{Allowance, Meter, Stopped};
use contender_game::{Analysis, MoveAnalysis, Player, Simultaneous};

/// Backward induction over matrix games, deeper and deeper while the allowance lasts.
///
/// With `oracle` a node's matrix is not filled: a small game of some rows and columns is solved, both players' best answers to its
/// solution are added, and so on until neither has a better one. Where few moves matter, few children are searched.
///
/// Source: McMahan, Gordon, Blum, "Planning in the presence of cost functions controlled by an adversary", 2003; in a tree:
/// Bošanský, Lisý, Lanctot, Čermák, Winands, "Algorithms for computing strategies in two-player simultaneous move games", 2016.
pub struct MatrixSearch<G: Simultaneous> {
    oracle: bool,
    meter: Meter,
    /// Counts evaluations at the horizon: while it stands still, all that is found is true at every larger depth.
    horizons: u64,
    /// Working space by depth; empty while a node of that depth uses it.
    levels: Vec<Level<G::Move>>,
}

/// A node's matrix: all moves, the payoffs that are known, and the rows and columns of the small game.
struct Level<M> {
    moves: [Vec<M>; 2],
    /// NaN where unknown.
    payoffs: Vec<f64>,
    chosen: [Vec<usize>; 2],
    small: Vec<f64>,
    solver: Solver,
}

impl<M> Default for Level<M> {
    fn default() -> Self {
        Level {
            moves: [Vec::new(), Vec::new()],
            payoffs: Vec::new(),
            chosen: [Vec::new(), Vec::new()],
            small: Vec::new(),
            solver: Solver::new(),
        }
    }
}

/// Best answers that gain no more than this (times the payoffs' size) are rounding errors.
const TOLERANCE: f64 = 1e-9;

impl<G: Simultaneous> MatrixSearch<G> {
    /// A search, by double oracle or with full matrices.
    #[must_use]
    pub fn new(oracle: bool) -> Self {
        MatrixSearch { oracle, meter: Meter::new(&Allowance::NONE), horizons: 0, levels: Vec::new() }
    }

    /// States that the latest search visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// The value of `state` for player 0, looking `depth` turns ahead; `evaluate` gives the value at the horizon and at the end.
    ///
    /// # Panics
    /// If a player has no move in a game that goes on.
    pub fn value(&mut self, state: &G, depth: usize, evaluate: &mut impl FnMut(&G) -> f64) -> f64 {
        self.meter = Meter::new(&Allowance::NONE);
        self.node(state, depth, evaluate).expect("nothing stops a search without limit")
    }

    /// What is best for each player, by the deepest search that ends within the allowance. The game is not over.
    ///
    /// The moves are those that a player may choose, the likeliest first; the strategy has their probabilities, which are positive and
    /// add up to 1. Each is worth what the strategies guarantee, as far as the children's values are right; they are proven if no line
    /// of play reached the horizon. With no time for any depth it is each player's first move and the evaluation of the state.
    ///
    /// # Panics
    /// If a player has no move.
    pub fn search(
        &mut self,
        state: &G,
        allowance: &Allowance,
        evaluate: &mut impl FnMut(&G) -> f64,
    ) -> [Analysis<G::Move>; 2] {
        self.meter = Meter::new(allowance);
        let value = evaluate(state);
        let mut found = Player::BOTH.map(|player| {
            let mut moves = Vec::new();
            state.moves(player, &mut moves);
            moves.truncate(1);
            let guarantee = Guarantee { low: value, high: value };
            choice(player, guarantee, moves.into_iter().map(|mv| (mv, 1.0)).collect(), 0, false)
        });
        for depth in 1..=allowance.depth.min(Allowance::DEEPEST) {
            if !self.meter.may_start(depth, 1) {
                break;
            }
            let Ok(deeper) = self.root(state, depth, evaluate) else { break };
            found = deeper;
            if found[0].is_proven() {
                break;
            }
        }
        let (nodes, elapsed) = (self.meter.nodes(), self.meter.elapsed());
        found.map(|found| Analysis { counts: vec![("nodes", nodes)], elapsed, ..found })
    }

    fn root(
        &mut self,
        state: &G,
        depth: u32,
        evaluate: &mut impl FnMut(&G) -> f64,
    ) -> Result<[Analysis<G::Move>; 2], Stopped> {
        self.meter.count()?;
        let horizons = self.horizons;
        let mut level = self.take(depth as usize);
        let guarantee = self.solve(state, depth as usize, &mut level, evaluate);
        let probabilities = [level.solver.row(), level.solver.column()];
        let is_solved = self.horizons == horizons;
        let found = guarantee.map(|guarantee| {
            Player::BOTH.map(|player| {
                let parts = level.chosen[player].iter().zip(probabilities[player]);
                let likely = parts.filter(|(_, &part)| part > 0.0);
                let strategy = likely.map(|(&at, &part)| (level.moves[player][at].clone(), part)).collect();
                choice(player, guarantee, strategy, depth, is_solved)
            })
        });
        self.levels[depth as usize] = level;
        found
    }

    fn node(
        &mut self,
        state: &G,
        depth: usize,
        evaluate: &mut impl FnMut(&G) -> f64,
    ) -> Result<f64, Stopped> {
        self.meter.count()?;
        if depth == 0 || state.is_over() {
            self.horizons += u64::from(!state.is_over());
            return Ok(evaluate(state));
        }
        let mut level = self.take(depth);
        let guarantee = self.solve(state, depth, &mut level, evaluate);
        self.levels[depth] = level;
        Ok(guarantee?.value())
    }

    fn take(&mut self, depth: usize) -> Level<G::Move> {
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Level::default);
        }
        std::mem::take(&mut self.levels[depth])
    }

    fn solve(
        &mut self,
        state: &G,
        depth: usize,
        level: &mut Level<G::Move>,
        evaluate: &mut impl FnMut(&G) -> f64,
    ) -> Result<Guarantee, Stopped> {
        for player in Player::BOTH {
            level.moves[player].clear();
            state.moves(player, &mut level.moves[player]);
            assert!(!level.moves[player].is_empty(), "a player has no move");
            let count = if self.oracle { 1 } else { level.moves[player].len() };
            level.chosen[player].clear();
            level.chosen[player].extend(0..count);
        }
        let (rows, columns) = (level.moves[0].len(), level.moves[1].len());
        level.payoffs.clear();
        level.payoffs.resize(rows * columns, f64::NAN);
        loop {
            level.small.clear();
            for r in 0..level.chosen[0].len() {
                for c in 0..level.chosen[1].len() {
                    let (row, column) = (level.chosen[0][r], level.chosen[1][c]);
                    let payoff = self.payoff(state, depth, level, row, column, evaluate)?;
                    level.small.push(payoff);
                }
            }
            let matrix = Matrix::new(level.chosen[0].len(), level.chosen[1].len(), &level.small);
            let guarantee = level.solver.solve(matrix);
            if level.small.len() == level.payoffs.len() {
                return Ok(guarantee);
            }
            let slack = TOLERANCE * (1.0 + guarantee.value().abs());
            let row = self.best_reply(Player::Zero, state, depth, level, evaluate)?;
            let column = self.best_reply(Player::One, state, depth, level, evaluate)?;
            let mut is_done = true;
            for (side, (at, gains)) in
                [(row.0, row.1 > guarantee.high + slack), (column.0, column.1 < guarantee.low - slack)]
                    .into_iter()
                    .enumerate()
            {
                if gains && !level.chosen[side].contains(&at) {
                    level.chosen[side].push(at);
                    is_done = false;
                }
            }
            if is_done {
                return Ok(Guarantee { low: column.1.min(guarantee.low), high: row.1.max(guarantee.high) });
            }
        }
    }

    /// The best move of a side against the other's strategy in the small game, and the value with it.
    fn best_reply(
        &mut self,
        side: Player,
        state: &G,
        depth: usize,
        level: &mut Level<G::Move>,
        evaluate: &mut impl FnMut(&G) -> f64,
    ) -> Result<(usize, f64), Stopped> {
        let sign = f64::from(side.sign());
        let mut best = (0, -sign * f64::INFINITY);
        for own in 0..level.moves[side].len() {
            let mut sum = 0.0;
            for at in 0..level.chosen[side.other()].len() {
                let (row, column, part) = match side {
                    Player::Zero => (own, level.chosen[1][at], level.solver.column()[at]),
                    Player::One => (level.chosen[0][at], own, level.solver.row()[at]),
                };
                if part > 0.0 {
                    sum += part * self.payoff(state, depth, level, row, column, evaluate)?;
                }
            }
            if sign * sum > sign * best.1 {
                best = (own, sum);
            }
        }
        Ok(best)
    }

    /// The value of the child after a row and a column, searched when first asked for.
    fn payoff(
        &mut self,
        state: &G,
        depth: usize,
        level: &mut Level<G::Move>,
        row: usize,
        column: usize,
        evaluate: &mut impl FnMut(&G) -> f64,
    ) -> Result<f64, Stopped> {
        let at = row * level.moves[1].len() + column;
        if level.payoffs[at].is_nan() {
            let mut child = state.clone();
            child.play([&level.moves[0][row], &level.moves[1][column]]);
            level.payoffs[at] = self.node(&child, depth - 1, evaluate)?;
        }
        Ok(level.payoffs[at])
    }
}

/// What a player may choose, with probabilities.
fn choice<M>(
    player: Player,
    guarantee: Guarantee,
    mut strategy: Vec<(M, f64)>,
    depth: u32,
    is_proven: bool,
) -> Analysis<M> {
    strategy.sort_by(|a, b| b.1.total_cmp(&a.1));
    let value = match player {
        Player::Zero => [guarantee.low, guarantee.high],
        Player::One => [-guarantee.high, -guarantee.low],
    };
    let (moves, strategy) = strategy
        .into_iter()
        .map(|(mv, part)| (MoveAnalysis { mv, value, is_proven, effort: 0 }, part))
        .unzip();
    Analysis { strategy, depth, ..Analysis::of(moves) }
}
