//! Monte Carlo tree search by random games, each player for points of its own; the bots differ in their [`Policy`].
//!
//! It is not the kit's search because of three things that this game asks for: what a node knows is gains still to come, so that
//! positions share nodes whatever was gained on the way; the up to 189 moves of a node come one by one; and what a move gains at once
//! is known when it is tried, at no cost.

use crate::generate::{random_game, Generator};
use crate::tree::{self, Tree, LANES, OVER};
use crate::{Move, State};
use contender_game::{Analysis, Game, MoveAnalysis, Player, Rng, Undo};
use std::time::Instant;

/// What values are: the own points by the end of the game, less the share that counts of what the other still gains.
const UNIT: &str = "points";

/// How a search chooses and plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Policy {
    /// How a move is chosen where all were tried once.
    pub choice: Choice,
    /// While a node has fewer visits, all moves are as likely.
    pub random_visits: u32,
    /// Weight of what a move gains at once: `bias * gain / sqrt(visits)` draws towards it and fades.
    pub bias: f32,
    /// The opponent's best gain after the move counts so much in that.
    pub reply: f32,
    /// A player is content by its own points less this share of the other's: the searching one, and
    pub share: f32,
    /// the other, as the searching one takes it to be.
    pub model: f32,
    /// How often a random game draws again in a turn that would cost points.
    pub redraws: u32,
    /// The moves that are considered.
    pub moves: Generator,
    /// The moves of which random games choose.
    pub games: Generator,
    /// Only the moves at hand are compared, by random games after each.
    pub is_flat: bool,
    /// The move with the best mean is played, not the most visited.
    pub plays_best: bool,
    /// Positions that have the same future share a node, and the tree is kept.
    pub shares_nodes: bool,
    /// Nodes of the tree.
    pub capacity: usize,
}

/// How a move is chosen among those tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Choice {
    /// The largest `mean + (pull + sqrt(exploration * ln(parent visits))) / sqrt(visits)`, where a move that ends the game counts by
    /// its mean alone.
    ///
    /// Source: Kocsis, Szepesvari, "Bandit based Monte-Carlo planning", 2006.
    Confidence { exploration: f32 },
    /// With the probability `least + extra / sqrt(1 + parent visits / 60)` any, otherwise the one with the best mean.
    Greedy { least: f32, extra: f32 },
    /// All in turn.
    Even,
}

impl Policy {
    /// Plain UCT for own points.
    pub const UCT: Policy = Policy {
        choice: Choice::Confidence { exploration: 2.0 },
        random_visits: 0,
        bias: 0.0,
        reply: 0.0,
        share: 0.0,
        model: 0.0,
        redraws: 0,
        moves: Generator::All,
        games: Generator::All,
        is_flat: false,
        plays_best: false,
        shares_nodes: false,
        capacity: 1 << 20,
    };
}

/// When a search ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Limit {
    pub iterations: u64,
    pub deadline: Option<Instant>,
    /// At so many visits of one move.
    pub majority: u64,
    /// When no other move can catch up with the most visited one.
    pub stops_early: bool,
}

/// A search with its tree.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    policy: Policy,
    tree: Tree,
    rng: Rng,
    /// Nodes from the root on, each with the place of the move made there.
    path: Vec<(u32, usize)>,
}

impl Search {
    pub fn new(policy: Policy, seed: u64) -> Search {
        let tree = Tree::new(policy.capacity, policy.shares_nodes);
        Search { policy, tree, rng: Rng::new(seed), path: Vec::new() }
    }

