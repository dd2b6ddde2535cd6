//! Tests of imported games.

use contender_league::{GameState, Imported, Meetings, Model, Standings, Store, import_text};
use sha2::Digest;

/// Imports a text into a league of Box.
fn enter(store: &mut Store, text: &str) -> Imported {
    import_text(store, text, "games", "box").unwrap()
}

/// Imports a text into a league of a game with unknown rules.
fn enter_unchecked(store: &mut Store, text: &str) -> Imported {
    import_text(store, text, "games", "some game").unwrap()
}

/// Computes everything that can be computed from a league's games.
fn compute(store: &Store) -> Standings {
    let (bots, games) = (store.bots().unwrap(), store.games(true).unwrap());
    let _ = Meetings::of(&bots, &games);
    let _ = contender_league::pictures(
        "box",
        &bots,
        &games,
        Model::Elo,
        None,
        contender_game::contest::Limits::NONE,
    );
    for model in [Model::Elo, Model::Trueskill, Model::Openskill] {
        let _ = Standings::of(&bots, &games, model, true);
    }
    Standings::of(&bots, &games, Model::Points, true)
}

#[test]
fn games_that_cannot_be_rated_are_passed_over_with_their_place() {
    let mut store = Store::in_memory().unwrap();
    let header = "Game,User1,Score1,Status1,User2,Score2,Status2\n";
    for (text, problem) in [
        (format!("{header}1,a,1,WIN,a,0,LOSE\n"), "games:2: a game in which a bot plays against itself"),
        (format!("{header}1,a,inf,WIN,b,0,LOSE\n"), "games:2: inf points"),
        (format!("{header}1,a,1,WIN,b,NaN,LOSE\n"), "games:2: NaN points"),
        (format!("{header}1,a,1e308,WIN,b,0,LOSE\n"), "games:2: 1"),
        (format!("{header}1,a\u{1b}[2J,1,WIN,b,0,LOSE\n"), "games:2: invalid bot name \"a\\u{1b}[2J\""),
        (format!("{header}1,,1,WIN,b,0,LOSE\n"), "games:2: invalid bot name \"\""),
        (
            "{\"players\": [\"a\", \"a\"], \"ranks\": [0, 1]}".to_string(),
            "games:1: a game in which a bot plays against itself",
        ),
    ] {
        let imported = enter(&mut store, &text);
        assert_eq!((imported.new, imported.problems.len()), (0, 1), "{text}: {imported:?}");
        assert!(imported.problems[0].starts_with(problem), "{text}: {imported:?}");
    }
    assert_eq!(compute(&store).games, 0);
}

/// A league that another program has filled with invalid games works like a league without them.
#[test]
fn a_damaged_league_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contender_catalogue::find("box").unwrap();
    let league =
        contender_league::League::create(folder.path(), contender_league::NewLeagueGame::Contest(contest))
            .unwrap();
    let mut store = Store::open(&league).unwrap();
    let good = "Game,User1,Score1,Status1,User2,Score2,Status2\n1,a,5,WIN,b,3,LOSE\n2,b,4,WIN,a,2,LOSE\n";
    assert_eq!(enter(&mut store, good).new, 2);
    let damage = rusqlite::Connection::open(league.database()).unwrap();
    for (game, [zero, one]) in
        [["1, 0, 1", "1, 1, 0"], ["1, 0, 9e999", "2, 1, 0"], ["1, 0, 1e308", "2, 1, -1e308"]]
            .into_iter()
            .enumerate()
    {
        let game = game + 10;
        let insert = format!(
            "INSERT INTO games (id, state) VALUES ({game}, 'done');
             INSERT INTO seats (game, seat, bot, rank, points, ending) VALUES
                 ({game}, 0, {zero}, 'normal'), ({game}, 1, {one}, 'normal');"
        );
        damage.execute_batch(&insert).unwrap();
    }
    let table = compute(&store);
    assert_eq!((table.games, table.void, table.rows.len()), (2, 3, 2));
    assert!(table.rows.iter().all(|row| row.games == 2 && row.points.is_some_and(f64::is_finite)));
    let games = store.games(false).unwrap();
    let void = games.iter().find(|game| game.state == GameState::Void).unwrap();
    assert_eq!(void.reason.as_deref(), Some("a game in which a bot plays against itself"));
}

