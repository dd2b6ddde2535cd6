//! Tests of both sides of the contest's protocol: transcripts, whole games, failures, and malformed input.

use contender_boxes::bots::ProtocolParser;
use contender_boxes::notation::parse_full_move;
use contender_boxes::{GreedyBot, Placement, State, Tile, CONTEST};
use contender_game::{
    board::ansi,
    contest::{Bot, BotSetup, Clock, Judge, Limits, LineBot, RandomBot, Reply},
    rules::{Game, Player},
    settings::Options,
};
use proptest::prelude::*;

type BotSession<B> = contender_game::contest::BotSession<ProtocolParser, B>;

fn judge(seed: u64, options: &str) -> Box<dyn Judge> {
    let mut options = Options::parse(options).unwrap();
    let judge = CONTEST.judge(seed, &mut options).unwrap();
    options.finish().unwrap();
    judge
}

fn bot(name: &str, seed: u64) -> Box<dyn LineBot> {
    let setup = BotSetup { seed, ..BotSetup::default() };
    CONTEST.bot(name, &mut Options::default(), &setup).unwrap()
}

/// Sends a question line by line. The bot must answer only the last line.
fn ask(bot: &mut dyn LineBot, text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines[..lines.len() - 1] {
        assert_eq!(bot.line(line), Ok(Reply::Nothing), "{line}");
    }
    match bot.line(lines[lines.len() - 1]) {
        Ok(Reply::Say(answer)) => answer,
        other => panic!("{other:?} is no answer to {text}"),
    }
}

/// Plays a game to the end. A player fails after `fails[player]` of its questions.
fn play(judge: &mut dyn Judge, mut bots: [Box<dyn LineBot>; 2], fails: [usize; 2]) {
    let mut answered = [0; 2];
    loop {
        let questions = judge.ask();
        let Some(question) = questions.first() else { break };
        let player = question.player;
        if answered[player] == fails[player] {
            judge.fail(player);
            continue;
        }
        answered[player] += 1;
        let answer = ask(&mut *bots[player], &question.text);
        judge.answer(player, &[answer]).unwrap();
    }
    for mut bot in bots {
        assert_eq!(bot.line(judge.farewell().trim_end()), Ok(Reply::Stop));
    }
}

#[test]
fn the_judge_speaks_as_the_contest_does() {
    let mut judge = judge(5, "start=216534,colours=42");
    assert_eq!(judge.setup(), ["4", "2", "Hh216534h"]);

    let questions = judge.ask();
    let tile = questions[0].text.lines().last().unwrap().to_string();
    assert_eq!((questions.len(), questions[0].player, questions[0].answer_lines), (1, Player::Zero, 1));
    assert_eq!(questions[0].text, format!("4\nHh216534h\nStart\n{tile}\n"));
    assert!(tile.parse::<Tile>().is_ok());
    judge.answer(Player::Zero, &["Ikv".to_string()]).unwrap();

    let questions = judge.ask();
    let second = questions[0].text.lines().last().unwrap().to_string();
    let heard = format!("Ik{tile}v");
    assert_eq!(questions[0].player, Player::One);
    assert_eq!(questions[0].text, format!("2\nHh216534h\n{heard}\n{second}\n"));
    judge.answer(Player::One, &["Ifv".to_string()]).unwrap();

    let questions = judge.ask();
    let third = questions[0].text.lines().last().unwrap().to_string();
    assert_eq!(questions[0].text, format!("If{second}v\n{third}\n"));
    assert_eq!(judge.moves(), [heard, format!("If{second}v")]);
    assert_eq!(judge.farewell(), "Quit\n");
}

#[test]
fn the_judge_refuses_with_a_reason_and_asks_again() {
    let mut judge = judge(6, "start=123456,colours=12");
    assert_eq!(judge.ask()[0].player, Player::Zero);
    let mut refusal = |answer: &str| judge.answer(Player::Zero, &[answer.to_string()]).unwrap_err();
    assert_eq!(refusal("Hjh"), "a tile at Hjh covers 8 filled cells; at most 4 are allowed");
    assert_eq!(refusal("Jnh"), "a tile at Jnh touches no filled cell");
    assert_eq!(refusal("Aph"), "a tile at `Aph` sticks out of the board");
    assert_eq!(
        refusal("Ik364521v"),
        "`Ik364521v` is not a placement like `Ikv`: row A-P, column a-t, h or v"
    );
    assert!(refusal("").contains("is not a placement"));
    assert!(refusal(" Ikv").contains("is not a placement"));
    assert!(judge.answer(Player::One, &["Ikv".to_string()]).is_err());
    assert!(judge.answer(Player::Zero, &[]).is_err());
    assert!(judge.moves().is_empty());
    judge.answer(Player::Zero, &["Ikv".to_string()]).unwrap();
}

