//! The teacher that a network imitates: a search, another network, or any bot.

use super::bots::{bot, split};
use super::decision::{Lines, line, logit, seen};
use super::evaluator::{Evaluator, clock};
use super::recipe::Imitation;
use crate::kind::read_part;
use anyhow::Result;
use contender_game::{
    contest::{Analysis, Bot, MoveAnalysis},
    rules::{Player, Rng},
};
use contender_nn::policy_value::{Network, Workspace};
use contender_puct::{BotOf, LearnedGame, Pick, StrategySearch, TurnChoices, softmax};
use std::path::Path;

/// A teacher during a game.
pub(super) struct Teacher<'a, S: LearnedGame> {
    pub(super) imitation: &'a Imitation,
    source: Source<'a, S>,
}

enum Source<'a, S: LearnedGame> {
    /// A search that finds moves for both players, and the value of the state.
    Search(StrategySearch<S>),
    /// A fixed network (Hinton, Vinyals and Dean, "Distilling the knowledge in a neural network", 2015).
    Network(Box<Evaluator<'a>>),
    /// Any other bot.
    Bot(BotOf<S>),
}

/// Returns the file of the teacher network that the recipe names with `network:FILE`, or `None` if the teacher is not a
/// network.
pub(super) fn file_of(imitation: &Imitation) -> Option<&Path> {
    imitation.teacher.strip_prefix("network:").map(Path::new)
}

/// Reads the teacher's file.
///
/// # Errors
/// Returns an error if the file cannot be read or is not a network for the game.
pub(super) fn read_teacher<S: LearnedGame>(imitation: &Imitation) -> Result<Option<Vec<u8>>> {
    let read = |file| read_part("teacher", file, |bytes| S::read(bytes).map(|_| bytes.to_vec()));
    file_of(imitation).map(read).transpose()
}

/// A teacher's advice in a state.
pub(super) struct Advice<S: LearnedGame> {
    /// For each player, the moves and the probability of playing each of them.
    pub(super) moves: [Analysis<S::Move>; 2],
    /// For each player, the possible first choices of the turn with their probabilities, if the teacher is a network.
    /// They replace `moves` as the training targets.
    choices: Option<[Lines; 2]>,
    /// Whether the network learns from this advice.
    pub(super) is_taught: bool,
}

impl<S: LearnedGame> Advice<S> {
    /// Returns the choices that a player should make, converted to a given view.
    pub(super) fn lines(
        &self,
        state: &S::State,
        of: Player,
        own: &S::View,
        view: &S::View,
        rng: &mut Rng,
    ) -> Lines {
        if let Some(both) = &self.choices {
            return seen::<S>(&both[of], own, view);
        }
        let found = &self.moves[of];
        let parts = found.strategy.iter().copied().chain(found.strategy.is_empty().then_some(1.0));
        let lines = found.moves.iter().zip(parts).filter(|(_, part)| *part > 0.0);
        lines.map(|(of, part)| (line::<S>(state, view, &of.mv, rng), part as f32)).collect()
    }
}

impl<'a, S: LearnedGame> Teacher<'a, S> {
    /// Creates the recipe's teacher for a game. A bot that needs a network uses `network`. `itself` is the teacher
    /// network, if the teacher is a network.
    pub(super) fn new(
        imitation: &'a Imitation,
        network: &Network,
        itself: Option<&'a Network>,
        seed: u64,
    ) -> Result<Teacher<'a, S>, String> {
        if let Some(itself) = itself {
            return Ok(Teacher { imitation, source: Source::Network(Box::new(Evaluator::new(itself))) });
        }
        let (name, mut options) = split(&imitation.teacher)?;
        let source = match S::search(name, &mut options, network, seed) {
            Some(search) => {
                let search = search?;
                options.finish()?;
                Source::Search(search)
            }
            None => Source::Bot(bot::<S>(&imitation.teacher, seed)?),
        };
        Ok(Teacher { imitation, source })
    }

    /// Returns the advice for a turn. In some turns, the teacher searches deeply; in the other turns, it searches
    /// briefly or not at all (playout cap randomisation: Wu, "Accelerating self-play learning in Go", 2019).
    pub(super) fn advise(
        &mut self,
        state: &S::State,
        views: &[S::View; 2],
        rng: &mut Rng,
    ) -> Option<Advice<S>> {
        let Imitation { deep_share, nodes, fast_nodes, .. } = *self.imitation;
        let is_taught = deep_share >= 1.0 || rng.unit() < deep_share;
        let clock = clock(if is_taught { Some(nodes) } else { fast_nodes.map(Some) }?);
        let (moves, choices) = match &mut self.source {
            Source::Search(think) => (think(state, &clock), None),
            Source::Network(network) => {
                let (moves, choices) = say::<S>(network, state, views, rng);
                (moves, Some(choices))
            }
            Source::Bot(bot) => {
                let moves = Player::BOTH.map(|player| {
                    let idle = S::idle(state, player);
                    Analysis::of_move(idle.unwrap_or_else(|| bot.choose(state, player, &clock)))
                });
                (moves, None)
            }
        };
        Some(Advice { moves, choices, is_taught })
    }
}

/// Returns, for each player, a move drawn from a network's policy and the first choices. The value is the mean of both
/// players' views.
fn say<S: LearnedGame>(
    network: &mut Evaluator<'_>,
    state: &S::State,
    views: &[S::View; 2],
    rng: &mut Rng,
) -> ([Analysis<S::Move>; 2], [Lines; 2]) {
    let [zero, one] = Player::BOTH.map(|player| {
        let (output, view) = (network.ask::<S>(state, &views[player]), &views[player]);
        let (mv, ..) = S::sample(output, state, view, rng);
        (mv, first_choices::<S>(output, state, view), f64::from(output.value))
    });
    let value = 0.5 * (zero.2 - one.2);
    let found =
        |mv, value| Analysis::of(vec![MoveAnalysis { mv, value: [value; 2], is_proven: false, effort: 0 }]);
    ([found(zero.0, value), found(one.0, -value)], [zero.1, one.1])
}

/// Returns the possible first choices of a turn with a network's probabilities. All choices of a turn come from the
/// same network output, so the first choices are sufficient targets. Omits choices with a probability below 1/500.
fn first_choices<S: LearnedGame>(output: &Workspace, state: &S::State, view: &S::View) -> Lines {
    let choices = S::choices(state, view);
    let mut picks = Vec::new();
    choices.list(&mut picks);
    if picks == [S::WAIT] {
        return Lines::new();
    }
    let logit = |pick: Pick| logit::<S>((output.shape(), &output.logits, output.wait), view, pick);
    let mut odds: Vec<f32> = picks.iter().map(|&pick| logit(pick)).collect();
    softmax(&mut odds);
    let shares = picks.iter().zip(odds).map(|(&pick, share)| (vec![pick], share));
    shares.filter(|&(_, share)| share >= 0.002).collect()
}

/// Returns the value of a state, averaged over the search's strategy, or `None` if the value is unknown.
pub(super) fn value<M>(found: &Analysis<M>) -> Option<f32> {
    let parts = found.strategy.iter().copied().chain(found.strategy.is_empty().then_some(1.0));
    let (mut sum, mut weight) = (0.0, 0.0);
    for (part, of) in parts.zip(&found.moves) {
        let middle = 0.5 * (of.value[0] + of.value[1]);
        if part > 0.0 && middle.is_finite() {
            sum += part * middle;
            weight += part;
        }
    }
    (weight > 0.0).then(|| (sum / weight) as f32)
}
