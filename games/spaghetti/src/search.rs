//! Monte Carlo tree search with random games, in which each player maximises its own points. The bots differ in their
//! [`Policy`].
//!
//! This is not the kit's search, because this game differs in two ways. A node has up to 189 moves, which are added one
//! by one. And a move's immediate gain is known without extra work when the move is tried.

use crate::generate::{links, random_game, Generator};
use crate::policy::{urgency, weights, Choice, Ending, Policy};
use crate::tree::{self, Tree, LANES, OVER};
use crate::{Move, State};
use contender_game::{
    contest::{Analysis, MoveAnalysis},
    rules::{Game, Rng},
};
use contender_search::{SearchBudget, SearchLimits};

/// The unit of values: the player's lead at the end of the game.
pub(crate) const UNIT: &str = "points";

/// Number of iterations between two checks of the lead of the most visited move.
const LEAD_EVERY: u64 = 1 << 10;

/// A search with its tree.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    policy: Policy,
    tree: Tree,
    rng: Rng,
    /// The nodes on the path from the root, each with the slot of the move that was made in it.
    path: Vec<(u32, usize)>,
}

impl Search {
    pub fn new(policy: Policy, seed: u64) -> Search {
        let tree = Tree::new(policy.capacity);
        Search { policy, tree, rng: Rng::new(seed), path: Vec::new() }
    }

    /// Searches a state in which a player must act, with a new tree. Each iteration counts as a node towards the
    /// limits. The depth limit is ignored. At least one iteration is run.
    pub fn search(&mut self, state: &State, limits: &SearchLimits) -> Analysis<Move> {
        let mut meter = SearchBudget::of_iterations(limits);
        self.tree.clear();
        let root = self.tree.add();
        let player = state.mover;
        let mut objectives = [[0.0; 2]; 2];
        objectives[player] = weights(player, self.policy.share);
        objectives[player.other()] = weights(player.other(), self.policy.model);
        let majority = limits.nodes.map_or(u64::MAX, |nodes| (nodes / 2).max(1));
        let mut deepest = 0;
        while meter.count().is_ok() {
            let visits = self.iterate(root, state, &objectives);
            deepest = deepest.max(self.path.len());
            let is_decided = match self.policy.ending {
                Ending::Majority => u64::from(visits) >= majority,
                Ending::Lead => meter.nodes() % LEAD_EVERY == 0 && self.lead(root) > meter.left(),
            };
            if is_decided {
                break;
            }
        }
        let moves = self.root_moves(root);
        let lead = f64::from(state.scores()[player] - state.scores()[player.other()]);
        let describe = |&place: &usize| {
            let (bunch, lane) = (&self.tree.bunches[place / LANES], place % LANES);
            let child = bunch.child[lane];
            let later =
                if child == OVER { 0.0 } else { self.tree.nodes[child as usize].mean(weights(player, 1.0)) };
            MoveAnalysis {
                mv: self.mv(place),
                value: [lead + f64::from(bunch.gain[lane]) + f64::from(later); 2],
                is_proven: false,
                effort: u64::from(bunch.visits[lane]),
            }
        };
        Analysis {
            line: self.line(&moves),
            unit: UNIT,
            counts: vec![
                ("iterations", meter.nodes()),
                ("nodes in the tree", self.tree.nodes.len() as u64),
                ("longest path", deepest as u64),
            ],
            elapsed: meter.elapsed(),
            ..Analysis::of(moves.iter().map(describe).collect())
        }
    }

    /// Returns the lead of the most visited move, as a number of visits.
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

