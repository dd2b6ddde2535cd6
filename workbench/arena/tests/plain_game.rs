//! A plain game, rules and all, takes under 150 lines, and the tools need nothing else to know it.

mod tictactoe;

use contender_arena::{Match, MatchEnd};
use contender_game::{BotSetup, Contest, Options, Position, Reply};
use contender_referee::{Entrant, Referee};
use std::sync::atomic::AtomicBool;
use tictactoe::TicTacToe;

#[test]
fn it_is_short() {
    assert!(include_str!("tictactoe/mod.rs").lines().count() < 150);
}

#[test]
fn it_plays_through_the_arena() {
    let contest: &dyn Contest = &TicTacToe;
    let referee = Referee::of(contest);
    let [first, random] = ["first", "random"].map(|name| Entrant::parse(contest, name).unwrap());
    let bots = [&first, &random];
    let plan = Match { contest, referee: &referee, bots, pairs: 20, jobs: 2, seed: 1, test: None };
    let report = plan.run(&AtomicBool::new(false), None, &mut |_, _| {});
    assert_eq!((report.games, report.end), (40, MatchEnd::Complete));
    assert!(report.bots.iter().all(|bot| bot.failures.is_empty()));
}

#[test]
fn it_is_counted_analysed_and_recorded() {
    let contest: &dyn Contest = &TicTacToe;
    assert_eq!([1, 2, 3].map(|depth| contest.perft(&[], depth).unwrap()), [9, 72, 504]);
    let moves = contest.split_moves("4 0 8");
    assert_eq!(contest.perft(&moves, 1), Ok(6));
    let error = contest.perft(&contest.split_moves("4, 4"), 1).unwrap_err();
    assert_eq!(error, "move 2: \"4\" is not an empty cell 0 to 8");
    let mut rules = Options::rules();
    let position = Position { luck: 1, rules: &mut rules, moves: &moves, played: Some("3"), player: None };
    let setup = BotSetup::default();
    let found = contest.analyse(position, "first", &mut Options::default(), &setup).unwrap();
    assert_eq!(found.analysis.moves[0].mv, "1");
    let board = contender_game::ansi::plain(&found.picture.to_text());
    assert_eq!(board.lines().skip(1).collect::<Vec<_>>(), ["  O  ·  · ", "  ·  X  · ", "  ·  · [X]"]);
    assert_eq!(found.played.as_deref(), Some("3"));
    let mut judge = contest.recorded(&[], &mut Options::rules()).unwrap();
    moves.iter().for_each(|mv| judge.replay(mv).unwrap());
    assert_eq!(judge.ask()[0].text, "8\n");
    assert!(contest.recorded(&["x".to_string()], &mut Options::rules()).is_err());
    let mut bot = contest.bot("first", &mut Options::default(), &setup).unwrap();
    let replies = ["Start", "4", "2", "Quit"].map(|line| bot.line(line).unwrap());
    let say = |text: &str| Reply::Say(text.to_string());
    assert_eq!(replies, [say("0"), say("1"), say("3"), Reply::Stop]);
    assert!(contest.bot("best", &mut Options::default(), &setup).is_err());
}
