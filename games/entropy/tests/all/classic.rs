//! Tests of the classic bot: the results of its search, and its judgement of the opponent.

use contender_entropy::classic::{regret, ClassicSettings, Optimism, Regret};
use contender_entropy::evaluation::{Linear, LinearGuide, Net, Value, ValueGuide, Weights, NAMES, POINT};
use contender_entropy::{position, ChampionBot, ClassicBot, ExpectimaxBot, Move, ScoreGuide, Scoring, State};
use contender_game::{
    contest::{Bot, Clock, Limits, Notation},
    rules::{Chance, Game, Player, Rng, Turn},
    settings::{Options, Settings, Shipped},
};
use contender_search::{expectimax, Search, SearchConfig, SearchLimits, TableDepth, WithChance};

/// Returns weights of a realistic order of magnitude for every input, different at every turn.
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
    for round in 0..30 {
        let (placed, depth) = [(8, 1), (25, 2), (38, 2), (44, 3), (46, 4)][round % 5];
        let state = position(placed, round % 2 == 0, &mut rng);
        let mut guide = LinearGuide::new(weights());
        guide.focus(&state, if round % 3 == 0 { 3 } else { 25 });
        let value = expectimax(&state, depth, &mut guide);
        for options in [
            "",
            "table=0",
            "star2=0",
            "star2=3",
            "etc=off,killers=off",
            "order=off,pvs=off",
            "driver=mtdf",
            "driver=aspiration,queries=1",
        ] {
            let settings = settings(&format!("probcut=0,{options}"));
            let mut search = Search::<_, _, WithChance>::new(guide.clone(), settings.config());
            let found = search.search(&state, &SearchLimits::depth(depth));
            let best = &found.moves[0];
            assert_eq!(best.value, own(&state, value), "{options}: {}", position::write_state(&state));
            let mut child = state.clone();
            child.play(best.mv);
            assert_eq!(expectimax(&child, depth - 1, &mut guide), value);
        }
    }
}

/// A training run that was too fast leaves such weights.
#[test]
fn values_far_outside_the_scores_are_clamped() {
    for bias in [-1e4, 1e4] {
        let mut weights = Weights::ZERO;
        weights.turns.iter_mut().for_each(|row| row.bias = bias);
        let mut guide = LinearGuide::new(weights);
        let state = position(20, true, &mut Rng::new(1));
        guide.focus(&state, 25);
        assert_eq!(expectimax(&state, 2, &mut guide), if bias < 0.0 { 0 } else { 1000 * POINT });
    }
}

/// Returns a value of the evaluation as it appears in an analysis, from the view of the player to act.
fn own(state: &State, value: i32) -> [f64; 2] {
    let Turn::Player(player) = state.turn() else { panic!("nobody is to act") };
    [f64::from(player.sign() * value); 2]
}

#[test]
fn a_table_that_is_kept_from_move_to_move_changes_no_value() {
    let mut rng = Rng::new(4);
    let config = SearchConfig { table_depth: TableDepth::Same, ..settings("probcut=0").config() };
    let mut search = Search::<_, _, WithChance>::new(LinearGuide::new(weights()), config);
    let mut state = position(36, true, &mut rng);
    while state.turn() != Turn::Over {
        if state.turn() == Turn::Chance {
            state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
            continue;
        }
        // The range is so narrow that values are clamped, and its centre changes after most moves.
        search.guide().focus(&state, 2);
        let mut guide = search.guide().clone();
        let found = search.search(&state, &SearchLimits::depth(2));
        let value = own(&state, expectimax(&state, 2, &mut guide));
        assert_eq!(found.moves[0].value, value, "{}", position::write_state(&state));
        state.play(state.random_move(&mut rng, &mut Vec::new()));
    }
}

