//! Training runs of all kinds: starting, resuming, checkpoints, progress and metrics.

mod live;
mod metrics;

pub use live::Live;
pub use metrics::{FILE as METRICS, Metrics, numbers, numbers_over, read as metrics};

use crate::RecipeError;
use anyhow::{Context, Result, anyhow, ensure};
use contender_play::Workers;
use contender_table::write_whole;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The total length of a training run: `{ minutes = 20 }` or `{ games = 5000 }` in a recipe.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// Minutes of running time.
    Minutes(f64),
    /// Number of games. The result then depends only on the recipe and the seed.
    Games(u64),
}

impl Length {
    /// Checks the length.
    ///
    /// # Errors
    /// Returns an error if the length is not above 0 or is more than a million minutes.
    pub fn check(self) -> Result<(), RecipeError> {
        match self {
            Length::Minutes(minutes) if !(minutes > 0.0 && minutes <= 1e6) => {
                Err(RecipeError::value("length.minutes", "a number above 0 and at most 1000000"))
            }
            Length::Games(0) => Err(RecipeError::value("length.games", "a number above 0")),
            _ => Ok(()),
        }
    }

    /// Returns the fraction of the length that is complete after this number of games and seconds. The fraction is
    /// above 1 after the end.
    #[must_use]
    pub fn share(self, games: u64, seconds: f64) -> f64 {
        match self {
            Length::Minutes(minutes) => seconds / (60.0 * minutes),
            Length::Games(all) => games as f64 / all as f64,
        }
    }
}

/// The options of a training run that are not part of its recipe.
#[derive(Clone, Debug)]
pub struct TrainingOptions {
    /// A length that replaces the length in the recipe.
    pub length: Option<Length>,
    /// The random seed.
    pub seed: u64,
    /// The folder for the checkpoint, the result and the metrics.
    pub folder: PathBuf,
    /// Whether to start again, even if the folder contains a training run.
    pub is_new: bool,
    /// Number of threads for playing and learning, at least 1. If the length is a number of games, the result does not
    /// depend on the number of threads.
    pub threads: usize,
    /// Workers that play the games instead of this machine. The result does not depend on the workers.
    pub workers: Option<Arc<dyn Workers>>,
}

impl TrainingOptions {
    /// Creates the options of a run that resumes from the folder if possible, with the recipe's length and one thread
    /// on this machine.
    #[must_use]
    pub fn new(folder: &Path, seed: u64) -> TrainingOptions {
        TrainingOptions {
            length: None,
            seed,
            folder: folder.to_path_buf(),
            is_new: false,
            threads: 1,
            workers: None,
        }
    }

    /// Checks that the checkpoint in the folder, if there is one, belongs to this training run.
    ///
    /// # Errors
    /// Returns an error if the checkpoint cannot be read, or belongs to another recipe or seed.
    pub fn check(&self, recipe: &impl Serialize) -> Result<()> {
        if !self.is_new {
            head(&self.folder, &serde_json::to_value(recipe)?, self.seed)?;
        }
        Ok(())
    }
}

/// A learning method, which is the part of a training run that depends on the kind of recipe.
pub trait Method {
    /// The data that is needed to resume. It is stored as JSON, with exact floating-point numbers.
    type State: Serialize + DeserializeOwned;

    /// Returns the recipe's length.
    fn length(&self) -> Length;

    /// Returns the state before the first game.
    ///
    /// # Errors
    /// Returns an error if the start file cannot be read.
    fn start(&self, seed: u64) -> Result<Self::State>;

    /// Checks a state that was read from a file, especially the lengths of its vectors.
    ///
    /// # Errors
    /// Returns an error if the state does not match the recipe.
    fn check(&self, state: &Self::State) -> Result<(), String>;

    /// Works for at most a few seconds: plays games, learns from them, or plays a match. The session tracks the
    /// progress and counts the games. If a step ends early because of [`TrainingSession::is_stopped`], it must leave
    /// the state unchanged, so that the run can resume as if it had not been stopped.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    fn step(&mut self, state: &mut Self::State, session: &mut TrainingSession<'_>) -> Result<Step>;

    /// Returns a sentence about the strength of the result, for the user, if the run is complete.
    fn verdict(&self, state: &Self::State) -> Option<String> {
        let _ = state;
        None
    }

    /// Writes the current result to the folder, in the format of the game's bots. Returns the file name.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    fn write(&self, state: &Self::State, folder: &Path) -> Result<&'static str>;
}

