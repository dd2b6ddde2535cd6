//! Tests of both sides of the protocol against each other, with malicious input.

use contender_cellularena::bots::ProtocolParser;
use contender_cellularena::notation::read_turn;
use contender_cellularena::position::canonical;
use contender_cellularena::{map, Action, CellularenaProtocol, Order, RandomActions, State, CONTEST};
use contender_game::{
    board::ansi,
    contest::{Bot, BotSetup, Clock, JointProtocol, Judge, Limits, LineBot, OpenJudge, Reply},
    rules::Player,
    settings::Options,
};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

type BotSession<B> = contender_game::contest::BotSession<ProtocolParser, B>;

/// Sends a question and returns the lines of the answer.
fn ask(bot: &mut dyn LineBot, text: &str) -> Vec<String> {
    let mut answer = Vec::new();
    for line in text.lines() {
        if let Reply::Say(said) = bot.line(line).unwrap() {
            answer.extend(said.lines().map(str::to_string));
        }
    }
    answer
}

fn play(judge: &mut dyn Judge, bots: &mut [Box<dyn LineBot>; 2]) {
    loop {
        let questions = judge.ask();
        if questions.is_empty() {
            return;
        }
        for question in questions {
            let answer = ask(bots[question.player].as_mut(), &question.text);
            assert_eq!(answer.len(), question.answer_lines);
            judge.answer(question.player, &answer).unwrap();
        }
    }
}

fn bot(name: &str, seed: u64) -> Box<dyn LineBot> {
    let setup = BotSetup { seed, ..BotSetup::default() };
    CONTEST.bot(name, &mut Options::default(), &setup).unwrap()
}

/// A bot that plays at random and stores what it was shown.
struct Spy {
    bot: RandomActions,
    seen: Arc<Mutex<Vec<(State, Player)>>>,
}

impl Bot<State, Vec<Action>> for Spy {
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Vec<Action> {
        self.seen.lock().unwrap().push((state.clone(), player));
        self.bot.choose(state, player, clock)
    }
}

#[test]
fn the_dialogue_sees_what_the_judge_has() {
    for seed in 1..=30 {
        let mut judge = CellularenaProtocol::judge(map::generate(seed).unwrap());
        let seen = [(); 2].map(|()| Arc::new(Mutex::new(Vec::new())));
        let mut bots = Player::BOTH.map(|player| {
            let spy = Spy { bot: RandomActions::new(seed as u64), seen: seen[player].clone() };
            BotSession::new(spy, Limits::NONE)
        });
        let mut turns = 0;
        loop {
            let state = judge.state().clone();
            let questions = judge.ask();
            if questions.is_empty() {
                break;
            }
            for question in questions {
                let answer = ask(&mut bots[question.player], &question.text);
                judge.answer(question.player, &answer).unwrap();
                let seen = seen[question.player].lock().unwrap();
                let (shown, player) = seen.last().unwrap();
                assert_eq!((canonical(shown), *player), (canonical(&state), question.player));
                assert_eq!((seen.len(), shown.turns()), (turns + 1, turns as u32));
            }
            turns += 1;
        }
        assert!(turns > 3);
    }
}

#[test]
fn records_replay_to_the_same_game() {
    for seed in 0..10 {
        let mut judge = CONTEST.judge(seed, &mut Options::default()).unwrap();
        play(judge.as_mut(), &mut [bot("greedy", 1), bot("random", seed)]);
        let mut again = CONTEST.recorded(&judge.setup(), &mut Options::default()).unwrap();
        for turn in judge.moves() {
            again.replay(turn).unwrap();
        }
        assert_eq!((again.points(), again.moves()), (judge.points(), judge.moves()));
        assert_eq!(again.picture(None), judge.picture(None));
        assert!(again.ask().is_empty());
        assert_eq!(again.replay("0: WAIT | 1: WAIT").unwrap_err(), "the game is over");
    }
}

#[test]
fn greedy_beats_random() {
    let mut wins = [0; 2];
    for seed in 0..20 {
        for seat in Player::BOTH {
            let mut judge = CONTEST.judge(seed, &mut Options::default()).unwrap();
            let mut bots = [bot("greedy", 1), bot("random", seed)];
            if seat == Player::One {
                bots.reverse();
            }
            play(judge.as_mut(), &mut bots);
            wins[0] += judge.points()[seat];
            wins[1] += judge.points()[seat.other()];
        }
    }
    assert!(wins[0] >= 36, "greedy {} : {} random", wins[0], wins[1]);
}

