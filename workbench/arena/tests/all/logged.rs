//! A report from a log alone is the match's own report, as far as the log contains it.

use crate::matches::{exchange, timeless};
use crate::prizes::{Prizes, entrants, referee};
use contender_arena::{LogReportError, Match, MatchEnd, MatchReport, Rotation};
use contender_game::contest::{Contest, JudgeSite::CodeCup, JudgeSite::CodinGame};
use contender_referee::{ContestHost, Ending, Record, read_log};
use contender_stats::SequentialTest;
use std::sync::atomic::AtomicBool;

fn from_log(
    contest: &Prizes,
    log: &[u8],
    test: Option<SequentialTest>,
) -> Result<MatchReport, LogReportError> {
    let contest: &dyn Contest = contest;
    let find = |name: &str| (name == contest.name()).then_some(contest);
    MatchReport::from_log(find, read_log(log).map(Result::unwrap), test)
}

#[test]
fn the_report_of_a_log_is_that_of_its_match() {
    for (site, hypotheses) in [(CodeCup, [0.0, 2.0]), (CodinGame, [0.0, 40.0])] {
        let contest = Prizes::new(site);
        let host = ContestHost { contest: &contest, referee: referee(&contest, "") };
        let [a, b] = entrants(&contest, ["fixed:bid=4,nonsense=20", "random"]);
        for test in [None, SequentialTest::new(hypotheses[0], hypotheses[1], 0.05, 0.05).ok()] {
            let plan = Match { test, ..exchange(&host, [&a, &b], 100, 3) };
            let mut log = Vec::new();
            let played = plan.run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
            let found = from_log(&contest, &log, test).unwrap();
            assert_eq!((found.seed, found.end.clone()), (None, played.end.clone()));
            assert!(found.text().starts_with("prizes: ") && !found.text().contains("seed 7\n"));
            let same = |report: MatchReport| {
                let conditions = played.conditions.clone();
                timeless(MatchReport { seed: None, pairs_planned: 0, conditions, ..report })
            };
            assert_eq!(same(found), same(played.clone()));
        }
    }
}

/// A running match has games without a partner, in any order.
#[test]
fn the_first_games_of_a_log_have_a_report() {
    let contest = Prizes::new(CodeCup);
    let host = ContestHost { contest: &contest, referee: referee(&contest, "") };
    let [a, b] = entrants(&contest, ["fixed:bid=4", "random"]);
    let mut log = Vec::new();
    exchange(&host, [&a, &b], 10, 1).run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
    let lines: Vec<&[u8]> = log.split_inclusive(|&byte| byte == b'\n').collect();
    let report = from_log(&contest, &[lines[5], lines[1], lines[0], lines[8]].concat(), None).unwrap();
    assert_eq!((report.pairs, report.pairs_planned, report.games), (1, 1, 4));
    assert_eq!(report.end, MatchEnd::Complete);
    let names = report.bots.each_ref().map(|bot| bot.name.as_str());
    assert_eq!(names, ["fixed:bid=4", "random"]);
    assert_eq!(from_log(&contest, b"", None), Err(LogReportError::NoGames));
    let twice = [lines[0], lines[1], lines[0]].concat();
    assert_eq!(from_log(&contest, &twice, None), Err(LogReportError::Duplicate(3)));
    let with = |change: &dyn Fn(&mut Record)| {
        let mut record: Record = read_log(lines[1]).next().unwrap().unwrap();
        change(&mut record);
        from_log(&contest, &[lines[0], (record.to_json() + "\n").as_bytes()].concat(), None)
    };
    assert_eq!(with(&|record| record.in_match = None), Err(LogReportError::NoMatch(2)));
    let far = with(&|record| record.in_match.as_mut().unwrap().game = u64::MAX);
    assert_eq!(far, Err(LogReportError::NoMatch(2)));
    let other = with(&|record| record.in_match.as_mut().unwrap().plan = "0".to_string());
    assert_eq!(other, Err(LogReportError::AnotherMatch(2)));
    let swapped = with(&|record| record.seats.swap(0, 1));
    assert_eq!(swapped, Err(LogReportError::OtherBots(2)));
}

/// Games of more than two bots have another report.
#[test]
fn a_rotation_is_not_a_match_between_two_bots() {
    let contest = Prizes::new(CodeCup);
    let host = ContestHost { contest: &contest, referee: referee(&contest, "") };
    let bots = entrants(&contest, ["fixed:bid=4", "fixed:bid=3", "random"]);
    let plan = Rotation { host: &host, bots: &bots, players: 2, rounds: 1, jobs: 1, seed: 7 };
    let mut log = Vec::new();
    plan.begin().run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
    assert_eq!(from_log(&contest, &log, None), Err(LogReportError::OtherBots(3)));
}

/// A pair does not count if a bot lost one of its games because of the machine's delays.
#[test]
fn games_lost_on_a_busy_machine_do_not_count() {
    let contest = Prizes::new(CodeCup);
    let host = ContestHost { contest: &contest, referee: referee(&contest, "") };
    let [a, b] = entrants(&contest, ["fixed:bid=4", "random"]);
    let mut log = Vec::new();
    exchange(&host, [&a, &b], 40, 1).run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
    let games: Vec<Record> = read_log(&log[..]).map(Result::unwrap).collect();
    let text = |games: &[Record]| games.iter().map(|game| game.to_json() + "\n").collect::<String>();
    let mut delayed = games.clone();
    for at in [2, 6, 7] {
        let ending = Ending::Overloaded { limit_ms: 100, overrun_ms: None, delay_ms: 90, stolen_ms: 0 };
        delayed[at].seats[0].ending = ending;
    }
    for test in [None, SequentialTest::new(0.0, 2.0, 0.05, 0.05).ok()] {
        let report = from_log(&contest, text(&delayed).as_bytes(), test).unwrap();
        let others: Vec<Record> = games
            .iter()
            .enumerate()
            .filter(|(at, _)| ![1, 3].contains(&(at / 2)))
            .map(|(_, game)| game.clone())
            .collect();
        let fair = from_log(&contest, text(&others).as_bytes(), test).unwrap();
        assert_eq!((report.pairs, report.difference), (fair.pairs, fair.difference));
        assert_eq!(report.bots.map(|bot| bot.points), fair.bots.map(|bot| bot.points));
        assert_eq!(
            report.test.map(|test| test.log_likelihood_ratio),
            fair.test.map(|test| test.log_likelihood_ratio)
        );
        let notes = ["2 pairs do not count, because a bot lost on time on a busy machine"];
        assert!(test.is_some() || report.games == 80 && report.notes == notes, "{:?}", report.notes);
    }
}
