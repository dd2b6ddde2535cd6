//! Plain expectimax: every line of play to a fixed depth, chance weighted by its probabilities, no pruning. It knows no game.
//!
//! Michie's expectimax ("Game-playing and game-learning automata", 1966) is the obvious search for a game with chance, and the twin
//! that cleverer ones are compared with.

use crate::{Move, State};
use contender_game::{Bot, Chance, Clock, Player, Turn};
use std::time::Instant;

/// How far a search may go. It deepens decision by decision and returns what the deepest completed depth found.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Decisions of players to look ahead, at least 1; outcomes of chance do not count.
    pub depth: u32,
    /// The most states to visit, over all depths.
    pub nodes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found<M> {
    /// The best move; of equal ones the first in the order of [`Game::moves`](contender_game::Game::moves).
    pub mv: M,
    /// Its expected value, from player 0's view.
    pub value: f64,
    /// The depth that was completed; 0 if not even the first was, and then `mv` is the first legal move.
    pub depth: u32,
    /// States visited.
    pub nodes: u64,
}

/// Searches for the player to act in `state`; `None` if it is no player's turn.
///
/// The same state, depth and number of nodes give the same result on every machine if there is no deadline.
pub fn expectimax<G: Chance>(state: &G, limit: Limit) -> Option<Found<G::Move>> {
    let mut search = Search {
        limit,
        nodes: 0,
        is_cut: true,
        moves: Vec::with_capacity(256),
        outcomes: Vec::with_capacity(64),
    };
    state.moves(&mut search.moves);
    let mut found = Found { mv: *search.moves.first()?, value: f64::from(state.value()), depth: 0, nodes: 0 };
    search.moves.clear();
    while found.depth < limit.depth && search.is_cut {
        search.is_cut = false;
        let Some((value, best)) = search.decision(state, found.depth + 1) else { break };
        let Some(mv) = best else { break };
        found = Found { mv, value, depth: found.depth + 1, nodes: 0 };
    }
    Some(Found { nodes: search.nodes, ..found })
}

struct Search<G: Chance> {
    limit: Limit,
    nodes: u64,
    /// Whether the depth cut off a game that was not over: else a greater depth finds nothing new.
    is_cut: bool,
    /// The moves of all nodes on the current line, as one stack.
    moves: Vec<G::Move>,
    outcomes: Vec<(G::Outcome, u32)>,
}

impl<G: Chance> Search<G> {
    /// How often the clock is read: a node takes well under a microsecond in the games here.
    const NODES_PER_LOOK: u64 = 512;

    /// The expected value of `state` with `depth` decisions to go; `None` if the limit is reached.
    fn value(&mut self, state: &G, depth: u32) -> Option<f64> {
        if self.limit.nodes.map_or(false, |limit| self.nodes >= limit) {
            return None;
        }
        self.nodes += 1;
        if self.nodes % Self::NODES_PER_LOOK == 0
            && self.limit.deadline.map_or(false, |deadline| Instant::now() >= deadline)
        {
            return None;
        }
        match state.turn() {
            Turn::Over => Some(f64::from(state.value())),
            _ if depth == 0 => {
                self.is_cut = true;
                Some(f64::from(state.value()))
            }
            Turn::Chance => self.average(state, depth),
            Turn::Player(_) => self.decision(state, depth).map(|(value, _)| value),
        }
    }

    /// The value of the best move and the move.
    fn decision(&mut self, state: &G, depth: u32) -> Option<(f64, Option<G::Move>)> {
        let Turn::Player(player) = state.turn() else { return None };
        let sign = f64::from(player.sign());
        let mut best = (f64::NEG_INFINITY, None);
        let start = self.moves.len();
        state.moves(&mut self.moves);
        let end = self.moves.len();
        for at in start..end {
            let mv = self.moves[at];
            let mut child = state.clone();
            child.play(mv);
            let own_value = sign * self.value(&child, depth - 1)?;
            if own_value > best.0 {
                best = (own_value, Some(mv));
            }
        }
        self.moves.truncate(start);
        Some((sign * best.0, best.1))
    }