/// The way in which a run continues after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Continue with another step.
    GoOn,
    /// Save a checkpoint and continue with another step, because a lot of work has been done or the state refers to a
    /// new file.
    Save,
    /// The run is complete.
    Finished,
}

/// An event of a training run.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The run resumes from its folder. The number is the number of games already played.
    GoingOn(u64),
    /// Some work has been done.
    Progress(TrainingProgress),
    /// The metrics of a step, as a line of text. They are also written to the folder.
    Log(String),
}

/// Progress within a phase.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingProgress {
    /// Name of the phase.
    pub phase: String,
    /// The completed fraction of the phase, from 0 to 1.
    pub done: f64,
    /// Number of completed units, for example 3448 in `3448 games`.
    pub count: u64,
    /// The unit that is counted.
    pub unit: &'static str,
    /// Number of units per second in this run; 0 before the first unit is complete.
    pub per_second: f64,
    /// Remaining time of this phase at the current rate; `None` if unknown.
    pub left: Option<Duration>,
    /// The current learning results, for example `error 0.83`.
    pub figures: String,
}

/// A training run, as the learning method sees it.
pub struct TrainingSession<'a> {
    seed: u64,
    length: Length,
    folder: &'a Path,
    games: u64,
    seconds_before: f64,
    started: Instant,
    /// Processor time in seconds that was used by earlier runs, and by this process before this run.
    processor_before: Option<(f64, f64)>,
    phase: Option<PhaseStart>,
    live: Live,
    is_stopped: &'a dyn Fn() -> bool,
    report: &'a mut dyn FnMut(Event),
}

/// The state of the current phase when this run reached it.
struct PhaseStart {
    name: String,
    at: Instant,
    count: u64,
    done: f64,
}

impl TrainingSession<'_> {
    /// Returns the random seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the length of the training run.
    #[must_use]
    pub fn length(&self) -> Length {
        self.length
    }

    /// Returns the folder of the training run.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder
    }

    /// Returns the total number of games played, including games before the run was resumed.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds to the number of games that have been played and used for training.
    pub fn add_games(&mut self, games: u64) {
        self.games += games;
    }

    /// Returns the total running time in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds_before + self.started.elapsed().as_secs_f64()
    }

    /// Returns the total processor time in seconds, if the system reports it.
    fn processor_seconds(&self) -> Option<f64> {
        let (before, start) = self.processor_before?;
        Some(before + processor_seconds()? - start)
    }

    /// Returns the completed fraction of the training run. The fraction is above 1 after the end.
    #[must_use]
    pub fn done(&self) -> f64 {
        self.length.share(self.games, self.seconds())
    }

    /// Returns whether the user has stopped the run.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }

    /// Reports progress. `done` is the completed fraction of the phase, and `count` is the number of completed units.
    pub fn progress(&mut self, phase: &str, done: f64, count: u64, unit: &'static str, figures: String) {
        let now = Instant::now();
        let start = match &self.phase {
            Some(start) if start.name == phase => start,
            _ => self.phase.insert(PhaseStart { name: phase.to_string(), at: now, count, done }),
        };
        let seconds = now.duration_since(start.at).as_secs_f64();
        let (more, further) = (count.saturating_sub(start.count), done - start.done);
        let left = (further > 0.0).then(|| seconds * (1.0 - done).max(0.0) / further);
        let done = done.clamp(0.0, 1.0);
        self.live.write(self.folder, phase, done, left);
        (self.report)(Event::Progress(TrainingProgress {
            phase: phase.to_string(),
            done,
            count,
            unit,
            per_second: if seconds > 0.0 { more as f64 / seconds } else { 0.0 },
            left: left.and_then(|left| Duration::try_from_secs_f64(left).ok()),
            figures,
        }));
    }

    /// Adds the time to a step's metrics and appends them to the file in the folder.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn log(&mut self, numbers: Metrics) -> Result<()> {
        let mut line = Metrics::default();
        line.put(metrics::MINUTES, self.seconds() / 60.0);
        if let Some(seconds) = self.processor_seconds() {
            line.put(PROCESSOR_HOURS, seconds / 3600.0);
        }
        let line = line.then(numbers);
        metrics::append(self.folder, &line)?;
        (self.report)(Event::Log(line.line()));
        Ok(())
    }
}

/// The name of the metric for the total processor time of all threads.
const PROCESSOR_HOURS: &str = "processor hours";

/// Returns the processor time of this process in seconds, if the system reports it.
fn processor_seconds() -> Option<f64> {
    // Linux counts hundredths of a second; the fields follow the program's name in brackets.
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let times = text.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<f64>> = times.map(|ticks| ticks.parse().ok()).collect();
    Some(ticks?.iter().sum::<f64>() / 100.0)
}

