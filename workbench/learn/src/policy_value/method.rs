//! Rounds of games and of learning from them.

use super::cellularena::{Decision, Lesson, Lessons, Teacher, lesson, normalise, opponent, pair, self_play};
use super::engine::{Engine, Figures};
use super::parallel::in_parallel;
use super::recipe::Recipe;
use crate::adam::{Adam, clip};
use crate::training::{self, Event, Length, Order, Outcome, Session, Step};
use anyhow::{Context, Result, anyhow, ensure};
use contender_cellularena::network::{Oracle, read_parameters, shape, without_value, write};
use contender_game::{Clock, Limits, Rng, mix};
use contender_nn::policy_value::{Network, Shape};
use contender_plot::{Curve, curves};
use contender_table::write_whole;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;
use std::thread::available_parallelism;

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
    let opponents = recipe.matches.opponents.iter().map(|name| opponent(name, 0).map(drop));
    for checked in opponents.chain([Teacher::check(&recipe.imitation.teacher)]) {
        checked.map_err(|error| anyhow!(error))?;
    }
    training::run(Method::new(recipe), recipe, order, is_stopped, report)
}

/// What is learned so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct State {
    parameters: Vec<f32>,
    adam: Adam,
    /// Rounds played, and decisions learned from.
    round: u64,
    decisions: u64,
    /// Former selves.
    kept: Vec<Vec<f32>>,
    /// The parameters at the latest match.
    matched: Vec<f32>,
    #[serde(default)]
    curve: Vec<Milestone>,
}

/// Matches on the way: after so many decisions, the shares won against the recipe's opponents.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Milestone {
    decisions: u64,
    shares: Vec<f64>,
}

/// Training by a recipe.
pub(super) struct Method<'a> {
    recipe: &'a Recipe,
    shape: Shape,
    threads: usize,
    figures: String,
}

/// Games between two questions whether to stop.
const SLICE: usize = 16;

