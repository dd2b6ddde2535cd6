//! Planning: computes how many pairs a precision requires before the first pair is played.
//!
//! The formulas follow M. Van den Bergh, *A multi-threaded SPSA simulator* (github.com/vdbergh/spsa_simul, with
//! doc/theoretical_basis.pdf). With constant gains, the loss at SPSA's last point is a multiple of a chi-squared
//! variable with one degree of freedom per parameter, regardless of the curvatures. The number of pairs after which the
//! start values no longer matter depends only on the curvature.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Distance of a pair's two points from SPSA's centre, as a fraction of the range (`c_ratio` in spsa_simul).
pub const REACH: f64 = 1.0 / 6.0;
/// Minimum number of times that the distance from the best point must decrease to 1/e (`lambda_ratio` in spsa_simul).
const FORGETTING: f64 = 3.0;
/// Fraction of the precision that is reserved for the remaining influence of the start values, if every parameter
/// starts half a range from its best value. The other part is for the random fluctuation of the last point.
const LEFT: f64 = 0.1;
/// Default stake of a parameter ([`Plan::stake`]), as a multiple of the precision. spsa_simul uses 2 Elo for a
/// precision of 0.5 Elo.
const STAKE: f64 = 4.0;
/// Minimum number of pairs. With fewer pairs, a tuning run learns nothing, even if the precision is low.
const MIN_PAIRS: f64 = 40.0;

/// The plan of a tuning run: its precision and its cost. If the response matches the stake, the loss of the answer is
/// at most `precision` with probability `confidence`. Strengths are in the unit of the signal.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Number of parameters.
    pub parameters: usize,
    /// Maximum loss of the answer compared with the best point.
    pub precision: f64,
    /// Probability that the loss is at most `precision`.
    pub confidence: f64,
    /// The stake of a parameter, which is the loss at half a range from its best value.
    pub stake: f64,
    /// The standard deviation of a pair's signal.
    pub noise: f64,
    /// Number of pairs to play.
    pub pairs: u64,
}

/// The data from which a plan is computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlanInput {
    /// Number of parameters.
    pub parameters: usize,
    /// The standard deviation of a pair's signal.
    pub noise: f64,
    /// Probability that the loss of the answer is at most the precision.
    pub confidence: f64,
    /// The stake of a parameter ([`Plan::stake`]). The default is four times the precision.
    pub stake: Option<f64>,
}

impl PlanInput {
    /// Computes the plan for a precision, including the number of pairs that it needs.
    #[must_use]
    pub fn for_precision(self, precision: f64) -> Plan {
        let stake = self.stake.unwrap_or(STAKE * precision);
        let pairs = self.product(stake / precision) / (precision * stake);
        self.plan(precision, stake, pairs.clamp(MIN_PAIRS, 1e15).ceil() as u64)
    }

    /// Computes the plan for a number of pairs, including the precision that it reaches.
    #[must_use]
    pub fn for_pairs(self, pairs: u64) -> Plan {
        let Some(stake) = self.stake else {
            let precision = (self.product(STAKE) / (STAKE * pairs.max(1) as f64)).sqrt();
            return self.plan(precision, STAKE * precision, pairs);
        };
        // With a finer precision, forgetting the start takes longer, but only logarithmically, so the iteration
        // converges quickly.
        let mut precision = stake;
        for _ in 0..20 {
            precision = self.product(stake / precision) / (stake * pairs.max(1) as f64);
        }
        self.plan(precision, stake, pairs)
    }

