//! Tests of leagues in the previous format. The golden files contain the tables that an older version printed for them,
//! and the tables must be the same now.

use contender_league::{ExportForm, League, Model, Store};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns a copy of a golden league, given the name of its folder.
fn copy(name: &str) -> (tempfile::TempDir, PathBuf) {
    let golden = golden(name);
    let folder = tempfile::tempdir().unwrap();
    for file in ["league.toml", "league.sqlite"] {
        fs::copy(golden.join(file), folder.path().join(file)).unwrap();
    }
    (folder, golden)
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn form(file: &Path) -> i64 {
    let connection = Connection::open(file).unwrap();
    connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

/// Returns whether two values are equal, apart from the rounding of times from seconds to milliseconds.
fn are_equal(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(one), Value::Number(other)) => {
            let [one, other] = [one, other].map(|number| number.as_f64().unwrap());
            (one - other).abs() <= 1e-9 * other.abs().max(1.0)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| are_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| are_equal(value, other)))
        }
        _ => found == expected,
    }
}

/// Checks that the tables of a store are equal to those in a golden folder.
fn check(league: &League, store: &Store, golden: &Path) {
    let read = |file: String| fs::read_to_string(golden.join(file)).unwrap();
    let expected = |file: String| serde_json::from_str::<Value>(&read(file)).unwrap();
    for (model, name) in [
        (Model::Points, "points"),
        (Model::Elo, "elo"),
        (Model::Trueskill, "trueskill"),
        (Model::Openskill, "openskill"),
    ] {
        let standings = league.standings(store, model, None).unwrap();
        let found = serde_json::to_value(standings).unwrap();
        assert!(are_equal(&found, &expected(format!("show-{name}.json"))), "{name}: {found:#}");
    }
    for (model, name) in [(Model::Points, "points"), (Model::Elo, "elo")] {
        let forecast = serde_json::to_value(league.forecast(store, model, None).unwrap()).unwrap();
        assert!(are_equal(&forecast, &expected(format!("forecast-{name}.json"))), "{name}: {forecast:#}");
    }
    let seats = league.contest().map_or(["first", "second"], |contest| contest.info().seats);
    let standings = league.standings(store, league.model(), None).unwrap();
    assert_eq!(standings.text(seats, false), read("show.txt".to_string()));
    let mut table = Vec::new();
    ExportForm::Csv.write(store, &mut table).unwrap();
    // The order of columns may differ.
    let cells = |text: &str| -> Vec<Vec<String>> {
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let mut columns: Vec<Vec<String>> = (0..rows[0].len())
            .map(|column| rows.iter().map(|row| row[column].to_string()).collect())
            .collect();
        columns.sort();
        columns
    };
    let (found, expected) =
        (cells(&String::from_utf8(table).unwrap()), cells(&read("export.csv".to_string())));
    for column in expected {
        let is_time = column[0].starts_with("seconds");
        let same = found.iter().find(|other| other[0] == column[0]).unwrap();
        let close = |one: &str, other: &str| match (one.parse::<f64>(), other.parse::<f64>()) {
            (Ok(one), Ok(other)) => (one - other).abs() < 1e-9,
            _ => one == other,
        };
        let are_same =
            column.iter().zip(same).all(|(one, other)| one == other || is_time && close(one, other));
        assert!(are_same, "{column:?}\n{same:?}");
    }
}

#[test]
fn a_league_of_the_form_before_shows_what_it_has_shown() {
    for name in ["two", "three"] {
        let (folder, golden) = copy(name);
        let league = League::open(folder.path()).unwrap();
        let mut store = Store::open(&league).unwrap();
        check(&league, &store, &golden);
        assert_eq!(form(&league.database()), 2);
        // Planned games are played first, and the copy contains the league in its old state.
        let planned = "SELECT COUNT(*) FROM games JOIN seats ON game = id WHERE state = 'planned'";
        let count = |file: &Path| -> i64 {
            Connection::open(file).unwrap().query_row(planned, [], |row| row.get(0)).unwrap()
        };
        assert_eq!(count(&league.database()), if name == "two" { 2 } else { 0 });
        store.set_state(&store.bots().unwrap()[0].name, contender_league::BotState::Paused).unwrap();
        drop(store);
        let kept = folder.path().join("league.sqlite.form-1");
        assert_eq!(form(&kept), 1);
        fs::rename(&kept, league.database()).unwrap();
        check(&league, &Store::open(&league).unwrap(), &golden);
    }
}

