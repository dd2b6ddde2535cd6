//! A training from its start or from a checkpoint to its end.

use crate::self_play::{describe, pair_seed, play_pair, teach};
use crate::{Learner, Position, Recipe, Search, Seen, Weights, WeightsBot};
use anyhow::{Context, Result, ensure};
use contender_game::{Bot, Rng, mix};
use contender_stats::Summary;
use contender_table::write_whole;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a training lasts, from its first start on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Length {
    /// So much time of running, matches included.
    Time(Duration),
    /// So many games: with the same recipe and seed, the same weights on every machine.
    Games(u64),
}

/// Where a training stands; all that it takes to go on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The recipe it was started with.
    pub recipe: Recipe,
    /// The seed it was started with.
    pub seed: u64,
    /// Games learned from.
    pub games: u64,
    /// Seconds of running.
    pub seconds: f64,
    /// Matches played.
    pub matches: u32,
    learner: Learner,
    previous: Learner,
}

impl Checkpoint {
    /// The file's name in the training's folder.
    pub const NAME: &'static str = "checkpoint.json";

    /// The start of a training: all weights are 0.
    #[must_use]
    pub fn start<S: Position<N>, const N: usize>(recipe: Recipe, seed: u64) -> Checkpoint {
        let learner = Learner::new(S::TURNS, N);
        Checkpoint { recipe, seed, games: 0, seconds: 0.0, matches: 0, previous: learner.clone(), learner }
    }

    /// Reads the checkpoint of a folder, if there is one.
    ///
    /// # Errors
    /// If it cannot be read, or is of another recipe, seed or game.
    pub fn read<S: Position<N>, const N: usize>(
        folder: &Path,
        recipe: &Recipe,
        seed: u64,
    ) -> Result<Option<Checkpoint>> {
        let path = folder.join(Checkpoint::NAME);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let checkpoint: Checkpoint =
            serde_json::from_str(&text).with_context(|| format!("{} is no checkpoint", path.display()))?;
        let is_whole = [&checkpoint.learner, &checkpoint.previous].iter().all(|it| it.fits(S::TURNS, N));
        ensure!(is_whole, "{} is of a game with other turns or inputs", path.display());
        ensure!(checkpoint.recipe == *recipe, "{} is of another recipe", path.display());
        ensure!(checkpoint.seed == seed, "{} is of seed {}", path.display(), checkpoint.seed);
        Ok(Some(checkpoint))
    }

    /// The weights as they stand.
    #[must_use]
    pub fn weights<const N: usize>(&self) -> Weights<N> {
        self.learner.weights()
    }

    /// The share of a training of this length that is done.
    fn done(&self, length: Length) -> f64 {
        match length {
            Length::Time(time) => self.seconds / time.as_secs_f64(),
            Length::Games(games) => self.games as f64 / games as f64,
        }
    }
}

/// What a training tells as it goes.
#[derive(Clone, Debug)]
pub enum Event {
    /// A round of games was learned from.
    Round(Progress),
    /// A line for the log: a match was played.
    Log(String),
}

/// How far a training is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The share that is done, up to 1.
    pub done: f64,
    /// Games learned from.
    pub games: u64,
    /// Games of a minute of running.
    pub games_per_minute: f64,
    /// Time left at this rate.
    pub left: Duration,
    /// The root of the mean squared error of the latest games' nodes, in points.
    pub error: f64,
}

/// A training of a game.
pub struct Training<'a, S: Position<N>, const N: usize> {
    /// Where it stands.
    pub checkpoint: Checkpoint,
    /// When it ends.
    pub length: Length,
    /// The folder that the checkpoint, the weights and the log are written to.
    pub folder: PathBuf,
    /// The start of every game.
    pub start: S,
    /// What the weights are measured against, besides their former selves: a name and a bot.
    pub yardstick: (&'a str, &'a mut dyn Bot<S, S::Move>),
    /// Writes weights as the game reads them.
    pub write_weights: fn(&Weights<N>) -> String,
}

/// Seconds between checkpoints.
const CHECKPOINT_SECONDS: f64 = 60.0;
/// Share of the latest round in the error that is shown.
const ERROR_SHARE: f64 = 0.1;

