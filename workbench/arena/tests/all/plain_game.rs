//! Tests that a plain game with its rules takes fewer than 150 lines, and that the tools need nothing else.

use crate::tictactoe;
use contender_arena::{Match, MatchEnd, Seating};
use contender_game::{
    contest::{BotSetup, Limits, Position, Reply},
    settings::Options,
};
use contender_referee::{ContestHost, Entrant, Referee};
use std::sync::atomic::AtomicBool;

#[test]
fn it_is_short() {
    assert!(include_str!("../../../cli/templates/turns/lib.rs").lines().count() <= 150);
}

#[test]
fn it_plays_through_the_arena() {
    let contest = tictactoe::CONTEST;
    let mut referee = Referee::of(contest);
    referee.conditions.limits = Limits::nodes(100);
    let [uct, random] = ["uct", "random"].map(|name| Entrant::parse(contest, name).unwrap());
    let bots = [&uct, &random];
    let host = &ContestHost { contest, referee: referee.clone() };
    let seating = Seating::Exchange;
    let plan = Match { host, bots, seating, pairs: 20, jobs: 2, seed: 1, test: None };
    let report = plan.run(&AtomicBool::new(false), None, &mut |_, _| {});
    assert_eq!((report.games, report.end), (40, MatchEnd::Complete));
    assert!(report.bots.iter().all(|bot| bot.failures.is_empty()));
}

#[test]
fn it_is_counted_analysed_and_recorded() {
    let contest = tictactoe::CONTEST;
    assert_eq!([1, 2, 3].map(|depth| contest.perft(&[], depth).unwrap()), [9, 72, 504]);
    let moves = contest.split_moves("4 0 8");
    assert_eq!(contest.perft(&moves, 1), Ok(6));
    let error = contest.perft(&contest.split_moves("4, 4"), 1).unwrap_err();
    assert_eq!(error, "move 2: \"4\" is not an empty cell 0 to 8");
    let mut rules = Options::rules();
    let position = Position { seed: 1, rules: &mut rules, moves: &moves, played: Some("3"), player: None };
    let setup = BotSetup { limits: Limits::nodes(2_000), seed: 1 };
    let found = contest.analyse(position, "uct", &mut Options::default(), &setup).unwrap();
    let values: Vec<f64> = found.analysis.moves.iter().map(|of| of.value[0]).collect();
    assert!(values.len() == 6 && values[0] > values[5], "{values:?}");
    let board = contender_game::board::ansi::plain(&found.picture.to_text());
    assert_eq!(board.lines().skip(1).collect::<Vec<_>>(), ["  O  ·  · ", "  ·  X  · ", "  ·  · [X]"]);
    assert_eq!(found.played.as_deref(), Some("3"));
    let mut judge = contest.recorded(&[], &mut Options::rules()).unwrap();
    moves.iter().for_each(|mv| judge.replay(mv).unwrap());
    assert_eq!(judge.ask()[0].text, "8\n");
    assert!(contest.recorded(&["x".to_string()], &mut Options::rules()).is_err());
    let mut bot = contest.bot("uct", &mut Options::default(), &setup).unwrap();
    // The bot takes the middle and then blocks two in a row.
    assert_eq!(bot.line("0").unwrap(), Reply::Say("4".to_string()));
    assert_eq!(bot.line("1").unwrap(), Reply::Say("2".to_string()));
    assert_eq!(bot.line("Quit").unwrap(), Reply::Stop);
    assert!(contest.bot("best", &mut Options::default(), &setup).is_err());
}
