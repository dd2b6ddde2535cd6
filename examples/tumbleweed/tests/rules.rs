//! Checks the guarantees that the tools rely on, and compares the rules with a slow second implementation.

use contender_game::conformance::check_contest;
use contender_game::rules::{Game, Player, Rng, Turn};
use contender_nn::planes::Planes;
use contender_puct::{Learnable, Place};
use tumbleweed::{Move, State};

#[test]
fn the_game_keeps_its_promises() {
    if let Err(broken) = check_contest(tumbleweed::CONTEST, 3, 1_000, 1) {
        panic!("{broken}");
    }
}

/// A direct implementation of the rules on a map of hexes, which searches for every visible stack from scratch.
struct Slow {
    hexes: Vec<(i32, i32)>,
    stacks: std::collections::BTreeMap<(i32, i32), (usize, usize)>,
}

const NEUTRAL: usize = 2;

/// Returns the hexes in the game's order, as rows and columns.
fn hexes() -> Vec<(i32, i32)> {
    let all = (0..15).flat_map(|row| (0..15).map(move |column| (row, column)));
    all.filter(|(row, column)| (7..=21).contains(&(row + column))).collect()
}

impl Slow {
    fn seen(&self, from: (i32, i32), player: usize) -> usize {
        let is_hex =
            |at: &(i32, i32)| at.0.min(at.1) >= 0 && at.0.max(at.1) < 15 && (7..=21).contains(&(at.0 + at.1));
        let directions = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];
        let sees = |(down, right): &(i32, i32)| {
            let ray = (1..15).map(|step| (from.0 + step * down, from.1 + step * right));
            let mut ray = ray.take_while(is_hex);
            ray.find_map(|at| self.stacks.get(&at)).map(|&(owner, _)| owner) == Some(player)
        };
        directions.iter().filter(|direction| sees(direction)).count()
    }

    fn moves(&self, player: usize) -> Vec<usize> {
        let height = |at: &(i32, i32)| self.stacks.get(at).map_or(0, |&(_, height)| height);
        let can_put = |&at: &usize| self.seen(self.hexes[at], player) > height(&self.hexes[at]);
        (0..self.hexes.len()).filter(can_put).collect()
    }

    fn points(&self) -> [i32; 2] {
        [0, 1].map(|player| {
            let has = |at: &(i32, i32)| match self.stacks.get(at) {
                Some(&(owner, _)) => owner == player,
                None => self.seen(*at, player) > self.seen(*at, 1 - player),
            };
            self.hexes.iter().filter(|at| has(at)).count() as i32
        })
    }
}

#[test]
fn fast_rules_are_the_slow_ones() {
    let all = hexes();
    for seed in 0..3 {
        let (mut rng, mut state, mut slow) =
            (Rng::new(seed), State::default(), Slow { hexes: hexes(), stacks: Default::default() });
        slow.stacks.insert((7, 7), (NEUTRAL, 2));
        let mut keys = std::collections::HashMap::new();
        while let Turn::Player(player) = state.turn() {
            let player = player.index();
            let mut moves = Vec::new();
            state.moves(&mut moves);
            if state.moves > 0 {
                let puts = moves.iter().filter_map(|mv| match mv {
                    Move::Put(at) => Some(*at as usize),
                    _ => None,
                });
                assert_eq!(puts.collect::<Vec<_>>(), slow.moves(player));
                let number = moves.len() - usize::from(state.moves == 1);
                assert_eq!(number, slow.moves(player).len() + 1, "all but swap are stacks and the pass");
            }
            assert_eq!(state.points(), slow.points());
            let known = keys.entry(state.key()).or_insert_with(|| state.clone());
            assert_eq!(known.points(), state.points());
            let mv = state.random_move(&mut rng, &mut Vec::new());
            assert!(moves.contains(&mv));
            match mv {
                Move::Put(at) => {
                    let height = slow.seen(all[at as usize], player);
                    slow.stacks.insert(all[at as usize], (player, height));
                }
                Move::Setup(first, other) => {
                    slow.stacks.insert(all[first as usize], (1, 1));
                    slow.stacks.insert(all[other as usize], (0, 1));
                }
                Move::Swap => slow.stacks.values_mut().filter(|of| of.0 < 2).for_each(|of| of.0 = 1 - of.0),
                Move::Pass => {}
            }
            state.play(mv);
        }
        assert!(state.moves > 60);
    }
}

