//! How many pairs a precision takes, told before the first is played.
//!
//! After M. Van den Bergh, *A multi-threaded SPSA simulator* (github.com/vdbergh/spsa_simul, with doc/theoretical_basis.pdf): with
//! constant gains the loss of SPSA's last point is a multiple of a chi-squared number with as many degrees of freedom as there are
//! parameters, whatever the curvatures, and the time that the start takes to be forgotten depends on the curvature alone.

use crate::recipe::Kind;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// How far a pair's two points lie to each side of SPSA's centre, as a share of the range: spsa_simul's `c_ratio`.
pub const REACH: f64 = 1.0 / 6.0;
/// How often the start's distance falls to 1/e in a tuning: spsa_simul's `lambda_ratio`. 5% of it are left.
const FORGETTING: f64 = 3.0;
/// What a parameter is worth where the recipe does not say, in precisions: spsa_simul's 2 Elo for a precision of half an Elo.
const STAKE: f64 = 4.0;
/// A model takes so many times the pairs of SPSA, because it learns the curvatures that SPSA takes for granted: by
/// [`simulation`](crate::simulation).
const LEARNED: f64 = 3.0;
/// Below it nothing is learned, whatever the precision.
const LEAST_PAIRS: f64 = 40.0;

/// What a tuning promises and what it takes: where the response is as the stake says, the answer's strength is within the precision of
/// the best with the confidence. Strengths are in the unit of the signal.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// How many parameters there are.
    pub parameters: usize,
    /// How much worse than the best point the answer may be.
    pub precision: f64,
    /// With what probability it is no worse than that.
    pub confidence: f64,
    /// What a parameter is worth: how much is lost half a range away from its best value.
    pub stake: f64,
    /// The standard deviation of a pair's signal.
    pub noise: f64,
    /// Pairs to play.
    pub pairs: u64,
}

/// What is known when a plan is asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question {
    /// The way.
    pub kind: Kind,
    /// How many parameters.
    pub parameters: usize,
    /// The standard deviation of a pair's signal.
    pub noise: f64,
    /// With what probability the promise is to be kept.
    pub confidence: f64,
    /// What a parameter is worth; four precisions where it is not known.
    pub stake: Option<f64>,
}

impl Question {
    /// The plan for a precision.
    #[must_use]
    pub fn for_precision(self, precision: f64) -> Plan {
        let stake = self.stake.unwrap_or(STAKE * precision);
        let pairs = (self.product() / (precision * stake)).max(LEAST_PAIRS).min(1e15).ceil() as u64;
        self.plan(precision, stake, pairs)
    }

    /// The plan for a number of pairs: the precision that they reach.
    #[must_use]
    pub fn for_pairs(self, pairs: u64) -> Plan {
        let product = self.product() / pairs.max(1) as f64;
        let precision = match self.stake {
            Some(stake) => product / stake,
            None => (product / STAKE).sqrt(),
        };
        self.plan(precision, self.stake.unwrap_or(STAKE * precision), pairs)
    }

    /// Pairs times precision times stake.
    fn product(self) -> f64 {
        let learned = if self.kind == Kind::Model { LEARNED } else { 1.0 };
        learned * factor() * self.noise * self.noise * chi_squared(self.parameters, self.confidence)
    }

    fn plan(self, precision: f64, stake: f64, pairs: u64) -> Plan {
        let Question { parameters, noise, confidence, .. } = self;
        Plan { parameters, precision, confidence, stake, noise, pairs }
    }
}

impl Plan {
    /// SPSA's step: how far, in reaches, a signal of 1 moves each parameter.
    #[must_use]
    pub fn rate(&self) -> f64 {
        8.0 * self.precision / (self.noise * self.noise * chi_squared(self.parameters, self.confidence))
    }

    /// The standard deviation of each parameter's last place in SPSA, if it is worth the stake.
    #[must_use]
    pub fn wander(&self) -> f64 {
        (self.precision / (4.0 * self.stake * chi_squared(self.parameters, self.confidence))).sqrt()
    }
}

/// The pairs of a plan are this times variance, quantile of chi squared, and 1 / (precision stake).
///
/// Let a pair be played `REACH` to both sides of the centre in all parameters, and the signal times `rate` be the step, both in reaches.
/// Where a parameter's loss is `h u^2 / 2` at `u` reaches from its best, the centre's distance falls by the factor `1 - 2 rate h` a
/// pair, and comes to rest with the variance `rate noise^2 / (4 h)`: the loss is `rate noise^2 / 8` times chi squared, which gives
/// [`Plan::rate`]. Half a range is `1 / (2 REACH)` reaches, so `stake = h / (8 REACH^2)`; pairs are `FORGETTING / (2 rate h)`.
fn factor() -> f64 {
    FORGETTING / (128.0 * REACH * REACH)
}

fn chi_squared(freedom: usize, confidence: f64) -> f64 {
    ChiSquared::new(freedom.max(1) as f64)
        .map_or(f64::NAN, |distribution| distribution.inverse_cdf(confidence))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of spsa_simul's README: 4 parameters, draws 0.61, 2 Elo at half a range, a precision of half an Elo.
    #[test]
    fn plans_are_those_of_spsa_simul() {
        // Its unit is a game with a result of -1, 0 or 1: 800 / ln 10 Elo, by the slope at equal strength.
        let elo_of_result = 800.0 / 10f64.ln();
        let noise = (1.0 - 0.61f64).sqrt() * elo_of_result;
        let question =
            Question { kind: Kind::Spsa, parameters: 4, noise, confidence: 0.95, stake: Some(2.0) };
        let plan = question.for_precision(0.5);
        assert!((plan.pairs as f64 / 376_868.0 - 1.0).abs() < 1e-3, "{plan:?}");
        let back = Question { stake: None, ..question }.for_pairs(plan.pairs);
        assert!((back.precision - 0.5).abs() < 1e-3 && (back.stake - 2.0).abs() < 4e-3, "{back:?}");
    }
}
