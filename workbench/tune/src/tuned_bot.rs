//! The bot that plays with the settings of a point, and the parameters that its settings or a recipe describe.

use crate::TuneError;
use crate::space::{Parameter, ParameterValues, Range, Space, Start};
use contender_game::{
    contest::Contest,
    settings::{Options, Setting, SettingKind},
};
use contender_input::did_you_mean;
use contender_play::{Entrant, EntrantError, Program};
use std::collections::BTreeMap;

/// Maximum ratio of a setting's range to its start value. If the ratio is larger, the default range covers only a part
/// of the setting's range.
const WIDE: f64 = 10.0;

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
                        from_setting(setting, range, given)
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
            let parameter = from_command(name, range);
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

fn from_setting(setting: &Setting, range: &Range, given: Option<String>) -> Result<Parameter, String> {
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
            from_words(setting.name, words, range, Some(default))
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

fn from_command(name: &str, range: &Range) -> Result<Parameter, String> {
    if let Some(words) = &range.words {
        return from_words(name, words.clone(), range, None);
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

fn from_words(
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
}
