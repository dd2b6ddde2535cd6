//! Other methods for comparison: fishtest's gains, random search, a grid.

use contender_game::rules::Rng;
use contender_stats::{ELO_OF_SCORE, Interval, Summary};
use contender_tune::{Duel, Search, Space};

/// SPSA with decreasing gains, as github.com/official-stockfish/fishtest proposes them in its form: `c_end` is a
/// twentieth of the range, `r_end` is 0.002, `A` is a tenth of the pairs, alpha is 0.602 and gamma is 0.101 (Spall).
#[derive(Clone, Debug)]
pub struct Fishtest {
    space: Space,
    centre: Vec<f64>,
    pairs: f64,
    played: f64,
    signs: Vec<Vec<f64>>,
    reach: f64,
}

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const R_END: f64 = 0.002;
const C_END: f64 = 1.0 / 20.0;

impl Fishtest {
    /// Creates the method at the start of a tuning run of `pairs` pairs.
    pub fn new(space: &Space, pairs: u64) -> Fishtest {
        Fishtest {
            space: space.clone(),
            centre: space.start(),
            pairs: pairs as f64,
            played: 0.0,
            signs: Vec::new(),
            reach: 0.0,
        }
    }
}

impl Search for Fishtest {
    fn ask(&mut self, pairs: usize, rng: &mut Rng) -> Vec<Duel> {
        self.reach = C_END * self.pairs.powf(GAMMA) / (self.played + 1.0).powf(GAMMA);
        self.signs = (0..pairs)
            .map(|_| self.centre.iter().map(|_| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }).collect())
            .collect();
        let duels = self.signs.iter().map(|signs| {
            let side = |side: f64| -> Vec<f64> {
                let places = self.centre.iter().zip(signs);
                places.map(|(place, sign)| (place + side * sign * self.reach).clamp(0.0, 1.0)).collect()
            };
            Duel { points: [self.space.settle(&side(1.0)), self.space.settle(&side(-1.0))] }
        });
        duels.collect()
    }

    fn tell(&mut self, _duels: &[Duel], signals: &[Option<f64>]) {
        let a_end = R_END * C_END * C_END;
        let stability = 0.1 * self.pairs;
        let a = a_end * (stability + self.pairs).powf(ALPHA) / (stability + self.played + 1.0).powf(ALPHA);
        for (signal, signs) in signals.iter().zip(&self.signs) {
            // Fishtest's result of a pair is wins minus losses, from -2 to 2.
            let result = 4.0 * signal.unwrap_or(0.0) / ELO_OF_SCORE;
            for (place, sign) in self.centre.iter_mut().zip(signs) {
                *place = (*place + a / self.reach * result * sign).clamp(0.0, 1.0);
            }
        }
        self.played += signals.len() as f64;
    }

    fn answer(&self) -> Vec<f64> {
        self.centre.clone()
    }

    fn intervals(&self) -> Vec<Option<Interval>> {
        vec![None; self.centre.len()]
    }
}

/// Random points, each played against the start with an equal share of the games. The point with the best result is the
/// answer.
#[derive(Clone, Debug)]
pub struct RandomSearch {
    space: Space,
    pairs: u64,
    points: Vec<(Vec<f64>, Summary)>,
    asked: Vec<usize>,
    next: usize,
}

impl RandomSearch {
    /// Creates the method. The number of points is the square root of the number of pairs, but at most a hundred.
    pub fn new(space: &Space, pairs: u64) -> RandomSearch {
        RandomSearch { space: space.clone(), pairs, points: Vec::new(), asked: Vec::new(), next: 0 }
    }
}

impl Search for RandomSearch {
    fn ask(&mut self, pairs: usize, rng: &mut Rng) -> Vec<Duel> {
        if self.points.is_empty() {
            let count = ((self.pairs as f64).sqrt() as usize).clamp(2, 100);
            let mut point = || (0..self.space.len()).map(|_| rng.unit()).collect::<Vec<_>>();
            self.points = (0..count).map(|_| (self.space.settle(&point()), Summary::default())).collect();
        }
        let count = self.points.len();
        self.asked = (self.next..self.next + pairs).map(|at| at % count).collect();
        self.next += pairs;
        self.asked
            .iter()
            .map(|&at| Duel { points: [self.points[at].0.clone(), self.space.start()] })
            .collect()
    }

