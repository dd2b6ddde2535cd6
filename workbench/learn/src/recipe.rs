//! Recipes: everything that a training follows from but its seed, as a TOML file.

use crate::training::{self, Event, Order, Outcome};
use crate::{policy_value, treestrap, value_network};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a recipe is for. Each kind has settings of its own; all name the `kind` and the `game`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A linear evaluation, by the bounds of the nodes that searches visit: [`treestrap`].
    Treestrap,
    /// A network that values positions, fitted to what searches say of them: [`value_network`].
    ValueNetwork,
    /// A network that values positions and proposes moves: [`policy_value`].
    PolicyValue,
}

/// A recipe of any kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Recipe {
    /// A linear evaluation.
    Treestrap(treestrap::Recipe),
    /// A network that values positions.
    ValueNetwork(value_network::Recipe),
    /// A network that values positions and proposes moves.
    PolicyValue(policy_value::Recipe),
}

/// The part of a recipe that says how to read the rest.
#[derive(Deserialize)]
struct Head {
    kind: Kind,
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
        let recipe = match toml::from_str::<Head>(text)?.kind {
            Kind::Treestrap => Recipe::Treestrap(toml::from_str(text)?),
            Kind::ValueNetwork => Recipe::ValueNetwork(toml::from_str(text)?),
            Kind::PolicyValue => Recipe::PolicyValue(toml::from_str(text)?),
        };
        match &recipe {
            Recipe::Treestrap(recipe) => recipe.check(),
            Recipe::ValueNetwork(recipe) => recipe.check(),
            Recipe::PolicyValue(recipe) => recipe.check(),
        }
        .map_err(anyhow::Error::msg)?;
        Ok(recipe)
    }
}

/// Trains by a recipe, from its start or from the checkpoint of the folder, until the end or until `is_stopped`.
///
/// # Errors
/// If the folder cannot be written to, or its checkpoint cannot be read or is of another recipe or seed.
pub fn train(
    recipe: &Recipe,
    order: &Order,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    match recipe {
        Recipe::Treestrap(settings) => {
            training::run(treestrap::Method::new(settings), recipe, order, is_stopped, report)
        }
        Recipe::ValueNetwork(settings) => match (&settings.entropy, &settings.uttt) {
            (Some(play), _) => {
                let subject = value_network::entropy::Entropy::new(*play);
                let method = value_network::Method::new(settings, subject);
                training::run(method, recipe, order, is_stopped, report)
            }
            (_, Some(play)) => {
                let subject = value_network::uttt::Uttt::new(*play);
                let method = value_network::Method::new(settings, subject);
                training::run(method, recipe, order, is_stopped, report)
            }
            (None, None) => unreachable!("a recipe has the part of its game"),
        },
        Recipe::PolicyValue(settings) => policy_value::train(settings, order, is_stopped, report),
    }
}