/// A bot that plays the first legal placement and records what it observes.
struct First {
    heard: Vec<String>,
}

impl Bot<State, Placement> for &mut First {
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Placement {
        let [zero, one] = state.colours();
        assert_ne!(zero, one);
        assert_eq!(state.mover(), player);
        let colour = state.colours()[player];
        self.heard.push(format!("{} {colour} turn {}", state.tile().unwrap(), clock.turns_before()));
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves[0]
    }

    fn observe(&mut self, state: &State, player: Player, placement: &Placement) {
        assert_eq!(state.mover(), player.other());
        assert!(state.is_legal(*placement));
        self.heard.push(format!("{} at {placement}", state.tile().unwrap()));
    }
}

#[test]
fn the_bot_understands_the_contest() {
    let mut first = First { heard: Vec::new() };
    let mut dialogue = BotSession::new(&mut first, Limits::NONE);
    assert_eq!(ask(&mut dialogue, "4\nHh216534h\nIk364521v\n462513\n"), "Gbh");
    assert_eq!(ask(&mut dialogue, "If123456v\n654321\n"), "Eah");
    assert_eq!(dialogue.line("Quit"), Ok(Reply::Stop));
    let expected = ["364521 at Ikv", "462513 3 turn 0", "123456 at Ifv", "654321 3 turn 1"];
    assert_eq!(first.heard, expected);

    let mut first = First { heard: Vec::new() };
    let mut dialogue = BotSession::new(&mut first, Limits::NONE);
    assert_eq!(ask(&mut dialogue, "1\nHh216534h\nStart\n364521\n"), "Gbh");
    assert_eq!(first.heard, ["364521 0 turn 0"]);
}

#[test]
fn the_bot_says_what_it_does_not_understand() {
    let error = |lines: &[&str]| {
        let mut bot = bot("random", 1);
        let (last, before) = lines.split_last().unwrap();
        for line in before {
            bot.line(line).unwrap();
        }
        bot.line(last).unwrap_err()
    };
    assert_eq!(error(&["Start"]), "`Start` is not a colour 1-6");
    assert_eq!(error(&["1", "Start"]), "`Start` is not a move like `Ik364521v`");
    assert_eq!(error(&["1", "Hi123456h"]), "the start tile `Hi123456h` is not at Hhh");
    assert_eq!(
        error(&["1", "Hh123456h", "Hi123456h"]),
        "a tile at Hih covers 10 filled cells; at most 4 are allowed"
    );
    assert_eq!(error(&["1", "Hh123456h", "Ik1"]), "`Ik1` is not a move like `Ik364521v`");
    assert_eq!(
        error(&["1", "Hh123456h", "Start", "123455"]),
        "`123455` is not a tile: the digits 1 to 6, each once"
    );
}

/// A bot that plays the placements of a recorded game.
struct Recorded(std::vec::IntoIter<Placement>);

impl Bot<State, Placement> for Recorded {
    fn choose(&mut self, _: &State, _: Player, _: &Clock) -> Placement {
        self.0.next().unwrap()
    }
}

#[test]
fn the_bot_knows_when_the_game_is_over() {
    let mut last_movers = [0; 2];
    for seed in 0..20 {
        let mut judge = judge(seed, "");
        play(&mut *judge, [bot("greedy", 1), bot("random", 2)], [usize::MAX; 2]);
        // Sends the same game to a bot in seat 1.
        let moves: Vec<_> = judge.moves().iter().map(|text| parse_full_move(text).unwrap()).collect();
        let own: Vec<Placement> = moves.iter().skip(1).step_by(2).map(|&(placement, _)| placement).collect();
        let mut dialogue = BotSession::new(Recorded(own.into_iter()), Limits::NONE);
        for line in &judge.setup()[1..] {
            dialogue.line(line).unwrap();
        }
        for (number, text) in judge.moves().iter().enumerate() {
            let line = if number % 2 == 0 { text.clone() } else { moves[number].1.to_string() };
            dialogue.line(&line).unwrap();
        }
        let error = dialogue.line("123456").unwrap_err();
        assert!(error.contains("after the end of the game"), "{error}");
        assert_eq!(dialogue.line("Quit"), Ok(Reply::Stop));
        last_movers[moves.len() % 2] += 1;
    }
    assert!(last_movers.iter().all(|&count| count > 0), "{last_movers:?}");
}

#[test]
fn every_pair_of_colours_is_dealt() {
    let pairs: std::collections::HashSet<Vec<String>> =
        (0..400).map(|seed| judge(seed, "").setup()[..2].to_vec()).collect();
    assert_eq!(pairs.len(), 30);
}

