//! Tests of the bundled bots: reproducible play, checked options, and rollouts compared with a reference
//! implementation.

use contender_game::{
    contest::{Bot, BotSetup, Clock, Limits, Reply},
    rules::{Game, Player, Rng, Turn},
    settings::{Options, Shipped},
};
use contender_uttt::value_network::ValueNetwork;
use contender_uttt::{
    prior, rollout_with, Centre, ChampionBot, ChampionSettings, ClassicBot, ClassicSettings, Move, State,
    Style, UctBot, UctSettings, CONTEST,
};

fn random_state(rng: &mut Rng, most: u32) -> State {
    let mut state = State::default();
    for _ in 0..rng.below(most) {
        let mut next = state;
        next.play(state.random_move(rng, &mut Vec::new()));
        if next.turn() == Turn::Over {
            break;
        }
        state = next;
    }
    state
}

/// Returns a bot's answers in a game against itself, alternating between the seats.
fn game(name: &str, options: &str, nodes: u64) -> Vec<String> {
    let limits = Limits::nodes(nodes);
    let mut bots = [1, 2].map(|seed| {
        let mut options = Options::parse(options).unwrap();
        let bot = CONTEST.bot(name, &mut options, &BotSetup { seed, limits }).unwrap();
        options.finish().unwrap();
        bot
    });
    let mut rules = Options::parse("opening=2").unwrap();
    let mut judge = CONTEST.judge(7, &mut rules).unwrap();
    while let Some(question) = judge.ask().pop() {
        let mut reply = Reply::Nothing;
        for line in question.text.lines() {
            reply = bots[question.player].line(line).unwrap();
        }
        let Reply::Say(answer) = reply else { panic!("no answer") };
        judge.answer(question.player, &[answer]).unwrap();
    }
    judge.moves().to_vec()
}

#[test]
fn iterations_make_play_reproducible() {
    for (name, options) in [
        ("bronze", ""),
        ("classic", ""),
        ("classic", "cache=3,centre=only,free=off,rollouts=winning,draw=0.5"),
        ("uct", ""),
        ("uct", "first=1.1,rollouts=winning,reuse=off"),
        ("solver", ""),
        ("champion", ""),
    ] {
        let first = game(name, options, 200);
        assert!(first.len() > 10);
        assert_eq!(first, game(name, options, 200), "{name}:{options}");
    }
}

#[test]
fn bad_options_are_named() {
    for (name, options) in [
        ("classic", "win=0"),
        ("classic", "first=5+5"),
        ("classic", "decay=1.1"),
        ("uct", "rollouts=clever"),
        ("uct", "first=soon"),
        ("solver", "time=nan"),
    ] {
        let error = CONTEST
            .bot(name, &mut Options::parse(options).unwrap(), &BotSetup::default())
            .err()
            .expect("a bad option");
        assert!(error.contains(options.split('=').next().unwrap()), "{error}");
    }
    assert!(CONTEST.judge(1, &mut Options::parse("opening=17").unwrap()).is_err());
}

#[test]
fn openings_are_told_and_recorded() {
    let mut judge = CONTEST.judge(3, &mut Options::parse("opening=3").unwrap()).unwrap();
    let setup = judge.setup();
    assert_eq!(setup.len(), 3);
    let question = judge.ask().pop().unwrap();
    assert_eq!(question.player, Player::One);
    let expected = format!("opening {}\n{}\n", setup.join(" "), setup[2]);
    assert!(question.text.starts_with(&expected), "{}", question.text);
    let recorded = CONTEST.recorded(&setup, &mut Options::default()).unwrap();
    assert_eq!(recorded.picture(None), judge.picture(None));
    assert!(CONTEST.recorded(&["9 9".to_string()], &mut Options::default()).is_err());
    // Malicious openings are refused.
    for text in ["opening 4", "opening 4 4 4 4", "opening x y", "opening 4 4 0 0"] {
        let mut bot = CONTEST.bot("uct", &mut Options::default(), &BotSetup::default()).unwrap();
        assert!(bot.line(text).is_err(), "{text}");
    }
}

#[test]
fn searching_bots_begin_in_the_centre() {
    for name in ["classic", "uct", "solver", "champion"] {
        let mut bot = CONTEST.bot(name, &mut Options::default(), &BotSetup::default()).unwrap();
        let judge = CONTEST.judge(1, &mut Options::default()).unwrap().ask().pop().unwrap();
        let mut reply = Reply::Nothing;
        for line in judge.text.lines() {
            reply = bot.line(line).unwrap();
        }
        assert_eq!(reply, Reply::Say("4 4".to_string()), "{name}");
    }
}

#[test]
fn rollouts_of_classic_end_at_a_ply_of_the_game() {
    let mut rng = Rng::new(8);
    for _ in 0..200 {
        let state = random_state(&mut rng, 70);
        let Turn::Player(player) = state.turn() else { continue };
        // One iteration per move. After it, the rollout has reached the cap, or X would have to make the last move.
        let limits = Limits::nodes(u64::from(state.count_moves()));
        let cap = state.plies() + 1 + player.index() as u32;
        let settings =
            ClassicSettings { cap, loss_mark: false, centre: Centre::Off, ..ClassicSettings::default() };
        let analysis = ClassicBot::new(settings, 1).analyse(&state, player, &Clock::new(limits));
        for of in analysis.moves {
            let mut next = state;
            next.play(of.mv);
            assert!(
                of.effort == 1 && (of.value[0] == 0.0 || next.turn() == Turn::Over),
                "{of:?} of {state:?}"
            );
        }
    }
}

