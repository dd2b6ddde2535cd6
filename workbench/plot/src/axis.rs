//! Axes, which map values to pixels and have ticks at round numbers.

use crate::canvas::{Anchor, Canvas, INK, faint};

/// An axis of a picture, which maps values from `low` to `high` to pixels.
#[derive(Clone, Copy)]
pub struct Axis {
    low: f64,
    high: f64,
    from: i32,
    to: i32,
    is_logarithmic: bool,
}

impl Axis {
    /// Creates an axis that covers these values with a small margin. Returns `None` if no value is finite.
    pub fn around(values: impl Iterator<Item = f64>, from: i32, to: i32) -> Option<Axis> {
        let [low, high] = extremes(values)?;
        let room = if high > low { (high - low) * 0.03 } else { low.abs().max(1.0) * 0.1 };
        // The margin around huge values may exceed the range of `f64`.
        let [low, high] = [low - room, high + room].map(|end| end.clamp(f64::MIN / 4.0, f64::MAX / 4.0));
        Some(Axis { low, high, from, to, is_logarithmic: false })
    }

    /// Creates a logarithmic axis that covers the values above zero.
    pub fn logarithmic(values: impl Iterator<Item = f64>, from: i32, to: i32) -> Option<Axis> {
        let logarithms = values.filter(|&value| value > 0.0).map(f64::log10);
        let axis = Axis::around(logarithms, from, to)?;
        // The axis covers at least one decade, so that it has ticks.
        let missing = (1.0 - (axis.high - axis.low)).max(0.0) / 2.0;
        Some(Axis { low: axis.low - missing, high: axis.high + missing, is_logarithmic: true, ..axis })
    }

    /// Returns the pixel of a value. Values outside the axis are mapped to the nearest end of the axis.
    pub fn place(&self, value: f64) -> i32 {
        let value = match self.is_logarithmic {
            true if value > 0.0 => value.log10(),
            true => self.low,
            false => value,
        };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        (f64::from(self.from) + share * f64::from(self.to - self.from)).round() as i32
    }

    /// Returns round values that are about `apart` pixels from each other, with their labels.
    pub fn ticks(&self, apart: i32) -> Vec<(f64, String)> {
        if self.is_logarithmic {
            let [low, high] = [self.low.ceil() as i32, self.high.floor() as i32];
            let pixels = f64::from((self.to - self.from).abs()) / (self.high - self.low);
            let parts: &[f64] = if pixels > 2.5 * f64::from(apart) { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let powers =
                (low - 1..=high).flat_map(|power| parts.iter().map(move |part| part * 10f64.powi(power)));
            let inside = |value: &f64| (self.low..=self.high).contains(&value.log10());
            return powers.filter(inside).map(|value| (value, plain(value, 0.0))).collect();
        }
        let count = (f64::from((self.to - self.from).abs()) / f64::from(apart)).max(1.0);
        let step = round_step((self.high - self.low) / count);
        let [first, last] = [(self.low / step).ceil(), (self.high / step).floor()];
        let ticks = (0..=(last - first).clamp(0.0, 100.0) as i32).map(|at| (first + f64::from(at)) * step);
        ticks.filter(|tick| tick.is_finite()).map(|tick| (tick, plain(tick, step))).collect()
    }

    fn length(&self) -> i32 {
        (self.to - self.from).abs()
    }

    /// Draws a horizontal axis: grid lines from `top` to `bottom`, with numbers and the title below them.
    pub fn draw_below(&self, canvas: &Canvas<'_>, top: i32, bottom: i32, title: &str) {
        for (value, words) in self.ticks(self.length().min(360) / 4) {
            let x = self.place(value);
            let weight = if value == 0.0 && !self.is_logarithmic { 0.55 } else { 0.18 };
            canvas.line(&[[x, top], [x, bottom]], &faint(INK, weight), 1);
            canvas.text(&words, [x, bottom + 14], Anchor::Middle);
        }
        canvas.text(title, [(self.from + self.to) / 2, bottom + 36], Anchor::Middle);
    }

    /// Draws a vertical axis: grid lines from `left` to `right`, with numbers on the left and the title above them.
    pub fn draw_left(&self, canvas: &Canvas<'_>, left: i32, right: i32, title: &str) {
        for (value, words) in self.ticks(self.length().min(230) / 5) {
            let y = self.place(value);
            let weight = if value == 0.0 && !self.is_logarithmic { 0.55 } else { 0.18 };
            canvas.line(&[[left, y], [right, y]], &faint(INK, weight), 1);
            canvas.text(&words, [left - 8, y], Anchor::Right);
        }
        canvas.text(title, [16, self.from.min(self.to) - 18], Anchor::Left);
    }
}

/// Returns the minimum and the maximum of the values that are finite.
pub fn extremes(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    let finite = values.filter(|value| value.is_finite());
    finite.fold(None, |ends: Option<[f64; 2]>, value| {
        Some(ends.map_or([value; 2], |[low, high]| [low.min(value), high.max(value)]))
    })
}

/// Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|part| part * power)
        .find(|&step| step >= least * 0.999)
        .unwrap_or(10.0 * power)
}

/// Formats a number with as many digits as the step between ticks requires.
pub fn plain(value: f64, step: f64) -> String {
    let magnitude = if step > 0.0 { step } else { value.abs() };
    if !(1e-6..1e7).contains(&magnitude) && value != 0.0 {
        return format!("{value:.0e}").replace('-', "−");
    }
    let decimals = if magnitude > 0.0 { (-magnitude.log10().floor()).clamp(0.0, 6.0) as usize } else { 0 };
    decimal(value, decimals)
}

/// Formats a number with this many decimal places and a minus sign. A number that rounds to zero has no sign.
#[must_use]
pub fn decimal(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|letter| matches!(letter, '0' | '.')) => zero.to_string(),
        Some(number) => format!("−{number}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let axis = Axis::around([-3.0, 17.0].into_iter(), 0, 500).unwrap();
        let words: Vec<String> = axis.ticks(100).into_iter().map(|(_, words)| words).collect();
        assert_eq!(words, ["0", "5", "10", "15"]);
        let axis = Axis::logarithmic([0.0, 0.02, 3.0].into_iter(), 0, 500).unwrap();
        let words: Vec<String> = axis.ticks(200).into_iter().map(|(_, words)| words).collect();
        assert_eq!(words, ["0.1", "1"]);
    }

    #[test]
    fn any_numbers_give_an_axis_or_none() {
        assert!(Axis::around([f64::NAN, f64::INFINITY].into_iter(), 0, 9).is_none());
        for values in
            [[f64::MIN, f64::MAX], [0.0, 0.0], [1e300, 1e300], [5e-324, 1e-320], [1.0, 1.0 + f64::EPSILON]]
        {
            for axis in [Axis::around, Axis::logarithmic]
                .map(|make| make(values.into_iter(), 0, 500))
                .into_iter()
                .flatten()
            {
                assert!(axis.ticks(50).len() < 2_000);
                assert!(values.iter().all(|&value| (0..=500).contains(&axis.place(value))));
            }
        }
    }
}