    fn tell(&mut self, _duels: &[Duel], signals: &[Option<f64>]) {
        for (&at, signal) in self.asked.iter().zip(signals) {
            self.points[at].1.extend(*signal);
        }
    }

    fn answer(&self) -> Vec<f64> {
        luckiest(&self.points).unwrap_or_else(|| self.space.start())
    }

    fn intervals(&self) -> Vec<Option<Interval>> {
        vec![None; self.space.len()]
    }
}

/// Returns the point with the best mean, if it is better than the start.
fn luckiest(points: &[(Vec<f64>, Summary)]) -> Option<Vec<f64>> {
    let means = points.iter().filter_map(|(point, summary)| Some((summary.mean()?, point)));
    means.filter(|(mean, _)| *mean > 0.0).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, point)| point.clone())
}

/// Five values of each parameter. With up to three parameters, all combinations are played against the start. With
/// more, one parameter is tried after another, and the best value of each is kept.
#[derive(Clone, Debug)]
pub struct GridSearch {
    space: Space,
    pairs: u64,
    played: u64,
    /// The best point so far.
    base: Vec<f64>,
    /// The parameter whose values are tried; `None` if all combinations are tried.
    parameter: Option<usize>,
    points: Vec<(Vec<f64>, Summary)>,
    asked: Vec<usize>,
}

/// The values of a parameter in a grid, as places.
const LEVELS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

impl GridSearch {
    /// Creates the grid before the first pair.
    pub fn new(space: &Space, pairs: u64) -> GridSearch {
        let count = space.len();
        let parameter = (count > 3).then_some(0);
        let base = space.start();
        let mut grid = GridSearch {
            space: space.clone(),
            pairs,
            played: 0,
            base,
            parameter,
            points: Vec::new(),
            asked: Vec::new(),
        };
        grid.lay();
        grid
    }

    fn lay(&mut self) {
        let points: Vec<Vec<f64>> = match self.parameter {
            Some(at) => LEVELS
                .iter()
                .map(|&level| {
                    let mut point = self.base.clone();
                    point[at] = level;
                    point
                })
                .collect(),
            None => (0..5_usize.pow(self.space.len() as u32))
                .map(|cell| {
                    (0..self.space.len()).map(|at| LEVELS[cell / 5_usize.pow(at as u32) % 5]).collect()
                })
                .collect(),
        };
        self.points =
            points.into_iter().map(|point| (self.space.settle(&point), Summary::default())).collect();
    }
}

impl Search for GridSearch {
    fn ask(&mut self, pairs: usize, _rng: &mut Rng) -> Vec<Duel> {
        self.asked =
            (self.played as usize..self.played as usize + pairs).map(|at| at % self.points.len()).collect();
        self.asked.iter().map(|&at| Duel { points: [self.points[at].0.clone(), self.base.clone()] }).collect()
    }

    fn tell(&mut self, _duels: &[Duel], signals: &[Option<f64>]) {
        for (&at, signal) in self.asked.iter().zip(signals) {
            self.points[at].1.extend(*signal);
        }
        self.played += signals.len() as u64;
        if let Some(at) = self.parameter {
            let due = self.pairs * (at as u64 + 1) / self.space.len() as u64;
            if self.played >= due && at + 1 < self.space.len() {
                self.base = self.answer();
                self.parameter = Some(at + 1);
                self.lay();
            }
        }
    }

    fn answer(&self) -> Vec<f64> {
        luckiest(&self.points).unwrap_or_else(|| self.base.clone())
    }

    fn intervals(&self) -> Vec<Option<Interval>> {
        vec![None; self.space.len()]
    }
}
