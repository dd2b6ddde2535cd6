//! A training of any kind: from its start or its checkpoint to its end, with progress and numbers.

mod metrics;

pub use metrics::{FILE as METRICS, Metrics, numbers, read as metrics};

use anyhow::{Context, Result, anyhow, bail, ensure};
use contender_play::Workers;
use contender_table::write_whole;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Length of a training, from its first start on: `{ minutes = 20 }` or `{ games = 5000 }` in a recipe.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// Minutes of running.
    Minutes(f64),
    /// Number of games: with the same recipe and seed, the same result on every machine.
    Games(u64),
}

impl Length {
    /// Says what is wrong with it.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(self) -> Result<(), String> {
        match self {
            Length::Minutes(minutes) if !(minutes > 0.0 && minutes <= 1e6) => {
                Err("a number of minutes is above 0 and at most 1000000".to_string())
            }
            Length::Games(0) => Err("a number of games is above 0".to_string()),
            _ => Ok(()),
        }
    }

    /// The share of it that so many games in so much time are; above 1 after its end.
    #[must_use]
    pub fn share(self, games: u64, seconds: f64) -> f64 {
        match self {
            Length::Minutes(minutes) => seconds / (60.0 * minutes),
            Length::Games(all) => games as f64 / all as f64,
        }
    }
}

/// Options of a training besides the recipe.
#[derive(Clone, Debug)]
pub struct TrainingOptions {
    /// Length that replaces the recipe's.
    pub length: Option<Length>,
    /// The seed of all luck.
    pub seed: u64,
    /// The folder that the checkpoint, what is learned and the numbers are written to.
    pub folder: PathBuf,
    /// Starts again, whatever the folder holds.
    pub is_new: bool,
    /// Threads that play and learn, at least 1. What is learned from so many games does not depend on it.
    pub threads: usize,
    /// Workers that play the games, if not this machine. The result does not depend on them.
    pub workers: Option<Arc<dyn Workers>>,
}

impl TrainingOptions {
    /// A training as the recipe has it, played here by one thread, that goes on from what the folder holds.
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

    /// Says why the checkpoint of the folder, if there is one, is not of this training.
    ///
    /// # Errors
    /// If it cannot be read or is of another recipe or seed.
    pub fn check(&self, recipe: &impl Serialize) -> Result<()> {
        if !self.is_new {
            head(&self.folder, &serde_json::to_value(recipe)?, self.seed)?;
        }
        Ok(())
    }
}

/// A way of learning: what differs between the kinds of recipes.
pub trait Method {
    /// Everything learned so far, and all else needed to resume. It goes through JSON, floating point without loss.
    type State: Serialize + DeserializeOwned;

    /// Returns the length that the recipe asks for.
    fn length(&self) -> Length;

    /// The state before the first game.
    ///
    /// # Errors
    /// If a file that it begins with cannot be read.
    fn start(&self, seed: u64) -> Result<Self::State>;

    /// Says what is wrong with a state that was read from a file: lengths of vectors above all.
    ///
    /// # Errors
    /// In words for the user.
    fn check(&self, state: &Self::State) -> Result<(), String>;

    /// A piece of work, of some seconds at most: games, learning from them, a match. The session says how far the
    /// training is and hears of games played. Work that asks [`Session::is_stopped`] and ends early leaves the state as
    /// it was, so that a training that was stopped goes on as if it had not been.
    ///
    /// # Errors
    /// If a file cannot be written or read.
    fn step(&mut self, state: &mut Self::State, session: &mut Session<'_>) -> Result<Step>;

    /// Writes what is learned so far into the folder, as the game's bots read it. Returns the file's name.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn write(&self, state: &Self::State, folder: &Path) -> Result<&'static str>;
}

/// Outcome of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// With another step.
    GoOn,
    /// With another step, but everything is saved first: much work is done, or a file was written that the state goes
    /// with.
    Save,
    /// It does not: the end is reached.
    Finished,
}

/// An event of a running training.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// It goes on with what a folder holds: so many games were played before.
    GoingOn(u64),
    /// Some work was done.
    Progress(Progress),
    /// A step's numbers, which are in the folder too, as a line.
    Log(String),
}

/// Progress within a phase.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// Name of the phase.
    pub phase: String,
    /// The share of the phase that is done, 0 to 1.
    pub done: f64,
    /// Number of units done, as in `3448 games`.
    pub count: u64,
    /// The unit.
    pub unit: &'static str,
    /// Units per second in this run; 0 before the first.
    pub per_second: f64,
    /// Time left in this phase at the present rate; `None` before it is known.
    pub left: Option<Duration>,
    /// Current figures of learning: `error 0.83`.
    pub figures: String,
}

