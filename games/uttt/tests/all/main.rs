//! Tests of Ultimate Tic-Tac-Toe: rules, protocol, bots.

mod bots;
mod classic;
mod data;
mod protocol;
mod rules;
mod solver;
mod tactics;
mod value_network;
