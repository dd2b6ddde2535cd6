//! Tests of codecs and networks, compared with slow reference implementations.

mod codec;
mod policy_value;
