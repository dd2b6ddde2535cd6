//! Metadata that bots print on standard error, in the lines that psyleague and CG Arena understand.

use serde::{Deserialize, Serialize};

/// A value that a bot printed about itself or the game in a line of standard error:
///
/// - `[TDATA] name = value` is about the game, and `[PDATA] name = value` about the player. If a name is printed again,
///   the last value counts.
/// - `[PDATA+] name = value` adds the number to the value that this name has so far.
/// - A turn in brackets attaches the value to that turn: `[PDATA][12] score = 7`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attribute {
    /// The name of the value.
    pub name: String,
    /// The player, 0 or 1; `None` if the value is about the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<u8>,
    /// The turn, as the bot counts turns; `None` if the value is about the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The value as text. Sums are written as numbers.
    pub value: String,
}
