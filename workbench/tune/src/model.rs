//! A model for few parameters: a quadratic response, fitted where it is good, that asks for the pairs which tell most about its top.
//!
//! After R. Coulom, *CLOP: confident local optimization for noisy black-box parameter tuning* (2011), on pairs: points that the fit
//! shows to be worse than the mean count less, the surer the less, so that a response which is quadratic near its top only is fitted
//! there; new points are drawn where points count. The answer is the model's top, never the point that happened to win.

use crate::quadratic::dot;
use crate::{Duel, Fit, Plan, Quadratic, Search, Space};
use contender_game::{Rng, mix};
use contender_stats::Interval;

/// The most parameters: a quadratic in five has twenty coefficients.
pub const MOST: usize = 4;
/// A point counts 1/e as much when it is worse than the mean by so many standard errors of a difference (CLOP's `H`).
const PATIENCE: f64 = 10.0;
/// Fits until weights stay; CLOP repeats it until the weights' sum changes little.
const FITS: usize = 8;
/// Points tried by chance before the last is taken as it is.
const TRIES: usize = 100;

/// How much the points count.
#[derive(Clone, Debug)]
struct Region {
    /// Each with the strength below which points count less, and by how much less.
    fits: Vec<(Vec<f64>, f64, f64)>,
}

impl Region {
    fn weight(&self, form: &Quadratic, point: &[f64]) -> f64 {
        let terms = form.terms_at(point);
        let weights = self
            .fits
            .iter()
            .map(|(coefficients, level, width)| ((dot(coefficients, &terms) - level) / width).exp());
        weights.fold(1.0, f64::min)
    }
}

/// A pair that was played.
#[derive(Clone, Debug)]
struct Told {
    /// The terms of both points.
    terms: [Vec<f64>; 2],
    /// Those of A less those of B.
    apart: Vec<f64>,
    signal: f64,
}

/// A fitted model under way.
#[derive(Clone, Debug)]
pub struct Model {
    space: Space,
    plan: Plan,
    form: Quadratic,
    asked: Vec<Duel>,
    pairs: Vec<Told>,
    belief: Vec<[f64; 2]>,
    region: Region,
    fit: Option<Fit>,
    answer: Vec<f64>,
}

impl Model {
    /// Before the first pair.
    ///
    /// # Errors
    /// Too many parameters, in words for the user.
    pub fn new(space: &Space, plan: Plan) -> Result<Model, String> {
        if space.len() > MOST {
            return Err(format!(
                "a model is for up to {MOST} parameters, not {}: take `method = \"spsa\"`, or find out which matter with `method = \"screen\"`",
                space.len()
            ));
        }
        let form = Quadratic::new(space, true);
        let answer = space.start();
        let belief = form.belief(plan.stake);
        Ok(Model {
            space: space.clone(),
            plan,
            form,
            asked: Vec::new(),
            pairs: Vec::new(),
            belief,
            region: Region { fits: Vec::new() },
            fit: None,
            answer,
        })
    }

    /// The response and its last fit, if there is one.
    #[must_use]
    pub fn response(&self) -> Option<(&Quadratic, &Fit)> {
        Some((&self.form, self.fit.as_ref()?))
    }

    /// For each parameter the 95% interval of its best place, and how much worse than the best the answer is at most; `None` of no pairs.
    #[must_use]
    pub fn known(&self) -> Option<(Vec<Interval>, f64)> {
        let fit = self.fit.as_ref()?;
        let mut rng = Rng::new(mix(&[self.pairs.len() as u64]));
        Some(self.form.known(fit, &self.answer, &mut rng))
    }

    fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        let mut point = Vec::new();
        for _ in 0..TRIES {
            point = self.space.settle(&(0..self.space.len()).map(|_| rng.unit()).collect::<Vec<_>>());
            if rng.unit() < self.region.weight(&self.form, &point) {
                break;
            }
        }
        point
    }

    fn refit(&mut self) {
        let form = &self.form;
        let mut region = Region { fits: Vec::new() };
        let mut weights = vec![[1.0; 2]; self.pairs.len()];
        let mut fit = None;
        let mut sum_before = f64::INFINITY;
        for _ in 0..FITS {
            let counted = self.pairs.iter().zip(&weights);
            let counted =
                counted.map(|(pair, weights)| (pair.apart.as_slice(), pair.signal, weights[0] * weights[1]));
            let found = form.fit(counted, &self.belief, self.plan.noise);
            let strengths: Vec<[f64; 2]> = self
                .pairs
                .iter()
                .map(|pair| [0, 1].map(|side| dot(&found.coefficients, &pair.terms[side])))
                .collect();
            let sum: f64 = weights.iter().flatten().sum();
            let level =
                strengths.iter().flatten().zip(weights.iter().flatten()).map(|(q, w)| q * w).sum::<f64>()
                    / sum;
            // A mean of so many pairs is known this well; the fit of as many coefficients is not known better.
            let error = found.noise * (form.len() as f64 / (sum / 2.0)).sqrt();
            let width = PATIENCE * error;
            for (weights, strengths) in weights.iter_mut().zip(&strengths) {
                for side in 0..2 {
                    weights[side] = weights[side].min(((strengths[side] - level) / width).exp());
                }
            }
            region.fits.push((found.coefficients.clone(), level, width));
            fit = Some(found);
            if sum > 0.99 * sum_before {
                break;
            }
            sum_before = sum;
        }
        if let Some(fit) = &fit {
            self.answer = form.best(&fit.coefficients, &self.answer);
        }
        (self.fit, self.region) = (fit, region);
    }
}

impl Search for Model {
    fn ask(&mut self, pairs: usize, rng: &mut Rng) -> Vec<Duel> {
        self.asked = (0..pairs).map(|_| Duel { points: [self.draw(rng), self.draw(rng)] }).collect();
        self.asked.clone()
    }

    fn tell(&mut self, signals: &[Option<f64>]) {
        assert_eq!(signals.len(), self.asked.len(), "every pair that was asked for has ended");
        let told = std::mem::take(&mut self.asked).into_iter().zip(signals);
        for (duel, signal) in told {
            let Some(signal) = *signal else { continue };
            let terms = [0, 1].map(|side| self.form.terms_at(&duel.points[side]));
            self.pairs.push(Told { terms, apart: self.form.apart(&duel), signal });
        }
        if !self.pairs.is_empty() {
            self.refit();
        }
    }

    fn answer(&self) -> Vec<f64> {
        self.answer.clone()
    }

    fn intervals(&self) -> Vec<Option<Interval>> {
        match self.known() {
            Some((intervals, _)) => intervals.into_iter().map(Some).collect(),
            None => vec![None; self.space.len()],
        }
    }
}
