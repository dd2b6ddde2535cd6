//! Tests of games as JSON lines: records survive a round trip, and invalid lines are reported.

use contender_play::*;
use proptest::prelude::*;
use std::io::{Seek, Write};
use std::path::Path;
use std::time::Duration;

/// A game with three seats by an external referee, in an older format.
const EXTERNAL: &str = r#"{"seed":7,"players":["a","b","c"],"ranks":[0,2,1],"scores":[3.5,-1.0,3.0],"end":["normal","timeout","failure"],"words":["","timeout",""],"stderr":["","ValueError: a bug",""],"seconds":1.5,"busy":0.25,"repeat":"java -jar x.jar","again":["leaves with status 1"]}"#;

/// Logs of external referees in the older format can be read, and are written with the same keys.
#[test]
fn games_of_external_referees_are_read() {
    let game = Record::from_json(EXTERNAL).unwrap();
    assert_eq!(game.seats.iter().map(|seat| seat.rank).collect::<Vec<_>>(), [0, 2, 1]);
    assert_eq!(game.points(), [3.5, -1.0, 3.0]);
    assert_eq!(game.seats[1].ending.to_string(), "loses on time: timeout");
    assert_eq!(
        game.seats[2].ending,
        Ending::Reported { failure: ReportedFailure::Other, words: String::new() }
    );
    assert_eq!(
        (game.repeat.as_deref(), game.seconds, game.result()),
        (Some("java -jar x.jar"), Some(1.5), None)
    );
    let keys = |text: &str| {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        value.as_object().unwrap().clone()
    };
    let mut written = keys(&game.to_json());
    assert_eq!(written.remove("game"), Some("".into()));
    assert_eq!(written.remove("winner"), Some("a".into()));
    // The ranks can be derived from the scores.
    let mut before = keys(&EXTERNAL.replace("-1.0", "-1").replace("3.0", "3"));
    before.remove("ranks");
    assert_eq!(written, before);
    for (wrong, reason) in [
        (EXTERNAL.replace("[0,2,1]", "[0]"), "ranks: 1 entries for 3 players"),
        (EXTERNAL.replace(r#""a","b","c""#, r#""a""#), "end: 3 entries for 1 players"),
    ] {
        assert_eq!(Record::from_json(&wrong).unwrap_err().reason, reason);
    }
}

const LINE: &str = r#"{"game":"box","seed":17,"players":["a","b"],"setup":["Hh216534h"],"moves":["If4"],"result":"1-0","winner":"a","scores":[200,0],"times_ms":[[0.5,12.0],[101.25]],"end":["normal",{"timeout":{"limit_ms":100,"overrun_ms":2}}],"cpu_ms":[3.001,null],"stderr":["","[TDATA] k = v\n"],"left_running":[false,false],"exit":[{"code":0},null],"rules":"tiles=63","attributes":[{"name":"map","value":"small"},{"name":"depth","player":0,"turn":7,"value":"4"}]}"#;

#[test]
fn the_form_is_stable() {
    let game = Record::from_json(LINE).unwrap();
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(value(&game.to_json()), value(LINE));
    assert_eq!(game.seats[0].wall, Duration::from_micros(12_500));
    assert_eq!(game.seats[0].slowest, Duration::from_millis(12));
    assert_eq!([0, 1].map(|seat| game.seats[seat].answers), [2, 0]);
    assert_eq!(game.seats[1].ending, Ending::Timeout { limit_ms: 100, overrun_ms: Some(2) });
    assert_eq!(game.seats[1].ending.to_string(), "loses on time (2 ms over the limit of 100 ms)");
    assert_eq!([0, 1].map(|seat| game.seats[seat].exit), [Some(ExitStatus::Code(0)), None]);
    assert_eq!(game.attributes[1].turn, Some(7));
}

#[test]
fn the_last_six_keys_may_be_missing_and_others_are_passed_over() {
    let short = LINE.split(",\"cpu_ms\"").next().unwrap();
    let game = Record::from_json(&format!("{short},\"weather\":\"fair\"}}")).unwrap();
    assert_eq!(game.points(), [200.0, 0.0]);
    assert_eq!(game.seats[1].stderr, "");
}

#[test]
fn errors_name_line_and_column() {
    let log = format!("{LINE}\n\n{}\n{}\n{LINE}\n\n", LINE.replace("17", "1.7"), LINE.replace("1-0", "0-1"));
    let games: Vec<_> = read_log(log.as_bytes()).collect();
    assert_eq!(games.len(), 4);
    assert!(games[0].is_ok() && games[3].is_ok());
    let error = games[1].as_ref().unwrap_err();
    assert_eq!((error.line, error.column, error.is_torn), (3, 24, false));
    assert_eq!(error.to_string(), "line 3, column 24: expected a whole 64-bit number");
    let error = games[2].as_ref().unwrap_err().to_string();
    assert_eq!(error, "line 4, column 0: the result \"0-1\" does not match the scores [200.0, 0.0]");
    let error = read_log("garbage\n".as_bytes()).next().unwrap().unwrap_err().to_string();
    assert!(
        error.starts_with("line 1, column 1: not a recorded game: expected one JSON object per line"),
        "{error}"
    );
}

/// JavaScript and jq read numbers in floating point, so a large seed is a text; older logs have unsigned numbers.
#[test]
fn seeds_of_64_bits_survive() {
    let with = |seed: &str| Record::from_json(&LINE.replace("17,", &format!("{seed},"))).unwrap();
    for (read, written) in [
        ("17", "17"),
        ("-17", "-17"),
        ("9007199254740992", "9007199254740992"),
        ("-9007199254740993", r#""-9007199254740993""#),
        (r#""-4436915910920504000""#, r#""-4436915910920504000""#),
        ("18446744073709551615", "-1"),
        ("9223372036854775808", r#""-9223372036854775808""#),
        (r#""18446744073709551615""#, "-1"),
    ] {
        let record = with(read);
        assert!(record.to_json().contains(&format!(r#""seed":{written},"#)), "{}", record.to_json());
        assert_eq!(record, with(written));
    }
    assert!(Record::from_json(&LINE.replace("17,", r#""18446744073709551616","#)).is_err());
}

#[test]
fn a_torn_last_line_is_told_apart() {
    let text = format!("{LINE}\n{LINE}\n");
    for cut in 1..LINE.len() {
        let games: Vec<_> = read_log(&text.as_bytes()[..LINE.len() + 1 + cut]).collect();
        assert_eq!(games.len(), 2);
        assert!(games[0].is_ok());
        let error = games[1].as_ref().unwrap_err();
        assert!(error.is_torn && error.line == 2, "{error}");
    }
    // A last line that lacks only its line end is complete.
    let games: Vec<_> = read_log(&text.as_bytes()[..text.len() - 1]).collect();
    assert!(games.iter().all(Result::is_ok));
}

fn endings() -> impl Strategy<Value = Ending> {
    let words = || any::<String>();
    prop_oneof![
        Just(Ending::Normal),
        (words(), words()).prop_map(|(reason, answer)| Ending::Illegal { reason, answer }),
        (any::<u64>(), any::<Option<u64>>())
            .prop_map(|(limit_ms, overrun_ms)| Ending::Timeout { limit_ms, overrun_ms }),
        (any::<u64>(), any::<Option<u64>>(), any::<[u64; 2]>()).prop_map(
            |(limit_ms, overrun_ms, [delay_ms, stolen_ms])| {
                Ending::Overloaded { limit_ms, overrun_ms, delay_ms, stolen_ms }
            }
        ),
        any::<u64>().prop_map(|cpu_ms| Ending::Pondered { cpu_ms }),
        any::<i32>().prop_map(|signal| Ending::Crash { signal }),
        any::<i32>().prop_map(|code| Ending::Exit { code }),
        Just(Ending::ClosedStdout),
        Just(Ending::ClosedStdin),
        any::<usize>().prop_map(|bytes| Ending::Flood { bytes }),
        words().prop_map(|answer| Ending::InvalidUtf8 { answer }),
        words().prop_map(|reason| Ending::CannotStart { reason }),
        (any::<u64>(), any::<u64>()).prop_map(|(limit_mb, peak_mb)| Ending::Memory { limit_mb, peak_mb }),
        Just(Ending::NoAnswer),
        words().prop_map(|reason| Ending::Confused { reason }),
        words().prop_map(|message| Ending::Panic { message }),
        (0..5_usize, words()).prop_map(|(kind, words)| Ending::Reported {
            failure: [
                ReportedFailure::Timeout,
                ReportedFailure::Overloaded,
                ReportedFailure::Exit,
                ReportedFailure::Illegal,
                ReportedFailure::Other
            ][kind],
            words,
        }),
        Just(Ending::Interrupted),
        any::<u64>().prop_map(|turns| Ending::Endless { turns }),
    ]
}

fn seats() -> impl Strategy<Value = Seat> {
    let times = proptest::collection::vec(0..10_000_000_000_u64, 0..20);
    let cpu = proptest::option::of(0..10_000_000_000_u64);
    let exit = proptest::option::of(prop_oneof![
        any::<i32>().prop_map(ExitStatus::Code),
        any::<i32>().prop_map(ExitStatus::Signal)
    ]);
    (endings(), times, [cpu.clone(), cpu], any::<String>(), any::<bool>(), exit).prop_map(
        |(ending, times, [cpu, idle_cpu], stderr, left_running, exit)| {
            let times: Vec<Duration> = times.into_iter().map(Duration::from_micros).collect();
            let is_late = matches!(ending.name(), "timeout" | "overloaded");
            let delays = if left_running { times.iter().rev().copied().collect() } else { Vec::new() };
            let notes = if left_running { vec![stderr.clone()] } else { Vec::new() };
            let stderr_at = if left_running { (0..times.len()).collect() } else { Vec::new() };
            Seat {
                ending,
                answers: times.len() as u32 - u32::from(is_late && !times.is_empty()),
                wall: times.iter().sum(),
                slowest: times.iter().max().copied().unwrap_or_default(),
                times,
                stolen: delays.clone(),
                delays,
                cpu: cpu.map(Duration::from_micros),
                idle_cpu: idle_cpu.map(Duration::from_micros),
                exit,
                stderr,
                stderr_at,
                notes,
                left_running,
                ..Seat::default()
            }
        },
    )
}

fn attributes() -> impl Strategy<Value = Vec<Attribute>> {
    let attribute = (any::<String>(), any::<Option<u8>>(), any::<Option<u32>>(), any::<String>());
    let attribute = attribute.prop_map(|(name, player, turn, value)| Attribute { name, player, turn, value });
    proptest::collection::vec(attribute, 0..4)
}

proptest! {
    /// An ending has the same name in tables and in its record.
    #[test]
    fn endings_have_the_names_of_their_records(ending in endings()) {
        // Failures reported by an external referee are written only with their names.
        prop_assume!(!matches!(ending, Ending::Reported { .. }));
        let name = match serde_json::to_value(&ending).unwrap() {
            serde_json::Value::String(name) => name,
            value => value.as_object().unwrap().keys().next().unwrap().clone(),
        };
        prop_assert_eq!(name, ending.name());
    }

    #[test]
    fn what_is_written_is_read_again(
        seed: u64, setup: Vec<String>, moves: Vec<String>, interrupted: bool, rules: String, rematches: u32,
        mut seats in proptest::collection::vec((any::<String>(), any::<Option<i32>>(), 0_u32..3, seats()), 2..=8),
        attributes in attributes(), place: Option<(String, u64)>, machine: Option<(String, Option<u32>)>,
        repeat: Option<String>, again: Vec<String>,
    ) {
        let machine = machine.map(|(name, number)| {
            let number = number.map(f64::from);
            Machine { name, speed: number, late_wakeups: number, other_load: None }
        });
        let in_match = place.map(|(plan, game)| InMatch { plan, game });
        // Either all seats have points or none of them has.
        if seats.iter().any(|(_, points, ..)| points.is_none()) {
            seats.iter_mut().for_each(|(_, points, ..)| *points = None);
        }
        let seat = |(bot, points, rank, seat): (String, Option<i32>, u32, Seat)| {
            Seat { bot, points: points.map(f64::from), rank, ..seat }
        };
        let mut game = Record {
            game: "box".to_string(), seed, setup, moves, interrupted, rules, attributes, in_match, rematches, machine,
            seats: seats.into_iter().map(seat).collect(), repeat, again, ..Record::default()
        };
        if seed % 2 == 0 && game.has_points() {
            game.rank_by_points();
        }
        let mut log = Vec::new();
        game.write_to(&mut log).unwrap();
        game.write_to(&mut log).unwrap();
        let again: Vec<_> = read_log(&log[..]).collect();
        prop_assert_eq!(again, vec![Ok(game.clone()), Ok(game)]);
    }

    #[test]
    fn no_text_is_too_strange(text: String, at in 0..LINE.len(), byte: u8) {
        let _ = Record::from_json(&text);
        let mut bytes = LINE.as_bytes().to_vec();
        bytes[at] = byte;
        for game in read_log(&bytes[..]) {
            let _ = game;
        }
    }
}

#[test]
fn a_torn_line_is_ended_before_the_next_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    for (before, after) in [("", "next\n"), ("whole\n", "whole\nnext\n"), ("to", "to\nnext\n")] {
        std::fs::write(&path, before).unwrap();
        log::append_to(&path).unwrap().write_all(b"next\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), after);
    }
    log::append_to(&folder.path().join("new.jsonl")).unwrap();
    assert!(log::append_to(Path::new("/dev/null")).is_ok());
    assert!(log::append_to(folder.path()).is_err());
}

#[test]
fn the_beginning_of_a_game_is_known_however_short() {
    let game = LINE.split('"').nth(3).unwrap();
    for length in 0..LINE.len() {
        assert_eq!(log::begins_game(&LINE.as_bytes()[..length], game), length > 0, "{length}");
    }
    for other in ["dear diary", "{}", "[", "{\"game\":\"x\"", " {"] {
        assert!(!log::begins_game(other.as_bytes(), game), "{other}");
    }
}

/// A log that is continued contains only complete games: an incomplete line is removed, and a line that lacks only its
/// line end is kept.
#[test]
fn a_log_goes_on_after_its_last_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let two = format!("{LINE}\n{LINE}\n");
    for cut in 0..=two.len() {
        std::fs::write(&path, &two[..cut]).unwrap();
        let mut log = log::open_to_resume(&path).unwrap();
        log::mend(&mut log).unwrap();
        log.rewind().unwrap();
        let games = read_log(std::io::BufReader::new(&log)).map(Result::unwrap).count();
        assert_eq!(games, (cut + 1) / (LINE.len() + 1), "{cut}");
        log.write_all(LINE.as_bytes()).unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            two[..games * (LINE.len() + 1)].to_string() + LINE
        );
    }
    assert!(log::open_to_resume(folder.path()).is_err());
}

/// A match log from an older version contains the same games in both forms.
#[test]
fn logs_of_older_versions_are_read() {
    let golden =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/match.jsonl"));
    for line in golden.unwrap().lines() {
        let game = Record::from_json(line).unwrap();
        assert_eq!((game.game.as_str(), game.seats.len(), game.has_points()), ("uttt", 2, true));
        let value = |text: &str| {
            let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
            // Older versions wrote every seed as an unsigned number.
            value["seed"] = seed::deserialize(&value["seed"]).unwrap().into();
            value
        };
        let mut written = value(&game.to_json());
        // Older versions did not name the winner.
        let winner = written.as_object_mut().unwrap().remove("winner").unwrap();
        assert_eq!(winner, game.winner().unwrap());
        assert_eq!(written, value(line));
    }
}

/// The winner is a name for people and scripts; whatever a log contains, readers use the ranks.
#[test]
fn a_log_names_the_only_winner() {
    let with = |ranks: &[u32], interrupted: bool| {
        let seats = ["a", "b", "c"].into_iter().zip(ranks);
        let seats = seats.map(|(bot, &rank)| Seat { bot: bot.to_string(), rank, ..Seat::default() });
        let line = Record { seats: seats.collect(), interrupted, ..Record::default() }.to_json();
        serde_json::from_str::<serde_json::Value>(&line).unwrap()["winner"].as_str().map(str::to_string)
    };
    assert_eq!(with(&[1, 0], false).as_deref(), Some("b"));
    assert_eq!(with(&[2, 1, 0], false).as_deref(), Some("c"));
    assert_eq!((with(&[0, 0], false), with(&[0, 0, 2], false), with(&[1, 0], true)), (None, None, None));
    for winner in ["\"b\"", "7", "null"] {
        let line = LINE.replace("\"winner\":\"a\"", &format!("\"winner\":{winner}"));
        assert_eq!(Record::from_json(&line).unwrap().winner(), Some("a"));
    }
}