#[test]
fn both_games_of_a_pair_have_the_same_seed() {
    let tiles = |bots: [&str; 2], fails| {
        let mut judge = judge(8, "");
        play(&mut *judge, [bot(bots[0], 1), bot(bots[1], 2)], fails);
        let tiles: Vec<String> = judge.moves().iter().map(|text| text[2..8].to_string()).collect();
        (judge.setup(), tiles)
    };
    let (setup, first) = tiles(["greedy", "random"], [usize::MAX; 2]);
    let (same_setup, second) = tiles(["random", "greedy"], [usize::MAX; 2]);
    let (_, failed) = tiles(["random", "greedy"], [3, usize::MAX]);
    assert_eq!(setup, same_setup);
    for other in [second, failed] {
        let common = first.len().min(other.len());
        assert!(common > 20 && first[..common] == other[..common]);
    }
    assert_ne!(setup, judge(9, "").setup());
}

#[test]
fn options_replace_their_part_of_the_setup_only() {
    let setup = judge(10, "").setup();
    assert_eq!(judge(10, "colours=16").setup(), ["1", "6", setup[2].as_str()]);
    assert_eq!(judge(10, "start=654321").setup(), [setup[0].as_str(), setup[1].as_str(), "Hh654321h"]);
    let tile = |options: &str| judge(10, options).ask()[0].text.lines().last().unwrap().to_string();
    assert_eq!(tile(""), tile("colours=16,start=654321"));
    for wrong in
        ["colours=11", "colours=1", "colours=123", "colours=17", "colours=ä", "start=112345", "start="]
    {
        let mut options = Options::parse(wrong).unwrap();
        let error = CONTEST.judge(1, &mut options).err().expect(wrong);
        assert!(error.starts_with("option `"), "{error}");
    }
}

#[test]
fn a_failed_player_gets_nothing_and_the_other_plays_on() {
    let mut judge = judge(11, "");
    play(&mut *judge, [bot("random", 1), bot("greedy", 2)], [2, usize::MAX]);
    assert_eq!(judge.points()[0], 0);
    assert!(judge.points()[1] >= 150 && judge.moves().len() >= 20, "{:?}", judge.points());

    let mut both = self::judge(11, "");
    play(&mut *both, [bot("random", 1), bot("greedy", 2)], [2, 3]);
    assert_eq!((both.points(), both.moves().len()), ([0, 0], 7));
}

#[test]
fn recorded_games_are_replayed_to_the_same_points() {
    let mut played = judge(14, "");
    play(&mut *played, [bot("greedy", 1), bot("random", 2)], [usize::MAX; 2]);
    let none = &mut Options::default();
    let mut replayed = CONTEST.recorded(&played.setup(), none).unwrap();
    assert!(replayed.replay("Hj123456h").unwrap_err().contains("covers 8 filled cells"));
    for text in played.moves() {
        replayed.replay(text).unwrap();
    }
    assert!(replayed.ask().is_empty());
    assert_eq!((replayed.moves(), replayed.points()), (played.moves(), played.points()));
    assert!(replayed.replay("Aa123456h").unwrap_err().contains("after the end"));

    assert_eq!(
        CONTEST.recorded(&[], none).err().unwrap(),
        "a recorded game without a setup needs the rule `colours`"
    );
    let mut options = Options::parse("colours=12,start=123456").unwrap();
    assert_eq!(CONTEST.recorded(&[], &mut options).unwrap().setup(), ["1", "2", "Hh123456h"]);
    for wrong in [&["1", "1", "Hh123456h"][..], &["1", "2", "Hi123456h"], &["1", "", "Hh123456h"], &["1"]] {
        let setup: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        assert!(CONTEST.recorded(&setup, none).is_err(), "{wrong:?}");
    }
}

#[test]
fn greedy_beats_random() {
    let mut lead = 0;
    for seed in 0..10 {
        for seat in 0..2 {
            let mut judge = judge(seed, "");
            let names = if seat == 0 { ["greedy", "random"] } else { ["random", "greedy"] };
            play(&mut *judge, names.map(|name| bot(name, seed)), [usize::MAX; 2]);
            lead += judge.points()[seat] - judge.points()[1 - seat];
        }
    }
    assert!(lead > 20 * 100, "{lead}");
}

