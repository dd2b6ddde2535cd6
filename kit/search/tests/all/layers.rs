//! The layered search against plain expectimax of two decisions.

use crate::toys::{Pig, Toy};
use contender_game::{
    contest::MoveAnalysis,
    rules::{mix, Chance, Game, Player, Rng, Turn},
};
use contender_search::layers::{LayerSearch, Layers, OneByOne};
use contender_search::*;
use std::time::Instant;

/// One move each with chance in between, all from a hash; replies are the same after every outcome.
#[derive(Clone, PartialEq, Debug)]
struct Three {
    seed: u64,
    first: Player,
    path: [u8; 3],
    ply: u8,
}

impl Three {
    /// Up to six moves, outcomes, replies; some moves end the game.
    fn count(&self, layer: u64) -> u8 {
        let own = if layer == 0 { 0 } else { u64::from(self.path[0]) };
        1 + (mix(&[self.seed, layer, own]) % 6) as u8
    }

    fn has_ended(&self) -> bool {
        self.ply == 3 || (self.ply == 1 && mix(&[self.seed, 9, u64::from(self.path[0])]) % 8 == 0)
    }
}

impl Game for Three {
    type Move = u8;

    fn turn(&self) -> Turn {
        match self.ply {
            _ if self.has_ended() => Turn::Over,
            0 => Turn::Player(self.first),
            1 => Turn::Chance,
            _ => Turn::Player(self.first.other()),
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if let Turn::Player(_) = self.turn() {
            moves.extend(0..self.count(u64::from(self.ply)));
        }
    }

    fn play(&mut self, mv: u8) {
        self.path[usize::from(self.ply)] = mv;
        self.ply += 1;
    }

    fn points(&self) -> [i32; 2] {
        let parts = [self.seed, u64::from(self.path[0]), u64::from(self.path[1]), u64::from(self.path[2])];
        [(mix(&parts) % 201) as i32, 100]
    }
}

impl Chance for Three {
    type Outcome = u8;

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        if self.turn() == Turn::Chance {
            outcomes.extend((0..self.count(1)).map(|at| (at, 1 + u32::from(at))));
        }
    }

    fn resolve(&mut self, outcome: u8) {
        self.play(outcome);
    }
}

fn check<G: Chance, E: Heuristics<G> + Copy>(state: &G, prunes: bool, mut evaluate: E) -> u64 {
    let Turn::Player(player) = state.turn() else { return 0 };
    let mut search = LayerSearch::new(OneByOne(evaluate), prunes);
    let found = search.search(state, &SearchLimits::NONE);
    let own = |value: i32| f64::from(player.sign() * value);
    for of in &found.moves {
        let mut child = state.clone();
        child.play(of.mv);
        let (exact, [low, high]) = (own(expectimax(&child, 1, &mut evaluate)), of.value);
        assert!(low <= exact && exact <= high, "{exact} is not in {of:?}");
        assert!(prunes || low == high);
    }
    assert_eq!((found.moves[0].value, found.depth), ([own(expectimax(state, 2, &mut evaluate)); 2], 2));
    assert_eq!(search.rows(), found.moves.iter().map(|of| of.effort).sum());
    search.rows()
}

#[test]
fn layers_are_expectimax_of_two_decisions() {
    let mut rng = Rng::new(1);
    let mut rows = [0; 2];
    for _ in 0..5_000 {
        let first = Player::from_index(rng.index(2));
        let state = Three { seed: rng.next_u64(), first, path: [0; 3], ply: 0 };
        for prunes in [false, true] {
            rows[usize::from(prunes)] += check(&state, prunes, Points);
        }
    }
    assert!(rows[1] * 10 < rows[0] * 9, "{rows:?}");
}

/// A hand-made layer: the value of a reply is a table row, written without states.
struct Rows;

impl Layers<Three> for Rows {
    type Reply = u8;

    fn outcomes(&mut self, state: &Three, weights: &mut Vec<u32>) {
        weights.extend((0..state.count(1)).map(|at| 1 + u32::from(at)));
    }

    fn replies(&mut self, state: &Three, replies: &mut Vec<u8>) {
        replies.extend(0..state.count(2));
    }

    fn values(&mut self, state: &Three, reply: u8, values: &mut [i32]) {
        for (outcome, value) in values.iter_mut().enumerate() {
            let path = [state.path[0], outcome as u8, reply];
            *value = Three { path, ply: 3, ..*state }.value();
        }
    }

    fn without_reply(&mut self, state: &Three) -> i32 {
        state.value()
    }
}

#[test]
fn prepared_leaves_give_what_single_leaves_give() {
    let mut rng = Rng::new(2);
    for _ in 0..1_000 {
        let state = Three { seed: rng.next_u64(), first: Player::Zero, path: [0; 3], ply: 0 };
        let fast = LayerSearch::new(Rows, true).search(&state, &SearchLimits::NONE);
        let slow = LayerSearch::new(OneByOne(Points), true).search(&state, &SearchLimits::NONE);
        assert_eq!(fast.moves, slow.moves);
    }
}

#[test]
fn where_no_player_acts_nothing_is_found() {
    let pig = Pig { rolling: true, ..Pig::default() };
    assert!(LayerSearch::new(OneByOne(Toy), true).search(&pig, &SearchLimits::NONE).moves.is_empty());
}

#[test]
fn a_search_that_is_stopped_keeps_what_it_knows() {
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let state = Three { seed: rng.next_u64(), first: Player::One, path: [0; 3], ply: 0 };
        let mut search = LayerSearch::new(Rows, true);
        let whole = search.search(&state, &SearchLimits::NONE);
        let rows = search.rows();
        let is_known = |of: &&MoveAnalysis<u8>| of.value != [f64::NEG_INFINITY, f64::INFINITY];
        let mut check = |limits: SearchLimits, limit: u64| {
            let part = search.search(&state, &limits);
            assert_eq!((part.depth, search.rows()), (if limit == rows { 2 } else { 0 }, limit));
            assert_eq!(part.moves.len(), whole.moves.len());
            // What is known stays as it is, and comes before what is not.
            let known = part.moves.iter().filter(is_known).count();
            assert!(known < whole.moves.len() || limit == rows);
            for of in &part.moves[..known] {
                assert!(whole.moves.contains(of));
            }
            assert_eq!(part.moves[known..].iter().filter(is_known).count(), 0);
        };
        for limit in 0..=rows {
            check(SearchLimits::nodes(limit), limit);
        }
        check(SearchLimits::until(Instant::now()), 0);
    }
}
