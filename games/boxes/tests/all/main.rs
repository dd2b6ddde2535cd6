//! Tests of Box: rules, protocol, bots.

mod bots;
mod champion;
mod common;
mod data;
mod protocol;
mod rules;
