//! Recipes: everything that a training follows from but its seed, as a TOML file; and chains of them.

use crate::kind::Kind;
use crate::training::{Event, Outcome, TrainingOptions};
use crate::{policy_value, treestrap, value_network};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A recipe of any kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Recipe {
    /// A linear evaluation.
    Treestrap(treestrap::Recipe),
    /// A network that values positions.
    ValueNetwork(value_network::Recipe),
    /// A network that values positions and proposes moves.
    PolicyValue(Box<policy_value::Recipe>),
    /// Trainings one after the other, each of which begins with what the one before has learned.
    Chain(Vec<Leg>),
}

/// A training of a chain.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Leg {
    /// The end of its folder's name, behind its number.
    pub name: String,
    /// The seed of all its luck.
    pub seed: u64,
    /// The recipe of this step; not a chain.
    pub recipe: Recipe,
}

/// The part of a recipe that says how to read the rest.
#[derive(Deserialize)]
struct Head {
    kind: Kind,
}

/// The file of a chain.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainFile {
    #[serde(rename = "kind")]
    _kind: Kind,
    legs: Vec<LegFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LegFile {
    name: String,
    /// A recipe's file, from the folder of the chain's.
    recipe: PathBuf,
    seed: u64,
    /// Length that replaces the file's.
    length: Option<toml::Value>,
    /// Other differences from the file.
    #[serde(default)]
    change: toml::Table,
}

impl Recipe {
    /// Reads a recipe or a chain.
    ///
    /// # Errors
    /// With the file, and the line where the text is wrong.
    pub fn read(path: &Path) -> Result<Recipe> {
        let text =
            contender_input::read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Recipe::parse(&text, folder).with_context(|| format!("{} is no recipe", path.display()))
    }

    /// Reads a recipe, or a chain with files in this folder, from its text.
    ///
    /// # Errors
    /// What is wrong, with the line.
    pub fn parse(text: &str, folder: &Path) -> Result<Recipe> {
        let recipe = match toml::from_str::<Head>(text)?.kind {
            Kind::Treestrap => Recipe::Treestrap(toml::from_str(text)?),
            Kind::ValueNetwork => Recipe::ValueNetwork(toml::from_str(text)?),
            Kind::PolicyValue => Recipe::PolicyValue(toml::from_str(text)?),
            Kind::Chain => {
                let file: ChainFile = toml::from_str(text)?;
                ensure!(!file.legs.is_empty(), "there is no `[[legs]]`");
                let legs = file.legs.into_iter().map(|leg| {
                    let name = leg.name.clone();
                    read_leg(leg, folder).with_context(|| format!("leg `{name}`"))
                });
                Recipe::Chain(legs.collect::<Result<_>>()?)
            }
        };
        match &recipe {
            Recipe::Treestrap(recipe) => recipe.check(),
            Recipe::ValueNetwork(recipe) => recipe.check(),
            Recipe::PolicyValue(recipe) => recipe.check(),
            Recipe::Chain(_) => Ok(()),
        }
        .map_err(anyhow::Error::msg)?;
        Ok(recipe)
    }

    /// The same, begun with this file.
    fn starting_with(mut self, file: PathBuf) -> Recipe {
        match &mut self {
            Recipe::Treestrap(recipe) => recipe.start = Some(file),
            Recipe::ValueNetwork(recipe) => recipe.start = Some(file),
            Recipe::PolicyValue(recipe) => recipe.start = Some(file),
            Recipe::Chain(_) => unreachable!("no leg is a chain"),
        }
        self
    }
}

fn read_leg(leg: LegFile, folder: &Path) -> Result<Leg> {
    let LegFile { name, recipe: file, seed, length, change } = leg;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    ensure!(!name.is_empty() && name.chars().all(is_plain), "a name has letters, digits and `-`");
    let path = folder.join(file);
    let text =
        contender_input::read_text(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let place = || format!("{} is no recipe", path.display());
    let mut table: toml::Table = toml::from_str(&text).with_context(place)?;
    merge(&mut table, change);
    table.extend(length.map(|length| ("length".to_string(), length)));
    // Before it is read as a recipe: it might be this very file.
    let is_chain = table.get("kind").and_then(toml::Value::as_str) == Some("chain");
    ensure!(!is_chain, "{} is a chain itself", path.display());
    let recipe = Recipe::parse(&toml::to_string(&table)?, folder).with_context(place)?;
    Ok(Leg { name, seed, recipe })
}

/// Puts what another table has in place of what is there, in tables of tables too.
fn merge(table: &mut toml::Table, other: toml::Table) {
    for (key, value) in other {
        match (table.get_mut(&key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(value)) => merge(inner, value),
            (_, value) => drop(table.insert(key, value)),
        }
    }
}

/// Trains by a recipe, from its start or from the checkpoint of the folder, until the end or until `is_stopped`. The
/// trainings of a chain have folders in the folder, and those that are finished are passed over.
///
/// # Errors
/// If the folder cannot be written to, or its checkpoint cannot be read or is of another recipe or seed.
pub fn train(
    recipe: &Recipe,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    match recipe {
        Recipe::Treestrap(_) | Recipe::ValueNetwork(_) if order.workers.is_some() => {
            bail!("games are played on other machines for networks with a policy only: leave `--on` away")
        }
        Recipe::Treestrap(settings) => treestrap::train(settings, order, is_stopped, report),
        Recipe::ValueNetwork(settings) => value_network::train(settings, order, is_stopped, report),
        Recipe::PolicyValue(settings) => policy_value::train(settings, order, is_stopped, report),
        Recipe::Chain(legs) => {
            if order.length.is_some() {
                bail!("each training of a chain has its own length");
            }
            let mut latest: Option<Outcome> = None;
            for (at, leg) in legs.iter().enumerate() {
                let folder = order.folder.join(format!("{}-{}", at + 1, leg.name));
                report(Event::Log(format!("training {} of {}: {}", at + 1, legs.len(), folder.display())));
                let recipe = match &latest {
                    Some(before) => leg.recipe.clone().starting_with(before.file.clone()),
                    None => leg.recipe.clone(),
                };
                let order = TrainingOptions { length: None, seed: leg.seed, folder, ..order.clone() };
                let outcome = train(&recipe, &order, is_stopped, report)?;
                let is_finished = outcome.is_finished;
                latest = Some(outcome);
                if !is_finished {
                    break;
                }
            }
            Ok(latest.expect("a chain has trainings"))
        }
    }
}
