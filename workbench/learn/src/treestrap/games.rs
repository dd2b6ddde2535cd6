//! Games from which weights are learned, and games that measure strength.

use super::{Inputs, Node, Recipe, Targets};
use crate::self_play::{OPPONENT_NODES, endless, resolve, start};
pub use crate::self_play::{Searching, exact_search};
use contender_game::{
    contest::{Bot, Clock, Limits, MoveOf, StateOf, TypedContest},
    rules::{Game, Player, Rng, Turn, mix},
};
use contender_search::mcts::win_rewards;
use contender_search::{Bounds, Heuristics, INFINITY, SearchLimits, Tactics};
use contender_value::{Features, Unit, bundled_bot};
use serde::{Deserialize, Serialize};

/// Settings of the games from which weights are learned.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// Depth of each search in decisions, at least 1.
    pub depth: u32,
    /// Maximum number of consecutive [noisy moves](Features::is_noisy) that searches follow beyond their depth,
    /// including in matches.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quiescence: u32,
    /// Number of turns at the start of a game in which random moves are possible. Random moves later in the game would
    /// distort the results.
    pub random_turns: u32,
    /// Probability of a random move in these turns.
    pub random_share: f64,
    /// Fraction of games in which the bot `greedy` plays in a random seat.
    #[serde(default)]
    pub greedy_share: f64,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// An evaluation with weights that guides a search and records the search's nodes.
pub struct Teacher<G> {
    guide: Box<dyn Heuristics<G>>,
    /// The recorded nodes, or `None` if nothing is recorded.
    nodes: Option<Vec<Node>>,
}

impl<G: Features> Teacher<G> {
    /// Creates the guide with these weights.
    #[must_use]
    pub fn new(weights: &[f32]) -> Teacher<G> {
        Teacher { guide: G::guide(weights), nodes: Some(Vec::new()) }
    }

    /// Creates the guide with these weights, without recording nodes.
    fn silent(weights: &[f32]) -> Teacher<G> {
        Teacher { nodes: None, ..Teacher::new(weights) }
    }

