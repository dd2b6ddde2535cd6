//! Codecs and networks next to slow reference implementations.

mod codec;
mod policy_value;
