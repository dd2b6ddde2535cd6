//! Means of measurements with their uncertainty.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// A range that contains the true value with a certain confidence.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The lower end.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub low: f64,
    /// The upper end, which is at least `low`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub high: f64,
}

impl Interval {
    /// Returns whether `value` is in the range, including its ends.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns the range after applying `f` to both ends. `f` must be non-decreasing.
    #[must_use]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Interval {
        Interval { low: f(self.low), high: f(self.high) }
    }

    /// Returns half the width of the range.
    #[must_use]
    pub fn reach(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Returns the half width of an interval with this confidence, in standard errors: 1.96 for 0.95.
///
/// # Panics
/// Panics if `confidence` is not strictly between 0 and 1.
#[must_use]
pub fn normal_quantile(confidence: f64) -> f64 {
    assert!(confidence > 0.0 && confidence < 1.0, "the confidence level must be between 0 and 1");
    Normal::standard().inverse_cdf(0.5 + confidence / 2.0)
}

/// A running summary of measurements. It takes measurements one at a time without storing them, and can be merged with
/// another summary.
///
/// The mean and the squared differences from the mean are updated with each measurement (Welford 1962; merging as in
/// Chan, Golub and LeVeque 1979), so large values with small differences do not lose precision.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Summary {
    count: u64,
    mean: f64,
    /// Sum of the squared differences from the mean.
    squares: f64,
}

impl Summary {
    /// Returns the summary of `count` measurements with this mean and this sum of squared differences from the mean.
    pub(crate) fn from_parts(count: u64, mean: f64, squares: f64) -> Summary {
        Summary { count, mean, squares }
    }

    /// Adds a measurement.
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// Adds all measurements of another summary.
    pub fn merge(&mut self, other: &Summary) {
        if other.count == 0 {
            return;
        }
        let count = self.count + other.count;
        let apart = other.mean - self.mean;
        let share = other.count as f64 / count as f64;
        self.squares += other.squares + apart * apart * self.count as f64 * share;
        self.mean += apart * share;
        self.count = count;
    }

    /// Returns the number of measurements.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean, or `None` if there are no measurements.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Returns the unbiased estimate of the variance (divisor n - 1), or `None` for fewer than two measurements.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// Returns the square root of the variance, or `None` for fewer than two measurements.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Returns the standard error of the mean, or `None` for fewer than two measurements.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.count as f64).sqrt())
    }

    /// Returns Student's interval of the mean, or `None` for fewer than two measurements. If all measurements are
    /// equal, the interval has no width and does not show the true uncertainty.
    ///
    /// # Panics
    /// Panics if `confidence` is not strictly between 0 and 1.
    #[must_use]
    pub fn interval(&self, confidence: f64) -> Option<Interval> {
        check_confidence(confidence);
        let error = self.standard_error()?;
        let reach = error * self.student()?.inverse_cdf(0.5 + confidence / 2.0);
        Some(Interval { low: self.mean - reach, high: self.mean + reach })
    }

    /// Returns the distribution of the mean's error, measured in standard errors.
    fn student(&self) -> Option<StudentsT> {
        let freedom = self.count.checked_sub(1)?;
        StudentsT::new(0.0, 1.0, freedom as f64).ok()
    }
}

impl Extend<f64> for Summary {
    fn extend<T: IntoIterator<Item = f64>>(&mut self, values: T) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl FromIterator<f64> for Summary {
    fn from_iter<T: IntoIterator<Item = f64>>(values: T) -> Summary {
        let mut summary = Summary::default();
        summary.extend(values);
        summary
    }
}

/// Returns the value that a share of the measurements does not exceed, for example 0.5 for the median. Values between
/// two measurements are interpolated linearly (type 7 of Hyndman and Fan, as in most spreadsheets). Returns `None` if
/// there are no measurements. `sorted` must be in ascending order, and `share` must be in `0.0..=1.0`.
///
/// # Panics
/// Panics if `share` is outside the range `0.0..=1.0`.
#[must_use]
pub fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    assert!((0.0..=1.0).contains(&share), "a share must be between 0 and 1, not {share}");
    let last = sorted.len().checked_sub(1)?;
    let place = share * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (place - below as f64) * (sorted[above] - sorted[below]))
}

