//! The `contender` command.
fn main() {}
