//! Tests of matches with a small game.

use crate::prizes::{Prizes, entrants, referee};
use contender_arena::{
    AddError, Challenge, ERRORS_IN_A_ROW, Event, KnownGames, Match, MatchEnd, MatchReport, Progress,
    Rotation, Seating, Verdict,
};
use contender_game::contest::JudgeSite::{self, CodeCup, CodinGame};
use contender_game::contest::Limits;
use contender_play::{Entrant, Host};
use contender_referee::{ContestHost, Record, read_log};
use contender_stats::{Decision, SequentialTest};
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

struct Played {
    report: MatchReport,
    /// Pair, game and record, in the order in which the games ended.
    games: Vec<(u32, usize, Record)>,
    differences: Vec<(u32, f64)>,
    errors: Vec<String>,
    progress: Progress,
}

fn play(contest: &Prizes, rules: &str, bots: [&str; 2], pairs: u32, jobs: usize) -> Played {
    let never = AtomicBool::new(false);
    play_until(contest, rules, bots, pairs, jobs, &never, None)
}

fn play_until(
    contest: &Prizes,
    rules: &str,
    bots: [&str; 2],
    pairs: u32,
    jobs: usize,
    stop: &AtomicBool,
    log: Option<&mut dyn Write>,
) -> Played {
    let referee = referee(contest, rules);
    let [a, b] = entrants(contest, bots);
    let host = ContestHost { contest, referee: referee.clone() };
    let plan = exchange(&host, [&a, &b], pairs, jobs);
    let (mut games, mut differences, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    let mut last = Progress::default();
    let report = plan.run(stop, log, &mut |event, progress| {
        match event {
            Event::Game { pair, game, record } => games.push((pair, game, record.clone())),
            Event::Pair { pair, difference } => differences.push((pair, difference)),
            Event::Error { error, .. } => errors.push(error.to_string()),
        }
        last = *progress;
    });
    games.sort_by_key(|&(pair, game, _)| (pair, game));
    differences.sort_by_key(|&(pair, _)| pair);
    Played { report, games, differences, errors, progress: last }
}

/// Returns a match with exchanged seats and the seed 7.
pub(crate) fn exchange<'a>(host: &'a dyn Host, bots: [&'a Entrant; 2], pairs: u32, jobs: usize) -> Match<'a> {
    Match { host, bots, seating: Seating::Exchange, pairs, jobs, seed: 7, test: None }
}

/// Returns the report as JSON, without times and the number of games at a time.
pub(crate) fn timeless(mut report: MatchReport) -> serde_json::Value {
    report.conditions.jobs = 0;
    report.steadiness = None;
    for bot in &mut report.bots {
        bot.seconds_per_game = None;
        bot.quartiles_seconds = None;
        bot.slowest_seconds = None;
    }
    serde_json::to_value(report).unwrap()
}

const SITES: [JudgeSite; 2] = [CodeCup, CodinGame];

#[test]
fn results_do_not_depend_on_jobs() {
    for site in SITES {
        let contest = Prizes::new(site);
        let bots = ["fixed:bid=4,nonsense=20", "random"];
        let [one, four] = [1, 4].map(|jobs| play(&contest, "", bots, 60, jobs));
        let moves =
            |played: &Played| played.games.iter().map(|game| game.2.moves.clone()).collect::<Vec<_>>();
        assert_eq!(moves(&one), moves(&four));
        assert_eq!(one.differences, four.differences);
        assert_eq!(timeless(one.report), timeless(four.report));
    }
}

/// Computes the report again from the records in the simplest way.
#[test]
fn report_follows_from_the_records() {
    let contest = Prizes::new(CodeCup);
    let Played { report, games, differences, progress, .. } =
        play(&contest, "", ["fixed:bid=4", "fixed:bid=6,nonsense=30"], 80, 3);
    assert_eq!((report.pairs, report.games, games.len()), (80, 160, 160));
    let (mut sum, mut squares, mut results, mut pentanomial) = (0.0, 0.0, [0; 3], [0; 5]);
    let (mut as_host, mut illegal) = (0.0, 0);
    for pair in games.chunks(2) {
        let [(_, 0, first), (_, 1, second)] = pair else { panic!("a pair has two games") };
        let [first_points, second_points] = [first.points(), second.points()];
        let differences = [first_points[0] - first_points[1], second_points[1] - second_points[0]];
        let difference = (differences[0] + differences[1]) / 2.0;
        sum += difference;
        squares += difference * difference;
        let half_points =
            differences.map(|difference| (difference as i32).signum() + 1).map(|half| half as usize);
        half_points.iter().for_each(|&half| results[half] += 1);
        pentanomial[half_points[0] + half_points[1]] += 1;
        as_host += first_points[0];
        illegal +=
            u64::from(first.seats[1].ending.is_failure()) + u64::from(second.seats[0].ending.is_failure());
    }
    let mean = sum / 80.0;
    let deviation = ((squares - 80.0 * mean * mean) / 79.0).sqrt();
    let near = |a: Option<f64>, b: f64| assert!((a.unwrap() - b).abs() < 1e-9, "{a:?} {b}");
    near(report.difference.mean, mean);
    near(report.difference.standard_deviation, deviation);
    near(
        report.difference.interval.map(|interval| interval.high),
        mean + 1.990_450_210_230_129 * deviation / 80f64.sqrt(),
    );
    near(report.bots[0].points_by_seat[0], as_host / 80.0);
    near(report.bots[0].points, report.bots[1].points.unwrap() + mean);
    assert_eq!([report.results.losses, report.results.draws, report.results.wins], results);
    assert_eq!(report.pentanomial.counts, pentanomial);
    assert!(illegal > 0);
    assert_eq!(report.bots[1].failures.get("illegal"), Some(&illegal));
    assert!(report.bots[0].failures.is_empty());
    assert_eq!(differences.iter().map(|&(_, difference)| difference).sum::<f64>(), sum);
    assert_eq!((progress.games, progress.games_done, progress.pairs_done), (160, 160, 80));
    assert_eq!(progress.failures, [0, illegal]);
    assert_eq!(report.end, MatchEnd::Complete);
}

#[test]
fn games_of_a_pair_share_their_seed_and_exchange_seats() {
    let contest = Prizes::new(CodeCup);
    let played = play(&contest, "", ["fixed:bid=3", "random"], 40, 2);
    let prizes = |record: &Record| -> Vec<String> {
        record.moves.iter().map(|text| text.split_once('/').unwrap().1.to_string()).collect()
    };
    let mut seeds = HashSet::new();
    for pair in played.games.chunks(2) {
        let [(_, _, first), (_, _, second)] = pair else { panic!("a pair has two games") };
        assert_eq!(first.bots(), ["fixed:bid=3", "random"]);
        assert_eq!(second.bots(), ["random", "fixed:bid=3"]);
        assert_eq!((first.seed, &first.setup, prizes(first)), (second.seed, &second.setup, prizes(second)));
        seeds.insert(first.seed);
    }
    assert_eq!(seeds.len(), 40);
}

#[test]
fn exchanging_the_bots_turns_the_result_around() {
    let contest = Prizes::new(CodeCup);
    let one = play(&contest, "", ["fixed:bid=4", "fixed:bid=7"], 50, 2);
    let other = play(&contest, "", ["fixed:bid=7", "fixed:bid=4"], 50, 2);
    let turned: Vec<_> = other.differences.iter().map(|&(pair, difference)| (pair, -difference)).collect();
    assert_eq!(one.differences, turned);
    assert!(one.differences.iter().any(|&(_, difference)| difference != 0.0));
    let [mut ours, theirs] = [one.report, other.report];
    assert_eq!(ours.difference.mean, theirs.difference.mean.map(|mean| -mean));
    ours.pentanomial.counts.reverse();
    assert_eq!(ours.pentanomial, theirs.pentanomial);
    assert_eq!((ours.results.wins, ours.results.draws), (theirs.results.losses, theirs.results.draws));
    assert_eq!(ours.bots[0].points_by_seat, theirs.bots[1].points_by_seat);
}

/// Bots with randomness do not repeat games, even against themselves.
#[test]
fn a_bot_against_itself() {
    let contest = Prizes::new(CodeCup);
    let report = play(&contest, "", ["random", "random"], 200, 2).report;
    assert!(report.difference.standard_deviation.unwrap() > 1.0);
    assert_eq!(report.distinct_pairs, 200);
    assert_eq!(report.verdict, Verdict::NoDifferenceShown);
}

#[test]
fn verdicts() {
    for site in SITES {
        let contest = Prizes::new(site);
        assert_eq!(
            play(&contest, "", ["fixed:bid=5", "fixed:bid=0"], 60, 2).report.verdict,
            Verdict::ABetter
        );
        assert_eq!(
            play(&contest, "", ["fixed:bid=0", "fixed:bid=5"], 60, 2).report.verdict,
            Verdict::BBetter
        );
        assert_eq!(
            play(&contest, "", ["fixed:bid=5", "fixed:bid=5"], 60, 2).report.verdict,
            Verdict::NoDifferenceShown
        );
        assert_eq!(
            play(&contest, "", ["fixed:bid=5", "fixed:bid=0"], 1, 2).report.verdict,
            Verdict::NoDifferenceShown
        );
    }
}

/// Repeating the same pair proves nothing, however large the difference is.
#[test]
fn repeated_pairs_are_no_evidence() {
    let contest = Prizes::new(CodeCup);
    let report = play(&contest, "fixed=3", ["fixed:bid=5", "fixed:bid=0"], 60, 2).report;
    assert!(report.difference.mean.unwrap() > 0.0);
    assert_eq!((report.pairs, report.distinct_pairs), (60, 1));
    assert_eq!(report.verdict, Verdict::NoDifferenceShown);
}

/// A bot that fails in every game is worse, even if the moves are the same every time.
#[test]
fn repeated_failures_are_evidence() {
    let contest = Prizes::new(CodinGame);
    let report = play(&contest, "fixed=3", ["fixed:bid=1", "fixed:nonsense=1000"], 20, 2).report;
    assert_eq!((report.bots[1].failures.get("illegal"), report.distinct_pairs), (Some(&40), 20));
    assert_eq!(report.verdict, Verdict::ABetter);
}

#[test]
fn games_without_end_are_drawn_and_counted() {
    let contest = Prizes::new(CodeCup);
    let report = play(&contest, "turns=100000", ["fixed:bid=5", "fixed:bid=0"], 3, 2).report;
    assert_eq!((report.games, report.endless, report.results.draws), (6, 6, 6));
    assert_eq!(report.difference.mean, Some(0.0));
    let note = "Note: 6 games did not end and count as draws.";
    assert!(report.text().contains(note), "{}", report.text());

    let host = ContestHost { contest: &contest, referee: referee(&contest, "turns=100000") };
    let bots = entrants(&contest, ["fixed:bid=5", "fixed:bid=0"]);
    let plan = Rotation { host: &host, bots: &bots, players: 2, rounds: 1, jobs: 1, seed: 3 };
    let text = plan.begin().run(&AtomicBool::new(false), None, &mut |_, _| {}).text();
    assert!(text.contains("2 games did not end and count as draws"), "{text}");
}

#[test]
fn a_test_between_close_bounds_says_why_it_does_not_decide() {
    let contest = Prizes::new(CodinGame);
    let host = ContestHost { contest: &contest, referee: referee(&contest, "") };
    let [a, b] = entrants(&contest, ["fixed:bid=1", "fixed:nonsense=1000"]);
    let test = Some(SequentialTest::new(0.0, 2.0, 0.05, 0.05).unwrap());
    let plan = Match { test, ..exchange(&host, [&a, &b], 300, 2) };
    let report = plan.run(&AtomicBool::new(false), None, &mut |_, _| {});
    assert_eq!((report.pairs, report.results.wins, report.verdict), (300, 600, Verdict::ABetter));
    let text = report.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("The test has not decided: +0 and +2 Elo are so close"), "{text}");
    assert!(!text.contains("it needs more pairs"), "{text}");
}

#[test]
fn stopping_keeps_what_was_played() {
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let contest = Prizes { stop: Some((6, stop)), ..Prizes::new(CodeCup) };
    let mut log = Vec::new();
    let played = play_until(&contest, "", ["fixed:bid=4", "random"], 1_000, 1, stop, Some(&mut log));
    // The sixth game, which is the second of its pair, is aborted.
    assert_eq!(played.games.len(), 5);
    let report = played.report;
    assert_eq!((report.end, report.pairs, report.games), (MatchEnd::Interrupted, 2, 5));
    assert_eq!((report.results.games(), report.pentanomial.pairs()), (4, 2));
    let as_host: Vec<f64> =
        played.games.iter().filter(|game| game.1 == 0).map(|game| game.2.points()[0]).collect();
    assert_eq!(as_host.len(), 3);
    assert_eq!(report.bots[0].points_by_seat[0], Some(as_host.iter().sum::<f64>() / 3.0));
    assert_eq!(log.iter().filter(|&&byte| byte == b'\n').count(), 5);
}

#[test]
fn stopping_with_many_jobs_ends() {
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let contest = Prizes { stop: Some((300, stop)), ..Prizes::new(CodeCup) };
    let played = play_until(&contest, "", ["fixed:bid=4", "random"], u32::MAX / 4096, 4, stop, None);
    assert!((200..=300).contains(&played.games.len()), "{}", played.games.len());
    assert_eq!(played.report.end, MatchEnd::Interrupted);
    assert_eq!(played.report.games, played.games.len() as u64);
    assert_eq!(played.report.pairs, played.differences.len() as u64);
}

#[test]
fn errors_of_the_referee_are_counted() {
    let contest = Prizes::new(CodeCup);
    let played = play(&contest, "broken=5", ["fixed:bid=4", "random"], 60, 1);
    // These are the games 5, 10, 15, ..., 120, each in another pair.
    let report = played.report;
    assert_eq!((report.errors, report.games, report.pairs), (24, 96, 36));
    assert_eq!((report.results.games(), played.progress.errors, played.progress.games_done), (72, 24, 120));
    assert_eq!(played.errors, vec!["the judge is broken"; 24]);
    assert_eq!(report.end, MatchEnd::Complete);
}

#[test]
fn errors_in_a_row_end_the_match() {
    let contest = Prizes::new(CodeCup);
    let played = play(&contest, "broken=1", ["fixed:bid=4", "random"], 60, 2);
    let MatchEnd::Failed { error } = played.report.end else { panic!("{:?}", played.report.end) };
    assert!(error.contains("the judge is broken"), "{error}");
    assert!((ERRORS_IN_A_ROW..=ERRORS_IN_A_ROW + 4).contains(&(played.errors.len() as u32)));
    assert_eq!((played.report.games, played.report.verdict), (0, Verdict::NoDifferenceShown));
}

/// A writer that accepts a number of lines and then fails.
struct FullDisk(usize);

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or(io::Error::other("disk full"))?;
        Ok(())
    }
}

