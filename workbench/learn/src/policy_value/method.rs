//! The learning method: rounds of games, each followed by learning.

use super::actor::{Actor, Batch};
use super::bots::bot;
use super::decision::{Decision, Sample, normalise};
use super::engine::{Engine, LossTerms};
use super::evaluator::{Evaluator, clock};
use super::games::{Played, Rival, points};
use super::parallel::in_parallel;
use super::parameters::random_parameters;
use super::recipe::Recipe;
use super::record;
use super::teacher::{Teacher, read_teacher};
use super::window::{self, Round, Window};
use crate::best::{self, Best};
use crate::kind::read_start;
use crate::optimiser::{Adam, average, clip_norm};
use crate::training::{self, Length, Metrics, Step, TrainingSession};
use anyhow::{Result, anyhow, ensure};
use contender_game::rules::{Player, Rng, mix};
use contender_nn::policy_value::{Network, Shape};
use contender_play::{Task, Workers};
use contender_plot::{Curve, curves};
use contender_puct::LearnedGame;
use contender_table::write_whole;
use contender_value::Unit;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

/// The state of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct State {
    parameters: Vec<f32>,
    /// The running mean of the parameters.
    averaged: Vec<f32>,
    adam: Adam,
    /// Number of rounds played.
    round: u64,
    /// Number of decisions learned from.
    decisions: u64,
    /// The parameters of the past checkpoints that are kept.
    kept: Vec<Vec<f32>>,
    /// The parameters at the time of the latest match.
    matched: Vec<f32>,
    /// The rounds whose decisions are still used for learning.
    window: Vec<Round>,
    /// The best parameters, if the recipe keeps them.
    #[serde(default)]
    best: Option<Best>,
}

/// The learning method of a recipe.
pub(super) struct Method<'a, S: LearnedGame> {
    recipe: &'a Recipe,
    shape: Shape,
    threads: usize,
    workers: Option<Arc<dyn Workers>>,
    /// The contents of the teacher's file, if the teacher is a network.
    teacher: Option<Vec<u8>>,
    /// Metrics of the latest round.
    metrics: Metrics,
    window: Window<S>,
    /// The first round whose decisions the checkpoint still needs.
    first_needed: Cell<u64>,
}

/// Number of games between two checks of the stop flag.
const SLICE: usize = 16;

/// Number of games that another machine plays per request. The number is small, so that all machines finish a round at
/// about the same time.
const BATCH: usize = 4;