    /// Returns the nodes recorded since the last call.
    pub fn take(&mut self) -> Vec<Node> {
        self.nodes.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

/// Creates the training node for a state whose value is within these bounds.
///
/// # Panics
/// Panics if the game returns a feature that is out of range.
#[must_use]
pub fn node<G: Features>(state: &G, bounds: Bounds) -> Node {
    let value = |bound: i32| match bound {
        INFINITY => f32::INFINITY,
        bound if bound == -INFINITY => f32::NEG_INFINITY,
        bound => bound as f32 / G::UNIT.of_search() as f32,
    };
    let [low, high] = [bounds.low, bounds.high].map(value);
    Node { turn: state.stage(), inputs: Inputs::of(state), base: state.points_so_far() as f32, low, high }
}

impl<G: Features> Heuristics<G> for Teacher<G> {
    fn evaluate(&mut self, state: &G) -> i32 {
        self.guide.evaluate(state)
    }

    fn finished(&mut self, state: &G) -> i32 {
        self.guide.finished(state)
    }

    fn bounds(&self, state: &G, depth: u32) -> Bounds {
        self.guide.bounds(state, depth)
    }

    fn key(&self, state: &G) -> Option<u64> {
        self.guide.key(state)
    }

    fn slots(&self) -> usize {
        self.guide.slots()
    }

    fn slot(&self, state: &G, mv: G::Move) -> usize {
        self.guide.slot(state, mv)
    }

    fn score(&mut self, state: &G, mv: G::Move) -> i32 {
        self.guide.score(state, mv)
    }

    fn begin(&mut self, ply: usize, state: &G) {
        self.guide.begin(ply, state);
    }

    fn follow(&mut self, ply: usize, before: &G, mv: G::Move, after: &G) {
        self.guide.follow(ply, before, mv, after);
    }

    fn evaluate_at(&mut self, ply: usize, state: &G, window: Bounds) -> i32 {
        self.guide.evaluate_at(ply, state, window)
    }

    fn found(&mut self, state: &G, _depth: u32, bounds: Bounds) {
        if let Some(nodes) = &mut self.nodes
            && bounds != Bounds::ANY
            && state.teaches()
        {
            nodes.push(node(state, bounds));
        }
    }
}

impl<G: Features> Tactics<G> for Teacher<G> {
    fn is_noisy(&self, state: &G, mv: G::Move) -> bool {
        state.is_noisy(mv)
    }
}

/// Plays a game in which the search plays both sides, from this state to the end. A [`Teacher`] then contains all nodes
/// of the searches. The game depends only on the guide and the generator. `see` is called after every search with the
/// state that was searched. If [chance teaches](Features::CHANCE_TEACHES), `see` is called with the state before a
/// chance outcome instead of the state after it.
///
/// # Errors
/// Returns an error if the game does not end.
pub fn teach<G: Features, E: Tactics<G>>(
    mut state: G,
    search: &mut Searching<G, E>,
    settings: &SelfPlay,
    rng: &mut Rng,
    see: &mut dyn FnMut(&G, &mut Searching<G, E>),
) -> Result<G, String> {
    let has_rival = settings.greedy_share > 0.0 && rng.unit() < settings.greedy_share;
    let mut rival = has_rival.then(|| (Player::BOTH[rng.index(2)], G::rival(0).1));
    let mut turns = 0;
    loop {
        let is_chance = state.turn() == Turn::Chance;
        match state.turn() {
            Turn::Over => return Ok(state),
            Turn::Chance if !G::CHANCE_TEACHES => {
                resolve(&mut state, rng);
                continue;
            }
            _ if turns == G::MAX_TURNS => return Err(endless(turns)),
            _ => {}
        }
        let is_random = turns < settings.random_turns as usize && rng.unit() < settings.random_share;
        while state.turn() == Turn::Chance {
            search.value(&state, settings.depth);
            see(&state, search);
            resolve(&mut state, rng);
        }
        let Turn::Player(player) = state.turn() else { continue };
        // The search is useful for learning even if its move is not played.
        let best = search.search(&state, &SearchLimits::depth(settings.depth)).moves[0].mv;
        if !is_chance {
            see(&state, search);
        }
        let mv = match &mut rival {
            _ if is_random => state.random_move(rng, &mut Vec::new()),
            Some((seat, bot)) if *seat == player => bot.choose(&state, player, &any_time()),
            _ => best,
        };
        state.play(mv);
        turns += 1;
    }
}

/// Returns a clock for bots that do not use time.
fn any_time() -> Clock {
    Clock::new(Limits { nodes: Some(1), ..Limits::NONE })
}

/// Returns a function that plays games of self-play with these weights. It returns the nodes to learn from with their
/// stages, or an error if the game does not end. Each game depends only on the generator and the games before it.
pub fn player<C>(
    recipe: &Recipe,
    weights: &[f32],
) -> impl FnMut(&mut Rng) -> Result<Vec<Node>, String> + use<C>
where
    C: TypedContest,
    StateOf<C>: Features,
{
    let Recipe { targets, self_play, .. } = recipe.clone();
    let mut search = exact_search(Teacher::new(weights), self_play.quiescence);
    move |rng| {
        // If chance makes games different, they can have the same start.
        let seed = if <StateOf<C>>::CHANCE_TEACHES { 0 } else { rng.next_u64() };
        let mut positions = Vec::new();
        let mut see = |state: &StateOf<C>, search: &mut Searching<StateOf<C>, Teacher<StateOf<C>>>| {
            if targets != Targets::Nodes {
                // The transposition table contains the value of the search that has just ended.
                let value = search.value(state, self_play.depth);
                positions.push(node(state, Bounds::exact(value)));
            }
        };
        let end = teach(start::<C>(seed), &mut search, &self_play, rng, &mut see)?;
        let result = match <StateOf<C>>::UNIT {
            Unit::Wins => end.value().signum(),
            Unit::Points(_) => end.points_so_far(),
        };
        targets.teach(&mut positions, result as f32);
        let searched = search.guide().guide().take();
        Ok(if targets == Targets::Nodes { searched } else { positions })
    }
}

/// An opponent in matches.
#[derive(Clone, Copy, Debug)]
pub enum MatchOpponent<'a> {
    /// The same search with different weights.
    Weights(&'a [f32]),
    /// The game's [rival](Features::rival).
    Rival,
    /// A bundled bot, given as `name` or `name:options`.
    Bot(&'a str),
}

/// Returns a function that plays pairs of games between these weights and an opponent. Both games of a pair have the
/// same seed, the same chance outcomes and the same opening. If the contest counts wins, the result of a pair is the
/// fraction of the two games that the first player won, counting a draw or an endless game as half. If the contest
/// counts points, the result is the sum of the first player's leads in both games.
pub fn rivals<'a, C>(
    recipe: &Recipe,
    weights: &[f32],
    opponent: MatchOpponent<'a>,
) -> impl FnMut(u64) -> f64 + use<'a, C>
where
    C: TypedContest,
    StateOf<C>: Features<Move = MoveOf<C>>,
{
    let self_play = recipe.self_play;
    let nodes = recipe.matches.nodes.unwrap_or(OPPONENT_NODES);
    let depth = SearchLimits::depth(recipe.matches.depth);
    let searcher =
        |weights: &[f32]| exact_search(Teacher::<StateOf<C>>::silent(weights), self_play.quiescence);
    let mut own = searcher(weights);
    let mut others = match opponent {
        MatchOpponent::Weights(others) => Some(searcher(others)),
        _ => None,
    };
    move |seed| {
        let seat_seed = mix(&[seed, 1]);
        let clock = match opponent {
            MatchOpponent::Bot(_) => Clock::new(Limits::nodes(nodes)),
            _ => any_time(),
        };
        let mut rival = match opponent {
            MatchOpponent::Bot(words) => {
                bundled_bot::<C>(words, seat_seed).expect("the recipe was checked, so the bot exists")
            }
            _ => <StateOf<C>>::rival(seat_seed).1,
        };
        let worths = Player::BOTH.map(|seat| {
            let choose = |state: &StateOf<C>, player: Player| match &mut others {
                _ if player == seat => own.search(state, &depth).moves.swap_remove(0).mv,
                Some(others) => others.search(state, &depth).moves.swap_remove(0).mv,
                None => rival.choose(state, player, &clock),
            };
            let end = measure(start::<C>(seed), &self_play, &mut Rng::new(seed), choose);
            match <StateOf<C>>::UNIT {
                Unit::Wins => end.map_or(0.5, |end| f64::from(win_rewards(end.points())[seat])) / 2.0,
                Unit::Points(_) => end.map_or(0.0, |end| f64::from(seat.sign() * end.points_so_far())),
            }
        });
        worths[0] + worths[1]
    }
}

/// Plays a game to the end with the moves that `choose` returns. The generator determines the chance outcomes and the
/// opening.
fn measure<G: Features>(
    mut state: G,
    self_play: &SelfPlay,
    rng: &mut Rng,
    mut choose: impl FnMut(&G, Player) -> G::Move,
) -> Result<G, String> {
    let random_turns = if G::CHANCE_TEACHES { 0 } else { self_play.random_turns as usize };
    let mut turns = 0;
    loop {
        match state.turn() {
            Turn::Over => return Ok(state),
            Turn::Player(_) if turns == G::MAX_TURNS => return Err(endless(turns)),
            Turn::Chance => resolve(&mut state, rng),
            Turn::Player(player) => {
                let is_random = turns < random_turns && rng.unit() < self_play.random_share;
                let found = choose(&state, player);
                state.play(if is_random { state.random_move(rng, &mut Vec::new()) } else { found });
                turns += 1;
            }
        }
    }
}