    /// Searches a state in which a player is to act; at least one iteration is made.
    pub fn search(&mut self, state: &State, limit: &Limit) -> Analysis<Move> {
        let began = Instant::now();
        if self.policy.shares_nodes {
            self.tree.prune(state);
        } else {
            self.tree.clear();
        }
        let root = self.tree.node(state).expect("an empty or half-empty tree has room");
        let player = state.mover;
        // The weights of both players' points for each player.
        let mut weights = [[0.0; 2]; 2];
        weights[player] = Tree::weights(player, self.policy.share);
        weights[player.other()] = Tree::weights(player.other(), self.policy.model);
        let (mut iterations, mut deepest) = (0, 0);
        while iterations < limit.iterations.max(1) {
            let visits = self.iterate(root, state, &weights);
            iterations += 1;
            deepest = deepest.max(self.path.len());
            if u64::from(visits) >= limit.majority
                || (iterations % 64 == 0 && self.is_done(root, limit, iterations, began))
            {
                break;
            }
        }
        let moves = self.root_moves(root);
        let own = f64::from(state.scores()[player]);
        let describe = |&place: &usize| {
            let (bunch, lane) = (&self.tree.bunches[place / LANES], place % LANES);
            MoveAnalysis {
                mv: self.mv(place),
                value: [own + f64::from(bunch.mean[lane]); 2],
                is_proven: false,
                effort: u64::from(bunch.visits[lane]),
            }
        };
        Analysis {
            line: self.line(&moves),
            unit: UNIT,
            counts: vec![
                ("iterations", iterations),
                ("nodes in the tree", self.tree.nodes.len() as u64),
                ("longest path", deepest as u64),
            ],
            elapsed: began.elapsed(),
            ..Analysis::of(moves.iter().map(describe).collect())
        }
    }

    /// Whether the time is over or the most visited move cannot be caught any more.
    fn is_done(&self, root: u32, limit: &Limit, done: u64, began: Instant) -> bool {
        let mut left = limit.iterations.saturating_sub(done);
        if let Some(deadline) = limit.deadline {
            let now = Instant::now();
            if now >= deadline {
                return true;
            }
            let speed = done as f64 / now.duration_since(began).as_secs_f64().max(1e-9);
            left = left.min((speed * deadline.duration_since(now).as_secs_f64()) as u64);
        }
        limit.stops_early && done % 1024 == 0 && self.lead(root) > left
    }

    /// By how many visits the most visited move leads.
    fn lead(&self, root: u32) -> u64 {
        let (mut first, mut second) = (0, 0);
        for place in self.tried(root) {
            let visits = self.visits(place);
            if visits > first {
                (first, second) = (visits, first);
            } else {
                second = second.max(visits);
            }
        }
        u64::from(first - second)
    }

    /// One iteration: down the tree, a random game, and up again. Gives the visits of the root's move that it went through.
    fn iterate(&mut self, root: u32, start: &State, weights: &[[f32; 2]; 2]) -> u32 {
        self.path.clear();
        let mut state = start.clone();
        let mut at = root;
        let mut gains = loop {
            if state.empty == 0 {
                break [0; 2];
            }
            if self.tree.branches(at).is_none() {
                let is_leaf = at != root && (self.tree.nodes[at as usize].visits == 0 || self.policy.is_flat);
                if is_leaf {
                    break self.random_game(&mut state);
                }
                self.tree.open(at, self.policy.moves.moves(&mut state));
            }
            let Some(place) = self.follow(at, &mut state) else { break self.random_game(&mut state) };
            self.path.push((at, place));
            at = self.tree.bunches[place / LANES].child[place % LANES];
        };
        if at != OVER {
            self.tree.nodes[at as usize].visit(gains);
        }
        let mut mover = state_mover(start, self.path.len());
        for &(node, place) in self.path.iter().rev() {
            mover = mover.other();
            let (bunch, lane) = (place / LANES, place % LANES);
            let gain = i32::from(self.tree.bunches[bunch].gain[lane]);
            let child = self.tree.bunches[bunch].child[lane];
            gains[mover] += gain;
            let later =
                if child == OVER { 0.0 } else { self.tree.nodes[child as usize].mean(weights[mover]) };
            self.tree.visit(place, gain as f32 + later);
            self.tree.nodes[node as usize].visit(gains);
        }
        self.path.first().map_or(0, |&(_, place)| self.visits(place))
    }

    fn random_game(&mut self, state: &mut State) -> [i32; 2] {
        match self.policy.games {
            Generator::All => state.rollout_avoiding(&mut self.rng, self.policy.redraws),
            generator => random_game(state, generator, &mut self.rng),
        }
    }

