//! Tests of tournaments with a small game.

use crate::prizes::{Prizes, entrants, referee};
use contender_arena::{Event, Format, KnownGames, Match, MatchEnd, Seating, Tournament, TournamentReport};
use contender_game::contest::JudgeSite::{self, CodeCup, CodinGame};
use contender_referee::ContestHost;
use std::sync::atomic::{AtomicBool, Ordering};

const BOTS: [&str; 5] = ["fixed:bid=4", "fixed:bid=6,nonsense=30", "random", "fixed:bid=1", "fixed:bid=5"];

fn play(contest: &Prizes, format: Format, jobs: usize, stop_after: u64) -> TournamentReport {
    let referee = referee(contest, "");
    let bots = entrants(contest, BOTS);
    let stop = AtomicBool::new(false);
    let host = &ContestHost { contest, referee: referee.clone() };
    let plan = Tournament { host, bots: &bots, format, pairs: 6, jobs, seed: 7 };
    let mut last = 0;
    let report = plan.run(KnownGames::default(), &stop, None, &mut |event, [a, b], progress| {
        assert!(a != b && a < BOTS.len() && b < BOTS.len());
        if let Event::Game { record, .. } = event {
            assert!(
                record.bots().contains(&bots[a].name.as_str())
                    && record.bots().contains(&bots[b].name.as_str())
            );
        }
        last = progress.games_done;
        stop.fetch_or(last >= stop_after, Ordering::Relaxed);
    });
    assert_eq!(last, report.meetings.iter().map(|meeting| meeting.report.games).sum::<u64>());
    report
}

#[test]
fn every_meeting_is_the_match_of_its_bots() {
    for site in [CodeCup, CodinGame] {
        let contest = Prizes::new(site);
        let report = play(&contest, Format::RoundRobin, 3, u64::MAX);
        assert_eq!((report.meetings.len(), &report.end), (10, &MatchEnd::Complete));
        let referee = referee(&contest, "");
        for meeting in &report.meetings {
            let [a, b] = entrants(&contest, meeting.bots.map(|bot| BOTS[bot]));
            let alone = Match {
                host: &ContestHost { contest: &contest, referee: referee.clone() },
                bots: [&a, &b],
                seating: Seating::Exchange,
                pairs: 6,
                jobs: 1,
                seed: 7,
                test: None,
            };
            let alone = alone.run(&AtomicBool::new(false), None, &mut |_, _| {});
            assert_eq!(meeting.report.difference, alone.difference);
            assert_eq!(meeting.report.pentanomial, alone.pentanomial);
        }
    }
}

/// In a full round robin in which all bots play the same number of pairs, a bot's strength in points is the mean of its
/// pair differences, including a difference of 0 against itself. The order by Elo is the order by wins.
#[test]
fn standings_follow_from_the_meetings() {
    for site in [CodeCup, CodinGame] {
        let report = play(&Prizes::new(site), Format::RoundRobin, 2, u64::MAX);
        let mut last = [f64::INFINITY; 2];
        for standing in &report.standings {
            let (mut sum, mut games) = (0.0, 0);
            for meeting in &report.meetings {
                let Some(side) = meeting.bots.iter().position(|&bot| bot == standing.bot) else { continue };
                sum += [1.0, -1.0][side] * meeting.report.difference.mean.unwrap();
                games += meeting.report.results.games();
            }
            assert!(site == CodinGame || (standing.strength - sum / 5.0).abs() < 1e-4, "{standing:?} {sum}");
            assert_eq!((standing.pairs, standing.results.games()), (24, games));
            let now = [standing.strength, if site == CodinGame { standing.results.score() } else { 0.0 }];
            assert!(now[0] <= last[0] && now[1] <= last[1], "{now:?} after {last:?}");
            last = now;
        }
        assert!(report.standings.iter().map(|standing| standing.strength).sum::<f64>().abs() < 1e-6);
        let failing = report.standings.iter().find(|standing| standing.bot == 1).unwrap();
        assert!(failing.failures > 0);
        assert_eq!(report.standings.last().unwrap().ahead_of_next, None);
    }
}

