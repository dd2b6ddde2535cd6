//! Integer values, and the arithmetic of chance nodes.
//!
//! A value is an `i32` from player 0's point of view. The evaluation chooses the unit, for example a thousandth of a
//! point. The value of a chance node is the mean of its outcomes **rounded to the nearest unit**, with halves rounded
//! up. Because nodes are rounded and sums do not use floating point, the value of a tree is a well-defined integer: it
//! does not depend on the order in which outcomes are visited, null windows are exactly one unit wide, and a search
//! with pruning gives exactly the same value as one without. Rounding is monotone, so bounds for the outcomes give
//! bounds for the node. [`Mix`] computes windows in exact 64-bit arithmetic, so rounding cannot cause a wrong cut-off.
//! The cost is an error of at most half a unit for each chance node on a path.

/// A number above every value; `-INFINITY` is below every value.
pub const INFINITY: i32 = i32::MAX;

/// The largest value an evaluation may return; the smallest is its negative.
pub const LIMIT: i32 = 1 << 30;

/// A closed interval of values, or the open window `low..high` of a search.
///
/// ```
/// use contender_search::{Bounds, INFINITY};
///
/// // A search with the window 10..20 answers 25: the value is at least 25.
/// let bounds = Bounds::from_answer(25, Bounds::new(10, 20));
/// assert_eq!(bounds, Bounds::new(25, INFINITY));
/// assert_eq!(bounds.intersect(Bounds::new(0, 25)), Bounds::exact(25));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The lower bound (alpha, if this is a search window).
    pub low: i32,
    /// The upper bound (beta, if this is a search window).
    pub high: i32,
}

impl Bounds {
    /// The bounds of an unknown value. As a window, the full window.
    pub const ANY: Bounds = Bounds { low: -INFINITY, high: INFINITY };

    /// The values that an evaluation may return.
    pub const VALUES: Bounds = Bounds { low: -LIMIT, high: LIMIT };

    /// Creates the bounds `low..=high`.
    #[must_use]
    pub const fn new(low: i32, high: i32) -> Bounds {
        Bounds { low, high }
    }

    /// Creates bounds that contain a single value.
    #[must_use]
    pub const fn exact(value: i32) -> Bounds {
        Bounds { low: value, high: value }
    }

    /// Returns whether the value is known exactly.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// Returns whether the value lies within the bounds.
    #[must_use]
    pub const fn contains(self, value: i32) -> bool {
        self.low <= value && value <= self.high
    }

    /// Returns the two ends as floating-point numbers. An unknown end is infinite.
    #[must_use]
    pub fn range(self) -> [f64; 2] {
        [self.low, self.high].map(|end| match end {
            INFINITY => f64::INFINITY,
            end if end == -INFINITY => f64::NEG_INFINITY,
            end => f64::from(end),
        })
    }

    /// Returns the intersection of both bounds. If it is empty, `low > high`.
    #[must_use]
    pub fn intersect(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// Converts bounds from player 0's point of view to `player`'s, or back.
    #[inline]
    #[must_use]
    pub fn seen_by(self, player: contender_game::rules::Player) -> Bounds {
        match player {
            contender_game::rules::Player::Zero => self,
            contender_game::rules::Player::One => Bounds { low: -self.high, high: -self.low },
        }
    }

    /// Returns the bounds that follow from a fail-soft answer of a search with `window`.
    #[must_use]
    pub fn from_answer(answer: i32, window: Bounds) -> Bounds {
        Bounds {
            low: if answer > window.low { answer } else { -INFINITY },
            high: if answer < window.high { answer } else { INFINITY },
        }
    }

    /// Returns the fail-soft answer for `window`, if these bounds determine it.
    #[inline]
    #[must_use]
    pub fn answer(self, window: Bounds) -> Option<i32> {
        if self.low >= window.high && self.low != -INFINITY {
            Some(self.low)
        } else if (self.high <= window.low && self.high != INFINITY) || self.low == self.high {
            Some(self.high)
        } else {
            None
        }
    }
}

/// The value of a chance node as a function of its outcomes' values: `round(sum of weight * value / total)`.
///
/// Sums are exact: the weights of a node add up to less than 2^31 and values are at most [`LIMIT`], so all sums fit in
/// 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// The sum of the weights, which is positive.
    total: i64,
}

impl Mix {
    /// Creates the mix for outcomes whose weights add up to `total`.
    ///
    /// # Panics
    /// Panics if `total` is 0 or not below 2^31.
    #[must_use]
    pub fn new(total: u64) -> Mix {
        assert!(total > 0 && total < 1 << 31, "the weights of a chance node add up to {total}");
        Mix { total: total as i64 }
    }

    /// Returns the node's value for a weighted sum of the outcomes' values.
    #[inline]
    #[must_use]
    pub fn value(self, sum: i64) -> i32 {
        (sum + self.total / 2).div_euclid(self.total) as i32
    }

    /// Returns the largest value that one outcome can have without raising the node's value above `alpha`. `others` is
    /// an upper bound of the other outcomes' weighted sum.
    #[inline]
    #[must_use]
    pub fn alpha(self, alpha: i32, others: i64, weight: u32) -> i32 {
        // value(s) <= alpha  <=>  s + total / 2 < (alpha + 1) * total
        let room = (i64::from(alpha) + 1) * self.total - 1 - self.total / 2 - others;
        clamp(room.div_euclid(i64::from(weight)))
    }

    /// Returns the smallest value that one outcome can have without lowering the node's value below `beta`. `others` is
    /// a lower bound of the other outcomes' weighted sum.
    #[inline]
    #[must_use]
    pub fn beta(self, beta: i32, others: i64, weight: u32) -> i32 {
        // value(s) >= beta  <=>  s + total / 2 >= beta * total
        let need = i64::from(beta) * self.total - self.total / 2 - others;
        clamp(-(-need).div_euclid(i64::from(weight)))
    }
}

fn clamp(value: i64) -> i32 {
    value.clamp(i64::from(-INFINITY), i64::from(INFINITY)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    #[test]
    fn windows_of_outcomes_are_exactly_as_wide_as_they_may_be() {
        let mut rng = Rng::new(1);
        let mut small = |n: u32| rng.below(n) as i32 - n as i32 / 2;
        for _ in 0..20_000 {
            let weight = (small(9) + 5) as u32;
            let mix = Mix::new(u64::from(weight) + (small(40) + 20) as u64);
            let (others, limit) = (i64::from(small(2_000)), small(100));
            let node = |value: i32| mix.value(others + i64::from(weight) * i64::from(value));
            let alpha = mix.alpha(limit, others, weight);
            assert!(node(alpha) <= limit && node(alpha + 1) > limit);
            let beta = mix.beta(limit, others, weight);
            assert!(node(beta) >= limit && node(beta - 1) < limit);
        }
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        let mix = Mix::new((1 << 31) - 1);
        let sum = i64::from(LIMIT) * i64::from(i32::MAX);
        assert_eq!(mix.value(sum), LIMIT);
        assert_eq!(mix.value(-sum), -LIMIT);
        assert_eq!(mix.alpha(INFINITY, -sum, 1), INFINITY);
        assert_eq!(mix.alpha(-INFINITY, sum, 1), -INFINITY);
        assert_eq!(mix.beta(-INFINITY, sum, 1), -INFINITY);
        assert_eq!(mix.beta(INFINITY, -sum, 1), INFINITY);
    }

    #[test]
    fn means_round_to_the_nearest_unit() {
        let mix = Mix::new(4);
        let values: Vec<i32> = (-6..=6).map(|sum| mix.value(sum)).collect();
        assert_eq!(values, [-1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2]);
    }
}
