//! A test suite for all games. The checks play random games and test every guarantee of the traits at every step. The
//! tests of a game call the functions for the traits that the game implements. They also call [`check_contest`], which
//! checks the guarantees that the tools rely on.

mod contest;

pub use contest::{check_contest, Broken, Checked};

use crate::rules::{Chance, Game, Rng, Simultaneous, Turn};
use std::fmt::Debug;

/// Plays `games` random games from states created by `start`, and checks the guarantees of [`Game`]. Returns the number
/// of moves played.
///
/// # Panics
/// Panics if a guarantee is broken, or if a game takes more than `longest` moves.
///
/// ```
/// # #[path = "../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// use contender_game::conformance::check_game;
/// use contender_game::rules::Player;
///
/// let start = |rng: &mut contender_game::rules::Rng| Nim { matches: 1 + rng.below(20) as u8, mover: Player::Zero };
/// assert!(check_game(start, 100, 20, 1) >= 100);
/// ```
pub fn check_game<G: Game + PartialEq + Debug>(
    mut start: impl FnMut(&mut Rng) -> G,
    games: u32,
    longest: u32,
    seed: u64,
) -> u64 {
    walk(&mut start, games, longest, seed, |_, _| unreachable!("chance acts in a game without `Chance`"))
}

/// Checks a game with chance nodes. In addition to the guarantees checked by [`check_game`], checks the guarantees of
/// [`Chance`].
///
/// # Panics
/// Panics if a guarantee is broken, or if a game takes more than `longest` moves and outcomes.
///
/// ```
/// # #[path = "../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Dice;
/// use contender_game::conformance::check_chance;
///
/// check_chance(|_| Dice::default(), 100, 30, 1);
/// ```
pub fn check_chance<G: Chance + PartialEq + Debug>(
    mut start: impl FnMut(&mut Rng) -> G,
    games: u32,
    longest: u32,
    seed: u64,
) -> u64 {
    walk(&mut start, games, longest, seed, check_chance_node)
}

/// Plays random games of a simultaneous game, and checks the guarantees of [`Simultaneous`]. Returns the number of
/// turns played.
///
/// Pass `list_moves = false` if the game has too many moves to list.
///
/// # Panics
/// Panics if a guarantee is broken, or if a game takes more than `longest` turns.
///
/// ```
/// # #[path = "../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Goofspiel;
/// use contender_game::conformance::check_simultaneous;
///
/// assert_eq!(check_simultaneous(|_| Goofspiel::new(3, 0), 50, 3, true, 1), 50 * 3);
/// ```
pub fn check_simultaneous<G: Simultaneous + PartialEq + Debug>(
    mut start: impl FnMut(&mut Rng) -> G,
    games: u32,
    longest: u32,
    list_moves: bool,
    seed: u64,
) -> u64 {
    let mut rng = Rng::new(seed);
    let mut total = 0;
    for _ in 0..games {
        let mut state = start(&mut rng);
        let mut turns = 0;
        while !state.is_over() {
            let pair = crate::rules::Player::BOTH.map(|player| state.random_move(player, &mut rng));
            if list_moves {
                for player in crate::rules::Player::BOTH {
                    let mut moves = Vec::new();
                    state.moves(player, &mut moves);
                    assert!(moves.contains(&pair[player]), "a random move is not listed in {state:?}");
                }
            }
            let mut copy = state.clone();
            state.play([&pair[0], &pair[1]]);
            copy.play([&pair[0], &pair[1]]);
            assert_eq!(state, copy, "a turn is not deterministic");
            turns += 1;
            assert!(turns <= longest, "a game continues after {longest} turns");
        }
        total += u64::from(turns);
    }
    total
}

fn walk<G: Game + PartialEq + Debug>(
    start: &mut impl FnMut(&mut Rng) -> G,
    games: u32,
    longest: u32,
    seed: u64,
    mut chance: impl FnMut(&mut G, &mut Rng),
) -> u64 {
    let mut rng = Rng::new(seed);
    let mut total = 0;
    for _ in 0..games {
        let mut state = start(&mut rng);
        let mut steps = 0;
        loop {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            match state.turn() {
                Turn::Over => {
                    assert!(moves.is_empty(), "a finished game has moves: {state:?}");
                    break;
                }
                Turn::Chance => {
                    assert!(moves.is_empty(), "a player has moves in chance's turn: {state:?}");
                    chance(&mut state, &mut rng);
                }
                Turn::Player(_) => {
                    assert!(!moves.is_empty(), "a player to act has no move: {state:?}");
                    check_list(&state, &moves);
                    let mv = state.random_move(&mut rng, &mut Vec::new());
                    assert!(moves.contains(&mv), "the random move {mv:?} is not listed in {state:?}");
                    let before = state.clone();
                    state.play(mv);
                    assert!(before != state, "the move {mv:?} changes nothing in {state:?}");
                    let mut again = before;
                    again.play(mv);
                    assert_eq!(again, state, "the move {mv:?} is not deterministic");
                    total += 1;
                }
            }
            steps += 1;
            assert!(steps <= longest, "a game continues after {longest} steps");
        }
    }
    total
}

/// Checks that `moves` appends every move exactly once, always in the same order, and keeps the vector's previous
/// contents.
fn check_list<G: Game + Debug>(state: &G, moves: &[G::Move]) {
    let mut twice = moves.to_vec();
    state.moves(&mut twice);
    let (first, second) = twice.split_at(moves.len());
    assert!(first == second, "moves are not appended in a fixed order in {state:?}");
    assert_eq!(
        state.move_count(&mut twice),
        moves.len(),
        "the number of counted moves differs from the list in {state:?}"
    );
    assert_eq!(twice.len(), 2 * moves.len(), "counting moves changes the working space in {state:?}");
    for (at, mv) in moves.iter().enumerate() {
        assert!(!moves[..at].contains(mv), "the move {mv:?} is listed twice in {state:?}");
    }
}

fn check_chance_node<G: Chance + PartialEq + Debug>(state: &mut G, rng: &mut Rng) {
    let mut outcomes = Vec::new();
    state.outcomes(&mut outcomes);
    assert!(!outcomes.is_empty(), "chance has no outcome in {state:?}");
    for (at, (outcome, weight)) in outcomes.iter().enumerate() {
        assert!(*weight > 0, "the outcome {outcome:?} has weight 0 in {state:?}");
        assert!(!outcomes[..at].iter().any(|(other, _)| other == outcome), "{outcome:?} is listed twice");
    }
    let outcome = state.random_outcome(rng, &mut Vec::new());
    assert!(outcomes.iter().any(|(other, _)| *other == outcome), "the drawn {outcome:?} is not listed");
    state.resolve(outcome);
}
