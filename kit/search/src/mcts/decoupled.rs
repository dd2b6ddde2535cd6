//! The search for games in which both players choose at once.

use super::search::{iterations_left, looks_up};
use super::{Arm, Select};
use crate::Allowance;
use contender_game::{Player, Rng, Simultaneous};
use std::time::{Duration, Instant};

/// Gives the states of a simultaneous game their worth.
pub trait Outlook<G: Simultaneous> {
    /// The rewards of both players in a finished game.
    fn finished(&mut self, state: &G) -> [f32; 2] {
        super::win_rewards(state.points())
    }

    /// Estimated rewards for a state in which the game goes on.
    fn estimate(&mut self, state: &mut G, rng: &mut Rng) -> [f32; 2];

    /// Appends the moves of a player that are worth considering, at least one. All of them by default; a game with too many to
    /// list proposes some.
    fn candidates(&mut self, state: &G, player: Player, moves: &mut Vec<G::Move>) {
        state.moves(player, moves);
    }
}

/// What a decoupled search found: a mixed strategy, since the best answer may be to be unpredictable.
#[derive(Clone, PartialEq, Debug)]
pub struct MixedFindings<M> {
    /// For each player, its moves with their visits and mean rewards, the most visited first. Their shares of the visits are the
    /// strategy found.
    pub moves: [Vec<(M, u32, f32)>; 2],
    /// Iterations of this search.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// The time it took.
    pub elapsed: Duration,
}

impl<M: Clone> MixedFindings<M> {
    /// The most visited move of a player; `None` if the game was over.
    #[must_use]
    pub fn best(&self, player: Player) -> Option<M> {
        self.moves[player].first().map(|(mv, ..)| mv.clone())
    }

    /// A move drawn with its share of the visits; `None` if the game was over.
    #[must_use]
    pub fn draw(&self, player: Player, rng: &mut Rng) -> Option<M> {
        let moves = &self.moves[player];
        let total: u32 = moves.iter().map(|&(_, visits, _)| visits).sum();
        if total == 0 {
            return None;
        }
        let mut rest = rng.below(total);
        let drawn = moves.iter().find(|&&(_, visits, _)| {
            let is_here = rest < visits;
            rest = rest.wrapping_sub(visits);
            is_here
        });
        drawn.map(|(mv, ..)| mv.clone())
    }
}

/// One move of one player at a node.
#[derive(Clone, Debug)]
struct Choice<M> {
    mv: M,
    sum: f64,
    visits: u32,
}

/// A state: both players' options are neighbours in the list of options, its children in the list of children, one for each pair.
#[derive(Clone, Copy, Debug)]
struct Node {
    visits: u32,
    options: u32,
    counts: [u32; 2],
    children: u32,
}

/// Decoupled UCT: each player chooses by its own statistics, and both choices together lead to the child.
///
/// It converges to good mixed strategies in practice and is not guaranteed to reach an equilibrium.
///
/// Sources: Finnsson, Bjornsson, "Simulation-based approach to general game playing", 2008; Tak, Lanctot, Winands, "Monte Carlo tree
/// search variants for simultaneous move games", 2014.
#[derive(Clone)]
pub struct Decoupled<G: Simultaneous, S> {
    select: S,
    capacity: usize,
    nodes: Vec<Node>,
    options: Vec<Choice<G::Move>>,
    /// For each pair of options of a node the node it leads to; 0 for none.
    children: Vec<u32>,
    moves: Vec<G::Move>,
    /// The node and both options chosen there.
    path: Vec<(usize, [usize; 2])>,
}

