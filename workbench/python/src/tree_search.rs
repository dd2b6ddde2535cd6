//! PUCT in many games, whose arrays belong to a Python object.

use crate::envs::Games;
use crate::search::{Arrays, SearchPlan, Searches};
use crate::wrong;
use contender_search::mcts::Puct;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The searches of a `TreeSearch`.
#[pyclass(module = "contender")]
pub struct Search {
    /// The searches. They are only borrowed mutably; the mutex makes them `Sync`.
    searches: Mutex<Box<dyn Searches>>,
    /// Number of games and number of actions.
    shape: [usize; 2],
    is_begun: bool,
}

#[pymethods]
impl Search {
    #[new]
    fn new(games: &mut Games, nodes: u32, exploration: f32, first: f32, seed: u64) -> PyResult<Search> {
        if !(1..=1_000_000).contains(&nodes) {
            return Err(wrong(format!("nodes must be from 1 to 1000000, not {nodes}")));
        }
        if !(0.0..=100.0).contains(&exploration) || !(0.0..=1.0).contains(&first) {
            return Err(wrong("exploration must be from 0 to 100, and first from 0 to 1"));
        }
        let create = games.entry.learned()?.search.ok_or_else(|| {
            wrong(format!("{} cannot be searched: its players do not take turns", games.entry.contest.name()))
        })?;
        let formula = Puct { exploration, first_play_reduction: first };
        let shape = [games.num_envs, games.envs().sizes().actions];
        let searches = create(games.envs(), SearchPlan { iterations: nodes, formula, seed });
        Ok(Search { searches: Mutex::new(searches), shape, is_begun: false })
    }

    /// Starts a search of each game's position, and writes to the arrays of an object.
    fn begin(&mut self, py: Python<'_>, games: &mut Games, mut to: Arrays<'_>) -> PyResult<()> {
        let (envs, told) = (games.started("search")?, to.rows()?);
        self.is_begun = true;
        let searches = self.searches();
        py.detach(|| searches.begin(envs, told));
        Ok(())
    }

    /// Continues the searches with the evaluations of their leaves, and writes to the arrays of an object.
    #[allow(clippy::too_many_arguments)] // These are the keyword arguments of a Python function.
    fn step(
        &mut self,
        py: Python<'_>,
        games: &mut Games,
        logits: PyReadonlyArray2<'_, f32>,
        values: PyReadonlyArray1<'_, f32>,
        noise: Option<PyReadonlyArray2<'_, f32>>,
        share: f32,
        mut to: Arrays<'_>,
    ) -> PyResult<()> {
        games.started("search")?;
        if !self.is_begun {
            return Err(PyRuntimeError::new_err("call `begin` before the first `step`"));
        }
        for (name, array) in [("logits", Some(&logits)), ("noise", noise.as_ref())] {
            if let Some(other) = array.map(|array| array.shape()).filter(|other| *other != self.shape) {
                return Err(wrong(format!("{name} has the shape {other:?} instead of {:?}", self.shape)));
            }
        }
        if values.len() != self.shape[0] {
            return Err(wrong(format!("{} values for {} games", values.len(), self.shape[0])));
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
        let (searches, told) = (self.searches(), to.rows()?);
        py.detach(|| searches.step(logits, values, noise, told));
        Ok(())
    }
}

impl Search {
    fn searches(&mut self) -> &mut dyn Searches {
        &mut **self.searches.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
