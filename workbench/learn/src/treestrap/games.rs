//! Games of Entropy that teach, and games that measure.

use super::Node;
use crate::own_game::EXACT;
use contender_entropy::evaluation::{INPUTS, LinearGuide, Observer, POINT, TurnWeights, Weights, decision};
use contender_entropy::{GreedyBot, Move, State};
use contender_game::{Bot, Chance, Clock, Game, Limits, Player, Rng, Turn, mix};
use contender_search::{Bounds, Fair, Guide, INFINITY, Search, SearchLimits};
use serde::{Deserialize, Serialize};

/// How games are played to learn from them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// Decisions that each search looks ahead, at least 1.
    pub depth: u32,
    /// Only the first so many turns of a game may see random moves: later ones would be learned from as if they were
    /// good.
    pub random_turns: u32,
    /// How likely a move of those turns is random.
    pub random_share: f64,
    /// The share of games in which `greedy` has one of the seats, drawn by lot.
    #[serde(default)]
    pub greedy_share: f64,
}

/// The linear evaluation as the guide of a search. It keeps what is found of the nodes that the evaluation is asked
/// about: those of chance and of Order. A drawn chip changes no evaluation.
pub struct Teacher {
    guide: LinearGuide,
    observer: Observer,
    /// What was found.
    pub nodes: Vec<Node<[f32; INPUTS]>>,
}

impl Teacher {
    /// The guide with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Teacher {
        Teacher { guide: LinearGuide::new(weights), observer: Observer::new(), nodes: Vec::new() }
    }

    /// What a state teaches whose value is within these bounds.
    ///
    /// # Panics
    /// If the game is over there.
    pub fn node(&mut self, state: &State, bounds: Bounds) -> Node<[f32; INPUTS]> {
        let points = |bound: i32| match bound {
            INFINITY => f32::INFINITY,
            bound if bound == -INFINITY => f32::NEG_INFINITY,
            bound => bound as f32 / POINT as f32,
        };
        Node {
            turn: decision(state).expect("the game is not over"),
            inputs: self.observer.inputs(state).map(|input| input as f32),
            base: state.score() as f32,
            low: points(bounds.low),
            high: points(bounds.high),
        }
    }
}

/// The search of games that teach or measure.
pub type ExactSearch<E> = Search<State, E, Fair>;

/// A search that is sound and exact to its depth.
#[must_use]
pub fn exact_search<E: Guide<State>>(guide: E) -> ExactSearch<E> {
    Search::new(guide, EXACT)
}

impl Guide<State> for Teacher {
    fn evaluate(&mut self, state: &State) -> i32 {
        self.guide.evaluate(state)
    }

    fn finished(&mut self, state: &State) -> i32 {
        self.guide.finished(state)
    }

    fn bounds(&self, state: &State, depth: u32) -> Bounds {
        self.guide.bounds(state, depth)
    }

    fn key(&self, state: &State) -> Option<u64> {
        self.guide.key(state)
    }

    fn slots(&self) -> usize {
        self.guide.slots()
    }

    fn slot(&self, state: &State, mv: Move) -> usize {
        self.guide.slot(state, mv)
    }

    fn score(&mut self, state: &State, mv: Move) -> i32 {
        self.guide.score(state, mv)
    }

    fn found(&mut self, state: &State, _depth: u32, bounds: Bounds) {
        if state.turn() == Turn::Player(Player::One) {
            return;
        }
        let node = self.node(state, bounds);
        self.nodes.push(node);
    }
}

