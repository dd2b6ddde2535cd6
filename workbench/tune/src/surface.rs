//! The response surface method, which plays pairs at the most informative points and models all results. The answer is
//! the best point of the model, not the point that happened to score best.
//!
//! G. Box and K. Wilson, *On the experimental attainment of optimum conditions* (1951). A point is drawn with the
//! probability that it is the best point: W. Thompson, *On the likelihood that one unknown probability exceeds another*
//! (1933).

use crate::model::ResponseModel;
use crate::{Duel, Plan, Search, Space};
use contender_game::rules::Rng;
use contender_stats::{Interval, percentile};

/// Number of model updates in a tuning run.
const LOOKS: u64 = 40;
/// Number of pairs played around each chosen point.
const AROUND: usize = 4;
/// Fraction of pairs that are played around the best known point. The other pairs are played around a point that may be
/// the best.
const GREED: f64 = 0.3;
/// Maximum distance of a pair's two points from their midpoint, as a fraction of the range. Seven distances are
/// considered, each `NARROWER` times the previous one.
const WIDEST: f64 = 0.5;
/// The ratio between two consecutive distances, see [`WIDEST`].
const NARROWER: f64 = 0.71;
/// Number of responses drawn to compute an interval.
const DRAWS: usize = 200;

/// The state of the response surface method.
#[derive(Clone, Debug)]
pub struct Surface {
    space: Space,
    plan: Plan,
    model: ResponseModel,
    /// Number of results received so far.
    told: u64,
    /// Number of model updates so far.
    looks: u64,
}

impl Surface {
    /// Creates the method without results.
    #[must_use]
    pub fn new(space: &Space, plan: Plan) -> Surface {
        let model = ResponseModel::new(space, plan.stake, plan.noise);
        Surface { space: space.clone(), plan, model, told: 0, looks: 0 }
    }

    /// Returns the advantage of `a` over `b`, and its standard error.
    #[must_use]
    pub fn difference(&self, a: &[f64], b: &[f64]) -> [f64; 2] {
        self.model.difference(a, b)
    }

    /// Returns the maximum loss of the answer compared with the best point, with the plan's confidence, or `None` if it
    /// is unknown.
    #[must_use]
    pub fn within(&self) -> Option<f64> {
        let mut losses: Vec<f64> = self.draws().into_iter().map(|(_, loss)| loss).collect();
        losses.sort_by(f64::total_cmp);
        percentile(&losses, self.plan.confidence)
    }

    /// Returns the two positions of a parameter, about equally far from `place`, at which pairs give the most
    /// information about the slope at `place`.
    fn ends(&self, parameter: usize, place: f64) -> [f64; 2] {
        let pairs = self.plan.pairs as f64 / LOOKS as f64;
        let widths = (0..7).map(|power| WIDEST * NARROWER.powi(power));
        let ends = widths.map(|width| [(place - width).max(0.0), (place + width).min(1.0)]);
        let told = ends.map(|ends| (self.model.tells(parameter, place, ends, pairs), ends));
        told.max_by(|a, b| a.0.total_cmp(&b.0)).expect("there are seven pairs of ends").1
    }

    /// Returns the positions of two different random words.
    fn words(words: usize, rng: &mut Rng) -> [f64; 2] {
        let one = rng.below(words as u32);
        let other = (one + 1 + rng.below(words as u32 - 1)) % words as u32;
        [one, other].map(|word| f64::from(word) / (words - 1) as f64)
    }

    /// Returns points that may be the best, with their advantages over the answer. Repeated calls return the same
    /// points until the next results arrive.
    fn draws(&self) -> Vec<(Vec<f64>, f64)> {
        self.model.draws(DRAWS, &self.answer(), &mut Rng::new(self.told))
    }
}

