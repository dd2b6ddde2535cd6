//! A judge takes whatever a bot might answer: a legal move, or a reason why it is none, and never panics.
//!
//! The first byte chooses the game, the second the luck; then the lines are answers. A line `!` fails the player.
#![no_main]

use contender_catalogue::CONTESTS;
use contender_game::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [game, luck, text @ ..] = data else { return };
    let contest = CONTESTS[usize::from(*game) % CONTESTS.len()];
    let mut judge = contest.judge(u64::from(*luck), &mut Options::default()).expect("a game without options");
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines();
    loop {
        let questions = judge.ask();
        if questions.is_empty() {
            break;
        }
        for question in questions {
            let answer: Vec<String> = lines.by_ref().take(question.answer_lines).map(str::to_string).collect();
            if answer.len() < question.answer_lines {
                return;
            }
            if answer[0] == "!" || judge.answer(question.player, &answer).is_err() {
                judge.fail(question.player);
            }
        }
        let _ = judge.board(None);
    }
    let _ = judge.points();
});
