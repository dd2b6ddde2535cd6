//! Recipes, which are TOML files that determine everything about a training run except its seed. A recipe can also be a
//! chain of recipes.

use crate::kind::RecipeKind;
use crate::training::{Event, Outcome, TrainingOptions};
use crate::{policy_value, treestrap, value_network};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A recipe of any kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Recipe {
    /// A recipe for a linear evaluation.
    Treestrap(treestrap::Recipe),
    /// A recipe for a network that evaluates positions.
    ValueNetwork(value_network::Recipe),
    /// A recipe for a network that evaluates positions and proposes moves.
    PolicyValue(Box<policy_value::Recipe>),
    /// Training runs, one after another. Each run starts from the result of the run before.
    Chain(Vec<ChainRun>),
}

/// A training run in a chain.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChainRun {
    /// The end of its folder's name, after the number.
    pub name: String,
    /// The random seed.
    pub seed: u64,
    /// The recipe of this run, which must not be a chain.
    pub recipe: Recipe,
}

/// The part of a recipe that determines how the other keys are read.
#[derive(Deserialize)]
struct Head {
    kind: RecipeKind,
}

/// The file of a chain.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct ChainFile {
    /// The kind of recipe, [`RecipeKind::Chain`].
    #[serde(rename = "kind")]
    _kind: RecipeKind,
    /// The training runs, one after another.
    #[serde(alias = "legs")]
    runs: Vec<RunFile>,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct RunFile {
    /// The end of its folder's name, after the number: letters, digits and `-`.
    name: String,
    /// The file of the recipe, relative to the chain's folder.
    recipe: PathBuf,
    /// The random seed.
    seed: u64,
    /// A length that replaces the length in the recipe.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::Length>"))]
    length: Option<toml::Value>,
    /// Other changes to the recipe.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    change: toml::Table,
}

impl Recipe {
    /// Reads a recipe or a chain.
    ///
    /// # Errors
    /// Returns an error that contains the file name, and the line number if the text is invalid.
    pub fn read(path: &Path) -> Result<Recipe> {
        let text =
            contender_input::read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Recipe::parse(&text, folder).with_context(|| format!("{} is not a valid recipe", path.display()))
    }

    /// Parses a recipe or a chain, whose files are relative to this folder.
    ///
    /// # Errors
    /// Returns an error that contains the line number if the text is invalid.
    pub fn parse(text: &str, folder: &Path) -> Result<Recipe> {
        let recipe = match toml::from_str::<Head>(text)?.kind {
            RecipeKind::Treestrap => Recipe::Treestrap(toml::from_str(text)?),
            RecipeKind::ValueNetwork => Recipe::ValueNetwork(toml::from_str(text)?),
            RecipeKind::PolicyValue => Recipe::PolicyValue(toml::from_str(text)?),
            RecipeKind::Chain => {
                let file: ChainFile = toml::from_str(text)?;
                ensure!(!file.runs.is_empty(), "no `[[runs]]`: expected at least one");
                let runs = file.runs.into_iter().map(|run| {
                    let name = run.name.clone();
                    read_run(run, folder).with_context(|| format!("run `{name}`"))
                });
                Recipe::Chain(runs.collect::<Result<_>>()?)
            }
        };
        match &recipe {
            Recipe::Treestrap(recipe) => recipe.check(),
            Recipe::ValueNetwork(recipe) => recipe.check(),
            Recipe::PolicyValue(recipe) => recipe.check(),
            Recipe::Chain(_) => Ok(()),
        }?;
        Ok(recipe)
    }

    /// Returns this recipe with a different start file.
    fn starting_with(mut self, file: PathBuf) -> Recipe {
        match &mut self {
            Recipe::Treestrap(recipe) => recipe.start = Some(file),
            Recipe::ValueNetwork(recipe) => recipe.start = Some(file),
            Recipe::PolicyValue(recipe) => recipe.start = Some(file),
            Recipe::Chain(_) => unreachable!("a training run of a chain is not a chain"),
        }
        self
    }
}