/// The running of a training, as its method sees it.
pub struct Session<'a> {
    seed: u64,
    length: Length,
    folder: &'a Path,
    games: u64,
    seconds_before: f64,
    started: Instant,
    /// Seconds of the processor that earlier runs had, and this process before this run.
    processor_before: Option<(f64, f64)>,
    phase: Option<PhaseStart>,
    is_stopped: &'a dyn Fn() -> bool,
    report: &'a mut dyn FnMut(Event),
}

/// State of the current phase at the start of this run.
struct PhaseStart {
    name: String,
    at: Instant,
    count: u64,
    done: f64,
}

impl Session<'_> {
    /// The seed of all luck.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the length of the training.
    #[must_use]
    pub fn length(&self) -> Length {
        self.length
    }

    /// The training's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder
    }

    /// Games played since the first start.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Tells that so many more games were played and learned from.
    pub fn add_games(&mut self, games: u64) {
        self.games += games;
    }

    /// Seconds of running since the first start.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.seconds_before + self.started.elapsed().as_secs_f64()
    }

    /// Seconds of the processor since the first start, where the system tells them.
    fn processor_seconds(&self) -> Option<f64> {
        let (before, start) = self.processor_before?;
        Some(before + processor_seconds()? - start)
    }

    /// The share of the training that is done; above 1 after its end.
    #[must_use]
    pub fn done(&self) -> f64 {
        self.length.share(self.games, self.seconds())
    }

    /// Returns whether the user asked it to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }

    /// Shows how far it is: `done`, a share of the phase, and `count`, how many of `unit` the phase has had.
    pub fn progress(&mut self, phase: &str, done: f64, count: u64, unit: &'static str, figures: String) {
        let now = Instant::now();
        let start = match &self.phase {
            Some(start) if start.name == phase => start,
            _ => self.phase.insert(PhaseStart { name: phase.to_string(), at: now, count, done }),
        };
        let seconds = now.duration_since(start.at).as_secs_f64();
        let (more, further) = (count.saturating_sub(start.count), done - start.done);
        let left = (further > 0.0).then(|| seconds * (1.0 - done).max(0.0) / further);
        (self.report)(Event::Progress(Progress {
            phase: phase.to_string(),
            done: done.clamp(0.0, 1.0),
            count,
            unit,
            per_second: if seconds > 0.0 { more as f64 / seconds } else { 0.0 },
            left: left.and_then(|left| Duration::try_from_secs_f64(left).ok()),
            figures,
        }));
    }

    /// Adds a step's numbers to those in the folder, behind the time.
    ///
    /// # Errors
    /// If the file cannot be written.
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

/// The name of the processor time since the first start, of all threads.
const PROCESSOR_HOURS: &str = "processor hours";

/// Seconds of the processor that this process has had, where the system tells them.
fn processor_seconds() -> Option<f64> {
    // Linux counts hundredths of a second, behind the name of the program in brackets.
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let times = text.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<f64>> = times.map(|ticks| ticks.parse().ok()).collect();
    Some(ticks?.iter().sum::<f64>() / 100.0)
}

/// End of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Set if the training is complete; otherwise it was stopped, and the next run resumes it.
    pub is_finished: bool,
    /// The learned file.
    pub file: PathBuf,
}

/// A checkpoint: everything needed to resume.
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

/// Owner and progress of a checkpoint.
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

/// Runs a training until its end or until `is_stopped`. `recipe` is what a checkpoint must be of.
///
/// # Errors
/// If the folder cannot be written to, or its checkpoint cannot be read or is of another recipe or seed.
pub(crate) fn run<M: Method>(
    mut method: M,
    recipe: &impl Serialize,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let recipe = serde_json::to_value(recipe)?;
    let TrainingOptions { length, seed, ref folder, is_new, .. } = *order;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let _lock = lock(folder)?;
    let found = if is_new { None } else { read(folder, &recipe, seed)? };
    if let Some(Checkpoint { state, .. }) = &found {
        let broken = |error| anyhow!("{} is broken: {error}", folder.join(CHECKPOINT).display());
        method.check(state).map_err(broken)?;
    }
    if let Some(found) = &found {
        report(Event::GoingOn(found.games));
    }
    let mut checkpoint = match found {
        Some(found) => found,
        None => Checkpoint {
            recipe,
            seed,
            length: method.length(),
            games: 0,
            seconds: 0.0,
            processor_seconds: Some(0.0),
            state: method.start(seed)?,
        },
    };
    checkpoint.length = length.unwrap_or_else(|| method.length());
    // A run that was killed may have told of steps that the checkpoint has not.
    metrics::cut(folder, checkpoint.seconds / 60.0)?;
    let mut session = Session {
        seed,
        length: checkpoint.length,
        folder,
        games: checkpoint.games,
        seconds_before: checkpoint.seconds,
        started: Instant::now(),
        processor_before: checkpoint.processor_seconds.zip(processor_seconds()),
        phase: None,
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
                return Ok(Outcome { is_finished: step.is_some(), file: folder.join(file) });
            }
        }
    }
}

