//! The parameter space of a tuning run: parameters with their ranges, points, and the bot that plays with the settings
//! of a point.

use crate::TuneError;
use contender_game::{
    contest::Contest,
    rules::Rng,
    settings::{Options, Setting, SettingKind},
};
use contender_input::did_you_mean;
use contender_play::{Entrant, EntrantError, Program};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum ratio of a setting's range to its start value. If the ratio is larger, the default range covers only a part
/// of the setting's range.
const WIDE: f64 = 10.0;
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
    fn numbers(low: f64, high: f64, step: Option<f64>, log: bool) -> Result<ParameterValues, String> {
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
    fn place(&self, value: f64) -> f64 {
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
    fn settle(&self, place: f64, rng: Option<&mut Rng>) -> f64 {
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

/// A bot with parameters to tune.
#[derive(Clone, PartialEq, Debug)]
pub enum TunedBot {
    /// A bundled bot with its fixed settings.
    Bundled {
        /// The bot's name.
        name: String,
        /// The options that are not tuned.
        options: Options,
    },
    /// A command with the parameters' names in braces.
    Command(String),
}

impl TunedBot {
    /// Parses a bundled bot and its parameters to tune.
    ///
    /// # Errors
    /// Returns an error if the bot is unknown, if it lacks a parameter, or if a range is invalid.
    pub fn read(
        contest: &dyn Contest,
        text: &str,
        ranges: &BTreeMap<String, Range>,
    ) -> Result<(TunedBot, Space), TuneError> {
        if ranges.is_empty() {
            return Err(TuneError::Bot("no parameter to tune".to_string()));
        }
        let text = text.trim();
        let name = text.split(':').next().unwrap_or_default();
        let info = contest.info();
        match info.bots.iter().find(|bot| bot.name == name) {
            Some(known) => {
                let entrant = Entrant::parse(contest, text)?;
                let Program::Bundled { mut options, .. } = entrant.program else {
                    unreachable!("the name belongs to a bundled bot")
                };
                let settings = (known.settings)();
                let mut parameters = Vec::new();
                for (name, range) in ranges {
                    let setting = settings.iter().find(|setting| setting.name == name);
                    let setting =
                        setting.ok_or_else(|| TuneError::Bot(unknown(name, known.name, &settings)))?;
                    // A value in the bot's text is the parameter's start value.
                    let given: Option<String> = options.take(name).map_err(TuneError::Bot)?;
                    parameters.push(
                        of_setting(setting, range, given)
                            .map_err(|reason| TuneError::Parameter { name: name.clone(), reason })?,
                    );
                }
                Ok((TunedBot::Bundled { name: known.name.to_string(), options }, Space { parameters }))
            }
            None => {
                let (bot, space) = TunedBot::read_command(text, ranges)?;
                bot.at(Some(contest), &space, &space.start())?;
                Ok((bot, space))
            }
        }
    }

    /// Parses a command with the parameters' names in braces. The parameters are described only by the ranges.
    ///
    /// # Errors
    /// Returns an error if a parameter does not occur in the command, or if a range is invalid.
    pub fn read_command(
        text: &str,
        ranges: &BTreeMap<String, Range>,
    ) -> Result<(TunedBot, Space), TuneError> {
        if ranges.is_empty() {
            return Err(TuneError::Bot("no parameter to tune".to_string()));
        }
        let mut parameters = Vec::new();
        for (name, range) in ranges {
            if ["nodes", "seed", "time"].contains(&name.as_str()) {
                return Err(TuneError::Bot(format!(
                    "`{{{name}}}` in a command is reserved for the referee: choose another name for \
                     the parameter"
                )));
            }
            if !text.contains(&format!("{{{name}}}")) {
                return Err(TuneError::Bot(format!(
                    "the command `{text}` does not contain `{{{name}}}` for the parameter"
                )));
            }
            let parameter = of_command(name, range);
            parameters.push(parameter.map_err(|reason| TuneError::Parameter { name: name.clone(), reason })?);
        }
        if text.contains("[keep-alive]") {
            let words = "a bot that plays many games in one process cannot change its settings; tune the \
                bot without `[keep-alive]`";
            return Err(TuneError::Bot(words.to_string()));
        }
        Ok((TunedBot::Command(text.to_string()), Space { parameters }))
    }

    /// Returns the bot's command at a point or, for a bundled bot, its name and settings.
    #[must_use]
    pub fn command(&self, space: &Space, point: &[f64]) -> String {
        let places = space.parameters.iter().zip(point);
        self.with_values(places.map(|(parameter, &place)| (parameter.name.clone(), parameter.text(place))))
    }

    /// Returns the bot's command, or its name and settings, with the names and values of its parameters.
    pub(crate) fn with_values(&self, values: impl Iterator<Item = (String, String)>) -> String {
        match self {
            TunedBot::Bundled { name, options } => {
                let fixed = Some(options.to_string()).filter(|text| !text.is_empty());
                let values = values.map(|(name, value)| format!("{name}={value}"));
                format!("{name}:{}", fixed.into_iter().chain(values).collect::<Vec<_>>().join(","))
            }
            TunedBot::Command(text) => values
                .fold(text.clone(), |command, (name, value)| command.replace(&format!("{{{name}}}"), &value)),
        }
    }

    /// Returns the bot that plays at a point. The bot's name shows the settings.
    ///
    /// # Errors
    /// Returns an error if the bot is invalid.
    pub fn at(
        &self,
        contest: Option<&dyn Contest>,
        space: &Space,
        point: &[f64],
    ) -> Result<Entrant, EntrantError> {
        let command = self.command(space, point);
        let entrant = match contest {
            Some(contest) => Entrant::parse(contest, &command),
            None => Entrant::parse_command(&command),
        }?;
        match self {
            TunedBot::Bundled { .. } => Ok(entrant),
            TunedBot::Command(_) => Ok(Entrant { name: space.text(point), ..entrant }),
        }
    }
}

/// Returns the error for an unknown setting of a bot.
fn unknown(name: &str, bot: &str, settings: &[Setting]) -> String {
    let known: Vec<&str> = settings
        .iter()
        .filter(|setting| setting.kind != SettingKind::Text)
        .map(|setting| setting.name)
        .collect();
    if known.is_empty() {
        return format!("`{bot}` has no settings to tune");
    }
    let tip = did_you_mean(name, known.iter().copied());
    format!("unknown setting `{name}` of `{bot}`; available: {}{tip}", known.join(", "))
}

fn of_setting(setting: &Setting, range: &Range, given: Option<String>) -> Result<Parameter, String> {
    let default = given.unwrap_or_else(|| setting.default.clone());
    match &setting.kind {
        SettingKind::Text => Err("its values are neither numbers nor words from a list".to_string()),
        SettingKind::Words(words) => {
            let words: Vec<String> = match &range.words {
                Some(chosen) => chosen.clone(),
                None => words.iter().map(|word| word.to_string()).collect(),
            };
            let known = match &setting.kind {
                SettingKind::Words(known) => known,
                _ => unreachable!("the parameter's values are words"),
            };
            if let Some(wrong) = words.iter().find(|word| known.iter().all(|known| known != word)) {
                return Err(format!("unknown word `{wrong}`; available: {}", known.join(", ")));
            }
            of_words(setting.name, words, range, Some(default))
        }
        SettingKind::Whole(low, high) | SettingKind::Number(low, high) => {
            if range.words.is_some() {
                return Err(format!("its values are numbers from {low} to {high}, not words"));
            }
            let is_whole = matches!(setting.kind, SettingKind::Whole(..));
            let start = match &range.start {
                Some(Start::Number(start)) => *start,
                Some(Start::Word(word)) => return Err(format!("`start` must be a number, not `{word}`")),
                None => default
                    .parse()
                    .map_err(|_| format!("its default is `{default}`: set `start` to a number"))?,
            };
            let mut bounds = [*low, *high];
            // Stockfish's default range is from 0 to twice the value (src/tune.h). It is used here if the setting's own
            // range is much wider.
            if bounds[1] - bounds[0] > WIDE * start.abs() && start != 0.0 {
                bounds = [bounds[0].max((2.0 * start).min(0.0)), bounds[1].min((2.0 * start).max(0.0))];
            }
            for (end, asked) in [range.low, range.high].into_iter().enumerate() {
                let Some(asked) = asked else { continue };
                if !(*low..=*high).contains(&asked) {
                    return Err(format!("{asked} is outside the range {low} to {high}"));
                }
                bounds[end] = asked;
            }
            if !bounds.iter().all(|bound| bound.is_finite()) {
                return Err("its range is unbounded: set `low` and `high`".to_string());
            }
            if range.log && bounds[0] <= 0.0 && range.low.is_none() {
                return Err(
                    "a range on a logarithmic scale (`log = true`) must start above 0: set `low`".to_string()
                );
            }
            let step = range.step.or(is_whole.then_some(1.0));
            if is_whole && [step.unwrap_or(1.0), bounds[0]].iter().any(|number| number.fract() != 0.0) {
                return Err("its values are whole numbers, so `low` and `step` must also be whole numbers"
                    .to_string());
            }
            number(setting.name, bounds, start, step, range.log)
        }
    }
}

fn of_command(name: &str, range: &Range) -> Result<Parameter, String> {
    if let Some(words) = &range.words {
        return of_words(name, words.clone(), range, None);
    }
    let (Some(low), Some(high)) = (range.low, range.high) else {
        return Err(
            "the settings of an external bot are unknown: set `low` and `high`, or `words`".to_string()
        );
    };
    let start = match &range.start {
        Some(Start::Number(start)) => *start,
        _ => {
            return Err(
                "the settings of an external bot are unknown: set `start` to its current value".to_string()
            );
        }
    };
    number(name, [low, high], start, range.step, range.log)
}

fn number(
    name: &str,
    [low, high]: [f64; 2],
    start: f64,
    step: Option<f64>,
    log: bool,
) -> Result<Parameter, String> {
    let values = ParameterValues::numbers(low, high, step, log)?;
    if !(low..=high).contains(&start) {
        return Err(format!("its start {start} is outside the range {low} to {high}"));
    }
    let start = values.settle(values.place(start), None);
    Ok(Parameter { name: name.to_string(), values, start })
}

fn of_words(
    name: &str,
    words: Vec<String>,
    range: &Range,
    default: Option<String>,
) -> Result<Parameter, String> {
    if range.low.is_some() || range.high.is_some() || range.step.is_some() || range.log {
        return Err("its values are words, so `low`, `high`, `step` and `log` do not apply".to_string());
    }
    let is_plain =
        |word: &String| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "_-.+".contains(c));
    if words.len() < 2 || !words.iter().all(is_plain) {
        return Err("`words` must list at least two words, made of letters, digits and `_-.+`".to_string());
    }
    let start = match &range.start {
        Some(Start::Word(word)) => word.clone(),
        Some(Start::Number(number)) => number.to_string(),
        None => default.ok_or("set `start` to the word that the bot currently uses")?,
    };
    let Some(at) = words.iter().position(|word| *word == start) else {
        return Err(format!("unknown `start` `{start}`; available: {}", words.join(", ")));
    };
    let start = at as f64 / (words.len() - 1) as f64;
    Ok(Parameter { name: name.to_string(), values: ParameterValues::Words(words), start })
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_catalogue::find;
    use contender_game::rules::Rng;
    use proptest::prelude::*;

    fn read(bot: &str, toml: &str) -> Result<(TunedBot, Space), TuneError> {
        let ranges: BTreeMap<String, Range> = toml::from_str(toml).unwrap();
        TunedBot::read(find("uttt").unwrap(), bot, &ranges)
    }

    #[test]
    fn ranges_come_from_the_settings() {
        let (bot, space) =
            read("champion:reuse=off,c=0.2", "c = {}\nminimax = {}\nhabit = { high = 0.5 }").unwrap();
        let shown: Vec<(&str, f64, f64)> =
            space.parameters.iter().map(|p| (p.name.as_str(), p.values.at(0.0), p.values.at(1.0))).collect();
        // A range from 0 to 100 is wide for a start of 0.2, but one from 0 to 1 is not wide for 0.3.
        assert_eq!(shown, [("c", 0.0, 0.4), ("habit", 0.0, 0.5), ("minimax", 0.0, 1.0)]);
        assert_eq!(space.text(&space.start()), "c=0.2,habit=0.05,minimax=0.3");
        let entrant = bot.at(find("uttt"), &space, &[1.0, 0.0, 0.5]).unwrap();
        assert_eq!(entrant.name, "champion:reuse=off,c=0.4,habit=0,minimax=0.5");
    }

    #[test]
    fn words_and_switches_are_places_too() {
        let (_, space) = read(
            "classic",
            "mark = {}\ncentre = { start = \"only\" }\ncap = { low = 40, high = 81, step = 3 }",
        )
        .unwrap();
        assert_eq!(space.text(&space.start()), "cap=70,centre=only,mark=on");
        assert_eq!(space.text(&[1.0, 0.0, 1.0]), "cap=79,centre=first,mark=off");
    }

    #[test]
    fn commands_take_parameters_in_braces() {
        let toml = "c = { low = 0.1, high = 10, start = 1, log = true }\nmode = { words = [\"a\", \"b\"], start = \"b\" }";
        let (bot, space) = read("cat --c={c} -m {mode} {seed}", toml).unwrap();
        let entrant = bot.at(find("uttt"), &space, &space.start()).unwrap();
        let Program::Command(command) = entrant.program else { panic!("{:?}", entrant.program) };
        assert_eq!(command.words, ["cat", "--c=1", "-m", "b", "{seed}"]);
        assert_eq!(space.text(&[0.75, 0.0]), "c=3.1623,mode=a");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (bot, toml, words) in [
            ("champion", "exploraton = {}", "unknown setting `exploraton`"),
            ("champion", "minmax = {}", "did you mean `minimax`?"),
            ("champion", "c = { low = -1 }", "-1 is outside the range 0 to 100"),
            ("champion", "c = { low = 2, high = 1 }", "ascending"),
            ("champion", "c = { low = 2, high = 3 }", "its start 0.1 is outside the range 2 to 3"),
            ("champion", "c = { log = true }", "must start above 0"),
            ("champion", "habit = { start = 0.0, low = 0 }", "unbounded"),
            ("champion", "c = { step = 7, high = 1 }", "a step must be above 0"),
            ("champion", "reuse = { low = 0 }", "its values are words"),
            (
                "champion",
                "reuse = { words = [\"on\", \"maybe\"] }",
                "unknown word `maybe`; available: on, off",
            ),
            ("classic", "cap = { low = 0.5, high = 80 }", "whole numbers"),
            ("random", "c = {}", "no settings to tune"),
            ("cat {d}", "c = { low = 0, high = 1, start = 0 }", "does not contain `{c}`"),
            ("cat {c}", "c = { low = 0, high = 1 }", "set `start`"),
            ("cat {c}", "c = {}", "set `low` and `high`"),
            (
                "cat {seed}",
                "seed = { low = 0, high = 1, start = 0 }",
                "choose another name for the parameter",
            ),
            ("[keep-alive] cat {c}", "c = { low = 0, high = 1, start = 0 }", "keep-alive"),
            ("./nothing {c}", "c = { low = 0, high = 1, start = 0 }", "no such program"),
            ("champion", "", "no parameter to tune"),
        ] {
            let error = read(bot, toml).unwrap_err().to_string();
            assert!(error.contains(words), "{bot} {toml}: {error}");
        }
    }

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