/// Returns the schema of a recipe file, which is one of four objects with different values of `kind`.
#[cfg(feature = "schema")]
pub fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let kinds = [
        (RecipeKind::Treestrap, generator.subschema_for::<treestrap::Recipe>()),
        (RecipeKind::ValueNetwork, generator.subschema_for::<value_network::Recipe>()),
        (RecipeKind::PolicyValue, generator.subschema_for::<policy_value::Recipe>()),
        (RecipeKind::Chain, generator.subschema_for::<ChainFile>()),
    ];
    let recipes = kinds.map(|(kind, mut schema)| {
        schema.ensure_object()["properties"]["kind"] = schemars::json_schema!({ "const": kind }).to_value();
        schema.to_value()
    });
    schemars::json_schema!({ "oneOf": recipes })
}

fn read_run(run: RunFile, folder: &Path) -> Result<ChainRun> {
    let RunFile { name, recipe: file, seed, length, change } = run;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    ensure!(!name.is_empty() && name.chars().all(is_plain), "invalid name: expected letters, digits and `-`");
    let path = folder.join(file);
    let text =
        contender_input::read_text(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let place = || format!("{} is not a valid recipe", path.display());
    let mut table: toml::Table = toml::from_str(&text).with_context(place)?;
    merge(&mut table, change);
    table.extend(length.map(|length| ("length".to_string(), length)));
    // This check comes before the file is parsed as a recipe, because the file might be the chain itself.
    let is_chain = table.get("kind").and_then(toml::Value::as_str) == Some("chain");
    ensure!(!is_chain, "{} is a chain, which cannot be part of another chain", path.display());
    let recipe = Recipe::parse(&toml::to_string(&table)?, folder).with_context(place)?;
    Ok(ChainRun { name, seed, recipe })
}

/// Overwrites values in a table with those from another table, recursively in nested tables.
fn merge(table: &mut toml::Table, other: toml::Table) {
    for (key, value) in other {
        match (table.get_mut(&key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(value)) => merge(inner, value),
            (_, value) => drop(table.insert(key, value)),
        }
    }
}

/// Trains with a recipe, starting from scratch or from the folder's checkpoint, until the run is complete or
/// `is_stopped` returns true. Each training run of a chain has a subfolder, and completed runs are skipped.
///
/// # Errors
/// Returns an error if the folder cannot be written, or if its checkpoint cannot be read or belongs to another recipe
/// or seed.
pub fn train(
    recipe: &Recipe,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    match recipe {
        Recipe::Treestrap(_) | Recipe::ValueNetwork(_) if order.workers.is_some() => {
            bail!(
                "only the training of a policy network can use other machines\nhint: run the command \
                without `--on`"
            )
        }
        Recipe::Treestrap(settings) => treestrap::train(settings, order, is_stopped, report),
        Recipe::ValueNetwork(settings) => value_network::train(settings, order, is_stopped, report),
        Recipe::PolicyValue(settings) => policy_value::train(settings, order, is_stopped, report),
        Recipe::Chain(runs) => {
            if order.length.is_some() {
                bail!("a chain has no length of its own: set the length of each training run in its recipe");
            }
            let mut latest: Option<Outcome> = None;
            for (at, run) in runs.iter().enumerate() {
                let folder = order.folder.join(format!("{}-{}", at + 1, run.name));
                report(Event::Log(format!("training {} of {}: {}", at + 1, runs.len(), folder.display())));
                let recipe = match &latest {
                    Some(before) => run.recipe.clone().starting_with(before.file.clone()),
                    None => run.recipe.clone(),
                };
                let order = TrainingOptions { length: None, seed: run.seed, folder, ..order.clone() };
                let outcome = train(&recipe, &order, is_stopped, report)?;
                let is_finished = outcome.is_finished;
                latest = Some(outcome);
                if !is_finished {
                    break;
                }
            }
            Ok(latest.expect("a chain has training runs"))
        }
    }
}
