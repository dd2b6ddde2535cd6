//! Packed programs behave like their sources.

mod bots;
mod corpus;
mod editions;
mod generated;
mod macros;
mod packages;
