//! External referees on the command line, tested with a stand-in that behaves like CodinGame's referees.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn stand_ins() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../foreign/tests").canonicalize().unwrap()
}

/// Returns a folder of referees with one named `cards`, for two to four players.
fn referees() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let cards = folder.path().join("cards");
    std::fs::create_dir(&cards).unwrap();
    let settings = format!(
        "source = \"here\"\ncommand = [\"python3\", \"{}/stand_in.py\", \"-serve\"]\nis_server = true\nplayers = [2, 4]\nleagues = 1\n",
        stand_ins().display()
    );
    std::fs::write(cards.join("referee.toml"), settings).unwrap();
    std::fs::write(cards.join("stub.txt"), "gameloop\nread turn:int card:int\nwrite 1\n").unwrap();
    folder
}

fn contender(referees: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contender"));
    command.env("CONTENDER_REFEREES", referees).current_dir(referees).args(words);
    command.output().unwrap()
}

/// Checks the exit status of a command and returns its output.
fn printed(output: &Output, status: i32) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(output.status.code(), Some(status), "{}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout) + &text(&output.stderr)
}

fn bot(name: &str, arguments: &str) -> String {
    format!("{name}=python3 {}/card_bot.py {arguments}", stand_ins().display())
}

#[test]
fn a_match_by_a_command_goes_on_from_its_log() {
    let folder = referees();
    let referee = format!("python3 {}/stand_in.py", stand_ins().display());
    let words = |rounds| {
        let (all, half) = (bot("all", "100"), bot("half", "50"));
        ["match", "--referee", &referee, &all, &half, "-n", rounds, "--quiet", "--log", "games.jsonl"]
            .map(str::to_string)
    };
    let run = |rounds| {
        let words = words(rounds);
        printed(&contender(folder.path(), &words.each_ref().map(String::as_str)), 0)
    };
    let text = run("1");
    assert!(text.contains("1 pair, 2 games"), "{text}");
    let text = run("2");
    assert!(text.contains("2 pairs, 4 games") && text.contains("WD 0, WW 2"), "{text}");
    let log = || std::fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    let games = log();
    assert_eq!(games.lines().count(), 4);
    // Under other conditions it would be a different match.
    for other in [["--league", "3"], ["--time", "70ms"], ["--seed", "2"]] {
        let words = words("2");
        let all: Vec<&str> = words.iter().map(String::as_str).chain(other).collect();
        let text = printed(&contender(folder.path(), &all), 2);
        assert!(text.contains("line 1 is a game from a different match"), "{text}");
        assert_eq!(log(), games);
    }
    let text = printed(&contender(folder.path(), &["replay", "games.jsonl", "--number", "1"]), 1);
    assert!(text.contains("played by an external referee") && text.contains("hint: "), "{text}");
}

/// The bots' input is unknown in games of an external referee.
#[test]
fn the_input_of_a_failed_bot_is_not_offered() {
    let folder = referees();
    let (good, bad) = (bot("good", "100"), bot("bad", "50 crash"));
    let text =
        printed(&contender(folder.path(), &["match", "--referee", "cards", &good, &bad, "-n", "1", "-q"]), 0);
    assert!(text.contains("games failed") && text.contains("again: ") && !text.contains("--input"), "{text}");
}