const START: &str =
    "5 2\n.A.#.\n.....\n1 2 3 4\n5 6 7 8\n1 0 0 0 ROOT N 0 1\n2 1 4 0 ROOT N 0 2\n4 0 0 1 HARVESTER W 1 1\n";

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_string).collect()
}

#[test]
fn questions_byte_for_byte() {
    let mut judge = CellularenaProtocol::judge(START.parse().unwrap());
    let [zero, one] = judge.ask().try_into().unwrap();
    let board = "5\n0 0 ROOT 1 1 N 0 1\n1 0 A -1 0 X 0 0\n3 0 WALL -1 0 X 0 0\n4 0 ROOT 0 2 N 0 2\n0 1 HARVESTER 1 4 W 1 1\n";
    assert_eq!(zero.text, format!("5 2\n{board}1 2 3 4\n5 6 7 8\n1\n"));
    assert_eq!(
        one.text,
        "5 2\n5\n0 0 ROOT 0 1 N 0 1\n1 0 A -1 0 X 0 0\n3 0 WALL -1 0 X 0 0\n4 0 ROOT 1 2 N 0 2\n\
            0 1 HARVESTER 0 4 W 1 1\n5 6 7 8\n1 2 3 4\n1\n"
    );
    judge.answer(Player::Zero, &lines("WAIT")).unwrap();
    assert_eq!(judge.ask().len(), 1, "the other player is still to answer");
    judge.answer(Player::One, &lines("GROW 2 4 1 BASIC hello")).unwrap();
    assert_eq!(judge.moves(), ["0: WAIT | 1: GROW 2 4 1 BASIC N"]);
    assert_eq!(judge.ask()[0].text, CellularenaProtocol.question(judge.state(), Player::Zero));
    assert_eq!(judge.setup(), lines(START));
}

#[test]
fn unreadable_lines_disqualify_after_the_turn() {
    let text = START.replace("4 0 0 1 HARVESTER W 1 1", "4 0 0 1 ROOT N 0 4");
    let mut judge = CellularenaProtocol::judge(text.parse().unwrap());
    let error = judge.answer(Player::Zero, &lines("grow\nGROW 1 1 0 BASIC")).unwrap_err();
    assert!(error.starts_with("`grow` is not"), "{error}");
    judge.fail(Player::Zero);
    assert_eq!(judge.state().turns(), 0);
    judge.answer(Player::One, &lines("GROW 2 4 1 BASIC")).unwrap();
    assert_eq!(judge.moves(), ["0: ?; GROW 1 1 0 BASIC N | 1: GROW 2 4 1 BASIC N"]);
    assert_eq!((judge.state().organ_count(Player::Zero), judge.points()), (3, [0, 1]));
    assert!(judge.ask().is_empty());
}

#[test]
fn late_players_lose_and_both_late_compare_proteins() {
    let mut judge = CellularenaProtocol::judge(START.parse().unwrap());
    judge.fail(Player::Zero);
    judge.answer(Player::One, &lines("WAIT")).unwrap();
    assert_eq!((judge.moves(), judge.points()), (&["0: ! | 1: WAIT".to_string()][..], [0, 1]));
    let mut judge = CellularenaProtocol::judge(START.parse().unwrap());
    assert!(judge.answer(Player::One, &[]).unwrap_err().contains("0 lines instead of 1"));
    judge.fail(Player::One);
    judge.fail(Player::Zero);
    assert_eq!((judge.failed(), judge.points()), ([true; 2], [0, 1]));
    let mut again = CellularenaProtocol::judge(START.parse().unwrap());
    again.replay(&judge.moves()[0]).unwrap();
    assert_eq!((again.failed(), again.points()), (judge.failed(), judge.points()));
}

#[test]
fn ignored_orders_are_shown_below_the_board() {
    let mut judge = CellularenaProtocol::judge(START.parse().unwrap());
    judge.replay("0: GROW 9 1 1 BASIC N | 1: WAIT").unwrap();
    let board = ansi::plain(&judge.picture(None).to_text());
    assert!(board.ends_with("ignored: player 0 GROW 9 1 1 BASIC N: there is no such organ\n"), "{board}");
}

