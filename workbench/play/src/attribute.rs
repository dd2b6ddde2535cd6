//! Metadata that bots print to standard error, in the format of psyleague and CG Arena.

use serde::{Deserialize, Serialize};

/// A value about a bot or a game, which the bot printed to standard error. There are several formats:
///
/// - `[TDATA] name = value` is a value about the game, and `[PDATA] name = value` a value about the player. If the same
///   name is printed again, the last value counts.
/// - `[PDATA+] name = value` adds a number to the current value with this name.
/// - A number in brackets assigns the value to a turn: `[PDATA][12] score = 7`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attribute {
    /// The name of the value.
    pub name: String,
    /// The player (0 or 1), or `None` if the value is about the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<u8>,
    /// The turn, as counted by the bot, or `None` if the value is about the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The value as text. A sum is formatted as a number.
    pub value: String,
}
