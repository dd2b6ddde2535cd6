//! The parameter space of a tuning run: parameters with their ranges, and points.

use contender_game::rules::Rng;
use serde::{Deserialize, Serialize};

/// Fraction of the range to which numbers without a step are rounded, so that they have no meaningless digits.
const FINEST: f64 = 1e-4;

/// A parameter in a recipe. Missing keys are taken from the bot's settings.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Range {
    /// The smallest value to try.
    pub low: Option<f64>,
    /// The largest value to try.
    pub high: Option<f64>,
    /// The start value, with which the final test compares the tuned value. The default is the setting's default value.
    pub start: Option<Start>,
    /// The distance between possible values, starting at `low`. It is 1 for integers.
    pub step: Option<f64>,
    /// Whether the scale is logarithmic. The distance from 1 to 2 then equals the distance from 2 to 4.
    pub log: bool,
    /// The words to try, for a parameter that is not a number.
    pub words: Option<Vec<String>>,
}

/// A start value in a recipe.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Start {
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
}

/// A parameter to tune.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// The parameter's name in the bot's settings, or in braces in the command of an external bot.
    pub name: String,
    /// The possible values of the parameter.
    pub values: ParameterValues,
    /// The position of the start value.
    pub start: f64,
}

/// The possible values of a parameter. The *position* (place) of a value is a number from 0, for the smallest number or
/// the first word, to 1, for the largest number or the last word.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterValues {
    /// The numbers in a range.
    Numbers {
        /// The smallest number.
        low: f64,
        /// The largest number.
        high: f64,
        /// The distance between possible numbers, starting at `low`, or `None` if all numbers are possible.
        step: Option<f64>,
        /// Whether the scale is logarithmic.
        log: bool,
    },
    /// A choice of at least two words.
    Words(Vec<String>),
}

impl ParameterValues {
    /// Creates a range of numbers. Returns the reason if it is invalid.
    pub(crate) fn numbers(
        low: f64,
        high: f64,
        step: Option<f64>,
        log: bool,
    ) -> Result<ParameterValues, String> {
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(format!("a range must be two numbers in ascending order, not {low} and {high}"));
        }
        if log && low <= 0.0 {
            return Err(format!(
                "a range on a logarithmic scale (`log = true`) must start above 0, not at \
                {low}"
            ));
        }
        if step.is_some_and(|step| !(step > 0.0 && step <= high - low)) {
            let width = high - low;
            return Err(format!(
                "a step must be above 0 and at most {width}, the width of the range from \
                                {low} to {high}"
            ));
        }
        Ok(ParameterValues::Numbers { low, high, step, log })
    }

    /// Returns the number at a position. For words, returns the index of the word.
    #[must_use]
    pub fn at(&self, place: f64) -> f64 {
        match *self {
            ParameterValues::Numbers { low, high, log: true, .. } => low * (high / low).powf(place),
            ParameterValues::Numbers { low, high, .. } => low + place * (high - low),
            ParameterValues::Words(ref words) => place * (words.len() - 1) as f64,
        }
    }

    /// Returns the position of a number.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let place = match *self {
            ParameterValues::Numbers { low, high, log: true, .. } => (value / low).ln() / (high / low).ln(),
            ParameterValues::Numbers { low, high, .. } => (value - low) / (high - low),
            ParameterValues::Words(ref words) => value / (words.len() - 1) as f64,
        };
        place.clamp(0.0, 1.0)
    }

    /// Returns the step and the origin of the grid of possible numbers, or `None` if there is no grid.
    fn grid(&self) -> Option<[f64; 2]> {
        match *self {
            ParameterValues::Numbers { low, step, .. } => step.map(|step| [step, low]),
            ParameterValues::Words(_) => Some([1.0, 0.0]),
        }
    }

    /// Returns the position of a possible value near this position. Without `rng`, this is the nearest one. With `rng`,
    /// it is one of the two neighbours, drawn at random so that the expected value equals the value at the given
    /// position.
    pub(crate) fn settle(&self, place: f64, rng: Option<&mut Rng>) -> f64 {
        let place = place.clamp(0.0, 1.0);
        let Some([step, from]) = self.grid() else { return place };
        let steps = (self.at(place) - from) / step;
        let below = (steps + 1e-9).floor();
        let is_above = match rng {
            Some(rng) => rng.unit() < steps - below,
            None => steps - below >= 0.5,
        };
        let last = ((self.at(1.0) - from) / step + 1e-9).floor();
        self.place(from + step * (below + f64::from(u8::from(is_above))).min(last))
    }

    /// Returns the value at a position, as the bot reads it. The position must belong to a possible value.
    fn text(&self, place: f64) -> String {
        match self {
            ParameterValues::Words(words) => words[self.at(place).round() as usize].clone(),
            ParameterValues::Numbers { low, high, step, log } => {
                let value = self.at(place);
                // On a logarithmic scale, the rounding must be relative to the value.
                let finest = FINEST * if *log { value } else { high - low };
                let step = step.unwrap_or(finest);
                let decimals = (-step.log10()).ceil().clamp(0.0, 12.0) as usize;
                let decimals =
                    if self.grid().is_some() { decimals_of(step).max(decimals_of(*low)) } else { decimals };
                let text = format!("{value:.decimals$}");
                let text =
                    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
                if text == "-0" { "0".to_string() } else { text.to_string() }
            }
        }
    }

    /// Returns the number of words, or `None` if the values are numbers.
    #[must_use]
    pub fn words(&self) -> Option<usize> {
        match self {
            ParameterValues::Words(words) => Some(words.len()),
            ParameterValues::Numbers { .. } => None,
        }
    }
}