impl<S: Position<N>, const N: usize> Training<'_, S, N> {
    /// The file of the weights in the folder.
    pub const WEIGHTS: &'static str = "weights.txt";
    /// The file of the log in the folder.
    pub const LOG: &'static str = "log.txt";

    /// Runs until the end or until `is_stopped`; a training that is stopped goes on from its checkpoint. Whether it reached its end.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn run(&mut self, is_stopped: &dyn Fn() -> bool, report: &mut dyn FnMut(Event)) -> Result<bool> {
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
        let (started, seconds_before) = (Instant::now(), self.checkpoint.seconds);
        let mut saved = seconds_before;
        let mut error = None;
        let mut seen_since_match = Seen::default();
        loop {
            let done = self.checkpoint.done(self.length);
            if self.checkpoint.matches < self.matches_due(done) && !is_stopped() {
                let line = self.matches(&seen_since_match, is_stopped);
                self.checkpoint.seconds = seconds_before + started.elapsed().as_secs_f64();
                if let Some(line) = line {
                    self.log(&line)?;
                    report(Event::Log(line));
                    seen_since_match = Seen::default();
                    self.save()?;
                }
            }
            if done >= 1.0 || is_stopped() {
                self.save()?;
                return Ok(done >= 1.0);
            }
            let Some(seen) = self.round(done, is_stopped) else { continue };
            seen_since_match.merge(seen);
            let error = error.get_or_insert(seen.error());
            *error += ERROR_SHARE * (seen.error() - *error);
            self.checkpoint.seconds = seconds_before + started.elapsed().as_secs_f64();
            if self.checkpoint.seconds >= saved + CHECKPOINT_SECONDS {
                saved = self.checkpoint.seconds;
                self.save()?;
            }
            report(Event::Round(self.progress(*error)));
        }
    }

    /// Plays a round of games and learns from it. A round that is stopped is forgotten, so that it makes no difference.
    fn round(&mut self, done: f64, is_stopped: &dyn Fn() -> bool) -> Option<Seen> {
        let Checkpoint { recipe, seed, games, learner, .. } = &mut self.checkpoint;
        let weights = learner.weights();
        let mut search = Search::new(&weights, true);
        let left = match self.length {
            Length::Games(all) => all.saturating_sub(*games),
            Length::Time(_) => u64::MAX,
        };
        let after = *games + left.min(u64::from(recipe.learning.round));
        for game in *games..after {
            if is_stopped() {
                return None;
            }
            let mut rng = Rng::new(mix(&[*seed, game]));
            teach(self.start.clone(), &mut search, &recipe.self_play, &mut rng, &mut |_| ());
        }
        *games = after;
        Some(learner.learn(&search.nodes, &recipe.learning, done, &mut Rng::new(mix(&[*seed, after, 2]))))
    }

    fn matches_due(&self, done: f64) -> u32 {
        let due = done.clamp(0.0, 1.0) * f64::from(self.checkpoint.recipe.matches.count);
        // The sum of many small shares may miss a whole number by rounding.
        (due + 1e-9) as u32
    }

    /// Plays against the version of the match before and the yardstick; the line for the log, or none if it was stopped.
    fn matches(&mut self, seen: &Seen, is_stopped: &dyn Fn() -> bool) -> Option<String> {
        let settings = self.checkpoint.recipe.matches;
        let mut bot = WeightsBot::<N>::new(self.checkpoint.learner.weights(), settings.depth);
        let mut previous = WeightsBot::<N>::new(self.checkpoint.previous.weights(), settings.depth);
        let number = self.checkpoint.matches + 1;
        let seed = mix(&[self.checkpoint.seed, u64::from(number), 1]);
        let is_last = number >= settings.count;
        let pairs = if is_last { settings.last_pairs } else { settings.pairs };
        let against_previous = self.play(&mut bot, None, &mut previous, settings.pairs, seed, is_stopped)?;
        let against_yardstick = self.play(&mut bot, Some(()), &mut previous, pairs, seed, is_stopped)?;
        let checkpoint = &mut self.checkpoint;
        checkpoint.matches = number;
        checkpoint.previous = checkpoint.learner.clone();
        Some(format!(
            "{:6.1} min  {:7} games  error {:5.2}  points a pair: against previous {} ({} pairs), against {} {} ({} pairs)",
            checkpoint.seconds / 60.0,
            checkpoint.games,
            seen.error(),
            describe(&against_previous),
            against_previous.count(),
            self.yardstick.0,
            describe(&against_yardstick),
            against_yardstick.count(),
        ))
    }

    fn play(
        &mut self,
        bot: &mut WeightsBot<N>,
        yardstick: Option<()>,
        previous: &mut WeightsBot<N>,
        pairs: u32,
        seed: u64,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Summary> {
        let mut summary = Summary::default();
        for pair in 0..pairs {
            if is_stopped() {
                return None;
            }
            let rival: &mut dyn Bot<S, S::Move> =
                if yardstick.is_some() { &mut *self.yardstick.1 } else { &mut *previous };
            summary.push(play_pair(&self.start, bot, rival, pair_seed(seed, pair)));
        }
        Some(summary)
    }

    fn progress(&self, error: f64) -> Progress {
        let Checkpoint { games, seconds, .. } = self.checkpoint;
        let done = self.checkpoint.done(self.length).min(1.0);
        let left = match self.length {
            Length::Time(time) => time.as_secs_f64() - seconds,
            Length::Games(all) => all.saturating_sub(games) as f64 * seconds / games.max(1) as f64,
        };
        Progress {
            done,
            games,
            games_per_minute: 60.0 * games as f64 / seconds.max(1e-9),
            left: Duration::from_secs_f64(left.clamp(0.0, 1e9)),
            error,
        }
    }

    fn log(&self, line: &str) -> Result<()> {
        let path = self.folder.join(Self::LOG);
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| writeln!(file, "{line}"))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn save(&self) -> Result<()> {
        let weights = (self.write_weights)(&self.checkpoint.weights());
        write_whole(&self.folder.join(Self::WEIGHTS), |out| Ok(out.write_all(weights.as_bytes())?))?;
        write_whole(&self.folder.join(Checkpoint::NAME), |out| {
            Ok(serde_json::to_writer(out, &self.checkpoint)?)
        })
    }
}
