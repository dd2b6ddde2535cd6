//! The games in the table: the parts that the checks need, and positions.

use super::guides::{BoxScore, UtttBoards};
use contender_bench::guides::SpaghettiScore;
use contender_boxes as boxes;
use contender_entropy as entropy;
use contender_game::rules::{Chance, Game, Player, Rng, Turn};
use contender_search::{ChanceModel, Heuristics, NoChance, WithChance, expectimax, minimax};
use contender_spaghetti as spaghetti;
use contender_uttt as uttt;
use std::fmt::Debug;

/// A game with the parts that the checks need.
pub trait Subject {
    type State: Game + Debug;
    type Heuristics: Heuristics<Self::State> + Clone;
    type ChanceModel: ChanceModel<Self::State>;

    /// Returns a position in which a player must move, and a depth that a plain search reaches within milliseconds.
    fn position(rng: &mut Rng) -> (Self::State, u32);

    /// Returns a position from which a plain search reaches the end within milliseconds, and a sufficient depth.
    fn ending(rng: &mut Rng) -> (Self::State, u32);

    fn guide(state: &Self::State) -> Self::Heuristics;

    fn plain(state: &Self::State, depth: u32) -> i32;
}

pub struct Entropy;

impl Subject for Entropy {
    type State = entropy::State;
    type Heuristics = entropy::ScoreGuide;
    type ChanceModel = WithChance;

    fn position(rng: &mut Rng) -> (entropy::State, u32) {
        let (left, depth) = if rng.below(2) == 0 { (2 + rng.below(46), 2) } else { (2 + rng.below(9), 3) };
        (entropy_state(rng, left), depth)
    }

    fn ending(rng: &mut Rng) -> (entropy::State, u32) {
        loop {
            let state = entropy_state(rng, 1);
            if state.turn() == Turn::Player(Player::Zero) || state.placed() == 48 {
                return (state, 4);
            }
        }
    }

    fn guide(state: &entropy::State) -> entropy::ScoreGuide {
        entropy::ScoreGuide::of(state)
    }

    fn plain(state: &entropy::State, depth: u32) -> i32 {
        expectimax(state, depth, &mut Self::guide(state))
    }
}

/// Returns a state after random moves in which `left` chips are left and a player must move.
pub fn entropy_state(rng: &mut Rng, left: u32) -> entropy::State {
    let mut state = entropy::State::default();
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    let order = rng.below(2) == 0;
    loop {
        match state.turn() {
            Turn::Chance => state.resolve(state.random_outcome(rng, &mut outcomes)),
            Turn::Player(player) if state.placed() + left >= 49 && (player == Player::Zero) == order => {
                return state;
            }
            Turn::Player(_) => state.play(state.random_move(rng, &mut moves)),
            Turn::Over => state = entropy::State::default(),
        }
    }
}

pub struct Uttt;

impl Subject for Uttt {
    type State = uttt::State;
    type Heuristics = UtttBoards;
    type ChanceModel = NoChance;

    fn position(rng: &mut Rng) -> (uttt::State, u32) {
        let plies = rng.below(60);
        (uttt_state(rng, plies, 1), 1 + rng.below(4))
    }

    fn ending(rng: &mut Rng) -> (uttt::State, u32) {
        loop {
            let state = uttt_state(rng, 52, 1);
            let mut moves = Vec::new();
            state.moves(&mut moves);
            if moves.len() <= 3 {
                return (state, 6);
            }
        }
    }

    fn guide(_: &uttt::State) -> UtttBoards {
        UtttBoards
    }

    fn plain(state: &uttt::State, depth: u32) -> i32 {
        minimax(state, depth, &mut UtttBoards)
    }
}

/// Returns a state after at least `plies` random moves, with at least `choice` legal moves.
pub fn uttt_state(rng: &mut Rng, plies: u32, choice: usize) -> uttt::State {
    loop {
        let mut state = uttt::State::default();
        while state.plies() < plies && state.turn() != Turn::Over {
            state.play(state.random_move(rng, &mut Vec::new()));
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if moves.len() >= choice {
            return state;
        }
    }
}

pub struct Spaghetti;

impl Subject for Spaghetti {
    type State = spaghetti::State;
    type Heuristics = SpaghettiScore;
    type ChanceModel = NoChance;

    fn position(rng: &mut Rng) -> (spaghetti::State, u32) {
        let (left, depth) = if rng.below(3) > 0 { (3 + rng.below(20), 2) } else { (3 + rng.below(4), 4) };
        (spaghetti_state(rng, left), depth)
    }

    fn ending(rng: &mut Rng) -> (spaghetti::State, u32) {
        let left = 1 + rng.below(3);
        (spaghetti_state(rng, left), left)
    }

    fn guide(_: &spaghetti::State) -> SpaghettiScore {
        SpaghettiScore
    }

    fn plain(state: &spaghetti::State, depth: u32) -> i32 {
        minimax(state, depth, &mut SpaghettiScore)
    }
}

pub fn spaghetti_state(rng: &mut Rng, empty: u32) -> spaghetti::State {
    let mut state = spaghetti::State::empty();
    while state.empty_cells() > empty {
        state.play(state.random_move(rng, &mut Vec::new()));
    }
    state
}

pub struct OpenBox;

impl Subject for OpenBox {
    type State = boxes::OpenColours;
    type Heuristics = BoxScore;
    type ChanceModel = WithChance;

    fn position(rng: &mut Rng) -> (boxes::OpenColours, u32) {
        if rng.below(4) == 0 {
            (boxes::OpenColours(box_state(rng, usize::MAX)), 1)
        } else {
            (boxes::OpenColours(box_state(rng, 12)), 2)
        }
    }

    fn ending(rng: &mut Rng) -> (boxes::OpenColours, u32) {
        loop {
            let state = boxes::OpenColours(box_state(rng, 3));
            if can_end_within(&state, 2) {
                return (state, 4);
            }
        }
    }

    fn guide(state: &boxes::OpenColours) -> BoxScore {
        BoxScore::of(state)
    }

    fn plain(state: &boxes::OpenColours, depth: u32) -> i32 {
        expectimax(state, depth, &mut Self::guide(state))
    }
}

/// Returns whether every line of play ends after at most `placements` placements. The tiles do not matter,
/// because they never restrict placements.
pub fn can_end_within(state: &boxes::OpenColours, placements: u32) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.into_iter().all(|mv| {
        let mut child = state.clone();
        child.play(mv);
        if child.turn() == Turn::Chance {
            child.resolve(boxes::Tile::from_index(0));
        }
        child.turn() == Turn::Over || (placements > 1 && can_end_within(&child, placements - 1))
    })
}

/// Returns a state from a random game with at most `most` moves.
pub fn box_state(rng: &mut Rng, most: usize) -> boxes::State {
    loop {
        let mut state = boxes::State::random(rng);
        let mut fitting = Vec::new();
        while state.turn() != Turn::Over {
            state.resolve(state.random_outcome(rng, &mut Vec::new()));
            let mut moves = Vec::new();
            state.moves(&mut moves);
            if moves.len() <= most {
                fitting.push(state.clone());
            }
            state.play(*rng.choose(&moves));
        }
        if !fitting.is_empty() {
            return rng.choose(&fitting).clone();
        }
    }
}
