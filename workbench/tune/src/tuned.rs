//! The bot with the best values of a tuning run, as a name that other commands accept, and the result of its test.

use crate::tuning::Traced;
use crate::{Parameter, ParameterValues, Space, TestResult, TunedBot, Tuning};
use contender_game::settings::Options;
use contender_stats::Interval;

/// Distance from an end of a range, as a share of the range, within which an interval reaches the end.
const NEAR: f64 = 0.005;

/// The bot with the best values so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The game's name.
    pub game: String,
    /// The bundled bot with the best values and with the start values, for example `classic:c=2.45`, or the command of
    /// another bot.
    pub bots: [String; 2],
    /// The values of the parameters.
    pub values: Vec<TunedValue>,
    /// The latest test with a verdict.
    pub test: Option<TestedGain>,
    /// The parameters whose best value may be outside of their range.
    pub at_ends: Vec<AtEnd>,
}

/// The best value of a parameter so far. It has only as many digits as its interval allows.
#[derive(Clone, PartialEq, Debug)]
pub struct TunedValue {
    /// The parameter's name.
    pub name: String,
    /// The start value, and the best value so far.
    pub values: [String; 2],
    /// The ends of the 95% interval, if it is known.
    pub interval: Option<[String; 2]>,
}

/// The result of a test between the tuned and the start values.
#[derive(Clone, PartialEq, Debug)]
pub struct TestedGain {
    /// The verdict of the test.
    pub verdict: TestResult,
    /// The gain of the tuned values, with its 95% interval.
    pub gain: (f64, Option<Interval>),
    /// The unit of the gain.
    pub unit: &'static str,
    /// Number of games.
    pub games: u64,
}

/// A parameter whose interval reaches an end of its range.
#[derive(Clone, PartialEq, Debug)]
pub struct AtEnd {
    /// The parameter's name.
    pub name: String,
    /// The value at the end of the range; `None` if the interval covers the whole range.
    pub value: Option<String>,
    /// Whether the value is the largest one.
    pub is_high: bool,
}

/// Returns the bot with the best values so far.
pub fn tuned(tuning: &Tuning) -> Option<Tuned> {
    let (recipe, space) = (tuning.recipe(), tuning.space());
    let last = tuning.trace().last().filter(|_| !recipe.screen)?;
    let bot = bot(&recipe.bot, space)?;
    let mut test = tuning.tests().iter().flatten().filter_map(|test| {
        let (verdict, gain) = (test.verdict()?, test.advantage()?);
        Some(TestedGain { verdict, gain, unit: tuning.unit().name(), games: 2 * test.pairs() })
    });
    let ends = || space.parameters.iter().zip(&last.intervals);
    let point = point(tuning, last);
    let values: Vec<TunedValue> = ends()
        .zip(&point)
        .map(|((parameter, interval), &place)| value(parameter, place, *interval))
        .collect();
    let best = values.iter().map(|of| (of.name.clone(), of.values[1].clone()));
    Some(Tuned {
        game: recipe.game.clone(),
        bots: [bot.with_values(best), bot.command(space, &space.start())],
        values,
        test: test.next_back(),
        at_ends: ends().filter_map(|(parameter, interval)| at_end(parameter, (*interval)?)).collect(),
    })
}

/// Returns a parameter's value with as many decimals as its interval allows: the last one changes the value by less
/// than a tenth of the interval's half width.
fn value(parameter: &Parameter, place: f64, interval: Option<Interval>) -> TunedValue {
    let digits = interval.filter(|interval| interval.reach() > 0.0).and_then(|interval| {
        let ParameterValues::Numbers { step: None, low, high, .. } = parameter.values else { return None };
        let reach = (parameter.values.at(interval.high) - parameter.values.at(interval.low)) / 2.0;
        Some(((-(reach / 10.0).log10()).ceil().max(0.0) as usize, [low, high]))
    });
    let text = |place: f64| {
        let text = parameter.text(place);
        let Some((digits, [low, high])) = digits else { return text };
        let Ok(value) = text.parse::<f64>() else { return text };
        let short = format!("{value:.digits$}");
        let rounded = short.parse::<f64>().unwrap_or(value);
        // Rounding must not leave the range.
        if short.len() < text.len() && (low..=high).contains(&rounded) { short } else { text }
    };
    TunedValue {
        name: parameter.name.clone(),
        values: [parameter.text(parameter.start), text(place)],
        interval: interval.map(|interval| [text(interval.low), text(interval.high)]),
    }
}