/// The copy is made first, and everything else is one transaction: if the new format refuses a row in the middle, the
/// file stays unchanged.
#[test]
fn a_league_that_cannot_be_brought_over_stays_as_it_was() {
    let (folder, golden) = copy("three");
    let league = League::open(folder.path()).unwrap();
    let content = |file: &Path| -> Vec<(i64, String, Option<String>)> {
        let connection = Connection::open(file).unwrap();
        let mut statement = connection.prepare("SELECT id, state, more FROM games ORDER BY id").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let change = |state: &str| {
        let connection = Connection::open(league.database()).unwrap();
        let damage =
            format!("PRAGMA ignore_check_constraints = ON; UPDATE games SET state = '{state}' WHERE id = 9");
        connection.execute_batch(&damage).unwrap();
    };
    change("strange");
    let before = content(&league.database());
    let error = format!("{:#}", Store::open(&league).err().unwrap());
    assert!(error.contains("cannot be converted to the format of this version"), "{error}");
    assert_eq!((form(&league.database()), content(&league.database())), (1, before.clone()));
    let kept = folder.path().join("league.sqlite.form-1");
    assert_eq!((form(&kept), content(&kept)), (1, before));
    change("done");
    check(&league, &Store::open(&league).unwrap(), &golden);
}

/// A file that cannot be written can still be read, and is not changed.
#[cfg(unix)]
#[test]
fn a_league_of_the_form_before_is_read_where_it_cannot_be_written() {
    let (folder, golden) = copy("two");
    let league = League::open(folder.path()).unwrap();
    let before = fs::read(league.database()).unwrap();
    // Replacing a folder by a file fails even for root.
    fs::create_dir(folder.path().join("league.sqlite.form-1")).unwrap();
    fs::write(folder.path().join("league.sqlite.form-1/mine"), "").unwrap();
    assert!(Store::open(&league).is_err());
    check(&league, &Store::open_to_read(&league).unwrap(), &golden);
    assert_eq!(fs::read(league.database()).unwrap(), before);
}

/// Invalid data that another program has written in the previous format becomes void in the new format, and stops
/// nothing.
#[test]
fn damaged_games_of_the_form_before_are_void() {
    let (folder, _) = copy("three");
    let league = League::open(folder.path()).unwrap();
    let connection = Connection::open(league.database()).unwrap();
    connection
        .execute_batch(
            "PRAGMA foreign_keys = OFF;
             UPDATE games SET more = '[[1, 2' WHERE id = 1;
             UPDATE games SET points_zero = 'abc' WHERE id = 2;
             UPDATE games SET zero = 77 WHERE id = 3;
             UPDATE games SET more = '[[1,1.0,\"normal\"],[9,9,9],[1,1,1],[1,1,1],[1,1,1],[1,1,1],[1,1,1]]' WHERE id = 4;",
        )
        .unwrap();
    drop(connection);
    let store = Store::open(&league).unwrap();
    let games = store.games(false).unwrap();
    let reasons: Vec<&str> =
        games[..4].iter().map(|game| game.reason.as_deref().unwrap_or_default()).collect();
    assert_eq!(
        [reasons[0], reasons[1], reasons[2]],
        ["its further seats cannot be read", "points of seat 0 is `abc`", ""]
    );
    assert!(reasons[3].contains("seat"), "{reasons:?}");
    assert_eq!(league.standings(&store, Model::Elo, None).unwrap().games, 17 - 4);
}