#[test]
fn a_log_that_cannot_be_written_ends_the_match() {
    let contest = Prizes::new(CodeCup);
    let never = AtomicBool::new(false);
    let mut log = FullDisk(4);
    let played = play_until(&contest, "", ["fixed:bid=4", "random"], 100_000, 2, &never, Some(&mut log));
    let MatchEnd::Failed { error } = played.report.end else { panic!("{:?}", played.report.end) };
    assert!(error.contains("disk full"), "{error}");
    assert!((5..=9).contains(&played.report.games));
}

#[test]
fn no_pairs_make_an_empty_report() {
    let contest = Prizes::new(CodinGame);
    let report = play(&contest, "", ["fixed:bid=4", "random"], 0, 2).report;
    assert_eq!((report.pairs, report.games, report.elo, report.win_rate), (0, 0, None, None));
    assert_eq!(report.end, MatchEnd::Complete);
    assert!(!report.text().contains("NaN"));
}

/// Plays a match that a sequential test may end.
fn tested(contest: &Prizes, bots: [&str; 2], hypotheses: [f64; 2]) -> MatchReport {
    let referee = referee(contest, "");
    let [a, b] = entrants(contest, bots);
    let test = SequentialTest::new(hypotheses[0], hypotheses[1], 0.05, 0.05).ok();
    let host = ContestHost { contest, referee: referee.clone() };
    let plan = Match { test, ..exchange(&host, [&a, &b], 500, 2) };
    plan.run(&AtomicBool::new(false), None, &mut |_, _| {})
}