/// Returns the best values so far.
pub fn point(tuning: &Tuning, last: &Traced) -> Vec<f64> {
    tuning.answer().map_or_else(|| tuning.space().settle(&last.point), <[f64]>::to_vec)
}

/// Returns the bot of a recipe whose parameters were already checked, so the game is not needed.
fn bot(text: &str, space: &Space) -> Option<TunedBot> {
    if space.parameters.iter().any(|parameter| text.contains(&format!("{{{}}}", parameter.name))) {
        return Some(TunedBot::Command(text.to_string()));
    }
    let (name, options) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
    let mut options = Options::parse(options).ok()?;
    for parameter in &space.parameters {
        options.take::<String>(&parameter.name).ok()?;
    }
    Some(TunedBot::Bundled { name: name.to_string(), options })
}

/// Returns whether the interval of a number's position reaches an end of its range.
fn at_end(parameter: &Parameter, interval: Interval) -> Option<AtEnd> {
    let ParameterValues::Numbers { .. } = parameter.values else { return None };
    let reached = [interval.low < NEAR, interval.high > 1.0 - NEAR];
    let end = |is_high: bool| parameter.text(f64::from(u8::from(is_high)));
    let value = match reached {
        [false, false] => return None,
        [true, true] => None,
        [_, is_high] => Some(end(is_high)),
    };
    Some(AtEnd { name: parameter.name.clone(), value, is_high: reached[1] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(high: f64) -> Parameter {
        let values = ParameterValues::Numbers { low: 0.0, high, step: None, log: false };
        Parameter { name: "c".to_string(), values, start: 0.5 }
    }

    /// A value has as many digits as its interval allows, and stays in its range.
    #[test]
    fn values_have_no_meaningless_digits() {
        let range = |low: f64, high: f64| Some(Interval { low, high });
        let of = |place: f64, interval| value(&parameter(2.828427), place, interval);
        let wide = of(0.8678, range(0.7134, 1.0));
        assert_eq!(wide.values, ["1.4142", "2.45"]);
        // 2.83 would be outside of the range.
        assert_eq!(wide.interval, Some(["2.02".to_string(), "2.8284".to_string()]));
        assert_eq!(of(0.8678, range(0.8670, 0.8686)).values[1], "2.4545");
        assert_eq!(of(0.8678, None).values[1], "2.4545");
    }

    #[test]
    fn intervals_at_an_end_are_named() {
        let of = |low: f64, high: f64| at_end(&parameter(2.0), Interval { low, high });
        assert_eq!(of(0.2, 0.9), None);
        let end = |value: Option<&str>, is_high| {
            Some(AtEnd { name: "c".to_string(), value: value.map(str::to_string), is_high })
        };
        assert_eq!(of(0.2, 1.0), end(Some("2"), true));
        assert_eq!(of(0.001, 0.4), end(Some("0"), false));
        assert_eq!(of(0.0, 1.0), end(None, true));
    }

    /// Fixed options stay, and the start value of a parameter gives way to its best value.
    #[test]
    fn bots_are_named_with_their_values() {
        let space = Space { parameters: vec![parameter(2.0)] };
        let named = |text: &str| bot(text, &space).unwrap().command(&space, &[0.25]);
        assert_eq!(named("classic:c=1,draw=0.3"), "classic:draw=0.3,c=0.5");
        assert_eq!(named("./own --c {c}"), "./own --c 0.5");
    }
}
