//! A player's decision, and the loss for learning from it.

use super::engine::{Example, LossTerms, Output, OutputGradient};
use super::recipe::Learning;
use contender_game::rules::Rng;
use contender_nn::planes::Planes;
use contender_nn::policy_value::{SIDES, Shape};
use contender_nn::winograd::Size;
use contender_puct::{LearnedGame, Pick, TurnChoices};
use std::sync::Arc;

/// Lists of consecutive choices, each with its weight.
pub(super) type Lines = Vec<(Vec<Pick>, f32)>;

/// A player's decision from which the network learns.
pub(super) struct Decision<S: LearnedGame> {
    pub(super) state: Arc<S::State>,
    pub(super) view: S::View,
    /// The choices of a complete turn: the choices that were played, or all choices that a teacher would consider. If
    /// the teacher is a network, these are only the first choices of the turn.
    pub(super) lines: Lines,
    /// The opponent's choices in the same turn, in the same view. A network with policies for both sides learns to
    /// predict them.
    pub(super) beside: Option<Lines>,
    pub(super) goal: Goal,
    /// The target for the network's value.
    pub(super) target: f32,
}

/// The training goal for the choices.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// Imitate the choices, which come from a teacher.
    Imitate,
    /// Improve the policy. `log_probability` is the logarithm of the probability with which the choices were made, and
    /// `advantage` shows how much better their result was than expected.
    Improve { log_probability: f32, advantage: f32 },
}

impl<S: LearnedGame> Decision<S> {
    /// Returns the mirror image of a teacher's decision. Decisions of the network are not mirrored, because their
    /// probabilities belong to the original view.
    pub(super) fn mirrored(&self, rng: &mut Rng) -> Option<Decision<S>> {
        let Goal::Imitate = self.goal else { return None };
        let view = S::mirrored(&self.view, rng);
        Some(Decision {
            state: Arc::clone(&self.state),
            view,
            lines: seen::<S>(&self.lines, &self.view, &view),
            beside: self.beside.as_ref().map(|lines| seen::<S>(lines, &self.view, &view)),
            goal: Goal::Imitate,
            target: self.target,
        })
    }
}

/// Returns the logit of a choice of the view's player.
pub(super) fn logit<S: LearnedGame>(
    (shape, logits, wait): (Shape, &[f32], [f32; SIDES]),
    view: &S::View,
    pick: Pick,
) -> f32 {
    if pick == S::WAIT { wait[S::side(view)] } else { logits[S::place(shape, view, pick)] }
}

/// Converts choices from the view `from` to the view `to`.
pub(super) fn seen<S: LearnedGame>(lines: &Lines, from: &S::View, to: &S::View) -> Lines {
    let image = |picks: &Vec<Pick>| picks.iter().map(|&pick| S::seen(from, to, pick)).collect();
    lines.iter().map(|(picks, weight)| (image(picks), *weight)).collect()
}

/// Returns a move as choices in random order. Omits parts of the move that are not possible choices.
pub(super) fn line<S: LearnedGame>(
    state: &S::State,
    view: &S::View,
    mv: &S::Move,
    rng: &mut Rng,
) -> Vec<Pick> {
    let mut choices = S::choices(state, view);
    let mut order = S::picks(state, view, mv);
    rng.shuffle(&mut order);
    let (mut picks, mut possible) = (Vec::new(), Vec::new());
    choices.list(&mut possible);
    for pick in order {
        if possible.contains(&pick) {
            picks.push(pick);
            choices.take(pick);
            possible.clear();
            choices.list(&mut possible);
        }
    }
    if possible.len() > 1 && possible.contains(&S::WAIT) {
        picks.push(S::WAIT);
    }
    picks
}

/// Scales advantages to mean 0 and standard deviation 1.
pub(super) fn normalise<S: LearnedGame>(decisions: &mut [Decision<S>]) {
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

/// A decision and the settings for learning from it.
pub(super) struct Sample<'a, S: LearnedGame> {
    pub(super) decision: &'a Decision<S>,
    pub(super) learning: &'a Learning,
}

