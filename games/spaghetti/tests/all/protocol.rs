//! Tests of both sides of the contest's protocol, byte for byte, with malicious input.

use contender_game::{
    board::ansi,
    contest::{BotSetup, Judge, LineBot, Notation, Question, Reply},
    rules::Player,
    settings::Options,
};
use contender_spaghetti::notation::parse_move;
use contender_spaghetti::{State, CONTEST};
use proptest::prelude::*;

fn new_bot(name: &str, seed: u64) -> Box<dyn LineBot> {
    let setup = BotSetup { seed, ..BotSetup::default() };
    CONTEST.bot(name, &mut Options::default(), &setup).unwrap()
}

fn new_judge(seed: u64, options: &str) -> Result<Box<dyn Judge>, String> {
    let mut options = Options::parse(options).unwrap();
    let judge = CONTEST.judge(seed, &mut options)?;
    options.finish()?;
    Ok(judge)
}

fn say(judge: &mut dyn Judge, player: Player, expected: &str, answer: &str) {
    let question = Question { player, text: expected.to_string(), answer_lines: 1 };
    assert_eq!(judge.ask(), [question]);
    judge.answer(player, &[answer.to_string()]).unwrap();
}

#[test]
fn the_judges_side() {
    let mut judge = new_judge(0, "start=bbs+bds").unwrap();
    assert_eq!(judge.setup(), ["bbs", "bds"]);
    say(&mut *judge, Player::Zero, "bbs\nbds\nStart\n", "bas");
    say(&mut *judge, Player::One, "bbs\nbds\nbas\n", "bcs");
    say(&mut *judge, Player::Zero, "bcs\n", "bes");
    say(&mut *judge, Player::One, "bes\n", "bfs");
    assert_eq!(judge.ask()[0].text, "bfs\n");
    for bad in ["", "bg", "bgss", "bgS", "bgx", "jgs", "bhs", "bas", " bgs", "bgs\n", "Äs", "é"] {
        judge.answer(Player::Zero, &[bad.to_string()]).unwrap_err();
    }
    judge.answer(Player::One, &["bgs".to_string()]).unwrap_err();
    judge.answer(Player::Zero, &["bgs".to_string()]).unwrap();
    assert_eq!(judge.points(), [57, 50]);
    assert_eq!(judge.farewell(), "Quit\n");
    assert_eq!(judge.moves().join(" "), "bas bcs bes bfs bgs");
    assert!(ansi::plain(&judge.picture(None).to_text()).contains("Blue 57   Red 50"));
}

#[test]
fn the_bots_side() {
    let mut blue = new_bot("greedy", 1);
    assert_eq!(blue.line("bbs"), Ok(Reply::Nothing));
    assert_eq!(blue.line("hbl"), Ok(Reply::Nothing));
    let Ok(Reply::Say(mv)) = blue.line("Start") else { panic!("no first move") };
    let mut red = new_bot("greedy", 2);
    assert_eq!(red.line("bbs"), Ok(Reply::Nothing));
    assert_eq!(red.line("hbl"), Ok(Reply::Nothing));
    let Ok(Reply::Say(answer)) = red.line(&mv) else { panic!("no answer") };
    assert!(matches!(blue.line(&answer), Ok(Reply::Say(_))));
    red.line(&answer).unwrap_err();
    blue.line("Start").unwrap_err();
    assert_eq!(red.line("Quit"), Ok(Reply::Stop));
    assert_eq!(new_bot("random", 1).line("Quit"), Ok(Reply::Stop));
}

#[test]
fn a_same_cell_for_both_start_tiles_is_refused() {
    assert!(new_judge(0, "start=bbs+bbl").is_err());
    assert!(new_judge(0, "start=bbs").is_err());
    let mut bot = new_bot("random", 1);
    bot.line("bbs").unwrap();
    bot.line("bbl").unwrap_err();
}

/// Plays a game between bundled bots. The bot `fails` leaves after its `after`-th question.
fn play(judge: &mut dyn Judge, names: [&str; 2], seed: u64, fails: Option<Player>, after: usize) -> [i32; 2] {
    let mut bots = [new_bot(names[0], seed), new_bot(names[1], seed + 1000)];
    let mut asked = [0; 2];
    loop {
        let Some(question) = judge.ask().pop() else { return judge.points() };
        asked[question.player] += 1;
        if fails == Some(question.player) && asked[question.player] > after {
            judge.fail(question.player);
            continue;
        }
        let bot = &mut bots[question.player];
        let mut replies: Vec<Reply> = question.text.lines().map(|line| bot.line(line).unwrap()).collect();
        let Some(Reply::Say(answer)) = replies.pop() else { panic!("no answer to {:?}", question.text) };
        assert!(replies.iter().all(|reply| *reply == Reply::Nothing));
        judge.answer(question.player, &[answer]).unwrap();
    }
}

