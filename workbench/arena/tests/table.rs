//! The report as people see it.

mod prizes;

use contender_arena::{Match, MatchEnd, MatchReport};
use contender_game::JudgeSite::{self, CodeCup, CodinGame};
use prizes::{Prizes, entrants, referee};
use std::sync::atomic::AtomicBool;

/// A match with times that are the same on every machine.
fn report(site: JudgeSite, bots: [&str; 2], pairs: u32) -> MatchReport {
    let contest = Prizes::new(site);
    let referee = referee(&contest, "");
    let [a, b] = entrants(&contest, bots);
    let plan = Match { contest: &contest, referee: &referee, bots: [&a, &b], pairs, jobs: 2, seed: 1 };
    let mut report = plan.run(&AtomicBool::new(false), None, &mut |_, _| {});
    for (bot, [mean, slowest]) in report.bots.iter_mut().zip([[0.012_34, 0.001_5], [12.3, 0.41]]) {
        bot.seconds_per_game = bot.seconds_per_game.map(|_| mean);
        bot.slowest_seconds = slowest;
    }
    report
}

fn assert_narrow(table: &str) {
    for line in table.lines() {
        assert!(line.chars().count() <= 100 && line == line.trim_end(), "{line}");
    }
}

#[test]
fn show() {
    println!("{}", report(CodeCup, ["fixed:bid=4", "random"], 100).table());
    println!("{}", report(CodeCup, ["fixed:bid=4", "fixed:bid=5,nonsense=3"], 100).table());
    println!("{}", report(CodinGame, ["fixed:bid=4", "random"], 100).table());
    println!("{}", report(CodinGame, ["random", "random"], 1).table());
    println!("{}", serde_json::to_string(&report(CodinGame, ["fixed:bid=4", "fixed:bid=5,nonsense=3"], 100)).unwrap());
    let _ = (assert_narrow(""), MatchEnd::Complete);
}
