//! Functions for matches and logs.

use crate::{find, wrong};
use contender_arena::{Match, Seating};
use contender_play::log::{append_to, read_log as read_records};
use contender_referee::{
    ConditionArgs, ContestHost, Entrant, ParallelGames, Processes, TimeSetting, with_distinct_names,
};
use pyo3::exceptions::{PyOSError, PyRuntimeWarning};
use pyo3::prelude::*;
use std::ffi::CString;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays pairs of games (same seed, swapped seats) between two bots. Returns the same report as `contender match
/// --json`, as text.
#[pyfunction]
#[pyo3(signature = (game, one, other, pairs=100, nodes=None, time=None, seed=1, jobs=None, rules=None, log=None))]
#[allow(clippy::too_many_arguments)] // These are the keyword arguments of a Python function.
pub fn play_match(
    py: Python<'_>,
    game: &str,
    one: &str,
    other: &str,
    pairs: u32,
    nodes: Option<u64>,
    time: Option<&str>,
    seed: u64,
    jobs: Option<u16>,
    rules: Option<Vec<String>>,
    log: Option<PathBuf>,
) -> PyResult<String> {
    let contest = find(game)?.contest;
    if !(1..=1_000_000).contains(&pairs) || jobs == Some(0) {
        return Err(wrong("pairs must be from 1 to 1000000, and jobs at least 1"));
    }
    let bots = [one, other].into_iter().map(|text| Entrant::parse(contest, text));
    let bots = bots.collect::<Result<Vec<_>, _>>().and_then(with_distinct_names).map_err(wrong)?;
    let time = time.map(TimeSetting::parse).transpose().map_err(wrong)?;
    let conditions = ConditionArgs { time, nodes, seed, rules: rules.unwrap_or_default(), openings: None };
    let mut referee = conditions.referee(contest).map_err(wrong)?;
    let jobs = ParallelGames { jobs };
    for warning in jobs.place(&mut referee, contest, &bots, Processes::default()).map_err(wrong)? {
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &CString::new(warning)?, 1)?;
    }
    let mut log = log.map(|path| append_to(&path).map_err(|error| failed(&path, error))).transpose()?;
    let host = ContestHost { contest, referee };
    let planned = Match {
        host: &host,
        bots: [&bots[0], &bots[1]],
        seating: Seating::Exchange,
        pairs,
        jobs: jobs.count(),
        seed,
        test: None,
    };
    let stop = AtomicBool::new(false);
    let (report, interrupt) = py.detach(|| {
        let mut interrupt = None;
        let log = log.as_mut().map(|file| file as &mut dyn Write);
        let report = planned.run(&stop, log, &mut |_, _| {
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                interrupt = Some(error);
                stop.store(true, Ordering::Relaxed);
            }
        });
        (report, interrupt)
    });
    match interrupt {
        Some(error) => Err(error),
        None => serde_json::to_string(&report).map_err(wrong),
    }
}

/// Returns the games of a log, each as a JSON object.
///
/// Raises ValueError with the number of the first invalid line.
#[pyfunction]
pub fn read_log(path: PathBuf) -> PyResult<Vec<String>> {
    let file = File::open(&path).map_err(|error| failed(&path, error))?;
    let records = read_records(BufReader::new(file)).map(|record| record.map(|record| record.to_json()));
    records.collect::<Result<_, _>>().map_err(|error| wrong(format!("{}: {error}", path.display())))
}

fn failed(path: &std::path::Path, error: std::io::Error) -> PyErr {
    PyOSError::new_err(format!("{}: {error}", path.display()))
}