    /// Runs one iteration: selects moves down the tree, plays a random game, and updates the nodes. `objectives`
    /// contains each player's weights for both players' points. Returns the number of visits of the root's move that
    /// this iteration followed.
    fn iterate(&mut self, root: u32, start: &State, objectives: &[[f32; 2]; 2]) -> u32 {
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
                let moves = self.policy.moves.moves(&mut state);
                let links = if self.policy.links_first { links(&state) } else { [0; 3] };
                self.tree.open(at, moves, links);
            }
            let Some(place) = self.follow(at, &mut state) else { break self.random_game(&mut state) };
            self.path.push((at, place));
            at = self.tree.bunches[place / LANES].child[place % LANES];
        };
        if at != OVER {
            self.tree.nodes[at as usize].visit(gains);
        }
        let mut mover = if self.path.len() % 2 == 0 { start.mover } else { start.mover.other() };
        for &(node, place) in self.path.iter().rev() {
            mover = mover.other();
            let (bunch, lane) = (place / LANES, place % LANES);
            let gain = i32::from(self.tree.bunches[bunch].gain[lane]);
            let child = self.tree.bunches[bunch].child[lane];
            gains[mover] += gain;
            let later =
                if child == OVER { 0.0 } else { self.tree.nodes[child as usize].mean(objectives[mover]) };
            self.tree.visit(place, gain as f32 + later);
            self.tree.nodes[node as usize].visit(gains);
        }
        self.path.first().map_or(0, |&(_, place)| self.visits(place))
    }

    fn random_game(&mut self, state: &mut State) -> [i32; 2] {
        match self.policy.games {
            Generator::All => state.rollout(&mut self.rng, self.policy.redraws, |_| {}),
            generator => random_game(state, generator, &mut self.rng),
        }
    }

    /// Plays the move that an iteration follows, and returns the slot of the move in its node. Untried moves come
    /// first. Returns `None` if the tree has no room for another node.
    fn follow(&mut self, at: u32, state: &mut State) -> Option<usize> {
        let branches = *self.tree.branches(at).expect("the node is open");
        let untried = tree::count(&branches.untried);
        if untried == 0 || self.tree.is_full() {
            if branches.tried == 0 {
                return None;
            }
            let place = self.choose(at);
            state.play(self.mv(place));
            return Some(place);
        }
        let mv = match tree::count(&branches.links) {
            0 => tree::nth(&branches.untried, self.rng.below(untried)),
            links => tree::nth(&branches.links, self.rng.below(links)),
        };
        let (mover, before) = (state.mover, state.scores()[state.mover]);
        state.play(mv);
        let gain = state.scores()[mover] - before;
        let child = if state.empty == 0 { OVER } else { self.tree.add() };
        Some(self.tree.push(at, mv, gain, self.policy.bias * gain as f32, child))
    }

    /// Returns the slot of the move to follow at a node without untried moves.
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

    /// Returns the slot of the most urgent move; `weight` is the weight of the moves' pull.
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

    /// Returns the slots of the moves tried at a node.
    fn tried(&self, node: u32) -> impl Iterator<Item = usize> {
        self.tree.branches(node).map_or(0..0, |branches| {
            let first = Tree::place(branches, 0);
            first..first + usize::from(branches.tried)
        })
    }

    /// Returns the most visited moves, starting with the first of `moves`.
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

    /// Returns the slots of the root's moves, starting with the move to play.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Solver;
    use contender_game::rules::Player;

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

    const CLASSIC: Policy = Policy {
        choice: Choice::Confidence { exploration: 7.0 },
        bias: 34.0,
        random_visits: 40,
        ending: Ending::Lead,
        ..Policy::UCT
    };

    /// Checks every node in trees of all kinds.
    #[test]
    fn the_tree_adds_up_and_the_most_urgent_move_is_found() {
        for (number, policy) in [
            CLASSIC,
            Policy { links_first: true, random_visits: 0, share: 0.5, model: 0.5, ..CLASSIC },
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
            let found = search.search(&state, &SearchLimits::nodes(20_000));
            assert!(found.count("iterations") > 5_000);
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

    /// In a tree without shared nodes, every mean is the mean of the games through the node.
    #[test]
    fn means_are_those_of_the_games() {
        let state = state(8, 5);
        let mut search = search(CLASSIC);
        search.search(&state, &SearchLimits::nodes(5_000));
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

    /// With 30,000 iterations the search finds the best move when five cells are empty.
    #[test]
    fn it_finds_the_best_move_near_the_end() {
        let state = state(5, 6);
        let solved = Solver::new([0.0; 2]).analyse(&state, &SearchLimits::NONE).expect("no limit");
        let found =
            search(Policy { random_visits: 0, ..CLASSIC }).search(&state, &SearchLimits::nodes(30_000));
        let worth = solved.moves.iter().find(|of| of.mv == found.moves[0].mv).expect("it is legal").value;
        assert_eq!(worth, solved.moves[0].value);
    }

    /// The value of the last move is the lead after it, whatever the player maximises.
    #[test]
    fn a_value_is_the_lead_at_the_end() {
        let last = state(1, 4);
        let found = search(Policy { share: 0.5, ..CLASSIC }).search(&last, &SearchLimits::nodes(100));
        let solved = Solver::new([0.5; 2]).analyse(&last, &SearchLimits::NONE).expect("no limit");
        assert_eq!((found.moves.len(), solved.moves.len(), found.unit), (3, 3, "points"));
        for of in found.moves.iter().chain(&solved.moves) {
            let mut end = last.clone();
            end.play(of.mv);
            let [zero, one] = end.scores();
            let lead = if last.mover == Player::Zero { zero - one } else { one - zero };
            assert_eq!(of.value, [f64::from(lead); 2]);
        }
    }

    #[test]
    fn moves_that_join_the_walls_are_tried_first() {
        let mut seen = 0;
        for seed in 0..300 {
            let state = state(12, seed);
            let links = links(&state);
            let expected = tree::count(&links);
            let mut search = search(Policy { links_first: true, ..CLASSIC });
            search.search(&state, &SearchLimits::nodes(u64::from(expected.max(1))));
            let tried: Vec<Move> = search.tried(0).map(|place| search.mv(place)).collect();
            let is_link = |mv: &Move| links[mv.tile().index()] >> mv.cell().index() & 1 == 1;
            assert!(expected == 0 || tried.len() as u32 == expected && tried.iter().all(is_link));
            seen += expected;
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn moves_are_followed_as_the_policy_says() {
        let state = state(5, 9);
        let visits = |policy: Policy| -> [u64; 2] {
            let endless = Policy { ending: Ending::Lead, ..policy };
            let mut search = search(endless);
            let found = search.search(&state, &SearchLimits::nodes(3_000));
            assert_eq!(found.moves.len(), 15);
            let mean = |of: &MoveAnalysis<Move>| {
                let place = search.tried(0).find(|&place| search.mv(place) == of.mv).expect("it was tried");
                f64::from(search.tree.bunches[place / LANES].mean[place % LANES])
            };
            let order = |of: &MoveAnalysis<Move>| if policy.plays_best { mean(of) } else { of.effort as f64 };
            assert!(found.moves.windows(2).all(|two| order(&two[0]) >= order(&two[1])));
            let efforts = || found.moves.iter().map(|of| of.effort);
            [efforts().min().unwrap_or(0), efforts().max().unwrap_or(0)]
        };
        // While all choices are random, 3,000 visits give 200 for each move, with a standard deviation of 14.
        let [least, most] = visits(Policy { random_visits: 10_000, ..CLASSIC });
        assert!(least > 130 && most < 270, "{least} to {most} at random");
        let greedy = |least| Policy { choice: Choice::Greedy { least, extra: 0.0 }, ..Policy::UCT };
        let [least, most] = visits(greedy(1.0));
        assert!(least > 130 && most < 270, "{least} to {most} at random");
        let [least, most] = visits(greedy(0.2));
        assert!(least > 15 && most > 600, "{least} to {most}, four of five the best");
        let [least, most] = visits(Policy { choice: Choice::Even, plays_best: true, ..Policy::UCT });
        assert!(most - least <= 1, "{least} to {most} in turn");
    }

    #[test]
    fn a_full_tree_goes_on() {
        let policy = Policy { capacity: 3_000, random_visits: 0, ..CLASSIC };
        let found = search(policy).search(&state(20, 7), &SearchLimits::nodes(20_000));
        assert_eq!(found.count("nodes in the tree"), 3_000);
        assert!(found.count("iterations") > 9_000);
    }

    #[test]
    fn a_majority_ends_the_search_and_so_does_a_lead_that_cannot_be_caught() {
        let state = state(3, 8);
        for ending in [Ending::Majority, Ending::Lead] {
            let policy = Policy { ending, random_visits: 0, ..CLASSIC };
            let found = search(policy).search(&state, &SearchLimits::nodes(50_000));
            let done = found.count("iterations");
            let [first, second] = [0, 1].map(|at| found.moves[at].effort);
            assert!(done < 50_000);
            match ending {
                Ending::Majority => assert_eq!(first, 25_000),
                Ending::Lead => assert!(first - second > 50_000 - done),
            }
        }
    }
}
