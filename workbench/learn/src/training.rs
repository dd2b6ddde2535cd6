//! A training of any kind: from its start or its checkpoint to its end, with progress and a log.

use anyhow::{Context, Result, anyhow, ensure};
use contender_plot::Curve;
use contender_table::write_whole;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a training lasts, from its first start on: `{ minutes = 20 }` or `{ games = 5000 }` in a recipe.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// So many minutes of running.
    Minutes(f64),
    /// So many games: with the same recipe and seed, the same result on every machine.
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

/// What is wanted of a training, besides the recipe.
#[derive(Clone, PartialEq, Debug)]
pub struct Order {
    /// How long, in place of the recipe's length.
    pub length: Option<Length>,
    /// The seed of all luck.
    pub seed: u64,
    /// The folder that the checkpoint, what is learned and the log are written to.
    pub folder: PathBuf,
    /// Whether to begin anew, whatever the folder holds.
    pub is_new: bool,
}

impl Order {
    /// Says why the checkpoint of the folder, if there is one, is not of this training.
    ///
    /// # Errors
    /// If it cannot be read or is of another recipe or seed.
    pub fn check(&self, recipe: &impl Serialize) -> Result<()> {
        if !self.is_new {
            read::<serde_json::Value>(&self.folder, &serde_json::to_value(recipe)?, self.seed)?;
        }
        Ok(())
    }
}

/// A way of learning: what differs between the kinds of recipes.
pub trait Method {
    /// What is learned so far, and all else that going on takes. It goes through JSON, floating point without loss.
    type State: Serialize + DeserializeOwned;

    /// How long the recipe wants the training to be.
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

    /// A piece of work, of some seconds at most: games, learning from them, a match. The session says how far the training is and
    /// hears of games played. Work that asks [`Session::is_stopped`] and ends early leaves the state as it was, so that a training
    /// that was stopped goes on as if it had not been.
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

/// How a training goes on after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// With another step.
    GoOn,
    /// With another step, but everything is saved first: much work is done, or a file was written that the state goes with.
    Save,
    /// It does not: the end is reached.
    Finished,
}

/// What a training tells as it goes.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// It goes on with what a folder holds: so many games were played before.
    GoingOn(u64),
    /// Some work was done.
    Progress(Progress),
    /// A line for the log, which is in the folder too.
    Log(String),
}

/// How far a training is, in the phase it is in.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// What it does.
    pub phase: String,
    /// The share of the phase that is done, 0 to 1.
    pub done: f64,
    /// What of, in words: `3448 games`.
    pub count: u64,
    /// What is counted.
    pub unit: &'static str,
    /// How many of these in a second, of those in this run; 0 before the first.
    pub per_second: f64,
    /// Time left in this phase at the present rate; `None` before it is known.
    pub left: Option<Duration>,
    /// What it is learning by: `error 0.83`.
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
    phase: Option<PhaseStart>,
    is_stopped: &'a dyn Fn() -> bool,
    report: &'a mut dyn FnMut(Event),
}

/// Where the phase that progress is told of stood when this run came to it.
struct PhaseStart {
    name: String,
    at: Instant,
    count: u64,
    done: f64,
}

impl Session<'_> {
    /// The file of the log in the folder.
    pub const LOG: &'static str = "log.txt";

    /// The seed of all luck.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How long the training is.
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

    /// The share of the training that is done; above 1 after its end.
    #[must_use]
    pub fn done(&self) -> f64 {
        self.length.share(self.games, self.seconds())
    }

    /// Whether the user wants it to stop.
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

    /// Writes a line into the log, with the time before it.
    ///
    /// # Errors
    /// If the log cannot be written.
    pub fn log(&mut self, line: &str) -> Result<()> {
        let line = format!("{:6.1} min  {line}", self.seconds() / 60.0);
        let path = self.folder.join(Session::LOG);
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| writeln!(file, "{line}"))
            .with_context(|| format!("cannot write {}", path.display()))?;
        (self.report)(Event::Log(line));
        Ok(())
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Whether the training came to its end; else it was stopped, and goes on when it is run again.
    pub is_finished: bool,
    /// What was learned.
    pub file: PathBuf,
}

