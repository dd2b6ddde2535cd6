//! Many games, whose arrays belong to a Python object.

use crate::networks::network;
use crate::vector::{Arrays, Envs, Plan};
use crate::{Entry, find, positive, wrong};
use contender_game::contest::Limits;
use contender_play::bundled_bot;
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike1, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// The games of a `VectorEnv`.
#[pyclass(module = "contender")]
pub struct Games {
    pub entry: Entry,
    /// The games. They are only borrowed mutably; the mutex makes them `Sync`, which bots are not.
    envs: Mutex<Box<dyn Envs>>,
    #[pyo3(get)]
    pub num_envs: usize,
    is_started: bool,
    /// The process that created the games. After a fork, games in the child process may be half played.
    process: u32,
}

type Evaluations<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

#[pymethods]
impl Games {
    #[new]
    fn new(
        game: &str,
        num_envs: usize,
        threads: usize,
        opponent: Option<&str>,
        nodes: Option<u64>,
    ) -> PyResult<Games> {
        let entry = find(game)?;
        let learned = entry.learned()?;
        for (name, number) in [("num_envs", num_envs), ("threads", threads)] {
            if number == 0 || number > 1 << 20 {
                return Err(wrong(format!("{name} must be a number from 1 to {}, not {number}", 1 << 20)));
            }
        }
        let limits = positive(nodes)?.map_or(Limits::NONE, Limits::nodes);
        let bot = opponent.map(|text| bundled_bot(entry.contest, Some(text)).map_err(wrong)).transpose()?;
        let opponent = bot.map(|(name, options)| (name, options, limits));
        let plan = Plan { games: num_envs, seed: 0, threads, opponent };
        let envs = Mutex::new((learned.open)(plan).map_err(wrong)?);
        Ok(Games { entry, envs, num_envs, is_started: false, process: std::process::id() })
    }

    /// Numbers of planes, rows and columns of an observation, and number of actions.
    #[getter]
    fn sizes(&mut self) -> [usize; 4] {
        let sizes = self.envs().sizes();
        [sizes.planes, sizes.height, sizes.width, sizes.actions]
    }

    /// Starts all games, and writes to the arrays of an object.
    fn reset(&mut self, py: Python<'_>, seed: u64, mut to: Arrays<'_>) -> PyResult<()> {
        self.check_process()?;
        self.is_started = true;
        let (envs, told) = (self.envs(), to.rows()?);
        py.detach(|| envs.reset(seed, told));
        Ok(())
    }

    /// Plays one action in each game, and writes to the arrays of an object.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyArrayLike1<'_, i64, AllowTypeChange>,
        mut to: Arrays<'_>,
    ) -> PyResult<()> {
        let actions: Vec<i64> = actions.as_array().iter().copied().collect();
        if actions.len() != self.num_envs {
            return Err(wrong(format!("{} actions for {} games", actions.len(), self.num_envs)));
        }
        let (envs, told) = (self.started("step")?, to.rows()?);
        py.detach(|| envs.step(&actions, told)).map_err(|row| {
            wrong(format!("action {} may not be chosen in game {row}; see `mask`", actions[row]))
        })
    }

    /// Evaluates all positions with a network.
    fn evaluate<'py>(&mut self, py: Python<'py>, tensors: &Bound<'py, PyDict>) -> PyResult<Evaluations<'py>> {
        let network = network(&self.entry.learned()?.files, tensors)?;
        let games = self.num_envs;
        let envs = self.started("evaluation")?;
        let logits = PyArray2::zeros(py, [games, envs.sizes().actions], false);
        let values = PyArray1::zeros(py, [games], false);
        let (mut of_logits, mut of_values) = (logits.readwrite(), values.readwrite());
        let (of_logits, of_values) = (of_logits.as_slice_mut()?, of_values.as_slice_mut()?);
        py.detach(|| envs.evaluate(&network, of_logits, of_values)).map_err(wrong)?;
        Ok((logits, values))
    }
}

impl Games {
    pub fn envs(&mut self) -> &mut dyn Envs {
        &mut **self.envs.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the games, which must have been started by this process.
    pub fn started(&mut self, next: &str) -> PyResult<&mut dyn Envs> {
        self.check_process()?;
        match self.is_started {
            true => Ok(self.envs()),
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
}
