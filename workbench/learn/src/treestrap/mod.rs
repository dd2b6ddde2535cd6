//! TreeStrap: a linear evaluation learns from all nodes that searches of games against itself look below.
//!
//! Source: Veness, Silver, Uther and Blair, "Bootstrapping from game tree search", 2009.
//!
//! | question | here |
//! |---|---|
//! | what a game gives | [`Subject`]: `entropy`, `own` |
//! | games of Entropy: the searches whose nodes teach, games that measure | [`games`] |
//! | which positions teach, and what they are said to be worth | [`Targets`] |
//! | weights for every turn, and how they learn from nodes | [`Learner`], [`Node`] |

mod entropy;
pub mod games;
mod learner;
mod own;
mod subject;
mod targets;
#[cfg(test)]
mod tests;

pub use games::{SelfPlay, WeightsBot};
pub use learner::{Inputs, Learner, Learning, Node, Seen};
pub use subject::Subject;
pub use targets::{Targets, stage};

use crate::handed_down::HandedDown;
use crate::kind::{Kind, read_start};
use crate::training::{self, Event, Length, Metrics, Order, Outcome, Session, Step};
use anyhow::{Result, anyhow};
use contender_game::{Rng, StateOf, TypedContest, mix};
use contender_stats::{Interval, Pentanomial, Summary};
use contender_table::write_whole;
use contender_value::Features;
use entropy::{Entropy, MOST_STAGES};
use games::pair_seed;
use own::Own;
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
    /// The game: `entropy`, or an own game with features.
    pub game: String,
    /// How long it is trained.
    pub length: Length,
    /// How the games are played that are learned from.
    pub self_play: SelfPlay,
    /// Which of their positions teach, and what.
    #[serde(default)]
    pub targets: Targets,
    /// How many stages of Entropy have weights of their own for each player; as many as there are turns if it is not
    /// said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stages: Option<usize>,
    /// A file of weights to begin with, as a training writes it; all are zero if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// How is learned from them.
    pub learning: Learning,
    /// The matches on the way.
    pub matches: Matches,
}

/// Matches while training, each against the version of the match before and against a bot: `greedy` of Entropy,
/// `random` of own games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matches {
    /// How many, evenly over the training, the last one at its end.
    pub count: u32,
    /// Pairs of each.
    pub pairs: u32,
    /// Pairs of the last match against the bot.
    pub last_pairs: u32,
    /// Decisions that the bots look ahead.
    pub depth: u32,
}

impl Recipe {
    /// Says what is wrong with the settings.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(&self) -> Result<(), String> {
        let games: Vec<&str> = learned().iter().map(|learned| learned.game).collect();
        if !games.contains(&self.game.as_str()) {
            let (game, games) = (&self.game, games.join(", "));
            return Err(format!(
                "`game` is `{game}`; {games} has features to learn with. An own game has them when its states \
                 implement `contender_value::Features` and its program calls `contender::learns_features`"
            ));
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
        if self.game != ENTROPY && (self.stages.is_some() || greedy_share > 0.0) {
            let words = "say nothing for an own game: a stage of it is a feature, and it plays itself only";
            return Err(format!("`stages` and `self_play.greedy_share` {words}"));
        }
        if let Some(stages) = self.stages.filter(|stages| !(1..=MOST_STAGES).contains(stages)) {
            return Err(format!("`stages` is 1 to {MOST_STAGES}, not {stages}"));
        }
        self.targets.check()?;
        self.learning.check().map_err(|error| format!("[learning] {error}"))
    }
}

/// A game whose linear evaluation is learned, and how.
#[derive(Clone, Copy)]
struct Learned {
    game: &'static str,
    train: Train,
}

type Train = fn(&Recipe, &Order, &dyn Fn() -> bool, &mut dyn FnMut(Event)) -> Result<Outcome>;

const ENTROPY: &str = "entropy";

/// Those of authors.
static OWN: HandedDown<Learned> = HandedDown::new();

/// All of them.
fn learned() -> Vec<Learned> {
    let train =
        |recipe: &Recipe, order: &Order, is_stopped: &dyn Fn() -> bool, report: &mut dyn FnMut(Event)| {
            training::run(Method::new(recipe, Entropy(recipe)), recipe, order, is_stopped, report)
        };
    let mut learned = vec![Learned { game: ENTROPY, train }];
    learned.extend(OWN.all());
    learned
}

/// See [`crate::learns_features`].
pub(crate) fn learns<C>()
where
    C: TypedContest + 'static,
    StateOf<C>: Features,
{
    let train =
        |recipe: &Recipe, order: &Order, is_stopped: &dyn Fn() -> bool, report: &mut dyn FnMut(Event)| {
            training::run(Method::new(recipe, Own::<C>::new(recipe)), recipe, order, is_stopped, report)
        };
    OWN.push(Learned { game: C::INFO.name, train });
}

/// Trains by a recipe.
///
/// # Errors
/// See [`crate::train`].
pub fn train(
    recipe: &Recipe,
    order: &Order,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let learned = learned().into_iter().find(|learned| learned.game == recipe.game);
    (learned.expect("a checked recipe is of one of them").train)(recipe, order, is_stopped, report)
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
pub struct Method<'a, S> {
    recipe: &'a Recipe,
    subject: S,
    error: Option<f64>,
}

/// The confidence of the intervals of matches.
const CONFIDENCE: f64 = 0.95;

