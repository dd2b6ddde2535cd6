//! Tests of the bots' caches for networks: which evaluations are kept, which are dropped, and that no two states are
//! mistaken for each other.

use contender_cellularena::network::policy::candidates;
use contender_cellularena::network::{shape, CachedOracle, Oracle, Symmetry, View};
use contender_cellularena::{map, Content, Dir, Kind, Organ, State, Stock};
use contender_game::rules::{Player, Rng, Simultaneous};
use contender_nn::policy_value::Network;

const WIDTH: usize = 4;

/// Returns a small network with random weights.
fn oracle(sides: usize) -> Oracle {
    let shape = shape(16, 0, 3, sides);
    let mut rng = Rng::new(9);
    let parameters: Vec<f32> = (0..shape.parameters()).map(|_| rng.unit() as f32 - 0.5).collect();
    Oracle::new(Network::new(shape, &parameters))
}

/// Returns the states of a random game on the map with this seed, from the start.
fn game(seed: i64, rng: &mut Rng) -> Vec<State> {
    let mut state = map::generate(seed).unwrap();
    let mut states = Vec::new();
    while !state.is_over() && states.len() < 40 {
        states.push(state.clone());
        let pair = Player::BOTH.map(|player| state.random_move(player, rng));
        state.play([&pair[0], &pair[1]]);
    }
    states
}

#[test]
fn what_is_kept_is_what_the_network_says() {
    let mut rng = Rng::new(1);
    for seed in 1..=4 {
        let states = game(seed, &mut rng);
        let (mut cache, mut fresh) = (CachedOracle::new(oracle(1), WIDTH), oracle(1));
        let symmetry = Symmetry::of(&states[0]);
        let mut said = Vec::new();
        for (at, state) in states.iter().enumerate() {
            for player in Player::BOTH {
                let wants_moves = at % 3 > 0;
                assert!(!cache.knows(state, player), "seed {seed} turn {at}");
                let found = cache.evaluate(state, player, wants_moves).clone();
                assert_eq!(found.value, fresh.ask(state, &View::new(state, player, symmetry)));
                assert_eq!(!found.moves.is_empty(), wants_moves);
                assert!(cache.knows(state, player));
                said.push((state, player, found));
            }
        }
        // Moves that were not requested before are added, and the earlier values have not changed.
        for (state, player, before) in said {
            let now = cache.evaluate(state, player, true).clone();
            assert_eq!(now.value, before.value);
            let view = View::new(state, player, symmetry);
            fresh.ask(state, &view);
            let moves = candidates(&fresh.output, state, view, WIDTH);
            assert_eq!(now.moves, moves);
            assert!(before.moves.is_empty() || before.moves == moves);
        }
    }
}

/// A network with both policies is evaluated once for both players' moves, any other network once per view.
#[test]
fn moves_of_both_come_of_one_evaluation_if_it_tells_both() {
    for sides in 1..=2 {
        let states = game(5, &mut Rng::new(4));
        let (mut cache, mut fresh) = (CachedOracle::new(oracle(sides), WIDTH), oracle(sides));
        let symmetry = Symmetry::of(&states[0]);
        for state in &states {
            let own = View::new(state, Player::One, symmetry);
            let enemys = if sides == 2 { own.beside() } else { View::new(state, Player::Zero, symmetry) };
            for view in [own, enemys] {
                fresh.ask(state, &if sides == 2 { own } else { view });
                let moves = candidates(&fresh.output, state, view, WIDTH);
                assert_eq!(cache.moves(state, view.chooser(), Player::One), moves);
            }
            assert_eq!(cache.knows(state, Player::Zero), sides == 1);
        }
    }
}

#[test]
fn turns_that_are_over_are_forgotten_and_no_others() {
    let states = game(7, &mut Rng::new(2));
    let mut cache = CachedOracle::new(oracle(1), WIDTH);
    for state in &states {
        Player::BOTH.into_iter().for_each(|player| drop(cache.evaluate(state, player, false).clone()));
    }
    for turn in [0, 5, 6, 20] {
        cache.forget(turn);
        for state in &states {
            for player in Player::BOTH {
                assert_eq!(cache.knows(state, player), state.turns() >= turn, "turn {turn}");
            }
        }
    }
}

/// Returns a rebuilt state with these organs and this stock for player 0.
fn rebuilt(state: &State, organs: Vec<Organ>, stock: Stock, turns: u32) -> State {
    let mut result = State::empty(state.width(), state.height()).unwrap();
    for cell in state.cells() {
        match state.content(cell) {
            Content::Wall => result.build_wall(cell).unwrap(),
            Content::Source(protein) => result.put_source(cell, protein).unwrap(),
            _ => {}
        }
    }
    result.put_organs(organs).unwrap();
    result.set_stock(Player::Zero, stock).unwrap();
    result.set_stock(Player::One, *state.stock(Player::One)).unwrap();
    result.set_turns(turns as u8);
    result
}

#[test]
fn states_are_told_apart_by_every_detail() {
    let mut rng = Rng::new(3);
    let mut told_apart = 0;
    for seed in 11..=16 {
        let states = game(seed, &mut rng);
        let mut cache = CachedOracle::new(oracle(1), WIDTH);
        for state in &states {
            cache.evaluate(state, Player::Zero, false);
        }
        for state in &states {
            let (organs, stock, turns) = (state.organs(), *state.stock(Player::Zero), state.turns());
            let same = rebuilt(state, organs.clone(), stock, turns);
            assert!(cache.knows(&same, Player::Zero), "the same state by another way");
            assert!(!cache.knows(state, Player::One), "the other player's view");
            let mut others = Vec::new();
            for protein in 0..4 {
                let mut stock = stock;
                stock[protein] += 1;
                others.push(rebuilt(state, organs.clone(), stock, turns));
            }
            others.push(rebuilt(state, organs.clone(), stock, turns + 50));
            for at in 0..organs.len() {
                let mut changed = organs.clone();
                let organ = &mut changed[at];
                match organ.kind {
                    Kind::Root => continue,
                    Kind::Basic => (organ.kind, organ.dir) = (Kind::Tentacle, Dir::N),
                    _ => organ.dir = if organ.dir == Dir::N { Dir::S } else { Dir::N },
                }
                others.push(rebuilt(state, changed, stock, turns));
            }
            for other in others {
                assert!(!cache.knows(&other, Player::Zero), "mistaken for another state");
                told_apart += 1;
            }
        }
    }
    assert!(told_apart > 1_000, "{told_apart}");
}
