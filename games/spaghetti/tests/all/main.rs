//! Tests of Spaghetti: rules, protocol, bots.

mod bots;
mod data;
mod protocol;
mod rules;
mod tracer;
