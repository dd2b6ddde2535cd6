//! The common part of all kinds of recipes.

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Kind of a recipe. Each kind has settings of its own; all but chains name the `kind` and the `game`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A linear evaluation, by the bounds of the nodes that searches visit: [`treestrap`](crate::treestrap).
    Treestrap,
    /// A network that values positions, fitted to what searches say of them: [`value_network`](crate::value_network).
    ValueNetwork,
    /// A network that values positions and proposes moves: [`policy_value`](crate::policy_value).
    PolicyValue,
    /// Trainings one after the other, each with a recipe of its own: [`Recipe::Chain`](crate::Recipe::Chain).
    Chain,
}

/// Reads what a training begins with.
///
/// # Errors
/// If the file cannot be read, or what `read` says of its bytes, with the file's name.
pub(crate) fn read_start<T>(path: &Path, read: impl FnOnce(&[u8]) -> Result<T, String>) -> Result<T> {
    read_part("start", path, read)
}

/// Reads the file that a part of a recipe names.
pub(crate) fn read_part<T>(
    part: &str,
    path: &Path,
    read: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<T> {
    let place = || format!("`{part}` of the recipe, {}", path.display());
    let bytes = contender_input::read(path, contender_input::MAX_DATA).with_context(place)?;
    read(&bytes).map_err(|error| anyhow!(error)).with_context(place)
}
