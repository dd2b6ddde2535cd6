//! Recipes: everything that a tuning follows from but its seed, as a TOML file or from a command line.

use crate::{Range, TuneError};
use anyhow::{Context, Result};
use contender_foreign::ForeignReferee;
use contender_referee::{ConditionArgs, TimeSetting};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A tuning. Strengths are in points a game if the contest adds up points, otherwise in Elo.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The game's name; any name with an external referee.
    pub game: String,
    /// An external referee instead of ours, as for `contender match --referee`: a bot is then a command line, and
    /// strengths are in Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<String>,
    /// CodinGame's league, if such a referee takes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<u32>,
    /// The bot: a bundled one with the options that stay, or a command line with the parameters' names in braces.
    pub bot: String,
    /// Pairs of random settings instead of a tuning: which parameters matter at all; no answer and no test.
    #[serde(default)]
    pub screen: bool,
    /// The search method; by default from the number of parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Maximum loss of the answer against the best values.
    pub precision: Option<f64>,
    /// Probability that the loss is no larger.
    #[serde(default = "usual_confidence")]
    pub confidence: f64,
    /// Games of the tuning; those that measure the noise before it and those of the test after it, no more than these,
    /// come on top.
    pub games: Option<u64>,
    /// The stake of a parameter: the loss at half a range from its best value; four precisions by default.
    pub stake: Option<f64>,
    /// The standard deviation of a pair's difference; measured with a hundred pairs if it is not given.
    pub noise: Option<f64>,
    /// Nodes or iterations a move of bundled bots.
    pub nodes: Option<u64>,
    /// In place of the contest's time, as `--time` has it.
    pub time: Option<String>,
    /// Rule variants, `key=value`.
    #[serde(default)]
    pub rules: Vec<String>,
    /// A file of openings.
    pub openings: Option<PathBuf>,
    /// The parameters to tune.
    pub parameters: BTreeMap<String, Range>,
    /// The test at the end.
    #[serde(default)]
    pub test: TestRecipe,
}

/// The search methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// A model of the response, fitted to pairs far apart: [`Surface`](crate::Surface).
    Surface,
    /// All parameters a step after every pair: [`Spsa`](crate::Spsa).
    #[default]
    Spsa,
}

impl Method {
    /// The parameters up to which the model is the usual method: with more its equations take long.
    const FEW: usize = 6;

    /// Returns the usual method for this number of parameters.
    #[must_use]
    pub fn usual(parameters: usize) -> Method {
        if parameters <= Method::FEW { Method::Surface } else { Method::Spsa }
    }

    /// Parses a method's name in recipes.
    ///
    /// # Errors
    /// An unknown name.
    pub fn parse(text: &str) -> Result<Method, TuneError> {
        match text {
            "surface" => Ok(Method::Surface),
            "spsa" => Ok(Method::Spsa),
            _ => Err(TuneError::Recipe(format!("unknown method `{text}`; available: `surface`, `spsa`"))),
        }
    }
}

/// The test of the tuned values against the start values, with fresh seeds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TestRecipe {
    /// The gain that it distinguishes from no gain; by default the precision.
    pub better: Option<f64>,
    /// Maximum number of games; default: as many as the tuning's `games`, else three times what a test of fixed length
    /// takes.
    pub games: Option<u64>,
    /// A second test under this time, as `--time` has it: `100%` is the contest's clock.
    pub time: Option<String>,
}

fn usual_confidence() -> f64 {
    0.95
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// The file, and the line in which the text is wrong.
    pub fn read(path: &Path) -> Result<Recipe> {
        let text =
            contender_input::read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
        let recipe: Recipe =
            toml::from_str(&text).with_context(|| format!("{} is not a recipe", path.display()))?;
        recipe.check().with_context(|| format!("{} is not a recipe", path.display()))?;
        Ok(recipe)
    }

    /// Says what is wrong with it, as far as it can be told without the game.
    ///
    /// # Errors
    /// A key with an invalid value, or two keys that contradict each other.
    pub fn check(&self) -> Result<(), TuneError> {
        self.check_keys().map_err(TuneError::Recipe)?;
        for time in [&self.time, &self.test.time].into_iter().flatten() {
            if let (TimeSetting::Share(_), Some(_)) = (TimeSetting::parse(time)?, &self.referee) {
                return Err(TuneError::Recipe(format!(
                    "`time = \"{time}\"`: an external referee's time limit is unknown; give an \
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
            return Err(format!("`confidence` must be from 0.5 to below 1, not {}", self.confidence));
        }
        for games in [self.games, self.test.games].into_iter().flatten() {
            if !(80..=1_000_000_000).contains(&games) {
                return Err(format!(
                    "`games` must be from 80 to 1000000000, not {games}: fewer games decide nothing"
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
            return Err("a screen needs a number of `games`".to_string());
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

    /// Returns the external referee of its games, if there is one; with the time of the second test if `is_at_clock`.
    ///
    /// # Errors
    /// An unknown referee, or one that takes no league or time.
    pub fn other_referee(&self, is_at_clock: bool) -> Result<Option<ForeignReferee>, TuneError> {
        let Some(text) = &self.referee else { return Ok(None) };
        let time = if is_at_clock { &self.test.time } else { &self.time };
        let time = match time.as_deref().map(TimeSetting::parse).transpose()? {
            Some(TimeSetting::Fixed(time)) => Some(time),
            _ => None,
        };
        let (referee, _) = contender_foreign::open(text).map_err(TuneError::Recipe)?;
        referee.with(self.league, time).map(Some).map_err(TuneError::Recipe)
    }

    /// Returns the conditions of its games; with those of the second test instead of its own time and nodes if
    /// `is_at_clock`.
    ///
    /// # Errors
    /// An invalid time.
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
            ("precision = 5\nscreen = true\n[parameters]\nc = {}", "needs a number of `games`"),
            ("precision = 5\ntime = \"soon\"\n[parameters]\nc = {}", "expected a number above 0"),
            ("precision = 5\nspeed = 1\n[parameters]\nc = {}", "unknown field `speed`"),
            ("precision = 5\n[parameters]\nc = { hihg = 3 }", "unknown field `hihg`"),
            ("precision = 5", "missing field `parameters`"),
            ("precision = 5\nleague = 3\n[parameters]\nc = {}", "needs an external `referee`"),
            (
                "precision = 5\nreferee = \"x\"\nnodes = 3\n[parameters]\nc = {}",
                "have no effect with an external referee",
            ),
            ("precision = 5\nreferee = \"x\"\ntime = \"5%\"\n[parameters]\nc = {}", "time limit is unknown"),
        ] {
            let error = check(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