    /// Plays the move that an iteration follows and gives its place, that of a new one while any is untried; `None` where there is no
    /// room for another node.
    fn follow(&mut self, at: u32, state: &mut State) -> Option<usize> {
        loop {
            let branches = *self.tree.branches(at).expect("the node is open");
            let untried = tree::count(&branches.untried);
            if self.tree.is_full() && branches.tried == 0 {
                return None;
            }
            if untried == 0 || self.tree.is_full() {
                let place = self.choose(at);
                state.play(self.mv(place));
                return Some(place);
            }
            let mv = tree::nth(&branches.untried, self.rng.below(untried));
            let (mover, before) = (state.mover, state.scores()[state.mover]);
            let memo = state.make(mv);
            let gain = state.scores()[mover] - before;
            let child = match state.empty {
                0 => OVER,
                _ => self.tree.node(state).expect("the tree is not full"),
            };
            if self.policy.shares_nodes && self.is_double(&branches, child, gain) {
                tree::remove(self.tree.untried(at), mv);
                state.unmake(mv, memo);
                continue;
            }
            let reply =
                if self.policy.reply > 0.0 { self.policy.reply * state.best_link() as f32 } else { 0.0 };
            return Some(self.tree.push(at, mv, gain, self.policy.bias * (gain as f32 - reply), child));
        }
    }

    /// Whether a move that was tried gains as much and leads to the same node.
    fn is_double(&self, branches: &tree::Branches, child: u32, gain: i32) -> bool {
        self.tree.bunches[self.tree.run(branches)].iter().any(|bunch| {
            (0..LANES).any(|lane| {
                bunch.child[lane] == child
                    && i32::from(bunch.gain[lane]) == gain
                    && bunch.mean[lane] > f32::NEG_INFINITY
            })
        })
    }

    /// The place of one of the moves of a node, all of which were tried.
    fn choose(&mut self, at: u32) -> usize {
        let branches = *self.tree.branches(at).expect("the node is open");
        let visits = self.tree.nodes[at as usize].visits;
        let tried = usize::from(branches.tried);
        if visits < self.policy.random_visits {
            return Tree::place(&branches, self.rng.index(tried));
        }
        let explore = match self.policy.choice {
            Choice::Confidence { exploration } => (exploration * (visits.max(1) as f32).ln()).sqrt(),
            Choice::Even => return Tree::place(&branches, (visits as usize) % tried),
            Choice::Greedy { least, extra } => {
                let any = least + extra / (1.0 + visits as f32 / 60.0).sqrt();
                if self.rng.unit() < f64::from(any) {
                    return Tree::place(&branches, self.rng.index(tried));
                }
                return self.most_urgent(at, 0.0, 0.0);
            }
        };
        self.most_urgent(at, 1.0, explore)
    }

    /// The place of the most urgent move, where what moves look like has this weight.
    fn most_urgent(&self, at: u32, weight: f32, explore: f32) -> usize {
        let branches = self.tree.branches(at).expect("the node is open");
        let run = self.tree.run(branches);
        let mut best = [f32::NEG_INFINITY; LANES];
        let mut found = [run.start as u32; LANES];
        for (number, bunch) in self.tree.bunches[run.clone()].iter().enumerate() {
            let number = (run.start + number) as u32;
            for lane in 0..LANES {
                let urgency =
                    urgency(bunch.mean[lane], bunch.spread[lane], weight * bunch.pull[lane], explore);
                let is_better = urgency > best[lane];
                best[lane] = if is_better { urgency } else { best[lane] };
                found[lane] = if is_better { number } else { found[lane] };
            }
        }
        let mut lane = 0;
        for other in 1..LANES {
            if best[other] > best[lane] {
                lane = other;
            }
        }
        found[lane] as usize * LANES + lane
    }

    fn mv(&self, place: usize) -> Move {
        Move::from_code(self.tree.bunches[place / LANES].mv[place % LANES])
    }

    fn visits(&self, place: usize) -> u32 {
        self.tree.bunches[place / LANES].visits[place % LANES]
    }

    /// The places of the moves tried at a node.
    fn tried(&self, node: u32) -> impl Iterator<Item = usize> {
        self.tree.branches(node).map_or(0..0, |branches| {
            let first = Tree::place(branches, 0);
            first..first + usize::from(branches.tried)
        })
    }

    /// The most visited moves, from the first of some on.
    fn line(&self, moves: &[usize]) -> Vec<Move> {
        let mut line = Vec::new();
        let mut next = moves.first().copied();
        while let Some(place) = next {
            line.push(self.mv(place));
            let child = self.tree.bunches[place / LANES].child[place % LANES];
            next =
                if child == OVER { None } else { self.tried(child).max_by_key(|&place| self.visits(place)) };
        }
        line
    }