/// Keeps other trainings away from a folder as long as the file is open; the system lets go of it however this process
/// ends.
fn lock(folder: &Path) -> Result<File> {
    let path = folder.join("training.lock");
    let file = File::options().write(true).create(true).truncate(false).open(&path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let folder = folder.display();
            bail!("another training writes into {folder}: stop it first, or choose another --output")
        }
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}

/// Progress of a folder's training, by its checkpoint and its metrics.
#[derive(Clone, PartialEq, Debug)]
pub struct Status {
    /// The kind and the game of its recipe, in words.
    pub subject: String,
    /// The seed of all luck.
    pub seed: u64,
    /// Games played since the first start.
    pub games: u64,
    /// Time of running since then.
    pub running: Duration,
    /// The length that was asked for at the latest start.
    pub length: Length,
    /// Since the checkpoint was written; `None` where the system does not tell.
    pub saved: Option<Duration>,
    /// The numbers of the latest steps as lines, the latest last.
    pub log: Vec<String>,
}

/// Returns the progress of a folder's training, with the metrics of at most this many steps.
///
/// # Errors
/// If the folder has no checkpoint, or one that cannot be read.
pub fn status(folder: &Path, lines: usize) -> Result<Status> {
    let path = folder.join(CHECKPOINT);
    let place = || format!("{} is no checkpoint", path.display());
    let text = read_checkpoint(&path)
        .with_context(|| format!("no training has saved anything in {}", folder.display()))?;
    let Head { recipe, seed, length, games, seconds, .. } =
        serde_json::from_str(&text).with_context(place)?;
    let words = |key: &str| recipe[key].as_str().unwrap_or("?").to_string();
    let all = metrics(folder);
    Ok(Status {
        subject: format!("{}, {}", words("kind"), words("game")),
        seed,
        games,
        running: Duration::try_from_secs_f64(seconds).with_context(place)?,
        length,
        saved: std::fs::metadata(&path)
            .and_then(|file| file.modified())
            .ok()
            .and_then(|at| at.elapsed().ok()),
        log: all[all.len().saturating_sub(lines)..].iter().map(Metrics::line).collect(),
    })
}

/// The checkpoint of a folder, if there is one.
fn read<S: DeserializeOwned>(
    folder: &Path,
    recipe: &serde_json::Value,
    seed: u64,
) -> Result<Option<Checkpoint<S>>> {
    let Some((_, text)) = head(folder, recipe, seed)? else { return Ok(None) };
    let place = || format!("{} is no checkpoint", folder.join(CHECKPOINT).display());
    serde_json::from_str(&text).map(Some).with_context(place)
}

/// A checkpoint's text, within bounds.
fn read_checkpoint(path: &Path) -> std::io::Result<String> {
    let bytes = contender_input::read(path, contender_input::MAX_DATA)?;
    String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not UTF-8 text"))
}

/// What a recipe states: checkpoints of earlier versions have `null` for each part that it has not.
fn stated(recipe: &serde_json::Value) -> Vec<(&String, &serde_json::Value)> {
    recipe.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()).collect()
}

/// Whose the checkpoint of a folder is, if there is one, and its text. What tells that comes first: the state may be of
/// another kind.
fn head(folder: &Path, recipe: &serde_json::Value, seed: u64) -> Result<Option<(Head, String)>> {
    let path = folder.join(CHECKPOINT);
    let text = match read_checkpoint(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let head: Head =
        serde_json::from_str(&text).with_context(|| format!("{} is no checkpoint", path.display()))?;
    ensure!(stated(&head.recipe) == stated(recipe), "{} is of another recipe", path.display());
    ensure!(head.seed == seed, "{} is of seed {}", path.display(), head.seed);
    Ok(Some((head, text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_training_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(folder.path()).unwrap();
        let second = lock(folder.path()).unwrap_err().to_string();
        assert!(second.starts_with("another training writes into"), "{second}");
        drop(first);
        assert!(lock(folder.path()).is_ok());
    }
}
