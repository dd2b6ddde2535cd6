//! Recipes, which determine everything about a tuning run except its seed. A recipe is a TOML file or comes from the
//! command line.

use crate::{Range, TuneError};
use anyhow::{Context, Result};
use contender_foreign::ExternalReferee;
use contender_referee::{ConditionArgs, TimeSetting};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The recipe of a tuning run. Strengths are in points per game if the contest adds up points, otherwise in Elo.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The name of the game. With an external referee, it can be any name.
    pub game: String,
    /// The external referee, as in `contender match --referee`. With an external referee, the bot must be a command,
    /// and strengths are in Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<String>,
    /// The CodinGame league whose rules apply, if the external referee supports leagues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<u32>,
    /// The bot: a bundled bot with its fixed settings, or a command with the parameters' names in braces.
    pub bot: String,
    /// Whether to play pairs with random settings instead of searching, to find out which parameters have an effect.
    /// Such a screening run finds no best values and has no final test.
    #[serde(default)]
    pub screen: bool,
    /// The search method. The default depends on the number of parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<TuneMethod>,
    /// Maximum loss of the tuned values compared with the best values.
    pub precision: Option<f64>,
    /// Probability that the loss is at most `precision`.
    #[serde(default = "usual_confidence")]
    pub confidence: f64,
    /// Number of games for the search. This does not include the games that measure the noise before the search, or the
    /// games of the test after it. The test has at most as many games as the search.
    pub games: Option<u64>,
    /// The stake of a parameter: the expected loss if the parameter is half a range away from its best value. The
    /// default is four times the precision.
    pub stake: Option<f64>,
    /// The standard deviation of a pair's difference. By default, it is measured with a hundred pairs.
    pub noise: Option<f64>,
    /// Maximum number of nodes or iterations per move of bundled bots.
    pub nodes: Option<u64>,
    /// The thinking time, in the same format as `--time`, instead of the contest's time limits.
    pub time: Option<String>,
    /// Variants of the rules, each as `key=value`.
    #[serde(default)]
    pub rules: Vec<String>,
    /// A file of openings.
    pub openings: Option<PathBuf>,
    /// The parameters to tune.
    pub parameters: BTreeMap<String, Range>,
    /// The final test.
    #[serde(default)]
    pub test: TestRecipe,
}

/// The search methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TuneMethod {
    /// A model of the response is fitted to pairs of distant points: [`Surface`](crate::Surface).
    Surface,
    /// All parameters change by a small step after every pair: [`Spsa`](crate::Spsa).
    #[default]
    Spsa,
}

impl TuneMethod {
    /// Maximum number of parameters for which the model is the default method. With more parameters, solving its
    /// equations takes too long.
    const FEW: usize = 6;

    /// Returns the default method for this number of parameters.
    #[must_use]
    pub fn usual(parameters: usize) -> TuneMethod {
        if parameters <= TuneMethod::FEW { TuneMethod::Surface } else { TuneMethod::Spsa }
    }

    /// Parses the name of a method in a recipe.
    ///
    /// # Errors
    /// Returns an error if the name is unknown.
    pub fn parse(text: &str) -> Result<TuneMethod, TuneError> {
        match text {
            "surface" => Ok(TuneMethod::Surface),
            "spsa" => Ok(TuneMethod::Spsa),
            _ => Err(TuneError::Recipe(format!("unknown method `{text}`; available: `surface`, `spsa`"))),
        }
    }
}

/// The final test of the tuned values against the start values, with new seeds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct TestRecipe {
    /// The gain that the test must be able to detect. The default is the precision.
    pub better: Option<f64>,
    /// Maximum number of games. The default is the recipe's `games` or, if that is not set, three times the number of
    /// games of a test with a fixed length.
    pub games: Option<u64>,
    /// The thinking time for an additional test, in the same format as `--time`. `100%` is the contest's time limit.
    pub time: Option<String>,
}