impl<'a> Method<'a> {
    pub(super) fn new(recipe: &'a Recipe) -> Method<'a> {
        let of = &recipe.network;
        let threads = available_parallelism().map_or(1, usize::from);
        let shape = shape(of.channels, of.blocks, of.hidden);
        Method { recipe, shape, threads, figures: String::new() }
    }

    /// Parameters as a bot reads them: of few bits. All plays and learns with these, and what is learned is added to the exact ones, so
    /// that the network gets used to it (the straight-through estimator: Bengio, Léonard and Courville, "Estimating or propagating
    /// gradients through stochastic neurons for conditional computation", 2013).
    fn rounded(&self, parameters: &[f32]) -> Vec<f32> {
        read_parameters(&write(self.shape, parameters)).expect("what is written can be read").1
    }

    fn network(&self, parameters: &[f32]) -> Network {
        Network::new(self.shape, &self.rounded(parameters))
    }

    fn is_imitating(&self, state: &State) -> bool {
        state.round < self.recipe.imitation.rounds
    }

    /// The decisions of a round's games, unless it is stopped.
    fn play(&self, state: &State, session: &mut Session<'_>) -> Result<Option<Vec<Decision>>> {
        let network = self.network(&state.parameters);
        let kept: Vec<Network> = state.kept.iter().map(|parameters| self.network(parameters)).collect();
        let (imitation, learning) = (&self.recipe.imitation, &self.recipe.learning);
        let is_imitating = self.is_imitating(state);
        let games = if is_imitating { imitation.games } else { self.recipe.self_play.games };
        let lessons = Lessons {
            own_share: imitation.own_share,
            random_share: imitation.random_share,
            value_share: imitation.value_share,
            nodes: imitation.nodes,
        };
        let (seed, past_share) = (session.seed(), self.recipe.self_play.past_share);
        let mut decisions = Vec::new();
        for first in (0..games).step_by(SLICE) {
            let count = SLICE.min(games - first);
            let of_games = in_parallel(
                self.threads,
                count,
                || Oracle::new(network.clone()),
                |own, at| {
                    let game = (first + at) as u64;
                    let luck = mix(&[seed, state.round, game]);
                    let mut rng = Rng::new(mix(&[luck, 1]));
                    if is_imitating {
                        let mut teacher = Teacher::new(&imitation.teacher, &network, luck)?;
                        return Ok(lesson(luck, own, &mut teacher, &lessons, learning, &mut rng));
                    }
                    let is_past = !kept.is_empty() && rng.unit() < past_share;
                    // Both players learn against themselves, one against a former self.
                    let other = if is_past { rng.choose(&kept) } else { &network };
                    let mut other = Oracle::new(other.clone());
                    let (networks, learns) = match (is_past, game % 2) {
                        (false, _) => ([own, &mut other], [true, true]),
                        (true, 0) => ([own, &mut other], [true, false]),
                        (true, _) => ([&mut other, own], [false, true]),
                    };
                    Ok(self_play(luck, networks, learns, learning, &mut rng))
                },
            );
            for of_game in of_games {
                decisions.extend(of_game.map_err(|error: String| anyhow!(error))?);
            }
            if session.is_stopped() {
                return Ok(None);
            }
            let share = (first + count) as f64 / games as f64;
            self.show(state, session, decisions.len() as u64, 0.5 * share);
        }
        Ok(Some(decisions))
    }

    /// Learns from a round's decisions, unless it is stopped.
    fn learn(
        &self,
        state: &mut State,
        decisions: &mut [Decision],
        session: &mut Session<'_>,
    ) -> Option<Figures> {
        let learning = &self.recipe.learning;
        let is_imitating = self.is_imitating(state);
        let rate = if is_imitating {
            self.recipe.imitation.rate.at(state.round as f64 / self.recipe.imitation.rounds as f64)
        } else {
            learning.rate.at(session.done())
        };
        normalise(decisions);
        let is_mirroring = is_imitating && self.recipe.imitation.mirrored;
        let images: Vec<Decision> =
            decisions.iter().filter(|_| is_mirroring).filter_map(Decision::mirrored).collect();
        // The decisions of one pass after the other.
        let passes = if is_mirroring { vec![&*decisions, &images] } else { vec![&*decisions] };
        let lesson = |decision| Lesson { decision, learning };
        let lessons: Vec<Vec<Lesson<'_>>> =
            passes.into_iter().map(|pass| pass.iter().map(lesson).collect()).collect();
        let mut orders: Vec<Vec<&Lesson<'_>>> = lessons.iter().map(|pass| pass.iter().collect()).collect();
        let mut rng = Rng::new(mix(&[session.seed(), state.round, u64::MAX]));
        let parameters = self.rounded(&state.parameters);
        let mut engine = Engine::new(self.shape, &parameters, self.threads);
        let mut gradient = vec![0.0; self.shape.parameters()];
        let mut figures = Figures::default();
        let mut seen = 0;
        let epochs = if is_imitating { self.recipe.imitation.epochs } else { learning.epochs };
        'epochs: for epoch in 0..epochs as usize {
            let pass = epoch % orders.len();
            let order = &mut orders[pass];
            rng.shuffle(order);
            for batch in order.chunks(learning.batch) {
                if session.is_stopped() {
                    return None;
                }
                let part = engine.gradient(batch, &mut gradient);
                figures.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
                seen += batch.len();
                // The divergence is that from before this step, so the step that went too far is the last one.
                if part[3] / batch.len() as f64 > learning.divergence {
                    gradient.fill(0.0);
                    break 'epochs;
                }
                clip(&mut gradient, learning.longest);
                state.adam.step(&mut state.parameters, &mut gradient, rate as f32);
                engine.set(&self.rounded(&state.parameters));
            }
        }
        figures.iter_mut().for_each(|sum| *sum /= seen.max(1) as f64);
        Some(figures)
    }

    fn show(&self, state: &State, session: &mut Session<'_>, more: u64, part: f64) {
        let imitation = &self.recipe.imitation;
        let (phase, done) = if self.is_imitating(state) {
            ("imitation", (state.round as f64 + part) / imitation.rounds as f64)
        } else {
            ("self-play", session.done())
        };
        session.progress(phase, done, state.decisions + more, "decisions", self.figures.clone());
    }