#[test]
fn every_move_is_drawn_alike() {
    let mut state = State::default();
    let mut rng = Rng::new(3);
    for _ in 0..8 {
        let mv = state.random_move(&mut rng, &mut Vec::new());
        state.play(if mv == Move::Pass { Move::Put(80) } else { mv });
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let draws = 2_000 * moves.len();
    let mut counts = vec![0; moves.len()];
    for _ in 0..draws {
        let mv = state.random_move(&mut rng, &mut Vec::new());
        counts[moves.iter().position(|of| *of == mv).unwrap()] += 1;
    }
    // This tolerance is five standard deviations of a count.
    assert!(counts.iter().all(|&count: &i32| (count - 2_000).abs() < 225), "{counts:?}");
}

#[test]
fn who_swaps_has_the_other_stone() {
    let mut state = State::default();
    state.play(Move::Setup(0, 168));
    assert_eq!(state.stack(0), Some((1, Some(Player::One))));
    state.play(Move::Swap);
    assert_eq!(
        (state.stack(0), state.stack(168)),
        (Some((1, Some(Player::Zero))), Some((1, Some(Player::One))))
    );
    assert_eq!(state.turn(), Turn::Player(Player::Zero));
}

/// Checks that the network's input for an image of a position is the image of the input.
#[test]
fn images_of_the_board_are_the_same_game() {
    let seen = |state: &State| {
        let mut input = Planes::new(State::BOARD);
        let player = Player::from_index(usize::from(state.moves % 2));
        state.encode(player, &mut input);
        assert!(input.fits(State::PLANES));
        input
    };
    let cell = |at: u8| match State::default().place(Player::Zero, Move::Put(at)) {
        Place::Cell(cell, 0) => cell,
        other => panic!("{other:?}"),
    };
    let mut all: Vec<Vec<usize>> = Vec::new();
    for image in 0..State::IMAGES {
        let moved = |at: u8| {
            let to = State::image(cell(at), image);
            (0..169).find(|&at| cell(at) == to).expect("a hex stays on the board")
        };
        let image_of = |mv| match mv {
            Move::Put(at) => Move::Put(moved(at)),
            Move::Setup(first, other) => Move::Setup(moved(first), moved(other)),
            other => other,
        };
        let (mut state, mut other, mut rng) = (State::default(), State::default(), Rng::new(image as u64));
        for _ in 0..40 {
            let (before, after) = (seen(&state), seen(&other));
            assert_eq!(before.everywhere(), after.everywhere());
            (0..225).for_each(|cell| assert_eq!(before.cell(cell), after.cell(State::image(cell, image))));
            let mv = state.random_move(&mut rng, &mut Vec::new());
            assert!(other.is_legal(image_of(mv)));
            state.play(mv);
            other.play(image_of(mv));
        }
        all.push((0..225).map(|cell| State::image(cell, image)).collect());
    }
    assert!((0..12).all(|image| !all[..image].contains(&all[image])), "twelve different ones");
}

/// Checks that all legal moves have different numbers, also in the first positions.
#[test]
fn no_two_moves_share_a_number() {
    let mut rng = Rng::new(9);
    for _ in 0..20 {
        let mut state = State::default();
        state.open(&mut rng);
        for _ in 0..4 {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let places: Vec<Place> = moves.iter().map(|&mv| state.place(Player::One, mv)).collect();
            assert!((0..places.len()).all(|at| !places[..at].contains(&places[at])), "{moves:?}");
            state.play(*rng.choose(&moves));
        }
    }
}

/// Checks that the bundled network has the same bytes after it was read and written again.
#[test]
fn the_network_is_written_as_it_was_read() {
    let bytes = State::network();
    let (shape, parameters) = contender_puct::weights::read::<State>(&bytes).expect("the bundled network");
    assert!(contender_puct::weights::write(shape, &parameters) == bytes);
}
