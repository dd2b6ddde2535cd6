//! Simultaneous perturbation stochastic approximation: the result of each pair moves all parameters at once.
//!
//! J. Spall, *Multivariate stochastic approximation using a simultaneous perturbation gradient approximation* (1992),
//! in the form that chess programs use (J. Kiiski, github.com/zamar/spsa), with constant gains ([`Plan`]). The
//! directions of the step, called signs, are drawn at random for each pair.

use crate::plan::REACH;
use crate::{Duel, Plan, Search, Space, TuneError};
use contender_game::rules::Rng;
use contender_stats::{Interval, normal_quantile};

/// Minimum distance between the centre and a pair's points (the *reach*) near an end of the range.
const MIN_REACH: f64 = REACH / 2.0;

/// The state of an SPSA search.
#[derive(Clone, Debug)]
pub struct Spsa {
    space: Space,
    plan: Plan,
    centre: Vec<f64>,
    /// The signs of the requested pairs: for each parameter, the direction from the centre to point A.
    signs: Vec<Vec<f64>>,
}

impl Spsa {
    /// Creates the search at the start values. A parameter with two words has no values between them, so each word is
    /// initially played equally often.
    ///
    /// # Errors
    /// Returns an error if a parameter has more than two words, because SPSA needs numbers.
    pub fn new(space: &Space, plan: Plan) -> Result<Spsa, TuneError> {
        let words = |at: usize| space.parameters[at].values.words();
        if let Some(wordy) = (0..space.len()).find(|&at| words(at).is_some_and(|words| words > 2)) {
            return Err(TuneError::WordsForSpsa(space.parameters[wordy].name.clone()));
        }
        Ok(Spsa::around_start(space, plan))
    }

    /// Creates a search that explores around the start values, for parameters of any kind. For a parameter with more
    /// than two words, it uses only the first and the last word.
    #[must_use]
    pub fn around_start(space: &Space, plan: Plan) -> Spsa {
        let places = space.parameters.iter();
        let centre = places.map(|parameter| parameter.values.words().map_or(parameter.start, |_| 0.5));
        Spsa { space: space.clone(), plan, centre: centre.collect(), signs: Vec::new() }
    }

    /// Returns the distance of a parameter's points from the centre. It is smaller near an end of the range, so that
    /// the centre remains in the middle of the two points.
    fn reach(&self, at: usize) -> f64 {
        let place = self.centre[at];
        match self.space.parameters[at].values.words() {
            Some(_) => 0.5,
            None => REACH.min(place).min(1.0 - place).max(MIN_REACH),
        }
    }
}

impl Search for Spsa {
    fn ask(&mut self, pairs: usize, rng: &mut Rng) -> Vec<Duel> {
        self.signs = (0..pairs)
            .map(|_| self.centre.iter().map(|_| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }).collect())
            .collect();
        let duels = self.signs.iter().map(|signs| {
            let points = [1.0, -1.0].map(|side| {
                let place = |at: usize| (self.centre[at] + side * signs[at] * self.reach(at)).clamp(0.0, 1.0);
                self.space.settle_by_chance(&(0..signs.len()).map(place).collect::<Vec<_>>(), rng)
            });
            Duel { points }
        });
        duels.collect()
    }

    fn tell(&mut self, _duels: &[Duel], signals: &[Option<f64>]) {
        assert_eq!(signals.len(), self.signs.len(), "there must be a result for every requested pair");
        let steps: Vec<f64> = (0..self.centre.len()).map(|at| self.reach(at) * self.plan.rate()).collect();
        for (signal, signs) in signals.iter().zip(&self.signs) {
            let Some(signal) = signal else { continue };
            for ((place, sign), step) in self.centre.iter_mut().zip(signs).zip(&steps) {
                *place = (*place + step * sign * signal).clamp(0.0, 1.0);
            }
        }
        self.signs.clear();
    }

    fn answer(&self) -> Vec<f64> {
        self.centre.clone()
    }

    /// Returns, for each numeric parameter, the range that contains its best value in 95 of 100 tuning runs, if the
    /// parameter has the plan's stake.
    fn intervals(&self) -> Vec<Option<Interval>> {
        let reach = normal_quantile(0.95) * self.plan.wander();
        let around = |place: f64| Interval { low: (place - reach).max(0.0), high: (place + reach).min(1.0) };
        let is_number = |at: usize| self.space.parameters[at].values.words().is_none();
        (0..self.centre.len()).map(|at| is_number(at).then(|| around(self.centre[at]))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PlanInput;
    use crate::{Parameter, ParameterValues};

    fn plan(parameters: usize) -> Plan {
        PlanInput { parameters, noise: 10.0, confidence: 0.95, stake: None }.for_precision(1.0)
    }

    /// Computed by hand: a signal of 2 moves every parameter towards A by the same amount.
    #[test]
    fn a_pair_moves_all_parameters_towards_the_better_point() {
        let mut spsa = Spsa::new(&Space::plain(3), plan(3)).unwrap();
        let duels = spsa.ask(1, &mut Rng::new(5));
        let before = spsa.answer();
        spsa.tell(&duels, &[Some(2.0)]);
        let step = 2.0 * plan(3).rate() * REACH;
        let [a, b] = &duels[0].points;
        for ((before, after), (a, b)) in before.iter().zip(spsa.answer()).zip(a.iter().zip(b)) {
            assert!((after - before - (a - before).signum() * step).abs() < 1e-12);
            assert!(((a - b).abs() - 2.0 * REACH).abs() < 1e-12);
        }
        let before = spsa.answer();
        let duels = spsa.ask(2, &mut Rng::new(6));
        spsa.tell(&duels, &[None, None]);
        assert_eq!(spsa.answer(), before);
    }

    /// Even near an end of the range, the centre is in the middle of the pair. With two words, both are played from the
    /// first pair on.
    #[test]
    fn pairs_are_around_the_centre() {
        let mut space = Space::plain(2);
        space.parameters[0].start = 0.1;
        space.parameters[1] = Parameter {
            name: "switch".to_string(),
            values: ParameterValues::Words(vec!["on".to_string(), "off".to_string()]),
            start: 0.0,
        };
        let mut spsa = Spsa::new(&space, plan(2)).unwrap();
        for Duel { points: [a, b] } in spsa.ask(20, &mut Rng::new(5)) {
            assert!((a[0] + b[0] - 0.2).abs() < 1e-12 && (a[0] - b[0]).abs() > 0.19, "{a:?} {b:?}");
            assert!(a[1] + b[1] == 1.0 && (a[1] == 0.0 || b[1] == 0.0), "{a:?} {b:?}");
        }
        space.parameters[1].values = ParameterValues::Words(["a", "b", "c"].map(str::to_string).to_vec());
        assert!(Spsa::new(&space, plan(2)).unwrap_err().to_string().contains("`switch` has several words"));
    }
}
