//! Packed programs do what their sources do.

mod bots;
mod corpus;
mod generated;
