//! Tests of both sides of the contest's protocol, byte for byte, with malicious input.

use contender_game::{
    contest::{BotSetup, LineBot, Notation, Reply},
    rules::{Game, Player},
    settings::Options,
};
use contender_uttt::{position, State, CONTEST};
use proptest::prelude::*;

fn new_bot(name: &str, seed: u64) -> Box<dyn LineBot> {
    CONTEST.bot(name, &mut Options::default(), &BotSetup { seed, ..BotSetup::default() }).unwrap()
}

fn say(bot: &mut dyn LineBot, text: &str) -> Result<Reply, String> {
    text.lines().try_fold(Reply::Nothing, |_, line| bot.line(line))
}

#[test]
fn questions_are_as_the_contest_asks_them() {
    let mut judge = CONTEST.judge(1, &mut Options::default()).unwrap();
    let first = judge.ask().pop().unwrap();
    assert!(first.text.starts_with("-1 -1\n81\n"));
    assert_eq!(first.text.lines().count(), 83);
    let sorted = {
        let mut lines: Vec<&str> = first.text.lines().skip(2).collect();
        assert_ne!(lines[..3], ["0 0", "0 1", "0 2"], "the list is shuffled");
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    assert_eq!(sorted.len(), 81);
    judge.answer(Player::Zero, &["4 4 value 0.5".to_string()]).unwrap();
    let second = judge.ask().pop().unwrap();
    assert_eq!(second.player, Player::One);
    assert!(second.text.starts_with("4 4\n8\n"));
    assert_eq!(judge.moves(), ["4 4"]);
}

#[test]
fn answers_are_read_strictly() {
    let state = State::default();
    for text in ["4 4", "4 4 ", "4 4 hello", "4 4  x"] {
        assert_eq!(state.read(text).unwrap().to_string(), "4 4");
    }
    for text in ["", " 4 4", "4  4", "4,4", "4", "4 x", "9 0", "-1 -1", "4\t4", "99999999999 1", "4 4x"] {
        assert!(state.read(text).is_err(), "{text:?}");
    }
}

#[test]
fn a_failure_loses() {
    for player in Player::BOTH {
        let mut judge = CONTEST.judge(1, &mut Options::default()).unwrap();
        judge.ask();
        judge.fail(player);
        assert!(judge.ask().is_empty());
        assert_eq!(judge.points()[player], 0);
        assert_eq!(judge.points()[player.other()], 1);
    }
}

#[test]
fn bundled_bots_play_whole_games_and_greedy_wins() {
    let mut wins = [0; 2];
    for seed in 0..40 {
        let mut judge = CONTEST.judge(seed, &mut Options::default()).unwrap();
        let mut bots = [new_bot("greedy", seed), new_bot("random", seed)];
        while let Some(question) = judge.ask().pop() {
            let Ok(Reply::Say(answer)) = say(&mut *bots[question.player], &question.text) else { panic!() };
            judge.answer(question.player, &[answer]).unwrap();
        }
        let points = judge.points();
        wins = [wins[0] + points[0], wins[1] + points[1]];
    }
    assert!(wins[0] > 30, "{wins:?}");
}

#[test]
fn the_lowest_league_is_survived() {
    for cells in [9, 8] {
        for first in 0..9 {
            let mut bot = new_bot("greedy", 1);
            let mut empty: Vec<usize> = (0..9).collect();
            let mut last = "-1 -1".to_string();
            if cells == 8 {
                empty.retain(|&cell| cell != first);
                last = format!("{} {}", first / 3, first % 3);
            }
            while !empty.is_empty() {
                let list: String = empty.iter().map(|cell| format!("{} {}\n", cell / 3, cell % 3)).collect();
                let question = format!("{last}\n{}\n{list}", empty.len());
                let Ok(Reply::Say(answer)) = say(&mut *bot, &question) else { panic!("{question}") };
                let at = empty.iter().position(|cell| format!("{} {}", cell / 3, cell % 3) == answer);
                empty.remove(at.unwrap_or_else(|| panic!("{answer} to {question}")));
                if empty.is_empty() {
                    break;
                }
                let theirs = empty.remove(first % empty.len());
                last = format!("{} {}", theirs / 3, theirs % 3);
            }
        }
    }
}

#[test]
fn boards_show_everything() {
    let mut state = State::default();
    let last = state.read("4 4").unwrap();
    state.play(last);
    let plain = contender_game::board::ansi::plain(&state.picture(Some(last), None).to_text());
    assert!(plain.contains("[X]") && plain.contains("O moves in the middle board"), "{plain}");
}

/// Returns a question with this last move and these cells to choose from.
fn question(last: &str, cells: &[(usize, usize)]) -> String {
    let list: String = cells.iter().map(|(row, column)| format!("{row} {column}\n")).collect();
    format!("{last}\n{}\n{list}", cells.len())
}

/// Returns the cells in the upper left corner of the grid, except the first `without`. The lowest league has a width of
/// 3.
fn corner(width: usize, without: usize) -> Vec<(usize, usize)> {
    (0..width * width).skip(without).map(|cell| (cell / width, cell % width)).collect()
}

#[test]
fn cells_off_the_small_board_and_taken_ones_are_refused() {
    for (first, wrong) in
        [("-1 -1", "3 0"), ("-1 -1", "8 8"), ("-1 -1", "1 1"), ("0 1", "0 1"), ("0 0", "0 0")]
    {
        let mut bot = new_bot("greedy", 1);
        say(&mut *bot, &question(first, &corner(3, usize::from(first != "-1 -1")))).unwrap();
        let error = say(&mut *bot, &question(wrong, &[(2, 2)])).unwrap_err();
        assert!(error.contains(wrong), "{error}");
    }
}

#[test]
fn two_numbers_are_a_move_however_they_are_separated() {
    for text in ["4 4 4 5", "4 4, 4 5", "4 4,4 5", "4,4 4,5", " 4  4,\t4 5,"] {
        let moves = CONTEST.split_moves(text);
        assert_eq!(moves, ["4 4", "4 5"], "{text}");
        assert_eq!(CONTEST.perft(&moves, 1), Ok(9), "{text}");
    }
    assert!(CONTEST.split_moves(" ").is_empty());
    assert_eq!(CONTEST.split_moves("4 4 x"), ["4 4", "x"]);
    let error = CONTEST.perft(&CONTEST.split_moves("4 4, 4"), 1).unwrap_err();
    assert_eq!(error, "move 2: \"4\" is not a row and a column, for example 4 4");
}

proptest! {
    #[test]
    fn any_game_is_survived(
        first in 0..5usize,
        later in proptest::collection::vec(((0..9usize, 0..9usize), (0..9usize, 0..9usize)), 0..12),
        is_small in proptest::bool::weighted(0.8),
    ) {
        let mut bot = new_bot("random", 1);
        let first = match first {
            0 => question("-1 -1", &corner(3, 0)),
            1 => question("-1 -1", &corner(9, 0)),
            2 => question("0 0", &corner(3, 1)),
            3 => question("0 1", &corner(3, 1)),
            _ => question("4 4", &corner(3, 0)),
        };
        say(&mut *bot, &first).unwrap();
        let fold = |(row, column)| if is_small { (row % 3, column % 3) } else { (row, column) };
        for (last, cell) in later {
            let (row, column) = fold(last);
            // An error does not end the game, and no later line may cause a panic either.
            let _ = say(&mut *bot, &question(&format!("{row} {column}"), &[cell]));
        }
    }

    #[test]
    fn any_text_is_survived(lines in proptest::collection::vec("[-0-9 ,x]{0,8}|\\PC*", 0..20)) {
        let mut bot = new_bot("random", 1);
        for line in &lines {
            if bot.line(line).is_err() {
                break;
            }
        }
        for line in &lines {
            let _ = State::default().read(line);
            let _ = State::default().read_record(line);
            let _ = position::parse_state(line);
            let _ = CONTEST.perft(&CONTEST.split_moves(line), 0);
        }
    }

    #[test]
    fn any_position_is_survived(cells in "[XO.]{81}", side in "[XO]", target in -2i32..10) {
        if let Ok(state) = position::parse_state(&format!("{side} {cells} {target}")) {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let _ = (state.picture(state.last(), None), state.points());
        }
    }
}
