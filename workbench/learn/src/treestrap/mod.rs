//! TreeStrap: a linear evaluation learns from all nodes that searches expand in self-play.
//!
//! Source: Veness, Silver, Uther and Blair, "Bootstrapping from game tree search", 2009.
//!
//! | topic | type or module |
//! |---|---|
//! | the functions of a game | [`Features`] |
//! | games for learning, and games that measure strength | [`games`] |
//! | the positions to learn from and their targets | [`Targets`] |
//! | the weights for every stage, learned from nodes | [`Learner`], [`Node`] |

pub mod games;
mod learner;
mod targets;
#[cfg(test)]
mod tests;

pub use games::SelfPlay;
pub(crate) use learner::is_zero;
pub use learner::{Inputs, Learner, Learning, Node, Seen};
pub use targets::{Targets, place};

use crate::RecipeError;
use crate::best::{self, Best};
use crate::kind::{RecipeKind, read_start};
use crate::optimiser::average;
use crate::registry::Registry;
use crate::self_play::MAX_QUIESCENCE;
use crate::training::{self, Event, Length, Metrics, Outcome, Step, TrainingOptions, TrainingSession};
use anyhow::{Result, anyhow};
use contender_game::{
    contest::{MoveOf, StateOf, TypedContest},
    rules::{Rng, mix},
};
use contender_table::write_whole;
use contender_value::{Features, bundled_bot};
use games::{MatchOpponent, player, rivals};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The file with the weights, next to the checkpoint.
pub const FILE: &str = "weights.txt";

/// All settings of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The kind of recipe, [`RecipeKind::Treestrap`].
    pub kind: RecipeKind,
    /// The game, whose positions must have features.
    pub game: String,
    /// Length of the training run.
    pub length: Length,
    /// Settings of the games from which weights are learned.
    pub self_play: SelfPlay,
    /// The selection of positions to learn from, and their targets.
    #[serde(default)]
    pub targets: Targets,
    /// Number of stages with separate weights for each player. By default, this is the number of stages of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stages: Option<usize>,
    /// The file with the start weights, from a training run. By default, all weights are 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// Settings for learning from the games.
    pub learning: Learning,
    /// Matches during the training run.
    pub matches: Matches,
}

/// Matches during the training run, against the version at the previous match and against the game's
/// [rival](Features::rival).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Matches {
    /// Number of matches, evenly distributed over the training run, with the last one at its end.
    pub count: u32,
    /// Number of pairs per match.
    pub pairs: u32,
    /// Number of pairs in the last match against the rival, and in the final match against the start version.
    pub last_pairs: u32,
    /// Number of consecutive matches without an improvement after which the run ends; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u32>,
    /// More opponents in the matches: bundled bots, given as `name` or `name:options`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<String>,
    /// Number of nodes per move for these bots; 1000 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth of searches in matches, in decisions.
    pub depth: u32,
}

impl Recipe {
    /// Checks the settings.
    ///
    /// # Errors
    /// Returns an error if the game is not registered or a setting is out of range.
    pub fn check(&self) -> Result<(), RecipeError> {
        let learned = GAMES.find(&self.game)?;
        self.length.check()?;
        for (name, depth) in [("self_play", self.self_play.depth), ("matches", self.matches.depth)] {
            if !(1..=8).contains(&depth) {
                return Err(RecipeError::value(format!("{name}.depth"), "1 to 8"));
            }
        }
        if self.self_play.quiescence > MAX_QUIESCENCE {
            return Err(RecipeError::value("self_play.quiescence", format!("at most {MAX_QUIESCENCE}")));
        }
        let SelfPlay { random_share, greedy_share, .. } = self.self_play;
        for (name, share) in [("random_share", random_share), ("greedy_share", greedy_share)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(RecipeError::value(format!("self_play.{name}"), "a number from 0 to 1"));
            }
        }
        if learned.rival != "greedy" && greedy_share > 0.0 {
            let words = format!(
                "`self_play.greedy_share` must be 0 or absent, because the search for {} plays only \
                    against itself",
                self.game
            );
            return Err(RecipeError::Part(words));
        }
        let most = learned.stages.div_ceil(2);
        if self.stages.is_some_and(|stages| !(1..=most).contains(&stages)) {
            return Err(RecipeError::value("stages", format!("1 to {most}")));
        }
        self.targets.check()?;
        self.learning.check().map_err(|error| error.within("learning"))
    }
}

