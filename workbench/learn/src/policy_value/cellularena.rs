//! Games of Cellularena, and what is learned from their decisions.

use super::engine::{Blame, Example, Figures, Said};
use super::recipe::Learning;
use contender_cellularena::network::encoder::encode;
use contender_cellularena::network::policy::{Choices, Pick, WAIT, sample};
use contender_cellularena::network::{Oracle, Symmetry, View, outcome};
use contender_cellularena::{Action, Greedy, Heuristic, HeuristicSettings, RandomActions, State, map};
use contender_game::{Bot, Clock, Limits, Player, Rng, Simultaneous};
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use std::sync::Arc;

/// A bundled bot.
pub(super) type Opponent = Box<dyn Bot<State, Vec<Action>>>;

/// A bundled bot by its name.
pub(super) fn opponent(name: &str, seed: u64) -> Result<Opponent, String> {
    match name {
        "random" => Ok(Box::new(RandomActions::new(seed))),
        "greedy" => Ok(Box::new(Greedy)),
        "heuristic" => Ok(Box::new(Heuristic::new(HeuristicSettings::default()))),
        _ => {
            Err(format!("there is no `{name}` to play against here; there are random, greedy and heuristic"))
        }
    }
}

/// One decision of a player, to learn from.
pub(super) struct Decision {
    state: Arc<State>,
    view: View,
    picks: Vec<Pick>,
    goal: Goal,
    /// What the value should have been.
    target: f32,
}

/// What is to become of the choices.
enum Goal {
    /// They are what a teacher did.
    Imitate,
    /// They were taken with this logarithm of their probability, and turned out so much better than was expected.
    Improve { log_probability: f32, advantage: f32 },
}

/// The start of a game, and its symmetry.
fn start(luck: u64) -> (State, Symmetry) {
    let state = map::generate(luck.max(1) as i64).expect("every seed but 0 has a map");
    let symmetry = Symmetry::of(&state);
    (state, symmetry)
}

/// A game by the probabilities of networks; the decisions of the players that learn.
pub(super) fn self_play(
    luck: u64,
    networks: [&mut Oracle; 2],
    learns: [bool; 2],
    learning: &Learning,
    rng: &mut Rng,
) -> Vec<Decision> {
    struct Taken {
        state: Arc<State>,
        view: View,
        picks: Vec<Pick>,
        log_probability: f32,
        value: f32,
    }
    let (mut state, symmetry) = start(luck);
    let mut taken: [Vec<Taken>; 2] = [Vec::new(), Vec::new()];
    let [zero, one] = networks;
    let mut networks = [zero, one];
    while !state.is_over() {
        let shared = Arc::new(state.clone());
        let moves = Player::BOTH.map(|player| {
            let view = View::new(&state, player, symmetry);
            let network = &mut networks[player];
            let value = network.ask(&state, &view);
            let sampled = sample(&network.output, &state, view, rng);
            if learns[player] {
                let (picks, log_probability) = (sampled.picks, sampled.log_probability);
                taken[player].push(Taken { state: Arc::clone(&shared), view, picks, log_probability, value });
            }
            sampled.actions
        });
        state.play([&moves[0], &moves[1]]);
    }
    let mut decisions = Vec::new();
    for player in Player::BOTH {
        let (mut next, mut advantage) = (outcome(&state, player) / learning.discount, 0.0);
        for taken in std::mem::take(&mut taken[player]).into_iter().rev() {
            let surprise = learning.discount * next - taken.value;
            advantage = surprise + learning.discount * learning.trace * advantage;
            next = taken.value;
            let goal = Goal::Improve { log_probability: taken.log_probability, advantage };
            let target = taken.value + advantage;
            decisions.push(Decision {
                state: taken.state,
                view: taken.view,
                picks: taken.picks,
                goal,
                target,
            });
        }
    }
    decisions
}

/// How the games that a teacher is imitated in are played.
#[derive(Clone, Copy)]
pub(super) struct Lessons {
    pub(super) own_share: f64,
    pub(super) random_share: f64,
    /// Nodes of the teacher for a move.
    pub(super) nodes: Option<u64>,
}

/// A game of a teacher, or of a network that asks the teacher what to do; all decisions with what the teacher would do.
pub(super) fn lesson(
    luck: u64,
    network: &mut Oracle,
    teacher: &mut Opponent,
    lessons: &Lessons,
    learning: &Learning,
    rng: &mut Rng,
) -> Vec<Decision> {
    let (mut state, symmetry) = start(luck);
    let mut decisions = Vec::new();
    let is_own = Player::BOTH.map(|_| rng.unit() < lessons.own_share);
    let clock = Clock::new(Limits { nodes: lessons.nodes, ..Limits::NONE });
    while !state.is_over() {
        let shared = Arc::new(state.clone());
        let moves = Player::BOTH.map(|player| {
            let view = View::new(&state, player, symmetry);
            let advice = teacher.choose(&state, player, &clock);
            let picks = choices_of(&state, view, &advice, rng);
            decisions.push(Decision {
                state: Arc::clone(&shared),
                view,
                picks,
                goal: Goal::Imitate,
                target: 0.0,
            });
            if is_own[player] {
                network.ask(&state, &view);
                sample(&network.output, &state, view, rng).actions
            } else if rng.unit() < lessons.random_share {
                state.random_move(player, rng)
            } else {
                advice
            }
        });
        state.play([&moves[0], &moves[1]]);
    }
    for decision in &mut decisions {
        let ahead = state.turns() - decision.state.turns() - 1;
        decision.target = outcome(&state, decision.view.player()) * learning.discount.powi(ahead as i32);
    }
    decisions
}