#[test]
fn a_sequential_test_ends_a_match() {
    for (site, hypotheses) in [(CodeCup, [0.0, 2.0]), (CodinGame, [0.0, 40.0])] {
        let contest = Prizes::new(site);
        let better = tested(&contest, ["fixed:bid=4", "fixed:bid=1"], hypotheses);
        assert_eq!(better.end, MatchEnd::Decided);
        let test = better.test.unwrap();
        assert_eq!(test.decision, Decision::AcceptH1);
        assert!(test.log_likelihood_ratio > 0.0 && better.pairs < 100, "{test:?} {}", better.pairs);
        let worse = tested(&contest, ["fixed:bid=1", "fixed:bid=4"], hypotheses);
        assert_eq!(worse.test.unwrap().decision, Decision::AcceptH0);
        let table = better.text();
        assert!(table.contains("LLR: ") && table.contains("Ptnml(0-2): ["), "{table}");
        assert!(table.contains("The test accepts that fixed:bid=4 leads"), "{table}");
    }
}

/// The deciding pair depends only on the seed, not on the number of games at a time or the order in which games end.
#[test]
fn a_sequential_test_ends_at_the_same_pair_for_any_number_of_jobs() {
    for (site, hypotheses) in [(CodeCup, [0.0, 2.0]), (CodinGame, [0.0, 40.0])] {
        let contest = Prizes::new(site);
        let referee = referee(&contest, "");
        let [a, b] = entrants(&contest, ["fixed:bid=4,nonsense=20", "random"]);
        let test = SequentialTest::new(hypotheses[0], hypotheses[1], 0.05, 0.05).ok();
        let reports = [1, 2, 3, 8].map(|jobs| {
            let bots = [&a, &b];
            let host = ContestHost { contest: &contest, referee: referee.clone() };
            let plan = Match { test, ..exchange(&host, bots, 500, jobs) };
            let mut log = Vec::new();
            let report = plan.run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
            assert_eq!(report.end, MatchEnd::Decided);
            // Computes the decision in the slow way: pair by pair, from the log.
            let test = plan.test.unwrap();
            let mut games: Vec<Record> = read_log(&log[..]).map(Result::unwrap).collect();
            games.sort_by_key(|game| game.in_match.as_ref().unwrap().game);
            let mut score = contender_arena::Score::new(report.ranked_by);
            let decided = games.chunks(2).position(|pair| {
                let [first, second] = [pair[0].points(), pair[1].points()];
                score.push([[first[0], first[1]], [second[1], second[0]]]);
                test.decide(score.log_likelihood_ratio(&test), score.pairs()) != Decision::PlayOn
            });
            assert_eq!(decided.map(|last| last as u64 + 1), Some(report.pairs));
            assert_eq!(report.games, 2 * report.pairs);
            timeless(report)
        });
        assert!(reports.iter().all(|report| *report == reports[0]));
    }
}