/// Returns the number of decimal places in the usual notation of a number.
fn decimals_of(number: f64) -> usize {
    let text = format!("{number}");
    text.split_once('.').map_or(0, |(_, digits)| digits.len())
}

impl Parameter {
    /// Returns the value at a position, as the bot reads it.
    #[must_use]
    pub fn text(&self, place: f64) -> String {
        self.values.text(self.values.settle(place, None))
    }
}

/// All parameters of a tuning run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Space {
    /// The parameters. There is at least one.
    pub parameters: Vec<Parameter>,
}

impl Space {
    /// Creates a space with `parameters` numeric parameters without steps, each of which starts in the middle of its
    /// range.
    #[must_use]
    pub fn plain(parameters: usize) -> Space {
        let values = ParameterValues::Numbers { low: 0.0, high: 1.0, step: None, log: false };
        let parameter = |at: usize| Parameter { name: format!("p{at}"), values: values.clone(), start: 0.5 };
        Space { parameters: (0..parameters).map(parameter).collect() }
    }

    /// Returns the number of parameters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parameters.len()
    }

    /// Returns whether there are no parameters, which is never the case in a tuning run.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }

    /// Returns the point with all start values.
    #[must_use]
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// Returns the nearest possible point.
    #[must_use]
    pub fn settle(&self, point: &[f64]) -> Vec<f64> {
        self.parameters
            .iter()
            .zip(point)
            .map(|(parameter, &place)| parameter.values.settle(place, None))
            .collect()
    }

    /// Rounds `point` randomly to a nearby valid point, so that the expected value of each parameter is its value at
    /// `point`.
    #[must_use]
    pub fn settle_by_chance(&self, point: &[f64], rng: &mut Rng) -> Vec<f64> {
        let places = self.parameters.iter().zip(point);
        places.map(|(parameter, &place)| parameter.values.settle(place, Some(rng))).collect()
    }

    /// Returns the names and values of all parameters at a point, as the bot reads them: `c=0.3,reuse=on`.
    #[must_use]
    pub fn text(&self, point: &[f64]) -> String {
        let pairs = self.parameters.iter().zip(point);
        pairs
            .map(|(parameter, &place)| format!("{}={}", parameter.name, parameter.text(place)))
            .collect::<Vec<_>>()
            .join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;
    use proptest::prelude::*;

    proptest! {
        /// A possible place stays unchanged, the nearest possible place is chosen without randomness, and random
        /// choices have the right mean.
        #[test]
        fn settled_places_can_be_set(low in -50i32..50, width in 1u32..40, step in 1u32..9, place in 0.0..1.0f64, seed: u64) {
            prop_assume!(step <= width);
            let [low, width, step] = [f64::from(low), f64::from(width), f64::from(step)];
            let values = ParameterValues::numbers(low, low + width, Some(step), false).unwrap();
            let settled = values.settle(place, None);
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            prop_assert!(near(values.settle(settled, None), settled));
            let all = (0..=(width / step) as u32).map(|k| low + f64::from(k) * step);
            let distance = |value: f64| (value - values.at(place)).abs();
            let least = all.map(distance).fold(f64::INFINITY, f64::min);
            prop_assert!(near(distance(values.at(settled)), least), "{} {}", values.at(place), values.at(settled));
            let text: f64 = values.text(settled).parse().unwrap();
            prop_assert!(near(text, values.at(settled)));
            let mut rng = Rng::new(seed);
            let mean = (0..2000).map(|_| values.at(values.settle(place, Some(&mut rng)))).sum::<f64>() / 2000.0;
            let last = low + (width / step).floor() * step;
            prop_assert!((mean - values.at(place).min(last)).abs() < 0.2 * step, "{mean} {}", values.at(place));
        }
    }
}
