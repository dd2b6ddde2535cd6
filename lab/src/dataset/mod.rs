//! Positions from games with all data about them. They are used to test ideas for an evaluation before any engine is
//! changed.

mod commands;
mod experimental;
mod fit;
mod pictures;
mod score;
#[cfg(test)]
mod tests;

pub use commands::{DatasetArgs, run};
use experimental::EXPERIMENTAL;

use contender_entropy::evaluation::{
    self, LinearGuide, NAMES, Net, POINT, Value, ValueGuide, Weights, decision, evaluate,
};
use contender_entropy::{Cell, State};
use contender_game::rules::{Game, Player, Rng, Turn, mix};
use contender_learn::treestrap::games::{SelfPlay, exact_search, teach};
use contender_table::{Column, Table, Values};

/// The settings of a dataset.
#[derive(Clone, Debug)]
pub struct Making {
    /// The weights for the games, the search and the heuristic value.
    pub weights: Weights,
    /// The network for the network value.
    pub network: Net,
    /// The settings of the games.
    pub self_play: SelfPlay,
    /// The search for the value `minimax`.
    pub searcher: Searcher,
    /// Depth of the search in decisions, at least 1.
    pub depth: u32,
    /// The seed of all randomness.
    pub seed: u64,
}

/// Evaluation at the leaves of the search for the value `minimax`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Searcher {
    /// The linear evaluation by the weights.
    Linear,
    /// The network.
    Network,
}

/// A position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Whether the game belongs to the test part.
    pub is_test: bool,
    /// The game's number.
    pub game: u64,
    /// The player to move, `C` or `O`, and then the cells row by row: `_` or a colour.
    pub state: String,
    /// The number of the decision, from 0. Even numbers are Chaos's decisions, before the chip is drawn.
    pub turn: usize,
    /// The value of a search; the file of a dataset omits it for the test part.
    pub minimax: f64,
    /// The evaluation's value.
    pub heuristic: f64,
    /// The network's value.
    pub network: f64,
    /// The game's final score.
    pub outcome: f64,
    /// The current score.
    pub points: f64,
    /// The inputs of the evaluation, followed by the experimental ones.
    pub inputs: Vec<f64>,
}

/// One game in this many belongs to the test part.
const TEST_EVERY: u64 = 5;

/// Plays the game with this number and returns its positions, one for each of the 97 decisions.
#[must_use]
pub fn positions(making: &Making, game: u64) -> Vec<Row> {
    let mut rng = Rng::new(mix(&[making.seed, game]));
    let mut states = Vec::new();
    let mut search = exact_search(LinearGuide::new(making.weights.clone()), 0);
    let mut see = |state: &State, _: &mut _| states.push(state.clone());
    let end = teach(State::default(), &mut search, &making.self_play, &mut rng, &mut see)
        .expect("a game of Entropy has 97 decisions");
    let outcome = f64::from(end.score());
    let is_test = game % TEST_EVERY == TEST_EVERY - 1;
    let mut network = making.network.clone();
    let mut network_search = exact_search(ValueGuide::<Net>::new(making.network.clone()), 0);
    let points = |value: i32| f64::from(value) / f64::from(POINT);
    let mut row = |state: &State| {
        let turn = decision(state).expect("the game is not over");
        Row {
            is_test,
            game,
            state: write_state(state),
            turn,
            minimax: match making.searcher {
                Searcher::Linear => points(search.value(state, making.depth)),
                Searcher::Network => points(network_search.value(state, making.depth)),
            },
            heuristic: points(evaluate(state, &making.weights)),
            network: points(network.value(turn, state)),
            outcome,
            points: f64::from(state.score()),
            inputs: inputs(state),
        }
    };
    states.iter().map(&mut row).collect()
}

/// Returns the inputs of a state, followed by the experimental ones.
fn inputs(state: &State) -> Vec<f64> {
    let known = evaluation::inputs(state).map(f64::from);
    known.into_iter().chain(EXPERIMENTAL.iter().map(|&(_, input)| input(state))).collect()
}

/// Returns the names of [`Row::inputs`].
#[must_use]
pub fn input_names() -> Vec<&'static str> {
    NAMES.into_iter().chain(EXPERIMENTAL.iter().map(|&(name, _)| name)).collect()
}

/// Returns the player to move and the cells as text.
fn write_state(state: &State) -> String {
    let actor = if state.turn() == Turn::Player(Player::Zero) { 'O' } else { 'C' };
    let cells = Cell::all().map(|cell| match state.colour(cell) {
        0 => '_',
        colour => char::from(b'0' + colour),
    });
    std::iter::once(actor).chain(cells).collect()
}

/// Returns the values that [`table`] omits: those of the test part, for [`score::score`].
#[must_use]
pub fn answers(rows: &[Row]) -> Table {
    let test: Vec<&Row> = rows.iter().filter(|row| row.is_test).collect();
    let columns = vec![
        Column::new("gameid", Values::Integers(test.iter().map(|row| row.game as i64).collect())),
        Column::new("turn", Values::Integers(test.iter().map(|row| row.turn as i64).collect())),
        Column::new("minimax", Values::Numbers(test.iter().map(|row| row.minimax).collect())),
    ];
    Table { columns }
}

/// Returns all rows as columns, in the order of the file.
#[must_use]
pub fn table(rows: &[Row]) -> Table {
    let numbers = |of: &dyn Fn(&Row) -> f64| Values::Numbers(rows.iter().map(of).collect());
    let part = |row: &Row| if row.is_test { "test" } else { "train" };
    let mut columns = vec![
        Column::new("test_train", Values::Texts(rows.iter().map(|row| part(row).to_string()).collect())),
        Column::new("gameid", Values::Integers(rows.iter().map(|row| row.game as i64).collect())),
        Column::new("state", Values::Texts(rows.iter().map(|row| row.state.clone()).collect())),
        Column::new("turn", Values::Integers(rows.iter().map(|row| row.turn as i64).collect())),
        Column::new(
            "minimax",
            Values::Options(rows.iter().map(|row| (!row.is_test).then_some(row.minimax)).collect()),
        ),
        Column::new("heuristic", numbers(&|row| row.heuristic)),
        Column::new("network", numbers(&|row| row.network)),
        Column::new("outcome", numbers(&|row| row.outcome)),
        Column::new("points", numbers(&|row| row.points)),
    ];
    for (at, name) in input_names().into_iter().enumerate() {
        columns.push(Column::new(name, numbers(&|row| row.inputs[at])));
    }
    Table { columns }
}