/// psyleague's games have a configured number of players (`n_players`), places by rank, and values that bots printed.
#[test]
fn games_of_three_and_four_of_psyleague_are_games() {
    let mut store = Store::in_memory().unwrap();
    let line = |players: &[&str], ranks: &[u32], errors: &[u32]| {
        let data: Vec<_> = (0..players.len()).map(|seat| serde_json::json!({ "depth": seat })).collect();
        let game = serde_json::json!({ "players": players, "ranks": ranks, "errors": errors, "test_data": { "seed": 5 },
            "player_data": data });
        format!("{game}\n")
    };
    let file = [
        line(&["a", "b", "c"], &[1, 0, 2], &[0, 0, 1]),
        line(&["c", "a", "b", "d"], &[2, 0, 0, 3], &[0; 4]),
        line(&["a", "b"], &[0, 1], &[0; 2]),
        line(&["a", "b", "a"], &[0, 1, 2], &[0; 3]),
        line(&["a", "b", "c"], &[0, 1], &[0; 3]),
        line(&["a"], &[0], &[0]),
    ]
    .concat();
    let imported = enter_unchecked(&mut store, &file);
    assert_eq!((imported.new, imported.passed_over), (3, 3), "{imported:?}");
    assert_eq!(
        imported.problems,
        [
            "games:4: a game in which a bot plays against itself",
            "games:5: 2 ranks for 3 bots",
            "games:6: a game with only 1 players"
        ]
    );
    assert_eq!(enter_unchecked(&mut store, &file).known, 3);
    let (bots, games) = (store.bots().unwrap(), store.games(true).unwrap());
    let seats = |game: usize| -> Vec<(&str, u32, f64, &str)> {
        let names = games[game].names(&bots);
        let seats = games[game].seats.iter().zip(names);
        seats.map(|(seat, name)| (name, seat.rank, seat.points, seat.ending.as_str())).collect()
    };
    let third = 1.0 / 3.0;
    assert_eq!(seats(0), [("a", 1, 0.5, "normal"), ("b", 0, 1.0, "normal"), ("c", 2, 0.0, "failure")]);
    let ends: Vec<(&str, u32)> = seats(1).iter().map(|seat| (seat.0, seat.1)).collect();
    assert_eq!(ends, [("c", 2), ("a", 0), ("b", 0), ("d", 3)]);
    assert!((seats(1)[0].2 - third).abs() < 1e-9 && (seats(1)[1].2 - 2.5 * third).abs() < 1e-9);
    let table = compute(&store);
    let row = |name: &str| table.rows.iter().find(|row| row.name == name).unwrap();
    assert_eq!((table.games, row("a").ranks.as_slice(), row("c").failures), (3, [2, 1, 0, 0].as_slice(), 1));
    assert_eq!((row("a").results, row("d").results), ([1, 1, 1], [0, 0, 1]));
    let deep = contender_league::Filter::parse("seat2.depth == 2 and end2 == \"failure\"").unwrap();
    assert_eq!(games.iter().filter(|game| deep.matches(game)).count(), 1);
}

/// A row that is too short is skipped like any other line that is not a game.
#[test]
fn short_rows_are_passed_over_with_their_place() {
    let mut store = Store::in_memory().unwrap();
    let games =
        "Game,User1,Score1,Status1,User2,Score2,Status2\n1,a,5,WIN,b,3,LOSE\n2,a,5\n3,a,1,LOSE,b,3,WIN\n";
    let imported = enter(&mut store, games);
    assert_eq!(imported.new, 2);
    assert_eq!(imported.problems, ["games:3: 3 fields, but the header has 7"]);
    let players = "Game,User,Score,Status\n1,a,5,WIN\n1,b\n1,b,3,LOSE\n2\n";
    let imported = enter(&mut store, players);
    assert_eq!(imported.new, 1);
    let short = ["games:3: 2 fields, but the header has 4", "games:5: 1 fields, but the header has 4"];
    assert_eq!(imported.problems, short);
}

/// Games are identified by both of their rows, even in a league that identified them by the second row alone.
#[test]
fn games_with_a_row_in_common_are_two_games() {
    let mut store = Store::in_memory().unwrap();
    let table = |first: &str| format!("Game,User,Score,Status\n1,{first},WIN\n1,bob,3,LOSE\n");
    let count = |imported: Imported| (imported.new, imported.known);
    assert_eq!(count(enter(&mut store, &table("ann,5"))), (1, 0));
    assert_eq!(count(enter(&mut store, &table("cid,9"))), (1, 0));
    assert_eq!(count(enter(&mut store, &table("ann,5"))), (0, 1));

    let folder = tempfile::tempdir().unwrap();
    let contest = contender_catalogue::find("box").unwrap();
    let league =
        contender_league::League::create(folder.path(), contender_league::NewLeagueGame::Contest(contest))
            .unwrap();
    let mut store = Store::open(&league).unwrap();
    assert_eq!(count(enter(&mut store, &table("ann,5"))), (1, 0));
    let hash = sha2::Sha256::digest("1,bob,3,LOSE");
    let hash: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let file = rusqlite::Connection::open(league.database()).unwrap();
    file.execute("UPDATE games SET origin = ?", [format!("table:{hash}:1")]).unwrap();
    assert_eq!(count(enter(&mut store, &table("ann,5"))), (0, 1));
    assert_eq!(count(enter(&mut store, &table("cid,9"))), (1, 0));
}

