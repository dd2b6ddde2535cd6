//! Tests of Cellularena: rules, protocol, bots.

mod beam;
mod cache;
mod data;
mod heuristic;
mod network;
mod plain;
mod protocol;
mod rules;
