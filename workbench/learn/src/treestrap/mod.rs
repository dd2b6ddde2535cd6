//! TreeStrap: a linear evaluation learns from all nodes that searches of games against itself look below.
//!
//! Source: Veness, Silver, Uther and Blair, "Bootstrapping from game tree search", 2009.
//!
//! | question | here |
//! |---|---|
//! | the game, the searches whose nodes teach, games that measure | [`games`] |
//! | which positions teach, and what they are said to be worth | [`Targets`] |
//! | weights for every turn, and how they learn from nodes | [`Learner`], [`Node`] |

pub mod games;
mod learner;
mod targets;

pub use games::{SelfPlay, WeightsBot};
pub use learner::{Learner, Learning, Node, Seen};
pub use targets::{Targets, stage};

use crate::kind::{Kind, read_start};
use crate::training::{self, Length, Metrics, Session, Step};
use anyhow::Result;
use contender_entropy::evaluation::{INPUTS, TURNS, TurnWeights, Weights};
use contender_entropy::{GreedyBot, Move, State};
use contender_game::{Bot, Rng, mix};
use contender_search::Bounds;
use contender_stats::Summary;
use contender_table::write_whole;
use games::{ExactSearch, Teacher, exact_search, game_weights, pair_seed, play_pair, teach};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The file with the weights, beside the checkpoint.
pub const FILE: &str = "weights.txt";

/// All settings of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// [`Kind::Treestrap`].
    pub kind: Kind,
    /// The game: only `entropy` has inputs to learn with.
    pub game: String,
    /// How long it is trained.
    pub length: Length,
    /// How the games are played that are learned from.
    pub self_play: SelfPlay,
    /// Which of their positions teach, and what.
    #[serde(default)]
    pub targets: Targets,
    /// How many stages of the game have weights of their own for each player; as many as there are turns if it is not
    /// said.
    #[serde(default = "most_stages")]
    pub stages: usize,
    /// A file of weights to begin with, as a training writes it; all are zero if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// How is learned from them.
    pub learning: Learning,
    /// The matches on the way.
    pub matches: Matches,
}

/// Matches while training, each against the version of the match before and against `greedy`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matches {
    /// How many, evenly over the training, the last one at its end.
    pub count: u32,
    /// Pairs of each.
    pub pairs: u32,
    /// Pairs of the last match against `greedy`.
    pub last_pairs: u32,
    /// Decisions that the bots look ahead.
    pub depth: u32,
}

fn most_stages() -> usize {
    TURNS.div_ceil(2)
}

impl Recipe {
    /// Says what is wrong with the settings.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(&self) -> Result<(), String> {
        if self.game != "entropy" {
            return Err(format!("`game` is `{}`; only `entropy` has inputs to learn with", self.game));
        }
        self.length.check()?;
        for (name, depth) in [("self_play", self.self_play.depth), ("matches", self.matches.depth)] {
            if !(1..=4).contains(&depth) {
                return Err(format!("`{name}.depth` is 1 to 4, not {depth}"));
            }
        }
        let SelfPlay { random_share, greedy_share, .. } = self.self_play;
        for (name, share) in [("random_share", random_share), ("greedy_share", greedy_share)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("`self_play.{name}` is between 0 and 1"));
            }
        }
        if !(1..=most_stages()).contains(&self.stages) {
            return Err(format!("`stages` is 1 to {}, not {}", most_stages(), self.stages));
        }
        self.targets.check()?;
        self.learning.check().map_err(|error| format!("[learning] {error}"))
    }

    /// How many places a learner has for the turns.
    fn places(&self) -> usize {
        (0..TURNS).map(|turn| stage(turn, self.stages) + 1).max().unwrap_or_default()
    }

    /// The learner before the first game. A stage begins with the mean weights of its turns.
    fn learner(&self) -> Result<Learner> {
        let mut learner = Learner::new(self.places(), INPUTS);
        if let Some(path) = &self.start {
            let weights: Weights = read_start(path, |bytes| String::from_utf8_lossy(bytes).parse())?;
            for place in 0..self.places() {
                let of_place = |turn: &usize| stage(*turn, self.stages) == place;
                let turns: Vec<&TurnWeights> =
                    (0..TURNS).filter(of_place).map(|turn| &weights.turns[turn]).collect();
                let mean = |of: &dyn Fn(&TurnWeights) -> f32| {
                    turns.iter().map(|&turn| f64::from(of(turn))).sum::<f64>() / turns.len().max(1) as f64
                };
                let inputs: [f64; INPUTS] = std::array::from_fn(|input| mean(&|turn| turn.inputs[input]));
                learner.set(place, mean(&|turn| turn.bias), &inputs);
            }
        }
        Ok(learner)
    }

    fn weights(&self, learner: &Learner) -> Weights {
        let places: Vec<(f32, [f32; INPUTS])> = learner.turns().collect();
        game_weights((0..TURNS).map(|turn| places[stage(turn, self.stages)]))
    }
}

/// Where a training stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingState {
    learner: Learner,
    /// As it was at the latest match.
    previous: Learner,
    /// Matches played.
    matches: u32,
    /// Games and seconds when the latest match began.
    matched: (u64, f64),
    /// Of the nodes since the latest match.
    seen: Seen,
}

/// TreeStrap as a way of learning.
pub struct Method<'a> {
    recipe: &'a Recipe,
    error: Option<f64>,
}

/// Share of the latest round in the error that is shown.
const ERROR_SHARE: f64 = 0.1;