/// Plays one game against oneself; a [`Teacher`] then has all that was searched. Everything follows from the guide and
/// the generator. Every state before a decision, and before the luck that precedes it, is shown to `see` when it has
/// been searched, with the search. Returns the final state.
///
/// Where a chip is to be drawn, all are searched: the node's value is known then, and not only that of the chip drawn.
pub fn teach<E: Guide<State>>(
    search: &mut ExactSearch<E>,
    settings: &SelfPlay,
    rng: &mut Rng,
    see: &mut dyn FnMut(&State, &mut ExactSearch<E>),
) -> State {
    let mut state = State::default();
    let has_rival = settings.greedy_share > 0.0 && rng.unit() < settings.greedy_share;
    let rival = has_rival.then(|| Player::BOTH[rng.index(2)]);
    let mut greedy = GreedyBot::new();
    while let Some(turn) = decision(&state) {
        let is_random = turn < settings.random_turns as usize && rng.unit() < settings.random_share;
        let is_chance = state.turn() == Turn::Chance;
        if is_chance {
            search.value(&state, settings.depth);
            see(&state, search);
            state.resolve(state.random_outcome(rng, &mut Vec::new()));
        }
        let best = search.search(&state, &SearchLimits::depth(settings.depth)).moves[0].mv;
        if !is_chance {
            see(&state, search);
        }
        let mv = match state.turn() {
            _ if is_random => state.random_move(rng, &mut Vec::new()),
            Turn::Player(player) if rival == Some(player) => greedy.choose(&state, player, &any_time()),
            _ => best,
        };
        state.play(mv);
    }
    state
}

/// A clock for bots that do not look at it.
fn any_time() -> Clock {
    Clock::new(Limits { nodes: Some(1), ..Limits::NONE })
}

/// The weights of turns as the game's bots take them: for each a constant and a weight for each input.
///
/// # Panics
/// If there are not as many turns or inputs as the game has.
#[must_use]
pub fn game_weights(turns: impl Iterator<Item = (f32, Vec<f32>)>) -> Weights {
    let of_turn = |(bias, inputs): (f32, Vec<f32>)| TurnWeights {
        bias,
        inputs: inputs.try_into().expect("a weight for every input"),
    };
    let turns: Vec<TurnWeights> = turns.map(of_turn).collect();
    Weights { turns: turns.try_into().expect("weights for every turn") }
}

/// The plainest bot that uses weights: a search to a fixed depth. Deterministic.
pub struct WeightsBot {
    search: ExactSearch<LinearGuide>,
    depth: u32,
}

impl WeightsBot {
    /// A bot that looks `depth` decisions ahead, at least 1.
    #[must_use]
    pub fn new(weights: Weights, depth: u32) -> WeightsBot {
        WeightsBot { search: exact_search(LinearGuide::new(weights)), depth: depth.max(1) }
    }
}

impl Bot<State, Move> for WeightsBot {
    fn choose(&mut self, state: &State, _player: Player, _clock: &Clock) -> Move {
        self.search.search(state, &SearchLimits::depth(self.depth)).moves[0].mv
    }
}

/// Plays a game between two bots, Order first, with the luck of `seed`, and returns its final score.
pub fn play(bots: [&mut dyn Bot<State, Move>; 2], seed: u64) -> i32 {
    let mut state = State::default();
    let mut rng = Rng::new(seed);
    let mut scratch = Vec::new();
    loop {
        match state.turn() {
            Turn::Over => return state.score(),
            Turn::Chance => {
                let outcome = state.random_outcome(&mut rng, &mut scratch);
                state.resolve(outcome);
            }
            Turn::Player(player) => {
                let mv = bots[player as usize].choose(&state, player, &any_time());
                bots[player.other() as usize].observe(&state, player.other(), &mv);
                state.play(mv);
            }
        }
    }
}

/// Plays one pair of games with the same luck and exchanged seats: A's points as Order less those of B.
pub fn play_pair(a: &mut dyn Bot<State, Move>, b: &mut dyn Bot<State, Move>, seed: u64) -> f64 {
    let first = play([&mut *a, &mut *b], seed);
    f64::from(first - play([b, a], seed))
}

/// The seed of a pair's luck, and so for all pairs of a match.
#[must_use]
pub fn pair_seed(seed: u64, pair: u32) -> u64 {
    mix(&[seed, u64::from(pair)])
}
