//! Many games as NumPy arrays.

use crate::networks::network;
use crate::search::{SearchPlan, Searches};
use crate::vector::{Envs, Plan, Sizes, Told};
use crate::{Entry, find, wrong};
use contender_game::contest::Limits;
use contender_play::bundled_bot;
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArray3, PyArray4, PyArrayLike1, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// Many games of one kind, played at the same time. When a game ends, the next one starts in its row.
///
/// In one step, one player in each game makes one choice. In most games, a choice is a move. In Cellularena, a turn
/// consists of several choices. Each choice excludes others, and the last one ends the turn; `fresh` is 1 for the first
/// choice of a turn. If both players move at the same time, player 0 chooses first and player 1 does not see the
/// choice.
///
/// With `opponent`, a bundled bot (`"greedy"`, or with options, `"uct:c=0.5"`) plays one seat, and swaps seats with
/// every game in a row. `nodes` limits its search per move.
///
/// All arrays are allocated once and overwritten by every call, so copy the data that you keep.
#[pyclass(module = "contender", freelist = 1)]
pub struct VectorEnv {
    entry: Entry,
    /// The games. They are only borrowed mutably; the mutex makes them `Sync`, which bots are not.
    envs: Mutex<Box<dyn Envs>>,
    seed: u64,
    is_started: bool,
    /// The process that created the environment. After a fork, games in the child process may be half played.
    process: u32,
    /// View of the player who must choose: float32 [games, planes, height, width].
    #[pyo3(get)]
    obs: Py<PyArray4<f32>>,
    /// 1 for each cell of the frame that is on the board: uint8 [games, height, width].
    #[pyo3(get)]
    live: Py<PyArray3<u8>>,
    /// 1 for each legal action: uint8 [games, actions].
    #[pyo3(get)]
    mask: Py<PyArray2<u8>>,
    /// Player who must choose: int8 [games].
    #[pyo3(get)]
    player: Py<PyArray1<i8>>,
    /// 1 for the first choice of a turn: uint8 [games]. Otherwise `obs` has not changed.
    #[pyo3(get)]
    fresh: Py<PyArray1<u8>>,
    /// Value of the game for both players if the latest step ended it, otherwise 0: float32 [games, 2].
    #[pyo3(get)]
    reward: Py<PyArray2<f32>>,
    /// 1 if the latest step ended the game: uint8 [games].
    #[pyo3(get)]
    done: Py<PyArray1<u8>>,
    /// Contest points of both players in the last finished game: int32 [games, 2].
    #[pyo3(get)]
    points: Py<PyArray2<i32>>,
    /// Number of games.
    #[pyo3(get)]
    num_envs: usize,
    /// Number of actions. The action of a cell is `cell * actions_per_cell + number`, with cells counted row by row.
    /// The last action belongs to no cell.
    #[pyo3(get)]
    num_actions: usize,
}

