//! Tests of the searching bots: the same seed gives the same game, and the last tile counts as in the rules.

use crate::tracer::{worths, Seen};
use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Game, Player, Rng, Turn},
    settings::{Options, Settings},
};
use contender_spaghetti::{ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, Move, State};

type AnyBot = Box<dyn Bot<State, Move>>;

fn clock(nodes: u64) -> Clock {
    Clock::new(Limits::nodes(nodes))
}

fn classic(options: &str) -> AnyBot {
    let mut options = Options::parse(options).unwrap();
    Box::new(ClassicBot::new(ClassicSettings::DEFAULT.with(&mut options).unwrap(), 1))
}

fn champion(options: &str) -> AnyBot {
    let mut options = Options::parse(options).unwrap();
    Box::new(ChampionBot::new(ChampionSettings::DEFAULT.with(&mut options).unwrap(), 1))
}

fn random_state(rng: &mut Rng, empty: u32) -> State {
    let mut state = State::empty();
    while state.empty_cells() > empty {
        let mv = state.random_move(rng, &mut Vec::new());
        state.play(mv);
    }
    state
}

/// Returns the moves of a whole game.
fn game(mut bots: [AnyBot; 2], nodes: u64) -> Vec<Move> {
    let mut state = random_state(&mut Rng::new(1), 61);
    let mut moves = Vec::new();
    while let Turn::Player(player) = state.turn() {
        let mv = bots[player].choose(&state, player, &clock(nodes));
        bots[player.other()].observe(&state, player.other(), &mv);
        state.play(mv);
        moves.push(mv);
    }
    moves
}

#[test]
fn the_same_seed_and_iterations_give_the_same_game() {
    let play = || game([classic("solve=5"), champion("solve=6")], 500);
    let first = play();
    assert_eq!(first.len(), 61);
    assert_eq!(first, play());
    assert_ne!(first, game([classic("solve=5"), champion("solve=6")], 501));
}

/// With one cell left, both the bot's search and its solver find the exact result, even if a path runs through the last
/// tile twice.
#[test]
fn the_last_tile_is_worth_what_the_rules_say() {
    let mut rng = Rng::new(2);
    let mut bots = [classic("solve=0"), classic("solve=1"), champion("solve=0"), champion("solve=1")];
    let mut seen = Seen::default();
    for _ in 0..10_000 {
        let state = random_state(&mut rng, 1);
        let Turn::Player(player) = state.turn() else { unreachable!("a cell is left") };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let mut double = Seen::default();
        let worth = |mv: Move, double: &mut Seen| {
            let mut next = state.clone();
            next.play(mv);
            worths(&next, mv, double)
        };
        let worth: Vec<[i32; 2]> = moves.iter().map(|&mv| worth(mv, &mut double)).collect();
        if double.double_pass_left_right == 0 {
            continue;
        }
        seen.double_pass_left_right += double.double_pass_left_right;
        let best = worth.iter().map(|worth| worth[player]).max().unwrap();
        for bot in &mut bots {
            let analysis = bot.analyse(&state, player, &clock(3_000));
            let other = worth[moves.iter().position(|&mv| mv == analysis.moves[0].mv).unwrap()];
            assert_eq!(other[player], best);
            let lead = state.scores()[player] + best - state.scores()[player.other()];
            assert_eq!(analysis.moves[0].value, [f64::from(lead); 2]);
        }
    }
    assert!(seen.double_pass_left_right > 20, "{seen:?}");
}

/// A bot answers within the time limit of the game, however little time is left.
#[test]
fn a_short_clock_is_kept() {
    use std::time::Duration;
    let limits = Limits::per_game(Duration::from_millis(40));
    for mut bot in [classic(""), champion("")] {
        let state = random_state(&mut Rng::new(3), 30);
        let mut clock = Clock::new(limits);
        clock.start_turn();
        let mv = bot.choose(&state, Player::Zero, &clock);
        assert!(state.is_empty(mv.cell()));
    }
}