    /// Plays matches and logs them.
    fn matches(&self, state: &mut State, session: &mut Session<'_>) -> Result<()> {
        let [network, former] =
            [&state.parameters, &state.matched].map(|parameters| self.network(parameters));
        let pairs = self.recipe.matches.pairs;
        let mut words = vec![format!("round {}, {} decisions", state.round, state.decisions)];
        if !self.figures.is_empty() {
            words.push(self.figures.clone());
        }
        let seed = session.seed();
        let names = self.recipe.matches.opponents.iter().map(Some).chain([None]);
        let mut shares = Vec::new();
        for name in names {
            let points = in_parallel(
                self.threads,
                pairs,
                || Oracle::new(network.clone()),
                |own, at| {
                    // The same maps in every match.
                    let luck = mix(&[seed, u64::MAX, at as u64]);
                    match name {
                        Some(name) => {
                            let mut bot = opponent(name, luck).expect("checked at the start");
                            let clock =
                                Clock::new(Limits { nodes: self.recipe.imitation.nodes, ..Limits::NONE });
                            pair(luck, own, |state, view| bot.choose(state, view.player(), &clock))
                        }
                        None => {
                            let mut other = Oracle::new(former.clone());
                            pair(luck, own, |state, view| other.best_move(state, view))
                        }
                    }
                },
            );
            let share = 50.0 * points.iter().sum::<f64>() / pairs.max(1) as f64;
            words.push(format!("{} {share:.1}%", name.map_or("former", String::as_str)));
            shares.extend(name.map(|_| share));
        }
        state.curve.push(Milestone { decisions: state.decisions, shares });
        state.matched.clone_from(&state.parameters);
        session.log(&words.join("; "))
    }
}

impl training::Method for Method<'_> {
    type State = State;

    fn length(&self) -> Length {
        self.recipe.length
    }

    fn start(&self, seed: u64) -> Result<State> {
        let parameters = match &self.recipe.start {
            None => random_parameters(self.shape, &mut Rng::new(mix(&[seed, 7]))),
            Some(path) => {
                let place = || format!("`start` of the recipe, {}", path.display());
                let bytes = std::fs::read(path).with_context(place)?;
                let (shape, parameters) =
                    read_parameters(&bytes).map_err(|error| anyhow!(error)).with_context(place)?;
                ensure!(shape == self.shape, "{}: the network has other sizes than the recipe's", place());
                parameters
            }
        };
        Ok(State {
            adam: Adam::new(parameters.len()),
            matched: parameters.clone(),
            parameters,
            round: 0,
            decisions: 0,
            kept: Vec::new(),
            curve: Vec::new(),
        })
    }

    fn check(&self, state: &State) -> Result<(), String> {
        let count = self.shape.parameters();
        let is_whole = state.adam.parameters() == count
            && state.kept.iter().chain([&state.parameters, &state.matched]).all(|other| other.len() == count);
        let pictured =
            state.curve.iter().all(|stone| stone.shares.len() == self.recipe.matches.opponents.len());
        if !pictured {
            return Err("matches are against other opponents".to_string());
        }
        if is_whole { Ok(()) } else { Err("it has another number of parameters".to_string()) }
    }

    fn step(&mut self, state: &mut State, session: &mut Session<'_>) -> Result<Step> {
        if session.done() >= 1.0 {
            self.matches(state, session)?;
            return Ok(Step::Finished);
        }
        let Some(mut decisions) = self.play(state, session)? else { return Ok(Step::GoOn) };
        let mut next = state.clone();
        let Some(figures) = self.learn(&mut next, &mut decisions, session) else { return Ok(Step::GoOn) };
        let [log_probability, entropy, error, divergence, clipped, _] = figures;
        self.figures = if self.is_imitating(state) {
            format!("log-probability {log_probability:.3}, value error {error:.3}")
        } else {
            format!(
                "entropy {entropy:.2}, value error {error:.3}, divergence {divergence:.4}, clipped {:.0}%",
                100.0 * clipped
            )
        };
        let games =
            if self.is_imitating(state) { self.recipe.imitation.games } else { self.recipe.self_play.games };
        *state = next;
        state.round += 1;
        state.decisions += decisions.len() as u64;
        session.add_games(games as u64);
        let self_play = &self.recipe.self_play;
        if self_play.kept > 0 && !self.is_imitating(state) && state.round.is_multiple_of(self_play.keep_every)
        {
            if state.kept.len() >= self_play.kept {
                let mut rng = Rng::new(mix(&[session.seed(), state.round, 3]));
                let at = rng.index(state.kept.len());
                state.kept.swap_remove(at);
            }
            state.kept.push(state.parameters.clone());
        }
        if state.round.is_multiple_of(self.recipe.matches.every) {
            self.matches(state, session)?;
        }
        self.show(state, session, 0, 0.0);
        Ok(Step::GoOn)
    }

    fn write(&self, state: &State, folder: &Path) -> Result<&'static str> {
        let (policy, of_policy) = without_value(self.shape, &state.parameters);
        for (name, bytes) in
            [(NETWORK, write(self.shape, &state.parameters)), (POLICY, write(policy, &of_policy))]
        {
            write_whole(&folder.join(name), |out| Ok(out.write_all(&bytes)?))?;
        }
        let picture = picture(&self.recipe.matches.opponents, &state.curve);
        write_whole(&folder.join(CURVE), |out| Ok(out.write_all(picture.as_bytes())?))?;
        Ok(NETWORK)
    }
}