#[test]
fn bundled_bots_play_whole_games() {
    for names in [["random", "greedy"], ["greedy", "random"], ["greedy", "greedy"]] {
        let mut sums = [0; 2];
        for seed in 0..10 {
            let mut judge = new_judge(seed, "").unwrap();
            let points = play(&mut *judge, names, seed, None, 0);
            assert_eq!(judge.moves().len(), 61);
            let mut again = CONTEST.recorded(&judge.setup(), &mut Options::default()).unwrap();
            judge.moves().iter().for_each(|mv| again.replay(mv).unwrap());
            assert_eq!(again.points(), points);
            assert!(again.ask().is_empty());
            for player in Player::BOTH {
                sums[player] += points[player];
            }
        }
        println!("{names:?}: {sums:?}");
        match names {
            ["greedy", "random"] => assert!(sums[0] > sums[1]),
            ["random", "greedy"] => assert!(sums[0] < sums[1]),
            _ => {}
        }
    }
}

#[test]
fn a_failed_bot_gets_nothing_and_the_judge_plays_on_for_it() {
    for (player, after) in [(Player::Zero, 0), (Player::One, 0), (Player::Zero, 7), (Player::One, 29)] {
        let mut judge = new_judge(5, "").unwrap();
        let points = play(&mut *judge, ["greedy"; 2], 3, Some(player), after);
        assert_eq!(judge.moves().len(), 61);
        assert_eq!(points[player], 0);
        assert!(points[player.other()] > 0);
    }
}

#[test]
fn start_tiles_are_drawn_as_the_contest_draws_them() {
    let mut cells = std::collections::HashSet::new();
    let mut mirrored = 0;
    for seed in 0..20_000 {
        let judge = new_judge(seed, "").unwrap();
        let [first, second] = &judge.setup()[..] else { panic!("not two start tiles") };
        let [first, second] = [first, second].map(|tile| parse_move(tile).unwrap());
        for cell in [first.cell(), second.cell()] {
            assert!((1..8).contains(&cell.row()) && (1..6).contains(&cell.column()));
            assert_ne!((cell.row(), cell.column()), (4, 3));
            cells.insert(cell);
        }
        assert_ne!(first.cell(), second.cell());
        if first.cell().mirrored() == second.cell() {
            mirrored += 1;
            assert_ne!(first.tile(), second.tile());
        }
    }
    assert_eq!(cells.len(), 34);
    assert!((450..770).contains(&mirrored), "{mirrored} of about 606");
}

#[test]
fn perft_counts_tiles_times_cells() {
    let start: Vec<String> = ["bbs", "hbl"].map(String::from).to_vec();
    assert_eq!(CONTEST.perft(&start, 1), Ok(183));
    assert_eq!(CONTEST.perft(&start, 2), Ok(183 * 180));
    assert!(CONTEST.perft(&["bbs".to_string(), "bbl".to_string()], 1).is_err());
}

fn lines() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-j][a-h][lsrx]", Just("Start".to_string()), "[a-i./lsr+ -]{0,90}"]
}

proptest! {
    #[test]
    fn parsers_take_any_text(text in lines()) {
        let state = State::default();
        if let Ok(mv) = state.read(&text) {
            prop_assert_eq!(mv.to_string(), text.clone());
        }
        let mut options = Options::default();
        options.add("start", &text).unwrap();
        let _ = CONTEST.judge(0, &mut options);
        let _ = CONTEST.recorded(&[text.clone(), text.clone()], &mut Options::default());
        let _ = CONTEST.perft(&[text], 1);
    }

    #[test]
    fn bots_take_any_lines(lines in proptest::collection::vec(lines(), 0..12)) {
        let mut bot = new_bot("greedy", 1);
        for line in lines {
            let _ = bot.line(&line);
        }
    }

    #[test]
    fn the_judge_takes_any_answer(lines in proptest::collection::vec(lines(), 0..12)) {
        let mut judge = new_judge(1, "").unwrap();
        for line in lines {
            let question = judge.ask();
            let _ = judge.answer(question[0].player, std::slice::from_ref(&line));
            let _ = judge.replay(&line);
        }
    }
}
