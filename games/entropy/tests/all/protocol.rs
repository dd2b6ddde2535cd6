//! Tests of both sides of the contest's protocol, byte for byte, with malicious input.

use contender_entropy::bots::ProtocolParser;
use contender_entropy::{Bag, EntropyProtocol, GreedyBot, Move, Scoring, State, CONTEST};
use contender_game::{
    contest::{Bot, BotSetup, Clock, Judge, Limits, LineBot, Notation, Protocol, Reply},
    rules::{Game, Player, Rng},
    settings::Options,
};
use proptest::prelude::*;
use std::collections::HashMap;

type BotSession<B> = contender_game::contest::BotSession<ProtocolParser, B>;

/// A bag in the order `1234567`, seven times.
const BAG: &str = "1234567123456712345671234567123456712345671234567";

fn options(text: &str) -> Options {
    Options::parse(text).unwrap()
}

fn new_bot(name: &str) -> Box<dyn LineBot> {
    CONTEST.bot(name, &mut Options::default(), &BotSetup::default()).unwrap()
}

fn judge(seed: u64, rules: &str) -> Box<dyn Judge> {
    CONTEST.judge(seed, &mut options(rules)).unwrap()
}

/// Returns the judge's only question.
fn ask(judge: &mut dyn Judge) -> (Player, String) {
    let mut questions = judge.ask();
    assert_eq!(questions.len(), 1);
    let question = questions.remove(0);
    assert_eq!(question.answer_lines, 1);
    (question.player, question.text)
}

fn answer(judge: &mut dyn Judge, player: Player, text: &str) -> Result<(), String> {
    judge.answer(player, &[text.to_string()])
}

/// Plays a game between two bots to its end and returns its points.
fn play(judge: &mut dyn Judge, bots: &mut [Box<dyn LineBot>; 2]) -> [i32; 2] {
    loop {
        let Some(question) = judge.ask().pop() else { return judge.points() };
        let bot = &mut bots[question.player];
        let mut replies: Vec<Reply> = question.text.lines().map(|line| bot.line(line).unwrap()).collect();
        let Some(Reply::Say(answer)) = replies.pop() else { panic!("no answer to {:?}", question.text) };
        assert!(replies.iter().all(|reply| *reply == Reply::Nothing));
        judge.answer(question.player, &[answer]).unwrap();
    }
}