    fn average(&mut self, state: &G, depth: u32) -> Option<f64> {
        let (mut sum, mut weights) = (0.0, 0);
        let start = self.outcomes.len();
        state.outcomes(&mut self.outcomes);
        let end = self.outcomes.len();
        for at in start..end {
            let (outcome, weight) = self.outcomes[at];
            let mut child = state.clone();
            child.resolve(outcome);
            sum += f64::from(weight) * self.value(&child, depth)?;
            weights += weight;
        }
        self.outcomes.truncate(start);
        Some(sum / f64::from(weights))
    }
}

/// Plays the move that expectimax finds, with the score as its evaluation. Deterministic, unless time runs short.
#[derive(Clone, Debug)]
pub struct ExpectimaxBot {
    depth: u32,
}

impl ExpectimaxBot {
    /// The bot that looks this many decisions ahead, at least 1.
    #[must_use]
    pub fn new(depth: u32) -> ExpectimaxBot {
        ExpectimaxBot { depth: depth.max(1) }
    }

    /// When to stop thinking: an equal share of the game's time for each move that is left, with a thirtieth of the game's time kept
    /// for delays, and four fifths of a turn's time at most.
    fn deadline(state: &State, clock: &Clock) -> Option<Instant> {
        let moves_left = 49_u32.saturating_sub(state.placed()).max(1);
        let reserve = clock.budget().limits.game.unwrap_or_default() / 30;
        let share = clock.game_left().map(|left| left.saturating_sub(reserve) / moves_left);
        let turn = clock.turn_limit().map(|limit| limit / 5 * 4);
        let time = share.into_iter().chain(turn).min()?;
        clock.turn_start().checked_add(time)
    }
}

impl Bot<State, Move> for ExpectimaxBot {
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
        let nodes = clock.nodes();
        let deadline = if nodes.is_some() { None } else { ExpectimaxBot::deadline(state, clock) };
        let found = expectimax(state, Limit { depth: self.depth, nodes, deadline });
        found.expect("a player to act has a move").mv
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_state;
    use crate::Scoring;
    use contender_game::{Game, Rng};

    const ALL: Limit = Limit { depth: u32::MAX, nodes: None, deadline: None };

    /// Player 0 rolls a die (1 with weight 1, 2 with weight 2, 3 with weight 3) up to three times; the latest roll counts.
    #[derive(Clone, PartialEq, Debug)]
    struct Rolls {
        value: i32,
        left: u32,
        is_rolling: bool,
    }

    impl Game for Rolls {
        type Move = bool;

        fn turn(&self) -> Turn {
            match self.left {
                0 => Turn::Over,
                _ if self.is_rolling => Turn::Chance,
                _ => Turn::Player(Player::Zero),
            }
        }

        fn moves(&self, moves: &mut Vec<bool>) {
            if self.left > 0 && !self.is_rolling {
                moves.extend([false, true]);
            }
        }

        fn play(&mut self, rolls: bool) {
            self.is_rolling = rolls;
            self.left = if rolls { self.left } else { 0 };
        }

        fn points(&self) -> [i32; 2] {
            [self.value, 0]
        }
    }

    impl Chance for Rolls {
        type Outcome = i32;

        fn outcomes(&self, outcomes: &mut Vec<(i32, u32)>) {
            if self.left > 0 && self.is_rolling {
                outcomes.extend([(1, 1), (2, 2), (3, 3)]);
            }
        }

        fn resolve(&mut self, face: i32) {
            *self = Rolls { value: face, left: self.left - 1, is_rolling: false };
        }
    }

    #[test]
    fn values_known_by_hand() {
        // One roll is worth (1 + 4 + 9) / 6 = 7/3. With a second one in hand 1 and 2 are rolled again:
        // (3 × 7/3 + 3 × 3) / 6 = 8/3; with a third one too: (3 × 8/3 + 3 × 3) / 6 = 17/6.
        for (left, value) in [(1, 7.0 / 3.0), (2, 8.0 / 3.0), (3, 17.0 / 6.0)] {
            let found = expectimax(&Rolls { value: 0, left, is_rolling: false }, ALL).unwrap();
            assert!((found.value - value).abs() < 1e-12, "{left}: {found:?}");
            assert!(found.mv);
        }
        assert!(!expectimax(&Rolls { value: 3, left: 2, is_rolling: false }, ALL).unwrap().mv);
        assert_eq!(expectimax(&Rolls { value: 3, left: 2, is_rolling: true }, ALL), None);
    }

