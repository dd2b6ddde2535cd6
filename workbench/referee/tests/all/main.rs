//! Tests of games between bundled bots and programs that misbehave.

mod bundled;
#[path = "../common/mod.rs"]
mod common;
mod external;
mod fairness;
mod isolation;
mod keep_alive;
mod relay;
mod simultaneous;
