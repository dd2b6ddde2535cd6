//! Metadata that bots print on standard error, in the lines that psyleague and CG Arena know.

use serde::{Deserialize, Serialize};

/// A value that a bot printed about itself or the game, in a line of standard error:
///
/// - `[TDATA] name = value` is about the game, `[PDATA] name = value` about the player; the last one counts.
/// - `[PDATA+] name = value` adds numbers up.
/// - A turn in brackets makes it an entry of that turn: `[PDATA][12] score = 7`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// The player that it is about, 0 or 1; without it, it is about the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<u8>,
    /// The turn that it is about, as the bot counts; without it, it is about the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The value as text; sums are written as numbers.
    pub value: String,
}