impl<'a> Method<'a> {
    /// The method with these settings.
    #[must_use]
    pub fn new(recipe: &'a Recipe) -> Method<'a> {
        Method { recipe, error: None }
    }

    /// Whether a match is due: one for each part of the training, and one at its end.
    fn is_match_due(&self, standing: &TrainingState, session: &Session<'_>) -> bool {
        let (games, seconds) = standing.matched;
        // The sum of many small shares may miss a whole number by rounding.
        let parts = |done: f64| (done.min(1.0) * f64::from(self.recipe.matches.count) + 1e-9) as u32;
        parts(session.done()) > parts(session.length().share(games, seconds))
    }

    /// Plays a round of games and learns from it.
    fn round(&mut self, standing: &mut TrainingState, session: &mut Session<'_>) {
        let mut search = exact_search(Teacher::new(self.recipe.weights(&standing.learner)));
        let done = session.done();
        let (seed, first) = (session.seed(), session.games());
        let left = match session.length() {
            Length::Games(all) => all.saturating_sub(first),
            Length::Minutes(_) => u64::MAX,
        };
        let count = left.min(u64::from(self.recipe.learning.round));
        let targets = self.recipe.targets;
        let mut nodes = Vec::new();
        for game in first..first + count {
            let mut rng = Rng::new(mix(&[seed, game]));
            let mut positions = Vec::new();
            // The table knows a value that was just searched for.
            let mut see = |state: &State, search: &mut ExactSearch<Teacher>| {
                if targets != Targets::Nodes {
                    let value = search.value(state, self.recipe.self_play.depth);
                    positions.push(search.guide().node(state, Bounds { low: value, high: value }));
                }
            };
            let end = teach(&mut search, &self.recipe.self_play, &mut rng, &mut see);
            targets.teach(&mut positions, end.score() as f32);
            let searched = std::mem::take(&mut search.guide().nodes);
            nodes.extend(if targets == Targets::Nodes { searched } else { positions });
        }
        nodes.iter_mut().for_each(|node| node.turn = stage(node.turn, self.recipe.stages));
        session.add_games(count);
        let mut rng = Rng::new(mix(&[seed, session.games(), 2]));
        let seen = standing.learner.learn(&nodes, &self.recipe.learning, done, &mut rng);
        standing.seen.merge(seen);
        let error = self.error.get_or_insert(seen.error());
        *error += ERROR_SHARE * (seen.error() - *error);
        let figures = format!("error {error:.2}");
        session.progress("games and learning", session.done(), session.games(), "games", figures);
    }

    /// Plays against the version of the match before and `greedy`; the numbers of the step, or none if it was stopped.
    fn play_matches(&self, standing: &TrainingState, session: &Session<'_>) -> Option<Metrics> {
        let Matches { pairs, last_pairs, depth, .. } = self.recipe.matches;
        let bot = |learner: &Learner| WeightsBot::new(self.recipe.weights(learner), depth);
        let seed = mix(&[session.seed(), u64::from(standing.matches + 1), 1]);
        let play = |rival: &mut dyn Bot<State, Move>, pairs: u32| {
            let mut bot = bot(&standing.learner);
            let mut summary = Summary::default();
            for pair in 0..pairs {
                if session.is_stopped() {
                    return None;
                }
                summary.push(play_pair(&mut bot, rival, pair_seed(seed, pair)));
            }
            Some(summary)
        };
        let previous = play(&mut bot(&standing.previous), pairs)?;
        let is_last = session.done() >= 1.0;
        let greedy = play(&mut GreedyBot::new(), if is_last { last_pairs } else { pairs })?;
        let mut numbers = Metrics::default();
        numbers.put("games", session.games() as f64);
        numbers.put("error", standing.seen.error());
        for (name, summary) in [("against previous", previous), ("against greedy", greedy)] {
            let Some(mean) = summary.mean() else { continue };
            numbers.put(name, mean);
            if let Some(interval) = summary.interval(0.95) {
                numbers.put(&format!("{name}, low"), interval.low);
                numbers.put(&format!("{name}, high"), interval.high);
            }
        }
        Some(numbers)
    }
}

impl training::Method for Method<'_> {
    type State = TrainingState;

    fn length(&self) -> Length {
        self.recipe.length
    }

    fn start(&self, _seed: u64) -> Result<TrainingState> {
        let learner = self.recipe.learner()?;
        let previous = learner.clone();
        Ok(TrainingState { learner, previous, matches: 0, matched: (0, 0.0), seen: Seen::default() })
    }

    fn check(&self, standing: &TrainingState) -> Result<(), String> {
        let is_whole =
            [&standing.learner, &standing.previous].iter().all(|it| it.fits(self.recipe.places(), INPUTS));
        if is_whole { Ok(()) } else { Err("it has other turns or inputs".to_string()) }
    }

    fn step(&mut self, standing: &mut TrainingState, session: &mut Session<'_>) -> Result<Step> {
        let done = session.done();
        if self.is_match_due(standing, session) {
            let matched = (session.games(), session.seconds());
            let Some(numbers) = self.play_matches(standing, session) else { return Ok(Step::GoOn) };
            standing.matches += 1;
            standing.matched = matched;
            standing.previous = standing.learner.clone();
            standing.seen = Seen::default();
            session.log(numbers)?;
            return Ok(if done >= 1.0 { Step::Finished } else { Step::Save });
        }
        if done >= 1.0 {
            return Ok(Step::Finished);
        }
        self.round(standing, session);
        Ok(Step::GoOn)
    }

    fn write(&self, standing: &TrainingState, folder: &Path) -> Result<&'static str> {
        let text = self.recipe.weights(&standing.learner).to_string();
        write_whole(&folder.join(FILE), |out| Ok(out.write_all(text.as_bytes())?))?;
        Ok(FILE)
    }
}
