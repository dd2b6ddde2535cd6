//! Options and rules as JSON strings.

use crate::log::rules_of;
use contender_game::settings::Options;
use serde::{Deserialize, Deserializer, Serializer};

/// Serialises options or rules as `key=value,key=value`.
pub(crate) fn as_text<S: Serializer>(options: &Options, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(options)
}

/// Deserialises a bot's options.
pub(crate) fn options<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Options, D::Error> {
    Options::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

/// Deserialises rules.
pub(crate) fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Options, D::Error> {
    rules_of(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}