#[test]
fn dialogue_refuses_senseless_input() {
    for (input, error) in [
        ("x 9", "`x 9` is not 2 numbers"),
        ("40 9", "a board of 40 x 9 cells; at most 24 x 12 are possible"),
        ("5 2\n11", "11 entities are more than the board has cells"),
        ("5 2\n1\n9 9 WALL -1 0 X 0 0", "(9, 9) is not on the board"),
        (
            "5 2\n1\n1 1 TREE 1 1 N 0 1",
            "`1 1 TREE 1 1 N 0 1` is not an entity: x y type owner id dir parent root",
        ),
        ("5 2\n0\n1 1 1 1\n1 1 1 1\n1", "there is no organ"),
        (
            "5 2\n1\n0 0 ROOT 1 1 N 0 1\n1 1 1 1\n1 1 1 1\n2",
            "2 actions are requested, but the player has 1 organisms",
        ),
        (
            "5 2\n2\n0 0 WALL -1 0 X 0 0\n0 0 ROOT 1 1 N 0 1\n1 1 1 1\n1 1 1 1\n1",
            "organ 1 is at (0, 0), which is not empty",
        ),
    ] {
        let mut dialogue = BotSession::new(RandomActions::new(1), Limits::NONE);
        let result: Result<Vec<Reply>, String> = input.lines().map(|line| dialogue.line(line)).collect();
        assert_eq!(result.unwrap_err(), error);
    }
}

#[test]
fn contest_options_and_perft() {
    let judge = |text: &str| CONTEST.judge(1, &mut Options::parse(text).unwrap());
    assert_eq!(judge("map-seed=5").unwrap().setup(), lines(&canonical(&map::generate(5).unwrap())));
    assert_eq!(judge("").unwrap().setup(), judge("").unwrap().setup());
    assert!(judge("map-seed=0").is_err());
    assert!(CONTEST.bot("champion?", &mut Options::default(), &BotSetup::default()).is_err());
    let perft = |depth| CONTEST.perft(&[], depth).unwrap();
    assert_eq!(perft(0), 1);
    assert_eq!(perft(2), perft(1) * perft(1), "the map is symmetric");
    let turns = CONTEST.split_moves("0: WAIT | 1: WAIT, 0: WAIT; WAIT | 1: WAIT,");
    assert_eq!(turns, ["0: WAIT | 1: WAIT", "0: WAIT; WAIT | 1: WAIT"]);
    assert_eq!(CONTEST.perft(&turns[..1], 2), Ok(perft(2)), "waiting changes nothing");
    assert!(CONTEST.perft(&["x".to_string()], 1).unwrap_err().starts_with("move 1: "));
}

/// Generates text from the protocol's own words, so that it passes the first checks.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(vec![
            "GROW", "GROWTH", "SPORE", "SPOR", "WAIT", "BASIC", "TENTACLE", "ROOT", "N", "e", "X", ";", "|",
            "?", "!", "0:", "1:", "WALL", "A", "-1", "\t", "",
        ])
        .prop_map(str::to_string),
        any::<i32>().prop_map(|number| number.to_string()),
        (0..6i32).prop_map(|number| number.to_string()),
        ".{0,5}",
    ];
    prop::collection::vec(word, 0..10).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_read_or_refused(text in words(), more in words()) {
        if let Ok(order) = text.parse::<Order>() {
            prop_assert_eq!(order.to_string().parse::<Order>(), Ok(order));
        }
        let turn = format!("0: {text} | 1: {more}");
        let _ = read_turn(&text);
        let _ = read_turn(&turn);
        let _ = text.parse::<State>();
        let mut judge = CellularenaProtocol::judge(START.parse().unwrap());
        if judge.replay(&turn).is_err() {
            prop_assert_eq!(canonical(judge.state()), START);
        }
        for player in Player::BOTH {
            if judge.answer(player, std::slice::from_ref(&text)).is_err() {
                judge.fail(player);
            }
        }
    }

    #[test]
    fn any_lines_leave_the_dialogue_alive(input in prop::collection::vec(words(), 0..12), cut in 0usize..30) {
        let mut dialogue = BotSession::new(RandomActions::new(1), Limits::NONE);
        let question = format!("5 2\n{}", CellularenaProtocol.question(&START.parse().unwrap(), Player::One));
        for line in question.lines().take(cut).map(str::to_string).chain(input) {
            if dialogue.line(&line).is_err() {
                break;
            }
        }
    }
}
