//! Evaluation of positions with a network, without a search.

use contender_game::{
    contest::{Clock, Limits},
    rules::Rng,
};
use contender_nn::lanes::Instructions;
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Workspace};
use contender_puct::LearnedGame;

/// Returns a clock with this node limit.
pub(super) fn clock(nodes: Option<u64>) -> Clock {
    Clock::new(Limits { nodes, ..Limits::NONE })
}

/// A network with the working memory for evaluations.
pub(super) struct Evaluator<'a> {
    network: &'a Network,
    instructions: Instructions,
    input: Planes,
    output: Workspace,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(network: &'a Network) -> Evaluator<'a> {
        let output = Workspace::new(network.shape());
        Evaluator { network, instructions: Instructions::best(), input: Planes::default(), output }
    }

    /// Evaluates a state. The workspace then contains the value and the policy.
    pub(super) fn ask<S: LearnedGame>(&mut self, state: &S::State, view: &S::View) -> &Workspace {
        S::encode(state, view, &mut self.input);
        self.network.evaluate(self.instructions, &self.input, &mut self.output);
        &self.output
    }

    /// Returns a move drawn from the policy if `rng` is given, otherwise the most probable move.
    pub(super) fn choose<S: LearnedGame>(
        &mut self,
        state: &S::State,
        view: &S::View,
        rng: Option<&mut Rng>,
    ) -> S::Move {
        let output = self.ask::<S>(state, view);
        match rng {
            Some(rng) => S::sample(output, state, view, rng).0,
            None => S::best(output, state, view),
        }
    }
}