fn usual_confidence() -> f64 {
    0.95
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// Returns an error that contains the file name, and the line number if the text is invalid.
    pub fn read(path: &Path) -> Result<Recipe> {
        let text =
            contender_input::read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
        let recipe: Recipe =
            toml::from_str(&text).with_context(|| format!("{} is not a recipe", path.display()))?;
        recipe.check().with_context(|| format!("{} is not a valid recipe", path.display()))?;
        Ok(recipe)
    }

    /// Checks the recipe as far as possible without the game.
    ///
    /// # Errors
    /// Returns an error if a key has an invalid value, or if two keys contradict each other.
    pub fn check(&self) -> Result<(), TuneError> {
        self.check_keys().map_err(TuneError::Recipe)?;
        for time in [&self.time, &self.test.time].into_iter().flatten() {
            if let (TimeSetting::Share(_), Some(_)) = (TimeSetting::parse(time)?, &self.referee) {
                return Err(TuneError::Recipe(format!(
                    "`time = \"{time}\"`: the time limit of an external referee is unknown; give an \
                     absolute time, for example \"100ms\""
                )));
            }
        }
        Ok(())
    }

    fn check_keys(&self) -> Result<(), String> {
        let positive = |name: &str, value: Option<f64>| match value {
            Some(value) if !(value > 0.0 && value <= 1e6) => {
                Err(format!("`{name}` must be above 0 and at most 1000000, not {value}"))
            }
            _ => Ok(()),
        };
        positive("precision", self.precision)?;
        positive("stake", self.stake)?;
        positive("noise", self.noise)?;
        positive("better", self.test.better)?;
        if !(self.confidence >= 0.5 && self.confidence < 1.0) {
            return Err(format!(
                "`confidence` must be at least 0.5 and less than 1, not {}",
                self.confidence
            ));
        }
        for games in [self.games, self.test.games].into_iter().flatten() {
            if !(80..=1_000_000_000).contains(&games) {
                return Err(format!(
                    "`games` must be from 80 to 1000000000, not {games}; fewer games cannot decide anything"
                ));
            }
        }
        if let (Some(stake), Some(precision)) = (self.stake, self.precision)
            && precision > stake
        {
            return Err(format!(
                "the precision {precision} is coarser than the expected effect of a parameter, {stake}"
            ));
        }
        if self.screen && self.games.is_none() {
            return Err("`screen` needs `games`".to_string());
        }
        if self.games.is_none() && self.precision.is_none() {
            return Err("set `precision` or `games`".to_string());
        }
        if self.referee.is_some()
            && (self.nodes.is_some() || !self.rules.is_empty() || self.openings.is_some())
        {
            return Err("`nodes`, `rules` and `openings` have no effect with an external referee".into());
        }
        if self.referee.is_none() && self.league.is_some() {
            return Err("`league` needs an external `referee`".into());
        }
        Ok(())
    }

    /// Returns the external referee, if the recipe names one. If `is_at_clock` is set, the referee uses the time of the
    /// additional test.
    ///
    /// # Errors
    /// Returns an error if the referee is unknown, or does not support the league or the time.
    pub fn other_referee(&self, is_at_clock: bool) -> Result<Option<ExternalReferee>, TuneError> {
        let Some(text) = &self.referee else { return Ok(None) };
        let time = if is_at_clock { &self.test.time } else { &self.time };
        let time = match time.as_deref().map(TimeSetting::parse).transpose()? {
            Some(TimeSetting::Fixed(time)) => Some(time),
            _ => None,
        };
        let (referee, _) = contender_foreign::open(text)?;
        Ok(Some(referee.with(self.league, time)?))
    }

    /// Returns the conditions of the games. If `is_at_clock` is set, the time of the additional test replaces the
    /// recipe's time and nodes.
    ///
    /// # Errors
    /// Returns an error if the time is invalid.
    pub fn conditions(&self, seed: u64, is_at_clock: bool) -> Result<ConditionArgs, TuneError> {
        let (time, nodes) = if is_at_clock { (&self.test.time, None) } else { (&self.time, self.nodes) };
        let time = time.as_deref().map(TimeSetting::parse).transpose()?;
        Ok(ConditionArgs { time, nodes, seed, rules: self.rules.clone(), openings: self.openings.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said() {
        let head = "game = \"uttt\"\nbot = \"champion\"\n";
        let check = |text: &str| {
            let recipe: Result<Recipe, _> = toml::from_str(&format!("{head}{text}"));
            recipe
                .map_err(|error| error.to_string())
                .and_then(|recipe| recipe.check().map_err(|error| error.to_string()))
        };
        assert_eq!(check("games = 1000\n[parameters]\nc = {}\n"), Ok(()));
        for (text, words) in [
            ("[parameters]\nc = {}", "set `precision` or `games`"),
            ("games = 10\n[parameters]\nc = {}", "from 80"),
            ("precision = -1\n[parameters]\nc = {}", "above 0"),
            ("precision = 5\nstake = 1\n[parameters]\nc = {}", "coarser than the expected effect"),
            ("precision = 5\nscreen = true\n[parameters]\nc = {}", "needs `games`"),
            ("precision = 5\ntime = \"soon\"\n[parameters]\nc = {}", "expected a number above 0"),
            ("precision = 5\nspeed = 1\n[parameters]\nc = {}", "unknown field `speed`"),
            ("precision = 5\n[parameters]\nc = { hihg = 3 }", "unknown field `hihg`"),
            ("precision = 5", "missing field `parameters`"),
            ("precision = 5\nleague = 3\n[parameters]\nc = {}", "needs an external `referee`"),
            (
                "precision = 5\nreferee = \"x\"\nnodes = 3\n[parameters]\nc = {}",
                "have no effect with an external referee",
            ),
            (
                "precision = 5\nreferee = \"x\"\ntime = \"5%\"\n[parameters]\nc = {}",
                "external referee is unknown",
            ),
        ] {
            let error = check(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