/// The result of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Whether the training run is complete. Otherwise it was stopped and can be resumed.
    pub is_finished: bool,
    /// The file with the result.
    pub file: PathBuf,
    /// Sentences about the strength of the result, one per line, if the run is complete and the strength was measured.
    pub verdict: Option<String>,
}

/// A checkpoint, which contains the data needed to resume.
#[derive(Serialize, Deserialize)]
struct Checkpoint<S> {
    recipe: serde_json::Value,
    seed: u64,
    length: Length,
    games: u64,
    seconds: f64,
    processor_seconds: Option<f64>,
    state: S,
}

/// The part of a checkpoint that identifies the run and shows its progress.
#[derive(Deserialize)]
struct Head {
    recipe: serde_json::Value,
    seed: u64,
    length: Length,
    games: u64,
    seconds: f64,
}

const CHECKPOINT: &str = "checkpoint.json";

/// Seconds between checkpoints.
const CHECKPOINT_SECONDS: f64 = 60.0;

/// Trains until the training run is complete or `is_stopped` returns true. `recipe` must be the same as the recipe in
/// the checkpoint.
///
/// # Errors
/// Returns an error if the folder cannot be written, or if its checkpoint cannot be read or belongs to another recipe
/// or seed.
pub(crate) fn run<M: Method>(
    mut method: M,
    recipe: &impl Serialize,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let recipe = serde_json::to_value(recipe)?;
    let TrainingOptions { length, seed, ref folder, .. } = *order;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let _lock = live::lock(folder)?;
    let mut checkpoint = begin(&method, recipe, order, report)?;
    checkpoint.length = length.unwrap_or_else(|| method.length());
    // `status` knows a run by its checkpoint. This one is not resumed, because it contains no work yet.
    write_whole(&folder.join(CHECKPOINT), |out| Ok(serde_json::to_writer(out, &checkpoint)?))?;
    // A killed run may have logged steps that are not in the checkpoint.
    metrics::cut(folder, checkpoint.seconds / 60.0)?;
    let mut session = TrainingSession {
        seed,
        length: checkpoint.length,
        folder,
        games: checkpoint.games,
        seconds_before: checkpoint.seconds,
        started: Instant::now(),
        processor_before: checkpoint.processor_seconds.zip(processor_seconds()),
        phase: None,
        live: Live::start(folder),
        is_stopped,
        report,
    };
    let mut saved = checkpoint.seconds;
    loop {
        let step = if is_stopped() { None } else { Some(method.step(&mut checkpoint.state, &mut session)?) };
        (checkpoint.games, checkpoint.seconds) = (session.games, session.seconds());
        checkpoint.processor_seconds = session.processor_seconds();
        let is_due = checkpoint.seconds >= saved + CHECKPOINT_SECONDS;
        if step != Some(Step::GoOn) || is_due {
            saved = checkpoint.seconds;
            let file = method.write(&checkpoint.state, folder)?;
            write_whole(&folder.join(CHECKPOINT), |out| Ok(serde_json::to_writer(out, &checkpoint)?))?;
            if matches!(step, None | Some(Step::Finished)) {
                session.live.end(folder);
                let is_finished = step.is_some();
                let verdict = if is_finished { method.verdict(&checkpoint.state) } else { None };
                return Ok(Outcome { is_finished, file: folder.join(file), verdict });
            }
        }
    }
}

/// Returns the folder's checkpoint, or the start of a new training run.
fn begin<M: Method>(
    method: &M,
    recipe: serde_json::Value,
    order: &TrainingOptions,
    report: &mut dyn FnMut(Event),
) -> Result<Checkpoint<M::State>> {
    let TrainingOptions { seed, ref folder, is_new, .. } = *order;
    if let Some(found) = if is_new { None } else { read(folder, &recipe, seed)? } {
        let broken = |error| anyhow!("{} is broken: {error}", folder.join(CHECKPOINT).display());
        method.check(&found.state).map_err(broken)?;
        report(Event::GoingOn(found.games));
        return Ok(found);
    }
    Ok(Checkpoint {
        recipe,
        seed,
        length: method.length(),
        games: 0,
        seconds: 0.0,
        processor_seconds: Some(0.0),
        state: method.start(seed)?,
    })
}

