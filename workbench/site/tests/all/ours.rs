//! Battles of bundled games, which are replayed by their rules: the log, the report, and cases.

use crate::made::{imported, of_outputs, random_battle};
use contender_game::contest::Contest;
use contender_play::{CommandLine, Record};
use contender_site::{BattleResult, Case, ImportOptions, ReportOptions, SiteReport, Source};
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const GAMES: [&dyn Contest; 2] = [contender_uttt::CONTEST, contender_cellularena::CONTEST];

static STOP: AtomicBool = AtomicBool::new(false);

fn find(name: &str) -> Option<&'static dyn Contest> {
    GAMES.into_iter().find(|contest| contest.name() == name)
}

fn brought(battles: &[Value], contest: &dyn Contest) -> Vec<Record> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("battles.jsonl");
    fs::write(&path, battles.iter().map(|battle| format!("{battle}\n")).collect::<String>()).unwrap();
    let options = ImportOptions { me: Some("ann"), contest: Some(contest), ..ImportOptions::default() };
    imported(&[&path], options)
}

#[test]
fn battles_are_replayed_by_the_rules() {
    for contest in GAMES {
        let battles: Vec<Value> =
            (-30..-20).chain(1..11).map(|seed| random_battle(contest, seed).0).collect();
        let records = brought(&battles, contest);
        assert_eq!(records.len(), battles.len());
        for (record, battle) in records.iter().zip(&battles) {
            record.check(contest).unwrap();
            assert_eq!(format!("seed={}\n", record.seed.cast_signed()), battle["refereeInput"]);
            assert_eq!(battle["ranks"], serde_json::json!([record.seats[0].rank, record.seats[1].rank]));
        }
    }
}

/// The slow reference looks at all later turns of each turn.
#[test]
fn the_deciding_turn_is_the_first_from_which_the_winner_stays_ahead() {
    for contest in GAMES {
        let (battles, points): (Vec<_>, Vec<_>) = (1..41).map(|seed| random_battle(contest, seed)).unzip();
        let mut expected = [0_u64; 5];
        for points in &points {
            let leads: Vec<_> = points.iter().map(|[zero, one]| zero.cmp(one)).collect();
            let result = *leads.last().unwrap();
            let decided = (0..leads.len()).find(|&turn| leads[turn..].iter().all(|lead| *lead == result));
            let part = match decided.unwrap() {
                _ if result.is_eq() => 4,
                turn if turn + 1 == leads.len() => 3,
                turn if (turn as f64) < leads.len() as f64 / 3.0 => 0,
                turn if (turn as f64) < leads.len() as f64 * 2.0 / 3.0 => 1,
                _ => 2,
            };
            expected[part] += 1;
        }
        let records = brought(&battles, contest);
        let report = SiteReport::of(&records, &ReportOptions { rules: Some(find), ..Default::default() });
        let names = ["first third", "second third", "last third", "last turn", "never (drawn)"];
        let found =
            names.map(|name| report.decisions.iter().find(|row| row.name == name).map_or(0, |row| row.games));
        assert_eq!(found, expected, "{}", contest.name());
        let wins: u64 = report.decisions.iter().map(|row| row.wins).sum();
        let won = |record: &&Record| BattleResult::of(record, 0) == BattleResult::Won;
        assert_eq!(wins, records.iter().filter(won).count() as u64);
        // In Ultimate Tic-Tac-Toe, nobody has points before the end.
        let is_late = expected[0] + expected[1] + expected[2] == 0;
        assert_eq!(is_late, contest.name() == "uttt", "{expected:?}");
        assert!(report.text().contains("\ndecided in "), "{}", report.text());
        let without = SiteReport::of(&records, &ReportOptions::default());
        assert!(without.decisions.is_empty() && !without.text().contains("decided in"));
    }
}

