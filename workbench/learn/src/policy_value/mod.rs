//! Networks that evaluate positions and propose moves. They first imitate a teacher. Then they learn by proximal policy
//! optimisation from games against themselves and past checkpoints.
//!
//! | file | contents |
//! |---|---|
//! | `recipe` | the settings |
//! | [`LearnedGame`] | the interface of a game: states, choices, values, searches |
//! | `own` | the implementation for every [`Learnable`] game |
//! | `bots` | bundled bots that a recipe names |
//! | `actor` | the games of a round, on this machine or another one |
//! | `record` | games as text |
//! | `evaluator` | evaluation of a network without a search |
//! | `games` | games to learn from, with or without a teacher, and games that measure strength |
//! | `teacher` | the teacher that a network imitates |
//! | `decision` | a decision, and the loss for learning from it |
//! | `window` | the latest decisions, in memory and in files |
//! | `method` | rounds of games and learning, the pool of past checkpoints, matches |
//! | `parameters` | the initial parameters |
//! | `engine`, `layers` | gradients, with the kernels of `contender_nn`; `engine/pass` computes all layers, `engine/convolution` a single one |
//! | `parallel` | work on several threads |
//! | `avx512` | vectors for machines with AVX-512 |
//!
//! The engine's forward pass is a second implementation of [`contender_nn::policy_value`] with the same kernels. It
//! processes several positions at once and keeps the maps of all layers for the backward pass, whereas a bot needs only
//! one position and two maps. A test compares both implementations.
//!
//! Sources: Schulman, Wolski, Dhariwal, Radford and Klimov, "Proximal policy optimization algorithms", 2017; Schulman,
//! Moritz, Levine, Jordan and Abbeel, "High-dimensional continuous control using generalized advantage estimation",
//! 2016.

mod actor;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // The module uses vector instructions.
mod avx512;
mod bots;
mod decision;
#[allow(unsafe_code)] // The kernels take pointers.
mod engine;
mod evaluator;
mod games;
mod layers;
mod method;
mod own;
mod parallel;
mod parameters;
mod recipe;
mod record;
mod teacher;
#[cfg(test)]
mod tests;
mod window;

pub use own::{LearnPosition, Own, SimultaneousMoves, TurnBased};
pub use recipe::{Imitation, Learning, MatchSettings, NetworkSize, Pool, Recipe, SelfPlay};

use crate::RecipeError;
use crate::registry::Registry;
use crate::training::{self, Event, Outcome, TrainingOptions};
use actor::Batch;
use anyhow::Result;
use contender_game::{
    contest::{MoveOf, StateOf, TypedContest},
    rules::Simultaneous,
};
use contender_puct::{Learnable, LearnedGame, Sequential};
use method::Method;

/// Trains with a recipe.
///
/// # Errors
/// See [`crate::train`].
pub fn train(
    recipe: &Recipe,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let learned = GAMES.find(&recipe.game)?;
    (learned.train)(recipe, order, is_stopped, report)
}

/// Plays a batch of games for a training run on another machine, which sends it as text: see
/// [`Workers`](contender_play::Workers). Returns `None` if the batch was interrupted.
///
/// # Errors
/// Returns an error if this program cannot play such games. An inner error would occur in any program.
pub fn act(
    batch: &str,
    networks: &[impl AsRef<[u8]>],
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<Result<String, String>>, RecipeError> {
    let batch: Batch = serde_json::from_str(batch).map_err(|error| RecipeError::Batch(error.to_string()))?;
    let learned = GAMES.find(&batch.recipe.game)?;
    batch.recipe.check()?;
    let networks: Vec<&[u8]> = networks.iter().map(AsRef::as_ref).collect();
    Ok((learned.act)(&batch, &networks, is_stopped))
}

/// Registers a custom game with alternating turns whose states are [`Learnable`], so that networks can be trained for
/// it. This function must be called before a recipe for the game is read.
pub fn learns<C>()
where
    C: TypedContest + Send + Sync + 'static,
    StateOf<C>: Sequential + Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync + 'static,
{
    learns_game::<Own<C, TurnBased<StateOf<C>>>>(C::INFO.name);
}

/// Registers a game with simultaneous moves, like [`learns`].
pub fn learns_simultaneous<C>()
where
    C: TypedContest + Send + Sync + 'static,
    StateOf<C>: Simultaneous<Move = MoveOf<C>> + Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync + 'static,
{
    learns_game::<Own<C, SimultaneousMoves<StateOf<C>>>>(C::INFO.name);
}

/// Registers a game that implements [`LearnedGame`] itself, for example because its turns are lists of choices. See
/// [`learns`].
pub fn learns_game<G: LearnedGame>(name: &'static str) {
    GAMES.push(name, Learned { train: train_game::<G>, act: actor::act::<G> });
}

/// The games that the program has registered.
static GAMES: Registry<Learned> = Registry::new("network with a policy", "learns");

/// A registered game and its functions.
#[derive(Clone, Copy)]
struct Learned {
    train: Train,
    act: Act,
}

type Train = fn(&Recipe, &TrainingOptions, &dyn Fn() -> bool, &mut dyn FnMut(Event)) -> Result<Outcome>;
type Act = fn(&Batch, &[&[u8]], &dyn Fn() -> bool) -> Option<Result<String, String>>;

fn train_game<G: LearnedGame>(
    recipe: &Recipe,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let method = Method::<G>::new(recipe, order.threads, order.workers.clone())?;
    training::run(method, recipe, order, is_stopped, report)
}
