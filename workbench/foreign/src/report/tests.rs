use super::*;
use crate::{Bot, ForeignReferee};
use contender_stats::SequentialTest;
use std::sync::atomic::AtomicBool;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

fn bot(name: &str, arguments: &str) -> Bot {
    Bot { name: name.to_string(), command: format!("python3 {HERE}/tests/card_bot.py {arguments}") }
}

fn referee(arguments: &str) -> ForeignReferee {
    ForeignReferee::new(format!("python3 {HERE}/tests/stand_in.py {arguments}").trim()).unwrap()
}

fn series<'a>(referee: &'a ForeignReferee, bots: &'a [Bot], players: usize) -> Series<'a> {
    Series { referee, bots, players, rounds: 2, seed: 1, jobs: 2, test: None }
}

fn run(series: &Series<'_>, known: &[Record]) -> (Course, Vec<Record>) {
    let mut log = Vec::new();
    let course = series.run(known, &AtomicBool::new(false), Some(&mut log), &mut |_, _| {});
    (course, Record::read_all(log.as_slice()).unwrap().0)
}

#[test]
fn every_bot_has_every_seat_equally_often_with_the_same_luck() {
    let referee = referee("");
    let bots = ["a", "b", "c", "d"].map(|name| bot(name, "50"));
    for players in 2..=4 {
        let slots = series(&referee, &bots, players).slots();
        let mut seats = BTreeMap::new();
        let mut seeds = BTreeMap::new();
        for slot in &slots {
            for (seat, bot) in slot.seats.iter().enumerate() {
                *seats.entry((bot, seat)).or_insert(0) += 1;
            }
            let mut set = slot.seats.clone();
            set.sort_unstable();
            assert_eq!(*seeds.entry((slot.round, set)).or_insert(slot.seed), slot.seed);
        }
        assert_eq!(seats.len(), 4 * players);
        assert!(seats.values().all(|count| count == seats.values().next().unwrap()), "{seats:?}");
        let different: std::collections::BTreeSet<u64> = seeds.values().copied().collect();
        assert_eq!(different.len(), seeds.len());
    }
}

#[test]
fn three_players_are_ranked_and_a_log_goes_on() {
    let referee = referee("");
    let bots = [bot("half", "50"), bot("all", "100"), bot("none", "0")];
    let series = series(&referee, &bots, 3);
    let (course, log) = run(&series, &[]);
    assert_eq!((course.games.len(), log.len(), course.end.clone()), (6, 6, MatchEnd::Complete));
    let report = SeriesReport::of(&series, &course);
    let names: Vec<&str> = report.bots.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names, ["all", "half", "none"]);
    assert_eq!(report.bots[0].ranks, [6, 0, 0]);
    assert_eq!(report.bots[2].by_seat, [Some(3.0); 3]);
    let text = report.text();
    assert!(text.contains("6 games of 3 players"), "{text}");
    let legend =
        "\n1. to 3.: games that it ended in that place; seat 0 to seat 2: its mean place from that seat\n";
    assert!(text.contains(legend), "{text}");
    // What is in the log is not played again.
    let (again, played) = run(&series, &log[..4]);
    assert_eq!((again.games.len(), played.len()), (6, 2));
    let results = |course: &Course| course.games.values().map(|game| game.ranks.clone()).collect::<Vec<_>>();
    assert_eq!(results(&again), results(&course));
}

#[test]
fn two_players_have_pairs_and_a_test() {
    let referee = referee("");
    let bots = [bot("all", "100"), bot("half", "50")];
    let test = SequentialTest::new(0.0, 100.0, 0.05, 0.05).unwrap();
    let series = Series { test: Some(test), ..series(&referee, &bots, 2) };
    let (course, _) = run(&series, &[]);
    let report = SeriesReport::of(&series, &course);
    let pairs = report.pairs.clone().unwrap();
    assert_eq!(pairs.results.counts, [0, 0, 0, 0, 2]);
    assert_eq!(pairs.test.unwrap().decision, Decision::PlayOn);
    assert!(report.text().contains("[0, 0, 0, 0, 2]"), "{}", report.text());
    assert!(
        report.text().contains("\nit has won every game") && !report.text().contains("inf"),
        "{}",
        report.text()
    );
}

#[test]
fn failures_and_voids_are_told() {
    let crashing = [bot("fine", "10"), bot("broken", "100 crash")];
    let fine = referee("");
    let series_of = series(&fine, &crashing, 2);
    let report = SeriesReport::of(&series_of, &run(&series_of, &[]).0);
    let broken = &report.bots[1];
    assert_eq!((broken.name.as_str(), broken.failures["timeout"]), ("broken", 4));
    assert!(
        report.text().contains(
            "broken: timeout in 4 of 4 games: \"has not provided 1 lines in time\"\n  again: python3"
        )
    );
    assert!(report.notes.iter().any(|note| note.contains("failed in every game")), "{:?}", report.notes);
    let failing = referee("--fault null");
    let (course, _) = run(&series(&failing, &crashing, 2), &[]);
    assert!(course.voids >= 3 && course.games.is_empty());
    assert!(
        matches!(&course.end, MatchEnd::Failed { error: reason } if reason.contains("has failed itself") && reason.contains("again: python3"))
    );
}

#[test]
fn a_series_is_stopped() {
    let hanging = referee("--fault hang");
    let bots = [bot("a", "1"), bot("b", "1")];
    let course = series(&hanging, &bots, 2).run(&[], &AtomicBool::new(true), None, &mut |_, _| {});
    assert_eq!((course.games.len(), course.end), (0, MatchEnd::Interrupted));
}