/// A match that is continued from a log with any number of its games gives the same report as an uninterrupted match.
#[test]
fn a_match_goes_on_from_its_log() {
    let contest = Prizes::new(CodeCup);
    let referee = referee(&contest, "");
    let [a, b] = entrants(&contest, ["fixed:bid=4,nonsense=20", "random"]);
    for test in [None, SequentialTest::new(0.0, 3.0, 0.05, 0.05).ok()] {
        let bots = [&a, &b];
        let host = ContestHost { contest: &contest, referee: referee.clone() };
        let plan = Match { test, ..exchange(&host, bots, 60, 2) };
        let never = AtomicBool::new(false);
        let mut log = Vec::new();
        let whole = timeless(plan.run(&never, Some(&mut log), &mut |_, _| {}));
        let games: Vec<Record> = read_log(&log[..]).map(Result::unwrap).collect();
        for kept in (0..=games.len()).step_by(7) {
            let mut log = Vec::new();
            let mut under_way = plan.begin();
            // The last game first, because games may end in any order.
            for game in games[..kept].iter().rev() {
                under_way.add(game.clone()).unwrap();
                game.write_to(&mut log).unwrap();
            }
            assert_eq!(under_way.games(), kept);
            let report = under_way.run(&never, Some(&mut log), &mut |_, _| {});
            assert_eq!(timeless(report), whole, "{kept}");
            let mut numbers: Vec<u64> =
                read_log(&log[..]).map(|game| game.unwrap().in_match.unwrap().game).collect();
            numbers.sort_unstable();
            assert!(numbers.windows(2).all(|two| two[0] < two[1]), "{numbers:?}");
            assert!(numbers.len() as u64 >= whole["games"].as_u64().unwrap());
        }
    }
}

