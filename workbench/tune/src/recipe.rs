//! Recipes: everything that a tuning follows from but its seed, as a TOML file or from a command line.

use crate::Range;
use anyhow::{Context, Result};
use contender_foreign::ForeignReferee;
use contender_referee::{ConditionArgs, TimeSetting};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A tuning. Strengths are in points a game where the contest adds up points, else in Elo.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The game's name; with a referee of others any.
    pub game: String,
    /// A referee of others in place of ours, as `contender match --referee` takes one: a bot is then a command line,
    /// and strengths are in Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<String>,
    /// CodinGame's league, where such a referee takes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<u32>,
    /// The bot: a bundled one with the options that stay, or a command line with the parameters' names in braces.
    pub bot: String,
    /// Pairs of random settings in place of a tuning: which parameters matter at all; no answer and no test.
    #[serde(default)]
    pub screen: bool,
    /// How the best values are looked for; by the number of parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// How much worse than the best values the answer may be.
    pub precision: Option<f64>,
    /// With what probability it is no worse than that.
    #[serde(default = "usual_confidence")]
    pub confidence: f64,
    /// Games of the tuning; those that measure the noise before it and those of the test after it, no more than these,
    /// come on top.
    pub games: Option<u64>,
    /// What a parameter is worth: how much is lost half a range away from its best value; four precisions.
    pub stake: Option<f64>,
    /// The standard deviation of a pair's difference; measured by a hundred pairs where it is not given.
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
    /// What is tuned.
    pub parameters: BTreeMap<String, Range>,
    /// The test at the end.
    #[serde(default)]
    pub test: TestRecipe,
}

/// How the best values are looked for.
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

    /// The one for so many parameters.
    #[must_use]
    pub fn usual(parameters: usize) -> Method {
        if parameters <= Method::FEW { Method::Surface } else { Method::Spsa }
    }

    /// By its name in recipes.
    ///
    /// # Errors
    /// A name that is none, in words for the user.
    pub fn parse(text: &str) -> Result<Method, String> {
        match text {
            "surface" => Ok(Method::Surface),
            "spsa" => Ok(Method::Spsa),
            _ => Err(format!("a method is `surface` or `spsa`, not `{text}`")),
        }
    }
}

/// The test of the tuned values against those of the start, on fresh luck.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TestRecipe {
    /// It decides between no gain and a gain of so much; the precision.
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
    /// With the file, and the line where the text is wrong.
    pub fn read(path: &Path) -> Result<Recipe> {
        let text =
            contender_input::read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
        let recipe: Recipe =
            toml::from_str(&text).with_context(|| format!("{} is no recipe", path.display()))?;
        recipe
            .check()
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("{} is no recipe", path.display()))?;
        Ok(recipe)
    }

    /// Says what is wrong with it, as far as it can be told without the game.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(&self) -> Result<(), String> {
        let positive = |name: &str, value: Option<f64>| match value {
            Some(value) if !(value > 0.0 && value <= 1e6) => {
                Err(format!("`{name}` is above 0 and at most 1000000, not {value}"))
            }
            _ => Ok(()),
        };
        positive("precision", self.precision)?;
        positive("stake", self.stake)?;
        positive("noise", self.noise)?;
        positive("better", self.test.better)?;
        if !(self.confidence >= 0.5 && self.confidence < 1.0) {
            return Err(format!("`confidence` is from 0.5 to below 1, not {}", self.confidence));
        }
        for games in [self.games, self.test.games].into_iter().flatten() {
            if !(80..=1_000_000_000).contains(&games) {
                return Err(format!(
                    "`games` is from 80 to 1000000000, not {games}: nothing is decided on fewer"
                ));
            }
        }
        if let (Some(stake), Some(precision)) = (self.stake, self.precision)
            && precision > stake
        {
            return Err(format!(
                "a precision of {precision} is worse than what a parameter is worth, {stake}"
            ));
        }
        if self.screen && self.games.is_none() {
            return Err("a screen takes a number of `games`".to_string());
        }
        if self.games.is_none() && self.precision.is_none() {
            return Err("say `precision`, or `games`".to_string());
        }
        for time in [&self.time, &self.test.time].into_iter().flatten() {
            if let (TimeSetting::Share(_), Some(_)) = (TimeSetting::parse(time)?, &self.referee) {
                return Err(format!(
                    "`time = \"{time}\"`: a share of what is not known of a referee of others"
                ));
            }
        }
        if self.referee.is_some()
            && (self.nodes.is_some() || !self.rules.is_empty() || self.openings.is_some())
        {
            return Err(
                "`nodes`, `rules` and `openings` are of our games: a referee of others takes none".into()
            );
        }
        if self.referee.is_none() && self.league.is_some() {
            return Err("`league` is of a referee of others: say `referee`".into());
        }
        Ok(())
    }

    /// The referee of others that plays its games, if one does; with the time of the second test with `is_at_clock`.
    ///
    /// # Errors
    /// A referee that is none, or that takes no league or time.
    pub fn other_referee(&self, is_at_clock: bool) -> Result<Option<ForeignReferee>, String> {
        let Some(text) = &self.referee else { return Ok(None) };
        let time = if is_at_clock { &self.test.time } else { &self.time };
        let time = match time.as_deref().map(TimeSetting::parse).transpose()? {
            Some(TimeSetting::Fixed(time)) => Some(time),
            _ => None,
        };
        let (referee, _) = contender_foreign::open(text)?;
        referee.with(self.league, time).map(Some)
    }

    /// Under what its games are played; in place of its own time and nodes those of the second test with `is_at_clock`.
    ///
    /// # Errors
    /// A time that is none.
    pub fn conditions(&self, seed: u64, is_at_clock: bool) -> Result<ConditionArgs, String> {
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
            recipe.map_err(|error| error.to_string()).and_then(|recipe| recipe.check())
        };
        assert_eq!(check("games = 1000\n[parameters]\nc = {}\n"), Ok(()));
        for (text, words) in [
            ("[parameters]\nc = {}", "say `precision`, or `games`"),
            ("games = 10\n[parameters]\nc = {}", "from 80"),
            ("precision = -1\n[parameters]\nc = {}", "above 0"),
            ("precision = 5\nstake = 1\n[parameters]\nc = {}", "worse than what a parameter is worth"),
            ("precision = 5\nscreen = true\n[parameters]\nc = {}", "takes a number of `games`"),
            ("precision = 5\ntime = \"soon\"\n[parameters]\nc = {}", "a time is"),
            ("precision = 5\nspeed = 1\n[parameters]\nc = {}", "unknown field `speed`"),
            ("precision = 5\n[parameters]\nc = { hihg = 3 }", "unknown field `hihg`"),
            ("precision = 5", "missing field `parameters`"),
            ("precision = 5\nleague = 3\n[parameters]\nc = {}", "say `referee`"),
            ("precision = 5\nreferee = \"x\"\nnodes = 3\n[parameters]\nc = {}", "takes none"),
            (
                "precision = 5\nreferee = \"x\"\ntime = \"5%\"\n[parameters]\nc = {}",
                "a share of what is not known",
            ),
        ] {
            let error = check(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
