//! Contender as a Python module: single games, many games as arrays, bots, matches and networks.
//!
//! | file | contents |
//! |---|---|
//! | `played` | a game as a sequence of choices |
//! | `vector` | many such games on several threads |
//! | `search` | PUCT in many games, whose leaves are evaluated outside |
//! | `arrays` | the arrays of many games, as attributes of a Python object |
//! | `envs`, `tree_search` | the games of a `VectorEnv` and the searches of a `TreeSearch` |
//! | `game` | `Game`, `State`, `Bot`: a single game, with moves in the format of its judge |
//! | `networks` | network files as tensors |
//! | `arena` | matches and logs |
//!
//! A module for a custom game takes ten lines; `contender new game` writes it.

mod arena;
mod arrays;
mod envs;
mod game;
mod networks;
mod played;
mod search;
mod tree_search;
mod vector;

use contender_cellularena::learning::Cellularena;
use contender_game::{
    contest::{Contest, MoveOf, StateOf, TypedContest},
    rules::{Game, Simultaneous},
};
use contender_learn::policy_value::{Own, SimultaneousMoves, TurnBased};
use contender_puct::{Learnable, LearnedGame, Sequential};
use contender_search::ChanceModel;
use networks::Files;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use search::{SearchPlan, Searches};
use std::sync::OnceLock;
use vector::{Envs, Plan, Vector};

/// A game that the module offers.
#[derive(Clone, Copy)]
pub struct Entry {
    contest: &'static dyn Contest,
    learned: Option<Learned>,
}

/// The functions for a game that networks can learn.
#[derive(Clone, Copy)]
struct Learned {
    open: fn(Plan) -> Result<Box<dyn Envs>, String>,
    /// The function that creates searches in such games; `None` if the players do not take turns.
    search: Option<NewSearches>,
    files: Files,
}

type NewSearches = fn(&dyn Envs, SearchPlan) -> Box<dyn Searches>;

/// Creates the entry of a game without [`Learnable`](contender_puct::Learnable) states. Such a game can be played but
/// not learned.
#[must_use]
pub fn unlearned(contest: &'static dyn Contest) -> Entry {
    Entry { contest, learned: None }
}

/// Creates the entry of a game with alternating turns that networks can learn.
#[must_use]
pub fn in_turn<C>(contest: &'static dyn Contest) -> Entry
where
    C: TypedContest + Send + Sync,
    StateOf<C>: Sequential + Learnable<Move = MoveOf<C>> + Game<Move = MoveOf<C>>,
    search::ChanceIn<StateOf<C>>: ChanceModel<StateOf<C>, Outcome: Send>,
    MoveOf<C>: Copy + PartialEq + Send + Sync,
{
    learned::<Own<C, TurnBased<StateOf<C>>>>(contest, Some(search::searches::<C>))
}

/// Creates the entry of a game with simultaneous moves that networks can learn.
#[must_use]
pub fn simultaneous<C>(contest: &'static dyn Contest) -> Entry
where
    C: TypedContest + Send + Sync,
    StateOf<C>: Simultaneous<Move = MoveOf<C>> + Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync,
{
    learned::<Own<C, SimultaneousMoves<StateOf<C>>>>(contest, None)
}

fn learned<L: LearnedGame>(contest: &'static dyn Contest, search: Option<NewSearches>) -> Entry {
    let open: fn(Plan) -> Result<Box<dyn Envs>, String> = |plan| Ok(Box::new(Vector::<L>::new(plan)?));
    Entry { contest, learned: Some(Learned { open, search, files: Files::of::<L>() }) }
}

/// Returns the games of this workspace.
#[must_use]
pub fn games() -> Vec<Entry> {
    vec![
        in_turn::<contender_boxes::BoxContest>(contender_boxes::CONTEST),
        learned::<Cellularena>(contender_cellularena::CONTEST, None),
        in_turn::<contender_entropy::Entropy>(contender_entropy::CONTEST),
        in_turn::<contender_spaghetti::Spaghetti>(contender_spaghetti::CONTEST),
        in_turn::<contender_uttt::Uttt>(contender_uttt::CONTEST),
    ]
}

static GAMES: OnceLock<Vec<Entry>> = OnceLock::new();

/// Adds all classes and functions for these games to a Python module.
///
/// # Errors
/// Returns an error if there are no games or if two games have the same name.
pub fn fill(module: &Bound<'_, PyModule>, games: &[Entry]) -> PyResult<()> {
    if GAMES.set(games.to_vec()).is_ok() {
        let contests: Vec<&'static dyn Contest> = games.iter().map(|entry| entry.contest).collect();
        contender_catalogue::register(&contests).map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    module.add_class::<game::Game>()?;
    module.add_class::<game::State>()?;
    module.add_class::<game::Bot>()?;
    module.add_class::<envs::Games>()?;
    module.add_class::<tree_search::Search>()?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(arena::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(arena::read_log, module)?)?;
    module.add_function(wrap_pyfunction!(networks::load_network, module)?)?;
    module.add_function(wrap_pyfunction!(networks::save_network, module)?)?;
    module.add_function(wrap_pyfunction!(networks::round_network, module)?)?;
    module.add_function(wrap_pyfunction!(networks::network_shapes, module)?)?;
    module.add_function(wrap_pyfunction!(networks::symmetries, module)?)
}

#[cfg(feature = "module")]
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fill(module, &games())
}

/// Returns the game with this name.
fn find(name: &str) -> PyResult<Entry> {
    let all = GAMES.get().map_or(&[][..], Vec::as_slice);
    let found = all.iter().find(|entry| entry.contest.name() == name);
    found.copied().ok_or_else(|| wrong(contender_catalogue::unknown_game(name)))
}

impl Entry {
    fn learned(self) -> PyResult<Learned> {
        let name = self.contest.name();
        self.learned
            .ok_or_else(|| wrong(format!("a network cannot learn {name}: its states are not `Learnable`")))
    }
}

/// Returns a number of nodes, if it is given.
fn positive(nodes: Option<u64>) -> PyResult<Option<u64>> {
    match nodes {
        Some(0) => Err(wrong("nodes must be at least 1, not 0")),
        nodes => Ok(nodes),
    }
}

/// Returns a `ValueError` with a reason.
fn wrong(reason: impl ToString) -> PyErr {
    PyValueError::new_err(reason.to_string())
}