#[test]
fn what_is_left_out_is_not_solved_and_the_settled_endgame_is_exact() {
    let mut rng = Rng::new(7);
    let champion = ClassicSettings { focus: 1000, ..ChampionBot::SETTINGS };
    let mut guide = ScoreGuide::UNCAPPED;
    let (mut wrong, mut solved) = (0, 0);
    for round in 0..24 {
        let state = position([46, 47, 48][round / 8], round % 2 == 0, &mut rng);
        let exact = expectimax(&state, 97, &mut guide);
        let mut search = Search::<_, _, WithChance>::new(LinearGuide::new(weights()), champion.config());
        search.guide().predict(&state);
        let found = search.search(&state, &SearchLimits::NONE);
        let is_right = found.moves[0].value == own(&state, exact);
        wrong += u32::from(!is_right);
        solved += u32::from(found.is_proven());
        assert!(!found.is_proven() || is_right, "{}", position::write_state(&state));
        let mut bot = ClassicBot::new(ClassicSettings { optimism: Optimism::Off, ..champion }, weights());
        let player = if round % 2 == 0 { Player::One } else { Player::Zero };
        let limits = Limits::nodes(1_000_000);
        let analysis = bot.analyse(&state, player, &Clock::new(limits));
        let score = f64::from(exact) / f64::from(POINT);
        let value = ((120.0 + score) - (280.0 - score)) * f64::from(player.sign());
        assert_eq!(analysis.moves[0].value, [value, value], "{}", position::write_state(&state));
        assert!(analysis.moves[0].is_proven);
    }
    assert!(wrong > 0 && solved > 0, "{wrong} wrong, {solved} solved");
}

#[test]
fn predictions_that_cut_nothing_leave_the_end_solved() {
    let mut rng = Rng::new(8);
    for round in 0..10 {
        let state = position(46, round % 2 == 0, &mut rng);
        let config = SearchConfig { prob_cut: 1e6, ..settings("").config() };
        let mut search = Search::<_, _, WithChance>::new(LinearGuide::new(weights()), config);
        search.guide().predict(&state);
        assert!(
            search.search(&state, &SearchLimits::depth(6)).is_proven(),
            "{}",
            position::write_state(&state)
        );
    }
}

