//! Tests of Entropy: rules, protocol, bots.

mod classic;
mod data;
mod evaluation;
mod habits;
mod protocol;
mod python;
mod rules;
