//! Single games, with moves in the format of the game's judge.

use crate::{Entry, GAMES, find, positive, wrong};
use contender_game::{
    board::{Picture, ansi},
    contest::{BotSetup, Judge, Position, PositionAnalysis, Question},
    rules::Player,
    settings::Options,
};
use contender_play::bundled_bot;
use contender_plot::board::svg_file;
use contender_referee::{ConditionArgs, TimeSetting, parse_rules};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Mutex;
use std::time::Duration;

/// Returns the names of all games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    GAMES.get().map_or(Vec::new(), |all| all.iter().map(|entry| entry.contest.name()).collect())
}

/// A game: `contender.game("uttt")`.
#[pyclass(module = "contender", frozen)]
pub struct Game {
    entry: Entry,
    /// The game's name in commands.
    #[pyo3(get)]
    name: &'static str,
    /// A description in one line: the game, the contest and its year.
    #[pyo3(get)]
    about: &'static str,
    /// Names of seats 0 and 1.
    #[pyo3(get)]
    seats: [&'static str; 2],
    /// Names of the bundled bots, weakest first.
    #[pyo3(get)]
    bots: Vec<&'static str>,
    /// Whether a network can learn the game, so that `VectorEnv` supports it.
    #[pyo3(get)]
    is_learnable: bool,
    /// The rules as text.
    #[pyo3(get)]
    rules: String,
}

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str) -> PyResult<Game> {
        let entry = find(name)?;
        let info = entry.contest.info();
        Ok(Game {
            entry,
            name: info.name,
            about: info.about,
            seats: info.seats,
            bots: info.bots.iter().map(|bot| bot.name).collect(),
            is_learnable: entry.learned.is_some(),
            rules: entry.contest.rules_text(),
        })
    }

    /// Starts a game. The seed determines all randomness. `rules` selects variants of the rules, for example
    /// `["opening=4"]`; `contender games GAME` lists them.
    #[pyo3(signature = (seed=0, rules=None))]
    fn start(&self, seed: u64, rules: Option<Vec<String>>) -> PyResult<State> {
        State::begin(self.entry, seed, rules.unwrap_or_default(), &[])
    }

    fn __repr__(&self) -> String {
        format!("<contender.Game {}: {}>", self.name, self.about)
    }
}

/// A game in progress. Moves are text in the format of the contest's judge.
#[pyclass(module = "contender")]
pub struct State {
    entry: Entry,
    seed: u64,
    rules: Vec<String>,
    judge: Mutex<Box<dyn Judge>>,
    questions: Vec<Question>,
}

/// Returns the seat with this number.
fn seat(number: usize) -> PyResult<Player> {
    Player::BOTH.get(number).copied().ok_or_else(|| wrong(format!("a player must be 0 or 1, not {number}")))
}

/// Converts a Python value to the lines of an answer.
fn lines(mv: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match mv.extract::<String>() {
        Ok(text) => Ok(text.split(['\n', ';']).map(|line| line.trim().to_string()).collect()),
        Err(_) => mv.extract(),
    }
}

impl State {
    fn begin(entry: Entry, seed: u64, rules: Vec<String>, moves: &[String]) -> PyResult<State> {
        let mut left = parse_rules(&rules).map_err(wrong)?;
        let mut judge = entry.contest.judge(seed, &mut left).map_err(wrong)?;
        left.finish().map_err(wrong)?;
        for mv in moves {
            judge.replay(mv).map_err(wrong)?;
        }
        let questions = judge.ask();
        Ok(State { entry, seed, rules, judge: Mutex::new(judge), questions })
    }

    fn judge(&mut self) -> &mut dyn Judge {
        &mut **self.judge.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn picture(&mut self) -> Picture {
        self.judge().picture(None)
    }

    /// Copies the position by replaying its record.
    fn again(&mut self) -> PyResult<State> {
        let moves = self.record();
        State::begin(self.entry, self.seed, self.rules.clone(), &moves)
    }
}

#[pymethods]
impl State {
    /// The players who must move: one player, both if they move at the same time, or none if the game is over.
    #[getter]
    fn players(&self) -> Vec<usize> {
        self.questions.iter().map(|question| question.player.index()).collect()
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.questions.is_empty()
    }

    /// The current contest points of both players.
    #[getter]
    fn points(&mut self) -> [i32; 2] {
        self.judge().points()
    }

    /// The moves so far, including chance outcomes, in the format of recorded games.
    #[getter]
    fn record(&mut self) -> Vec<String> {
        self.judge().moves().to_vec()
    }

    /// The input that the judge sends to each player who must move.
    #[getter]
    fn questions(&self) -> Vec<String> {
        self.questions.iter().map(|question| question.text.clone()).collect()
    }

    /// Returns all legal moves of a player who must move (by default, the first such player). If an answer has several
    /// lines, as in Cellularena with several organisms, returns the possible single lines.
    #[pyo3(signature = (player=None))]
    fn moves(&mut self, player: Option<usize>) -> PyResult<Vec<String>> {
        let player = match player {
            Some(number) => seat(number)?,
            None => self.questions.first().map_or(Player::Zero, |question| question.player),
        };
        Ok(self.judge().choices(player))
    }