/// Returns a game of a match as written in a log.
fn logged(players: [&str; 2], seed: u64, scores: [i32; 2], end: [&str; 2]) -> String {
    let result = match scores[0].cmp(&scores[1]) {
        std::cmp::Ordering::Less => "0-1",
        std::cmp::Ordering::Equal => "1/2-1/2",
        std::cmp::Ordering::Greater => "1-0",
    };
    serde_json::json!({
        "game": "some game", "seed": seed, "players": players, "setup": [], "moves": [], "result": result, "scores": scores,
        "times_ms": [[1.5, 2.5], [3.0]], "end": end.map(|end| match end {
            "timeout" => serde_json::json!({ "timeout": { "limit_ms": 100, "overrun_ms": null } }),
            end => serde_json::json!(end),
        }),
        "cpu_ms": [null, null], "stderr": ["", ""], "left_running": [false, false], "exit": [null, null]
    })
    .to_string()
}

/// After the import of a match log, the league has all its data: pairs, endings and times.
#[test]
fn logs_lose_nothing() {
    let mut store = Store::in_memory().unwrap();
    let normal = ["normal", "normal"];
    let log = [
        logged(["a", "b"], 7, [5, 3], normal),
        logged(["a", "b"], 8, [5, 4], normal),
        logged(["b", "a"], 8, [9, 1], ["normal", "timeout"]),
        logged(["b", "c"], 7, [5, 3], normal),
        // The same match is played again.
        logged(["a", "b"], 7, [5, 2], normal),
        logged(["b", "a"], 7, [1, 2], normal),
    ];
    assert_eq!(enter_unchecked(&mut store, &log.join("\n")).new, 6);
    let pairs = |store: &Store| -> Vec<i64> {
        store.games(false).unwrap().iter().map(|game| game.pair.unwrap()).collect()
    };
    assert_eq!(pairs(&store), [1, 2, 2, 3, 4, 1]);
    // Later games of the same log find their partners.
    let rest = logged(["b", "a"], 7, [6, 6], normal);
    assert_eq!(enter_unchecked(&mut store, &format!("{}\n{rest}", log.join("\n"))).new, 1);
    assert_eq!(pairs(&store), [1, 2, 2, 3, 4, 1, 4]);
    let games = store.games(true).unwrap();
    let seats = games[2].seats.iter().map(|seat| (seat.ending.as_str(), seat.ms, seat.slowest_ms));
    let expected = [("normal", Some(4.0), Some(2.5)), ("timeout", Some(3.0), Some(3.0))];
    assert_eq!(seats.collect::<Vec<_>>(), expected);
    let late = contender_league::Filter::parse("end1 == \"timeout\"").unwrap();
    assert_eq!(games.iter().filter(|game| late.matches(game)).count(), 1);
    let bots = store.bots().unwrap();
    assert_eq!(Meetings::of(&bots, &games).pairs(0, 1), 3);
}

/// A single invalid cell makes only its game invalid, and the reason names the cell.
#[test]
fn a_bad_cell_names_its_game_and_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contender_catalogue::find("box").unwrap();
    let league =
        contender_league::League::create(folder.path(), contender_league::NewLeagueGame::Contest(contest))
            .unwrap();
    let mut store = Store::open(&league).unwrap();
    let good = "Game,User1,Score1,Status1,User2,Score2,Status2\n1,a,5,WIN,b,3,LOSE\n2,b,4,WIN,a,2,LOSE\n3,a,1,LOSE,b,2,WIN\n";
    assert_eq!(enter(&mut store, good).new, 3);
    let damage = rusqlite::Connection::open(league.database()).unwrap();
    damage.execute("UPDATE seats SET points = 'abc' WHERE game = 2 AND seat = 0", []).unwrap();
    damage.execute("UPDATE seats SET ending = x'00ff' WHERE game = 3 AND seat = 1", []).unwrap();
    let games = store.games(true).unwrap();
    let reasons: Vec<Option<&str>> = games.iter().map(|game| game.reason.as_deref()).collect();
    assert_eq!(reasons, [None, Some("points of seat 0 is `abc`"), Some("ending of seat 1 is 2 bytes")]);
    assert_eq!(compute(&store).games, 1);
}

