//! Networks that value positions and propose moves, learned by games of a bot that imitates a teacher first, and then
//! by proximal policy optimisation against itself and its former selves.
//!
//! | file | what |
//! |---|---|
//! | `recipe` | the settings |
//! | [`LearnedGame`] | what a game gives: states, choices, what they are worth, searches |
//! | `own` | that of every game which is [`Learnable`] |
//! | `bots` | bundled bots by the words of a recipe |
//! | `actor` | the games of a round, here or on another machine |
//! | `record` | games as text |
//! | `evaluator` | a network that is asked without a search |
//! | `games` | games that are learned from, with or without a teacher, and games that measure |
//! | `teacher` | whom a network imitates |
//! | `decision` | one decision, and the loss by which a network learns from it |
//! | `window` | the latest decisions, in memory and in files |
//! | `method` | rounds of games and of learning, the pool of former selves, matches |
//! | `parameters` | those before the first step |
//! | `engine`, `layers` | gradients, on the kernels of `contender_nn`; `engine/pass` all layers, `engine/convolution` one |
//! | `parallel` | work of several threads |
//! | `avx512` | vectors for machines that have them |
//!
//! The engine's way forward is a second one beside that of [`contender_nn::policy_value`], on the same kernels: it
//! takes several positions at once and keeps the maps of all layers for the way back, where a bot's evaluation has two
//! maps and one position. A test compares them.
//!
//! Sources: Schulman, Wolski, Dhariwal, Radford and Klimov, "Proximal policy optimization algorithms", 2017; Schulman,
//! Moritz, Levine, Jordan and Abbeel, "High-dimensional continuous control using generalized advantage estimation",
//! 2016.

mod actor;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // Vector instructions.
mod avx512;
mod bots;
mod decision;
#[allow(unsafe_code)] // The kernels take pointers.
pub mod engine;
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

pub use recipe::{Imitation, Learning, Matches, Network, Pool, Recipe, SelfPlay};

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
use own::{Own, SimultaneousMoves, TurnBased};

/// Trains by a recipe.
///
/// # Errors
/// See [`crate::train`].
pub fn train(
    recipe: &Recipe,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let learned = learned(&recipe.game).expect("a checked recipe is of one of them");
    (learned.train)(recipe, order, is_stopped, report)
}

/// Plays a batch of games for a training on another machine, which gets them as text: see
/// [`Workers`](contender_play::Workers). `None` if it was broken off.
///
/// # Errors
/// Why this program plays no such games, in words for its owner; the inner error is of any program.
pub fn act(
    batch: &str,
    networks: &[impl AsRef<[u8]>],
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<Result<String, String>>, String> {
    let batch: Batch = serde_json::from_str(batch).map_err(|error| format!("no batch of games: {error}"))?;
    let game = &batch.recipe.game;
    let learned = learned(game).ok_or_else(|| format!("this program has no network of `{game}` to learn"))?;
    batch.recipe.check()?;
    let networks: Vec<&[u8]> = networks.iter().map(AsRef::as_ref).collect();
    Ok((learned.act)(&batch, &networks, is_stopped))
}

/// Says that an author's own game in turn can be learned, before a recipe of it is read: the game of a contest whose
/// states are [`Learnable`].
pub fn learns<C>()
where
    C: TypedContest + Send + Sync + 'static,
    StateOf<C>: Sequential + Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync + 'static,
{
    learns_game::<Own<C, TurnBased<StateOf<C>>>>(C::INFO.name);
}

/// As [`learns`], of a game in which both act at once.
pub fn learns_simultaneous<C>()
where
    C: TypedContest + Send + Sync + 'static,
    StateOf<C>: Simultaneous<Move = MoveOf<C>> + Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync + 'static,
{
    learns_game::<Own<C, SimultaneousMoves<StateOf<C>>>>(C::INFO.name);
}

/// As [`learns`], of a game of this name that says itself all that the trainer asks for: one whose turn is a list of
/// choices, for example.
pub fn learns_game<G: LearnedGame>(name: &'static str) {
    GAMES.push(Learned::of::<G>(name));
}

/// The games that the program has registered.
static GAMES: Registry<Learned> = Registry::new();

/// A game whose networks are learned, and how.
#[derive(Clone, Copy)]
struct Learned {
    game: &'static str,
    train: Train,
    act: Act,
}

type Train = fn(&Recipe, &TrainingOptions, &dyn Fn() -> bool, &mut dyn FnMut(Event)) -> Result<Outcome>;
type Act = fn(&Batch, &[&[u8]], &dyn Fn() -> bool) -> Option<Result<String, String>>;

impl Learned {
    fn of<G: LearnedGame>(game: &'static str) -> Learned {
        Learned { game, train: train_game::<G>, act: actor::act::<G> }
    }
}

fn learned(game: &str) -> Option<Learned> {
    GAMES.all().into_iter().find(|learned| learned.game == game)
}

fn train_game<G: LearnedGame>(
    recipe: &Recipe,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let method = Method::<G>::new(recipe, order.threads, order.workers.clone())?;
    training::run(method, recipe, order, is_stopped, report)
}