/// The progress of the training run in a folder, from its checkpoint and its metrics.
#[derive(Clone, PartialEq, Debug)]
pub struct Status {
    /// The kind and the game of the recipe.
    pub subject: String,
    /// The settings of the recipe: the path of each key, such as `learning.rate.start`, and its value.
    pub settings: Vec<(String, String)>,
    /// The random seed.
    pub seed: u64,
    /// Total number of games.
    pub games: u64,
    /// Total running time.
    pub running: Duration,
    /// The length that was requested at the latest start.
    pub length: Length,
    /// The current phase, or `None` if no process is training in the folder.
    pub now: Option<Live>,
    /// Time since the checkpoint was written, or `None` if the system does not report it.
    pub saved: Option<Duration>,
    /// The metrics of the latest steps, one line per step, in chronological order.
    pub log: Vec<String>,
}

/// Returns the progress of the training run in a folder, with at most `lines` lines of metrics.
///
/// # Errors
/// Returns an error if the folder contains no checkpoint or if the checkpoint cannot be read.
pub fn status(folder: &Path, lines: usize) -> Result<Status> {
    let path = folder.join(CHECKPOINT);
    let place = || format!("{} is not a checkpoint", path.display());
    let text = read_checkpoint(&path)
        .with_context(|| format!("{} contains no saved training run", folder.display()))?;
    let Head { recipe, seed, length, games, seconds, .. } =
        serde_json::from_str(&text).with_context(place)?;
    let words = |key: &str| recipe[key].as_str().unwrap_or("?").to_string();
    let all = metrics(folder);
    Ok(Status {
        subject: format!("{}, {}", words("kind"), words("game")),
        settings: settings(&recipe),
        seed,
        games,
        running: Duration::try_from_secs_f64(seconds).with_context(place)?,
        length,
        now: live::read(folder),
        saved: std::fs::metadata(&path)
            .and_then(|file| file.modified())
            .ok()
            .and_then(|at| at.elapsed().ok()),
        log: all[all.len().saturating_sub(lines)..].iter().map(Metrics::line).collect(),
    })
}

/// Returns the settings of a recipe as text, without its kind, its game, its length, and keys that are not set.
fn settings(recipe: &serde_json::Value) -> Vec<(String, String)> {
    fn add(path: &str, value: &serde_json::Value, all: &mut Vec<(String, String)>) {
        match value {
            serde_json::Value::Object(keys) => {
                for (key, value) in keys {
                    add(&if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, value, all);
                }
            }
            serde_json::Value::Null => {}
            serde_json::Value::String(text) => all.push((path.to_string(), text.clone())),
            value => all.push((path.to_string(), value.to_string())),
        }
    }
    let mut all = Vec::new();
    add("", recipe, &mut all);
    all.retain(|(path, _)| !["kind", "game"].contains(&path.as_str()) && !path.starts_with("length."));
    all
}

/// Reads the checkpoint in a folder, if there is one.
fn read<S: DeserializeOwned>(
    folder: &Path,
    recipe: &serde_json::Value,
    seed: u64,
) -> Result<Option<Checkpoint<S>>> {
    let Some((_, text)) = head(folder, recipe, seed)? else { return Ok(None) };
    let place = || format!("{} is not a checkpoint", folder.join(CHECKPOINT).display());
    serde_json::from_str(&text).map(Some).with_context(place)
}

/// Reads the text of a checkpoint, up to a maximum size.
fn read_checkpoint(path: &Path) -> std::io::Result<String> {
    let bytes = contender_input::read(path, contender_input::MAX_DATA)?;
    String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not UTF-8 text"))
}

/// Returns the keys and values that are set in a recipe. Checkpoints from earlier versions contain `null` for keys that
/// are not set.
fn stated(recipe: &serde_json::Value) -> Vec<(&String, &serde_json::Value)> {
    recipe.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()).collect()
}

/// Reads the head and the text of the checkpoint in a folder, if there is one that contains some work. The head is read
/// first, because the state may have a different type.
fn head(folder: &Path, recipe: &serde_json::Value, seed: u64) -> Result<Option<(Head, String)>> {
    let path = folder.join(CHECKPOINT);
    let text = match read_checkpoint(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let head: Head =
        serde_json::from_str(&text).with_context(|| format!("{} is not a checkpoint", path.display()))?;
    if head.games == 0 && head.seconds == 0.0 {
        return Ok(None);
    }
    ensure!(stated(&head.recipe) == stated(recipe), "{} belongs to a different recipe", path.display());
    ensure!(head.seed == seed, "{} belongs to seed {}", path.display(), head.seed);
    Ok(Some((head, text)))
}