/// Where a training stands; all that it takes to go on.
#[derive(Serialize, Deserialize)]
struct Checkpoint<S> {
    recipe: serde_json::Value,
    seed: u64,
    games: u64,
    seconds: f64,
    state: S,
}

/// Whose checkpoint it is, and how far it is.
#[derive(Deserialize)]
struct Head {
    recipe: serde_json::Value,
    seed: u64,
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
    order: &Order,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let recipe = serde_json::to_value(recipe)?;
    let Order { length, seed, ref folder, is_new } = *order;
    let found = if is_new { None } else { read(folder, &recipe, seed)? };
    if let Some(Checkpoint { state, .. }) = &found {
        let broken = |error| anyhow!("{} is broken: {error}", folder.join(CHECKPOINT).display());
        method.check(state).map_err(broken)?;
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    if let Some(found) = &found {
        report(Event::GoingOn(found.games));
    }
    let mut checkpoint = match found {
        Some(found) => found,
        None => Checkpoint { recipe, seed, games: 0, seconds: 0.0, state: method.start(seed)? },
    };
    let mut session = Session {
        seed,
        length: length.unwrap_or_else(|| method.length()),
        folder,
        games: checkpoint.games,
        seconds_before: checkpoint.seconds,
        started: Instant::now(),
        phase: None,
        is_stopped,
        report,
    };
    let mut saved = checkpoint.seconds;
    loop {
        let step = if is_stopped() { None } else { Some(method.step(&mut checkpoint.state, &mut session)?) };
        (checkpoint.games, checkpoint.seconds) = (session.games, session.seconds());
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

/// How far the training of a folder is, by its checkpoint and its log.
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
    /// The length that the recipe asks for. An order may have asked for another.
    pub length: Length,
    /// Since the checkpoint was written; `None` where the system does not tell.
    pub saved: Option<Duration>,
    /// The end of the log, the latest line last.
    pub log: Vec<String>,
}

/// How far the training of a folder is, with so many lines of its log at most.
///
/// # Errors
/// If the folder has no checkpoint, or one that cannot be read.
pub fn status(folder: &Path, lines: usize) -> Result<Status> {
    let path = folder.join(CHECKPOINT);
    let place = || format!("{} is no checkpoint", path.display());
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("no training has saved anything in {}", folder.display()))?;
    let Head { recipe, seed, games, seconds } = serde_json::from_str(&text).with_context(place)?;
    let words = |key: &str| recipe[key].as_str().unwrap_or("?").to_string();
    let log = std::fs::read_to_string(folder.join(Session::LOG)).unwrap_or_default();
    let all: Vec<&str> = log.lines().collect();
    Ok(Status {
        subject: format!("{}, {}", words("kind"), words("game")),
        seed,
        games,
        running: Duration::try_from_secs_f64(seconds).with_context(place)?,
        length: serde_json::from_value(recipe["length"].clone()).with_context(place)?,
        saved: std::fs::metadata(&path)
            .and_then(|file| file.modified())
            .ok()
            .and_then(|at| at.elapsed().ok()),
        log: all[all.len().saturating_sub(lines)..].iter().map(|line| line.to_string()).collect(),
    })
}

/// So much of a log is read for its numbers, in bytes.
const LONGEST_LOG: u64 = 16 << 20;

/// The named numbers of a folder's log over the minutes of running; none where there is no log, or one that is no text.
#[must_use]
pub fn numbers(folder: &Path) -> Vec<Curve> {
    let mut log = String::new();
    let read = std::fs::File::open(folder.join(Session::LOG))
        .and_then(|file| file.take(LONGEST_LOG).read_to_string(&mut log));
    if read.is_ok() { numbers_of(&log) } else { Vec::new() }
}

/// The numbers of a log by the words before them: `12.5 min  368 games  error 0.8; against greedy +5.1 [+2.0, +8.2]` has `error` and
/// `against greedy` after 12.5 minutes. What is in brackets, counts and what is there once are no curves.
fn numbers_of(log: &str) -> Vec<Curve> {
    let mut found: Vec<Curve> = Vec::new();
    for line in log.lines() {
        let Some((minutes, rest)) = line.split_once(" min  ") else { continue };
        let Ok(minutes) = minutes.trim().parse::<f64>() else { continue };
        for piece in without_brackets(rest).split([',', ';', ':']) {
            let mut name = String::new();
            let mut is_apart = false;
            for word in piece.split(' ') {
                if word.is_empty() {
                    is_apart = true;
                    continue;
                }
                if let Ok(number) = word.trim_end_matches('%').parse::<f64>() {
                    if !name.is_empty() {
                        let at = found.iter().position(|curve| curve.name == name).unwrap_or_else(|| {
                            found.push(Curve { name: name.clone(), points: Vec::new() });
                            found.len() - 1
                        });
                        found[at].points.push([minutes, number]);
                    }
                    name.clear();
                } else {
                    if is_apart {
                        name.clear();
                    } else if !name.is_empty() {
                        name.push(' ');
                    }
                    name += word;
                }
                is_apart = false;
            }
        }
    }
    const COUNTS: [&str; 3] = ["round", "generation", "epoch"];
    found.retain(|curve| curve.points.len() > 1 && !COUNTS.contains(&curve.name.as_str()));
    found
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0;
    let is_outside = |letter: &char| {
        depth += i32::from(matches!(letter, '[' | '('));
        let is_outside = depth == 0;
        depth -= i32::from(matches!(letter, ']' | ')'));
        is_outside
    };
    text.chars().filter(is_outside).collect()
}

/// The checkpoint of a folder, if there is one.
fn read<S: DeserializeOwned>(
    folder: &Path,
    recipe: &serde_json::Value,
    seed: u64,
) -> Result<Option<Checkpoint<S>>> {
    let path = folder.join(CHECKPOINT);
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    // What tells whose it is comes first: the state may be of another kind.
    let head: Head =
        serde_json::from_str(&text).with_context(|| format!("{} is no checkpoint", path.display()))?;
    ensure!(head.recipe == *recipe, "{} is of another recipe", path.display());
    ensure!(head.seed == seed, "{} is of seed {}", path.display(), head.seed);
    let checkpoint =
        serde_json::from_str(&text).with_context(|| format!("{} is no checkpoint", path.display()))?;
    Ok(Some(checkpoint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_log_are_found_by_their_names() {
        let log = "   1.0 min  round 20, 674 decisions; value error -1.5; random 91.0%\nbroken; random 3\n  x min  random 1\n\
                   2.5 min  round 40; random 92%; once 3";
        let found = numbers_of(log);
        let curve =
            |name: &str, points: [[f64; 2]; 2]| Curve { name: name.to_string(), points: points.to_vec() };
        assert_eq!(found, [curve("random", [[1.0, 91.0], [2.5, 92.0]])]);
        assert!(numbers_of("").is_empty());
        let log = "   2.2 min      368 games  error  1.44  points a pair: against greedy +53.1 [+42.2, +64.0] (10 pairs)\n\
                   4.4 min      560 games  error  1.76  points a pair: against greedy -8.0 [-15.2, -0.8] (10 pairs)\n";
        let expected =
            [curve("error", [[2.2, 1.44], [4.4, 1.76]]), curve("against greedy", [[2.2, 53.1], [4.4, -8.0]])];
        assert_eq!(numbers_of(log), expected);
        let log =
            "1.0 min  generation 1: 8 games, 9 positions, epoch 1: loss 0.5, of those for checking 0.6\n";
        let names: Vec<String> = numbers_of(&log.repeat(2)).into_iter().map(|curve| curve.name).collect();
        assert_eq!(names, ["loss", "of those for checking"]);
    }
}