/// A game that does not belong to this match is not counted.
#[test]
fn another_matchs_log_is_refused() {
    let contest = Prizes::new(CodeCup);
    let own = referee(&contest, "");
    let [a, b, other] = entrants(&contest, ["fixed:bid=4", "random", "fixed:bid=5"]);
    let bots = [&a, &b];
    let host = ContestHost { contest: &contest, referee: own.clone() };
    let plan = exchange(&host, bots, 4, 1);
    let mut log = Vec::new();
    plan.run(&AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
    let game = Record::from_json(std::str::from_utf8(&log).unwrap().lines().last().unwrap()).unwrap();
    let reason = |plan: Match<'_>, game: &Record| plan.begin().add(game.clone()).unwrap_err();
    // The number of pairs and the number of jobs do not change the match.
    plan.begin().add(game.clone()).unwrap();
    Match { pairs: 9, jobs: 3, ..plan }.begin().add(game.clone()).unwrap();
    let limits = Limits { nodes: Some(7), ..own.conditions.limits };
    let referees =
        [own.clone().with(|c| c.limits = limits), own.clone().with(|c| c.play_on = !own.conditions.play_on)];
    let hosts =
        referees.each_ref().map(|referee| ContestHost { contest: &contest, referee: referee.clone() });
    let test = SequentialTest::new(0.0, 2.0, 0.05, 0.05).ok();
    for another in [
        Match { seed: 8, ..plan },
        Match { bots: [&b, &a], ..plan },
        Match { bots: [&other, &b], ..plan },
        Match { test, ..plan },
        Match { host: &hosts[0], ..plan },
        Match { host: &hosts[1], ..plan },
    ] {
        assert_eq!(reason(another, &game), AddError::AnotherMatch);
    }
    assert_eq!(reason(Match { pairs: 3, ..plan }, &game), AddError::TooFewGames { game: 8, games: 6 });
    assert_eq!(reason(plan, &Record { in_match: None, ..game.clone() }), AddError::NoMatch);
    let mut twice = plan.begin();
    twice.add(game.clone()).unwrap();
    assert_eq!(twice.add(game), Err(AddError::Duplicate { game: 8 }));
}

/// A challenge plays its games where they help most.
#[test]
fn a_challenge_goes_through_its_stages() {
    let contest = Prizes::new(CodeCup);
    let referee = referee(&contest, "");
    let [candidate, old, close, weak] =
        entrants(&contest, ["fixed:bid=4", "fixed:bid=3", "fixed:bid=5", "fixed:bid=0"]);
    let benchmarks = [old, close, weak];
    let test = SequentialTest::new(-2.0, 0.0, 0.05, 0.05).unwrap();
    let host = ContestHost { contest: &contest, referee: referee.clone() };
    let challenge = |candidate| Challenge {
        host: &host,
        seating: Seating::Exchange,
        candidate,
        benchmarks: &benchmarks,
        few: 8,
        more: 20,
        most: 300,
        test,
        jobs: 2,
        seed: 3,
    };
    let bouts =
        challenge(&candidate).run(KnownGames::default(), &AtomicBool::new(false), None, &mut |_, _, _, _| {});
    let places: Vec<(u32, usize)> = bouts.iter().map(|bout| (bout.stage, bout.benchmark)).collect();
    assert_eq!(places[..3], [(1, 0), (1, 1), (1, 2)]);
    assert_eq!(bouts[2].report.verdict, Verdict::ABetter);
    // Only benchmarks that were close play more games, and the test decides at the end.
    assert!(places[3..].iter().all(|&(stage, benchmark)| stage == 3 || benchmark != 2), "{places:?}");
    assert_eq!(places.last(), Some(&(3, 0)));
    assert!(bouts.last().unwrap().report.test.is_some());
    // A candidate that is clearly worse than the bot it would replace plays no more games.
    let bouts = challenge(&benchmarks[2]).run(
        KnownGames::default(),
        &AtomicBool::new(false),
        None,
        &mut |_, _, _, _| {},
    );
    assert!(bouts.iter().all(|bout| bout.stage == 1), "{:?}", bouts.len());
}
