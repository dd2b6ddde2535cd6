//! Seeds as people and files write them: signed 64-bit numbers, as in CodinGame's referees.
//!
//! In memory, a seed is a `u64` with the same bits; people see `seed.cast_signed()`. Unsigned numbers are also
//! accepted: `-1` and `18446744073709551615` mean the same seed.

use serde::{Deserialize, Deserializer, Serializer};

/// A seed in a file: a number, or a string if it is beyond ±2^53.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
pub enum Form {
    /// A number that JavaScript and jq can represent exactly.
    Number(i64),
    /// The digits of any other seed.
    Text(String),
}

/// The largest number up to which JavaScript and jq represent all integers exactly.
const MAX_NUMBER: u64 = 1 << 53;

/// Parses a seed, with or without a sign.
#[must_use]
pub fn parse(text: &str) -> Option<u64> {
    text.parse().ok().or_else(|| text.parse::<i64>().ok().map(i64::cast_unsigned))
}

/// Writes a seed as a number, or as a string if programs with floating-point numbers could not represent it.
///
/// # Errors
/// Returns an error if `serializer` fails.
pub fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    let signed = seed.cast_signed();
    if signed.unsigned_abs() <= MAX_NUMBER {
        serializer.serialize_i64(signed)
    } else {
        serializer.collect_str(&signed)
    }
}

/// Reads a seed from a number or a text.
///
/// # Errors
/// Returns an error for anything except a whole 64-bit number.
pub fn deserialize<'de, D: Deserializer<'de>>(value: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a whole 64-bit number")]
    enum Form {
        Unsigned(u64),
        Signed(i64),
        Text(String),
    }
    match Form::deserialize(value)? {
        Form::Unsigned(seed) => Ok(seed),
        Form::Signed(seed) => Ok(seed.cast_unsigned()),
        Form::Text(text) => {
            parse(&text).ok_or_else(|| serde::de::Error::custom("expected a whole 64-bit number"))
        }
    }
}