#[test]
fn the_board_shows_what_its_viewer_may_know() {
    let mut judge = judge(12, "start=123456,colours=34");
    judge.ask();
    judge.answer(Player::Zero, &["Ikv".to_string()]).unwrap();
    let tile = judge.ask()[0].text.lines().last().unwrap().to_string();
    let lower: String = tile.chars().rev().collect();
    let spaced = |digits: &str| digits.chars().map(|digit| format!(" {digit} ")).collect::<String>();
    let all = ansi::plain(&judge.picture(None).to_text());
    let lines: Vec<&str> = all.lines().collect();
    assert!(lines[0].starts_with("   a  b  c") && lines[17].trim_end() == lines[0], "{all}");
    assert!(lines[8].starts_with("H  ·  · ") && lines[8].contains(" 1  2  3  4  5  6 "), "{all}");
    assert_eq!(lines[9].matches('[').count(), 2);
    assert_eq!(lines[18..20], ["Player 1, colour  3  score\u{a0}0", "Player 2, colour  4  score\u{a0}0"]);
    let tiles = [spaced(&tile) + "  tile to place", spaced(&lower) + "  Player 2 to move"];
    assert_eq!(lines[20..22], tiles);

    let own = ansi::plain(&judge.picture(Some(Player::One)).to_text());
    let lines: Vec<&str> = own.lines().collect();
    let scores: String = "12356".chars().map(|colour| format!("  {colour}: 0 ")).collect();
    assert_eq!(lines[18], format!("Player 1, secret colour; scores:{scores}"));
    assert_eq!(lines[19], "Player 2, colour  4  score\u{a0}0");
    let prompt = judge.prompt(Player::One);
    assert!(prompt.starts_with(&format!("place the tile {tile}: ")), "{prompt}");
    let example = &prompt[prompt.len() - 3..];
    judge.answer(Player::One, &[example.to_string()]).unwrap();
}

#[test]
fn unknown_bots_are_named() {
    let error = CONTEST.bot("best", &mut Options::default(), &BotSetup::default()).err().unwrap();
    assert!(error.starts_with("box has no bot `best`; available: random, greedy, "), "{error}");
}

/// Generates lines that look like the protocol's, and arbitrary lines.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-7]",
        "[1-6]{6}",
        "[A-Q][a-u][1-6]{6}[hv]",
        "[A-Q][a-u][hvx]",
        Just("Hh123456h".to_string()),
        Just("Start".to_string()),
        Just("123456".to_string()),
        Just("Ik364521v".to_string()),
        ".*",
    ]
}

proptest! {
    #[test]
    fn no_line_makes_a_bot_panic(lines in prop::collection::vec(line(), 0..12)) {
        let mut greedy = BotSession::new(GreedyBot::new(1), Limits::NONE);
        let mut random = BotSession::new(RandomBot::new(1), Limits::NONE);
        for line in ["1", "Hh123456h"].into_iter().chain(lines.iter().map(String::as_str)) {
            for bot in [&mut greedy as &mut dyn LineBot, &mut random] {
                if let Err(error) = bot.line(line) {
                    prop_assert!(!error.is_empty() && error.len() < 500 && !error.contains('\n'));
                }
            }
        }
    }

    #[test]
    fn no_answer_makes_the_judge_panic(answer in line()) {
        let mut judge = judge(13, "");
        judge.ask();
        let result = judge.answer(Player::Zero, std::slice::from_ref(&answer));
        let is_legal = answer.parse::<Placement>().map_or(false, |placement| {
            State::new([0, 1], Tile::from_index(0)).is_legal(placement)
        });
        prop_assert_eq!(result.is_ok(), is_legal);
    }

    #[test]
    fn parsers_accept_only_what_they_would_write(text in prop_oneof![line(), "\\PC{0,12}"]) {
        if let Ok(placement) = text.parse::<Placement>() {
            prop_assert_eq!(placement.to_string(), &text[..]);
        }
        if let Ok(tile) = text.parse::<Tile>() {
            prop_assert_eq!(tile.to_string(), &text[..]);
        }
        if let Ok((placement, tile)) = parse_full_move(&text) {
            prop_assert_eq!(contender_boxes::notation::full_move(placement, tile), text.clone());
        }
        let _ = CONTEST.perft(&[text], 0);
    }

    #[test]
    fn boards_of_all_states_can_be_drawn(seed in 0u64..1_000, viewer in 0..3usize) {
        let mut judge = judge(seed, "");
        play(&mut *judge, [bot("random", seed), bot("random", seed + 1)], [usize::MAX; 2]);
        let picture = judge.picture([None, Some(Player::Zero), Some(Player::One)][viewer]);
        prop_assert!(ansi::plain(&picture.to_text()).lines().count() == 20);
    }
}

#[test]
fn a_state_can_be_drawn() {
    let state = State::new([0, 1], Tile::from_index(0));
    assert!(ansi::plain(&contender_game::contest::Notation::picture(&state, None, None).to_text())
        .contains("Player 1, colour  1  score\u{a0}0"));
    assert_eq!(state.points(), [150, 150]);
}
