//! A training as a file.

use crate::{Learning, SelfPlay};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// All settings of a training but its length and its seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The game.
    pub game: String,
    /// How the games are played that are learned from.
    pub self_play: SelfPlay,
    /// How is learned from them.
    pub learning: Learning,
    /// The matches on the way.
    pub matches: Matches,
}

/// Matches while training, each against the version of the match before and against the game's yardstick.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matches {
    /// How many, evenly over the training, the last one at its end.
    pub count: u32,
    /// Pairs of each.
    pub pairs: u32,
    /// Pairs of the last match against the yardstick.
    pub last_pairs: u32,
    /// Decisions that the bots look ahead.
    pub depth: u32,
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// With the file, and the line where the text is wrong.
    pub fn read(path: &Path) -> Result<Recipe> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Recipe::parse(&text).with_context(|| format!("{} is no recipe", path.display()))
    }

    /// Reads a recipe from its text.
    ///
    /// # Errors
    /// What is wrong, with the line.
    pub fn parse(text: &str) -> Result<Recipe> {
        let recipe: Recipe = toml::from_str(text)?;
        let SelfPlay { depth, random_share, .. } = recipe.self_play;
        ensure!((1..=4).contains(&depth), "`self_play.depth` is 1 to 4, not {depth}");
        ensure!((0.0..=1.0).contains(&random_share), "`self_play.random_share` is between 0 and 1");
        let depth = recipe.matches.depth;
        ensure!((1..=4).contains(&depth), "`matches.depth` is 1 to 4, not {depth}");
        recipe.learning.check().map_err(|error| anyhow::anyhow!("[learning] {error}"))?;
        Ok(recipe)
    }
}