impl<'a, S: LearnedGame> Method<'a, S> {
    /// Creates the method with these settings and this number of threads. If there are workers, they play the games.
    ///
    /// # Errors
    /// Returns an error if a bot is unknown, or if the settings do not match the game.
    pub(super) fn new(
        recipe: &'a Recipe,
        threads: usize,
        workers: Option<Arc<dyn Workers>>,
    ) -> Result<Method<'a, S>> {
        let of = &recipe.network;
        let tells_both = S::views(&S::start(1)).iter().all(|view| S::beside(view).is_some());
        ensure!(
            of.sides == 1 || tells_both,
            "invalid `network.sides`: a network for this game has one policy, not {}",
            of.sides
        );
        let shape = S::shape(of.channels, of.blocks, of.hidden, of.sides);
        let bots = recipe.matches.opponents.iter().chain(&recipe.pool.bots);
        let bots = bots.map(|name| bot::<S>(name, 0).map(drop));
        let blank = Network::new(shape, &vec![0.0; shape.parameters()]);
        let teacher = read_teacher::<S>(&recipe.imitation)?;
        let itself = teacher.as_ref().map(|_| &blank);
        let known = Teacher::<S>::new(&recipe.imitation, &blank, itself, 0).map(drop);
        bots.chain([known]).collect::<Result<(), String>>().map_err(|error| anyhow!(error))?;
        let (metrics, window) = (Metrics::default(), Window::new());
        Ok(Method { recipe, shape, threads, workers, teacher, metrics, window, first_needed: Cell::new(0) })
    }

    /// Returns the parameters as a bot reads them, rounded to a few bits. All games and gradients use the rounded
    /// parameters, while learning steps change the exact parameters. The network thus learns to cope with rounding (the
    /// straight-through estimator: Bengio, Léonard and Courville, "Estimating or propagating gradients through
    /// stochastic neurons for conditional computation", 2013).
    fn rounded(&self, parameters: &[f32]) -> Vec<f32> {
        let mut rounded = parameters.to_vec();
        S::round(&self.shape, &mut rounded);
        rounded
    }

    fn network(&self, parameters: &[f32]) -> Network {
        Network::new(self.shape, &self.rounded(parameters))
    }

    /// Returns the current parameters for matches: the running mean if the recipe uses one, otherwise the parameters
    /// themselves.
    fn latest<'s>(&self, state: &'s State) -> &'s [f32] {
        if self.recipe.learning.average > 0.0 { &state.averaged } else { &state.parameters }
    }

    /// Plays the games of a round. Returns `None` if the run was stopped.
    fn play(&self, state: &State, session: &mut TrainingSession<'_>) -> Result<Option<Vec<Played<S>>>> {
        // A network that learns from its own choices must have made these choices itself, so it plays with the current
        // parameters.
        let is_imitating = self.recipe.is_imitating(state.round);
        let own = if is_imitating { self.latest(state) } else { &state.parameters };
        let write = |parameters: &[f32]| S::write(self.shape, parameters);
        let mut networks: Vec<Vec<u8>> =
            [own].into_iter().chain(state.kept.iter().map(Vec::as_slice)).map(write).collect();
        networks.extend(self.teacher.clone().filter(|_| is_imitating));
        match &self.workers {
            Some(workers) => self.play_there(&**workers, networks, state, session),
            None => self.play_here(&networks, state, session),
        }
    }

    fn play_here(
        &self,
        networks: &[Vec<u8>],
        state: &State,
        session: &mut TrainingSession<'_>,
    ) -> Result<Option<Vec<Played<S>>>> {
        let actor = Actor::<S>::new(self.recipe, session.seed(), state.round, networks);
        let actor = actor.expect("every written network can be read");
        let games = self.recipe.games(state.round);
        let mut played: Vec<Played<S>> = Vec::new();
        while played.len() < games {
            let (first, count) = (played.len(), SLICE.min(games - played.len()));
            let of_games = in_parallel(self.threads, count, || (), |(), at| actor.game((first + at) as u64));
            for of_game in of_games {
                played.push(of_game.map_err(|error| anyhow!(error))?);
            }
            if session.is_stopped() {
                return Ok(None);
            }
            self.show_games(
                state,
                session,
                played.len(),
                played.iter().map(|game| game.decisions.len()).sum(),
            );
        }
        Ok(Some(played))
    }

    /// Plays the round's games on other machines. The order does not matter, because each game depends only on its
    /// number.
    fn play_there(
        &self,
        workers: &dyn Workers,
        networks: Vec<Vec<u8>>,
        state: &State,
        session: &mut TrainingSession<'_>,
    ) -> Result<Option<Vec<Played<S>>>> {
        // The path of the start network has no meaning on other machines.
        let recipe = Recipe { start: None, ..self.recipe.clone() };
        let (games, round, seed) = (self.recipe.games(state.round), state.round, session.seed());
        let batch = |first: usize| {
            let count = BATCH.min(games - first) as u64;
            let batch = Batch { recipe: recipe.clone(), seed, round, first: first as u64, count };
            Ok(serde_json::to_string(&batch)?)
        };
        let batches = (0..games).step_by(BATCH).map(batch).collect::<Result<Vec<String>>>()?;
        let mut come: Vec<Option<Vec<Played<S>>>> = batches.iter().map(|_| None).collect();
        let (mut count, mut decisions, mut failure) = (0, 0, None);
        let session = RefCell::new(session);
        let networks = workers.store(networks);
        let task =
            |at: u64| Some(Task::Batch { batch: batches[at as usize].clone(), networks: networks.clone() });
        let is_stopped = || session.borrow().is_stopped();
        workers.share_out(batches.len() as u64, &is_stopped, &task, &mut |at, text| match text
            .and_then(|text| record::read::<S>(&text))
        {
            Ok(played) => {
                count += played.len();
                decisions += played.iter().map(|game| game.decisions.len()).sum::<usize>();
                come[at as usize] = Some(played);
                self.show_games(state, &mut session.borrow_mut(), count, decisions);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(anyhow!("games of round {round} cannot be played: {error}"));
                ControlFlow::Break(())
            }
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        let Some(played) = come.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let played: Vec<Played<S>> = played.into_iter().flatten().collect();
        ensure!(played.len() == games, "round {round} has {games} games, but {} arrived", played.len());
        Ok(Some(played))
    }

    fn show_games(&self, state: &State, session: &mut TrainingSession<'_>, games: usize, decisions: usize) {
        let share = games as f64 / self.recipe.games(state.round) as f64;
        self.show(state, session, decisions as u64, 0.5 * share);
    }

    /// Learns from decisions, of which `new` are new. Returns `None` if the run was stopped.
    fn learn(
        &self,
        state: &mut State,
        decisions: &[&Decision<S>],
        new: usize,
        session: &mut TrainingSession<'_>,
    ) -> Option<LossTerms> {
        let Recipe { imitation, learning, .. } = self.recipe;
        let is_imitating = self.recipe.is_imitating(state.round);
        let (rate, epochs) = if is_imitating {
            (imitation.rate.at(state.round as f64 / imitation.rounds as f64), imitation.epochs)
        } else {
            (learning.rate.at(session.done()), learning.epochs)
        };
        let is_mirroring = is_imitating && imitation.mirrored;
        let mut rng = Rng::new(mix(&[session.seed(), state.round, u64::MAX]));
        let mut rounded = self.rounded(&state.parameters);
        let mut engine = Engine::new(self.shape, &rounded, self.threads);
        let mut gradient = vec![0.0; self.shape.parameters()];
        let mut terms = LossTerms::default();
        let mut seen = 0;
        let (mut order, mut next): (Vec<&Decision<S>>, usize) = (decisions.to_vec(), decisions.len());
        let mut left = epochs as usize * new;
        while left > 0 {
            if session.is_stopped() {
                return None;
            }
            if next >= order.len() {
                rng.shuffle(&mut order);
                next = 0;
            }
            let count = learning.batch.min(left).min(order.len() - next);
            let batch = &order[next..next + count];
            (next, left, seen) = (next + count, left - count, seen + count);
            let mut image = |decision: &&Decision<S>| {
                (is_mirroring && rng.below(2) == 0).then(|| decision.mirrored(&mut rng)).flatten()
            };
            let images: Vec<Option<Decision<S>>> = batch.iter().map(&mut image).collect();
            let seen_as =
                batch.iter().zip(&images).map(|(decision, image)| image.as_ref().unwrap_or(decision));
            let samples: Vec<Sample<'_, S>> = seen_as.map(|decision| Sample { decision, learning }).collect();
            let samples: Vec<&Sample<'_, S>> = samples.iter().collect();
            let part = engine.gradient(&samples, &mut gradient);
            terms.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            // The divergence was measured before this step, so the step that went too far is the previous one.
            if part[3] / count as f64 > learning.divergence {
                gradient.fill(0.0);
                break;
            }
            clip_norm(&mut gradient, learning.longest);
            state.adam.step(&mut state.parameters, &mut gradient, rate as f32);
            let steps = state.adam.steps();
            average(&mut state.averaged, &state.parameters, learning.average, steps);
            rounded.copy_from_slice(&state.parameters);
            S::round(&self.shape, &mut rounded);
            engine.set(&rounded);
        }
        terms.iter_mut().for_each(|sum| *sum /= seen.max(1) as f64);
        Some(terms)
    }

    fn show(&self, state: &State, session: &mut TrainingSession<'_>, more: u64, part: f64) {
        let imitation = &self.recipe.imitation;
        let (phase, done) = if self.recipe.is_imitating(state.round) {
            ("imitation", (state.round as f64 + part) / imitation.rounds as f64)
        } else {
            ("self-play", session.done())
        };
        session.progress(phase, done, state.decisions + more, "decisions", self.metrics.to_string());
    }

    /// Keeps the current parameters as a checkpoint for the pool if a checkpoint is due.
    fn keep(&self, state: &mut State, seed: u64) {
        let pool = &self.recipe.pool;
        if pool.kept > 0 && state.round.is_multiple_of(pool.keep_every) {
            if state.kept.len() >= pool.kept {
                let mut rng = Rng::new(mix(&[seed, state.round, 3]));
                let at = rng.index(state.kept.len());
                state.kept.swap_remove(at);
            }
            state.kept.push(self.latest(state).to_vec());
        }
    }

    /// Plays a match of a version's policy without search, and returns the results of the pairs.
    fn pairs(
        &self,
        own: &[f32],
        opponent: Opponent<'_>,
        pairs: usize,
        (seed, round): (u64, u64),
    ) -> Vec<f64> {
        let matches = &self.recipe.matches;
        let own = self.network(own);
        let is_drawn = matches.drawn || matches!(opponent, Opponent::Version(_, true));
        in_parallel(
            self.threads,
            pairs,
            || Evaluator::new(&own),
            |own, at| {
                // All matches use the same maps.
                let pair_seed = mix(&[seed, u64::MAX, at as u64]);
                let rng = |stream| is_drawn.then(|| Rng::new(mix(&[pair_seed, round, stream])));
                let create = || match opponent {
                    Opponent::Version(network, _) => {
                        Rival::Network(Box::new(Evaluator::new(network)), rng(1))
                    }
                    Opponent::Bot(name) => Rival::Bot(
                        bot::<S>(name, pair_seed).expect("checked at the start"),
                        clock(matches.nodes),
                    ),
                };
                let (mut rng, mut rival) = (rng(0), create());
                let first = points::<S>(pair_seed, Player::Zero, own, &mut rng, &mut rival);
                // A bot plays one game, and a network draws the moves of both games with one generator.
                if let Rival::Bot(..) = rival {
                    rival = create();
                }
                first + points(pair_seed, Player::One, own, &mut rng, &mut rival)
            },
        )
    }

    /// Plays matches and records the percentage of points that the policy wins without search. Keeps the best version
    /// if the recipe says so.
    fn matches(&self, state: &mut State, session: &TrainingSession<'_>, metrics: &mut Metrics) {
        let matches = &self.recipe.matches;
        let (latest, seed) = (self.latest(state).to_vec(), (session.seed(), state.round));
        let mut play = |name: &str, opponent: Opponent<'_>| {
            let points = self.pairs(&latest, opponent, matches.pairs, seed);
            let share = 50.0 * points.iter().sum::<f64>() / matches.pairs.max(1) as f64;
            metrics.put(&against(name), share);
            points
        };
        for name in &matches.opponents {
            play(name, Opponent::Bot(name));
        }
        play("former", Opponent::Version(&self.network(&state.matched), false));
        if let Some(best) = &mut state.best {
            let weights = best.weights.clone().expect("a run starts with parameters");
            let points = play("best", Opponent::Version(&self.network(&weights), true));
            best.challenge(&latest, &halves(points), Unit::Wins, matches.patience);
        }
        state.matched = latest;
    }

    /// Ends the run with a match between the best version and the start version.
    fn conclude(&self, state: &mut State, session: &TrainingSession<'_>) -> Step {
        let (Some(best), Some(pairs)) = (&mut state.best, self.recipe.matches.last_pairs) else {
            return Step::Finished;
        };
        let seed = (mix(&[session.seed(), LAST_MATCH]), state.round);
        best.conclude(Unit::Wins, |best, first| {
            let first = self.network(first.expect("a run starts with parameters"));
            Some(halves(self.pairs(best, Opponent::Version(&first, true), pairs, seed)))
        })
    }
}