const NETWORK: &str = "network.bin";
/// The same without its value.
const POLICY: &str = "policy.bin";
const CURVE: &str = "curve.svg";

/// The learning curve: games won by the policy alone over decisions learned from.
fn picture(opponents: &[String], curve: &[Milestone]) -> String {
    let of = |at: usize, name: &String| Curve {
        name: format!("against {name}"),
        points: curve.iter().map(|stone| [stone.decisions as f64, stone.shares[at]]).collect(),
    };
    let lines: Vec<Curve> = opponents.iter().enumerate().map(|(at, name)| of(at, name)).collect();
    curves("The policy alone, without search", ["decisions learned from", "games won, %"], &lines)
}

/// Random parameters of a size at which signals neither fade nor grow (He, Zhang, Ren and Sun, "Delving deep into rectifiers", 2015);
/// blocks begin close to what goes around them, and outputs close to 0 (Zhang, Dauphin and Ma, "Fixup initialization", 2019).
fn random_parameters(shape: Shape, rng: &mut Rng) -> Vec<f32> {
    let layout = shape.layout();
    let mut parameters = vec![0.0f32; shape.parameters()];
    let mut fill = |range: &std::ops::Range<usize>, deviation: f64| {
        for parameter in &mut parameters[range.clone()] {
            // A sum of twelve uniform numbers is close to normal, with deviation 1.
            let normal: f64 = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            *parameter = (deviation * normal) as f32;
        }
    };
    // Some eight numbers of a cell are not 0.
    fill(&layout.embed, 0.35);
    let of_block = (2.0 / (9 * shape.channels) as f64).sqrt();
    for (layer, [weights, _]) in layout.convolutions.iter().enumerate() {
        fill(weights, if layer % 2 == 0 { of_block } else { 0.2 * of_block });
    }
    fill(&layout.heads, 0.3 / (shape.channels as f64).sqrt());
    fill(&layout.wait, 0.01);
    fill(&layout.hidden, (2.0 / shape.cells() as f64).sqrt());
    fill(&layout.value, 0.3 / (shape.hidden as f64).sqrt());
    // A cell has one number for the value. If it begins below 0 everywhere, rectification cuts it off for good; what it is made of is
    // not below 0.
    let heads = shape.heads();
    for weight in parameters[layout.heads.clone()].iter_mut().skip(heads - 1).step_by(heads) {
        *weight = weight.abs();
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_cellularena::map;
    use contender_cellularena::network::{Symmetry, View};
    use contender_game::Player;

    #[test]
    fn a_network_begins_with_a_value_that_can_learn() {
        let shape = shape(16, 1, 70);
        for seed in 0..60 {
            let parameters = random_parameters(shape, &mut Rng::new(seed));
            let mut oracle = Oracle::new(Network::new(shape, &parameters));
            let values = [3, 4, 5].map(|luck| {
                let state = map::generate(luck).expect("a map");
                oracle.ask(&state, &View::new(&state, Player::Zero, Symmetry::of(&state)))
            });
            assert!(values[0] != values[1] || values[1] != values[2], "{values:?} with seed {seed}");
        }
    }
}