#[test]
fn an_empty_file_is_no_empty_league() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contender_catalogue::find("box").unwrap();
    let league =
        contender_league::League::create(folder.path(), contender_league::NewLeagueGame::Contest(contest))
            .unwrap();
    std::fs::write(league.database(), "").unwrap();
    let error = Store::open(&league).err().unwrap().to_string();
    assert!(error.contains("league.sqlite is empty"), "{error}");
    assert!(Store::open_to_read(&league).is_err());
}

/// A game that breaks the rules is skipped.
#[test]
fn games_against_the_rules_are_passed_over() {
    let contest = contender_catalogue::find("spaghetti").unwrap();
    let mut referee = contender_referee::Referee::of(contest);
    referee.conditions.limits.nodes = Some(10);
    let bots = ["random", "greedy"].map(|bot| contender_referee::Entrant::parse(contest, bot).unwrap());
    let fixture = contender_referee::Fixture::between([&bots[0], &bots[1]], 5, [1, 2]);
    let record = referee.play(contest, &fixture, &std::sync::atomic::AtomicBool::new(false)).unwrap();
    let mut illegal = record.clone();
    illegal.moves[5] = illegal.moves[4].clone();
    let mut short = record.clone();
    short.moves.pop();
    let mut wrong = record.clone();
    *wrong.seats[0].points.as_mut().unwrap() += 1.0;
    let text: String = [&record, &illegal, &short, &wrong].map(|game| game.to_json() + "\n").concat();
    let imported = import_text(&mut Store::in_memory().unwrap(), &text, "games", "spaghetti").unwrap();
    assert_eq!((imported.new, imported.passed_over), (1, 3), "{imported:?}");
    assert!(imported.problems[0].starts_with("games:2: turn 6 "), "{imported:?}");
    assert!(
        imported.problems[1].starts_with("games:3: the game is not over after the last recorded move"),
        "{imported:?}"
    );
    assert!(imported.problems[2].starts_with("games:4: end: recorded score"), "{imported:?}");
}

/// A log is read only slightly ahead of the imported games, so a log of any size takes the same memory: a writer at the
/// other end of a pipe is never far ahead of the import. An endless line takes no memory either.
#[cfg(unix)]
#[test]
fn a_log_is_never_held_in_memory() {
    use std::io::Write;
    use std::sync::atomic::{AtomicU64, Ordering};
    const BATCH: u64 = 16 << 20;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("log.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let written = AtomicU64::new(0);
    let said = "x".repeat(1 << 20);
    let (lines, mut ahead) = (60, Vec::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut log = std::fs::File::options().write(true).open(&pipe).unwrap();
            let mut write = |text: &str| {
                log.write_all(text.as_bytes()).unwrap();
                written.fetch_add(text.len() as u64, Ordering::Relaxed);
            };
            for number in 0..lines {
                write(&format!(
                    "{{\"players\": [\"a\", \"b\"], \"ranks\": [0, 1], \"test_data\": {{\"number\": {number}, \"said\": \"{said}\"}}}}\n"
                ));
            }
            (0..40).for_each(|_| write(&said));
            write("\n");
        });
        // An open pipe, as a shell passes it for `<(...)`.
        let reading = std::fs::File::open(&pipe).unwrap();
        let opened = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reading));
        let mut store = Store::in_memory().unwrap();
        let imported = contender_league::import(&mut store, opened.as_ref(), "uttt", &mut |so_far| {
            ahead.push(written.load(Ordering::Relaxed) - so_far.bytes);
            true
        })
        .unwrap();
        assert_eq!((imported.new, imported.passed_over), (lines, 1), "{:?}", imported.problems);
        assert!(imported.problems[0].contains(":61: a line of more than"), "{:?}", imported.problems);
    });
    assert!(ahead.len() as u64 >= lines * said.len() as u64 / (BATCH + 2 * said.len() as u64), "{ahead:?}");
    // The limit allows for a pipe, a buffer and a line.
    assert!(ahead.iter().all(|&bytes| bytes < 2 << 20), "{ahead:?}");
}

/// A long file is imported in pieces. If the import is stopped, the imported pieces are kept.
#[test]
fn a_long_file_is_entered_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.csv");
    let rows: String = (0..25_000).map(|game| format!("{game},a,5,WIN,b,3,LOSE\n")).collect();
    std::fs::write(&path, format!("Game,User1,Score1,Status1,User2,Score2,Status2\n{rows}")).unwrap();
    let mut store = Store::in_memory().unwrap();
    let mut seen = Vec::new();
    let imported = contender_league::import(&mut store, &path, "box", &mut |so_far| {
        seen.push(so_far.new);
        seen.len() < 2
    });
    assert_eq!((imported.unwrap().new, seen), (20_000, vec![10_000, 20_000]));
    let rest = contender_league::import(&mut store, &path, "box", &mut |_| true).unwrap();
    assert_eq!((rest.new, rest.known), (5_000, 20_000));
}
