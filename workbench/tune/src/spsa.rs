//! Simultaneous perturbation stochastic approximation: all parameters move at once, by the result of one pair.
//!
//! J. Spall, *Multivariate stochastic approximation using a simultaneous perturbation gradient approximation* (1992), in the form that
//! chess programs use (J. Kiiski, github.com/zamar/spsa) with constant gains ([`Plan`]). Every pair has signs of its own.

use crate::plan::REACH;
use crate::{Duel, Plan, Search, Space};
use contender_game::Rng;
use contender_stats::{Interval, normal_quantile};

/// SPSA under way.
#[derive(Clone, Debug)]
pub struct Spsa {
    space: Space,
    plan: Plan,
    centre: Vec<f64>,
    /// Of the pairs that were asked for.
    signs: Vec<Vec<f64>>,
}

impl Spsa {
    /// At the start.
    ///
    /// # Errors
    /// A parameter with more than two words, in words for the user: SPSA goes along numbers.
    pub fn new(space: &Space, plan: Plan) -> Result<Spsa, String> {
        if let Some(wordy) =
            space.parameters.iter().find(|parameter| parameter.values.words().is_some_and(|words| words > 2))
        {
            return Err(format!(
                "SPSA goes along numbers, and `{}` has several words without an order: take `method = \"model\"`, or two words",
                wordy.name
            ));
        }
        Ok(Spsa { space: space.clone(), plan, centre: space.start(), signs: Vec::new() })
    }
}

impl Search for Spsa {
    fn ask(&mut self, pairs: usize, rng: &mut Rng) -> Vec<Duel> {
        self.signs = (0..pairs)
            .map(|_| self.centre.iter().map(|_| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }).collect())
            .collect();
        let duels = self.signs.iter().map(|signs| {
            let points = [1.0, -1.0].map(|side| {
                let point: Vec<f64> = self
                    .centre
                    .iter()
                    .zip(signs)
                    .map(|(place, sign)| (place + side * sign * REACH).clamp(0.0, 1.0))
                    .collect();
                self.space.settle_by_chance(&point, rng)
            });
            Duel { points }
        });
        duels.collect()
    }

    fn tell(&mut self, signals: &[Option<f64>]) {
        assert_eq!(signals.len(), self.signs.len(), "every pair that was asked for has ended");
        let step = REACH * self.plan.rate();
        for (signal, signs) in signals.iter().zip(&self.signs) {
            let Some(signal) = signal else { continue };
            for (place, sign) in self.centre.iter_mut().zip(signs) {
                *place = (*place + step * sign * signal).clamp(0.0, 1.0);
            }
        }
        self.signs.clear();
    }

    fn answer(&self) -> Vec<f64> {
        self.centre.clone()
    }

    /// Where each parameter would be in 95 of 100 tunings, if it is worth the stake.
    fn intervals(&self) -> Vec<Option<Interval>> {
        let reach = normal_quantile(0.95) * self.plan.wander();
        let around =
            |&place: &f64| Interval { low: (place - reach).max(0.0), high: (place + reach).min(1.0) };
        self.centre.iter().map(|place| Some(around(place))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Question;
    use crate::recipe::Kind;
    use crate::simulation::plain_space;

    /// One pair by hand: a signal of 2 at A moves every parameter towards A by the same.
    #[test]
    fn a_pair_moves_all_parameters_towards_the_better_point() {
        let question =
            Question { kind: Kind::Spsa, parameters: 3, noise: 10.0, confidence: 0.95, stake: None };
        let plan = question.for_precision(1.0);
        let mut spsa = Spsa::new(&plain_space(3), plan).unwrap();
        let duels = spsa.ask(1, &mut Rng::new(5));
        let before = spsa.answer();
        spsa.tell(&[Some(2.0)]);
        let step = 2.0 * plan.rate() * REACH;
        for at in 0..3 {
            let towards = (duels[0].points[0][at] - before[at]).signum();
            assert!((spsa.answer()[at] - before[at] - towards * step).abs() < 1e-12);
            let apart = duels[0].points[0][at] - duels[0].points[1][at];
            assert!((apart.abs() - 2.0 * REACH).abs() < 1e-12);
        }
        let before = spsa.answer();
        spsa.ask(2, &mut Rng::new(6));
        spsa.tell(&[None, None]);
        assert_eq!(spsa.answer(), before);
    }
}