/// A move as choices in random order; what does not fit the choices is left out.
fn choices_of(state: &State, view: View, actions: &[Action], rng: &mut Rng) -> Vec<Pick> {
    let mut choices = Choices::new(state, view);
    let mut order = actions.to_vec();
    rng.shuffle(&mut order);
    let (mut picks, mut possible) = (Vec::new(), Vec::new());
    choices.list(&mut possible);
    for action in order {
        let pick = choices.pick_of(&action);
        if possible.contains(&pick) {
            picks.push(pick);
            choices.take(pick);
            possible.clear();
            choices.list(&mut possible);
        }
    }
    if !possible.is_empty() {
        picks.push(WAIT);
    }
    picks
}

/// Points of the network's policy alone, most probable choices, in a pair of games against a bot: 1 for a win, 0.5 for a draw.
pub(super) fn pair(
    luck: u64,
    network: &mut Oracle,
    mut opponent: impl FnMut(&State, &View) -> Vec<Action>,
) -> f64 {
    let games = Player::BOTH.map(|own| {
        let (mut state, symmetry) = start(luck);
        while !state.is_over() {
            let moves = Player::BOTH.map(|player| {
                let view = View::new(&state, player, symmetry);
                if player == own { network.best_move(&state, &view) } else { opponent(&state, &view) }
            });
            state.play([&moves[0], &moves[1]]);
        }
        state.winner().map_or(0.5, |winner| f64::from(u8::from(winner == own)))
    });
    games[0] + games[1]
}

/// Scales advantages to mean 0 and deviation 1.
pub(super) fn normalise(decisions: &mut [Decision]) {
    let mut all: Vec<&mut f32> = Vec::new();
    for decision in decisions {
        if let Goal::Improve { advantage, .. } = &mut decision.goal {
            all.push(advantage);
        }
    }
    let count = all.len().max(1) as f32;
    let mean = all.iter().map(|part| **part).sum::<f32>() / count;
    let variance = all.iter().map(|part| (**part - mean).powi(2)).sum::<f32>() / count;
    let scale = 1.0 / (variance.sqrt() + 1e-6);
    all.into_iter().for_each(|part| *part = (*part - mean) * scale);
}

/// A decision with how to learn from it.
pub(super) struct Lesson<'a> {
    pub(super) decision: &'a Decision,
    pub(super) learning: &'a Learning,
}

impl Example for Lesson<'_> {
    fn encode(&self, input: &mut Planes) {
        encode(&self.decision.state, &self.decision.view, input);
    }

    fn size(&self) -> Size {
        let (width, height) = self.decision.view.size();
        Size { width, height }
    }

    /// Figures: logarithm of the probability, entropy, squared error of the value, divergence, 1 if clipped, choices.
    fn loss(&self, said: &Said<'_>, blame: &mut Blame<'_>) -> Figures {
        let Lesson { decision, learning } = self;
        let logit = |pick: Pick| if pick == WAIT { said.wait } else { said.logits[usize::from(pick)] };
        // For every choice all that were possible, with their probabilities.
        let mut choices = Choices::new(&decision.state, decision.view);
        let mut steps = Vec::with_capacity(decision.picks.len());
        let (mut log_probability, mut entropy) = (0.0, 0.0);
        for &pick in &decision.picks {
            let mut possible = Vec::new();
            choices.list(&mut possible);
            possible.push(WAIT);
            let most = possible.iter().map(|&pick| logit(pick)).fold(f32::MIN, f32::max);
            let mut odds: Vec<(Pick, f32)> =
                possible.iter().map(|&pick| (pick, (logit(pick) - most).exp())).collect();
            let all: f32 = odds.iter().map(|(_, odds)| odds).sum();
            odds.iter_mut().for_each(|(_, odds)| *odds /= all);
            let uncertainty: f32 =
                odds.iter().map(|&(_, odds)| if odds > 0.0 { -odds * odds.ln() } else { 0.0 }).sum();
            log_probability += logit(pick) - most - all.ln();
            entropy += uncertainty;
            steps.push((odds, uncertainty));
            if pick != WAIT {
                choices.take(pick);
            }
        }
        // The gradient of the loss by the logarithm of the probability.
        let (slope, bonus, divergence, is_clipped) = match decision.goal {
            Goal::Imitate => (-1.0, 0.0, 0.0, false),
            Goal::Improve { log_probability: before, advantage } => {
                let difference = (log_probability - before).clamp(-20.0, 20.0);
                let ratio = difference.exp();
                let is_clipped =
                    if advantage > 0.0 { ratio > 1.0 + learning.clip } else { ratio < 1.0 - learning.clip };
                let slope = if is_clipped { 0.0 } else { -advantage * ratio };
                (slope, learning.entropy, ratio - 1.0 - difference, is_clipped)
            }
        };
        for ((odds, uncertainty), &chosen) in steps.iter().zip(&decision.picks) {
            for &(pick, odds) in odds {
                let taken = if pick == chosen { 1.0 } else { 0.0 };
                let spread = if odds > 0.0 { odds * (odds.ln() + uncertainty) } else { 0.0 };
                let part = slope * (taken - odds) + bonus * spread;
                if pick == WAIT {
                    blame.wait += part;
                } else {
                    blame.logits[usize::from(pick)] += part;
                }
            }
        }
        let error = said.value - decision.target;
        blame.value = 2.0 * learning.value * error;
        let choices = decision.picks.len() as f64;
        [
            log_probability.into(),
            entropy.into(),
            f64::from(error * error),
            divergence.into(),
            f64::from(u8::from(is_clipped)),
            choices,
        ]
    }
}