#[test]
fn the_first_turn_is_used_for_the_second() {
    let uct = |settings| Box::new(UctBot::new(settings, 1)) as Box<dyn Bot<State, Move>>;
    let champion = Box::new(ChampionBot::new(ChampionSettings::default(), ValueNetwork::shipped()));
    for mut bot in [uct(UctSettings::DEFAULT), uct(UctSettings::SOLVER), champion] {
        let clock = |nodes| Clock::new(Limits::nodes(nodes));
        let mut state = State::default();
        let first = bot.choose(&state, Player::Zero, &clock(3_000));
        assert_eq!(first, Move::at(4, 4));
        state.play(first);
        let reply = Move::at(3, 3);
        bot.observe(&state, Player::One, &reply);
        state.play(reply);
        let effort = |bot: &mut Box<dyn Bot<State, Move>>, state: &State| -> u64 {
            bot.analyse(state, Player::Zero, &clock(1)).moves.iter().map(|of| of.effort).sum()
        };
        assert!(effort(&mut bot, &state) > 100);
        // The bot starts from scratch in another state.
        assert!(effort(&mut bot, &State::default()) <= 1);
    }
}

/// Plays a rollout in a style with a direct implementation of the style's definition.
fn plain_rollout(mut state: State, style: Style, rng: &mut Rng) -> i32 {
    while let Turn::Player(player) = state.turn() {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let wins = |mv: Move, game: bool| {
            let mut next = state;
            next.play(mv);
            let by_line = next.turn() == Turn::Over && next.open() != 0 || has_line(next.won(player));
            if game {
                by_line
            } else {
                next.won(player) != state.won(player)
            }
        };
        let finishing: Vec<Move> = moves.iter().copied().filter(|&mv| wins(mv, true)).collect();
        let winning: Vec<Move> = moves.iter().copied().filter(|&mv| wins(mv, false)).collect();
        let mv = match style {
            Style::Finishing | Style::Winning if !finishing.is_empty() => *rng.choose(&finishing),
            Style::Winning if !winning.is_empty() => {
                // First the small board, then the cell.
                let mut boards: Vec<usize> = winning.iter().map(|mv| mv.board()).collect();
                boards.dedup();
                let board = *rng.choose(&boards);
                let cells: Vec<Move> = winning.into_iter().filter(|mv| mv.board() == board).collect();
                *rng.choose(&cells)
            }
            _ => *rng.choose(&moves),
        };
        state.play(mv);
    }
    state.value()
}

fn has_line(set: u16) -> bool {
    [7, 56, 448, 73, 146, 292, 273, 84].iter().any(|line| set & line == *line)
}

/// Returns the distance between two lists of results in the same states; each result is the sum and the sum of squares
/// of [`GAMES`] games. The distance is the sum of the squared differences, each in units of its variance. If only
/// randomness causes the differences, it is about the number of states.
fn distance(one: &[[i32; 2]], other: &[[i32; 2]]) -> f64 {
    let apart = |(one, other): (&[i32; 2], &[i32; 2])| {
        let variance =
            |&[sum, squares]: &[i32; 2]| f64::from(squares) - f64::from(sum).powi(2) / f64::from(GAMES);
        f64::from(one[0] - other[0]).powi(2) / (variance(one) + variance(other)).max(1.0)
    };
    one.iter().zip(other).map(apart).sum()
}

/// Number of rollouts per style and state.
const GAMES: u32 = 200;

#[test]
fn rollouts_are_spread_as_those_of_a_plain_twin() {
    let mut rng = Rng::new(5);
    let states: Vec<State> = (0..100).map(|_| random_state(&mut rng, 60)).collect();
    let styles = [Style::Random, Style::Finishing, Style::Winning];
    let mut play = |rollout: &dyn Fn(State, Style, &mut Rng) -> i32| {
        styles.map(|style| -> Vec<[i32; 2]> {
            let of_state = |&state: &State| {
                (0..GAMES).fold([0; 2], |[sum, squares], _| {
                    let value = rollout(state, style, &mut rng);
                    [sum + value, squares + value * value]
                })
            };
            states.iter().map(of_state).collect()
        })
    };
    let fast = play(&|mut state, style, rng| rollout_with(&mut state, rng, style, u32::MAX).unwrap());
    let plain = play(&plain_rollout);
    // A random distance has a standard deviation of the square root of twice the number of states, which is 14.
    for (fast, fast_style) in fast.iter().zip(styles) {
        for (plain, style) in plain.iter().zip(styles) {
            let distance = distance(fast, plain);
            assert_eq!(
                distance < 100.0 + 5.0 * 14.2,
                fast_style == style,
                "{fast_style:?} {style:?}: {distance}"
            );
        }
    }
    assert_eq!(rollout_with(&mut State::default(), &mut rng, Style::Random, 10), None);
    for _ in 0..200 {
        let state = random_state(&mut rng, 70);
        assert_eq!(rollout_with(&mut { state }, &mut rng, Style::Winning, 0), None);
    }
}

#[test]
fn finishing_rollouts_finish() {
    let mut rng = Rng::new(6);
    let mut seen = 0;
    while seen < 200 {
        let state = random_state(&mut rng, 60);
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let wins = |&mv: &Move| prior(&state, mv) >= 5.0;
        if moves.iter().any(wins) {
            seen += 1;
            for style in [Style::Finishing, Style::Winning] {
                let sign = state.mover().sign();
                assert_eq!(rollout_with(&mut { state }, &mut rng, style, 2 + 2), Some(sign));
            }
        }
    }
}