    /// Plays a move, or one move per player if both move at the same time. If an answer has several lines, pass a list
    /// of lines, or one text with the lines separated by `;`.
    ///
    /// Raises ValueError if a move is illegal, and RuntimeError if the game is over. In both cases the state does not
    /// change.
    #[pyo3(signature = (*moves))]
    fn play(&mut self, moves: &Bound<'_, PyTuple>) -> PyResult<()> {
        if self.is_over() {
            return Err(PyRuntimeError::new_err("the game is over"));
        }
        let due: Vec<(Player, usize)> =
            self.questions.iter().map(|question| (question.player, question.answer_lines)).collect();
        if moves.len() != due.len() {
            return Err(wrong(format!(
                "expected {} moves, one for each player to move, but got {}",
                due.len(),
                moves.len()
            )));
        }
        let answers: Vec<Vec<String>> = moves.iter().map(|mv| lines(&mv)).collect::<PyResult<_>>()?;
        for ((player, count), answer) in due.iter().zip(&answers) {
            if answer.len() != *count {
                return Err(wrong(format!(
                    "the answer of player {} has {} lines instead of {count}",
                    player.index(),
                    answer.len()
                )));
            }
        }
        for (at, ((player, _), answer)) in due.iter().zip(&answers).enumerate() {
            if let Err(reason) = self.judge().answer(*player, answer) {
                if at > 0 {
                    *self = self.again()?;
                }
                return Err(wrong(reason));
            }
        }
        self.questions = self.judge().ask();
        Ok(())
    }

    /// Returns an independent copy of the game with the same future randomness.
    fn copy(&mut self) -> PyResult<State> {
        self.again()
    }

    /// Draws the position as SVG, for notebooks.
    fn _repr_svg_(&mut self) -> String {
        let name = self.entry.contest.name();
        svg_file(&self.picture(), name)
    }

    fn __str__(&mut self) -> String {
        ansi::plain(&self.picture().to_text())
    }

    fn __repr__(&mut self) -> String {
        let (name, moves) = (self.entry.contest.name(), self.judge().moves().len());
        format!("<contender.State of {name} after {moves} moves>")
    }
}

/// A bundled bot, such as `contender.bot("uttt", "champion")`, or `"uct:c=0.5"` with options. The default is the game's
/// strongest bot.
#[pyclass(module = "contender", frozen)]
pub struct Bot {
    entry: Entry,
    name: String,
    options: Options,
}

/// An analysis, which Python gets as a dict: see `contender.Analysis`.
#[derive(IntoPyObject)]
struct Found {
    player: usize,
    answer: Vec<String>,
    moves: Vec<(String, f64, f64, bool, u64)>,
    strategy: Vec<f64>,
    line: Vec<String>,
    unit: &'static str,
    depth: u32,
    counts: Vec<(&'static str, u64)>,
    inputs: Vec<(&'static str, f64)>,
    seconds: f64,
}

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(signature = (game, name=None))]
    fn new(game: &str, name: Option<&str>) -> PyResult<Bot> {
        let entry = find(game)?;
        let (name, options) = bundled_bot(entry.contest, name).map_err(wrong)?;
        Ok(Bot { entry, name, options })
    }

    /// The bot's name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Lets the bot analyse a position, limited by `nodes`, by `time` (such as `"100ms"`), or by both. The default is
    /// the contest's time limit for a turn.
    #[pyo3(signature = (state, nodes=None, time=None, player=None, seed=0))]
    fn think(
        &self,
        py: Python<'_>,
        state: &mut State,
        nodes: Option<u64>,
        time: Option<&str>,
        player: Option<usize>,
        seed: u64,
    ) -> PyResult<Found> {
        if state.entry.contest.name() != self.entry.contest.name() {
            let [bot, game] = [self.entry, state.entry].map(|entry| entry.contest.name());
            return Err(wrong(format!("a bot for {bot} cannot play {game}")));
        }
        if state.is_over() {
            return Err(PyRuntimeError::new_err("the game is over: there is nothing to decide"));
        }
        let time = time.map(TimeSetting::parse).transpose().map_err(wrong)?;
        let conditions = ConditionArgs { time, nodes: positive(nodes)?, ..ConditionArgs::default() };
        let setup = BotSetup { limits: conditions.one_move(Duration::from_secs(1)), seed };
        let player = player.map(seat).transpose()?;
        let (moves, mut rules, seed) =
            (state.record(), parse_rules(&state.rules).map_err(wrong)?, state.seed);
        let (contest, mut options) = (self.entry.contest, self.options.clone());
        let found = py.detach(|| {
            let position = Position { seed, rules: &mut rules, moves: &moves, played: None, player };
            contest.analyse(position, &self.name, &mut options, &setup)
        });
        let PositionAnalysis { player, answer, analysis, .. } = found.map_err(wrong)?;
        let moves = analysis.moves.into_iter();
        Ok(Found {
            player: player.index(),
            answer,
            moves: moves.map(|of| (of.mv, of.value[0], of.value[1], of.is_proven, of.effort)).collect(),
            strategy: analysis.strategy,
            line: analysis.line,
            unit: analysis.unit,
            depth: analysis.depth,
            counts: analysis.counts,
            inputs: analysis.inputs,
            seconds: analysis.elapsed.as_secs_f64(),
        })
    }

    fn __repr__(&self) -> String {
        format!("<contender.Bot {} of {}>", self.name, self.entry.contest.name())
    }
}
