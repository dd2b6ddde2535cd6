//! Cellularena, made small enough for slow reference implementations.

use super::games::Subject;
use contender_cellularena as cellularena;
use contender_game::rules::{Combined, InTurn, Player, Rng, Simultaneous};
use contender_search::{NoChance, Points, minimax};

/// Cellularena in which a player acts with at most one organism per turn, so that there are few, small moves.
#[derive(Clone, PartialEq, Debug)]
pub struct OneAction(pub cellularena::State);

impl Simultaneous for OneAction {
    type Move = Option<cellularena::Action>;

    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn moves(&self, player: Player, moves: &mut Vec<Self::Move>) {
        let mut actions = Vec::new();
        self.0.actions(player, &mut actions);
        moves.push(None);
        moves.extend(actions.into_iter().map(Some));
    }

    fn play(&mut self, moves: [&Self::Move; 2]) {
        self.0.play_turn(moves.map(|mv| mv.as_ref().map_or(&[][..], std::slice::from_ref)));
    }

    fn points(&self) -> [i32; 2] {
        self.0.points()
    }

    fn value(&self) -> i32 {
        worth(&self.0)
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> Self::Move {
        let mut moves = Vec::new();
        self.moves(player, &mut moves);
        *rng.choose(&moves)
    }
}

/// Returns a value in which organs count much and proteins count a little.
pub fn worth(state: &cellularena::State) -> i32 {
    let [zero, one] = Player::BOTH.map(|player| {
        let stock: i32 = state.stock(player).iter().sum();
        10 * state.points()[player] + stock
    });
    zero - one
}

/// Returns a state from a random game in which each player has at most `most` moves.
pub fn arena_state(rng: &mut Rng, most: usize) -> OneAction {
    loop {
        let seed = 1 + i64::from(rng.below(1_000));
        let mut state = cellularena::map::generate(seed).expect("seeds from 1 have maps");
        let mut fitting = Vec::new();
        while !state.is_over() {
            let narrow = OneAction(state.clone());
            let fits = Player::BOTH.into_iter().all(|player| {
                let mut moves = Vec::new();
                narrow.moves(player, &mut moves);
                moves.len() <= most
            });
            if fits {
                fitting.push(narrow);
            }
            let pair = Player::BOTH.map(|player| state.random_move(player, rng));
            state.play([&pair[0], &pair[1]]);
        }
        if !fitting.is_empty() {
            return rng.choose(&fitting).clone();
        }
    }
}

/// Returns a state in which only the last turn is left.
pub fn last_turn(rng: &mut Rng, most: usize) -> OneAction {
    let mut state = arena_state(rng, most);
    state.0.set_turns(99);
    state
}

/// Cellularena with alternating moves: the second player knows the first player's move.
pub struct InOrder;

impl Subject for InOrder {
    type State = InTurn<OneAction>;
    type Heuristics = Points;
    type ChanceModel = NoChance;

    fn position(rng: &mut Rng) -> (InTurn<OneAction>, u32) {
        let leader = *rng.choose(&Player::BOTH);
        (InTurn::new(arena_state(rng, 12), leader), 1 + rng.below(3))
    }

    fn ending(rng: &mut Rng) -> (InTurn<OneAction>, u32) {
        let leader = *rng.choose(&Player::BOTH);
        (InTurn::new(last_turn(rng, 12), leader), 2)
    }

    fn guide(_: &InTurn<OneAction>) -> Points {
        Points
    }

    fn plain(state: &InTurn<OneAction>, depth: u32) -> i32 {
        minimax(state, depth, &mut Points)
    }
}