/// Plays a game of `bot` as Order against `chaos`, which gets the state and the number of placements so far. Calls
/// `seen` with the bot and the state after each move of Order.
fn play_order(
    bot: &mut ClassicBot,
    mut chaos: impl FnMut(&State, u32) -> Move,
    mut seen: impl FnMut(&ClassicBot, &State),
) {
    let mut rng = Rng::new(11);
    let mut state = State::default();
    let limits = Limits::nodes(4_000);
    let mut clock = Clock::new(limits);
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

/// Returns a function that finds the best placement at depth 2, the bot's depth for judging.
fn perfect() -> impl FnMut(&State) -> Move {
    let config = SearchConfig { table_depth: TableDepth::Same, ..SearchConfig::FULL };
    let mut search = Search::<_, _, WithChance>::new(LinearGuide::new(weights()), config);
    move |state| search.search(state, &SearchLimits::depth(2)).moves[0].mv
}

/// Returns the errors of an evaluation's predictions for shallow searches before draws, in standard deviations.
fn errors_of_predictions<V: Value>(evaluation: V) -> Vec<f64> {
    let config = SearchConfig {
        table_depth: TableDepth::Same,
        table_bytes: 1 << 20,
        evaluate_from: 2,
        ..SearchConfig::FULL
    };
    let mut search = Search::<_, _, WithChance>::new(ValueGuide::<V>::new(evaluation), config);
    let mut rng = Rng::new(3);
    let mut errors = Vec::new();
    for _ in 0..3 {
        let mut state = State::default();
        while state.turn() != Turn::Over {
            if state.turn() == Turn::Chance {
                for prediction in V::PREDICTIONS {
                    if prediction.deep <= 2 && (6..42).contains(&state.placed()) {
                        let [deep, shallow] = [prediction.deep, prediction.shallow]
                            .map(|depth| f64::from(search.value(&state, depth)) / f64::from(POINT));
                        let cut = prediction.near(&state);
                        errors.push((deep - shallow - prediction.offset) / (cut.sigma / f64::from(POINT)));
                    }
                }
                state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                continue;
            }
            let best = search.search(&state, &SearchLimits::depth(1)).moves[0].mv;
            let is_random = state.placed() < 4 || rng.below(8) == 0;
            state.play(if is_random { state.random_move(&mut rng, &mut Vec::new()) } else { best });
        }
    }
    errors
}

/// The parameters belong to the weights of the evaluation. After a new training run they must be fitted again.
#[test]
fn predictions_are_right_on_the_mean_and_their_errors_as_large_as_they_say() {
    for errors in
        [errors_of_predictions(Linear::from(Weights::shipped())), errors_of_predictions(Net::shipped())]
    {
        let n = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / n;
        let deviation = (errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / n).sqrt();
        assert!(n > 100.0 && mean.abs() < 0.5, "{mean} in {n} positions");
        assert!((0.6..1.4).contains(&deviation), "{deviation} in {n} positions");
    }
}

fn settings(options: &str) -> ClassicSettings {
    ClassicSettings::DEFAULT.with(&mut Options::parse(options).unwrap()).unwrap()
}

#[test]
fn a_perfect_opponent_has_no_regret() {
    // The range is wide enough that no value is clamped, like the opponent's.
    let mut bot = ClassicBot::new(settings("focus=1000,depth=1"), weights());
    let mut perfect = perfect();
    play_order(&mut bot, |state, _| perfect(state), |_, _| {});
    assert_eq!(bot.regret(), Regret { total: 0.0, moves: 48 });
}

#[test]
fn the_regret_is_the_difference_of_expectimax_values() {
    let mut rng = Rng::new(2);
    let mut guide = LinearGuide::new(weights());
    let mut search = Search::<_, _, WithChance>::new(
        guide.clone(),
        SearchConfig { table_depth: TableDepth::Same, ..SearchConfig::FULL },
    );
    for placed in 0..40 {
        let is_chaos = placed % 2 == 0;
        let state = position(placed + 2, is_chaos, &mut rng);
        let mv = state.random_move(&mut rng, &mut Vec::new());
        let mut after = state.clone();
        after.play(mv);
        let worse = expectimax(&after, 1, &mut guide) - expectimax(&state, 2, &mut guide);
        let expected = if is_chaos { worse } else { -worse };
        let found = regret(&mut search, &state, mv, &SearchLimits::depth(2)).unwrap();
        assert!((found - expected as f32 / 1000.0).abs() < 1e-4 && found >= 0.0);
    }
}

/// The first moves of a game in which Chaos places its first twelve chips at random and the other chips perfectly.
const RECORD: &str =
    "7Ac AcDc 6Ee EeFe 7Ga GaEa 4Fg EaEc 2Eb EbBb 5Ae FeFc 1Bc FgFf 1Ed EdBd 6Dg DgCg 3Ab CgCc 5Eb BdGd \
    3Be GdGc 3Eg AeAd 3Da AdEd 1De EgEe 6Ea BeCe 1Cg AbAe 5Bg BcBe 7Fe EaFa 4Ea BgBf 1Ca BfEf 4Cd GcGb \
    7Aa FcGc 6Fc FcFb 6Eg FeFc 7Gf CdDd 4Ac FfFd 2Fe BbBa 1Gg GfGd 2Cb CgDg 5Bb GgFg 2Bg FaGa 4Ge EaFa";

#[test]
fn against_an_opponent_who_improves_the_optimistic_mode_goes_on_and_off() {
    let mut bot = ClassicBot::new(settings("depth=1,regret=4,regretrate=0.5"), weights());
    let clock = Clock::new(Limits::NONE);
    let mut state = State::default();
    let mut optimistic = Vec::new();
    for text in RECORD.split_whitespace() {
        let before = state.clone();
        let mv = state.play_record(text).unwrap();
        if let Move::Place(cell) = mv {
            // The bot observes the state with the drawn chip.
            let mut drawn = before;
            drawn.resolve(state.colour(cell));
            bot.observe(&drawn, Player::Zero, &mv);
            let analysis = bot.analyse(&state, Player::Zero, &clock);
            let is_optimistic = analysis.counts.contains(&("optimistic", 1));
            assert_eq!(is_optimistic, bot.is_optimistic(state.placed()));
            if is_optimistic {
                optimistic.push(state.placed());
            }
        }
    }
    assert_eq!(state.placed(), 33);
    assert_eq!(optimistic, (10..25).collect::<Vec<u32>>());
    assert_eq!(bot.regret().moves, 33);
}

#[test]
fn the_optimistic_search_finds_the_most_points_of_three_moves() {
    // Three slides make 1 2 3 2 1. With the pass included, this is the maximum number of points.
    let text = "......./1....../.2...../3....../.2...../1....../....... o";
    let state = position::parse_state(text, Scoring::Rules).unwrap();
    let mut bot = ClassicBot::new(settings("optimistic=always,early=0"), Weights::ZERO);
    let analysis = bot.analyse(&state, Player::Zero, &Clock::new(Limits::nodes(1_000_000)));
    assert_eq!(analysis.depth, 3);
    let lead = (120.0 + most(&state, 3)) - (280.0 - most(&state, 3));
    assert_eq!(analysis.moves[0].value, [lead, lead]);
}

/// Returns the maximum number of points after this many moves of Order, by exhaustive search.
fn most(state: &State, moves: u32) -> f64 {
    if moves == 0 {
        return f64::from(state.score());
    }
    let mut list = Vec::new();
    state.moves(&mut list);
    let after = list.into_iter().map(|mv| {
        let mut child = state.clone();
        child.play(mv);
        let text = position::write_state(&child).replace('?', "o");
        most(&position::parse_state(&text, Scoring::Rules).unwrap(), moves - 1)
    });
    after.fold(0.0, f64::max)
}

#[test]
fn an_analysis_tells_values_and_inputs() {
    let state = position(30, false, &mut Rng::new(6));
    let mut bot = ClassicBot::new(settings(""), weights());
    let analysis = bot.analyse(&state, Player::Zero, &Clock::new(Limits::nodes(20_000)));
    assert!(analysis.depth >= 2 && analysis.unit == "points");
    let first = analysis.moves[0].value;
    assert_eq!(first[0], first[1]);
    assert!(analysis.moves.iter().all(|of| of.value[1].is_finite()), "every move has a bound");
    let names: Vec<&str> = analysis.inputs.iter().map(|&(name, _)| name).collect();
    assert_eq!(names[..NAMES.len()], NAMES);
    assert_eq!(names[NAMES.len()..], ["points", "evaluation"]);
    assert_eq!(analysis.inputs[NAMES.len()].1, f64::from(state.score()));
}

/// The reserve is a share of the clock, so there is time to think with any clock.
#[test]
fn every_bot_thinks_at_a_hundredth_of_the_clock() {
    let whole = std::time::Duration::from_secs(30);
    let mut rng = Rng::new(5);
    for (percent, placed) in
        [1, 5, 20].into_iter().flat_map(|percent| [0, 20, 48].map(|placed| (percent, placed)))
    {
        let state = position(placed, true, &mut rng);
        let clock = Clock::new(Limits::per_game(whole * percent / 100));
        let classic = ClassicBot::new(ClassicSettings::default(), weights()).limits(&state, &clock);
        let expectimax = ExpectimaxBot::new(2).limits(&state, &clock);
        for limits in [classic, expectimax] {
            let [soft, hard] = [limits.soft, limits.hard].map(|end| end.unwrap() - clock.turn_start());
            assert!(
                !soft.is_zero() && soft <= hard && hard < whole * percent / 100,
                "{hard:?} at {percent} %"
            );
        }
    }
}
