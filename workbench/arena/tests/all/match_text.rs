//! Tests of the report as users see it.

use crate::prizes::{Prizes, entrants, referee};
use contender_arena::{Match, MatchEnd, MatchReport, Seating, Verdict};
use contender_game::contest::JudgeSite::{self, CodeCup, CodinGame};
use contender_game::contest::Limits;
use contender_referee::ContestHost;
use contender_stats::Interval;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Returns the report of a match with the same times on every machine.
fn report(site: JudgeSite, bots: [&str; 2], pairs: u32) -> MatchReport {
    let contest = Prizes::new(site);
    let mut referee = referee(&contest, "");
    referee.conditions.limits = match site {
        CodeCup => Limits::per_game(Duration::from_secs(30)),
        CodinGame => Limits::per_turn(Duration::from_secs(1), Duration::from_millis(100)),
    };
    referee.conditions.limits.nodes = Some(2_000);
    let [a, b] = entrants(&contest, bots);
    let host = &ContestHost { contest: &contest, referee: referee.clone() };
    let (bots, seating) = ([&a, &b], Seating::Exchange);
    let plan = Match { host, bots, seating, pairs, jobs: 1, seed: 1, test: None };
    let mut report = plan.run(&AtomicBool::new(false), None, &mut |_, _| {});
    for (bot, [mean, slowest]) in report.bots.iter_mut().zip([[0.012_34, 0.001_5], [12.3, 0.41]]) {
        bot.seconds_per_game = bot.seconds_per_game.map(|_| mean);
        bot.quartiles_seconds = bot.quartiles_seconds.map(|_| [0.8, 1.0, 1.1].map(|share| share * mean));
        bot.slowest_seconds = bot.slowest_seconds.map(|_| slowest);
    }
    report
}

/// Returns the table, after checking that its lines fit a terminal.
fn table(report: &MatchReport) -> String {
    let table = report.text();
    for line in table.lines() {
        assert!(line.chars().count() <= 100 && line == line.trim_end(), "{line}");
    }
    table
}

#[test]
fn points_decide() {
    insta::assert_snapshot!(table(&report(CodeCup, ["fixed:bid=4", "fixed:bid=5,nonsense=3"], 100)));
}

#[test]
fn wins_decide() {
    insta::assert_snapshot!(table(&report(CodinGame, ["fixed:bid=4", "random"], 100)));
}

#[test]
fn hardly_anything_is_known() {
    insta::assert_snapshot!(table(&report(CodinGame, ["random", "random"], 1)));
    insta::assert_snapshot!(table(&report(CodeCup, ["random", "random"], 0)));
}

/// Checks a table with long names, large numbers, and every possible note.
#[test]
fn worst_case() {
    let mut report = report(CodinGame, ["fixed:bid=4,nonsense=2", "fixed:bid=5,nonsense=100"], 40);
    report.bots[0].name =
        "java -Xmx512m -jar /home/user/contests/prizes/build/bot-2026-11-20.jar --fast".to_string();
    report.bots[1].name =
        "java -Xmx512m -jar /home/user/contests/prizes/build/bot-2026-11-19.jar --fast".to_string();
    for bot in &mut report.bots {
        bot.points = bot.points.map(|points| points * -12_345.6);
        bot.failures.insert("closed-stdout".to_string(), 1_000_000);
        bot.seconds_per_game = Some(12_345.6);
    }
    report.difference.mean = Some(-123_456.78);
    report.difference.standard_deviation = Some(123_456.78);
    report.difference.interval = Some(Interval { low: -223_456.78, high: -123_356.78 });
    report.pentanomial.counts = [1_000_000; 5];
    report.pairs_planned = 5_000_000;
    report.end =
        MatchEnd::Failed { error: "cannot write the log of games: no space left on device ".repeat(3) };
    report.conditions.rules = "broken=1000".to_string();
    report.conditions.play_on = false;
    report.conditions.margin_seconds = 0.01;
    report.verdict = Verdict::BBetter;
    report.notes =
        vec!["only 1 of the 5000000 pairs differ; repeated games are not new evidence".to_string()];
    insta::assert_snapshot!(table(&report));
}

/// Checks the documented JSON format, on which other programs rely.
#[test]
fn json() {
    let report = report(CodinGame, ["fixed:bid=4", "fixed:bid=5,nonsense=3"], 4);
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap());
    let empty = self::report(CodeCup, ["random", "random"], 0);
    insta::assert_snapshot!(serde_json::to_string(&empty).unwrap());
}

/// Checks that the table shows the first case of each kind of failure, which is enough to find the cause.
#[test]
fn what_went_wrong_is_told() {
    let dud = "dud=sh -c 'echo so far so good >&2; echo no such file >&2; exit 3'";
    let report = report(CodeCup, [dud, "fixed:bid=4,nonsense=1000"], 3);
    let [first, _] = [0, 1].map(|bot| &report.bots[bot].first_failures[..]);
    let seed = first[0].seed.cast_signed();
    assert_eq!((first.len(), first[0].game, first[0].seat, &first[0].name[..]), (1, 1, 0, "exit"));
    let table = table(&report);
    let words = table.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        format!(
            "dud, game 1 (seed {seed}, as Host): disconnects: exits early with status 3; stderr: no such file "
        ),
        format!(
            "fixed:bid=4,nonsense=1000, game 1 (seed {seed}, as Guest): makes an illegal move: \"many\": a bid is"
        ),
    ] {
        assert!(words.contains(&expected), "{expected} {table}");
    }
    assert!(table.contains("Note: dud failed in every game, so its strength is unknown."), "{table}");
}