/// Returns sentences about the inputs, channels and neurons that have no effect.
pub(super) fn idle_parts(shape: Shape, adam: &Adam) -> Vec<String> {
    let layout = shape.layout();
    let each = |range: &Range<usize>, width: usize| -> Vec<Vec<Range<usize>>> {
        range.clone().step_by(width).map(|first| std::iter::once(first..first + width).collect()).collect()
    };
    let inputs = ("inputs".to_string(), each(&layout.embed, shape.channels));
    let layers = [&layout.embed_bias].into_iter().chain(layout.convolutions.iter().map(|[_, bias]| bias));
    let channels =
        (1..).zip(layers).map(|(number, bias)| (format!("channels of layer {number}"), each(bias, 1)));
    let hidden = ("hidden neurons".to_string(), each(&layout.hidden_bias, 1));
    let kinds = [inputs].into_iter().chain(channels).chain([hidden]);
    kinds.filter_map(|(name, parts)| best::without_effect(&name, &adam.idle(&parts))).collect()
}

/// An opponent in a match.
#[derive(Clone, Copy)]
enum Opponent<'a> {
    /// Another version of the network, and whether both draw their moves even if the recipe's matches do not.
    /// Otherwise, all games between two versions might be the same.
    Version(&'a Network, bool),
    /// A bundled bot.
    Bot(&'a str),
}

/// The number of the random stream for the last match.
const LAST_MATCH: u64 = 8;

/// Converts the points of each pair to the fraction of the pair that was won.
fn halves(points: Vec<f64>) -> Vec<f64> {
    points.into_iter().map(|points| points / 2.0).collect()
}

/// Returns the name of the metric for the percentage of points won against an opponent.
fn against(opponent: &str) -> String {
    format!("against {opponent}")
}

impl<S: LearnedGame> training::Method for Method<'_, S> {
    type State = State;

    fn length(&self) -> Length {
        self.recipe.length
    }

    fn start(&self, seed: u64) -> Result<State> {
        let parameters = match &self.recipe.start {
            None => random_parameters(self.shape, &mut Rng::new(mix(&[seed, 7]))),
            Some(path) => {
                let (shape, parameters) = read_start(path, S::read)?;
                let name = path.display();
                ensure!(
                    shape == self.shape,
                    "{name}: the sizes of the network differ from the sizes in the \
                    recipe"
                );
                parameters
            }
        };
        let best = self.recipe.matches.last_pairs.map(|_| Best::new(Some(parameters.clone())));
        Ok(State {
            adam: Adam::new(parameters.len()),
            matched: parameters.clone(),
            averaged: parameters.clone(),
            parameters,
            round: 0,
            decisions: 0,
            kept: Vec::new(),
            window: Vec::new(),
            best,
        })
    }

    fn check(&self, state: &State) -> Result<(), String> {
        let count = self.shape.parameters();
        let best = state.best.iter().flat_map(|best| [&best.first, &best.weights]).flatten();
        let mut all =
            state.kept.iter().chain(best).chain([&state.parameters, &state.averaged, &state.matched]);
        let is_whole = state.adam.parameters() == count && all.all(|other| other.len() == count);
        if is_whole { Ok(()) } else { Err("its number of parameters does not match the recipe".to_string()) }
    }

    fn step(&mut self, state: &mut State, session: &mut TrainingSession<'_>) -> Result<Step> {
        if session.done() >= 1.0 || state.best.as_ref().is_some_and(|best| best.ended.is_some()) {
            return Ok(self.conclude(state, session));
        }
        let Some(games) = self.play(state, session)? else { return Ok(Step::GoOn) };
        let is_windowed = self.recipe.is_imitating(state.round) && self.recipe.imitation.window > 0;
        let older = if is_windowed { &state.window[..] } else { &[] };
        self.window.restrict(older, session.folder())?;
        if is_windowed {
            window::save(session.folder(), state.round, &games)?;
        }
        let mut decisions: Vec<Decision<S>> =
            games.into_iter().flat_map(|game| game.decisions).map(|(_, _, decision)| decision).collect();
        normalise(&mut decisions);
        let new = decisions.len();
        self.window.push(state.round, decisions);
        let mut next = state.clone();
        let all: Vec<&Decision<S>> = self.window.decisions().collect();
        let Some(terms) = self.learn(&mut next, &all, new, session) else {
            self.window.pop();
            return Ok(Step::GoOn);
        };
        let [log_probability, entropy, error, divergence, clipped, _] = terms;
        let is_imitating = self.recipe.is_imitating(state.round);
        session.add_games(self.recipe.games(state.round) as u64);
        *state = next;
        if is_windowed {
            state.window.push(Round { number: state.round, decisions: new });
            state.window = window::kept(&state.window, self.recipe.imitation.window);
        } else {
            state.window.clear();
        }
        state.round += 1;
        state.decisions += new as u64;
        let mut metrics = Metrics::default();
        metrics.put("round", state.round as f64);
        metrics.put("decisions", state.decisions as f64);
        if is_imitating {
            metrics.put("log-probability", log_probability);
        } else {
            metrics.put("entropy", entropy);
            metrics.put("divergence", divergence);
            metrics.put("clipped", clipped);
        }
        metrics.put("value error", error);
        self.metrics = metrics.clone();
        self.keep(state, session.seed());
        if state.round.is_multiple_of(self.recipe.matches.every) || session.done() >= 1.0 {
            self.matches(state, session, &mut metrics);
        }
        session.log(metrics)?;
        self.show(state, session, 0, 0.0);
        Ok(Step::GoOn)
    }

    fn verdict(&self, state: &State) -> Option<String> {
        let mut lines = idle_parts(self.shape, &state.adam);
        match &state.best {
            None => lines.push(best::not_measured("last_pairs")),
            Some(best) => lines.extend([best.early_end(), best.verdict.clone()].into_iter().flatten()),
        }
        Some(lines.join("\n"))
    }

    fn write(&self, state: &State, folder: &Path) -> Result<&'static str> {
        let best = state.best.as_ref().and_then(|best| best.weights.as_deref());
        let bytes = S::write(self.shape, best.unwrap_or_else(|| self.latest(state)));
        write_whole(&folder.join(NETWORK), |out| Ok(out.write_all(&bytes)?))?;
        let picture = picture(&self.recipe.matches.opponents, &training::metrics(folder));
        write_whole(&folder.join(CURVE), |out| Ok(out.write_all(picture.as_bytes())?))?;
        // The existing checkpoint is older than the files that are written now, so its rounds must be kept.
        let first = state.window.first().map_or(state.round, |round| round.number);
        window::forget(folder, self.first_needed.replace(first))?;
        Ok(NETWORK)
    }
}

const NETWORK: &str = "network.bin";
const CURVE: &str = "curve.svg";

/// Draws the learning curve: the percentage of games that the policy wins without search, by the number of decisions
/// learned from.
fn picture(opponents: &[String], metrics: &[Metrics]) -> String {
    let of = |name: &String| {
        let name = against(name);
        let point = |line: &Metrics| Some([line.get("decisions")?, line.get(&name)?]);
        Curve { points: metrics.iter().filter_map(point).collect(), name }
    };
    let lines: Vec<Curve> = opponents.iter().map(of).collect();
    curves("The policy alone, without search", ["decisions learned from", "games won, %"], &lines)
}
