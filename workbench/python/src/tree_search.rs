//! PUCT in many games with NumPy arrays.

use crate::envs::VectorEnv;
use crate::search::{Leaves, SearchPlan, Searches};
use crate::wrong;
use contender_search::mcts::Puct;
use numpy::{
    BorrowError, PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// A search of the positions of a `VectorEnv`, as in AlphaZero: PUCT with a policy and a value. In each step, the
/// leaves of all games are evaluated in one batch.
///
/// `begin` starts a search of `nodes` iterations per game. Then evaluate the leaves and call `step`, until no game is
/// `waiting`. `visits` then contains the share of the iterations for each action. The games must take turns.
///
/// All arrays are allocated once and overwritten by every call, so copy the data that you keep.
#[pyclass(module = "contender")]
pub struct TreeSearch {
    envs: Py<VectorEnv>,
    /// The searches. They are only borrowed mutably; the mutex makes them `Sync`.
    searches: Mutex<Box<dyn Searches>>,
    is_begun: bool,
    /// View of the player who must move at the leaf: float32 [games, planes, height, width].
    #[pyo3(get)]
    obs: Py<PyArray4<f32>>,
    /// 1 for each cell of the frame that is on the board: uint8 [games, height, width].
    #[pyo3(get)]
    live: Py<PyArray3<u8>>,
    /// 1 if the game's leaf must be evaluated, 0 if its search is complete: uint8 [games].
    #[pyo3(get)]
    waiting: Py<PyArray1<u8>>,
    /// Share of the iterations for each action, when the search is complete: float32 [games, actions]. If the best move
    /// is proven, its share is 1.
    #[pyo3(get)]
    visits: Py<PyArray2<f32>>,
    /// Value of the best move for the player who must move, from -1 to 1, when the search is complete: float32 [games].
    #[pyo3(get)]
    values: Py<PyArray1<f32>>,
}

type Views<'py> = (Bound<'py, PyArray4<f32>>, Bound<'py, PyArray3<u8>>);

#[pymethods]
impl TreeSearch {
    #[new]
    #[pyo3(signature = (envs, nodes, exploration=0.8, first=0.1, seed=0))]
    fn new(
        py: Python<'_>,
        envs: Py<VectorEnv>,
        nodes: u32,
        exploration: f32,
        first: f32,
        seed: u64,
    ) -> PyResult<TreeSearch> {
        if !(1..=1_000_000).contains(&nodes) {
            return Err(wrong(format!("nodes must be from 1 to 1000000, not {nodes}")));
        }
        if !(0.0..=100.0).contains(&exploration) || !(0.0..=1.0).contains(&first) {
            return Err(wrong("exploration must be from 0 to 100, and first from 0 to 1"));
        }
        let formula = Puct { exploration, first_play_reduction: first };
        let plan = SearchPlan { iterations: nodes, formula, seed };
        let (games, of, searches) = envs.try_borrow_mut(py)?.searches(plan)?;
        Ok(TreeSearch {
            envs,
            searches: Mutex::new(searches),
            is_begun: false,
            obs: PyArray4::zeros(py, [games, of.planes, of.height, of.width], false).unbind(),
            live: PyArray3::zeros(py, [games, of.height, of.width], false).unbind(),
            waiting: PyArray1::zeros(py, [games], false).unbind(),
            visits: PyArray2::zeros(py, [games, of.actions], false).unbind(),
            values: PyArray1::zeros(py, [games], false).unbind(),
        })
    }

    /// Starts a search of each game's position. Returns the leaves, `obs, live`; at first they are the positions.
    fn begin<'py>(&mut self, py: Python<'py>) -> PyResult<Views<'py>> {
        let owner = self.envs.clone_ref(py);
        let mut owner = owner.try_borrow_mut(py)?;
        let games = owner.games()?;
        self.is_begun = true;
        self.work(py, |searches, told| searches.begin(games, told))?;
        Ok((self.obs.bind(py).clone(), self.live.bind(py).clone()))
    }

    /// Continues the searches with the evaluations of their leaves, for the player who must move there: the logits of
    /// all actions, float32 [games, actions], and the values from -1 to 1, float32 [games]. Rows of games that are not
    /// waiting are ignored. Returns the number of games that are still waiting, for the next leaves.
    ///
    /// In the positions themselves, the policy is mixed with `noise`: float32 [games, actions], with the share `share`.
    #[pyo3(signature = (logits, values, noise=None, share=0.25))]
    fn step(
        &mut self,
        py: Python<'_>,
        logits: PyReadonlyArray2<'_, f32>,
        values: PyReadonlyArray1<'_, f32>,
        noise: Option<PyReadonlyArray2<'_, f32>>,
        share: f32,
    ) -> PyResult<usize> {
        if !self.is_begun {
            return Err(PyRuntimeError::new_err("call `begin` before the first `step`"));
        }
        self.envs.try_borrow_mut(py)?.games()?;
        let visits = self.visits.bind(py);
        let size = visits.dims();
        for (name, array) in [("logits", Some(&logits)), ("noise", noise.as_ref())] {
            if let Some(other) = array.map(|array| array.dims()).filter(|other| *other != size) {
                return Err(wrong(format!("{name} has the shape {other:?} instead of {size:?}")));
            }
        }
        if values.dims()[0] != size[0] {
            return Err(wrong(format!("{} values for {} games", values.dims()[0], size[0])));
        }
        if !(0.0..=1.0).contains(&share) {
            return Err(wrong(format!("share must be from 0 to 1, not {share}")));
        }
        let (logits, values) = (logits.as_slice()?, values.as_slice()?);
        let noise = noise.as_ref().map(|noise| noise.as_slice()).transpose()?.map(|noise| (noise, share));
        let is_finite = |array: &[f32]| array.iter().all(|number| number.is_finite());
        if !is_finite(logits) || !is_finite(values) || !noise.is_none_or(|(noise, _)| is_finite(noise)) {
            return Err(wrong("a logit, a value or the noise is not finite"));
        }
        self.work(py, |searches, told| {
            searches.step(logits, values, noise, told);
            told.waiting.iter().map(|&waiting| usize::from(waiting)).sum()
        })
    }
}

impl TreeSearch {
    /// Calls `work` without holding the interpreter's lock.
    ///
    /// # Errors
    /// Returns an error if one of the arrays is also an argument, or if it was made read-only.
    fn work<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Searches, &mut Leaves<'_>) -> T + Send,
    ) -> PyResult<T> {
        let refused =
            |error: BorrowError| wrong(format!("an array of the search cannot be written: {error}"));
        let mut obs = self.obs.bind(py).try_readwrite().map_err(refused)?;
        let mut live = self.live.bind(py).try_readwrite().map_err(refused)?;
        let mut waiting = self.waiting.bind(py).try_readwrite().map_err(refused)?;
        let mut visits = self.visits.bind(py).try_readwrite().map_err(refused)?;
        let mut values = self.values.bind(py).try_readwrite().map_err(refused)?;
        let mut told = Leaves {
            obs: obs.as_slice_mut()?,
            live: live.as_slice_mut()?,
            waiting: waiting.as_slice_mut()?,
            visits: visits.as_slice_mut()?,
            values: values.as_slice_mut()?,
        };
        let searches = self.searches.get_mut().unwrap_or_else(PoisonError::into_inner);
        Ok(py.detach(|| work(&mut **searches, &mut told)))
    }
}