impl Search for Surface {
    fn ask(&mut self, pairs: usize, rng: &mut Rng) -> Vec<Duel> {
        let best = self.model.best();
        let mut ends: Vec<[f64; 2]> = Vec::new();
        let duels = (0..pairs).map(|pair| {
            if pair % AROUND == 0 {
                let centre = match rng.unit() < GREED {
                    true => best.clone(),
                    false => self.model.draws(1, &best, rng).swap_remove(0).0,
                };
                ends = (0..centre.len()).map(|at| self.ends(at, centre[at])).collect();
            }
            let mut points = [const { Vec::new() }; 2];
            for (ends, parameter) in ends.iter().zip(&self.space.parameters) {
                let ends = parameter.values.words().map_or(*ends, |words| Surface::words(words, rng));
                let side = (rng.next_u64() >> 63) as usize;
                points[side].push(ends[0]);
                points[1 - side].push(ends[1]);
            }
            Duel { points: points.map(|point| self.space.settle_by_chance(&point, rng)) }
        });
        duels.collect()
    }

    fn tell(&mut self, duels: &[Duel], signals: &[Option<f64>]) {
        assert_eq!(signals.len(), duels.len(), "there must be a result for every requested pair");
        for (duel, signal) in duels.iter().zip(signals) {
            if let Some(signal) = signal {
                self.model.take(duel, *signal);
            }
        }
        self.told += signals.len() as u64;
        if self.told * LOOKS >= self.plan.pairs * (self.looks + 1) {
            self.looks = self.told * LOOKS / self.plan.pairs.max(1);
            self.model.settle();
        }
    }

    fn answer(&self) -> Vec<f64> {
        self.model.best()
    }

    /// Returns, for each numeric parameter, the range that contains the best position in 95 of 100 possible responses.
    fn intervals(&self) -> Vec<Option<Interval>> {
        let draws = self.draws();
        let ends = |at: usize| {
            let mut places: Vec<f64> = draws.iter().map(|(best, _)| best[at]).collect();
            places.sort_by(f64::total_cmp);
            Some(Interval { low: percentile(&places, 0.025)?, high: percentile(&places, 0.975)? })
        };
        let is_number = |at: &usize| self.space.parameters[*at].values.words().is_none();
        (0..self.space.len()).map(|at| Some(at).filter(is_number).and_then(ends)).collect()
    }

    fn model(&self) -> Option<&Surface> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PlanInput;
    use crate::{Parameter, ParameterValues};

    /// A parameter with more than two words can be tuned, and the search depends only on the results.
    #[test]
    fn the_best_word_is_found_and_the_way_there_is_the_same_again() {
        let mut space = Space::plain(1);
        let words = ["a", "b", "c", "d"].map(str::to_string).to_vec();
        space.parameters.push(Parameter {
            name: "word".to_string(),
            values: ParameterValues::Words(words),
            start: 0.0,
        });
        let plan =
            PlanInput { parameters: 2, noise: 10.0, confidence: 0.95, stake: Some(20.0) }.for_pairs(400);
        let strength = |p: &[f64]| {
            -100.0 * (p[0] - 0.8).powi(2) + if (p[1] - 2.0 / 3.0).abs() < 0.1 { 5.0 } else { 0.0 }
        };
        let run = || {
            let mut surface = Surface::new(&space, plan);
            for batch in 0..50 {
                let duels = surface.ask(8, &mut Rng::new(batch));
                assert!(duels.iter().all(|Duel { points: [a, b] }| a[1] != b[1]));
                let signals = duels.iter().map(|Duel { points: [a, b] }| Some(strength(a) - strength(b)));
                let signals: Vec<_> = signals.collect();
                surface.tell(&duels, &signals);
            }
            (surface.answer(), surface.intervals(), surface.within().unwrap())
        };
        let (answer, intervals, within) = run();
        assert!((answer[0] - 0.8).abs() < 0.05 && (answer[1] - 2.0 / 3.0).abs() < 1e-9, "{answer:?}");
        assert!(
            intervals[0].unwrap().contains(0.8) && intervals[1].is_none() && within < 3.0,
            "{intervals:?} {within}"
        );
        assert_eq!((answer, intervals, within), run());
    }
}
