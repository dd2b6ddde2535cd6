//! Intervals of success rates.

use crate::{Interval, summary::check_confidence};
use statrs::distribution::{ContinuousCDF, Normal};

/// Returns Wilson's interval (1927) for a rate of `successes` in `trials`, with draws as half successes. Returns `None`
/// if there are no trials.
///
/// Unlike the naive interval, this interval stays within 0 and 1, and does not shrink to a point if all trials have the
/// same result.
///
/// # Panics
/// Panics if `successes` is not between 0 and `trials`, or if `confidence` is not strictly between 0 and 1.
#[must_use]
pub fn wilson(successes: f64, trials: u64, confidence: f64) -> Option<Interval> {
    check_confidence(confidence);
    let n = trials as f64;
    assert!((0.0..=n).contains(&successes), "{successes} successes of {trials} trials");
    if trials == 0 {
        return None;
    }
    let rate = successes / n;
    let z = Normal::standard().inverse_cdf(0.5 + confidence / 2.0);
    let scale = 1.0 + z * z / n;
    let middle = (rate + z * z / (2.0 * n)) / scale;
    let reach = z / scale * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
    // At the limits the ends are exact. With rounding they would be slightly off.
    let low = if successes == 0.0 { 0.0 } else { middle - reach };
    let high = if successes == n { 1.0 } else { middle + reach };
    Some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Checks the definition: each end is a rate from which the observed rate is `z` standard errors away,
        /// according to the normal approximation.
        #[test]
        fn ends_solve_the_score_equation(trials in 1u64..500, share in 0.0..=1.0f64) {
            let successes = (share * trials as f64).round();
            let interval = wilson(successes, trials, 0.95).unwrap();
            let rate = successes / trials as f64;
            let solve = |mut inside: f64, mut outside: f64| {
                for _ in 0..80 {
                    let middle = (inside + outside) / 2.0;
                    let error = (middle * (1.0 - middle) / trials as f64).sqrt();
                    if (rate - middle).abs() <= 1.959_963_985 * error { inside = middle } else { outside = middle }
                }
                inside
            };
            prop_assert!((interval.low - solve(rate, 0.0)).abs() < 1e-6, "{interval:?}");
            prop_assert!((interval.high - solve(rate, 1.0)).abs() < 1e-6, "{interval:?}");
        }
    }

    #[test]
    fn edges() {
        assert_eq!(wilson(0.0, 0, 0.95), None);
        let all = wilson(10.0, 10, 0.95).unwrap();
        assert_eq!(all.high, 1.0);
        assert!((all.low - 0.722_467).abs() < 1e-6, "{all:?}");
        let none = wilson(0.0, 10, 0.95).unwrap();
        assert!((none.high - 0.277_533).abs() < 1e-6 && none.low == 0.0, "{none:?}");
    }
}
