//! Monte Carlo tree search whose tree contains only moves: chance and hidden cards are drawn again in every iteration.

use super::{Arm, LeafEvaluator, Select};
use crate::draw;
use crate::{ChanceModel, SearchBudget, SearchLimits};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Game, Player, Rng, Turn},
};
use std::cmp::Reverse;
use std::marker::PhantomData;

/// A node for a sequence of moves. The chance outcomes between the moves differ from iteration to iteration.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    mv: M,
    /// Sum of the rewards of the player who made the move.
    sum: f64,
    visits: u32,
    /// Number of times that the move was legal when the player chose among its siblings.
    available: u32,
    /// Index of the first child; 0 if there are no children.
    first: u32,
    /// Index of the next sibling; 0 for the last sibling.
    next: u32,
}

/// Open-loop Monte Carlo tree search for games with many chance outcomes. With a closure `deal` that resamples what the
/// searching player cannot know, it is information set Monte Carlo tree search for games with hidden information.
///
/// The exploration term of a child uses the number of times that the child was available instead of the number of
/// visits to its parent.
///
/// Sources: Perez et al., "Open loop search for general video game playing", 2015; Cowling, Powley, Whitehouse,
/// "Information set Monte Carlo tree search", 2012 (single observer).
///
/// ```
/// # #[path = "../../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::OneCard;
/// use contender_game::rules::{Hidden, Player, Rng};
/// use contender_search::mcts::{OpenLoop, RandomGames, Uct};
/// use contender_search::{NoChance, SearchLimits};
///
/// // Player 0 has the highest card and bets. The opponent's card is dealt again in every iteration.
/// let state = OneCard { cards: [2, 1], stake: None };
/// let mut search = OpenLoop::<OneCard, NoChance, Uct>::new(1000, Uct::new(1.0));
/// let mut games = RandomGames::<OneCard, NoChance>::default();
/// let deal = |state: &mut OneCard, rng: &mut Rng| state.resample(Player::Zero, rng);
/// let analysis = search.search(&state, &mut games, &SearchLimits::nodes(200), &mut Rng::new(1), deal);
/// assert_eq!(analysis.moves[0].value, [1.0, 1.0], "every card of the opponent is lower");
/// ```
#[derive(Clone)]
pub struct OpenLoop<G: Game, L: ChanceModel<G>, S> {
    select: S,
    capacity: usize,
    nodes: Vec<Node<G::Move>>,
    moves: Vec<G::Move>,
    scratch: Vec<G::Move>,
    outcomes: Vec<(L::Outcome, u32)>,
    path: Vec<(usize, Player)>,
    chance: PhantomData<L>,
}

impl<G: Game, L: ChanceModel<G>, S: Select> OpenLoop<G, L, S> {
    /// Creates a search whose tree contains at most `capacity` moves.
    pub fn new(capacity: usize, select: S) -> Self {
        OpenLoop {
            select,
            capacity: capacity.clamp(1, u32::MAX as usize),
            nodes: Vec::new(),
            moves: Vec::new(),
            scratch: Vec::new(),
            outcomes: Vec::new(),
            path: Vec::new(),
            chance: PhantomData,
        }
    }

    /// Searches `state`, in which it is a player's turn. Every iteration starts from a copy of `state`, which `deal`
    /// may change. If the game has hidden information, pass
    /// [`Hidden::resample`](contender_game::rules::Hidden::resample); otherwise, `deal` must do nothing. The node limit
    /// counts iterations. Priors are not used.
    pub fn search(
        &mut self,
        state: &G,
        evaluator: &mut impl LeafEvaluator<G, G::Move>,
        limits: &SearchLimits,
        rng: &mut Rng,
        mut deal: impl FnMut(&mut G, &mut Rng),
    ) -> Analysis<G::Move> {
        let mut meter = SearchBudget::of_iterations(limits);
        self.nodes.clear();
        self.nodes.reserve(self.capacity);
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if let Some(&mv) = moves.first() {
            // Node 0 stands for the root; its move means nothing.
            self.nodes.push(Node { mv, sum: 0.0, visits: 0, available: 0, first: 0, next: 0 });
        }
        let mut deepest = 0;
        while !self.nodes.is_empty() && meter.count().is_ok() {
            let mut sample = state.clone();
            deal(&mut sample, rng);
            self.iterate(sample, evaluator, rng);
            deepest = deepest.max(self.path.len());
        }
        let line = self.line();
        let moves = self.children(0).map(|at| self.root_move(at)).collect();
        let ranked = Analysis::ranked(moves, line.first());
        Analysis {
            line,
            counts: vec![
                ("iterations", meter.nodes()),
                ("nodes in the tree", self.nodes.len() as u64),
                ("longest path", deepest as u64),
            ],
            elapsed: meter.elapsed(),
            ..ranked
        }
    }