/// A registered game and its functions.
#[derive(Clone, Copy)]
struct Learned {
    stages: usize,
    rival: &'static str,
    train: Train,
}

type Train = fn(&Recipe, &TrainingOptions, &dyn Fn() -> bool, &mut dyn FnMut(Event)) -> Result<Outcome>;

/// The games that the program has registered.
static GAMES: Registry<Learned> = Registry::new("linear evaluation", "learns_features");

/// Registers the game of a contest whose positions have [`Features`], so that a linear evaluation can be trained for
/// it. This function must be called before a recipe for the game is read.
pub fn learns_weights<C>()
where
    C: TypedContest + 'static,
    StateOf<C>: Features<Move = MoveOf<C>>,
{
    let train: Train = |recipe, order, is_stopped, report| {
        training::run(Method::<C>::new(recipe), recipe, order, is_stopped, report)
    };
    let (rival, _) = <StateOf<C>>::rival(0);
    GAMES.push(C::INFO.name, Learned { stages: <StateOf<C>>::STAGES, rival, train });
}

/// Trains with a recipe.
///
/// # Errors
/// See [`crate::train`].
pub fn train(
    recipe: &Recipe,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let learned = GAMES.find(&recipe.game)?;
    (learned.train)(recipe, order, is_stopped, report)
}

/// The state of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingState {
    learner: Learner,
    /// The learner at the time of the latest match.
    previous: Learner,
    /// Number of matches played.
    matches: u32,
    /// The number of games and seconds at the time of the latest match.
    matched: (u64, f64),
    /// Statistics of the nodes after the latest match.
    seen: Seen,
    /// The best weights; `None` in checkpoints from earlier versions.
    #[serde(default)]
    best: Option<Best>,
    /// The running mean of the weights, now and at the latest match, if the recipe uses one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    averaged: Option<[Vec<f32>; 2]>,
}

/// TreeStrap as a learning method.
pub struct Method<'a, C> {
    recipe: &'a Recipe,
    error: Option<f64>,
    contest: PhantomData<fn() -> C>,
}

/// Weight of the latest round in the displayed error.
const ERROR_SHARE: f64 = 0.1;