impl<S: LearnedGame> Example for Sample<'_, S> {
    fn encode(&self, input: &mut Planes) {
        S::encode(&self.decision.state, &self.decision.view, input);
    }

    fn size(&self) -> Size {
        S::size(&self.decision.view)
    }

    /// Returns these terms: the log probability, the entropy, the squared error of the value, the divergence, 1 if
    /// clipped, and the number of choices. All terms except the squared error concern the choices of the player who
    /// decides.
    fn loss(&self, output: &Output<'_>, gradient: &mut OutputGradient<'_>) -> LossTerms {
        let Sample { decision, learning } = self;
        let mut terms = self.choose(&decision.view, &decision.lines, decision.goal, output, gradient);
        if let (Some(lines), Some(view)) = (&decision.beside, S::beside(&decision.view)) {
            self.choose(&view, lines, Goal::Imitate, output, gradient);
        }
        let error = output.value - decision.target;
        gradient.value = 2.0 * learning.value * error;
        terms[2] = f64::from(error * error);
        terms
    }
}

/// A line of choices under the network's policy.
struct Path {
    /// For every choice: all possible choices with their probabilities, and the entropy.
    steps: Vec<(Vec<(Pick, f32)>, f32)>,
    /// The log probability of the line.
    log_probability: f32,
    /// The sum of the entropies.
    entropy: f32,
}

impl<S: LearnedGame> Sample<'_, S> {
    /// Adds the part of the loss that concerns the choices of the view's player.
    fn choose(
        &self,
        view: &S::View,
        lines: &Lines,
        goal: Goal,
        output: &Output<'_>,
        gradient: &mut OutputGradient<'_>,
    ) -> LossTerms {
        let learning = self.learning;
        let logit = |pick: Pick| logit::<S>((output.shape, output.logits, output.wait), view, pick);
        let (mut log_probability, mut entropy, mut count) = (0.0, 0.0, 0.0);
        let (mut divergence, mut is_clipped) = (0.0, false);
        for (picks, weight) in lines {
            let Path { steps, log_probability: of_line, entropy: doubt } = self.path(view, picks, &logit);
            // The gradient of the loss with respect to the log probability.
            let (slope, bonus) = match goal {
                Goal::Imitate => (-weight, 0.0),
                Goal::Improve { log_probability: before, advantage } => {
                    let difference = (of_line - before).clamp(-20.0, 20.0);
                    let ratio = difference.exp();
                    is_clipped = if advantage > 0.0 {
                        ratio > 1.0 + learning.clip
                    } else {
                        ratio < 1.0 - learning.clip
                    };
                    divergence = ratio - 1.0 - difference;
                    (if is_clipped { 0.0 } else { -advantage * ratio }, learning.entropy)
                }
            };
            for ((odds, uncertainty), &chosen) in steps.iter().zip(picks) {
                for &(pick, odds) in odds {
                    let taken = if pick == chosen { 1.0 } else { 0.0 };
                    let spread = if odds > 0.0 { odds * (odds.ln() + uncertainty) } else { 0.0 };
                    let part = slope * (taken - odds) + bonus * spread;
                    if pick == S::WAIT {
                        gradient.wait[S::side(view)] += part;
                    } else {
                        gradient.logits[S::place(output.shape, view, pick)] += part;
                    }
                }
            }
            log_probability += weight * of_line;
            entropy += weight * doubt;
            count += f64::from(*weight) * picks.len() as f64;
        }
        [
            log_probability.into(),
            entropy.into(),
            0.0,
            divergence.into(),
            f64::from(u8::from(is_clipped)),
            count,
        ]
    }

    /// Returns the probabilities of all possible choices at each step of a line.
    fn path(&self, view: &S::View, picks: &[Pick], logit: &impl Fn(Pick) -> f32) -> Path {
        let mut choices = S::choices(&self.decision.state, view);
        let mut path = Path { steps: Vec::with_capacity(picks.len()), log_probability: 0.0, entropy: 0.0 };
        for &pick in picks {
            let mut possible = Vec::new();
            choices.list(&mut possible);
            let most = possible.iter().map(|&pick| logit(pick)).fold(f32::MIN, f32::max);
            let mut odds: Vec<(Pick, f32)> =
                possible.iter().map(|&pick| (pick, (logit(pick) - most).exp())).collect();
            let all: f32 = odds.iter().map(|(_, odds)| odds).sum();
            odds.iter_mut().for_each(|(_, odds)| *odds /= all);
            let uncertainty: f32 =
                odds.iter().map(|&(_, odds)| if odds > 0.0 { -odds * odds.ln() } else { 0.0 }).sum();
            path.log_probability += logit(pick) - most - all.ln();
            path.entropy += uncertainty;
            path.steps.push((odds, uncertainty));
            if pick != S::WAIT {
                choices.take(pick);
            }
        }
        path
    }
}