/// Returns a program that answers as in the record, with another answer in one turn.
fn replayed(record: &Record, folder: &Path, other: Option<(usize, &str)>) -> CommandLine {
    let answer = |(at, answer): (usize, &String)| match other {
        Some((turn, other)) if turn == at + 1 => format!("{other}\n"),
        _ => format!("{answer}\n"),
    };
    let path = folder.join(format!("answers-{}", other.is_some()));
    fs::write(&path, record.seats[0].outputs.iter().enumerate().map(answer).collect::<String>()).unwrap();
    let words = ["sh", "-c", "cat \"$0\"; cat > /dev/null"].map(str::to_string);
    CommandLine::new(words.into_iter().chain([path.display().to_string()]))
}

#[test]
fn a_turn_of_our_game_is_a_case() {
    let folder = tempfile::tempdir().unwrap();
    for contest in GAMES {
        let record = &brought(&[random_battle(contest, 3).0], contest)[0];
        let turn = 5;
        let case = Case::of(record, 0, turn, &[], Source::Rules(contest), &STOP).unwrap();
        assert_eq!(case.avoid, [record.seats[0].outputs[turn - 1].clone()]);
        let run = |other| case.run(&replayed(record, folder.path(), other), Duration::from_secs(60), &STOP);
        let failure = run(None).unwrap_err().to_string();
        assert!(failure.starts_with("answers `") && failure.ends_with("` again"), "{failure}");
        let other = vec!["other"; case.lines].join("\n");
        run(Some((turn, &other))).unwrap();
        // The input up to the turn is that of the game itself.
        let mut judge =
            contest.judge(record.seed, &mut contender_play::log::rules_of(&record.rules).unwrap()).unwrap();
        let (mut heard, mut turns) = (String::new(), [0; 2]);
        while turns[0] < turn {
            for question in judge.ask() {
                let seat = question.player.index();
                if seat == 0 {
                    heard += &question.text;
                }
                let lines: Vec<String> =
                    record.seats[seat].outputs[turns[seat]].lines().map(str::to_string).collect();
                judge.answer(question.player, &lines).unwrap();
                turns[seat] += 1;
            }
        }
        assert_eq!(case.input, heard);
    }
}

/// Games that Cellularena's own referee played have the same end by the rules of this program.
#[test]
fn recorded_games_of_cellularenas_referee_are_battles() {
    let folder = std::env::var_os("CONTENDER_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let Ok(packed) = fs::read(folder.join("cellularena-games.jsonl.gz")) else {
        eprintln!("skipped: {} has no recorded games", folder.display());
        return;
    };
    let mut text = String::new();
    MultiGzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
    let (mut battles, mut outputs) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        match line["k"].as_str().unwrap() {
            "init" => outputs.clear(),
            "turn" => {
                for (seat, lines) in line["act"].as_array().unwrap().iter().enumerate() {
                    let lines = lines.as_array().unwrap().iter();
                    outputs.push((seat, lines.map(|line| line.as_str().unwrap().to_string()).collect()));
                }
            }
            _ => {
                let score = |at: usize| i32::try_from(line["organs"][at].as_i64().unwrap()).unwrap();
                let seed = line["seed"].as_str().unwrap().parse().unwrap();
                let mut battle = of_outputs(battles.len() as u64, seed, &outputs, [score(0), score(1)]);
                // Proteins decide between equal numbers of organs.
                let winner = line["winner"].as_i64().unwrap();
                battle["ranks"] = serde_json::json!([i32::from(winner == 1), i32::from(winner == 0)]);
                battles.push((battle, line["turns"].as_u64().unwrap() as usize));
            }
        }
    }
    assert_eq!(battles.len(), 40);
    let contest = contender_cellularena::CONTEST;
    let values: Vec<Value> = battles.iter().map(|(battle, _)| battle.clone()).collect();
    let records = brought(&values, contest);
    assert_eq!(records.len(), 40);
    for (record, (_, turns)) in records.iter().zip(&battles) {
        record.check(contest).unwrap();
        assert_eq!(record.seats[0].outputs.len(), *turns);
    }
}
