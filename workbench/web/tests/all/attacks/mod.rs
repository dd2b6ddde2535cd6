//! Attacks that must fail, one file per target.

mod bounds;
mod pages;
mod paths;
mod programs;
mod senders;
mod texts;