type Reset<'py> = (Bound<'py, PyArray4<f32>>, Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<i8>>);
type Step<'py> = (
    Bound<'py, PyArray4<f32>>,
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray1<u8>>,
);
type Evaluations<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (game, num_envs, seed=0, threads=1, opponent=None, nodes=None))]
    fn new(
        py: Python<'_>,
        game: &str,
        num_envs: usize,
        seed: u64,
        threads: usize,
        opponent: Option<&str>,
        nodes: Option<u64>,
    ) -> PyResult<VectorEnv> {
        let entry = find(game)?;
        let learned = entry.learned()?;
        for (name, number) in [("num_envs", num_envs), ("threads", threads)] {
            if number == 0 || number > 1 << 20 {
                return Err(wrong(format!("{name} must be a number from 1 to {}, not {number}", 1 << 20)));
            }
        }
        if nodes == Some(0) {
            return Err(wrong("nodes must be at least 1, not 0"));
        }
        let opponent =
            opponent.map(|text| bundled_bot(entry.contest, Some(text)).map_err(wrong)).transpose()?;
        let opponent = opponent.map(|(name, options)| {
            let limits = nodes.map_or(Limits::NONE, Limits::nodes);
            (name, options, limits)
        });
        let envs = (learned.open)(Plan { games: num_envs, seed, threads, opponent }).map_err(wrong)?;
        let of = envs.sizes();
        Ok(VectorEnv {
            entry,
            envs: Mutex::new(envs),
            seed,
            is_started: false,
            process: std::process::id(),
            obs: PyArray4::zeros(py, [num_envs, of.planes, of.height, of.width], false).unbind(),
            live: PyArray3::zeros(py, [num_envs, of.height, of.width], false).unbind(),
            mask: PyArray2::zeros(py, [num_envs, of.actions], false).unbind(),
            player: PyArray1::zeros(py, [num_envs], false).unbind(),
            fresh: PyArray1::zeros(py, [num_envs], false).unbind(),
            reward: PyArray2::zeros(py, [num_envs, 2], false).unbind(),
            done: PyArray1::zeros(py, [num_envs], false).unbind(),
            points: PyArray2::zeros(py, [num_envs, 2], false).unbind(),
            num_envs,
            num_actions: of.actions,
        })
    }

    /// Starts all games again, with a new seed if one is given. Returns `obs, mask, player`.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(&mut self, py: Python<'py>, seed: Option<u64>) -> PyResult<Reset<'py>> {
        self.check_process()?;
        self.seed = seed.unwrap_or(self.seed);
        self.is_started = true;
        self.work(py, |envs, seed, told| envs.reset(seed, told));
        Ok((self.obs.bind(py).clone(), self.mask.bind(py).clone(), self.player.bind(py).clone()))
    }

    /// Plays one action in each game. Returns `obs, mask, player, reward, done`.
    ///
    /// Raises ValueError if an action is illegal. In this case no action has been played.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyArrayLike1<'py, i64, AllowTypeChange>,
    ) -> PyResult<Step<'py>> {
        self.check_process()?;
        self.check_started("step")?;
        let actions: Vec<i64> = actions.as_array().iter().copied().collect();
        if actions.len() != self.num_envs {
            return Err(wrong(format!("{} actions for {} games", actions.len(), self.num_envs)));
        }
        let of = &actions;
        let failed = self.work(py, |envs, _, told| envs.step(of, told));
        failed.map_err(|row| {
            wrong(format!("action {} may not be chosen in game {row}; see `mask`", actions[row]))
        })?;
        Ok((
            self.obs.bind(py).clone(),
            self.mask.bind(py).clone(),
            self.player.bind(py).clone(),
            self.reward.bind(py).clone(),
            self.done.bind(py).clone(),
        ))
    }

    /// Evaluates all positions with a network, for the player who must choose, with the same code as bots. Returns the
    /// logits of all actions, float32 [games, actions], and the values, float32 [games]. The argument has the tensors
    /// of `load_network`.
    fn evaluate<'py>(&mut self, py: Python<'py>, tensors: &Bound<'py, PyDict>) -> PyResult<Evaluations<'py>> {
        self.check_process()?;
        let network = network(&self.entry.learned()?.files, tensors)?;
        self.check_started("evaluation")?;
        let logits = PyArray2::zeros(py, [self.num_envs, self.num_actions], false);
        let values = PyArray1::zeros(py, [self.num_envs], false);
        let (mut of_logits, mut of_values) = (logits.readwrite(), values.readwrite());
        let (of_logits, of_values) = (of_logits.as_slice_mut()?, of_values.as_slice_mut()?);
        let envs = self.envs.get_mut().unwrap_or_else(PoisonError::into_inner);
        py.detach(|| envs.evaluate(&network, of_logits, of_values)).map_err(wrong)?;
        Ok((logits, values))
    }
}

impl VectorEnv {
    /// Returns the number of games and the sizes of their arrays, with the searches of the game.
    pub fn searches(&mut self, plan: SearchPlan) -> PyResult<(usize, Sizes, Box<dyn Searches>)> {
        let search = self.entry.learned()?.search.ok_or_else(|| {
            wrong(format!("{} cannot be searched: its players do not take turns", self.entry.contest.name()))
        })?;
        let envs = self.envs.get_mut().unwrap_or_else(PoisonError::into_inner);
        Ok((self.num_envs, envs.sizes(), search(&**envs, plan)))
    }

    /// Returns the games, which must have been started by this process.
    pub fn games(&mut self) -> PyResult<&mut dyn Envs> {
        self.check_process()?;
        self.check_started("search")?;
        Ok(&mut **self.envs.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    fn check_started(&self, next: &str) -> PyResult<()> {
        match self.is_started {
            true => Ok(()),
            false => Err(PyRuntimeError::new_err(format!("call `reset` before the first {next}"))),
        }
    }

    fn check_process(&self) -> PyResult<()> {
        match self.process == std::process::id() {
            true => Ok(()),
            false => Err(PyRuntimeError::new_err(
                "this process was forked: the games belong to its parent\nhint: create a VectorEnv in each process, \
                 or start processes with `spawn`",
            )),
        }
    }

    /// Calls `work` without holding the interpreter's lock.
    fn work<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Envs, u64, &mut Told<'_>) -> T + Send,
    ) -> T {
        // SAFETY: only this value writes to the arrays, and it is borrowed mutably, so two calls at the same time are
        // refused. The arrays were created contiguous. Python code that reads them at the same time sees numbers of
        // either step.
        let mut told = unsafe {
            Told {
                obs: self.obs.bind(py).as_slice_mut().expect("contiguous"),
                live: self.live.bind(py).as_slice_mut().expect("contiguous"),
                mask: self.mask.bind(py).as_slice_mut().expect("contiguous"),
                player: self.player.bind(py).as_slice_mut().expect("contiguous"),
                fresh: self.fresh.bind(py).as_slice_mut().expect("contiguous"),
                reward: self.reward.bind(py).as_slice_mut().expect("contiguous"),
                done: self.done.bind(py).as_slice_mut().expect("contiguous"),
                points: self.points.bind(py).as_slice_mut().expect("contiguous"),
            }
        };
        let (envs, seed) = (self.envs.get_mut().unwrap_or_else(PoisonError::into_inner), self.seed);
        py.detach(|| work(&mut **envs, seed, &mut told))
    }
}
