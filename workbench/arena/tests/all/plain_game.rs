//! Tests that a plain game with its rules takes at most 160 lines, and that the tools need nothing else.

use crate::tictactoe;
use contender_arena::{Match, MatchEnd, Seating};
use contender_game::{
    contest::{BotSetup, Limits, Position, Reply},
    rules::Player,
    settings::Options,
};
use contender_referee::{ContestHost, Entrant, Referee, read_log};
use std::sync::atomic::AtomicBool;

#[test]
fn it_is_short() {
    assert!(include_str!("../../../cli/templates/turns/lib.rs").lines().count() <= 160);
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

/// With an opening, bots without randomness play different games, and both games of a pair have the same opening.
#[test]
fn an_opening_makes_games_differ() {
    let contest = tictactoe::CONTEST;
    let referee = |opening: &str| {
        let mut referee = Referee::of(contest);
        referee.conditions.limits = Limits::nodes(100);
        referee.conditions.rules = Options::rules();
        referee.conditions.rules.add("opening", opening).unwrap();
        referee
    };
    let alphabeta = Entrant::parse(contest, "alphabeta").unwrap();
    let other = Entrant { name: "other".to_string(), ..alphabeta.clone() };
    let play = |opening: &str| {
        let host = &ContestHost { contest, referee: referee(opening) };
        let bots = [&alphabeta, &other];
        let plan = Match { host, bots, seating: Seating::Exchange, pairs: 20, jobs: 2, seed: 1, test: None };
        let mut log = Vec::new();
        let report = plan.run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
        assert!(report.bots.iter().all(|bot| bot.failures.is_empty()), "{:?}", report.bots);
        (report.distinct_pairs, read_log(&log[..]).map(Result::unwrap).collect::<Vec<_>>())
    };
    assert_eq!(play("0").0, 1);
    let (distinct, games) = play("2");
    assert!(distinct > 10, "{distinct}");
    let pair = games.iter().filter(|game| game.in_match.as_ref().unwrap().game <= 2);
    let setups: Vec<&Vec<String>> = pair.map(|game| &game.setup).collect();
    assert!(setups[0].len() == 2 && setups[0] == setups[1], "{setups:?}");
    for game in &games {
        let mut judge = contest.recorded(&game.setup, &mut Options::rules()).unwrap();
        game.moves.iter().for_each(|mv| judge.replay(mv).unwrap());
        assert_eq!((judge.ask().len(), judge.points().map(f64::from).to_vec()), (0, game.points()));
    }
    // However many moves are wanted, the opening leaves a move to play.
    assert!(play("8").1.iter().all(|game| !game.moves.is_empty()));
    // A bot reads the opening before its first question.
    let mut judge = contest.recorded(&["4".to_string(), "0".to_string()], &mut Options::rules()).unwrap();
    assert_eq!(judge.ask()[0].text, "opening 4\nopening 0\nStart\n");
    judge.answer(Player::Zero, &["8".to_string()]).unwrap();
    assert_eq!(judge.ask()[0].text, "opening 4\nopening 0\n8\n");
    let twice = contest.recorded(&["4".to_string(), "4".to_string()], &mut Options::rules()).err().unwrap();
    assert_eq!(twice, "setup: move 2: \"4\" is not an empty cell 0 to 8");
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
