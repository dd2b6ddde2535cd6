//! Code shared by all kinds of recipes.

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The kind of a recipe. Each kind has its own settings. All kinds except chains have the keys `kind` and `game`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RecipeKind {
    /// A linear evaluation, learned from the nodes that searches visit: [`treestrap`](crate::treestrap).
    Treestrap,
    /// A network that evaluates positions, fitted to the results of searches: [`value_network`](crate::value_network).
    ValueNetwork,
    /// A network that evaluates positions and proposes moves: [`policy_value`](crate::policy_value).
    PolicyValue,
    /// Several training runs, one after another, each with its own recipe: [`Recipe::Chain`](crate::Recipe::Chain).
    Chain,
}

/// Reads the file from which a training run starts.
///
/// # Errors
/// Returns an error that contains the file name if the file cannot be read, or if `read` rejects its bytes.
pub(crate) fn read_start<T>(path: &Path, read: impl FnOnce(&[u8]) -> Result<T, String>) -> Result<T> {
    read_part("start", path, read)
}

/// Reads a file that is named in a section of a recipe.
pub(crate) fn read_part<T>(
    part: &str,
    path: &Path,
    read: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<T> {
    let place = || format!("`{part}` in the recipe: {}", path.display());
    let bytes = contender_input::read(path, contender_input::MAX_DATA).with_context(place)?;
    read(&bytes).map_err(|error| anyhow!(error)).with_context(place)
}
