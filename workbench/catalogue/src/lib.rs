//! The games that the tools know: the one place where a new game is entered.

use contender_game::Contest;

/// Every game, in the order of lists.
pub const CONTESTS: &[&dyn Contest] = &[
    contender_boxes::CONTEST,
    contender_cellularena::CONTEST,
    contender_entropy::CONTEST,
    contender_spaghetti::CONTEST,
    contender_uttt::CONTEST,
];

/// The game with this name, if there is one.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Contest> {
    CONTESTS.iter().copied().find(|contest| contest.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::{Options, Rng};

    #[test]
    fn a_judge_can_go_on_with_a_replayed_game() {
        let mut rng = Rng::new(7);
        for (luck, contest) in (1..).zip(CONTESTS) {
            let new = || contest.judge(luck, &mut Options::rules()).unwrap();
            let mut judge = new();
            for turn in 0.. {
                let questions = judge.ask();
                // Chance has decided what the next decision is about; a judge that replays the moves comes to the same.
                if turn % 8 == 0 {
                    let mut again = new();
                    judge.moves().iter().for_each(|text| again.replay(text).unwrap());
                    assert_eq!((again.mover(), again.points()), (judge.mover(), judge.points()));
                    assert_eq!(again.ask().len(), questions.len());
                    assert_eq!(again.picture(None), judge.picture(None), "{} turn {turn}", contest.name());
                }
                for question in &questions {
                    let choices = judge.choices(question.player);
                    let lines: Vec<String> =
                        (0..question.answer_lines).map(|_| rng.choose(&choices).clone()).collect();
                    judge.answer(question.player, &lines).unwrap();
                }
                if questions.is_empty() {
                    break;
                }
            }
            assert!(judge.moves().len() > 10, "{}", contest.name());
        }
    }
}
