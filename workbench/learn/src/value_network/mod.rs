//! Networks that value positions: games of a bot against itself, labelled by its searches, and a fit to them, in generations.

use crate::recipe::Kind;
use crate::training::{Event, Order, Outcome};
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// All settings of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// [`Kind::ValueNetwork`].
    pub kind: Kind,
    /// The game: `entropy` or `uttt`.
    pub game: String,
}

impl Recipe {
    /// Says what is wrong with the settings.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Trains by a recipe.
///
/// # Errors
/// See [`crate::train`].
pub fn train(
    _recipe: &Recipe,
    _order: &Order,
    _is_stopped: &dyn Fn() -> bool,
    _report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    bail!("networks of values are not trained here yet")
}
