//! Games as JSON lines: what is written is read again, and what is no game is named.

use contender_play::*;
use proptest::prelude::*;
use std::io::{Seek, Write};
use std::path::Path;
use std::time::Duration;

const LINE: &str = r#"{"game":"box","seed":17,"players":["a","b"],"setup":["Hh216534h"],"moves":["If4"],"result":"1-0","scores":[200,0],"times_ms":[[0.5,12.0],[101.25]],"end":["normal",{"timeout":{"limit_ms":100,"overrun_ms":2}}],"cpu_ms":[3.001,null],"stderr":["","[TDATA] k = v\n"],"left_running":[false,false],"exit":[{"code":0},null],"rules":"tiles=63","attributes":[{"name":"map","value":"small"},{"name":"depth","player":0,"turn":7,"value":"4"}]}"#;

#[test]
fn the_form_is_stable() {
    let game = GameRecord::from_json(LINE).unwrap();
    assert_eq!(game.to_json(), LINE);
    assert_eq!(game.seats[0].wall, Duration::from_micros(12_500));
    assert_eq!(game.seats[0].slowest, Duration::from_millis(12));
    assert_eq!(game.seats.each_ref().map(|seat| seat.answers), [2, 0]);
    assert_eq!(game.seats[1].ending, Ending::Timeout { limit_ms: 100, overrun_ms: Some(2) });
    assert_eq!(game.seats[1].ending.to_string(), "loses on time (2 ms overrun of 100 ms)");
    assert_eq!(game.seats.each_ref().map(|seat| seat.exit), [Some(ExitStatus::Code(0)), None]);
    assert_eq!(game.attributes[1].turn, Some(7));
}

#[test]
fn the_last_six_keys_may_be_missing_and_others_are_passed_over() {
    let short = LINE.split(",\"cpu_ms\"").next().unwrap();
    let game = GameRecord::from_json(&format!("{short},\"weather\":\"fair\"}}")).unwrap();
    assert_eq!(game.points, [200, 0]);
    assert_eq!(game.seats[1].stderr, "");
}

#[test]
fn errors_name_line_and_column() {
    let log = format!("{LINE}\n\n{}\n{}\n{LINE}\n\n", LINE.replace("17", "-17"), LINE.replace("1-0", "0-1"));
    let games: Vec<_> = read_log(log.as_bytes()).collect();
    assert_eq!(games.len(), 4);
    assert!(games[0].is_ok() && games[3].is_ok());
    let error = games[1].as_ref().unwrap_err();
    assert_eq!((error.line, error.column, error.is_torn), (3, 24, false));
    assert_eq!(error.to_string(), "line 3, column 24: invalid value: integer `-17`, expected u64");
    let error = games[2].as_ref().unwrap_err().to_string();
    assert_eq!(error, "line 4, column 0: the result \"0-1\" does not go with the scores [200, 0]");
    let error = read_log("garbage\n".as_bytes()).next().unwrap().unwrap_err().to_string();
    assert!(
        error.starts_with("line 1, column 1: no recorded game: one is a JSON object on a line"),
        "{error}"
    );
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
    // Whole but for the line's end is whole.
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
        (any::<u64>(), any::<Option<u64>>(), any::<u64>()).prop_map(|(limit_ms, overrun_ms, delay_ms)| {
            Ending::Overloaded { limit_ms, overrun_ms, delay_ms }
        }),
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
        Just(Ending::Interrupted),
    ]
}

fn seats() -> impl Strategy<Value = SeatReport> {
    let times = proptest::collection::vec(0..10_000_000_000_u64, 0..20);
    let cpu = proptest::option::of(0..10_000_000_000_u64);
    let exit = proptest::option::of(prop_oneof![
        any::<i32>().prop_map(ExitStatus::Code),
        any::<i32>().prop_map(ExitStatus::Signal)
    ]);
    (endings(), times, [cpu.clone(), cpu], any::<String>(), any::<bool>(), exit).prop_map(
        |(ending, times, [cpu, idle_cpu], stderr, left_running, exit)| {
            let times: Vec<Duration> = times.into_iter().map(Duration::from_micros).collect();
            let is_late = matches!(ending, Ending::Timeout { .. } | Ending::Overloaded { .. });
            let delays = if left_running { times.iter().rev().copied().collect() } else { Vec::new() };
            let stderr_at = if left_running { (0..times.len()).collect() } else { Vec::new() };
            SeatReport {
                ending,
                answers: times.len() as u32 - u32::from(is_late && !times.is_empty()),
                wall: times.iter().sum(),
                slowest: times.iter().max().copied().unwrap_or_default(),
                times,
                delays,
                cpu: cpu.map(Duration::from_micros),
                idle_cpu: idle_cpu.map(Duration::from_micros),
                exit,
                stderr,
                stderr_at,
                left_running,
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
    /// One vocabulary: what tables call an ending is what its record does.
    #[test]
    fn endings_have_the_names_of_their_records(ending in endings()) {
        let name = match serde_json::to_value(&ending).unwrap() {
            serde_json::Value::String(name) => name,
            value => value.as_object().unwrap().keys().next().unwrap().clone(),
        };
        prop_assert_eq!(name, ending.name());
    }

    #[test]
    fn what_is_written_is_read_again(
        seed: u64, players: [String; 2], setup: Vec<String>, moves: Vec<String>, points: [i32; 2],
        seats in [seats(), seats()], interrupted: bool, rules: String, attributes in attributes(),
        place: Option<(String, u64)>, rematches: u32, machine: Option<(String, Option<u32>)>,
    ) {
        let machine = machine.map(|(name, number)| {
            let number = number.map(f64::from);
            Machine { name, speed: number, late_wakeups: number, other_load: None }
        });
        let in_match = place.map(|(plan, game)| InMatch { plan, game });
        let game = GameRecord {
            game: "box".to_string(), seed, players, setup, moves, points, seats, interrupted, rules, attributes,
            in_match, rematches, machine,
        };
        let mut log = Vec::new();
        game.write_to(&mut log).unwrap();
        game.write_to(&mut log).unwrap();
        let again: Vec<_> = read_log(&log[..]).collect();
        prop_assert_eq!(again, vec![Ok(game.clone()), Ok(game)]);
    }

    #[test]
    fn no_text_is_too_strange(text: String, at in 0..LINE.len(), byte: u8) {
        let _ = GameRecord::from_json(&text);
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

/// Who goes on with a log finds whole games only: what is torn is taken away, what only lacks its line's end stays.
#[test]
fn a_log_goes_on_after_its_last_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let two = format!("{LINE}\n{LINE}\n");
    for cut in 0..=two.len() {
        std::fs::write(&path, &two[..cut]).unwrap();
        let mut log = log::open_to_go_on(&path).unwrap();
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
    assert!(log::open_to_go_on(folder.path()).is_err());
}
