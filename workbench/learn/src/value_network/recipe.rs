//! The settings of a training run: games and fits in generations, and matches.

use super::fit::Fitting;
use super::{LEARNED, Learned};
use crate::RecipeError;
use crate::kind::RecipeKind;
use anyhow::{Context, Result, ensure};
use contender_game::settings::{Options, Settings};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::path::PathBuf;

/// All settings of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recipe {
    /// The kind of recipe, [`RecipeKind::ValueNetwork`].
    pub kind: RecipeKind,
    /// The game.
    pub game: String,
    /// The file with the evaluation for the games of the first generation, from a training run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// Logs whose games the first generation learns instead of playing games. Games in which a bot failed are skipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<PathBuf>,
    /// Earlier training runs whose positions every generation also learns: folders of runs, or single files with
    /// positions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<PathBuf>,
    /// Settings of the fits.
    pub fit: Fitting,
    /// The generations, one after another.
    #[serde(deserialize_with = "repeated")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Repeated>"))]
    pub generations: Vec<Generation>,
    /// Matches after each generation. With matches, the run keeps the best network; otherwise it keeps the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<Matches>,
    /// The settings for games and samples, in a section with the game's name, or `own` for a game with features.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, BTreeMap<String, serde_json::Value>>"))]
    pub parts: BTreeMap<String, toml::Value>,
}

/// A generation, which consists of games and a fit to the positions in these games. The games of the first generation
/// are played without a network, or with the recipe's `start`. In every later generation, they are played with the
/// previous generation's network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Number of games, or the maximum number of games from the recipe's logs. If the length of the training run is
    /// changed, each generation keeps its fraction of the total.
    pub games: u64,
    /// Number of passes over the positions.
    pub epochs: u32,
    /// Number of earlier generations whose positions are also used, or all if there are fewer.
    #[serde(default)]
    pub earlier: usize,
    /// Whether the fit starts from the network that played the games instead of from random weights.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warm: bool,
}

/// An entry of the recipe's generations, which can stand for several equal ones.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Repeated {
    /// Number of games of each generation, or the maximum number of games from the recipe's logs.
    games: u64,
    /// Number of passes over the positions.
    epochs: u32,
    /// Number of earlier generations whose positions are also used, or all if there are fewer.
    #[serde(default)]
    earlier: usize,
    /// Whether the fit starts from the network that played the games instead of from random weights.
    #[serde(default)]
    warm: bool,
    /// Number of generations with these settings, one after another; 1 by default.
    #[serde(default)]
    repeat: Option<NonZeroU16>,
}

fn repeated<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Vec<Generation>, D::Error> {
    let entries = Vec::<Repeated>::deserialize(reader)?.into_iter();
    let all = entries.flat_map(|Repeated { games, epochs, earlier, warm, repeat }| {
        vec![Generation { games, epochs, earlier, warm }; repeat.map_or(1, NonZeroU16::get).into()]
    });
    Ok(all.collect())
}

/// Matches after each generation, against the best network so far, the start network and bots.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Matches {
    /// Number of pairs per match.
    pub pairs: u32,
    /// Number of pairs in the matches after the last generation, and in the final match against the start network.
    pub last_pairs: u32,
    /// Number of consecutive generations without an improvement after which the run ends; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u32>,
    /// More opponents in the matches: bundled bots, given as `name` or `name:options`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<String>,
    /// Number of nodes per move for these bots; 1000 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl Recipe {
    /// Checks the settings.
    ///
    /// # Errors
    /// Returns an error if the game is not registered, or if a setting is missing, unknown or out of range.
    pub fn check(&self) -> Result<(), RecipeError> {
        let Learned { part, check, .. } = LEARNED.find(&self.game)?;
        if let Some((name, value)) = self.parts.iter().find(|(name, _)| *name != part) {
            return Err(RecipeError::Part(match value {
                toml::Value::Table(_) => format!("`[{name}]` has no effect in a recipe for {}", self.game),
                _ => format!("unknown key `{name}`"),
            }));
        }
        check(self)?;
        let average_is_fine = (0.0..1.0).contains(&self.fit.average);
        RecipeError::unless(average_is_fine, "fit.average", "at least 0 and less than 1")?;
        RecipeError::unless(
            self.fit.penalty >= 0.0 && self.fit.penalty.is_finite(),
            "fit.penalty",
            "a number from 0",
        )?;
        self.fit.rate.check().map_err(|error| error.within("fit"))?;
        if !(1..=1 << 20).contains(&self.fit.batch) {
            return Err(RecipeError::value("fit.batch", "1 to 1048576"));
        }
        if self.generations.is_empty() {
            return Err(RecipeError::Part("no `[[generations]]`: expected at least one".to_string()));
        }
        for (at, generation) in self.generations.iter().enumerate() {
            if generation.games == 0 || generation.epochs == 0 {
                let place = format!("generations[{}]", at + 1);
                return Err(RecipeError::value(place, "at least 1 game and at least 1 epoch"));
            }
        }
        Ok(())
    }

    /// Parses the settings in the game's section.
    pub(super) fn settings<S: Settings + Default>(&self, part: &str) -> Result<S, RecipeError> {
        let table = self.parts.get(part).and_then(toml::Value::as_table);
        let table = table.ok_or_else(|| RecipeError::Part(format!("missing `[{part}]`")))?;
        let invalid = |error: String| RecipeError::Part(format!("`[{part}]`: {error}"));
        let mut options = Options::default();
        for (name, value) in table {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            options.add(name, &text).map_err(invalid)?;
        }
        let settings =
            S::default().with(&mut options).and_then(|settings| options.finish().map(|()| settings));
        let settings = settings.map_err(invalid)?;
        // A training run must follow from its recipe, so no setting has a default, which might change. Only optional
        // settings may be absent.
        let mut wanted = S::default().table().into_iter().filter(|setting| setting.default != "none");
        if let Some(missing) = wanted.find(|setting| !table.contains_key(setting.name)) {
            return Err(RecipeError::Part(format!("`[{part}]`: missing key `{}`", missing.name)));
        }
        Ok(settings)
    }

    /// Returns the files with positions of earlier training runs.
    pub(super) fn earlier_files(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for path in &self.positions {
            let place = || format!("`positions` in the recipe: {}", path.display());
            if !path.metadata().with_context(place)?.is_dir() {
                files.push(path.clone());
                continue;
            }
            let of_run = (1..).map(|number| path.join(format!("generation-{number}.positions")));
            let before = files.len();
            files.extend(of_run.take_while(|file| file.exists()));
            ensure!(
                files.len() > before,
                "{}: the folder contains no positions\nhint: name the folder of a training run of a value network",
                place()
            );
        }
        Ok(files)
    }

    /// Returns the number of games in this number of generations.
    pub(super) fn games(&self, generations: usize) -> u64 {
        self.generations[..generations].iter().map(|generation| generation.games).sum()
    }
}
