//! Tests of the toy games, with the conformance suite and against values computed by hand.

mod toy_games;

use contender_game::{conformance, prelude::*};
use toy_games::*;

fn minimax<G: Game>(state: &G) -> i32 {
    let Turn::Player(player) = state.turn() else { return state.value() };
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut child = state.clone();
        child.play(mv);
        minimax(&child)
    });
    match player {
        Player::Zero => values.max().unwrap(),
        Player::One => values.min().unwrap(),
    }
}

#[test]
fn toys_keep_the_promises() {
    assert!(conformance::check_game(|_| TicTacToe::default(), 200, 9, 1) > 1000);
    conformance::check_game(|rng| Nim { matches: 1 + rng.below(20) as u8, mover: Player::Zero }, 100, 20, 2);
    conformance::check_chance(|_| Dice::default(), 200, 30, 3);
    assert_eq!(conformance::check_simultaneous(|_| Goofspiel::new(3, 0), 50, 3, true, 4), 150);
    conformance::check_game(|_| InTurn::new(Goofspiel::new(3, 0), Player::One), 50, 6, 5);
}

#[test]
fn values_known_by_hand() {
    assert_eq!(minimax(&TicTacToe::default()), 0);
    for matches in 1..=12 {
        let expected = if matches % 4 == 0 { -1 } else { 1 };
        assert_eq!(minimax(&Nim { matches, mover: Player::Zero }), expected, "{matches} matches");
    }
    // A player who knows the other's card before answering does at least as well.
    let led_by = |player| minimax(&InTurn::new(Goofspiel::new(3, 0), player));
    assert_eq!(led_by(Player::Zero), -led_by(Player::One));
    assert_eq!(led_by(Player::Zero), 0);
}

#[test]
fn perft_known_by_hand() {
    let start = TicTacToe::default();
    let counts: Vec<u64> = (0..=9).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
    // 2 decisions; then 2 decisions of player 1, or 3 faces; then 3 faces for player 1, or 2 decisions after each of
    // the 3 faces.
    let counts: Vec<u64> = (0..=3).map(|depth| perft_chance(&Dice::default(), depth)).collect();
    assert_eq!(counts, [1, 2, 5, 9]);
    // The players have three cards each, then two, then one.
    let counts: Vec<u64> = (0..=7).map(|depth| perft_joint(&Goofspiel::new(3, 0), depth)).collect();
    assert_eq!(counts, [1, 3, 9, 9 * 2, 9 * 4, 9 * 4, 9 * 4, 0]);
}

#[test]
fn outcomes_are_drawn_with_their_weights() {
    let state = Dice { rolling: true, ..Dice::default() };
    let mut rng = Rng::new(6);
    let mut counts = [0; 4];
    for _ in 0..60_000 {
        counts[usize::from(state.random_outcome(&mut rng, &mut Vec::new()))] += 1;
    }
    for (face, expected) in [(1, 10_000), (2, 20_000), (3, 30_000)] {
        let count: i32 = counts[face];
        assert!((count - expected).abs() < 500, "face {face}: {count}");
    }
}

#[test]
fn resampling_keeps_what_the_viewer_knows() {
    let mut rng = Rng::new(7);
    let mut seen = [0; 3];
    for _ in 0..3_000 {
        let mut state = OneCard { cards: [1, 2], stake: None };
        state.resample(Player::Zero, &mut rng);
        assert_eq!(state.cards[0], 1);
        seen[usize::from(state.cards[1])] += 1;
    }
    assert_eq!(seen[1], 0);
    assert!(seen[0] > 1_350 && seen[2] > 1_350, "{seen:?}");
}

/// A game in which both players always bid the same card. It stops after at most 7 turns.
#[derive(Clone, PartialEq, Debug)]
struct Stubborn;

impl Simultaneous for Stubborn {
    type Move = u8;

    const MAX_TURNS: usize = 7;

    fn is_over(&self) -> bool {
        false
    }

    fn moves(&self, _: Player, moves: &mut Vec<u8>) {
        moves.push(1);
    }

    fn play(&mut self, _: [&u8; 2]) {}

    fn points(&self) -> [i32; 2] {
        [1, 0]
    }

    fn random_move(&self, _: Player, _: &mut Rng) -> u8 {
        1
    }
}

struct Bids;

impl JointProtocol for Bids {
    type State = Stubborn;
    type Answer = u8;

    fn question(&self, _: &Stubborn, _: Player) -> String {
        "bid\n".to_string()
    }

    fn read(&self, _: &Stubborn, _: Player, lines: &[String]) -> (u8, Result<(), String>) {
        (1, if lines == ["1"] { Ok(()) } else { Err("no card".to_string()) })
    }

    fn write(&self, _: &Stubborn, _: &u8, _: usize) -> Vec<String> {
        vec!["1".to_string()]
    }

    fn write_turn(&self, _: &[u8; 2]) -> String {
        "1/1".to_string()
    }

    fn read_turn(&self, _: &str) -> Result<[u8; 2], String> {
        Ok([1, 1])
    }

    fn disqualifies(&self, _: &Stubborn, _: Player, _: &u8) -> Result<bool, String> {
        Ok(false)
    }

    fn accept(&self, _: &Stubborn, _: Player, _: &u8, _: &mut Vec<String>) -> u8 {
        1
    }

    fn picture(&self, _: &Stubborn, _: &Stubborn, _: Option<Player>) -> Picture {
        Picture::default()
    }

    fn choices(&self, _: &Stubborn, _: Player) -> Vec<String> {
        vec!["1".to_string()]
    }

    fn prompt(&self, _: &Stubborn, _: Player) -> String {
        String::new()
    }
}

#[test]
fn a_game_of_both_at_once_without_end_is_broken_off() {
    let mut judge = JointJudge::new(Bids, Stubborn);
    let answer = ["1".to_string()];
    for _ in 0..7 {
        assert!(!judge.is_endless());
        for question in judge.ask() {
            judge.answer(question.player, &answer).unwrap();
        }
    }
    assert_eq!((judge.ask(), judge.moves().len(), judge.points()), (Vec::new(), 7, [0, 0]));
    assert!(judge.is_endless() && judge.choices(Player::Zero).is_empty());
    assert!(judge.answer(Player::Zero, &answer).is_err());
    assert_eq!(judge.replay("1/1"), Ok(()), "a recorded game may be longer");

    // A player that fails in the last turn has lost.
    let mut failing = JointJudge::new(Bids, Stubborn);
    (0..6).for_each(|_| failing.replay("1/1").unwrap());
    failing.ask();
    failing.fail(Player::One);
    failing.answer(Player::Zero, &answer).unwrap();
    assert!(!failing.is_endless() && failing.ask().is_empty());
    assert_eq!(failing.points(), [1, 0]);
}
