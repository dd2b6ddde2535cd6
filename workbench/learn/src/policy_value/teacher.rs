//! Whom a network imitates: a search, another network, or any bot.

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
use contender_puct::{BotOf, Choices, LearnedGame, Pick, Search};
use std::path::Path;

/// Whom a network imitates in a game.
pub(super) struct Teacher<'a, S: LearnedGame> {
    pub(super) imitation: &'a Imitation,
    source: Source<'a, S>,
}

enum Source<'a, S: LearnedGame> {
    /// A search finds what both players should do, and what the state is worth.
    Search(Search<S>),
    /// A network that stays as it is (Hinton, Vinyals and Dean, "Distilling the knowledge in a neural network", 2015).
    Network(Box<Evaluator<'a>>),
    /// Any other bot.
    Bot(BotOf<S>),
}

/// The file of the network that is the teacher, which a recipe names by `network:FILE`; none of other teachers.
pub(super) fn file_of(imitation: &Imitation) -> Option<&Path> {
    imitation.teacher.strip_prefix("network:").map(Path::new)
}

/// Reads that file.
///
/// # Errors
/// A file that cannot be read or holds no network of the game.
pub(super) fn read_teacher<S: LearnedGame>(imitation: &Imitation) -> Result<Option<Vec<u8>>> {
    let read = |file| read_part("teacher", file, |bytes| S::read(bytes).map(|_| bytes.to_vec()));
    file_of(imitation).map(read).transpose()
}

/// A teacher's answer for a state.
pub(super) struct Advice<S: LearnedGame> {
    /// For each player: moves with the probabilities to play them with.
    pub(super) moves: [Analysis<S::Move>; 2],
    /// For each player what is learned in place of the moves: a network's first choices.
    choices: Option<[Lines; 2]>,
    /// Set if the network learns from it.
    pub(super) is_taught: bool,
}

impl<S: LearnedGame> Advice<S> {
    /// Returns the choices that a player should make, in a view that may be another than their own.
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
    /// The recipe's teacher for a game. A bot with a network searches with `network`; `itself` is the teacher if it is
    /// a network.
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

    /// What it says in a turn of a game: much in a share of the turns, little or nothing in the others (a playout cap:
    /// Wu, "Accelerating self-play learning in Go", 2019).
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

/// A move of each player drawn by a network, worth the mean of what it says for both, and first choices.
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

/// What can be chosen first in a turn, with a network's probabilities. All choices of a turn come of the same output,
/// so that these teach all of it; what is rarer than one in five hundred is left out.
fn first_choices<S: LearnedGame>(output: &Workspace, state: &S::State, view: &S::View) -> Lines {
    let choices = S::choices(state, view);
    let mut picks = Vec::new();
    choices.list(&mut picks);
    if !picks.is_empty() && choices.can_wait() {
        picks.push(S::WAIT);
    }
    let logit = |pick: Pick| logit::<S>((output.shape(), &output.logits, output.wait), view, pick);
    let most = picks.iter().map(|&pick| logit(pick)).fold(f32::MIN, f32::max);
    let odds: Vec<f32> = picks.iter().map(|&pick| (logit(pick) - most).exp()).collect();
    let all: f32 = odds.iter().sum();
    let shares = picks.iter().zip(odds).map(|(&pick, odds)| (vec![pick], odds / all));
    shares.filter(|&(_, share)| share >= 0.002).collect()
}

/// The mean value of a state by the moves that are to be played there; `None` where nothing is known.
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
