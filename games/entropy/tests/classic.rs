//! The classic bot: what its search finds, and how it judges its opponent.

use contender_entropy::classic::{regret, ClassicSettings, Regret};
use contender_entropy::evaluation::{LinearGuide, Weights};
use contender_entropy::{ClassicBot, Move, State};
use contender_game::{Bot, Budget, Chance, Clock, Game, Options, Player, Rng, Turn};
use contender_search::{expectimax, Allowance, Config, Fair, Search, TableDepth};

/// Weights of a sensible order of magnitude for every input, different at every turn.
fn weights() -> Weights {
    let mut rng = Rng::new(5);
    let mut weights = Weights::ZERO;
    for (turn, row) in weights.turns.iter_mut().enumerate() {
        row.bias = (97 - turn) as f32 * 0.5;
        for (weight, scale) in row
            .inputs
            .iter_mut()
            .zip([0.3, 0.3, 0.3, 0.3, 0.5, 0.05, -0.5, -0.5, -0.1, 0.1, -0.1, 0.1, 0.05, -0.02])
        {
            *weight = scale * (0.5 + rng.unit() as f32);
        }
    }
    weights
}

fn position(placed: u32, is_chaos: bool, rng: &mut Rng) -> State {
    let mut state = State::default();
    loop {
        match state.turn() {
            Turn::Chance => state.resolve(state.random_outcome(rng, &mut Vec::new())),
            _ if state.placed() >= placed && state.drawn().is_some() == is_chaos => return state,
            _ => state.play(state.random_move(rng, &mut Vec::new())),
        }
    }
}

#[test]
fn with_every_sound_technique_values_are_those_of_expectimax() {
    let mut rng = Rng::new(1);
    for round in 0..60 {
        let (placed, depth) = [(8, 1), (25, 2), (38, 2), (44, 3), (46, 4)][round % 5];
        let state = position(placed, round % 2 == 0, &mut rng);
        let mut guide = LinearGuide::new(weights());
        guide.focus(&state, if round % 3 == 0 { 3 } else { 25 });
        let value = expectimax(&state, depth, &mut guide);
        for options in ["", "table=0", "star2=0", "star2=3", "etc=off,killers=off", "order=off,pvs=off"] {
            let settings = ClassicSettings::take(&mut Options::parse(options).unwrap()).unwrap();
            let mut search = Search::<_, _, Fair>::new(guide.clone(), settings.config());
            let report = search.search(&state, &Allowance::depth(depth));
            assert_eq!(
                report.value,
                value,
                "{options}: {}",
                contender_entropy::notation::write_state(&state)
            );
            let best = report.best.unwrap();
            let mut child = state.clone();
            child.play(best);
            assert_eq!(expectimax(&child, depth - 1, &mut guide), value);
        }
    }
}

/// A game of `bot` as Order against `chaos`, which is given the state and how many placements it has made; `seen` is shown the bot
/// and the state after each move of Order.
fn play_order(
    bot: &mut ClassicBot,
    mut chaos: impl FnMut(&State, u32) -> Move,
    mut seen: impl FnMut(&ClassicBot, &State),
) {
    let mut rng = Rng::new(11);
    let mut state = State::default();
    let budget = Budget { nodes: Some(4_000), ..Budget::default() };
    let mut clock = Clock::new(budget);
    loop {
        match state.turn() {
            Turn::Over => break,
            Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
            Turn::Player(Player::One) => {
                let mv = chaos(&state, state.placed());
                bot.observe(&state, Player::Zero, &mv);
                state.play(mv);
            }
            Turn::Player(Player::Zero) => {
                clock.start_turn();
                let mv = bot.choose(&state, Player::Zero, &clock);
                clock.end_turn();
                state.play(mv);
                seen(bot, &state);
            }
        }
    }
}

/// The best placement at depth 2, where the bot judges.
fn perfect() -> impl FnMut(&State) -> Move {
    let config = Config { table_depth: TableDepth::Same, ..Config::FULL };
    let mut search = Search::<_, _, Fair>::new(LinearGuide::new(weights()), config);
    move |state| search.search(state, &Allowance::depth(2)).best.unwrap()
}

fn settings(options: &str) -> ClassicSettings {
    ClassicSettings::take(&mut Options::parse(options).unwrap()).unwrap()
}

#[test]
fn a_perfect_opponent_has_no_regret() {
    // Wide enough for no value to be clamped, which the opponent does not do either.
    let mut bot = ClassicBot::new(settings("focus=1000,depth=1"), weights());
    let mut perfect = perfect();
    play_order(&mut bot, |state, _| perfect(state), |_, _| {});
    assert_eq!(bot.regret(), Regret { total: 0.0, moves: 48 });
}

#[test]
fn the_regret_is_the_difference_of_expectimax_values() {
    let mut rng = Rng::new(2);
    let mut guide = LinearGuide::new(weights());
    let mut search =
        Search::<_, _, Fair>::new(guide.clone(), Config { table_depth: TableDepth::Same, ..Config::FULL });
    for placed in 0..40 {
        let state = position(placed + 2, true, &mut rng);
        let mv = state.random_move(&mut rng, &mut Vec::new());
        let mut after = state.clone();
        after.play(mv);
        let expected = expectimax(&after, 1, &mut guide) - expectimax(&state, 2, &mut guide);
        let found = regret(&mut search, &state, mv, &Allowance::depth(2)).unwrap();
        assert!((found - expected as f32 / 1000.0).abs() < 1e-4 && found >= 0.0);
    }
}