    /// A position with a player to act, late in a game when `placed` is high.
    fn position(placed: u32, rng: &mut Rng) -> State {
        let mut state = State::default();
        loop {
            match state.turn() {
                Turn::Chance => state.resolve(state.random_outcome(rng, &mut Vec::new())),
                _ if state.placed() >= placed => return state,
                _ => state.play(state.random_move(rng, &mut Vec::new())),
            }
        }
    }

    /// The definition, with sums of scores over all the chips of the bag.
    fn naive(state: &State, depth: u32) -> f64 {
        let children = |moves: Vec<Move>| {
            moves.into_iter().map(|mv| {
                let mut child = state.clone();
                child.play(mv);
                naive(&child, depth - 1)
            })
        };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        match state.turn() {
            _ if depth == 0 => f64::from(state.value()),
            Turn::Over => f64::from(state.value()),
            Turn::Player(Player::Zero) => children(moves).fold(f64::NEG_INFINITY, f64::max),
            Turn::Player(Player::One) => children(moves).fold(f64::INFINITY, f64::min),
            Turn::Chance => {
                let chips = (1..=7).flat_map(|colour| (0..state.left(colour)).map(move |_| colour));
                let values: Vec<f64> = chips
                    .map(|colour| {
                        let mut child = state.clone();
                        child.resolve(colour);
                        naive(&child, depth)
                    })
                    .collect();
                values.iter().sum::<f64>() / values.len() as f64
            }
        }
    }

    #[test]
    fn values_are_those_of_the_definition() {
        let mut rng = Rng::new(1);
        for round in 0..60 {
            let (placed, depth) = if round % 2 == 0 { (40, 2) } else { (47, 5) };
            let state = position(placed, &mut rng);
            let found = expectimax(&state, Limit { depth, nodes: None, deadline: None }).unwrap();
            assert!((found.value - naive(&state, depth)).abs() < 1e-9);
            let mut child = state.clone();
            child.play(found.mv);
            assert!((found.value - naive(&child, depth - 1)).abs() < 1e-9, "the move has not the best value");
        }
    }

    #[test]
    fn a_node_budget_is_kept_and_reproducible() {
        let state = position(30, &mut Rng::new(2));
        let mut last_depth = 0;
        for nodes in [0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] {
            let limit = Limit { depth: 3, nodes: Some(nodes), deadline: None };
            let found = expectimax(&state, limit).unwrap();
            assert!(found.nodes <= nodes);
            assert!(found.depth >= last_depth, "more nodes see less far");
            last_depth = found.depth;
            assert_eq!(expectimax(&state, limit), Some(found));
            if found.depth > 0 {
                let limit = Limit { depth: found.depth, nodes: None, deadline: None };
                let unlimited = expectimax(&state, limit).unwrap();
                assert_eq!((unlimited.mv, unlimited.value), (found.mv, found.value));
            }
        }
        assert!(last_depth >= 2);
    }

    #[test]
    fn a_deadline_in_the_past_ends_the_search() {
        let state = position(10, &mut Rng::new(3));
        let limit = Limit { depth: u32::MAX, nodes: None, deadline: Some(Instant::now()) };
        let found = expectimax(&state, limit).unwrap();
        assert!(found.nodes <= Search::<State>::NODES_PER_LOOK);
    }

    #[test]
    fn a_search_ends_with_the_game() {
        let last = "111111./2222222/3333333/4444444/5555555/6666666/7777777 1";
        let state = parse_state(last, Scoring::Rules).unwrap();
        let found = expectimax(&state, ALL).unwrap();
        assert_eq!((found.value, found.depth, found.nodes), (539.0, 1, 1));
    }
}