pub(crate) fn check_confidence(confidence: f64) {
    assert!(
        confidence > 0.0 && confidence < 1.0,
        "the confidence level must be between 0 and 1, not {confidence}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;
    use proptest::prelude::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
    }

    /// Computes mean and variance with the textbook's two passes.
    fn slow_mean_and_variance(values: &[f64]) -> (f64, f64) {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        (mean, squares / (values.len() - 1) as f64)
    }

    proptest! {
        #[test]
        fn one_pass_agrees_with_two(values in prop::collection::vec(-1e6..1e6f64, 2..60)) {
            let summary: Summary = values.iter().copied().collect();
            let (mean, variance) = slow_mean_and_variance(&values);
            prop_assert!(close(summary.mean().unwrap(), mean));
            prop_assert!(close(summary.variance().unwrap(), variance));
            prop_assert!(close(summary.standard_error().unwrap().powi(2), variance / values.len() as f64));
        }

        #[test]
        fn merging_is_taking_all(a in prop::collection::vec(-1e3..1e3f64, 0..30), b in prop::collection::vec(-1e3..1e3f64, 0..30)) {
            let mut merged: Summary = a.iter().copied().collect();
            merged.merge(&b.iter().copied().collect());
            let all: Summary = a.iter().chain(&b).copied().collect();
            prop_assert_eq!(merged.count(), all.count());
            prop_assert!(close(merged.mean, all.mean) && close(merged.squares, all.squares));
        }

        #[test]
        fn percentile_counts(mut values in prop::collection::vec(-100i32..100, 1..40), share in 0.0..=1.0f64) {
            values.sort_unstable();
            let sorted: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
            let value = percentile(&sorted, share).unwrap();
            let place = share * (sorted.len() - 1) as f64;
            let below = sorted.iter().filter(|&&other| other < value).count() as f64;
            let not_above = sorted.iter().filter(|&&other| other <= value).count() as f64;
            prop_assert!(below <= place.ceil() && not_above >= place.floor() + 1.0, "{value} {place} {below} {not_above}");
        }
    }

    #[test]
    fn few_measurements_claim_nothing() {
        let none = Summary::default();
        assert_eq!((none.count(), none.mean(), none.variance(), none.interval(0.95)), (0, None, None, None));
        let one: Summary = [3.0].into_iter().collect();
        assert_eq!(
            (one.count(), one.mean(), one.standard_error(), one.interval(0.95)),
            (1, Some(3.0), None, None)
        );
        let equal: Summary = [3.0; 5].into_iter().collect();
        assert_eq!(equal.interval(0.95), Some(Interval { low: 3.0, high: 3.0 }));
        assert_eq!(percentile(&[], 0.5), None);
    }

    #[test]
    fn large_values_keep_their_digits() {
        let summary: Summary = [1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0].into_iter().collect();
        assert_eq!(summary.variance(), Some(30.0));
    }

    /// Quantiles of Student's distribution from printed tables.
    #[test]
    fn intervals_have_the_width_of_the_tables() {
        for (freedom, confidence, quantile) in [
            (1, 0.95, 12.706),
            (2, 0.95, 4.303),
            (2, 0.99, 9.925),
            (10, 0.90, 1.812),
            (10, 0.95, 2.228),
            (100, 0.95, 1.984),
            (1_000_000, 0.95, 1.960),
        ] {
            let summary = Summary::from_parts(freedom + 1, 0.0, (freedom * (freedom + 1)) as f64);
            let interval = summary.interval(confidence).unwrap();
            assert!((interval.high - quantile).abs() < 1e-3, "{freedom} {confidence}: {interval:?}");
            assert!(close(interval.low, -interval.high));
        }
    }

    #[test]
    fn median_and_ends() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        let at = |share| percentile(&sorted, share).unwrap();
        assert_eq!([at(0.0), at(0.5), at(1.0), at(0.25)], [1.0, 3.0, 8.0, 1.75]);
    }

    /// Computes many intervals, each from seven uniform values. The share of intervals that contain the true mean must
    /// equal the confidence.
    #[test]
    fn intervals_keep_their_promise() {
        let mut rng = Rng::new(1);
        let rounds = 20_000;
        let mut held = 0;
        for _ in 0..rounds {
            let summary: Summary = (0..7).map(|_| rng.unit()).collect();
            held += u32::from(summary.interval(0.95).unwrap().contains(0.5));
        }
        let share = f64::from(held) / f64::from(rounds);
        assert!((0.94..0.96).contains(&share), "{share}");
    }
}
