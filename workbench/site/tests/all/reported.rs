//! Counts of battles.

use contender_play::{Battle, Ending, Record, ReportedFailure, Seat};
use contender_site::{Ratings, ReportOptions, SiteReport};

fn record(number: u64, me: usize, other: &str, ranks: [u32; 2], turns: usize) -> Record {
    let names = if me == 0 { ["me", other] } else { [other, "me"] };
    let seat = |(name, rank): (&str, u32)| Seat {
        bot: name.to_string(),
        rank,
        outputs: vec!["A".to_string(); turns],
        ..Seat::default()
    };
    Record {
        seed: number,
        seats: names.into_iter().zip(ranks).map(seat).collect(),
        rules: format!("league=3,map-seed={number}"),
        battle: Some(Battle { id: Some(number), me: Some(me) }),
        ..Record::default()
    }
}

#[test]
fn battles_are_counted_by_opponent_seat_setting_and_length() {
    let mut records: Vec<Record> =
        (0..8).map(|number| record(number, 0, "ann", [0, 1], 10 + number as usize)).collect();
    records.push(record(8, 1, "bob", [0, 1], 50));
    records.push(record(9, 1, "bob", [0, 0], 60));
    records[8].seats[1].ending =
        Ending::Reported { failure: ReportedFailure::Timeout, words: "too slow".to_string() };
    records.push(Record { battle: None, ..record(10, 0, "ann", [0, 1], 3) });
    let report = SiteReport::of(&records, &ReportOptions::default());
    assert_eq!((report.all.games, report.all.wins, report.all.draws, report.all.losses), (10, 8, 1, 1));
    assert_eq!((report.all.win_rate, report.without_me), (0.85, 1));
    let interval = report.all.interval.unwrap();
    assert!(interval.low > 0.5 && interval.low < 0.85 && interval.high > 0.85, "{interval:?}");
    let names = |rows: &[contender_site::BattleGroup]| {
        rows.iter().map(|row| (row.name.clone(), row.games)).collect::<Vec<_>>()
    };
    assert_eq!(names(&report.opponents), [("ann".to_string(), 8), ("bob".to_string(), 2)]);
    assert_eq!(names(&report.seats), [("seat 0".to_string(), 8), ("seat 1".to_string(), 2)]);
    assert_eq!(names(&report.settings), [("league=3".to_string(), 10)]);
    assert_eq!(report.lengths.iter().map(|row| row.games).sum::<u64>(), 10);
    let failed = &report.failures[0];
    assert_eq!((failed.number, failed.id, failed.words.as_str()), (9, Some(8), "loses on time: too slow"));
    let text = report.text();
    assert!(text.starts_with("me: 10 battles, 8 won, 1 drawn, 1 lost; win rate 85% ["), "{text}");
    assert!(text.find("failures: 1").unwrap() < text.find("opponent").unwrap(), "{text}");
    let bob = SiteReport::of(&records, &ReportOptions { me: Some("BOB"), ..Default::default() });
    assert_eq!((bob.all.games, bob.all.wins, bob.without_me), (2, 1, 9));
    assert!(SiteReport::of(&[], &ReportOptions::default()).text().contains("hint: use `--me NAME`"));
}

#[test]
fn the_leagues_ratings_forecast_the_win_rates() {
    // 200 Elo more mean 76%; equal ratings mean a half.
    let rows = [
        ("v2", Some(1), 100.0),
        ("Ann", Some(1), -100.0),
        ("bob", Some(1), 100.0),
        ("cem", Some(2), 0.0),
        ("new", None, 0.0),
    ];
    let ratings = Ratings::of(rows.into_iter(), "V2").unwrap();
    assert!((ratings.expected("ann").unwrap() - 0.76).abs() < 0.01, "{ratings:?}");
    // A bot of another group, and one without games, cannot be compared.
    assert_eq!(["bob", "cem", "new"].map(|name| ratings.expected(name)), [Some(0.5), None, None]);
    assert_eq!(["new", "other"].map(|name| Ratings::of(rows.into_iter(), name)), [None, None]);
    let mut records: Vec<Record> = (0..8).map(|number| record(number, 0, "ann", [0, 1], 9)).collect();
    records.extend((8..20).map(|number| record(number, 1, "bob", [0, 1], 9)));
    records.push(record(20, 0, "cem", [0, 1], 9));
    let options = ReportOptions { ratings: Some(&ratings), ..Default::default() };
    let report = SiteReport::of(&records, &options);
    let rows: Vec<_> = report.forecast.iter().map(|row| (row.name.as_str(), row.games)).collect();
    assert_eq!(rows, [("bob", 12), ("ann", 8), ("all", 20)]);
    let [bob, ann, all] = &report.forecast[..] else { panic!() };
    assert_eq!((bob.win_rate, ann.win_rate, all.win_rate), (0.0, 1.0, 0.4));
    assert!((all.expected - (12.0 * 0.5 + 8.0 * ratings.expected("ann").unwrap()) / 20.0).abs() < 1e-9);
    assert_eq!([bob, ann, all].map(|row| row.verdict()), ["below", "", ""]);
    let text = report.text();
    assert!(text.contains("forecast   games expected  win rate\nbob           12      50%  0% [0%, 24%], below the forecast\n"), "{text}");
    assert!(SiteReport::of(&records, &ReportOptions::default()).forecast.is_empty());
}