    fn iterate(&mut self, mut state: G, evaluator: &mut impl LeafEvaluator<G, G::Move>, rng: &mut Rng) {
        self.path.clear();
        let mut at = 0;
        let rewards = loop {
            match state.turn() {
                Turn::Over => break evaluator.finished(&state),
                Turn::Chance => {
                    let outcome = draw::<G, L>(&state, rng, &mut self.outcomes).1;
                    L::resolve(&mut state, outcome);
                }
                Turn::Player(player) => {
                    let (child, is_new) = self.follow(at, &state, rng);
                    let Some(child) = child else {
                        break evaluator.estimate(&mut state, rng);
                    };
                    self.path.push((child, player));
                    state.play(self.nodes[child].mv);
                    at = child;
                    if is_new {
                        break match state.turn() {
                            Turn::Over => evaluator.finished(&state),
                            _ => evaluator.estimate(&mut state, rng),
                        };
                    }
                }
            }
        };
        self.nodes[0].visits += 1;
        for &(at, player) in &self.path {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += f64::from(rewards[player]);
        }
    }

    /// Returns a new node for a random legal move that has no node yet, or otherwise the child with the highest
    /// urgency. Returns no node if the tree is full before all moves have nodes. Also returns whether the node is new.
    fn follow(&mut self, at: usize, state: &G, rng: &mut Rng) -> (Option<usize>, bool) {
        self.moves.clear();
        state.moves(&mut self.moves);
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.moves);
        let mut best = None;
        let mut best_urgency = f32::NEG_INFINITY;
        let mut child = self.nodes[at].first as usize;
        while child != 0 {
            let node = &mut self.nodes[child];
            if let Some(known) = self.scratch.iter().position(|&mv| mv == node.mv) {
                self.scratch.swap_remove(known);
                node.available += 1;
                let arm = Arm::new(node.visits, node.sum);
                let urgency = self.select.urgency(self.select.parent(node.available, || arm.reward), &arm);
                if urgency > best_urgency {
                    (best, best_urgency) = (Some(child), urgency);
                }
            }
            child = node.next as usize;
        }
        if self.scratch.is_empty() {
            return (best, false);
        }
        if self.nodes.len() == self.capacity {
            return (None, false);
        }
        let mv = *rng.choose(&self.scratch);
        let new = self.nodes.len();
        let next = self.nodes[at].first;
        self.nodes.push(Node { mv, sum: 0.0, visits: 0, available: 1, first: 0, next });
        self.nodes[at].first = new as u32;
        (Some(new), true)
    }

    fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.nodes.get(at).map_or(0, |node| node.first as usize);
        std::iter::successors(Some(first), move |&child| Some(self.nodes[child].next as usize))
            .take_while(|&child| child != 0)
    }

    fn root_move(&self, at: usize) -> MoveAnalysis<G::Move> {
        let node = &self.nodes[at];
        let reward = (node.sum / f64::from(node.visits.max(1))) as f32;
        let effort = u64::from(node.visits);
        MoveAnalysis { mv: node.mv, value: [f64::from(reward); 2], is_proven: false, effort }
    }

    /// Returns the most visited line of moves, starting at the root.
    fn line(&self) -> Vec<G::Move> {
        // The first of those with the most visits.
        let best = |at: usize| self.children(at).min_by_key(|&child| Reverse(self.nodes[child].visits));
        std::iter::successors(best(0), |&at| best(at)).map(|at| self.nodes[at].mv).collect()
    }
}