impl<'a, C> Method<'a, C>
where
    C: TypedContest,
    StateOf<C>: Features<Move = MoveOf<C>>,
{
    /// Creates the method with these settings, for the game of a contest.
    #[must_use]
    pub fn new(recipe: &'a Recipe) -> Method<'a, C> {
        Method { recipe, error: None, contest: PhantomData }
    }

    /// Returns the index of a learner's weights for a stage.
    fn place(&self, stage: usize) -> usize {
        let all = <StateOf<C>>::STAGES;
        place(stage, all, self.recipe.stages.unwrap_or(all.div_ceil(2)))
    }

    /// Returns the number of indices that [`place`](Method::place) can return.
    fn places(&self) -> usize {
        (0..<StateOf<C>>::STAGES).map(|stage| self.place(stage) + 1).max().unwrap_or_default()
    }

    /// Returns the weights of all stages, in the format of the game.
    fn weights(&self, learner: &Learner) -> Vec<f32> {
        let places: Vec<Vec<f32>> =
            learner.turns().map(|(constant, weights)| [vec![constant], weights].concat()).collect();
        (0..<StateOf<C>>::STAGES).flat_map(|stage| places[self.place(stage)].clone()).collect()
    }

    /// Returns the weights that are saved and used in matches.
    fn latest(&self, standing: &TrainingState) -> Vec<f32> {
        match &standing.averaged {
            Some([mean, _]) => mean.clone(),
            None => self.weights(&standing.learner),
        }
    }

    /// Sets a learner's weights from a file. Stages that share weights get the mean of their weights.
    fn begin(&self, learner: &mut Learner, weights: &[f32]) {
        let stages: Vec<&[f32]> = weights.chunks_exact(1 + <StateOf<C>>::COUNT).collect();
        for place in 0..self.places() {
            let of_place = || (0..stages.len()).filter(|&stage| self.place(stage) == place);
            let mean = |at: usize| {
                of_place().map(|stage| f64::from(stages[stage][at])).sum::<f64>() / of_place().count() as f64
            };
            let means: Vec<f64> = (0..=<StateOf<C>>::COUNT).map(mean).collect();
            learner.set(place, means[0], &means[1..]);
        }
    }

    /// Returns whether a match is due. Matches are due at equal intervals during the training run, and at its end.
    fn is_match_due(&self, standing: &TrainingState, session: &TrainingSession<'_>) -> bool {
        let (games, seconds) = standing.matched;
        // The sum of many small shares may be slightly below an integer because of rounding.
        let parts = |done: f64| (done.min(1.0) * f64::from(self.recipe.matches.count) + 1e-9) as u32;
        parts(session.done()) > parts(session.length().share(games, seconds))
    }

    /// Plays a round of games and learns from them. Does nothing if the run was stopped.
    fn round(&mut self, standing: &mut TrainingState, session: &mut TrainingSession<'_>) -> Result<()> {
        let done = session.done();
        let (seed, first) = (session.seed(), session.games());
        let left = match session.length() {
            Length::Games(all) => all.saturating_sub(first),
            Length::Minutes(_) => u64::MAX,
        };
        let count = left.min(u64::from(self.recipe.learning.round));
        let mut nodes: Vec<Node> = Vec::new();
        let mut player = player::<C>(self.recipe, &self.weights(&standing.learner));
        for game in first..first + count {
            if session.is_stopped() {
                return Ok(());
            }
            let place = |error| anyhow!("game {}: {error}", game + 1);
            nodes.extend(player(&mut Rng::new(mix(&[seed, game]))).map_err(place)?);
        }
        nodes.iter_mut().for_each(|node| node.turn = self.place(node.turn));
        session.add_games(count);
        let mut rng = Rng::new(mix(&[seed, session.games(), 2]));
        let seen = standing.learner.learn(&nodes, &self.recipe.learning, <StateOf<C>>::UNIT, done, &mut rng);
        standing.seen.merge(seen);
        let Learning { average: share, round, .. } = self.recipe.learning;
        let weights = self.weights(&standing.learner);
        if let Some([mean, _]) = &mut standing.averaged {
            average(mean, &weights, share, (session.games() / u64::from(round)) as u32);
        }
        let error = self.error.get_or_insert(seen.error());
        *error += ERROR_SHARE * (seen.error() - *error);
        let figures = format!("error {error:.2}");
        session.progress("games and learning", session.done(), session.games(), "games", figures);
        Ok(())
    }

    /// Plays pairs of games against an opponent. Returns the results, or `None` if the run was stopped.
    fn play(
        &self,
        weights: &[f32],
        opponent: MatchOpponent<'_>,
        pairs: u32,
        seed: u64,
        session: &TrainingSession<'_>,
    ) -> Option<Vec<f64>> {
        let mut rivals = rivals::<C>(self.recipe, weights, opponent);
        (0..pairs)
            .map(|pair| (!session.is_stopped()).then(|| rivals(mix(&[seed, u64::from(pair)]))))
            .collect()
    }

    /// Plays against the version at the previous match, the best version, the rival and the recipe's opponents. Returns
    /// the metrics and the results against the best version, or `None` if the run was stopped.
    fn play_matches(
        &self,
        standing: &TrainingState,
        session: &TrainingSession<'_>,
    ) -> Option<(Metrics, Vec<f64>)> {
        let Matches { pairs, last_pairs, ref opponents, .. } = self.recipe.matches;
        let seed = mix(&[session.seed(), u64::from(standing.matches + 1), 1]);
        let own = self.latest(standing);
        let play = |opponent, pairs| self.play(&own, opponent, pairs, seed, session);
        let before = match &standing.averaged {
            Some([_, before]) => before.clone(),
            None => self.weights(&standing.previous),
        };
        let previous = play(MatchOpponent::Weights(&before), pairs)?;
        let best = match standing.best.as_ref().and_then(|best| best.weights.as_ref()) {
            Some(best) if *best != before => play(MatchOpponent::Weights(best), pairs)?,
            _ => previous.clone(),
        };
        let last = if session.done() >= 1.0 { last_pairs } else { pairs };
        let (rival, _) = <StateOf<C>>::rival(0);
        let mut matches = vec![("previous", previous), ("best", best.clone())];
        matches.push((rival, play(MatchOpponent::Rival, last)?));
        for name in opponents {
            matches.push((&name[..], play(MatchOpponent::Bot(name), last)?));
        }
        let mut numbers = Metrics::default();
        numbers.put("games", session.games() as f64);
        numbers.put("error", standing.seen.error());
        for (name, results) in matches {
            best::put(&mut numbers, name, &results, <StateOf<C>>::UNIT);
        }
        Some((numbers, best))
    }

    /// Ends the run with a match between the best weights and the start weights. Does nothing if the run was stopped.
    fn judge(&self, standing: &mut TrainingState, session: &TrainingSession<'_>) -> Step {
        let Some(best) = &mut standing.best else { return Step::Finished };
        let seed = mix(&[session.seed(), 3]);
        best.conclude(<StateOf<C>>::UNIT, |best, first| {
            let first = MatchOpponent::Weights(first.expect("a run starts with weights"));
            self.play(best, first, self.recipe.matches.last_pairs, seed, session)
        })
    }
}

impl<C> training::Method for Method<'_, C>
where
    C: TypedContest,
    StateOf<C>: Features<Move = MoveOf<C>>,
{
    type State = TrainingState;

    fn length(&self) -> Length {
        self.recipe.length
    }

    fn start(&self, _seed: u64) -> Result<TrainingState> {
        let mut learner = Learner::new(self.places(), <StateOf<C>>::COUNT);
        if let Some(path) = &self.recipe.start {
            self.begin(&mut learner, &read_start(path, <StateOf<C>>::read_weights)?);
        }
        for name in &self.recipe.matches.opponents {
            bundled_bot::<C>(name, 0)
                .map_err(|error| anyhow!("invalid `opponents` in the recipe: {error}"))?;
        }
        let previous = learner.clone();
        let weights = self.weights(&learner);
        let averaged = (self.recipe.learning.average > 0.0).then(|| [weights.clone(), weights.clone()]);
        let best = Some(Best::new(Some(weights)));
        let seen = Seen::default();
        Ok(TrainingState { learner, previous, matches: 0, matched: (0, 0.0), seen, best, averaged })
    }

    fn check(&self, standing: &TrainingState) -> Result<(), String> {
        let is_whole = |it: &Learner| it.fits(self.places(), <StateOf<C>>::COUNT);
        let all = [&standing.learner, &standing.previous];
        let count = self.weights(&standing.learner).len();
        let fits =
            |best: &Best| [&best.first, &best.weights].into_iter().flatten().all(|of| of.len() == count);
        let means = standing.averaged.iter().flatten();
        if all.into_iter().all(is_whole)
            && means.into_iter().all(|mean| mean.len() == count)
            && standing.best.as_ref().is_none_or(fits)
        {
            Ok(())
        } else {
            Err("its number of stages or inputs does not match the game".to_string())
        }
    }

    fn step(&mut self, standing: &mut TrainingState, session: &mut TrainingSession<'_>) -> Result<Step> {
        if standing.best.as_ref().is_some_and(|best| best.ended.is_some()) {
            return Ok(self.judge(standing, session));
        }
        if self.is_match_due(standing, session) {
            let matched = (session.games(), session.seconds());
            let Some((numbers, results)) = self.play_matches(standing, session) else {
                return Ok(Step::GoOn);
            };
            standing.matches += 1;
            standing.matched = matched;
            standing.previous = standing.learner.clone();
            standing.seen = Seen::default();
            let weights = self.latest(standing);
            if let Some([mean, before]) = &mut standing.averaged {
                before.clone_from(mean);
            }
            if let Some(best) = &mut standing.best {
                best.challenge(&weights, &results, <StateOf<C>>::UNIT, self.recipe.matches.patience);
            }
            session.log(numbers)?;
            return Ok(Step::Save);
        }
        if session.done() >= 1.0 {
            return Ok(self.judge(standing, session));
        }
        self.round(standing, session)?;
        let divergence = standing.learner.divergence(<StateOf<C>>::UNIT);
        if let (Some(best), Some(reason)) = (&mut standing.best, divergence) {
            let hint = "hint: choose a smaller `rate.start` in `[learning]`, or remove `rate`";
            best.ended = Some(format!("the weights diverged: {reason}\n{hint}"));
        }
        Ok(Step::GoOn)
    }

    fn verdict(&self, standing: &TrainingState) -> Option<String> {
        let best = standing.best.as_ref()?;
        let never = best::without_effect("features", &standing.learner.idle_inputs());
        let lines = [best.early_end(), never, best.verdict.clone()];
        Some(lines.into_iter().flatten().collect::<Vec<_>>().join("\n"))
    }

    fn write(&self, standing: &TrainingState, folder: &Path) -> Result<&'static str> {
        let best = standing.best.as_ref().and_then(|best| best.weights.clone());
        let weights = best.unwrap_or_else(|| self.latest(standing));
        let text = <StateOf<C>>::write_weights(&weights);
        write_whole(&folder.join(FILE), |out| Ok(out.write_all(&text)?))?;
        Ok(FILE)
    }
}
