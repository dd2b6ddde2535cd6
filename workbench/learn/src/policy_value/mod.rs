//! Networks that value positions and propose moves, learned by games of a bot that imitates a teacher first, and then by
//! proximal policy optimisation against itself and its former selves.
//!
//! | file | what |
//! |---|---|
//! | `recipe` | the settings |
//! | `method` | rounds of games and of learning, the pool of former selves, matches |
//! | `cellularena` | games of Cellularena, and what is learned from their decisions |
//! | `engine`, `ready` | gradients, on the kernels of `contender_nn`; `engine/pass` all layers, `engine/convolution` one |
//! | `parallel` | work of several threads |
//! | `avx512` | vectors for machines that have them |
//!
//! Sources: Schulman, Wolski, Dhariwal, Radford and Klimov, "Proximal policy optimization algorithms", 2017; Schulman, Moritz, Levine,
//! Jordan and Abbeel, "High-dimensional continuous control using generalized advantage estimation", 2016.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // Vector instructions.
mod avx512;
mod cellularena;
#[allow(unsafe_code)] // The kernels take pointers.
pub mod engine;
mod method;
mod parallel;
mod ready;
mod recipe;

pub use method::train;
pub use recipe::{Imitation, Learning, Matches, Network, Recipe, SelfPlay};