    /// Returns the product of the number of pairs, the precision and the stake. The argument is the stake divided by
    /// the precision.
    ///
    /// Each pair is played at a distance of `REACH` on both sides of the centre in all parameters. The step is the
    /// signal times `rate`, in multiples of the reach. Let a parameter's loss be `h u^2 / 2` at a distance of `u`
    /// reaches from its best value. Then each pair multiplies the centre's distance from the best value by
    /// `1 - 2 rate h`. In the long run, the distance varies around 0 with the variance `rate noise^2 / (4 h)`. So the
    /// loss is `rate noise^2 / 8` times a chi-squared variable, which gives [`Plan::rate`]. Half a range is
    /// `1 / (2 REACH)` reaches, so `stake = h / (8 REACH^2)`. The distance must fall to 1/e `forgetting` times, so the
    /// number of pairs is `forgetting / (2 rate h)`.
    fn product(self, stake_in_precisions: f64) -> f64 {
        let start = self.parameters as f64 * stake_in_precisions;
        let forgetting = ((start / LEFT).ln() / 2.0).max(FORGETTING);
        let chi_squared = chi_squared(self.parameters, self.confidence);
        forgetting / ((1.0 - LEFT) * 128.0 * REACH * REACH) * self.noise * self.noise * chi_squared
    }

    fn plan(self, precision: f64, stake: f64, pairs: u64) -> Plan {
        let PlanInput { parameters, noise, confidence, .. } = self;
        Plan { parameters, precision, confidence, stake, noise, pairs }
    }
}

impl Plan {
    /// Returns SPSA's gain: the change of each parameter for a signal of 1, in multiples of the reach.
    #[must_use]
    pub fn rate(&self) -> f64 {
        let wandering = (1.0 - LEFT) * self.precision;
        8.0 * wandering / (self.noise * self.noise * chi_squared(self.parameters, self.confidence))
    }

    /// Returns the standard deviation of each parameter's final position in SPSA around its best position, if the
    /// parameter has the plan's stake.
    #[must_use]
    pub fn wander(&self) -> f64 {
        (self.precision / (4.0 * self.stake * chi_squared(self.parameters, self.confidence))).sqrt()
    }
}

fn chi_squared(freedom: usize, confidence: f64) -> f64 {
    ChiSquared::new(freedom.max(1) as f64)
        .map_or(f64::NAN, |distribution| distribution.inverse_cdf(confidence))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in spsa_simul's README: 4 parameters, a draw ratio of 0.61, 2 Elo at half a range, a precision of
    /// half an Elo.
    #[test]
    fn plans_are_those_of_spsa_simul() {
        // The unit there is a game with a result of -1, 0 or 1, which is 800 / ln 10 Elo with the slope at equal
        // strength.
        let elo_of_result = 800.0 / 10f64.ln();
        let noise = (1.0 - 0.61f64).sqrt() * elo_of_result;
        let question = PlanInput { parameters: 4, noise, confidence: 0.95, stake: Some(2.0) };
        let plan = question.for_precision(0.5);
        // spsa_simul reserves no share of the precision for the start.
        assert!((plan.pairs as f64 * (1.0 - LEFT) / 376_868.0 - 1.0).abs() < 1e-3, "{plan:?}");
        let back = PlanInput { stake: None, ..question }.for_pairs(plan.pairs);
        assert!((back.precision - 0.5).abs() < 1e-3 && (back.stake - 2.0).abs() < 4e-3, "{back:?}");
    }

    /// If the precision is small compared with the stake, a run needs more pairs until the start has no influence.
    /// Computing the pairs from the precision agrees with computing the precision from the pairs.
    #[test]
    fn the_start_is_forgotten() {
        let question = PlanInput { parameters: 12, noise: 150.0, confidence: 0.95, stake: Some(40.0) };
        for precision in [10.0, 1.0, 0.1] {
            let plan = question.for_precision(precision);
            let back = question.for_pairs(plan.pairs);
            assert!((back.precision / precision - 1.0).abs() < 1e-3, "{back:?}");
            // The loss of a start with every parameter half a range off falls by this factor. The exponent is twice
            // that of the distance.
            let pairs = plan.pairs as f64;
            let h = plan.stake * 8.0 * REACH * REACH;
            let left = 12.0 * plan.stake * (-4.0 * plan.rate() * h * pairs).exp();
            assert!(left < 1.001 * LEFT * precision, "{precision}: {left}");
        }
    }
}