/// A bot that answers from a list.
struct Scripted(Vec<&'static str>);

impl Bot<State, Move> for Scripted {
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Move {
        assert_eq!(state.turn(), contender_game::rules::Turn::Player(player));
        state.read(self.0.remove(0)).unwrap()
    }
}

fn scripted(answers: &[&'static str]) -> BotSession<Scripted> {
    BotSession::new(Scripted(answers.to_vec()), Limits::NONE)
}

fn say(text: &str) -> Result<Reply, String> {
    Ok(Reply::Say(text.to_string()))
}

#[test]
fn the_judge_asks_as_the_contest_does() {
    let mut judge = judge(0, &format!("bag=3512467{}", "1234567".repeat(6)));
    let [order, chaos] = Player::BOTH;
    for (player, question, reply) in [
        (chaos, "Start\n3\n", "Bc"),
        (order, "3Bc\n", "BcBg"),
        (chaos, "BcBg\n5\n", "Bf"),
        (order, "5Bf\n", "BfBf"),
    ] {
        assert_eq!(ask(&mut *judge), (player, question.to_string()));
        answer(&mut *judge, player, reply).unwrap();
    }
    assert_eq!(ask(&mut *judge), (chaos, "BfBf\n1\n".to_string()));
    assert_eq!(judge.moves(), ["3Bc", "BcBg", "5Bf", "BfBf"]);
    assert_eq!(judge.farewell(), "Quit\n");
    assert_eq!(answer(&mut *judge, order, "BfBe").unwrap_err(), "it is not this player's turn");
    assert_eq!(answer(&mut *judge, chaos, "Bf").unwrap_err(), "there is already a chip on Bf");
}

#[test]
fn a_bot_in_the_seat_of_chaos() {
    let mut bot = scripted(&["Bc", "Bf"]);
    assert_eq!(bot.line("Start"), Ok(Reply::Nothing));
    assert_eq!(bot.line("3"), say("Bc"));
    assert_eq!(bot.line("BcBg"), Ok(Reply::Nothing));
    assert_eq!(bot.line("5"), say("Bf"));
    assert_eq!(bot.line("BfBf"), Ok(Reply::Nothing));
    assert_eq!(bot.line("Quit"), Ok(Reply::Stop));
}

#[test]
fn a_bot_in_the_seat_of_order() {
    let mut bot = scripted(&["BcBg", "BgBg"]);
    assert_eq!(bot.line("3Bc"), say("BcBg"));
    // A pass may name any chip, but the bot writes the first one.
    assert_eq!(bot.line("5Bf"), say("BfBf"));
    assert_eq!(bot.line("Quit"), Ok(Reply::Stop));
}

#[test]
fn whole_games_are_told_to_the_end() {
    let mut judge = judge(1, "");
    let mut bots = [new_bot("greedy"), new_bot("random")];
    let points = play(&mut *judge, &mut bots);
    assert_eq!(judge.moves().len(), 97);
    assert_eq!(judge.moves()[96].len(), 3, "the last move is a placement");
    assert_eq!(points.iter().sum::<i32>(), 400);
    // Order was not sent the last placement, but would accept it.
    let last = judge.moves()[96].clone();
    assert_eq!(bots[0].line(&last), Ok(Reply::Nothing));
    assert!(bots[0].line(&last).is_err());
    assert!(bots[1].line("AaAa").unwrap_err().contains("not a colour and a cell"));
    for bot in &mut bots {
        assert_eq!(bot.line("Quit"), Ok(Reply::Stop));
    }
}

#[test]
fn the_seed_alone_decides_the_draws() {
    let draws = |seed, names: [&str; 2]| {
        let mut judge = judge(seed, "");
        play(&mut *judge, &mut names.map(new_bot));
        let placements = judge.moves().iter().filter(|mv| mv.len() == 3);
        placements.map(|mv| mv[..1].to_string()).collect::<String>()
    };
    let first = draws(1, ["greedy", "random"]);
    assert_eq!(first, draws(1, ["random", "greedy"]));
    assert_ne!(first, draws(2, ["greedy", "random"]));
    assert!(first.parse::<Bag>().is_ok(), "seven chips of each colour: {first}");
}

#[test]
fn failed_players_have_no_points_and_the_judge_moves_for_them() {
    for failing in Player::BOTH {
        let mut judge = judge(3, "");
        let mut bots = [new_bot("greedy"), new_bot("greedy")];
        // `failing` fails at its first question; the other bot plays to the end.
        let mut failed = false;
        while let Some(question) = judge.ask().pop() {
            if question.player == failing {
                assert!(!failed, "a failed player is asked again");
                failed = true;
                judge.fail(failing);
                continue;
            }
            let bot = &mut bots[question.player];
            for line in question.text.lines() {
                if let Reply::Say(text) = bot.line(line).unwrap() {
                    answer(&mut *judge, question.player, &text).unwrap();
                }
            }
        }
        assert_eq!(judge.moves().len(), 97);
        let points = judge.points();
        assert_eq!(points[failing], 0);
        assert!(points[failing.other()] > 0);
    }
    let mut judge = judge(3, "");
    judge.ask();
    judge.fail(Player::One);
    assert_eq!(judge.ask().len(), 1);
    judge.fail(Player::Zero);
    assert!(judge.ask().is_empty(), "the game stops when both have failed");
    assert_eq!(judge.points(), [0, 0]);
}

#[test]
fn in_place_of_order_the_judge_picks_a_chip_and_then_where_it_goes() {
    // Aa can reach 1 + 6 cells, and Ac 1 + 4 + 6. With staying, these are 8 and 12 choices. Staying is a pass for both.
    let text = "1.2..../......./......./......./......./......./....... o";
    let state = contender_entropy::position::parse_state(text, Scoring::Rules).unwrap();
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut rng = Rng::new(4);
    let protocol = EntropyProtocol::default();
    for _ in 0..80_000 {
        let mv = protocol.stand_in(&state, &mut rng);
        *counts.entry(state.write(mv)).or_default() += 1;
    }
    assert_eq!(counts.len(), 7 + 11 + 1);
    for (mv, count) in counts {
        let expected = match &mv[..2] {
            _ if mv == "AaAa" => 40_000 / 8 + 40_000 / 12,
            "Aa" => 40_000 / 8,
            _ => 40_000 / 12,
        };
        assert!(count.abs_diff(expected) < 400, "{mv}: {count} instead of {expected}");
    }
}

#[test]
fn a_fixed_bag_is_drawn_in_its_order() {
    let mut first = judge(1, &format!("bag={BAG}"));
    assert_eq!(first.setup(), [BAG]);
    play(&mut *first, &mut ["random", "greedy"].map(new_bot));
    let drawn: String = first.moves().iter().filter(|mv| mv.len() == 3).map(|mv| &mv[..1]).collect();
    assert_eq!(drawn, BAG);

    let mut again = CONTEST.recorded(&first.setup(), &mut Options::default()).unwrap();
    assert_eq!(again.replay("2Aa").unwrap_err(), "the bag's next chip is 1, not 2");
    for mv in first.moves() {
        again.replay(mv).unwrap();
    }
    assert_eq!((again.moves(), again.points()), (first.moves(), first.points()));

    let error = |bag: &str| CONTEST.judge(0, &mut options(&format!("bag={bag}"))).err().unwrap();
    assert!(error("123").ends_with("one for each chip in the order of the draws, not 3"));
    assert!(error(&BAG.replacen('2', "8", 1)).ends_with("a bag has colours 1 to 7, not '8'"));
    let wrong = error(&BAG.replacen('6', "2", 1));
    assert!(
        wrong.ends_with("a bag has seven chips of each colour, but this bag has 8 of colour 2"),
        "{wrong}"
    );
    let wrong = error(&BAG.replacen('1', "2", 1));
    assert!(wrong.ends_with("seven chips of each colour, but this bag has 6 of colour 1"), "{wrong}");
}

#[test]
fn the_worth_of_a_full_alternating_line_is_an_option() {
    // Row A becomes 1212121, and nothing else is close to a palindrome.
    let places = ["1Aa", "2Ab", "1Ac", "2Ad", "1Ae", "2Af", "1Ag"];
    for (rules, score) in [("", 37), ("abababa=37", 37), ("abababa=27", 27)] {
        let mut judge = CONTEST.recorded(&[], &mut options(rules)).unwrap();
        for place in places {
            judge.replay(place).unwrap();
            judge.replay("AaAa").unwrap();
        }
        assert_eq!(judge.points(), [120 + score, 280 - score], "{rules}");
    }
    let error = CONTEST.judge(0, &mut options("abababa=30")).err().unwrap();
    assert_eq!(error, "option `abababa=30`: expected one of 37, 27");
}

#[test]
fn perft_after_moves() {
    assert_eq!(CONTEST.perft(&[], 2), Ok(7 * 49));
    let moves = CONTEST.split_moves("3Bc BcBg");
    assert_eq!(moves, CONTEST.split_moves(" 3Bc,  BcBg,"));
    assert_eq!(CONTEST.perft(&moves, 2), Ok(7 * 48));
    let moves = ["3Bc", "BdBg"].map(str::to_string);
    assert_eq!(CONTEST.perft(&moves, 2), Err("move 2: there is no chip on Bd".to_string()));
}

#[test]
fn stronger_bots_win() {
    let pairs = [["greedy", "random"], ["expectimax", "greedy"]];
    for [stronger, weaker] in pairs {
        let score = |names: [&str; 2]| {
            let games = (0..20).map(|seed| play(&mut *judge(seed, ""), &mut names.map(new_bot))[0]);
            games.sum::<i32>() / 20
        };
        let (as_order, as_chaos) = (score([stronger, weaker]), score([weaker, stronger]));
        assert!(as_order > as_chaos + 20, "{stronger} against {weaker}: {as_order} and {as_chaos}");
    }
}

#[test]
fn bots_and_options_that_are_not_there_are_named() {
    let error =
        |name: &str, text: &str| CONTEST.bot(name, &mut options(text), &BotSetup::default()).err().unwrap();
    assert_eq!(
        error("champ", ""),
        "entropy has no bot `champ`; available: random, greedy, expectimax, classic, champion"
    );
    assert_eq!(error("classic", "star2=9"), "option `star2=9`: expected a whole number from 0 to 8");
    assert_eq!(
        error("classic", "optimistic=yes"),
        "option `optimistic=yes`: expected one of on, off, always"
    );
    assert!(error("expectimax", "depth=0").starts_with("option `depth=0`"));
    assert!(error("expectimax", "depth=-1").starts_with("option `depth=-1`"));
}

#[test]
fn the_board_shows_chips_values_and_bag() {
    let judge = {
        let mut judge = CONTEST.recorded(&[], &mut Options::default()).unwrap();
        for mv in ["3Bc", "BcBg", "3Bf"] {
            judge.replay(mv).unwrap();
        }
        judge
    };
    let picture = judge.picture(None);
    let board = contender_game::board::ansi::plain(&picture.to_text());
    let lines: Vec<&str> = board.lines().map(str::trim_end).collect();
    assert_eq!(lines[1], "A  ·  ·  ·  ·  ·  ·  ·  ·");
    assert_eq!(lines[2], "B  ·  ·  ·  ·  · [3] 3  2");
    assert_eq!(lines[9], "patterns 2: Order 122, Chaos 278");
    assert!(lines[10].starts_with("bag  1 ×7  2 ×7  3 ×5  4 ×7"));
    assert!(picture.lines.is_empty());
}

/// Generates text that is almost right, so that it passes the first checks.
fn nearly_protocol() -> impl Strategy<Value = String> {
    prop_oneof![
        "[1-7][A-G][a-g]",
        "[A-G][a-g][A-G][a-g]",
        "[0-9]",
        "[0-9A-Ha-h.]{0,6}",
        Just("Start".to_string()),
        any::<String>(),
        "é[A-G]{1,3}",
    ]
}

proptest! {
    #[test]
    fn hostile_lines_never_break_a_bot(lines in prop::collection::vec(nearly_protocol(), 0..60)) {
        let mut bot = BotSession::new(GreedyBot::new(), Limits::NONE);
        for line in lines {
            let _ = bot.line(&line);
        }
        prop_assert_eq!(bot.line("Quit"), Ok(Reply::Stop));
    }

    #[test]
    fn hostile_answers_and_records_never_break_the_judge(lines in prop::collection::vec(nearly_protocol(), 0..60)) {
        let mut judge = judge(5, "");
        for line in lines {
            if let Some(question) = judge.ask().pop() {
                let before = (judge.picture(None), judge.moves().len());
                if judge.answer(question.player, std::slice::from_ref(&line)).is_err() {
                    prop_assert_eq!(&before, &(judge.picture(None), judge.moves().len()));
                }
            }
            let before = (judge.picture(None), judge.moves().len());
            if judge.replay(&line).is_err() {
                prop_assert_eq!(&before, &(judge.picture(None), judge.moves().len()));
            }
        }
    }

    #[test]
    fn hostile_positions_and_bags_are_refused_or_sound(text in "[1-8./]{0,60}( [o?0-9])?", other in any::<String>()) {
        for text in [text, other] {
            let _ = text.parse::<Bag>();
            if let Ok(state) = contender_entropy::position::parse_state(&text, Scoring::Rules) {
                let written = contender_entropy::position::write_state(&state);
                prop_assert_eq!(contender_entropy::position::parse_state(&written, Scoring::Rules), Ok(state));
            }
        }
    }
}