    /// The places of the root's moves, that of the one to play first.
    fn root_moves(&self, root: u32) -> Vec<usize> {
        let mut places: Vec<usize> = self.tried(root).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(self.visits(place)));
        if self.policy.plays_best {
            let mean = |place: usize| self.tree.bunches[place / LANES].mean[place % LANES];
            places.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
        }
        places
    }
}

/// Who is to move so many moves after a state.
fn state_mover(state: &State, moves: usize) -> Player {
    if moves % 2 == 0 {
        state.mover
    } else {
        state.mover.other()
    }
}

/// The urgency of a move (see [`Choice::Confidence`]).
#[inline]
fn urgency(mean: f32, spread: f32, pull: f32, explore: f32) -> f32 {
    mean + (pull + explore) * spread
}

/// What is known of a position whose moves have these gains from here on, the best first, by so many positions solved, where this
/// share of the other's points counts.
pub(crate) fn solved(
    state: &State,
    moves: Vec<(Move, [i32; 2])>,
    share: f32,
    positions: usize,
    began: Instant,
) -> Analysis<Move> {
    let mover = state.mover;
    let describe = |(mv, gains): (Move, [i32; 2])| MoveAnalysis {
        mv,
        value: [f64::from(state.scores()[mover] + gains[mover])
            - f64::from(share) * f64::from(gains[mover.other()]); 2],
        is_proven: true,
        effort: 0,
    };
    let moves: Vec<MoveAnalysis<Move>> = moves.into_iter().map(describe).collect();
    Analysis {
        line: vec![moves[0].mv],
        unit: UNIT,
        depth: state.empty_cells(),
        counts: vec![("positions solved so far", positions as u64)],
        elapsed: began.elapsed(),
        ..Analysis::of(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Solver;

    #[test]
    fn the_formula_is_the_write_ups() {
        // 52.5 + (34 * 9 + sqrt(7 ln 1500)) / sqrt(25); ln 1500 = 7.313220, 7 times that has the root 7.154863.
        let explore = (7.0f32 * 1500f32.ln()).sqrt();
        assert!((explore - 7.154_863).abs() < 1e-4);
        assert!((urgency(52.5, 1.0 / 5.0, 34.0 * 9.0, explore) - 115.130_97).abs() < 1e-4);
        // A loss steers away: 50 + (34 * -3 + 7.154863) / sqrt(4).
        assert!((urgency(50.0, 1.0 / 2.0, 34.0 * -3.0, explore) - 2.577_43).abs() < 1e-4);
        // Where the game is over the mean counts alone.
        assert_eq!(urgency(61.0, 0.0, 34.0 * 11.0, explore), 61.0);
    }

    fn search(policy: Policy) -> Search {
        Search::new(policy, 1)
    }

    fn state(empty: u32, seed: u64) -> State {
        let mut rng = Rng::new(seed);
        let mut state = State::empty();
        while state.empty_cells() > empty {
            let mv = state.random_move(&mut rng, &mut Vec::new());
            state.play(mv);
        }
        state
    }

    fn limit(iterations: u64) -> Limit {
        Limit { iterations, deadline: None, majority: u64::MAX, stops_early: false }
    }

    const CLASSIC: Policy = Policy {
        choice: Choice::Confidence { exploration: 7.0 },
        bias: 34.0,
        random_visits: 40,
        ..Policy::UCT
    };

    /// Every node of trees of all kinds, looked at one by one.
    #[test]
    fn the_tree_adds_up_and_the_most_urgent_move_is_found() {
        for (number, policy) in [
            CLASSIC,
            Policy { shares_nodes: true, random_visits: 0, reply: 0.5, share: 0.5, model: 0.5, ..CLASSIC },
            Policy { is_flat: true, ..Policy::UCT },
            Policy {
                choice: Choice::Greedy { least: 0.2, extra: 0.45 },
                moves: Generator::Sign,
                ..Policy::UCT
            },
        ]
        .into_iter()
        .enumerate()
        {
            let state = state(4 + 3 * number as u32, number as u64);
            let mut search = search(policy);
            let found = search.search(&state, &limit(20_000));
            assert_eq!(found.count("iterations"), 20_000);
            let mut searched = 0;
            for node in 0..search.tree.nodes.len() as u32 {
                let places: Vec<usize> = search.tried(node).collect();
                if places.is_empty() {
                    continue;
                }
                searched += 1;
                let bunch = |place: usize| (&search.tree.bunches[place / LANES], place % LANES);
                let visits = |place: usize| search.visits(place);
                let total: u32 = places.iter().map(|&place| visits(place)).sum();
                let own = search.tree.nodes[node as usize].visits;
                assert!(total == own || (node != 0 && total + 1 == own), "{total} of {own}");
                for explore in [0.0, 3.0] {
                    let worth = |place: usize| {
                        let (bunch, lane) = bunch(place);
                        let rest = if bunch.child[lane] == OVER {
                            0.0
                        } else {
                            (bunch.pull[lane] + explore) / (visits(place) as f32).sqrt()
                        };
                        bunch.mean[lane] + rest
                    };
                    let best = places.iter().map(|&place| worth(place)).fold(f32::NEG_INFINITY, f32::max);
                    let place = search.most_urgent(node, 1.0, explore);
                    assert!((worth(place) - best).abs() < 1e-3, "{} instead of {best}", worth(place));
                }
            }
            assert!(
                if policy.is_flat { searched == 1 } else { searched > 20 },
                "{searched} nodes of policy {number}"
            );
        }
    }

    /// In a tree without sharing every mean is that of the games through it.
    #[test]
    fn means_are_those_of_the_games() {
        let state = state(8, 5);
        let mut search = search(CLASSIC);
        search.search(&state, &limit(5_000));
        for place in search.tried(0) {
            let (bunch, lane) = (&search.tree.bunches[place / LANES], place % LANES);
            let child = &search.tree.nodes[bunch.child[lane] as usize];
            assert_eq!(child.visits, bunch.visits[lane]);
            let mean = f64::from(bunch.gain[lane]) + child.sums[state.mover] as f64 / f64::from(child.visits);
            assert!((f64::from(bunch.mean[lane]) - mean).abs() < 1e-3);
            let mv = Move::from_code(bunch.mv[lane]);
            assert_eq!(i32::from(bunch.gain[lane]), state.gain(mv));
            assert_eq!(bunch.pull[lane], 34.0 * state.gain(mv) as f32);
        }
    }

    /// Where positions share nodes the tree is a third of what it is otherwise, and the best move is the same.
    #[test]
    fn positions_share_nodes() {
        let state = state(5, 6);
        let solved = Solver::new([0.0; 2]).solve(&state, u64::MAX, None).expect("no limit");
        let mut nodes = [0; 2];
        for (number, shares_nodes) in [false, true].into_iter().enumerate() {
            let policy = Policy { shares_nodes, random_visits: 0, ..CLASSIC };
            let found = search(policy).search(&state, &limit(30_000));
            nodes[number] = found.count("nodes in the tree");
            let gains = solved.iter().find(|(mv, _)| *mv == found.moves[0].mv).expect("it is legal").1;
            assert_eq!(gains[state.mover], solved[0].1[state.mover]);
        }
        assert!(3 * nodes[1] < nodes[0], "{nodes:?}");
    }

    /// A full tree goes on, and what is kept of it for the next turn is what can be reached.
    #[test]
    fn a_full_tree_goes_on_and_is_pruned() {
        let mut state = state(20, 7);
        let policy = Policy { shares_nodes: true, capacity: 3_000, random_visits: 0, ..CLASSIC };
        let mut search = search(policy);
        let found = search.search(&state, &limit(20_000));
        assert_eq!((found.count("iterations"), found.count("nodes in the tree")), (20_000, 3_000));
        state.play(found.moves[0].mv);
        let visits = found.moves[0].effort;
        search.tree.prune(&state);
        assert!(search.tree.nodes.len() < 2_000, "{}", search.tree.nodes.len());
        assert!(u64::from(search.tree.nodes[0].visits) >= visits);
        assert_eq!(search.tree.node(&state), Some(0));
        let again = search.search(&state, &limit(1));
        assert!(again.moves.iter().map(|of| of.effort).sum::<u64>() + 1 >= visits);
    }
}
