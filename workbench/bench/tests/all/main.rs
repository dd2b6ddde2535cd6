//! The behaviour that `contender bench` measures does not change unnoticed, and the games fit the traits of other
//! crates.

mod fits;
mod signature;