#[test]
fn a_referee_with_a_name_plays_tournaments_of_three_and_has_bots() {
    let folder = referees();
    let run = |words: &[&str]| contender(folder.path(), words);
    assert!(printed(&run(&["referee", "list"]), 0).contains("cards                2 to 4 players here"));
    let made = printed(&run(&["new", "bot", "--referee", "cards", "--language", "python", "-o", "mine"]), 0);
    assert!(made.contains("mine/bot.py"), "{made}");
    let bots = [
        bot("all", "100"),
        bot("half", "50"),
        bot("broken", "90 garbage"),
        "mine=python3 mine/bot.py".to_string(),
    ];
    let words =
        ["tournament", "--referee", "cards", "--players", "3", "-n", "1", "-j", "1", "--quiet", "--json"];
    let words: Vec<&str> = words.into_iter().chain(bots.iter().map(String::as_str)).collect();
    let report: serde_json::Value = serde_json::from_str(&printed(&run(&words), 0)).unwrap();
    // There are four sets of three bots, each in three rotations.
    assert_eq!(report["games"], 12);
    let names: Vec<&str> =
        report["bots"].as_array().unwrap().iter().map(|bot| bot["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["all", "half", "mine", "broken"]);
    assert_eq!(report["bots"][3]["failures"]["illegal"], 9);
    printed(&run(&["referee", "remove", "cards"]), 0);
    assert!(printed(&run(&["referee", "list"]), 0).contains("no referees yet"));
}

/// Two versions play games of three bots: the referee or an option sets the number of players, and a pool provides the
/// other bots.
#[test]
fn versions_are_compared_among_others() {
    let folder = referees();
    let settings = folder.path().join("cards/referee.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("players = [2, 4]", "players = [3, 3]")).unwrap();
    let pool = [bot("a", "60"), bot("b", "40")].join(",");
    let (new, old) = (bot("new", "90"), bot("old", "20"));
    let run = |words: &[&str], status| {
        let all: Vec<&str> = [words, &["--referee", "cards", "-q", "-j", "1"]].concat();
        printed(&contender(folder.path(), &all), status)
    };
    let text = run(&["match", &new, &old, "--pool", &pool, "-n", "6", "--log", "pool.jsonl"], 0);
    assert!(text.contains("cards: 6 pairs, 12 games") && text.contains("as seat 2"), "{text}");
    assert!(text.contains("rank difference   +1.000"), "{text}");
    // The log contains all games, so the same command plays none.
    let games = std::fs::read_to_string(folder.path().join("pool.jsonl")).unwrap();
    assert_eq!(run(&["match", &new, &old, "--pool", &pool, "-n", "6", "--log", "pool.jsonl"], 0), text);
    assert_eq!(std::fs::read_to_string(folder.path().join("pool.jsonl")).unwrap(), games);
    // The proposed command has as many bots as a game has players.
    let words = ["new", "bot", "--referee", "cards", "--language", "python", "-o", "mine"];
    let made = printed(&contender(folder.path(), &words), 0);
    assert_eq!(made.matches("\"python3 mine/bot.py\"").count(), 3, "{made}");
    // Without a pool, two bots are too few, and the error contains a hint.
    let text = run(&["match", &new, &old], 2);
    assert!(text.contains("invalid number of players 2: cards takes 3") && text.contains("hint: "), "{text}");
    let three = run(&["match", &new, &old, &bot("third", "50"), "-n", "1"], 0);
    assert!(three.contains("cards: 3 games of 3 players"), "{three}");
    let text = run(&["check", &new, "-n", "1"], 0);
    assert!(text.contains("plays in seat 2"), "{text}");
    let text = run(&["match", &new, &old, "--nodes", "5"], 2);
    assert!(text.contains("--nodes has no effect with an external referee"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = referees();
    let run = |words: &[&str]| printed(&contender(folder.path(), words), 2);
    assert!(
        run(&["match", "--referee", "cards", "./no-such", "./bot"]).contains("no such program: `./no-such`")
    );
    assert!(
        run(&["match", "--referee", "cards", "sh", "sh", "sh", "sh", "sh"])
            .contains("invalid number of players 5")
    );
    assert!(
        run(&["match", "--referee", "cards", "sh", "sh", "-n", "5", "--sprt", "0,10"])
            .contains("at least 40 pairs")
    );
    assert!(
        run(&["match", "--referee", "run %P1%", "sh", "sh"])
            .contains("must contain placeholders for both bots")
    );
    assert!(
        run(&["new", "bot", "--referee", "none", "--language", "cpp", "-o", "x"])
            .contains("unknown referee `none`")
    );
    assert!(run(&["referee", "remove", "../x"]).contains("invalid name"));
    let text = printed(&contender(folder.path(), &["referee", "add", "nowhere", "--name", "new"]), 1);
    assert!(text.contains("cannot read nowhere") || text.contains("install a JDK"), "{text}");
}

#[test]
fn a_referee_that_fails_is_named_with_the_command_that_shows_it() {
    let folder = referees();
    let referee = format!("python3 {}/stand_in.py --fault null", stand_ins().display());
    let text = printed(
        &contender(folder.path(), &["match", "--referee", &referee, "sh", "cat", "-n", "5", "--quiet"]),
        1,
    );
    assert!(text.contains("failed: it prints") && text.contains("again: python3"), "{text}");
}

#[test]
fn a_challenge_goes_on_from_its_log_and_decides() {
    let folder = referees();
    let (candidate, worse, same) = (bot("new", "60"), bot("worse", "40"), bot("same", "60"));
    let run = |benchmark: &str, words: &[&str]| {
        let stages = [
            "--stage1-pairs",
            "2",
            "--stage2-pairs",
            "2",
            "--max-pairs",
            "40",
            "-q",
            "--log",
            "challenge.jsonl",
        ];
        let all = ["challenge", "--referee", "cards", &candidate, benchmark].into_iter().chain(stages);
        let all: Vec<&str> = all.chain(words.iter().copied()).collect();
        printed(&contender(folder.path(), &all), 0)
    };
    let text = run(&worse, &["--sprt", "0,100"]);
    assert!(text.contains("    3  worse         40    100.0%"), "{text}");
    assert!(text.contains("new should replace worse: the test accepts that new is better."), "{text}");
    let lines = || std::fs::read_to_string(folder.path().join("challenge.jsonl")).unwrap().lines().count();
    // The test needs at least 40 pairs. Games that were in progress at its decision may be in the log, too.
    let count = lines();
    assert!(count >= 2 * (2 + 2 + 40), "{count}");
    // All games are in the log, so nothing is played again.
    assert_eq!(run(&worse, &["--sprt", "0,100"]), text);
    assert_eq!(lines(), count);
    let report: serde_json::Value = serde_json::from_str(&run(&same, &["--json"])).unwrap();
    let stages: Vec<u64> =
        report.as_array().unwrap().iter().map(|bout| bout["stage"].as_u64().unwrap()).collect();
    assert_eq!(stages, [1, 2, 3]);
    assert_eq!(report[2]["report"]["verdict"], "no-difference-shown");
}

#[test]
fn a_check_tells_what_a_bot_does_wrong() {
    let folder = referees();
    let run = |arguments: &str, status: i32| {
        let bot = bot("mine", arguments);
        printed(
            &contender(folder.path(), &["check", "--referee", "cards", &bot, "-n", "1", "--log", "x"]),
            status,
        )
    };
    let text = run("50", 0);
    assert!(text.contains("PASS  plays in seat 1    1 of 1 games completed"), "{text}");
    let text = run("50 garbage", 1);
    assert!(
        text.contains(
            "FAIL  plays legal moves  game 1, seat 0: makes an illegal move: Invalid answer: what?"
        ),
        "{text}"
    );
    let log = std::fs::read_to_string(folder.path().join("x")).unwrap();
    assert_eq!(log.lines().count(), 6);
    let crowd = contender(folder.path(), &["check", "--referee", "cards", "sh", "--players", "5"]);
    assert!(printed(&crowd, 2).contains("invalid number of players 5: cards takes 2 to 4"));
}

#[test]
fn a_league_of_three_is_played_by_a_referee_with_a_name() {
    let folder = referees();
    let run = |words: &[&str]| {
        let all: Vec<&str> = ["league", "--dir", "winter"].iter().chain(words).copied().collect();
        printed(&contender(folder.path(), &all), 0)
    };
    run(&["init", "winter", "--match", "cards"]);
    let settings = folder.path().join("winter/league.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("# players = 2", "players = 3").replace("# logs =", "logs ="))
        .unwrap();
    for (name, share) in [("all", "100"), ("half", "50"), ("broken", "90 crash")] {
        let command = format!("python3 {}/card_bot.py {share}", stand_ins().display());
        run(&["add", name, &command, "--in-place", "--no-check"]);
    }
    let said = run(&["run", "--games", "3", "-j", "1", "-q"]);
    assert!(said.contains("broken failed in 3 of 3 games: "), "{said}");
    assert_eq!(std::fs::read_dir(folder.path().join("winter/logs")).unwrap().count(), 3);
    assert!(run(&["games", "1", "--json"]).contains("winter/logs/"));
    let table = run(&["show"]);
    let ranks: Vec<String> =
        table.lines().skip(1).take(3).map(|line| line.split_whitespace().rev().take(3).collect()).collect();
    assert_eq!(ranks, ["003", "030", "300"], "{table}");
    let games = run(&["games"]);
    assert!(games.contains("broken: exit") && games.contains("all - half - broken  1 - 0.5 - 0"), "{games}");
}

/// Before a league adds a bot, the bot plays a test game with the referee, with its files in the place where the league
/// runs them.
#[test]
fn a_league_by_a_referee_tries_a_bot_first() {
    let folder = referees();
    let run = |words: &[&str], status: i32| {
        let all: Vec<&str> = ["league", "--dir", "winter"].iter().chain(words).copied().collect();
        printed(&contender(folder.path(), &all), status)
    };
    run(&["init", "winter", "--match", "cards"], 0);
    assert!(run(&["add", "none", "./nothere"], 2).contains("no such program: `./nothere`"));
    let text = std::fs::read_to_string(stand_ins().join("card_bot.py")).unwrap();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    std::fs::write(folder.path().join("mine/bot.py"), format!("import brain\n{text}")).unwrap();
    std::fs::write(folder.path().join("mine/brain.py"), "").unwrap();
    let said = run(&["add", "mine", "python3 mine/bot.py 50"], 2);
    assert!(said.contains("`mine` fails in a game against itself: disconnects"), "{said}");
    assert!(said.contains("\n  ModuleNotFoundError: No module named 'brain'"), "{said}");
    assert!(said.contains("to copy the whole folder, use `--folder mine`"), "{said}");
    run(&["add", "mine", "python3 mine/bot.py 50", "--folder", "mine"], 0);
    // A folder of classes is used in place.
    std::fs::rename(folder.path().join("mine/bot.py"), folder.path().join("mine/__main__.py")).unwrap();
    run(&["add", "classes", "python3 ./mine 60"], 0);
    let said = run(&["run", "--games", "2", "-q", "-j", "1"], 0);
    assert!(said.contains("2 games played") && !said.contains("failed"), "{said}");
    run(&["add", "late", "python3 mine/nothere.py", "--no-check"], 0);
    assert!(run(&["games"], 0).lines().count() == 2);
}
