//! Both sides of the contest's protocol, byte for byte.

use contender_entropy::CONTEST;
use contender_game::{BotSetup, Judge, LineBot, Options, Player, Reply};

fn new_bot(name: &str) -> Box<dyn LineBot> {
    CONTEST.bot(name, &mut Options::default(), &BotSetup::default()).unwrap()
}

/// Plays a game between bundled bots and returns its final points.
fn play(judge: &mut dyn Judge, names: [&str; 2]) -> [i32; 2] {
    let mut bots = names.map(new_bot);
    loop {
        let Some(question) = judge.ask().pop() else { return judge.points() };
        let bot = &mut bots[question.player];
        let mut replies: Vec<Reply> = question.text.lines().map(|line| bot.line(line).unwrap()).collect();
        let Some(Reply::Say(answer)) = replies.pop() else { panic!("no answer to {:?}", question.text) };
        assert!(replies.iter().all(|reply| *reply == Reply::Nothing));
        judge.answer(question.player, &[answer]).unwrap();
    }
}

#[test]
fn bundled_bots_play_whole_games() {
    for names in
        [["random", "greedy"], ["greedy", "random"], ["expectimax", "greedy"], ["greedy", "expectimax"]]
    {
        let mut sums = [0; 2];
        for luck in 0..10 {
            let mut judge = CONTEST.judge(luck, &mut Options::default()).unwrap();
            let points = play(&mut *judge, names);
            assert_eq!(points.iter().sum::<i32>(), 400);
            assert_eq!(judge.moves().len(), 97);
            for player in Player::BOTH {
                sums[player] += points[player];
            }
        }
        eprintln!("{names:?}: {sums:?}");
    }
}
