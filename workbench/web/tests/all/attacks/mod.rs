//! What must not work, a file for each thing that is attacked.

mod bounds;
mod pages;
mod paths;
mod programs;
mod senders;
mod texts;