/// Where the true mean of such shares of pairs is, within 0 and 1; `None` of fewer than two pairs.
fn interval_of_shares(pairs: &[f64]) -> Option<Interval> {
    let mut results = Pentanomial::default();
    // A pair has four half points.
    pairs.iter().for_each(|share| results.counts[(4.0 * share).round() as usize] += 1);
    results.interval(CONFIDENCE)
}

/// Share of the latest round in the error that is shown.
const ERROR_SHARE: f64 = 0.1;

impl<'a, S: Subject> Method<'a, S> {
    /// The method with these settings.
    #[must_use]
    pub fn new(recipe: &'a Recipe, subject: S) -> Method<'a, S> {
        Method { recipe, subject, error: None }
    }

    /// Whether a match is due: one for each part of the training, and one at its end.
    fn is_match_due(&self, standing: &TrainingState, session: &Session<'_>) -> bool {
        let (games, seconds) = standing.matched;
        // The sum of many small shares may miss a whole number by rounding.
        let parts = |done: f64| (done.min(1.0) * f64::from(self.recipe.matches.count) + 1e-9) as u32;
        parts(session.done()) > parts(session.length().share(games, seconds))
    }

    /// Plays a round of games and learns from it; nothing if it was stopped.
    fn round(&mut self, standing: &mut TrainingState, session: &mut Session<'_>) -> Result<()> {
        let done = session.done();
        let (seed, first) = (session.seed(), session.games());
        let left = match session.length() {
            Length::Games(all) => all.saturating_sub(first),
            Length::Minutes(_) => u64::MAX,
        };
        let count = left.min(u64::from(self.recipe.learning.round));
        let mut nodes = Vec::new();
        let mut player = self.subject.player(&standing.learner);
        for game in first..first + count {
            if session.is_stopped() {
                return Ok(());
            }
            let place = |error| anyhow!("game {}: {error}", game + 1);
            nodes.extend(player(&mut Rng::new(mix(&[seed, game]))).map_err(place)?);
        }
        drop(player);
        session.add_games(count);
        let mut rng = Rng::new(mix(&[seed, session.games(), 2]));
        let seen = standing.learner.learn(&nodes, &self.recipe.learning, done, &mut rng);
        standing.seen.merge(seen);
        let error = self.error.get_or_insert(seen.error());
        *error += ERROR_SHARE * (seen.error() - *error);
        let figures = format!("error {error:.2}");
        session.progress("games and learning", session.done(), session.games(), "games", figures);
        Ok(())
    }

    /// Plays against the version of the match before and the bot; the numbers of the step, or none if it was stopped.
    fn play_matches(&self, standing: &TrainingState, session: &Session<'_>) -> Option<Metrics> {
        let Matches { pairs, last_pairs, .. } = self.recipe.matches;
        let seed = mix(&[session.seed(), u64::from(standing.matches + 1), 1]);
        let play = |other: Option<&Learner>, pairs: u32| {
            let mut rivals = self.subject.rivals(&standing.learner, other);
            let mut results = Vec::new();
            for pair in 0..pairs {
                if session.is_stopped() {
                    return None;
                }
                results.push(rivals(pair_seed(seed, pair)));
            }
            Some(results)
        };
        let previous = play(Some(&standing.previous), pairs)?;
        let is_last = session.done() >= 1.0;
        let rival = play(None, if is_last { last_pairs } else { pairs })?;
        let mut numbers = Metrics::default();
        numbers.put("games", session.games() as f64);
        numbers.put("error", standing.seen.error());
        for (name, results) in [("previous", previous), (S::RIVAL, rival)] {
            let summary: Summary = results.iter().copied().collect();
            let Some(mean) = summary.mean() else { continue };
            numbers.put(&format!("against {name}"), mean);
            let interval =
                if S::IS_SHARE { interval_of_shares(&results) } else { summary.interval(CONFIDENCE) };
            if let Some(interval) = interval {
                numbers.put(&format!("against {name}, low"), interval.low);
                numbers.put(&format!("against {name}, high"), interval.high);
            }
        }
        Some(numbers)
    }
}

impl<S: Subject> training::Method for Method<'_, S> {
    type State = TrainingState;

    fn length(&self) -> Length {
        self.recipe.length
    }

    fn start(&self, _seed: u64) -> Result<TrainingState> {
        let mut learner = Learner::new(self.subject.places(), self.subject.inputs());
        if let Some(path) = &self.recipe.start {
            let places = read_start(path, |bytes| self.subject.read(bytes))?;
            places
                .iter()
                .enumerate()
                .for_each(|(at, (constant, weights))| learner.set(at, *constant, weights));
        }
        let previous = learner.clone();
        Ok(TrainingState { learner, previous, matches: 0, matched: (0, 0.0), seen: Seen::default() })
    }

    fn check(&self, standing: &TrainingState) -> Result<(), String> {
        let is_whole = |it: &Learner| it.fits(self.subject.places(), self.subject.inputs());
        let all = [&standing.learner, &standing.previous];
        if all.into_iter().all(is_whole) { Ok(()) } else { Err("it has other turns or inputs".to_string()) }
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
        self.round(standing, session)?;
        Ok(Step::GoOn)
    }

    fn write(&self, standing: &TrainingState, folder: &Path) -> Result<&'static str> {
        let text = self.subject.text(&standing.learner);
        write_whole(&folder.join(FILE), |out| Ok(out.write_all(text.as_bytes())?))?;
        Ok(FILE)
    }
}