fn two(site: JudgeSite, bots: [&str; 2], pairs: u32) -> TournamentReport {
    let contest = Prizes::new(site);
    let (referee, bots) = (referee(&contest, ""), entrants(&contest, bots));
    let format = Format::RoundRobin;
    let host = &ContestHost { contest: &contest, referee: referee.clone() };
    Tournament { host, bots: &bots, format, pairs, jobs: 1, seed: 1 }.run(
        KnownGames::default(),
        &AtomicBool::new(false),
        None,
        &mut |_, _, _| {},
    )
}

#[test]
fn certainty_is_not_claimed() {
    // All games are won, but the interval is still wide.
    let won = two(CodinGame, ["fixed:bid=3", "fixed:bid=0"], 2);
    assert_eq!(won.standings[0].results.wins, 4, "{}", won.text());
    let interval = won.standings[0].interval.unwrap();
    assert!(interval.low < 0.0 && interval.high > won.standings[0].strength + 50.0, "{interval:?}");
    assert!(won.standings[0].ahead_of_next.unwrap() < 0.99);
    // All pairs have the same points, so nothing is known about the spread of further pairs.
    let equal = two(CodeCup, ["fixed:bid=0", "fixed:bid=0,nonsense=0"], 9);
    assert!(equal.standings.iter().all(|of| of.interval.is_none() && of.ahead_of_next.is_none()));
    assert!(
        equal.text().contains("No intervals: there are too few pairs, or all pairs are equal."),
        "{}",
        equal.text()
    );
    let meeting = &equal.meetings[0].report;
    assert_eq!(meeting.difference.interval, None);
    assert!(meeting.text().contains("+0.00 points per game, the same in all pairs"), "{}", meeting.text());
}

#[test]
fn results_do_not_depend_on_jobs() {
    for format in [Format::RoundRobin, Format::Gauntlet { challengers: 2 }, Format::Swiss { rounds: 3 }] {
        let [one, four] = [1, 4].map(|jobs| play(&Prizes::new(CodeCup), format, jobs, u64::MAX));
        assert_eq!(one.standings, four.standings);
        assert_eq!(one.text(), four.text());
        let meetings = match format {
            Format::RoundRobin => 10,
            Format::Gauntlet { .. } => 6,
            Format::Swiss { .. } => 6,
        };
        assert_eq!(one.meetings.len(), meetings);
    }
}

#[test]
fn an_interrupted_tournament_keeps_what_was_played() {
    let report = play(&Prizes::new(CodeCup), Format::RoundRobin, 1, 30);
    assert_eq!(report.end, MatchEnd::Interrupted);
    // The meetings take turns pair by pair, so 15 pairs are one and a half per meeting.
    assert!(report.meetings.iter().all(|meeting| (1..=2).contains(&meeting.report.pairs)));
    assert!(report.text().contains("Interrupted"));
}

/// A tournament that was interrupted continues from its log and gives the same result as an uninterrupted one.
#[test]
fn a_tournament_is_resumed() {
    let contest = Prizes::new(CodeCup);
    let (referee, bots) = (referee(&contest, ""), entrants(&contest, BOTS));
    let host = &ContestHost { contest: &contest, referee };
    for format in [Format::RoundRobin, Format::Swiss { rounds: 3 }] {
        let plan = Tournament { host, bots: &bots, format, pairs: 4, jobs: 1, seed: 7 };
        let never = AtomicBool::new(false);
        let mut log = Vec::new();
        let whole = plan.run(KnownGames::default(), &never, Some(&mut log), &mut |_, _, _| {});
        let mut known = KnownGames::default();
        let games = log.iter().filter(|&&byte| byte == b'\n').count();
        for game in contender_play::read_log(&log[..]).take(games / 2) {
            known.add(game.unwrap());
        }
        let mut played = 0;
        let resumed = plan.run(known, &never, None, &mut |event, _, progress| {
            played += usize::from(matches!(event, Event::Game { .. }));
            assert!(progress.games_done as usize <= games);
        });
        assert_eq!(played, games - games / 2);
        let strengths = |report: &TournamentReport| -> Vec<(String, f64)> {
            report.standings.iter().map(|standing| (standing.name.clone(), standing.strength)).collect()
        };
        assert_eq!(strengths(&resumed), strengths(&whole));
    }
}