impl<G: Simultaneous, S: Select> Decoupled<G, S> {
    /// A search whose tree has at most so many nodes.
    pub fn new(capacity: usize, select: S) -> Self {
        let capacity = capacity.clamp(1, u32::MAX as usize);
        Decoupled {
            select,
            capacity,
            nodes: Vec::new(),
            options: Vec::new(),
            children: Vec::new(),
            moves: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Searches `state`. The allowance counts iterations as nodes; at least one is made.
    pub fn search(
        &mut self,
        state: &G,
        outlook: &mut impl Outlook<G>,
        allowance: &Allowance,
        rng: &mut Rng,
    ) -> MixedFindings<G::Move> {
        let start = Instant::now();
        self.nodes.clear();
        self.options.clear();
        self.children.clear();
        let limit = allowance.nodes.unwrap_or(u64::MAX).max(1);
        let mut iterations = 0;
        if !state.is_over() {
            self.add_node(state, outlook);
            while iterations < limit {
                iterations += 1;
                self.iterate(state.clone(), outlook, rng);
                if looks_up(allowance, iterations)
                    && iterations_left(allowance, limit, iterations, start, Instant::now()).is_none()
                {
                    break;
                }
            }
        }
        let moves = Player::BOTH.map(|player| self.root_moves(player));
        MixedFindings { moves, iterations, nodes: self.nodes.len(), elapsed: start.elapsed() }
    }

    fn iterate(&mut self, mut state: G, outlook: &mut impl Outlook<G>, rng: &mut Rng) {
        self.path.clear();
        let mut at = 0;
        let rewards = loop {
            let chosen = Player::BOTH.map(|player| self.follow(at, player, rng));
            self.path.push((at, chosen));
            state.play([&self.options[chosen[0]].mv, &self.options[chosen[1]].mv]);
            if state.is_over() {
                break outlook.finished(&state);
            }
            let node = self.nodes[at];
            let first = node.options as usize;
            let pair =
                (chosen[0] - first) * node.counts[1] as usize + (chosen[1] - first - node.counts[0] as usize);
            let slot = node.children as usize + pair;
            if self.children[slot] == 0 {
                if self.nodes.len() < self.capacity {
                    self.children[slot] = self.nodes.len() as u32;
                    self.add_node(&state, outlook);
                }
                break outlook.estimate(&mut state, rng);
            }
            at = self.children[slot] as usize;
        };
        for &(at, chosen) in &self.path {
            self.nodes[at].visits += 1;
            for player in Player::BOTH {
                let option = &mut self.options[chosen[player]];
                option.visits += 1;
                option.sum += f64::from(rewards[player]);
            }
        }
    }

    fn add_node(&mut self, state: &G, outlook: &mut impl Outlook<G>) {
        let options = self.options.len() as u32;
        let counts = Player::BOTH.map(|player| {
            self.moves.clear();
            outlook.candidates(state, player, &mut self.moves);
            let count = self.moves.len() as u32;
            self.options.extend(self.moves.drain(..).map(|mv| Choice { mv, sum: 0.0, visits: 0 }));
            count
        });
        let children = self.children.len() as u32;
        self.children.resize(self.children.len() + (counts[0] * counts[1]) as usize, 0);
        self.nodes.push(Node { visits: 0, options, counts, children });
    }

    /// The index of the option that a player follows at a node: one without visits at random, else the most urgent.
    fn follow(&self, at: usize, player: Player, rng: &mut Rng) -> usize {
        let range = self.options_of(at, player);
        let node = &self.nodes[at];
        let fresh = self.options[range.clone()].iter().filter(|option| option.visits == 0).count();
        if fresh > 0 {
            let nth = rng.index(fresh);
            let mut unvisited = range.filter(|&index| self.options[index].visits == 0);
            return unvisited.nth(nth).expect("so many options have no visits");
        }
        let parent = self.select.parent(node.visits, || 0.5);
        // Ties break at random: two players with the same statistics would otherwise move in step for ever.
        let mut best = (range.start, f32::NEG_INFINITY);
        let mut equals = 0;
        for index in range {
            let option = &self.options[index];
            let urgency = self.select.urgency(parent, &Arm::new(option.visits, option.sum));
            equals = if urgency > best.1 { 1 } else { equals + u32::from(urgency == best.1) };
            if urgency > best.1 || (urgency == best.1 && rng.below(equals) == 0) {
                best = (index, urgency);
            }
        }
        best.0
    }

    fn options_of(&self, at: usize, player: Player) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        let first = node.options as usize;
        let middle = first + node.counts[0] as usize;
        match player {
            Player::Zero => first..middle,
            Player::One => middle..middle + node.counts[1] as usize,
        }
    }

    fn root_moves(&self, player: Player) -> Vec<(G::Move, u32, f32)> {
        if self.nodes.is_empty() {
            return Vec::new();
        }
        let describe = |option: &Choice<G::Move>| {
            (option.mv.clone(), option.visits, (option.sum / f64::from(option.visits.max(1))) as f32)
        };
        let mut moves: Vec<_> = self.options[self.options_of(0, player)].iter().map(describe).collect();
        moves.sort_by_key(|&(_, visits, _)| std::cmp::Reverse(visits));
        moves
    }
}
